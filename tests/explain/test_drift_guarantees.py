"""What the paper guarantees of the next iteration, and why nothing where it guarantees nothing."""

import pytest

from gpviz.analysis.drift_bounds import drift_bound, leaves_removed_bound
from gpviz.engine import RunConfig, parse
from gpviz.engine.target import target_for
from gpviz.explain.drift_guarantees import facts_of, no_drift_reason, no_leaves_reason
from gpviz.explain.next_iteration_odds import odds_of
from tests.engine.brute_force import as_text, trees

CONFIGS = [
    RunConfig(n=3, limit=limit, deletion=deletion, **sampling)
    for limit in (2, 3, 4, "inf")
    for deletion in ("leaf", "subtree")
    for sampling in ({}, {"fitness": "sampled", "rows": 5})
]


@pytest.mark.parametrize("config", CONFIGS)
def test_there_is_a_reason_exactly_where_there_is_no_guarantee(config: RunConfig) -> None:
    formulas = [as_text(tree) for leaves in (1, 2, 3) for tree in trees(leaves, 3, ("and", "or"))[::5]]
    for tree in (None, *(parse(formula, 3) for formula in formulas)):
        error = None if tree is None else target_for(3).error(tree)
        reason = no_drift_reason(tree, error, config.rules)
        assert bool(reason) == (drift_bound(tree, error, config) is None)
        reason = no_leaves_reason(tree, error, config.rules)
        assert bool(reason) == (leaves_removed_bound(tree, error, config) is None)


def words_of(formula: str, **settings: object) -> dict[str, tuple[str, str]]:
    config = RunConfig(**{"n": 4, **settings})
    return {fact.caption: fact[1:] for fact in facts_of(odds_of(parse(formula, config.n), config))}


def test_the_guarantee_names_its_operands_and_the_missing_half() -> None:
    number, words = words_of("x1 & x2", limit="2n")["drift guaranteed"]
    assert number == "0.00467"  # (log_4 3 + 1) 3 / (36 · 8 · 4)
    assert "x = 3, ℓ = 8 and n = 4" in words
    assert "a factor of 2 more than its argument gives" in words


def test_where_nothing_is_guaranteed_the_reason_is_told() -> None:
    for caption, settings, reason in (
        ("drift guaranteed", {"limit": "inf"}, "only with a limit"),
        ("drift guaranteed", {"limit": 3}, "no room for all 4 variables"),
        ("leaves guaranteed", {"limit": 2}, "may need every leaf"),
        ("leaves guaranteed", {"limit": 2, "n": 2, "deletion": "leaf"}, "right on all rows"),
    ):
        number, words = words_of("x1 & x2", **settings)[caption]
        assert number == "–"
        assert reason in words
    stuck = words_of("(x1 & x2) | (x1 & x2)", limit=4, deletion="leaf")
    assert stuck["leaves removed"][0] == "0"
    assert "no leaf can go alone" in stuck["leaves guaranteed"][1]
    assert stuck["times that"][0] == "–"
