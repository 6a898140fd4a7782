"""The data behind the curves as a table."""

import csv
from math import nan
from pathlib import Path

import pytest

from gpviz.engine import RunConfig
from gpviz.engine.tree import variables_of
from gpviz.export.run_tables import CURVE_COLUMNS
from gpviz.runs.branches import forked
from gpviz.runs.history import Generalisation
from gpviz.runs.replay import Cancelled
from gpviz.runs.step_encoding import Property
from tests.export.requests import export
from tests.export.tex import history_of


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _text(value: int | None) -> str:
    return "" if value is None else str(value)


@pytest.mark.parametrize(
    "config",
    [
        RunConfig(n=6, seed=1),
        RunConfig(n=100, seed=2, limit="inf"),
        RunConfig(n=20, fitness="sampled", rows=30, sampler="counts", seed=4),
    ],
)
def test_every_row_says_what_the_curves_show(config: RunConfig, tmp_path: Path) -> None:
    history = history_of(config, 200)
    export("curves", tmp_path / "c.csv", history, first=0, last=200)
    rows = _rows(tmp_path / "c.csv")
    assert tuple(rows[0]) == CURVE_COLUMNS
    limit = "inf" if config.max_leaves is None else str(config.max_leaves)
    assert list(rows[0].values()) == ["0", "", "", "", "0", "0", "0", limit, ""]
    for iteration, row in enumerate(rows[1:], start=1):
        step = history.step_at(iteration)
        assert list(row.values()) == [
            str(iteration),
            _text(step.error),
            _text(step.offspring_error),
            step.verdict.value,
            str(step.leaves),
            str(step.ors),
            str(variables_of(step.tree).bit_count()),
            limit,
            "",
        ]


def test_the_generalisation_error_holds_until_the_tree_changes(tmp_path: Path) -> None:
    config = RunConfig(n=10, fitness="sampled", rows=20, seed=3)
    history = history_of(config, 120)
    first, second, third, fourth = history.changes().iterations[1:5].tolist()
    known = Generalisation()
    known.extend([(first, 0.25), (second, nan), (fourth, 0.125)])  # nothing is known of the third tree
    export("curves", tmp_path / "c.csv", history, first=0, last=120, generalisation=known)
    shares = [row["generalisation_error"] for row in _rows(tmp_path / "c.csv")]
    assert shares[:first] == [""] * first
    assert shares[first:second] == ["0.25"] * (second - first)
    assert shares[second:third] == [""] * (third - second)
    assert shares[third:fourth] == [""] * (fourth - third)
    assert shares[fourth] == "0.125"
    fifth = history.next_where(Property.CHANGED, fourth)
    assert fifth is not None
    assert set(shares[fifth:]) == {""}


def test_the_limit_is_that_of_its_iteration(tmp_path: Path) -> None:
    config = RunConfig(n=4, seed=1, limit="5")
    search, branch = forked(history_of(config, 10), 6, config.replaced(limit="inf"))
    branch.append(search.step())
    export("curves", tmp_path / "c.csv", branch, first=5, last=7)
    assert [(row["iteration"], row["max_leaves"]) for row in _rows(tmp_path / "c.csv")] == [
        ("5", "5"),
        ("6", "5"),
        ("7", "inf"),
    ]


def test_a_cancelled_table_leaves_no_file(tmp_path: Path) -> None:
    history = history_of(RunConfig(n=4, seed=1), 50)
    with pytest.raises(Cancelled):
        export(
            "curves", tmp_path / "c.csv", history, first=0, last=50, on_progress=lambda _done, _total: True
        )
    assert list(tmp_path.iterdir()) == []
