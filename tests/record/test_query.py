"""Queries on steps and histories: both ways of asking agree, and a watch stops at the first match."""

import pickle
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine import RlsGp, RunConfig, Step, TooComplexError, parse, tree_state
from gpviz.record import query as queries
from gpviz.record.query import EXAMPLES, Finder, QueryWatch, Record, find_all, parse_query
from gpviz.record.query_fields import FIELDS, Kind
from gpviz.record.query_parser import OPERATORS
from gpviz.run.history import History
from tests.run.runs import STUCK, Recorded, recorded, recorded_runs


def expected(run: Recorded, text: str) -> list[int]:
    """The iterations that match, asked of each step alone."""
    search, steps, _ = run
    query = parse_query(text)
    found, parent = [], search.start
    for step in steps:
        if query.matches_step(step, parent, search.config):
            found.append(step.iteration)
        parent = step.tree
    return found


@st.composite
def comparisons(draw: st.DrawFn) -> str:
    field = draw(st.sampled_from(list(FIELDS.values())))
    if field.kind is Kind.NUMBER:
        others = [other.name for other in FIELDS.values() if other.kind is Kind.NUMBER]
        numbers = st.integers(-3, 40).map(str) | st.sampled_from(["1e6", "1_000", str(2**63), "1e300"])
        value = draw(numbers | st.sampled_from(others))
        return f"{field.name} {draw(st.sampled_from(OPERATORS))} {value}"
    sign = draw(st.sampled_from(("==", "!=")))
    return f"{field.name} {sign} {draw(st.sampled_from(field.words))}"


def texts() -> st.SearchStrategy[str]:
    return st.recursive(
        comparisons(),
        lambda parts: (
            st.tuples(parts, st.sampled_from(("and", "or")), parts).map(lambda three: f"({' '.join(three)})")
            | parts.map(lambda part: f"not ({part})")
        ),
        max_leaves=5,
    )


@given(recorded_runs(max_iterations=80), texts())
def test_what_is_found_in_a_history_is_what_its_steps_say_one_by_one(run: Recorded, text: str) -> None:
    assert find_all(parse_query(text), run[2]) == expected(run, text)


@given(recorded_runs(max_iterations=60), texts())
def test_a_watch_sees_what_is_found_in_the_history(run: Recorded, text: str) -> None:
    search, steps, history = run
    watch = QueryWatch(parse_query(text), search.config)
    watch.start(search.start)
    seen = [step.iteration for step in steps if watch.reason(step) is not None]
    assert seen == find_all(parse_query(text), history)


def test_a_history_is_asked_about_an_iteration() -> None:
    run = recorded(RunConfig(n=5, seed=2), 200)
    query = parse_query("mutation == DEL and size_removed > 0")
    history = run[2]
    assert [t for t in range(len(history) + 1) if query.matches(history, t)] == find_all(query, history)


MEANINGS: list[tuple[str, Callable[[Step], bool]]] = [
    ("verdict == Improved and ors > 1", lambda step: step.verdict == "improved" and step.ors > 1),
    ("error < 10", lambda step: step.error is not None and step.error < 10),
    ("10 > error", lambda step: step.error is not None and step.error < 10),
    ("accepted", lambda step: step.is_accepted),
    ("not accepted", lambda step: not step.is_accepted),
    ("accepted == no", lambda step: not step.is_accepted),
    ("operation == ins and function == or", lambda step: (step.operation, step.function) == ("INS", "or")),
    ("FUNCTION == AND and not verdict == worse", lambda s: s.function == "and" and s.verdict != "worse"),
    ("variable == x3 or variable == 4", lambda step: step.variable in (3, 4)),
    ("node == 0 and side == left", lambda step: step.node == 0 and step.side == "left"),
    ("verdict == too_large", lambda step: step.verdict == "too_large"),
    ("offspring_error == parent_error", lambda s: None is not s.parent_error == s.offspring_error),
    ("error_change ≤ −1", lambda s: s.verdict == "improved" and s.parent_error is not None),
    ("size >= 9", lambda step: step.tree is not None and step.tree.size >= 9),
    ("iteration > 1_00 and iteration <= 1.2e2".replace("1.2e2", "12e1"), lambda s: 100 < s.iteration <= 120),
    ("leaves != offspring_leaves", lambda step: step.leaves != step.offspring_leaves),
    (
        "accepted and ors > 0 or iteration == 1",
        lambda step: (step.is_accepted and step.ors > 0) or step.iteration == 1,
    ),
]


