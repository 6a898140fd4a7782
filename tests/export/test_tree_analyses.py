"""The analyses of many trees: together they take no more than their time, and that is theirs alone."""

import pytest

from gpviz.engine import RunConfig, State, parse
from gpviz.export import tree_analyses
from gpviz.export.tree_analyses import TreeAnalyses
from tests.runs.runs import STUCK

SOLVED = parse("x1 & x2")
RULES = RunConfig(n=2).rules


@pytest.fixture
def clock(monkeypatch):
    """The time, which passes only where a test says so; every look at it takes a tenth of a second."""

    class Clock:
        now = 0.0

        def monotonic(self):
            self.now += 0.1
            return self.now

    clock = Clock()
    monkeypatch.setattr(tree_analyses, "monotonic", clock.monotonic)
    return clock


def test_what_is_done_between_two_trees_takes_no_time_from_them(clock):
    analyses = TreeAnalyses(10.0, lambda: None)
    clock.now += 1000.0
    found = analyses.of(SOLVED, RULES)
    assert found is not None
    assert found.state.state is State.SOLVED


def test_once_the_time_is_over_nothing_is_known_of_another_tree(clock):
    analyses = TreeAnalyses(0.05, lambda: None)
    assert analyses.of(SOLVED, RULES) is not None
    assert analyses.of(parse("x1"), RULES) is None


def test_one_tree_takes_a_tenth_at_most_and_somebody_hears_that_it_takes_long(clock):
    heard = []
    config, start = STUCK
    found = TreeAnalyses(6.0, lambda: heard.append(clock.now)).of(start, config.rules)
    assert found is not None
    assert len(found.reasons) < start.leaves
    assert heard
