"""The log as a table and as JSON lines."""

import csv
import io
import json
import tracemalloc
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gpviz.engine import (
    Node,
    Operation,
    RlsGp,
    RunConfig,
    Step,
    TooComplexError,
    format_formula,
    parse,
    target,
)
from gpviz.engine.config import is_full
from gpviz.engine.mutation_script import parse_script
from gpviz.engine.target import target_for
from gpviz.engine.tree import variables_of
from gpviz.export.run_tables import LogStream
from gpviz.runs.branches import forked
from gpviz.runs.history import History
from gpviz.runs.replay import Cancelled
from gpviz.runs.step_columns import LOG_COLUMNS
from tests.export.requests import export
from tests.export.tex import history_of

_CONFIGS = [
    RunConfig(n=6, seed=1),
    RunConfig(n=100, seed=2),
    RunConfig(n=6, empty_tree="insert-only", limit="n", deletion="leaf", seed=3),
    RunConfig(n=20, fitness="sampled", rows=30, sampler="counts", seed=4),
    RunConfig(n=12, limit="inf", fitness="sampled", rows=3, seed=5),
]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _objects(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _told(step: Step, parent: Node | None, config: RunConfig) -> dict[str, Any]:
    """What a step says, as plain data."""
    distinct = variables_of(step.tree).bit_count()
    reported = {"distinct": distinct, "full": is_full(parent, config)}
    row = {name: reported[name] if name in reported else getattr(step, name) for name in LOG_COLUMNS}
    if config.is_sampled:
        wrong = None if step.tree is None else Fraction(target_for(config.n).error(step.tree), 2**config.n)
        row["generalisation_error"] = None if wrong is None else float(wrong)
    return row


@pytest.mark.parametrize("config", _CONFIGS)
def test_every_row_says_what_its_step_says(config: RunConfig, tmp_path: Path) -> None:
    search, history = RlsGp(config), History(config)
    steps = [search.step() for _ in range(300)]
    for step in steps:
        history.append(step)
    parents = [None, *(step.tree for step in steps)]
    all_told = [_told(step, parent, config) for step, parent in zip(steps, parents, strict=False)]
    export("log", tmp_path / "t.csv", history, first=1, last=300)
    export("log", tmp_path / "t.jsonl", history, first=1, last=300)
    _, *objects = _objects(tmp_path / "t.jsonl")
    assert objects == all_told
    assert _rows(tmp_path / "t.csv") == [
        {
            name: "" if value is None else str(int(value)) if isinstance(value, bool) else str(value)
            for name, value in reported.items()
        }
        for reported in all_told
    ]


def test_a_range_is_cut_out_of_the_whole(tmp_path: Path) -> None:
    history = history_of(RunConfig(n=8, seed=7), 400)
    export("log", tmp_path / "all.csv", history, first=0, last=400)
    export("log", tmp_path / "some.CSV", history, first=123, last=321)
    assert _rows(tmp_path / "some.CSV") == _rows(tmp_path / "all.csv")[122:321]


def test_the_first_line_of_json_lines_tells_about_the_whole(tmp_path: Path) -> None:
    start = parse("x1 & (x2 | x3)")
    config = RunConfig(n=8, seed=7)
    history = history_of(config, 20, start)
    changed = config.replaced(limit="inf")
    search, branch = forked(history, 10, changed)
    branch.append(search.step())
    export("log", tmp_path / "t.jsonl", branch, first=4, last=11)
    header = _objects(tmp_path / "t.jsonl")[0]
    assert header == {
        "format": "gpviz-log",
        "version": 3,
        "config": config.as_dict(),
        "later_configs": [{"from": 11, "config": changed.as_dict()}],
        "start": "x1 & (x2 | x3)",
        "first": 4,
        "last": 11,
        "columns": list(LOG_COLUMNS),
    }


def test_a_log_is_cancelled_on_its_way_to_a_late_iteration_too(tmp_path: Path) -> None:
    history = history_of(RunConfig(n=8, seed=7), 400)
    is_rejected_deletion = [
        step.operation is Operation.DEL and not step.is_accepted
        for step in map(history.step_at, range(1, 401))
    ]
    late = 300 + is_rejected_deletion[299:].index(True)
    reported: list[tuple[int, int]] = []

    def cancel(done: int, total: int) -> bool:
        reported.append((done, total))
        return True

    with pytest.raises(Cancelled, match="after 0 of 1 iterations"):
        export("log", tmp_path / "t.csv", history, first=late, last=late, on_progress=cancel)
    assert reported == [(0, 1)]
    assert list(tmp_path.iterdir()) == []


def test_a_cancelled_log_leaves_no_file(tmp_path: Path) -> None:
    history = history_of(RunConfig(n=4, seed=1, deletion="leaf"), 50)
    reported: list[tuple[int, int]] = []

    def cancel(done: int, total: int) -> bool:
        reported.append((done, total))
        return True

    with pytest.raises(Cancelled, match="cancelled after 41 of 41"):
        export("log", tmp_path / "t.csv", history, first=10, last=50, on_progress=cancel)
    assert reported == [(41, 41)]
    assert list(tmp_path.iterdir()) == []


def test_progress_is_reported_every_few_thousand_rows_and_memory_does_not_grow_with_them(
    tmp_path: Path,
) -> None:
    history = history_of(RunConfig(n=3, seed=1, deletion="leaf"), 20_000)
    reported: list[tuple[int, int]] = []
    held: list[int] = []

    def look(done: int, total: int) -> None:
        reported.append((done, total))
        # Of other threads nothing is counted: they may compile something meanwhile.
        made_by = [tracemalloc.Filter(True, f"*/gpviz/{room}/*") for room in ("export", "runs", "explain")]
        traces = tracemalloc.take_snapshot().filter_traces(made_by).traces
        held.append(sum(trace.size for trace in traces))

    tracemalloc.start()
    try:
        export("log", tmp_path / "t.csv", history, first=1, last=20_000, on_progress=look)
    finally:
        tracemalloc.stop()
    assert reported == [(8192, 20_000), (16_384, 20_000), (20_000, 20_000)]
    assert held[1] < held[0] + 200_000, held
    assert [int(row["iteration"]) for row in _rows(tmp_path / "t.csv")] == list(range(1, 20_001))


@pytest.mark.parametrize("deletion", ["leaf", "subtree"])
def test_a_log_with_formulas_asks_at_every_tree_whether_to_go_on(tmp_path: Path, deletion: str) -> None:
    """The formulas of a block may take minutes, so it is not enough to ask after each block."""
    history = history_of(RunConfig(n=8, seed=7, deletion=deletion), 400)
    reported: list[tuple[int, int]] = []

    def cancel(done: int, total: int) -> bool:
        reported.append((done, total))
        return len(reported) == 20

    with pytest.raises(Cancelled, match="after 0 of 400 iterations"):
        export("log", tmp_path / "t.csv", history, has_formulas=True, on_progress=cancel)
    assert len(reported) == 20
    assert list(tmp_path.iterdir()) == []


def test_it_is_also_asked_while_one_long_formula_is_written_again_and_again(tmp_path: Path) -> None:
    solved = parse(" & ".join(f"x{variable}" for variable in range(1, 1001)))
    history = history_of(RunConfig(n=1000, limit="n", deletion="leaf", seed=1), 1000, solved)
    reported: list[tuple[int, int]] = []
    export(
        "log",
        tmp_path / "t.csv",
        history,
        has_formulas=True,
        on_progress=lambda *seen: reported.append(seen),
    )
    assert len({row["formula"] for row in _rows(tmp_path / "t.csv")}) == 1
    assert len(reported) > 5
    assert reported[-1] == (1000, 1000)


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_log_may_have_the_formula_of_each_tree(tmp_path: Path, ending: str) -> None:
    history = history_of(RunConfig(n=8, seed=7, empty_tree="insert-only"), 400)
    path = tmp_path / f"log.{ending}"
    export("log", path, history, first=0, last=400, has_formulas=True)
    if ending == "csv":
        found = [row["formula"] for row in _rows(path)]
    else:
        header, *objects = _objects(path)
        assert header["columns"] == [*LOG_COLUMNS, "formula"]
        found = [each["formula"] for each in objects]
    assert found == [format_formula(history.tree_at(iteration)) for iteration in range(1, 401)]
    assert len(set(found)) > 10


def test_the_generalisation_error_is_told_where_some_iterations_are_sampled(tmp_path: Path) -> None:
    config = RunConfig(n=4, fitness="sampled", rows=5, seed=3)
    search, branch = forked(history_of(config, 30), 20, config.replaced(fitness="complete", rows=None))
    branch.append(search.step())
    for first, last, is_told in ((1, 20, True), (15, 21, True), (21, 21, False)):
        export("log", tmp_path / "t.csv", branch, first=first, last=last)
        rows = _rows(tmp_path / "t.csv")
        assert all(("generalisation_error" in row) == is_told for row in rows)
        if is_told:
            reported = [row["generalisation_error"] for row in rows]
            trees = [branch.tree_at(iteration) for iteration in range(first, last + 1)]
            assert reported == ["" if tree is None else str(target_for(4).error(tree) / 16) for tree in trees]


def test_a_tree_whose_rows_would_take_long_to_count_has_no_generalisation_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tangled = " & ".join(f"(x{at} | x{at % 40 + 1} | x{at * 7 % 40 + 1})" for at in range(1, 41))
    start = parse(tangled)
    config = RunConfig(n=40, limit="inf", fitness="sampled", rows=3)

    def refused(*_: object) -> None:
        raise TooComplexError("counting")

    monkeypatch.setattr(target, "count_tree", refused)
    search, history = RlsGp(config, start), History(config, start)
    history.append(search.step())
    monkeypatch.setattr(target, "count_tree", None)  # nobody asks for it
    export("log", tmp_path / "t.csv", history, first=1, last=1)
    assert [row["generalisation_error"] for row in _rows(tmp_path / "t.csv")] == [""]


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
@pytest.mark.parametrize("config", _CONFIGS)
def test_a_log_written_step_by_step_is_that_of_the_whole_run(
    config: RunConfig, ending: str, tmp_path: Path
) -> None:
    start, script = parse("x1 & (x2 | x3)"), parse_script("insert or x1 at 1; delete 2")
    search, history = RlsGp(config, start, script), History(config, start, script)
    file = io.StringIO()
    stream = LogStream(file.write, History(config, start, script), ending, has_formulas=True)
    for _ in range(300):
        step = search.step()
        history.append(step)
        stream.append(step)
    path = tmp_path / f"t.{ending}"
    export("log", path, history, first=1, last=300, has_formulas=True)
    written = path.read_text(encoding="utf-8").replace('"last": 300', '"last": null')
    assert file.getvalue() == written
