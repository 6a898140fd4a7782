"""Golden traces: runs that must stay what they are, on every platform and in every version.

``tests/golden/traces.json`` holds, for each configuration below, the first and last steps of its run and a hash of
all of them. A trace may only change with the specification in `gpviz.engine.search`, because saved runs are
replayed from their seeds. If that is really meant, write the file anew and look at the difference:

    python -m tests.engine.test_golden
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from gpviz.engine.config import RunConfig
from gpviz.engine.formula import format_formula, parse
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Step

FILE = Path(__file__).parents[1] / "golden" / "traces.json"
FIRST, LAST = 60, 10

# Settings, iterations at most, and a start formula.
RUNS: dict[str, tuple[dict[str, Any], int, str | None]] = {
    "subtree, limit 2n": ({"n": 8, "seed": 1}, 1000, None),
    "leaf, limit n": ({"n": 8, "limit": "n", "deletion": "leaf", "seed": 2}, 1000, None),
    "subtree, limit n+1": ({"n": 12, "limit": "n+1", "seed": 3}, 2000, None),
    "leaf, no limit": ({"n": 6, "limit": "inf", "deletion": "leaf", "seed": 4}, 1000, None),
    "subtree, no limit": ({"n": 16, "limit": "inf", "seed": 5}, 2000, None),
    "only AND": ({"n": 8, "functions": "and", "limit": "n", "seed": 6}, 1000, None),
    "insert-only": ({"n": 5, "empty_tree": "insert-only", "seed": 3}, 1000, None),
    "seed 0": ({"n": 4, "seed": 0}, 1000, None),
    "huge seed": ({"n": 4, "seed": 2**4096 - 1}, 1000, None),
    "one variable": ({"n": 1, "empty_tree": "insert-only", "seed": 3}, 100, None),
    "n = 100": ({"n": 100, "seed": 9}, 1500, None),
    "stuck": ({"n": 3, "limit": "4", "deletion": "leaf"}, 200, "x1 & x2 | x1 & x2"),
    "from a formula": ({"n": 6, "seed": 8}, 1000, "(x1 | x2) & (x3 | x4) | x5 & x6"),
    "many implicants": ({"n": 40, "limit": "inf", "seed": 1}, 300, "&".join(
        f"(x{2 * i - 1} | x{2 * i})" for i in range(1, 11))),
    "rows": ({"n": 8, "fitness": "sampled", "rows": 100, "seed": 10}, 1000, None),
    "rows, few, accepted error": (
        {"n": 50, "fitness": "sampled", "rows": 70, "accept_error": 3, "limit": "inf", "seed": 11}, 1000, None),
    "counts": ({"n": 10, "fitness": "sampled", "rows": 10**6, "sampler": "counts", "seed": 12}, 2000, None),
    "counts, 10^12 rows, leaf": (
        {"n": 30, "fitness": "sampled", "rows": 10**12, "sampler": "counts", "deletion": "leaf", "seed": 13},
        1000, None),
}  # fmt: skip


def line_of(step: Step) -> str:
    """A step as text; an error is a number of any length."""
    return " ".join(
        str(field)
        for field in (
            *(step.iteration, step.operation.value, step.node, step.variable, step.function.value),
            *(step.side.value, step.verdict.value, step.offspring_leaves, step.offspring_error),
            *(step.parent_error, step.error, step.leaves, int(step.true_error_grew)),
        )
    )


def trace(name: str) -> dict[str, Any]:
    settings, most, start = RUNS[name]
    lines: list[str] = []
    search = RlsGp(RunConfig(**settings), None if start is None else parse(start))
    result = search.run(max_iterations=most, on_step=lambda step: lines.append(line_of(step)))
    return {
        "outcome": result.outcome.value,
        "iterations": result.iterations,
        "accepted": result.accepted,
        "improved": result.improved,
        "ors_accepted": result.ors_accepted,
        "tree": format_formula(result.tree),
        "first": lines[:FIRST],
        "last": lines[FIRST:][-LAST:],
        "sha256": hashlib.sha256("\n".join(lines).encode()).hexdigest(),
    }


def write_traces() -> None:
    """Write the golden file anew; only on purpose."""
    traces = {name: trace(name) for name in RUNS}
    FILE.write_text(json.dumps(traces, indent=1) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    traces: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return traces


@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_the_golden_one(name, golden):
    assert trace(name) == golden[name]


def test_every_golden_run_is_still_run(golden):
    assert list(golden) == list(RUNS)


@pytest.mark.parametrize("name", RUNS)
def test_the_same_run_without_anybody_looking_on_ends_as_the_golden_one(name, golden):
    settings, most, start = RUNS[name]
    result = RlsGp(RunConfig(**settings), None if start is None else parse(start)).run(max_iterations=most)
    end = (result.outcome.value, result.iterations, format_formula(result.tree))
    assert end == (golden[name]["outcome"], golden[name]["iterations"], golden[name]["tree"])


if __name__ == "__main__":
    write_traces()
