"""Queries: what they may say, what they find, and sentences that point at the column where one goes wrong."""

import operator
import pickle
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.analysis.neighbourhood import neighbours_of
from gpviz.engine import GpvizError, Node, RlsGp, RunConfig, Step, TooComplexError, tree_state
from gpviz.engine.mutation_script import parse_mutation
from gpviz.engine.tree import Leaf, node_at, nodes_of
from gpviz.explain import query as queries
from gpviz.explain.query import (
    EXAMPLES,
    LONGEST_QUERY,
    OPERATORS,
    Finder,
    QueryError,
    QueryWatch,
    completions,
    is_unfinished,
    parse_query,
    word_start,
)
from gpviz.explain.query_fields import FIELDS, NAMES, Kind, field_named
from gpviz.runs.branches import forked
from gpviz.runs.history import History
from gpviz.runs.step_columns import Block, Snapshot
from tests.explain.finding import find_all
from tests.runs.runs import STUCK, Recorded, recorded, recorded_runs
from tests.thoroughness import every_day

Asked = tuple[Step, Node | None, RunConfig]
"""A step, the tree before it, and the configuration."""


def difference(step: Step) -> int | None:
    if step.offspring_error is None or step.parent_error is None:
        return None
    return step.offspring_error - step.parent_error


def variables(tree: Node | None) -> list[int]:
    return [node.variable for node in nodes_of(tree) if isinstance(node, Leaf)]


def truth(is_true: bool) -> str:
    return "true" if is_true else "false"


def stage(step: Step, config: RunConfig) -> int | None:
    if config.is_sampled or not step.parent_error:
        return None
    bound, number = config.n, 0
    while step.parent_error >= bound and config.n > 1:
        bound, number = bound**2, number + 1
    return number


def removed(step: Step, parent: Node | None) -> int:
    is_deletion = step.operation == "DEL" and parent is not None and step.node > 1
    return node_at(parent, step.node).size if is_deletion else 0


VALUES: dict[str, Callable[[Step, Node | None, RunConfig], int | str | None]] = {
    "iteration": lambda step, _, __: step.iteration,
    "verdict": lambda step, _, __: step.verdict.value,
    "accepted": lambda step, _, __: str(step.is_accepted).lower(),
    "operation": lambda step, _, __: step.operation.value,
    "function": lambda step, _, __: step.function.name,
    "variable": lambda step, _, __: step.variable,
    "node": lambda step, _, __: step.node,
    "side": lambda step, _, __: step.side.value,
    "error": lambda step, _, __: step.error,
    "parent_error": lambda step, _, __: step.parent_error,
    "offspring_error": lambda step, _, __: step.offspring_error,
    "error_change": lambda step, _, __: difference(step),
    "leaves": lambda step, _, __: step.leaves,
    "offspring_leaves": lambda step, _, __: step.offspring_leaves,
    "size": lambda step, _, __: 0 if step.tree is None else step.tree.size,
    "ors": lambda step, _, __: step.ors,
    "size_removed": lambda step, parent, _: removed(step, parent),
    "distinct": lambda step, _, __: len(set(variables(step.tree))),
    "full": lambda _, parent, config: truth(len(variables(parent)) == config.max_leaves),
    "root_and": lambda step, parent, _: truth(
        parent is not None and (step.operation, step.function.name, step.node) == ("INS", "AND", 1)
    ),
    "duplicate_accepted": lambda step, parent, _: truth(
        step.tree is not parent and step.operation != "DEL" and variables(step.tree).count(step.variable) > 1
    ),
    "or_accepted": lambda step, parent, _: truth(
        parent is not None and step.ors > parent.ors and step.is_accepted
    ),
    "true_error_grew": lambda step, _, __: truth(step.true_error_grew),
    "stage": lambda step, _, config: stage(step, config),
    "state": lambda step, _, config: tree_state(step.tree, config).name,
}
"""What each field is, said a second time and of one step."""

COMPARED = dict(
    zip(
        OPERATORS,
        (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge),
        strict=True,
    )
)
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

Meant = tuple[str, Callable[[Asked], bool]]
"""A query and what it means, of one step and in plain Python."""


def compared(name: str, sign: str, value: int | str, *, is_field: bool = False) -> Callable[[Asked], bool]:
    def meaning(asked: Asked) -> bool:
        left, right = VALUES[name](*asked), VALUES[str(value)](*asked) if is_field else value
        return left is not None and right is not None and bool(COMPARED[sign](left, right))

    return meaning


