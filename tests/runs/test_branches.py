"""The branches of a run: what can be done with them, and that the original is never lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine import GpvizError, RunConfig
from gpviz.explain.branch_comparison import compared, status_of
from gpviz.runs.branches import (
    MAX_BRANCHES,
    ORIGINAL,
    Branches,
    changed_config,
    forked,
    hand_name,
    search_at,
    settings_name,
)
from tests.runs.branching import BY_HAND, branched_run
from tests.runs.runs import recorded, recorded_runs

CONFIG = RunConfig(n=6, seed=1)
COUNTERS = ("iteration", "error", "accepted", "improved", "ors_accepted", "settled_since", "first_uid")


def family() -> Branches:
    """1 forks from 0 after 40; of it 2 after 60, 3 after 20; 4 from 2 after 70; 5 from 0."""
    branches = Branches.of(CONFIG)
    for parent, fork in ((0, 40), (1, 60), (1, 20), (2, 70), (0, 5)):
        branches, _ = branches.grown(parent, fork, name="new")
    return branches


class TestSearch:
    @given(recorded_runs(), st.data())
    def test_a_search_put_into_a_history_goes_on_as_the_run_did(self, run, data):
        search, steps, history = run
        iteration = data.draw(st.integers(0, len(steps)))
        put = search_at(history, iteration)
        assert [put.step() for _ in steps[iteration:]] == steps[iteration:]
        for name in COUNTERS:
            assert getattr(put, name) == getattr(search, name), name
        assert put.step() == search.step()

    def test_with_another_limit_nothing_is_settled_before_the_fork(self):
        _, _, history = recorded(CONFIG, 100)
        assert search_at(history, 80, CONFIG.replaced(limit="inf")).settled_since == 80
        search, branch = forked(history, 80, CONFIG.replaced(limit="inf"))
        while search.step().verdict not in ("worse", "unchanged"):
            pass
        assert search_at(branch, 80).settled_since == 80

    def test_a_limit_below_the_tree_is_a_sentence(self):
        search, _, history = recorded(CONFIG, 100)
        with pytest.raises(GpvizError, match="limit: '1' is not allowed; it must be at least"):
            forked(history, 100, CONFIG.replaced(limit="1"))
        assert search.iteration == 100


class TestTree:
    def test_branches_are_listed_each_before_its_children(self):
        listed = [(branch.id, depth) for branch, depth in family().in_order()]
        assert listed == [(0, 0), (1, 1), (2, 2), (4, 3), (3, 1), (5, 1)]

    def test_names_that_are_taken_get_a_number(self):
        assert [branch.name for branch in family()][1:4] == ["new", "new (2)", "new (3)"]

    def test_what_grew_out_of_a_branch_goes_with_it_and_the_rest_is_kept(self):
        branches = family()
        assert [branch.id for branch in branches.removed_with(1)] == [1, 2, 4]
        kept = branches.removed(1)
        assert [(branch.id, branch.parent) for branch in kept] == [(0, None), (3, 0), (5, 0)]
        assert len(branches) == 6

    def test_a_branch_belongs_to_the_one_that_made_the_iteration_it_forks_after(self):
        branches = Branches.of(CONFIG)
        for parent, fork in ((0, 20), (1, 60), (2, 40)):  # the last forks where 2 still has iterations of 1
            branches, grown = branches.grown(parent, fork, name="new")
        assert grown.parent == 1
        assert [branch.id for branch in branches.removed_with(1)] == [1, 2, 3]
        assert [branch.id for branch in branches.removed(2)] == [0, 1, 3]
        assert [branch.id for branch in branches.removed(1)] == [0]

    def test_a_branch_keeps_the_settings_of_the_one_it_was_made_on(self):
        branches, other = Branches.of(CONFIG).grown(0, 40, name="new", config=CONFIG.replaced(seed=99))
        _, grown = branches.grown(other.id, 20, name="new")
        assert (grown.parent, grown.config.seed) == (0, 99)

    def test_an_unknown_branch_is_a_sentence(self):
        with pytest.raises(GpvizError, match="Branch 9 no longer exists"):
            family()[9]
        assert 9 not in family()
        assert 5 in family()

    @pytest.mark.parametrize("name", ["", "  ", "two\nlines", "x" * 81, 5, None])
    def test_a_name_that_is_none_is_refused(self, name):
        with pytest.raises(GpvizError, match=r"name: .* must be a text of 1 to 80 characters"):
            family().renamed(1, name)

    def test_there_are_only_so_many(self):
        branches = Branches.of(CONFIG)
        for _ in range(MAX_BRANCHES - 1):
            branches, _ = branches.grown(0, 0, name="x")
        with pytest.raises(GpvizError, match="256 branches, the most"):
            branches.grown(0, 0, name="x")

    def test_only_the_end_of_a_branch_made_by_hand_is_extended(self):
        branches, hand = Branches.of(CONFIG).grown(0, 40, name="hand", forced=((41, BY_HAND),))
        branches, seeded = branches.grown(0, 40, name="seed", config=CONFIG.replaced(seed=2))
        assert branches.extends(hand.id, 50, 50)
        assert not branches.extends(hand.id, 49, 50)
        assert not branches.extends(seeded.id, 50, 50)
        assert not branches.extends(ORIGINAL, 50, 50)
        assert hand.extended(51, BY_HAND).forced == ((41, BY_HAND), (51, BY_HAND))

    def test_common_iterations_follow_from_the_forks(self):
        branches = family()
        lengths = dict.fromkeys(range(6), 100)
        assert branches.common(2, 4, lengths) == 70
        assert branches.common(3, 4, lengths) == 20
        assert branches.common(0, 4, lengths) == 40
        assert branches.common(5, 4, lengths) == 5
        assert branches.common(4, 4, lengths) == 100

    def test_what_makes_errors_another_thing_cannot_change(self):
        with pytest.raises(GpvizError, match="'n' cannot change in a branch; only seed, limit"):
            changed_config(CONFIG, {"n": 7})
        assert changed_config(CONFIG, {"limit": "n+1"}).limit == "n+1"


class TestComparing:
    def test_two_branches_are_compared_in_sentences_and_numbers(self):
        branches, histories = branched_run()
        compared = compare(branches, histories, 0, 1)
        assert compared.common == 40
        assert "Both begin with the same 40 iterations. Iteration 41 of “Original”: " in compared.summary
        assert "of “Branch at 40”: insert" in compared.summary
        assert [row[0] for row in compared.table] == [
            "iterations",
            "error",
            "leaves",
            "∨ in the tree",
            "outcome",
        ]
        assert compared.table[0] == ("iterations", "120", "100")

    def test_a_branch_that_draws_the_same_is_said_to_be_the_same(self):
        _, _, history = recorded(CONFIG, 60)
        search, twin = forked(history, 20)
        branches, branch = Branches.of(CONFIG).grown(0, 20, name="twin")
        assert "“Original” has 40 more." in compare(branches, {0: history, 1: twin}, 0, 1).summary
        for _ in range(40):
            twin.append(search.step())
        compared = compare(branches, {0: history, 1: twin}, 0, branch.id)
        assert compared.common == 60
        assert compared.summary == "Both have the same 60 iterations so far."

    def test_how_a_branch_stands_is_its_end(self):
        search, _, history = recorded(CONFIG, 2000)
        status = status_of(history)
        assert (status.error, status.outcome) == (search.error, "solved" if not search.error else "open")
        _, _, begun = recorded(CONFIG, 0)
        assert status_of(begun, is_stuck=True).outcome == "stuck"
        assert status_of(begun).error_text == "–"


def test_branches_are_called_by_what_is_different():
    assert hand_name(1058) == "By hand at 1,058"
    assert settings_name({"seed": 5}, 57) == "Seed 5 from 57"
    assert settings_name({"limit": "inf", "deletion": "leaf"}, 0) == "Limit none, leaf deletion from 0"
    assert settings_name({"functions": ("and",)}, 1) == "Functions and from 1"
    assert len(settings_name({"seed": 2**4000}, 57)) < 80


def compare(branches, histories, one, other):
    lengths = {number: len(history) for number, history in histories.items()}
    return compared(
        branches[one],
        branches[other],
        (histories[one], histories[other]),
        (status_of(histories[one]), status_of(histories[other])),
        branches.common(one, other, lengths),
    )
