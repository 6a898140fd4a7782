"""The state of a tree, its proof and its way out, and the normal form the proof is found with."""

import random
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.analysis import redundancy
from gpviz.analysis.neighbourhood import neighbourhood
from gpviz.engine import (
    GpvizError,
    RlsGp,
    RunConfig,
    State,
    Step,
    TooComplexError,
    parse,
    tree_state,
    true_row_count,
)
from gpviz.engine.mutation import apply, fresh_uids
from gpviz.engine.stuck import NormalForms, StableForms, has_spare_leaf
from gpviz.engine.target import target_for
from gpviz.engine.tree import Node, largest_uid
from tests.analysis.independent_chain import class_of
from tests.engine import brute_force
from tests.engine.strategies import trees
from tests.engine.test_interruption import TANGLED
from tests.thoroughness import every_day

FIGURE = [
    ("(x3 & x2) | (x2 & x3)", 4),
    ("(((x2 & x3) & x5) | (x2 & (x3 & x5))) & x1", 8),
    ("((x3 & (x5 & x7)) | (x3 & (x7 & x5))) & (x2 & (x8 & x4))", 8),
]
DIFFERENT = [
    ("x1 & x2", "x1 | x2"),
    ("x1 & x2", "x1 & x1"),
    ("x1 & (x2 | x3)", "x1 & (x2 | x1)"),
    ("(x1 & x2) | (x1 & x3)", "(x1 & x2) | (x3 & x4)"),
    ("x1 & x2 & x2", "x1 & x2 & x3"),
]


def states_by_brute_force(
    n: int, limit: int, functions: tuple[str, ...], deletion: str
) -> dict[brute_force.Tree, tuple[str, int]]:
    """The state of every tree up to the order of children, with the length of a shortest way out."""
    everything = {
        brute_force.sorted_tree(tree)
        for leaves in range(1, limit + 1)
        for tree in brute_force.trees(leaves, n, functions)
    }
    neutral: dict[brute_force.Tree, set[brute_force.Tree]] = {}
    distance: dict[brute_force.Tree, int] = {}
    for tree in everything:
        error = brute_force.error(tree, n)
        neutral[tree] = set()
        for child in brute_force.offspring(tree, n, functions, deletion):
            if brute_force.leaf_count(child) > limit or brute_force.error(child, n) > error:
                continue
            if brute_force.error(child, n) < error:
                distance[tree] = 1
            else:
                neutral[tree].add(brute_force.sorted_tree(child))
    has_changed = True
    while has_changed:
        has_changed = False
        for tree in everything:
            longest = distance.get(tree, len(everything) + 2)
            nearest = min((distance[next_] for next_ in neutral[tree] if next_ in distance), default=longest)
            if nearest + 1 < longest:
                distance[tree] = nearest + 1
                has_changed = True
    states = {}
    for tree in everything:
        if not brute_force.error(tree, n):
            states[tree] = ("SOLVED", 0)
        elif tree not in distance:
            states[tree] = ("STUCK", 0)
        else:
            states[tree] = ("CLIMBING" if distance[tree] == 1 else "PLATEAU", distance[tree])
    return states


def leads_to_a_better_tree(tree: Node, config: RunConfig) -> bool:
    """Whether the way out is accepted all along and improves with its last mutation only."""
    target = target_for(config.n)
    error = target.error(tree)
    first_uid = largest_uid(tree) + 1
    way_out = tree_state(tree, config).way_out
    for number, mutation in enumerate(way_out, start=1):
        tree = apply(tree, mutation, fresh_uids(first_uid, number))
        assert config.max_leaves is None or tree.leaves <= config.max_leaves
        is_last = number == len(way_out)
        if (target.error(tree) < error) != is_last or target.error(tree) > error:
            return False
    return bool(way_out)


