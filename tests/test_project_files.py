"""The files around the program agree with it: version, date, metadata, and the pictures they show."""

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox, QWidget

from gpviz import __version__
from gpviz.app.dialogs.message_dialogs import show_about
from gpviz.guide_pages import slug_of

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_the_newest_changes_and_the_citation_are_those_of_this_version():
    newest, date = re.findall(r"^## \[(.+)\] - (\d{4}-\d\d-\d\d)$", text_of("CHANGELOG.md"), re.MULTILINE)[0]
    citation = dict(re.findall(r"^([a-z-]+): (.+)$", text_of("CITATION.cff"), re.MULTILINE))
    assert newest == citation["version"] == __version__
    assert date == citation["date-released"]


def test_a_wheel_has_the_version_of_the_program():
    assert PYPROJECT["project"]["dynamic"] == ["version"]
    assert PYPROJECT["tool"]["hatch"]["version"]["path"] == "gpviz/__init__.py"


def test_about_names_the_version(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    show_about(window)
    box = window.findChild(QMessageBox)
    assert box is not None
    assert f"gpviz {__version__}<" in box.text()
    box.done(0)


def test_a_checkout_on_windows_leaves_the_ends_of_lines_as_they_are():
    lines = text_of(".gitattributes").splitlines()
    (everything, *is_text), *others = [line.split() for line in lines if not line.startswith("#")]
    assert (everything, is_text) == ("*", ["text=auto", "eol=lf"])
    assert all(kind in ("-text", "binary") for _, kind in others)
    for script in [
        ROOT / ".ci/run",
        *(path for path in (ROOT / "scripts").rglob("[!_]*") if path.is_file() and path.suffix != ".pyc"),
    ]:
        assert not any(fnmatch(script.name, pattern) for pattern, _ in others)
        assert b"\r" not in script.read_bytes()


def test_the_citation_has_the_licence_and_some_keywords_of_the_package():
    citation, project = text_of("CITATION.cff"), PYPROJECT["project"]
    assert f"license: {project['license']}\n" in citation
    assert set(re.findall(r"^  - ([a-zA-Z -]+)$", citation, re.MULTILINE)) <= set(project["keywords"])


@pytest.mark.parametrize("name", ["README.md", "BENCHMARKS.md", "CHANGELOG.md", "CONTRIBUTING.md"])
def test_every_link_leads_to_a_file_and_a_heading_in_it(name):
    for link in re.findall(r"\]\((.+?)\)", text_of(name)):
        path, _, slug = link.partition("#")
        if not path.startswith("https:"):
            assert (ROOT / path).exists(), link
            headings = re.findall(r"^#+ (.+)$", text_of(path or name), re.MULTILINE) if slug else []
            assert not slug or slug in map(slug_of, headings), link


def test_only_pictures_that_the_program_shows_are_shipped():
    shipped = {path.name for path in (ROOT / "resources/screenshots").iterdir()}
    pages = [path.read_text("utf-8") for path in (ROOT / "resources/guide").glob("*.md")]
    assert shipped == {name for page in pages for name in re.findall(r"!\[.+\]\(.+/(.+)\)", page)}
    others = {path.name for path in (ROOT / "pictures").iterdir()}
    assert others == set(re.findall(r"!\[.+\]\(pictures/(.+)\)", text_of("README.md")))


def test_shipped_pictures_are_small_and_the_moving_one_loads_at_once():
    for path in (ROOT / "resources/screenshots").iterdir():
        colour_type = path.read_bytes()[25]
        assert colour_type == 3, f"{path.name} has no palette; scripts/screenshots gives it one"
    assert (ROOT / "pictures/stuck.gif").stat().st_size < 1_000_000


def test_the_same_versions_of_python_are_promised_tried_and_looked_for():
    promised = [
        name.rpartition(" ")[2]
        for name in PYPROJECT["project"]["classifiers"]
        if re.search(r"Python :: 3\.", name)
    ]
    tried = re.findall(r"python: \[(.+)\]", text_of(".github/workflows/test.yml"))
    assert tried == [", ".join(f'"{version}"' for version in promised)] * 2
    assert (
        f"for name in {' '.join(f'python{version}' for version in reversed(promised))} python3 "
        in text_of("scripts/setup.sh")
    )
    assert PYPROJECT["project"]["requires-python"] == f">={promised[0]}"
