"""Text of strangers on the terminal and in exports: the same poison in every field of every kind of file."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from gpviz.cli import main
from gpviz.experiments.figures.figure import Figure
from gpviz.experiments.figures.figure_svg import figure_svg
from gpviz.experiments.plan import find_plan
from gpviz.lecture.lecture import Scene, SceneCaption, lecture_data_of
from gpviz.runs.run_file import Bookmark, RunFile, data_of, describe_branches
from tests.app.lecture.lectures import lecture
from tests.cli.command_line import is_one_sentence
from tests.experiments.stored_runs import small_store
from tests.export.tex import check_well_formed
from tests.poison import MARKUP, POISON, is_harmless
from tests.runs.branching import branched_run

POISONS = {"poison": POISON, "markup": MARKUP}
Field = tuple[str | int, ...]


@cache
def run_file() -> RunFile:
    branches, histories = branched_run()
    return describe_branches(branches, histories, (Bookmark(3, "a note"),))


def run_data() -> Any:
    return json.loads(json.dumps(data_of(run_file())))


def lecture_data() -> Any:
    scene = Scene(
        title="Steps", first=0, last=3, caption="end", captions=(SceneCaption(1, "one"),), text="t", notes="n"
    )
    return json.loads(json.dumps(lecture_data_of(lecture(scene, runs=(run_file(),)))))


def plan_data() -> Any:
    return {
        **find_plan("quick").as_dict(),
        "runs": 1,
        "grid": {"n": [2, 3]},
        "config": {"limit": "2n"},
        "x": "n",
    }


def fields_in(data: Any) -> Iterator[Field]:
    """Every field, and a new key in every object."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    if isinstance(data, dict):
        yield ("*",)
    for key, value in entries:
        yield (key,)
        yield from ((key, *rest) for rest in fields_in(value))


def poisoned(data: Any, field: Field, poison: str) -> Any:
    *way, last = field
    inner = data
    for key in way:
        inner = inner[key]
    inner[poison if last == "*" else last] = poison
    return data


def toml_of(data: Any) -> str:
    if isinstance(data, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml_of(value)}" for key, value in data.items()) + "}"
    if isinstance(data, list | tuple):
        return f"[{', '.join(map(toml_of, data))}]"
    return json.dumps(data).replace("\\u007f", "\x7f") if isinstance(data, str) else str(data)


def few(make: Callable[[], Any]) -> list[Field]:
    """All fields; of lists their first entry only."""
    return [field for field in fields_in(make()) if all(key == 0 or isinstance(key, str) for key in field)]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> int:
    """Do it, and see that whatever is said is harmless, and one sentence if it is refused."""
    capsys.readouterr()
    code = main(list(arguments))
    captured = capsys.readouterr()
    assert is_harmless(captured.out)
    assert is_harmless(captured.err)
    assert "\nforged" not in captured.out + captured.err
    assert code == 0 or is_one_sentence(captured.err)
    return code


NOTE: Field = ("bookmarks", 0, "note")
"""The field of a run file that may hold any text; names of runs and branches may hold markup."""


@pytest.mark.parametrize("field", few(run_data), ids=str)
def test_every_field_of_a_run_file(tmp_path, capsys, field):
    path = tmp_path / "run.gpviz"
    path.write_text(json.dumps(poisoned(run_data(), field, POISON)))
    assert (said(capsys, "replay", str(path)) == 0) is (field == NOTE)


def test_exports_of_a_run_file_with_poison_and_markup(tmp_path, capsys):
    for poison, fields in ((POISON, [NOTE]), (MARKUP, [NOTE, ("name",), ("branches", 0, "name")])):
        data = run_data()
        for field in fields:
            data = poisoned(data, field, poison)
        folder = tmp_path / str(len(fields))
        folder.mkdir()
        path = folder / "run.gpviz"
        path.write_text(json.dumps(data))
        assert said(capsys, "replay", str(path), "--json") == 0
        exports(folder, capsys, path)


def exports(folder: Path, capsys: pytest.CaptureFixture[str], path: Path) -> None:
    """What is made of a run for a browser, for TeX and for a spreadsheet."""
    for name, options in (
        ("page.html", ()),
        ("tree.tex", ()),
        ("slides.tex", ("--what", "slides")),
        ("log.csv", ()),
    ):
        target = folder / name
        title = ("--title", POISON) if name in ("page.html", "slides.tex") else ()
        assert said(capsys, "export", str(path), "--to", str(target), *options, *title) == 0
        text = target.read_text(encoding="utf-8")
        assert is_harmless(text)
        if name.endswith(".tex"):
            check_well_formed(text)
            assert "\\input{x}" not in text
        if name.endswith(".html"):
            assert "<b>R" not in text
            assert "<img src=x" not in text


