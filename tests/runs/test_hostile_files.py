"""Whatever a run file holds, opening it gives a run file or one sentence, and never changes it.

The fuzzer (`tests.fuzz`) tries damage of every kind; here is what the sentences say.
"""

from pathlib import Path
from typing import Any

import pytest

from gpviz.engine.config import RunConfig
from gpviz.engine.formula import parse
from gpviz.runs.history import MAX_ITERATIONS
from gpviz.runs.run_file import Bookmark, data_of, describe, describe_branches, load
from tests.files.hostile import changed, refusal
from tests.runs.branching import branched_run
from tests.runs.runs import recorded


@pytest.fixture(scope="module")
def plain() -> dict[str, Any]:
    """The data of a run without branches."""
    _, _, history = recorded(RunConfig(n=4, limit="6", fitness="sampled", rows=8), 50, parse("x1 | x2"))
    return data_of(describe(history, [Bookmark(3, "here")]))


@pytest.fixture(scope="module")
def branched() -> dict[str, Any]:
    """The data of a run with branches."""
    branches, histories = branched_run()
    return data_of(describe_branches(branches, histories, [Bookmark(100, "end")], shown=2))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"x1 & x2", "it is not JSON; expecting value at line 1, column 1."),
        (b"\x80\x04K\x01.", "it is not JSON; byte 1 is not UTF-8."),
        (b"[]", "it is not a run file; it has no keys."),
        (b"{}", "format: None is not allowed; it must be 'gpviz-run' in a run file."),
        (b'{"format": ["gpviz-run"]}', "format: ['gpviz-run'] is not allowed"),
        (b'{"format": "gpviz-lecture"}', "format: it is a lecture, not a run; open it as a lecture."),
        (b'{"format": "gpviz-run"}', "version: None is not allowed; it must be 1, 3 or 4."),
        (b'{"format": "gpviz-run", "version": 1}', "config: it is missing."),
        (b" " * 16_000_001, "it is 16,000,001 bytes long, and 16,000,000 are allowed."),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_no_run_file_is_refused(tmp_path: Path, content: bytes, message: str):
    assert refusal(tmp_path / "bad.gpviz", content, load).startswith(message)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("version", 2, "version: 2 is not allowed; it must be 1, 3 or 4."),
        ("config", [], "config: [] is not allowed; it must be an object with the keys n, limit,"),
        ("config", {"limit": "6"}, "config.n: it is missing."),
        ("config.n", 0, "config.n: 0 is not allowed; it must be "),
        ("config.limit", {}, "config.limit: {} is not allowed; it must be "),
        ("config.limit", "1", "start: 'x1 | x2' is not allowed; it must be a tree of at most 1 leaves"),
        ("config.functions", [{}], "config.functions: [{}] is not allowed; it must be "),
        ("config.rows", None, "config.rows: it is missing; "),
        ("config.seed", 2**4096, "config.seed: a number of 4097 bits is not allowed; it must be "),
        ("config.colour", 1, "config: 'colour' is unknown; the keys are n, limit,"),
        ("start", 5, "start: 5 is not allowed; it must be a formula, or empty for the empty tree."),
        ("start", "x1 &", "start: formula, column 5: expected a variable or '(' but the formula ends."),
        ("start", "\ud800", "start: formula, column 1: '\\ud800' is not part of a formula"),
        ("start", "x1&" * 10**6 + "x1", "start: formula: 'x1&x1&"),
        ("start", "(" * 10**4, "start: formula, column 10001: expected a variable"),
        (
            "iterations",
            "50",
            "iterations: '50' is not allowed; it must be a whole number from 0 to 10000000.",
        ),
        ("iterations", MAX_ITERATIONS + 1, "iterations: 10000001 is not allowed; it must be a whole number"),
        ("bookmarks", {}, "bookmarks: {} is not allowed; it must be a list."),
        (
            "bookmarks",
            [3],
            "bookmarks[0]: 3 is not allowed; it must be an object with the keys iteration, no",
        ),
        ("bookmarks", [{"note": ""}], "bookmarks[0].iteration: it is missing."),
        ("bookmarks.0.x\n", 1, "bookmarks[0]: 'x\\n' is unknown"),
        ("bookmarks.0.iteration", 51, "bookmarks[0].iteration: 51 is not allowed; it must be at most 50"),
        ("bookmarks.0.note", "\udfff", "bookmarks[0].note: '\\udfff' is not allowed"),
        ("fingerprint", "sha256:", "fingerprint: 'sha256:' is not allowed; it must be 'sha256:' and 64 hex"),
        ("script", {}, "script: {} is not allowed; it must be a list."),
        ("script", ["jump"], "script, entry 1: 'jump' is not allowed; it must be a mutation that begins"),
        ("colour", "blue", "'colour' is unknown; the keys are format, version, config, start, iterations,"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_value_is_refused_with_its_field(
    tmp_path: Path, plain: dict[str, Any], path: str, value: Any, message: str
):
    assert refusal(tmp_path / "bad.gpviz", changed(plain, path, value), load).startswith(message)


FORCED = {"iteration": 41, "operation": "INS", "node": 1, "variable": 2, "function": "and", "side": "left"}


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("name", 5, "name: 5 is not allowed; it must be a text of 1 to 80 characters"),
        ("shown", 4, "shown: 4 is not allowed; it must be a whole number from 0 to 3."),
        (
            "branches",
            [1],
            "branches[0]: 1 is not allowed; it must be an object with the keys name, parent, at,",
        ),
        ("branches", [{}] * 5000, "branches: there are 5,000, but at most 255 are allowed."),
        ("branches.0.name", "", "branches[0].name: '' is not allowed; it must be a text of 1 to 80"),
        ("branches.0.parent", 1, "branches[0].parent: 1 is not allowed; it must be"),
        ("branches.0.parent", 2, "branches[0].parent: 2 is not allowed; it must be"),
        ("branches.0.parent", True, "branches[0].parent: True is not allowed; it must be"),
        ("branches.0.at", 101, "branches[0].at: 101 is not allowed; it must be at most 100"),
        ("branches.1.at", 85.5, "branches[1].at: 85.5 is not allowed; it must be a whole number"),
        ("branches.0.iterations", 30, "branches[0].at: 40 is not allowed; it must be at most 30"),
        (
            "branches.0.iterations",
            41,
            "branches[0].forced[1].iteration: 42 is not allowed; it must be from 42",
        ),
        (
            "branches.0.changes",
            [],
            "branches[0].changes: [] is not allowed; it must be an object with the keys",
        ),
        ("branches.0.changes", {"n": 3}, "branches[0].changes: 'n' is unknown; the keys are seed, limit"),
        ("branches.0.changes", {"limit": "x"}, "branches[0].changes.limit: 'x' is not allowed; it must be"),
        (
            "branches.0.forced",
            ["INS"],
            "branches[0].forced[0]: 'INS' is not allowed; it must be an object with",
        ),
        ("branches.0.forced.0.operation", "ADD", "branches[0].forced[0].operation: 'ADD' is not"),
        ("branches.0.forced.0.function", [], "branches[0].forced[0].function: [] is not allowed"),
        ("branches.0.forced.0.node", 0, "branches[0].forced[0].node: 0 is not allowed"),
        ("branches.0.forced.0.variable", 7, "branches[0].forced[0].variable: 7 is not allowed"),
        ("branches.0.forced.0.iteration", 40, "branches[0].forced[0].iteration: 40 is not"),
        ("branches.0.forced", [FORCED, FORCED], "branches[0].forced[1].iteration: 41 is not allowed"),
        ("branches.0.fingerprint", "sha256:", "branches[0].fingerprint: 'sha256:' is not allowed"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_branch_is_refused_with_its_field(
    tmp_path: Path, branched: dict[str, Any], path: str, value: Any, message: str
):
    assert refusal(tmp_path / "bad.gpviz", changed(branched, path, value), load).startswith(message)


def test_a_fork_past_the_end_of_its_parent_is_refused(branched: dict[str, Any], tmp_path: Path):
    data = changed(changed(branched, "branches.1.iterations", 200), "branches.1.at", 101)
    assert refusal(tmp_path / "bad.gpviz", data, load) == (
        "branches[1].at: 101 is not allowed; it must be at most 100, the iterations of the branch it forks from."
    )


def test_too_many_iterations_in_all_are_refused(branched: dict[str, Any], tmp_path: Path):
    long = {**branched["branches"][0], "forced": [], "iterations": 10_000_000}
    assert refusal(tmp_path / "bad.gpviz", changed(branched, "branches", [long] * 6), load) == (
        "branches: together they have 60,000,120 iterations, but at most 50,000,000 are allowed."
    )