@st.composite
def comparisons(draw: st.DrawFn) -> Meant:
    field = draw(st.sampled_from(list(FIELDS.values())))
    name, is_number = field.name, field.kind is Kind.NUMBER
    sign = draw(st.sampled_from(OPERATORS if is_number else ("==", "!=")))
    others = [other.name for other in FIELDS.values() if other.kind is field.kind]
    if field.kind is not Kind.WORD and draw(st.integers(0, 4)) == 0:
        other = draw(st.sampled_from(others))
        return f"{name} {sign} {other}", compared(name, sign, other, is_field=True)
    value: int | str
    if is_number:
        value = draw(st.integers(-3, 40) | st.sampled_from([10**6, 2**63 - 1, 2**63, -(2**64), 10**300]))
        written = draw(st.sampled_from((f"{value}", f"{value:_}", f"{value}".replace("-", "- 00"))))
    else:
        value = draw(st.sampled_from(field.labels))
        written = draw(st.sampled_from((value, value.lower(), value.upper())))
    if draw(st.booleans()) or written.lower() in ("and", "or"):
        return f"{name} {sign} {written}", compared(name, sign, value)
    return f"{written} {FLIPPED[sign]} {name.upper()}", compared(name, sign, value)


def both(one: Meant, other: Meant) -> Meant:
    return f"({one[0]} and {other[0]})", lambda asked: one[1](asked) and other[1](asked)


def either(one: Meant, other: Meant) -> Meant:
    return f"({one[0]} OR {other[0]})", lambda asked: one[1](asked) or other[1](asked)


def without_brackets(one: Meant, other: Meant, third: Meant) -> Meant:
    text = f"({one[0]} or not {other[0]} and {third[0]})"
    return text, lambda asked: one[1](asked) or (not other[1](asked) and third[1](asked))


def meant() -> st.SearchStrategy[Meant]:
    """Queries of every shape with what they mean."""
    alone = st.sampled_from(["accepted", "true_error_grew", "full"]).map(
        lambda name: (name, compared(name, "==", "true"))
    )
    return st.recursive(
        comparisons() | alone,
        lambda parts: (
            st.builds(both, parts, parts)
            | st.builds(either, parts, parts)
            | st.builds(without_brackets, parts, parts, parts)
            | parts.map(lambda part: (f"not ({part[0]})", lambda asked: not part[1](asked)))
        ),
        max_leaves=5,
    )


def asked_of(history: History) -> list[Asked]:
    return [
        (history.step_at(t), history.tree_at(t - 1), history.config_at(t)) for t in range(1, len(history) + 1)
    ]


def seen(run: Recorded, text: str) -> list[int]:
    """The iterations that a watch sees, one step after the other."""
    search, steps, _ = run
    watch = QueryWatch(parse_query(text), search.config)
    watch.start(search.start)
    return [step.iteration for step in steps if watch.reason(step) is not None]


@given(recorded_runs(max_iterations=80), meant())
def test_what_is_found_and_what_is_seen_is_what_a_query_means(run: Recorded, query: Meant) -> None:
    text, meaning = query
    history = run[2]
    wanted = [asked[0].iteration for asked in asked_of(history) if meaning(asked)]
    assert find_all(parse_query(text), history) == wanted
    assert seen(run, text) == wanted


@st.composite
def branches(draw: st.DrawFn) -> History:
    """Runs that go on from some iteration under other settings, in part by mutations that were chosen by hand."""
    _, steps, history = draw(recorded_runs(max_iterations=60))
    config = history.config
    at = draw(st.integers(0, len(steps)))
    tree = history.tree_at(at)
    limits = ["inf", str(max(1, 0 if tree is None else tree.leaves)), str(config.n + 20)]
    search, branch = forked(history, at, config.replaced(limit=draw(st.sampled_from(limits))))
    for is_forced in draw(st.lists(st.booleans(), max_size=40)):
        sites = list(neighbours_of(search.tree, search.config)) if is_forced and search.tree else []
        mutation = draw(st.sampled_from(sites)).mutation if sites else None
        branch.append(search.step() if mutation is None else search.force(mutation))
    return branch


@given(branches())
def test_recorded_values_are_those_of_the_steps_in_branches_and_by_hand_too(history: History) -> None:
    fields = [FIELDS[name] for name in FIELDS if name not in ("state", "size_removed", "offspring_leaves")]
    snapshot, everything = Snapshot(history), asked_of(history)
    found: dict[str, list[int | str | None]] = {field.name: [] for field in fields}
    first = 0
    while first < len(history):
        block = Block(snapshot, first, 25)
        for field in fields:
            values, is_defined, _ = field.column(block)
            places = np.broadcast_to(is_defined, len(block.codes)).tolist()
            for value, is_there in zip(values.tolist(), places, strict=True):
                word = field.labels[int(value)] if field.labels else value
                found[field.name].append(word if is_there else None)
        first = block.stop
    assert found == {field.name: [VALUES[field.name](*asked) for asked in everything] for field in fields}