@pytest.mark.parametrize("deletion", ["leaf", "subtree"])
@pytest.mark.parametrize(
    ("n", "limit", "functions"),
    [(3, 1, "and,or"), (3, 2, "and,or"), (3, 3, "and,or"), (3, 4, "and,or"), (3, 4, "and"), (2, 5, "and,or")],
)
def test_the_state_of_every_tiny_tree_is_that_of_brute_force_reachability(
    n: int, limit: int, functions: str, deletion: str
) -> None:
    config = RunConfig(n=n, limit=limit, functions=functions, deletion=deletion)
    names = tuple(functions.split(","))
    states = states_by_brute_force(n, limit, names, deletion)
    for leaves in range(1, limit + 1):
        for tree in brute_force.trees(leaves, n, names)[:: every_day(7, thorough=1) if leaves > 3 else 1]:
            state = tree_state(parse(brute_force.as_text(tree)), config)
            expected = states[brute_force.sorted_tree(tree)]
            assert (state.name, len(state.way_out)) == expected, brute_force.as_text(tree)


@pytest.mark.parametrize("deletion", ["leaf", "subtree"])
def test_a_way_out_is_accepted_step_by_step_and_ends_in_a_better_tree(deletion: str) -> None:
    config = RunConfig(n=3, limit=4, deletion=deletion)
    for tree in brute_force.trees(4, 3, ("and", "or"))[:: every_day(7, thorough=1)]:
        parsed = parse(brute_force.as_text(tree))
        if tree_state(parsed, config).state in (State.CLIMBING, State.PLATEAU):
            assert leads_to_a_better_tree(parsed, config), brute_force.as_text(tree)


@pytest.mark.parametrize(("formula", "n"), FIGURE)
def test_the_papers_locally_optimal_trees_are_stuck_under_leaf_deletion(formula: str, n: int) -> None:
    tree = parse(formula)
    state = tree_state(tree, RunConfig(n=n, limit=tree.leaves, deletion="leaf"))
    assert state.name == "STUCK"
    assert state.plateau_trees >= 1
    assert not state.way_out


@pytest.mark.parametrize(("formula", "n"), FIGURE)
def test_the_papers_locally_optimal_trees_are_not_stuck_under_subtree_deletion(formula: str, n: int) -> None:
    tree = parse(formula)
    config = RunConfig(n=n, limit=tree.leaves, deletion="subtree")
    assert tree_state(tree, config).name == "PLATEAU"
    assert leads_to_a_better_tree(tree, config)


