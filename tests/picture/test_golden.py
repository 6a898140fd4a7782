"""Golden pictures: what is drawn of a few moments, the same on every platform.

``tests/golden/pictures.json`` holds the JSON form of each picture below, one a line. Where pictures are meant to
change, write the file anew and look at them:

    python -m tests.picture.test_golden
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from gpviz.analysis.redundant_leaves import Analysis, analyse
from gpviz.engine import Inner, Operation, RunConfig, Verdict, parse
from gpviz.explain.moment import Moment, Overlay
from gpviz.picture.compose import picture_of
from gpviz.picture.options import Options
from tests.picture.moments import previewed, shown, stepped, stuck

FILE: Final = Path(__file__).parents[1] / "golden" / "pictures.json"
INS, DEL, SUB = Operation.INS, Operation.DEL, Operation.SUB
IMPROVED, NEUTRAL, UNCHANGED, WORSE, TOO_LARGE = Verdict
TREE = "(x1 & x2) | x3"
LARGE = "x6 | (x1 & x2 & x3 & x4)"
SMALL_RUN = RunConfig(n=8, limit=3)
SAMPLED_RUN = RunConfig(n=6, fitness="sampled", rows=5)
USUAL = Options()

_Case = tuple[Moment, Options, Analysis | None]


def cases() -> dict[str, _Case]:
    solved, two = parse("x1 & x2"), RunConfig(n=2)
    steps = {
        "insertion, accepted": stepped(TREE, INS, IMPROVED, 4, errors=(7, 3)),
        "insertion, rejected": stepped(TREE, INS, WORSE, 1),
        "insertion, too large": stepped(TREE, INS, TOO_LARGE, 0, config=SMALL_RUN),
        "insertion, proposed": previewed(stepped(TREE, INS, IMPROVED, 4)),
        "insertion, to be guessed": previewed(stepped(TREE, INS, IMPROVED, 4), is_hidden=True),
        "deletion, accepted": stepped(TREE, DEL, IMPROVED, 1, errors=(7, 3)),
        "deletion of many leaves, accepted": stepped(LARGE, DEL, NEUTRAL, 2, errors=(7, 7)),
        "deletion, rejected": stepped(LARGE, DEL, WORSE, 2),
        "deletion of the root": stepped(TREE, DEL, UNCHANGED),
        "substitution, accepted": stepped(TREE, SUB, NEUTRAL, 2, errors=(7, 7)),
        "substitution, rejected": stepped(TREE, SUB, WORSE, 2),
        "substitution by the same": stepped(TREE, SUB, UNCHANGED, 2, variable=1),
        "first leaf": stepped(None, INS, IMPROVED, errors=(None, 127)),
        "empty": shown(None),
        "sampled": stepped(TREE, SUB, WORSE, 2, errors=(2, 4), config=SAMPLED_RUN),
    }
    found: dict[str, _Case] = {name: (moment, USUAL, None) for name, moment in steps.items()}
    found["stuck"] = (stuck()[0], USUAL, stuck()[1])
    redundant, four = parse("x1 & (x1 & x2)"), RunConfig(n=4)
    found["redundant"] = shown(redundant, four), USUAL, analyse(redundant, four)
    found["solved"] = shown(solved, two), USUAL, analyse(solved, two)
    tree = parse(TREE)
    assert isinstance(tree, Inner)
    found["folded"] = shown(tree), replace(USUAL, folded=frozenset({tree.left.uid})), None
    overlay = Overlay(
        {tree.uid: 0.2, tree.right.uid: 0.1}, {tree.uid: True}, tree.left.uid, "heat: up to 20 %"
    )
    found["heat and values"] = shown(tree), replace(USUAL, overlay=overlay, selected=tree.uid), None
    found["radial"] = shown(LARGE), replace(USUAL, layout="radial"), None
    return found


CASES: Final = cases()


def form_of(name: str) -> str:
    return picture_of(*CASES[name]).to_json()


def write_pictures() -> None:
    """Write the golden file anew; only on purpose."""
    lines = ",\n".join(f"{json.dumps(name)}: {form_of(name)}" for name in CASES)
    FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_a_picture_is_the_golden_one(name: str) -> None:
    golden = json.loads(FILE.read_text(encoding="utf-8"))
    assert json.loads(form_of(name)) == golden[name]


def test_every_golden_picture_is_still_drawn() -> None:
    assert list(json.loads(FILE.read_text(encoding="utf-8"))) == list(CASES)


if __name__ == "__main__":
    write_pictures()
