"""The trees of long ago: left out to save memory, and made again as they were."""

import pytest

from gpviz.engine import RlsGp, RunConfig, format_formula, parse
from gpviz.engine.tree import nodes_of
from gpviz.runs import history, step_encoding
from gpviz.runs.history import History
from gpviz.runs.step_encoding import LEFT_OUT


@pytest.fixture
def few_kept(monkeypatch):
    """A log that keeps the last twenty trees, every eighth of a hundred before, and one in 32 before these."""
    monkeypatch.setattr(history, "_MOST_RECENT", 20)
    monkeypatch.setattr(history, "_MOST_DENSE", 100)
    monkeypatch.setattr(history, "_SPARSE_STRIDE", 32)
    for module in (history, step_encoding):
        monkeypatch.setattr(module, "STRIDE", 8)
    monkeypatch.setattr(history, "_MOST_MADE_AGAIN", 16)


def trees_of(history):
    """The trees that its log keeps, in their order, with those that are left out."""
    kept = history._settled()._kept
    return [kept.get(number) for number in range(len(kept))]


def facts(tree):
    return None if tree is None else (format_formula(tree), [node.uid for node in nodes_of(tree)], tree.value)


@pytest.mark.parametrize(
    ("config", "start"),
    [
        (RunConfig(n=8, seed=1), ""),
        (RunConfig(n=8, limit="inf", deletion="leaf", seed=2), ""),
        (RunConfig(n=6, seed=3), "(x1 | x2) & (x3 | x4) | x5 & x6"),
        (RunConfig(n=20, fitness="sampled", rows=30, seed=4), ""),
    ],
)
def test_a_tree_that_was_left_out_is_made_again_with_the_same_nodes(few_kept, config, start):
    tree = parse(start, config.n) if start else None
    search, history = RlsGp(config, tree), History(config, tree)
    expected = [facts(tree)]
    for _ in range(1200):
        step = search.step()
        history.append(step)
        expected.append(facts(step.tree))
    left_out = trees_of(history).count(LEFT_OUT)
    assert left_out > 100
    for iteration in (*range(0, 1201, 7), *range(1200, -1, -13)):
        assert facts(history.tree_at(iteration)) == expected[iteration]