SCRIPT = (
    "insert x1", "insert and x2", "insert or x2 at 2", "insert and x3", "insert and x4", "substitute 7 by x4",
    "delete 5", "insert and x3",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("or_accepted", [3]),
        ("duplicate_accepted", [3, 8]),
        ("root_and", [2, 4, 5, 8]),
        ("full", [5, 6, 7]),
        ("distinct == 2", [2, 3]),
        ("stage == 1", [2]),
        ("true_error_grew", []),
    ],
)
def test_the_steps_of_a_script_are_found_and_seen(text: str, wanted: list[int]) -> None:
    config, script = RunConfig(n=4, limit="n"), tuple(map(parse_mutation, SCRIPT))
    search, history = RlsGp(config, script=script), History(config, script=script)
    steps = [search.step() for _ in script]
    history.extend(steps)
    assert find_all(parse_query(text), history) == wanted
    assert seen((search, steps, history), text) == wanted


MEANINGS: list[tuple[str, Callable[[Step], bool]]] = [
    ("verdict == Improved and ors > 1", lambda step: step.verdict == "improved" and step.ors > 1),
    ("accepted == no", lambda step: not step.is_accepted),
    ("operation == ins and function == or", lambda step: (step.operation, step.function) == ("INS", "or")),
    ("FUNCTION == AND and not verdict == worse", lambda s: s.function == "and" and s.verdict != "worse"),
    ("variable == x3 or variable == 4", lambda step: step.variable in (3, 4)),
    ("offspring_error == parent_error", lambda s: None is not s.parent_error == s.offspring_error),
    ("error_change ≤ −1", lambda s: s.verdict == "improved" and s.parent_error is not None),
    ("iteration > 1_00 and iteration <= 1.2e2".replace("1.2e2", "12e1"), lambda s: 100 < s.iteration <= 120),
    ("iteration < 1__0", lambda step: step.iteration < 10),
    ("function == or or function == and and accepted", lambda s: s.function == "or" or s.is_accepted),
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
        "stage == 4",
        "stage > 4",
    ):
        assert find_all(parse_query(text), run[2]) == seen(run, text), text


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

    monkeypatch.setattr("gpviz.explain.query_fields.tree_state", too_complex)
    history = recorded(STUCK[0], 5, STUCK[1])[2]
    assert find_all(parse_query("state == undecided"), history) == [1, 2, 3, 4, 5]
    assert find_all(parse_query("state == stuck"), history) == []


def test_the_state_is_asked_for_only_where_the_rest_holds(monkeypatch) -> None:
    asked = []

    def noted(tree, config, **options):
        asked.append(tree)
        return tree_state(tree, config, **options)

    monkeypatch.setattr("gpviz.explain.query_fields.tree_state", noted)
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
    finder, portions = Finder(query, Snapshot(history)), []
    while not finder.is_done:
        portions += finder.go_on(seconds=0.0).tolist()
    assert portions == whole
    assert find_all(query, history, 501) == []
    assert find_all(query, History(RunConfig(n=4))) == []


@pytest.mark.parametrize(
    "text", ["size_removed > 2", "state == PLATEAU or size_removed == 1", "state != solved"]
)
def test_a_search_without_time_goes_on_where_it_ended(text: str, monkeypatch) -> None:
    monkeypatch.setattr(queries, "_BLOCK", 100)
    run = recorded(RunConfig(n=4, limit="n", deletion="subtree", seed=7), 500)
    finder = Finder(parse_query(text), Snapshot(run[2]))
    found, ends = [], []
    while not finder.is_done:
        found += finder.go_on(seconds=-1.0).tolist()
        ends.append(finder.searched_to)
    assert found == seen(run, text)
    assert ends == sorted(set(ends))
    assert len(ends) >= 5


def test_trees_left_out_of_a_long_history_are_made_again() -> None:
    config = RunConfig(n=12, limit="inf", seed=5)
    search = RlsGp(config)
    steps = [search.step() for _ in range(12_000)]
    history = History(config)
    history.extend(steps)
    run = (search, steps, history)
    text = "operation == DEL and not accepted and size_removed > 9"
    assert find_all(parse_query(text), history, 9_000) == [t for t in seen(run, text) if t >= 9_000]


