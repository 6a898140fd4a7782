"""What CONTRIBUTING.md says about the house is so: its files, folders and modules are where it says they are."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
HOUSE = TEXT.split("```text\n")[1].split("```")[0]
QUOTED = sorted(set(re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.(?:py|toml|md)|(?:[a-z_]+/)+)`", TEXT)))
COMMANDS = sorted(set(re.findall(r"`python -m ([\w.]+)`", TEXT)))


@pytest.mark.parametrize("path", QUOTED)
def test_what_is_named_is_there(path):
    folders = (ROOT, ROOT / "gpviz", ROOT / "gpviz/experiments/figures")
    assert any((folder / path).exists() for folder in folders)


@pytest.mark.parametrize("module", COMMANDS)
def test_what_is_to_be_started_is_there(module):
    place = ROOT / Path(*module.split("."))
    assert place.with_suffix(".py").exists() or (place / "__main__.py").exists()


def test_every_room_is_on_the_map():
    drawn = set(re.findall(r"([a-z_]+)/", HOUSE))
    rooms = {folder.parent.name for folder in (ROOT / "gpviz").rglob("__init__.py")}
    assert rooms - drawn <= {"neighbours", "outlook", "truth_table"}  # rooms of single pages
    assert drawn <= rooms | {
        "resources",
        "pictures",
        "tests",
        "scripts",
        "benchmarks",
        "bundle",
        "golden",
        "fuzz",
        "gpviz",
    }