@pytest.mark.parametrize(("text", "meaning"), MEANINGS, ids=[text for text, _ in MEANINGS])
def test_a_query_means_what_it_says(text: str, meaning: Callable[[Step], bool]) -> None:
    _, steps, history = recorded(RunConfig(n=5, limit="n+1", seed=7), 400)
    found = find_all(parse_query(text), history)
    assert found == [step.iteration for step in steps if meaning(step)]
    assert found


def test_the_size_removed_is_that_of_the_deleted_subtree() -> None:
    search, steps, history = recorded(RunConfig(n=6, limit="2n", seed=3), 1000)
    found = set(find_all(parse_query("size_removed > 2"), history))
    before = [search.start, *(step.tree for step in steps)]
    for (parent, _), step in zip(pairwise(before), steps, strict=True):
        leaves = 0 if parent is None else parent.leaves
        removed = leaves - step.offspring_leaves
        is_one = step.operation == "DEL" and removed > 1
        assert (step.iteration in found) == is_one
    assert found
    assert any(not step.is_accepted for step in steps if step.iteration in found)


def test_an_undefined_error_makes_every_comparison_false() -> None:
    _, steps, history = recorded(RunConfig(n=4, limit="n", seed=1), 300)
    unseen = [step.iteration for step in steps if step.offspring_error is None]
    assert unseen
    for sign in OPERATORS:
        assert not set(find_all(parse_query(f"offspring_error {sign} 3"), history)) & set(unseen)
    assert set(unseen) <= set(find_all(parse_query("not offspring_error == 3"), history))


@pytest.mark.parametrize("config", [RunConfig(n=70, seed=1), RunConfig(n=400, limit="n", seed=2)])
def test_errors_beyond_sixty_four_bits_are_compared_exactly(config: RunConfig) -> None:
    run = recorded(config, 300)
    some = [step.error for step in run[1] if step.error is not None]
    assert max(some) > 2**64
    for text in (
        f"error < {sorted(some)[len(some) // 2]}",
        f"error == {some[40]}",
        "error_change < 0",
        "error_change <= -1e3",
        "offspring_error > parent_error",
        "error > iteration",
        "error < 1e30 or error_change > 9e18",
    ):
        assert find_all(parse_query(text), run[2]) == expected(run, text), text


@pytest.mark.parametrize(
    ("config", "start"),
    [
        (RunConfig(n=4, limit="n", deletion="leaf", seed=5), None),
        (RunConfig(n=4, limit=4, deletion="leaf", seed=11), None),
        (RunConfig(n=3, seed=1), None),
        (RunConfig(n=4, fitness="sampled", rows=4, limit=4, seed=3), None),
        STUCK,
    ],
)
@pytest.mark.parametrize(
    "text",
    ["state == STUCK", "state != STUCK", "state == plateau", "not state == climbing", "state == solved"],
)
def test_states_are_those_of_the_surviving_trees(config: RunConfig, start, text: str) -> None:
    run = recorded(config, 250, start)
    states = [(step.iteration, tree_state(step.tree, config).name.lower()) for step in run[1]]
    word = text.split()[-1].lower()
    is_other = "!=" in text or "not" in text
    wanted = [iteration for iteration, state in states if (state == word) is not is_other]
    assert find_all(parse_query(text), run[2]) == wanted
    watch = QueryWatch(parse_query(text), config)
    watch.start(start)
    assert [step.iteration for step in run[1] if watch.reason(step) is not None] == wanted


def test_a_state_that_takes_too_long_is_undecided(monkeypatch) -> None:
    def too_complex(*_: object, **__: object) -> None:
        raise TooComplexError("formula: too long.")

    monkeypatch.setattr("gpviz.record.query_state.tree_state", too_complex)
    history = recorded(STUCK[0], 5, STUCK[1])[2]
    assert find_all(parse_query("state == undecided"), history) == [1, 2, 3, 4, 5]
    assert find_all(parse_query("state == stuck"), history) == []


