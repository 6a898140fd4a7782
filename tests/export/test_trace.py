"""The log as a table."""

import csv
from pathlib import Path

import pytest

from gpviz.engine import GpvizError, RlsGp, RunConfig
from gpviz.export.trace import write_trace
from gpviz.record.history import History


@pytest.mark.parametrize(
    "config",
    [
        RunConfig(n=6, seed=1),
        RunConfig(n=100, seed=2),
        RunConfig(n=6, empty_tree="insert-only", limit="n", deletion="leaf", seed=3),
        RunConfig(n=20, fitness="sampled", rows=30, sampler="counts", seed=4),
    ],
)
def test_every_row_says_what_its_step_says(config: RunConfig, tmp_path: Path) -> None:
    search, history = RlsGp(config), History(config)
    steps = [search.step() for _ in range(300)]
    for step in steps:
        history.append(step)
    write_trace(tmp_path / "t.csv", history)
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 300
    for row, step in zip(rows, steps, strict=True):
        for name in ("iteration", "operation", "node", "variable", "function", "side", "verdict"):
            assert row[name] == str(getattr(step, name))
        for name in ("offspring_error", "parent_error", "error"):
            value = getattr(step, name)
            assert row[name] == ("" if value is None else str(value))
        assert (int(row["leaves"]), int(row["ors"])) == (step.leaves, step.ors)
        assert bool(int(row["is_truly_worse"])) == step.is_truly_worse


def test_an_unwritable_place_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(GpvizError, match=r"nowhere.*cannot be written"):
        write_trace(tmp_path / "nowhere" / "t.csv", History(RunConfig(n=2)))