def test_a_watch_says_why_it_stops() -> None:
    search = RlsGp(RunConfig(n=4, seed=1))
    watch = QueryWatch(parse_query(" error   <  10 "), search.config)
    watch.start(search.start)
    while (reason := watch.reason(step := search.step())) is None:
        assert step.error is None or step.error >= 10
    assert reason == f"Iteration {step.iteration} matches error < 10."


def test_a_watch_that_is_told_to_stop_claims_nothing_about_states() -> None:
    watch = QueryWatch(parse_query("state != solved"), STUCK[0], should_stop=lambda: True)
    watch.start(STUCK[1])
    assert watch.reason(RlsGp(*STUCK).step()) is None


@pytest.mark.parametrize(
    ("text", "looks_at_all"),
    [
        ("verdict == improved", False),
        ("ors > 1 and (error < 3 and verdict == neutral)", False),
        ("verdict == worse", True),
        ("verdict != improved", True),
        ("verdict == improved or ors > 1", True),
        ("not verdict == improved", True),
        ("duplicate_accepted", False),
        ("full and true_error_grew == true", False),
        ("or_accepted == false", True),
        ("duplicate_accepted or full", True),
    ],
)
def test_a_watch_knows_whether_rejected_steps_matter(text: str, looks_at_all: bool) -> None:
    assert QueryWatch(parse_query(text), RunConfig(n=4)).looks_at_all is looks_at_all


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
    for name, sign, value in (
        ("state", "==", "STUCK"),
        ("state", "==", "PLATEAU"),
        ("size_removed", ">", 2),
        ("offspring_leaves", "<", 3),
    ):
        meaning = compared(name, sign, value)
        wanted = [asked[0].iteration for asked in asked_of(branch) if meaning(asked)]
        assert find_all(parse_query(f"{name} {sign} {value}"), branch) == wanted, name


PROBLEMS = [
    ("", 1, "the query is empty"),
    ("verdict < 3", 9, "verdict has no order; compare it with == or !="),
    ("error == improved", 10, "error must be compared with a number, not 'improved'"),
    ("verdict == 3", 12, "verdict is improved, neutral, unchanged, worse or too_large, not '3'"),
    ("accepted == maybe", 13, "accepted is false or true, not 'maybe'"),
    ("eror < 10", 1, "'eror' is not a field; perhaps you mean error"),
    ("error < 10 and qqq == 3", 16, "'qqq' is not a field; fields are iteration"),
    ("improved", 1, "perhaps you mean verdict == improved"),
    ("verdict", 1, "verdict needs a comparison, such as verdict == improved"),
    ("error and accepted", 1, "error needs a comparison, such as error < 10"),
    ("7", 1, "'7' is not compared with anything"),
    ("7 < 8", 1, "'7' is not compared with a field"),
    ("error <", 8, "expected a number, a word or a field but the query ends"),
    ("error < 10 and", 15, "expected a field, not or '(' but the query ends"),
    ("error < 10 error > 3", 12, "expected and, or or the end but found 'error'"),
    ("1 < error < 10", 11, "join two comparisons with and"),
    ("(error < 10 accepted)", 13, "expected and, or or ')' but found 'accepted'"),
    ("(error < 10", 1, "this '(' is never closed"),
    ("error < 10)", 11, "this ')' closes nothing"),
    ("error = 10", 7, "write == instead of '='"),
    ("error < 10 && accepted", 12, "write and instead of '&&'"),
    ("error < 1.5", 9, "'1.5' is not allowed; numbers are whole"),
    ("error < 1e401", 9, "a number has at most 400 digits"),
    ("error < -", 9, "a minus must be followed by a number"),
    ("error < 10x", 9, "'10x' is not part of a query"),
    ("error - 3 < 4", 1, "error needs a comparison"),
    ("error < (3)", 9, "expected a number, a word or a field but found '('"),
    ("accepted and (verdict < 3 or", 23, "verdict has no order"),
    ("(accepted or (error < 3", 14, "this '(' is never closed"),
    ("error < " + "9" * 401, 9, "a number has at most 400 digits"),
    ("not " * 60 + "accepted", 201, "nested more than 50 deep"),
    ("(" * 60, 51, "nested more than 50 deep"),
    ("accepted or " * 90 + "accepted", LONGEST_QUERY + 1, "at most 1,000 characters"),
]