def test_the_state_is_asked_for_only_where_the_rest_holds(monkeypatch) -> None:
    asked = []

    def noted(tree, config, **options):
        asked.append(tree)
        return tree_state(tree, config, **options)

    monkeypatch.setattr("gpviz.record.query_state.tree_state", noted)
    run = recorded(STUCK[0], 200, STUCK[1])
    assert find_all(parse_query("state == PLATEAU and iteration < 0"), run[2]) == []
    watch = QueryWatch(parse_query("state == PLATEAU and iteration < 0"), STUCK[0])
    watch.start(STUCK[1])
    assert [watch.reason(step) for step in run[1]] == [None] * 200
    assert asked == []
    assert len(find_all(parse_query("state == STUCK"), run[2])) == 200
    assert len(asked) == 1


def test_a_search_can_be_done_in_parts_and_in_ranges() -> None:
    _, _, history = recorded(RunConfig(n=5, seed=2), 500)
    query = parse_query("accepted")
    whole = find_all(query, history)
    assert find_all(query, history, 1, 101) + find_all(query, history, 101) == whole
    assert find_all(query, history, most=7) == whole[:7]
    assert find_all(query, history, 501) == []
    assert find_all(query, History(RunConfig(n=4))) == []


@pytest.mark.parametrize(
    "text", ["size_removed > 2", "state == PLATEAU or size_removed == 1", "state != solved"]
)
def test_a_search_without_time_goes_on_where_it_ended(text: str, monkeypatch) -> None:
    monkeypatch.setattr(queries, "_BLOCK", 100)
    run = recorded(RunConfig(n=4, limit="n", deletion="subtree", seed=7), 500)
    finder = Finder(parse_query(text), Record(run[2]))
    found, ends = [], []
    while not finder.is_done:
        found += finder.go_on(seconds=-1.0).tolist()
        ends.append(finder.searched_to)
    assert found == expected(run, text)
    assert ends == sorted(set(ends))
    assert len(ends) >= 5


def test_a_search_that_should_stop_does_so() -> None:
    history = recorded(RunConfig(n=5, seed=2), 500)[2]
    for text in ("accepted", "state == STUCK", "size_removed > 2"):
        assert find_all(parse_query(text), history, should_stop=lambda: True) == []
    asked = iter([False, False])
    found = find_all(
        parse_query("state == plateau or size_removed > 2"), history, should_stop=lambda: next(asked, True)
    )
    assert found == []


def test_a_record_shows_the_history_as_it_was() -> None:
    search, _, history = recorded(RunConfig(n=5, seed=2), 300)
    record = Record(history)
    for _ in range(300):
        history.append(search.step())
    finder = Finder(parse_query("iteration > 0"), record)
    assert finder.go_on().tolist() == list(range(1, 301))


def test_trees_left_out_of_a_long_history_are_made_again() -> None:
    config = RunConfig(n=12, limit="inf", seed=5)
    search = RlsGp(config)
    steps = [search.step() for _ in range(30_000)]
    history = History(config)
    history.extend(steps)
    run = (search, steps, history)
    text = "mutation == DEL and not accepted and size_removed > 9"
    assert find_all(parse_query(text), history, 25_000) == [t for t in expected(run, text) if t >= 25_000]


def test_a_watch_says_why_it_stops() -> None:
    search = RlsGp(RunConfig(n=4, seed=1))
    watch = QueryWatch(parse_query(" error   <  10 "), search.config)
    watch.start(search.start)
    while (reason := watch.reason(step := search.step())) is None:
        assert step.error is None or step.error >= 10
    assert reason == f"Iteration {step.iteration} is one with error < 10."


def test_a_watch_that_is_told_to_stop_claims_nothing_about_states() -> None:
    watch = QueryWatch(parse_query("state != solved"), STUCK[0], should_stop=lambda: True)
    watch.start(STUCK[1])
    assert watch.reason(RlsGp(*STUCK).step()) is None