@pytest.mark.parametrize("limit", [4, 6, 8, 16])
def test_the_construction_of_the_papers_first_theorem_is_stuck(limit: int) -> None:
    tree = parse(" | ".join(["(x1 & x2)"] * (limit // 2)))
    assert tree_state(tree, RunConfig(n=8, limit=limit, deletion="leaf")).name == "STUCK"


def test_the_target_is_solved_in_any_shape() -> None:
    assert tree_state(parse("(x2 | x2) & x1"), RunConfig(n=2)).name == "SOLVED"


def test_a_plateau_is_left_by_a_shortest_way() -> None:
    # One of the x3 has to go, which changes nothing, before x4 can come.
    config = RunConfig(n=4, limit=4, deletion="leaf")
    tree = parse("(x1 & x2) & (x3 | x3)")
    state = tree_state(tree, config)
    assert (state.name, len(state.way_out)) == ("PLATEAU", 2)
    assert leads_to_a_better_tree(tree, config)


def test_the_search_says_honestly_that_its_budget_ran_out() -> None:
    tree = parse("(x1 & x2 & x3) | (x1 & x2 & x3)")
    config = RunConfig(n=8, limit=6, deletion="leaf")
    assert tree_state(tree, config, budget=3).name == "UNDECIDED"
    assert tree_state(tree, config).name == "STUCK"


def test_no_tree_of_a_sampled_run_is_called_stuck() -> None:
    tree = parse("(x3 & x2) | (x2 & x3)")
    config = RunConfig(n=4, limit=4, deletion="leaf", fitness="sampled", rows=100)
    state = tree_state(tree, config)
    assert state.name == "UNDECIDED"
    assert "sample" in state.reason


def test_a_run_that_gets_stuck_ends_and_says_since_when() -> None:
    stuck = 0
    for seed in range(400):
        config = RunConfig(n=4, limit="n", deletion="leaf", seed=seed)
        result = RlsGp(config).run(stop_when_stuck=True)
        assert result.outcome in ("solved", "stuck")
        if result.outcome != "stuck":
            assert result.stuck_since is None
            continue
        stuck += 1
        assert result.stuck_since is not None
        again = RlsGp(config)
        while again.iteration < result.stuck_since - 1:
            again.step()
        assert tree_state(again.tree, config).name != "STUCK"
        assert tree_state(again.step().tree, config).name == "STUCK"
    assert stuck >= 1


def test_a_run_from_a_stuck_tree_ends_at_once() -> None:
    tree = parse("(x3 & x2) | (x2 & x3)")
    result = RlsGp(RunConfig(n=4, limit=4, deletion="leaf"), tree).run(stop_when_stuck=True)
    assert (result.outcome, result.iterations, result.stuck_since) == ("stuck", 0, 0)


def test_a_run_that_is_resumed_knows_since_when_it_is_stuck() -> None:
    search = RlsGp(RunConfig(n=4, limit=4, deletion="leaf"), parse("(x3 & x2) | (x2 & x3)"))
    for _ in range(50):
        search.step()
    result = search.run(stop_when_stuck=True)
    assert (result.outcome, result.iterations, result.stuck_since) == ("stuck", 50, 0)


@pytest.mark.parametrize(
    ("n", "limit", "deletion"), [(4, 4, "leaf"), (5, 4, "leaf"), (5, 4, "subtree"), (6, 7, "leaf")]
)
def test_a_run_was_not_stuck_before_it_says_it_was(n: int, limit: int, deletion: str) -> None:
    stuck = 0
    for seed in range(60):
        config = RunConfig(n=n, limit=limit, deletion=deletion, seed=seed)
        steps: list[Step] = []
        result = RlsGp(config).run(stop_when_stuck=True, on_step=steps.append)
        trees = [None, *(step.tree for step in steps)]
        if result.outcome != "stuck":
            continue
        stuck += 1
        since = result.stuck_since
        assert since is not None
        looked_at = trees[max(0, since - 3) :]
        # Most steps leave the very same tree.
        distinct = {id(tree): tree for tree in looked_at}
        is_stuck = {key: tree_state(tree, config).name == "STUCK" for key, tree in distinct.items()}
        states = [is_stuck[id(tree)] for tree in looked_at]
        assert states == [False] * min(since, 3) + [True] * (len(trees) - since)
    assert stuck or (n, limit) in ((4, 4), (6, 7))


def test_a_tree_is_judged_under_the_rules_it_is_asked_about() -> None:
    tree = parse("(x1 & x2) | (x2 & x1)")
    rules = {deletion: RunConfig(n=4, limit="n", deletion=deletion).rules for deletion in ("leaf", "subtree")}
    first = {deletion: tree_state(tree, rules[deletion]) for deletion in rules}
    again = {deletion: tree_state(tree, rules[deletion]) for deletion in reversed(rules)}
    assert first == again
    assert first["leaf"].name == "STUCK"
    assert first["subtree"].name == "PLATEAU"
    waits = {deletion: neighbourhood(tree, rules[deletion]).wait_if_unchanged for deletion in rules}
    assert waits["leaf"] == waits["subtree"] == inf
    nodes = {deletion: len(neighbourhood(tree, rules[deletion]).neighbours) for deletion in rules}
    assert nodes["subtree"] == nodes["leaf"] + 3  # the inner nodes can be deleted, too


@given(trees(4, max_leaves=5), st.sampled_from(["leaf", "subtree"]), st.integers(1, 3))
def test_rules_give_the_judgements_of_their_configuration(tree: Node, deletion: str, seed: int) -> None:
    config = RunConfig(n=4, limit=5, deletion=deletion, seed=seed)
    assert tree_state(tree, config.rules) == tree_state(tree, config)
    assert redundancy(tree, config.rules) == redundancy(tree, config)
    assert neighbourhood(tree, config.rules).neighbours == neighbourhood(tree, config).neighbours


@pytest.mark.parametrize("ask", [tree_state, neighbourhood, redundancy])
def test_a_tree_that_no_run_could_hold_is_refused(ask: object) -> None:
    with pytest.raises(GpvizError, match="x6"):
        ask(parse("x1 & x6"), RunConfig(n=4))  # type: ignore[operator]
    with pytest.raises(GpvizError, match="at least 3"):
        ask(parse("x1 & x2 & x3"), RunConfig(n=4, limit=2))  # type: ignore[operator]


def test_the_budget_is_kept_within_one_tree() -> None:
    tree = parse(" & ".join(f"x{variable}" for variable in range(1, 100)))
    state = tree_state(tree, RunConfig(n=100, limit=99, deletion="leaf"), budget=10)
    assert (state.name, state.plateau_trees) == ("UNDECIDED", 1)
    assert "1 kind of tree" in state.reason


def test_a_tree_ten_thousand_levels_deep_gets_a_state() -> None:
    deep = parse("(" * 9_999 + "x1" + " | x1)" * 9_999)
    state = tree_state(deep, RunConfig(n=2, limit=10_000, deletion="leaf"))
    assert state.name in ("PLATEAU", "CLIMBING")


def test_a_tree_too_tangled_to_count_is_climbing_below_the_limit_and_refused_when_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(true_row_count, "MAX_CASES", 10)
    state = tree_state(TANGLED, RunConfig(n=41, limit="inf"))
    assert (state.state, state.error) == (State.CLIMBING, None)
    with pytest.raises(TooComplexError):
        tree_state(TANGLED, RunConfig(n=41, limit=str(TANGLED.leaves)))


def test_a_search_that_is_asked_to_stop_gives_no_answer() -> None:
    for formula, n in FIGURE:
        tree = parse(formula)
        config = RunConfig(n=n, limit=tree.leaves, deletion="leaf")
        state = tree_state(tree, config, should_stop=lambda: True)
        assert (state.name, state.way_out) == ("UNDECIDED", ())
        assert tree_state(tree, config, should_stop=lambda: False) == tree_state(tree, config)


@pytest.mark.parametrize("fitness", [{}, {"fitness": "sampled", "rows": 9}])
def test_a_search_asks_again_and_again_whether_to_stop_even_within_one_tree(fitness: dict[str, Any]) -> None:
    half = " & ".join(f"x{variable}" for variable in range(1, 41))
    tree = parse(f"({half}) | ({half})")
    config = RunConfig(n=50, limit=80, deletion="leaf", **fitness)
    asked = 0

    def stops_in_the_end() -> bool:
        nonlocal asked
        asked += 1
        return asked == 12

    complete = tree_state(tree, config)
    state = tree_state(tree, config, should_stop=stops_in_the_end)
    assert (state.name, state.plateau_trees, asked) == ("UNDECIDED", 1, 12)
    assert state.reason != complete.reason
    asked = 12
    assert tree_state(tree, config, should_stop=stops_in_the_end) == complete
    assert 200 <= asked < 400  # 80 leaves, each with a deletion and 41 substitutions


def test_spare_leaves_are_found_below_ands_only() -> None:
    config = RunConfig(n=4, limit=9)
    assert has_spare_leaf(parse("x1 & (x2 & x1)"), config)
    assert has_spare_leaf(parse("(x1 & x1) & (x2 | x3)"), config)
    assert not has_spare_leaf(parse("x1 & (x2 & x3)"), config)
    assert not has_spare_leaf(parse("(x1 & x2) | (x1 & x2)"), config)
    assert not has_spare_leaf(parse("x1 & x2 & x3 & x4 & x1"), config)


@pytest.mark.parametrize(
    ("n", "limit", "deletion"),
    [(4, "n", "leaf"), (6, "n+1", "leaf"), (6, "3", "subtree"), (8, "n", "subtree"), (5, "inf", "leaf")],
)
def test_a_run_that_nobody_looks_at_ends_like_one_that_is_seen(n: int, limit: str, deletion: str) -> None:
    outcomes = set()
    for seed in range(60):
        config = RunConfig(n=n, limit=limit, deletion=deletion, seed=seed)
        start = None if seed % 3 else parse("x1 | x2 & x1")
        result = RlsGp(config, start).run(stop_when_stuck=True)
        assert result == RlsGp(config, start).run(stop_when_stuck=True, on_step=_look_on)
        outcomes.add(result.outcome)
    assert ("stuck" in outcomes) == ((deletion == "leaf" and limit != "inf") or limit == "3")


def _look_on(step: Step) -> None:
    """Nothing; that somebody looks on is enough."""


@given(trees(4, max_leaves=7))
def test_with_subtree_deletion_and_a_limit_of_n_no_tree_is_stuck(tree: Node) -> None:
    config = RunConfig(n=4, limit=max(4, tree.leaves), deletion="subtree")
    assert tree_state(tree, config).name != "STUCK"


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_behaves_differently_has_different_forms(one: str, other: str) -> None:
    forms = NormalForms()
    assert forms.of(parse(one)) != forms.of(parse(other))


def renamed(tree: brute_force.Tree, names: dict[int, int]) -> brute_force.Tree:
    if isinstance(tree, int):
        return names[tree]
    return (tree[0], renamed(tree[1], names), renamed(tree[2], names))


def test_equal_forms_compute_the_same_function_up_to_renaming() -> None:
    forms = NormalForms()
    functions: dict[int, set[int]] = {}
    orders = [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)]
    for tree in brute_force.trees(4, 3, ("and", "or"))[:: every_day(7, thorough=1)]:
        tables = {
            brute_force.truth_table(renamed(tree, dict(zip((1, 2, 3), order, strict=True))), 3)
            for order in orders
        }
        seen = functions.setdefault(forms.of(parse(brute_force.as_text(tree))), tables)
        assert seen == tables


def test_shuffled_and_renamed_trees_keep_their_form() -> None:
    rng = random.Random(7)
    forms = NormalForms()

    def shuffled(tree: brute_force.Tree) -> brute_force.Tree:
        if isinstance(tree, int):
            return tree
        left, right = shuffled(tree[1]), shuffled(tree[2])
        return (tree[0], left, right) if rng.random() < 0.5 else (tree[0], right, left)

    sample = rng.sample(brute_force.trees(4, 3, ("and", "or")), 300)
    for tree in sample:
        names = dict(zip((1, 2, 3), rng.sample(range(1, 9), 3), strict=True))
        other = shuffled(renamed(tree, names))
        assert forms.of(parse(brute_force.as_text(tree))) == forms.of(parse(brute_force.as_text(other))), (
            brute_force.as_text(tree)
        )


def test_where_grouping_counts_equal_forms_are_equal_trees_up_to_order_and_names() -> None:
    forms = NormalForms(keeps_grouping=True)
    numbers = {
        (class_of(tree, 3), forms.of(parse(brute_force.as_text(tree))))
        for leaves in (1, 2, 3, 4)
        for tree in brute_force.trees(leaves, 3, ("and", "or"))
    }
    assert len(numbers) == len({kind for kind, _ in numbers}) == len({form for _, form in numbers})
    assert len({NormalForms().of(parse(text)) for text in ("x1 & (x2 & x3)", "x1 & x2 & x3")}) == 1


def test_stable_forms_are_the_same_for_everybody() -> None:
    formulas = "(x1 & x4) | (x3 & x4)", "(x2 & x3) | (x2 & x5)", "(x1 & x4) | (x3 & x2)"
    tree, alike, other = map(parse, formulas)
    number = StableForms(keeps_grouping=True).of(tree)
    assert number == 11112783439403293150
    forms = StableForms(keeps_grouping=True)
    assert forms.of(other) != number
    assert forms.of(alike) == number