@pytest.mark.parametrize("field", few(lecture_data), ids=str)
def test_every_field_of_a_lecture_on_the_command_line(tmp_path, capsys, monkeypatch, field):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")  # what is wrong with the file is said before the screen
    path = tmp_path / "lecture.gpviz"
    path.write_text(json.dumps(poisoned(lecture_data(), field, POISON)))
    assert said(capsys, "--lecture", str(path)) == 2
    assert said(capsys, str(path)) == 2
    assert said(capsys, "replay", str(path)) == 2


@pytest.mark.usefixtures("experiments_here")
@pytest.mark.parametrize(
    ("kind", "field"),
    [*(("poison", field) for field in few(plan_data)), ("markup", ("title",)), ("markup", ("explanation",))],
    ids=str,
)
def test_every_field_of_a_plan(tmp_path, capsys, kind, field):
    path = tmp_path / "plan.toml"
    data = poisoned(plan_data(), field, POISONS[kind])
    lines = [f"{json.dumps(key)} = {toml_of(value)}" for key, value in data.items()]
    path.write_text("\n".join(lines), encoding="utf-8", newline="")
    store = tmp_path / "plan.gpvizx"
    tables = ("--latex", str(tmp_path / "t.tex"), "--csv", str(tmp_path / "t.csv"))
    code = said(capsys, "experiment", str(path), "--store", str(store), *tables)
    if kind == "markup":
        assert code == 0
        assert "\\input{x}" not in re.sub("(?m)^%.*$", "", (tmp_path / "t.tex").read_text())
        assert is_harmless((tmp_path / "t.tex").read_text() + (tmp_path / "t.csv").read_text())


@pytest.mark.usefixtures("experiments_here")
@pytest.mark.parametrize("kind", [*POISONS, "no text"])
@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("experiment", "name"), ("experiment", "plan"), ("experiment", "seconds"), ("cells", "config"),
        ("cells", "totals"), ("runs", "outcome"), ("runs", "iterations"), ("runs", "error"), ("paths", "path"),
    ],
)  # fmt: skip
def test_every_field_of_a_store(tmp_path, capsys, table, column, kind):
    path = small_store(tmp_path)
    connection = sqlite3.connect(path)
    value = b"\xff\xfe\x1b[31m" if kind == "no text" else POISONS[kind].encode()
    connection.execute(f"UPDATE {table} SET {column} = CAST(? AS TEXT)", (value,))
    connection.commit()
    connection.close()
    store = ("--store", str(path), "--resume")
    files = [tmp_path / name for name in ("t.tex", "t.csv", "r.csv")]
    options = [*store, "--latex", str(files[0]), "--csv", str(files[1]), "--runs-csv", str(files[2])]
    said(capsys, "experiment", *options)
    said(capsys, "experiment", *store, "--json")
    for file in files:
        assert not file.exists() or is_harmless(file.read_text(encoding="utf-8"))


@pytest.mark.usefixtures("experiments_here")
@pytest.mark.parametrize("kind", POISONS)
def test_the_name_of_a_file(tmp_path, capsys, kind):
    name = POISONS[kind].replace("/", "").replace("\0", "")
    path = tmp_path / f"{name}.gpviz"
    path.write_text(json.dumps(run_data()))
    assert said(capsys, "replay", str(path)) == 0
    assert said(capsys, "export", str(path), "--to", str(tmp_path / f"{name}.html")) == 0
    assert said(capsys, "export", str(path), "--to", str(tmp_path / f"{name}.html")) == 2  # it is there
    plan = tmp_path / f"{name}.toml"
    plan.write_text("runs = 1\n[grid]\nn = [2]\n")
    said(capsys, "experiment", str(plan))
    said(capsys, "experiment", "--list")
    assert said(capsys, "check", f"@{tmp_path / name}") == 2
    assert said(capsys, name) == 2


@pytest.mark.parametrize("kind", POISONS)
def test_what_is_typed_is_quoted_harmlessly(capsys, kind):
    text = POISONS[kind].replace("\0", "")
    for arguments in (
        ("check", text), ("check", f"x1 & {text}"), ("check", "x1", "--n", text), ("check", "x1", "--limit", text),
        ("run", "--preset", text), ("run", "--n", "4", "--until", text), ("experiment", text), ("--theme", text),
        ("export", "--preset", "first-run", "--to", text), ("experiment", "quick", "--cluster", text),
        (f"--{text}",), ("replay", text), ("--compare", text), ("--lecture", text),
    ):  # fmt: skip
        assert said(capsys, *arguments) == 2


def test_the_poison_reaches_an_svg_as_words():
    text = figure_svg(Figure(POISON, empty=POISON), name="figure", description=POISON)
    assert is_harmless(text)
    assert not [each for each in ElementTree.fromstring(text).iter() if each.tag.endswith(("}b", "}img"))]
