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


def test_a_tree_that_was_made_again_stays_the_same_object_for_a_while(few_kept):
    config = RunConfig(n=8, seed=1)
    search, history = RlsGp(config), History(config)
    for _ in range(1200):
        history.append(search.step())
    log_of = history._settled()
    iteration = int(log_of.changes().iterations[13])
    assert trees_of(history)[13] is LEFT_OUT
    assert history.tree_at(iteration) is history.tree_at(iteration)
    for other in range(1, 1200):
        history.tree_at(other)
    assert len(log_of._made_again) <= 16 + 8


def test_of_those_of_very_long_ago_fewer_are_kept(few_kept):
    config = RunConfig(n=8, limit="inf", deletion="leaf", seed=2)
    search, history = RlsGp(config), History(config)
    for _ in range(1200):
        history.append(search.step())
    trees = trees_of(history)
    kept = [number for number, tree in enumerate(trees) if tree is not LEFT_OUT]
    recent, dense = len(trees) - 20, len(trees) - 20 - 100 - 32 - 8
    assert dense > 200
    assert {number for number in kept if number < dense} == set(range(0, dense, 32))
    assert set(range(0, recent, 8)) - set(kept) <= set(range(len(trees) - 20 - 100))
    branch = history.beginning(1100)
    for iteration in range(0, 1101, 11):
        assert facts(branch.tree_at(iteration)) == facts(history.tree_at(iteration))


def test_the_latest_trees_are_all_kept_where_steps_come_one_by_one(few_kept):
    config = RunConfig(n=8, seed=1)
    search, history = RlsGp(config), History(config)
    for _ in range(1200):
        history.extend([search.step()])
    assert LEFT_OUT not in trees_of(history)[-20:]
    assert LEFT_OUT in trees_of(history)


def test_of_many_at_once_the_last_two_are_kept_and_every_so_manieth(few_kept):
    config = RunConfig(n=8, seed=1)
    search, history = RlsGp(config), History(config)
    for count in (1, 700, 64, 333):
        history.extend([search.step() for _ in range(count)])
        trees = trees_of(history)
        assert LEFT_OUT not in trees[-2:]
        assert LEFT_OUT not in trees[::8][-12:]
        assert LEFT_OUT not in trees[::32]
    assert trees.count(LEFT_OUT) > 0.8 * len(trees)