def test_a_watch_that_starts_anew_forgets_that_a_tree_was_stuck() -> None:
    config, stuck = STUCK
    watch = QueryWatch(parse_query("state == STUCK"), config)
    watch.start(stuck)
    assert watch.reason(RlsGp(config, stuck).step()) is not None
    watch.start(None)
    assert watch.reason(RlsGp(config).step()) is None


@pytest.mark.parametrize(
    ("text", "looks_at_all"),
    [
        ("verdict == improved", False),
        ("ors > 1 and (error < 3 and verdict == neutral)", False),
        ("verdict == worse", True),
        ("verdict != improved", True),
        ("verdict == improved or ors > 1", True),
        ("not verdict == improved", True),
    ],
)
def test_a_watch_knows_whether_rejected_steps_matter(text: str, looks_at_all: bool) -> None:
    assert QueryWatch(parse_query(text), RunConfig(n=4)).looks_at_all is looks_at_all


def test_a_watch_shown_only_changes_finds_the_same() -> None:
    search, steps, history = recorded(RunConfig(n=5, limit="n+1", seed=6), 600)
    query = parse_query(["verdict == improved and mutation == DEL and size_removed > 0", "error < 0"][0])
    watch = QueryWatch(query, search.config)
    watch.start(search.start)
    assert not watch.looks_at_all
    changed = [step for step in steps if step.verdict in ("improved", "neutral")]
    assert [step.iteration for step in changed if watch.reason(step)] == find_all(query, history)


def test_every_example_is_a_query() -> None:
    history = recorded(RunConfig(n=4, limit="n", deletion="leaf", seed=5), 300)[2]
    for text, _ in EXAMPLES:
        find_all(parse_query(text), history)
    assert parse_query("state == STUCK").needs_state
    assert not parse_query("error < 3").needs_state


def test_a_problem_survives_being_sent_elsewhere() -> None:
    with pytest.raises(queries.QueryError) as caught:
        parse_query("eror < 3")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.column) == (str(caught.value), 1)


def test_a_start_tree_counts_as_the_parent_of_the_first_step() -> None:
    start = parse("x1 & x2 & (x3 | x4)")
    run = recorded(RunConfig(n=4, seed=8), 50, start)
    text = "size_removed > 0 and iteration < 10"
    assert find_all(parse_query(text), run[2]) == expected(run, text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"limit": "4", "deletion": "leaf"}, {"limit": "4", "deletion": "subtree"}),
        ({"limit": "8", "deletion": "subtree"}, {"limit": "8", "deletion": "leaf"}),
        ({"limit": "4", "deletion": "leaf"}, {"limit": "6", "deletion": "leaf"}),
    ],
)
def test_each_iteration_of_a_branch_is_judged_by_its_own_configuration(before, after) -> None:
    config = RunConfig(n=5, seed=3, **before)
    first, steps, history = recorded(config, 200)
    branch = history.beginning(150, config.replaced(**after))
    tree, error = steps[149].tree, steps[149].error
    counts = {"accepted": 0, "improved": 0, "ors_accepted": 0, "settled_since": 150}
    search = RlsGp.at(branch.config, first.start, iteration=150, tree=tree, error=error, **counts)
    for _ in range(150):
        branch.append(search.step())
    for text in ("state == STUCK", "state == PLATEAU", "size_removed > 2", "offspring_leaves < 3"):
        query = parse_query(text)
        assert find_all(query, branch) == [t for t in range(1, 301) if query.matches(branch, t)], text


def test_a_plateau_ends_with_every_improvement_and_every_change_of_size() -> None:
    _, steps, history = recorded(RunConfig(n=5, limit="n+1", seed=7), 400)
    changed = [step for step in steps if step.verdict in ("improved", "neutral")]
    plateaus, expected, leaves = [0], 0, 0
    for step in changed:
        expected += step.verdict == "improved" or step.leaves != leaves
        leaves = step.leaves
        plateaus.append(expected)
    assert Record(history).plateaus().tolist() == plateaus
    assert len(set(plateaus)) > sum(step.verdict == "improved" for step in changed) + 5