@pytest.mark.parametrize(("text", "column", "words"), PROBLEMS, ids=[text[:30] for text, _, _ in PROBLEMS])
def test_a_wrong_query_is_a_sentence_that_points_at_the_column(text: str, column: int, words: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse_query(text)
    sentence = str(caught.value)
    assert caught.value.column == column
    assert words in sentence
    assert sentence.startswith(f"query, column {column}: ")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert isinstance(caught.value, GpvizError)


PIECES = [
    *NAMES, "improved", "STUCK", "and", "or", "not", "(", ")", "==", "!=", "<", "<=", ">", ">=", "=", "10", "-",
    "1e6", "1_0", "x3", "true", "DEL", "&&", ".", "é", "₁", "∧", "\n", "\0", "'", "{}", "%s", "\ud800", "9" * 50,
    "lambda", "if", "None", "for", "in", "is", "[", ":=", "*", "_0", "AND", "−", "≤", "007", "1__0",
    "1e400", "\\", "#", ";",
]  # fmt: skip


def random_text(generator: random.Random) -> str:
    kind = generator.random()
    if kind < 0.3:  # nearly right
        pieces = ["leaves", "<", "4", "and", "(", "accepted", "or", "state", "==", "STUCK", ")"]
        for _ in range(generator.randrange(3)):
            pieces[generator.randrange(len(pieces))] = generator.choice(PIECES)
        return " ".join(pieces)
    if kind < 0.8:
        pieces = [generator.choice(PIECES) for _ in range(generator.randrange(1, 14))]
        return generator.choice((" ", "", "  ")).join(pieces)
    return "".join(chr(generator.randrange(1, 0x3000)) for _ in range(generator.randrange(60)))


def test_thousands_of_random_texts_give_a_result_or_a_sentence() -> None:
    history = recorded(RunConfig(n=4, limit="n", deletion="leaf", seed=5), 60)[2]
    generator = random.Random(8)
    read = 0
    for _ in range(every_day(3_000, thorough=10_000)):
        text = random_text(generator)
        try:
            query = parse_query(text)
        except QueryError as problem:
            assert 1 <= problem.column <= len(text) + 1
            assert str(problem).endswith(".")
            assert "\n" not in str(problem)
        else:
            read += 1
            found = find_all(query, history)
            assert all(1 <= iteration <= 60 for iteration in found)
        assert isinstance(completions(text, generator.randrange(len(text) + 2)), list)
    assert read > 90


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("", ["iteration", "verdict"]),
        ("ver", ["verdict"]),
        ("verdict ", ["==", "!="]),
        ("verdict == ", ["improved", "neutral"]),
        ("verdict == i", ["improved"]),
        ("verdict == improved ", ["and", "or"]),
        ("verdict == improved and ", ["iteration"]),
        ("function == ", ["AND", "OR"]),
        ("state == s", ["SOLVED", "STUCK"]),
        ("error ", ["==", "!=", "<"]),
        ("error < ", ["iteration", "variable"]),
        ("error < -", []),
        ("< ", []),
        ("accepted ", ["and", "or", "==", "!="]),
        ("accepted == ", ["false", "true"]),
        ("not (acc", ["accepted"]),
        ("(accepted) ", ["and", "or"]),
        ("qqq ", []),
    ],
)
def test_what_may_stand_at_the_cursor_is_offered(text: str, first: list[str]) -> None:
    offered = completions(text, len(text))
    assert offered[: len(first)] == first
    assert bool(offered) is bool(first)


def test_only_the_word_before_the_cursor_counts() -> None:
    text = "ver == improved"
    assert completions(text, 3) == ["verdict"]
    assert word_start(text, 3) == 0
    assert word_start(text, 4) == 4
    assert word_start("a < 10", 6) == 6


def test_choosing_any_value_offered_makes_a_query() -> None:
    for field in FIELDS.values():
        for sign in completions(f"{field.name} ", len(field.name) + 1):
            start = f"{field.name} {sign} "
            if sign not in ("and", "or"):
                for value in completions(start, len(start)):
                    assert parse_query(start + value).text


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("error <", True),
        ("error < 10 and", True),
        ("(error < 10", False),
        ("err", True),
        ("verdict == imp", True),
        ("verdict == better", False),
        ("error = 10", False),
    ],
)
def test_a_query_being_typed_is_unfinished_where_only_its_end_is_missing(text: str, is_so: bool) -> None:
    with pytest.raises(QueryError) as caught:
        parse_query(text)
    assert is_unfinished(text, caught.value) is is_so


def test_the_iteration_is_also_called_t() -> None:
    assert field_named("t") is FIELDS["iteration"]
    assert field_named("mutation") is None
