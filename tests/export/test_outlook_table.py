"""The outlook along a run as a table."""

import csv
from pathlib import Path

import pytest

from gpviz.analysis.outlook import WANTED_ERROR
from gpviz.engine import RunConfig
from gpviz.explain.outlook_along_run import RunOutlook
from gpviz.export.run_tables import OUTLOOK_COLUMNS, outlook_rows
from gpviz.runs.replay import Cancelled
from tests.export.requests import export
from tests.export.tex import history_of

STUCK = RunConfig(n=4, limit="n", deletion="leaf", seed=7736)
"""From iteration 81 on."""
ESTIMATED = RunConfig(n=6, seed=1)
SAMPLED = RunConfig(n=3, fitness="sampled", rows=4, seed=3)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_change_of_the_tree_has_its_outlook_to_the_wanted_error(tmp_path):
    history = history_of(STUCK, 90)
    export("outlook", tmp_path / "o.csv", history, first=30)
    rows = _rows(tmp_path / "o.csv")
    changes = [each for each in history.changes().iterations.tolist() if each > 30]
    assert tuple(rows[0]) == OUTLOOK_COLUMNS
    assert [int(row["iteration"]) for row in rows] == [30, *changes]
    assert all(float(row["stuck_error"]) <= WANTED_ERROR for row in rows)
    assert all((row["continuations"] == "0") == (row["is_exact"] == "1") for row in rows)
    assert (rows[-1]["stuck"], rows[-1]["remaining"], rows[-1]["is_exact"]) == ("1.0", "", "1")
    assert 0 < float(rows[0]["stuck"]) < 1
    assert float(rows[0]["remaining"]) > 0


def test_the_same_run_gives_the_same_file(tmp_path):
    for name in ("a.csv", "b.csv"):
        export("outlook", tmp_path / name, history_of(ESTIMATED, 45), first=44)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_a_run_on_samples_says_within_how_many_iterations_it_is_to_be_done(tmp_path):
    export("outlook", tmp_path / "o.csv", history_of(SAMPLED, 5))
    for row in _rows(tmp_path / "o.csv"):
        assert int(row["within"]) > 0
        assert 0 <= float(row["final_generalisation_error"]) <= 1
        assert row["is_exact"] == "0"


def test_what_was_not_looked_at_is_empty():
    run_outlook = RunOutlook(history_of(ESTIMATED, 30))
    job = run_outlook.next_job()
    assert job is not None
    job.work()
    rows = outlook_rows(run_outlook)
    assert [int(row[0]) for row in rows] == run_outlook.starts
    assert [any(row[1:]) for row in rows] == [True] + [False] * (len(rows) - 1)


def test_it_tells_how_far_it_is_and_can_be_cancelled(tmp_path):
    reported: list[tuple[int, int]] = []

    def on_progress(done: int, total: int) -> bool:
        reported.append((done, total))
        return done > 3

    with pytest.raises(Cancelled):
        export("outlook", tmp_path / "o.csv", history_of(STUCK, 90), on_progress=on_progress)
    assert not list(tmp_path.iterdir())
    assert reported == sorted(reported, key=lambda pair: pair[0])
    assert reported[-1][0] < reported[-1][1]


def test_what_is_done_at_last_is_all(tmp_path):
    reported: list[tuple[int, int]] = []
    export(
        "outlook",
        tmp_path / "o.csv",
        history_of(STUCK, 90),
        first=81,
        on_progress=lambda *far: reported.append(far),
    )
    assert reported[-1] == (2, 2)
