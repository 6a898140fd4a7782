"""Scripts: what is written is read as it is meant, and a run carries it out before it draws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine import (
    Function,
    GpvizError,
    Operation,
    Outcome,
    RlsGp,
    RunConfig,
    Side,
    format_formula,
    parse,
)
from gpviz.engine.mutation import Mutation, deletion, substitution
from gpviz.engine.mutation_script import (
    MAX_ENTRIES,
    check_script,
    format_mutation,
    format_script,
    normal_form,
    parse_mutation,
    parse_script,
)

CONFIG = RunConfig(n=4, limit="8", deletion="leaf", seed=3)
SCRIPT = parse_script("insert x1; insert or x1 at 1 right; insert and x2 at 2 right; delete 4")

mutations = st.builds(
    Mutation,
    st.sampled_from(Operation),
    st.integers(1, 2**32),
    st.integers(1, 10**9),
    st.sampled_from(Function),
    st.sampled_from(Side),
).map(normal_form)


@pytest.mark.parametrize(
    ("text", "mutation"),
    [
        ("insert x1", Mutation(Operation.INS, 1, 1, Function.AND, Side.LEFT)),
        ("insert or x1 at 1", Mutation(Operation.INS, 1, 1, Function.OR, Side.LEFT)),
        ("  Insert  AND x₁₂ at 4 right ", Mutation(Operation.INS, 4, 12, Function.AND, Side.RIGHT)),
        ("insert x3 left", Mutation(Operation.INS, 1, 3, Function.AND, Side.LEFT)),
        ("delete 3", deletion(3)),
        ("substitute 5 by x2", substitution(5, 2)),
    ],
)
def test_an_entry_is_read_as_it_is_meant(text: str, mutation: Mutation):
    assert parse_mutation(text) == mutation


@given(mutations, st.booleans())
def test_what_is_written_of_a_mutation_is_read_as_the_same_one(mutation: Mutation, is_first_leaf: bool):
    assert parse_mutation(format_mutation(mutation, is_first_leaf=is_first_leaf)) == mutation


def test_a_text_has_an_entry_a_line_or_between_semicolons_and_may_have_comments():
    text = "# a disjunction\ninsert x1; insert or x1 at 1  # twice x1\n\n; delete 2"
    assert parse_script(text) == parse_script(["insert x1", "insert or x1 at 1", "delete 2"])
    assert format_script(parse_script(text), None) == ["insert x1", "insert or x1 at 1", "delete 2"]
    assert format_script(parse_script("insert x1"), parse("x2")) == ["insert and x1 at 1"]
    assert parse_script(" \n") == ()


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        (
            ["add x1"],
            "script, entry 1: 'add x1' is not allowed; it must be a mutation that begins with 'insert',",
        ),
        (["insert x1", ""], "script, entry 2: '' is not allowed; it must be a mutation that begins"),
        (["insert x1", 4], "script, entry 2: 4 is not allowed"),
        (
            ["insert xor x1"],
            "script, entry 1: 'insert xor x1' is not allowed; it must be 'insert', 'and' or 'or', a v",
        ),
        (["insert or x1 1"], "script, entry 1: 'insert or x1 1' is not allowed"),
        (["insert or at 1"], "script, entry 1: 'insert or at 1' is not allowed"),
        (
            ["delete x1"],
            "script, entry 1: 'delete x1' is not allowed; it must be 'delete' and the number of a node",
        ),
        (["delete 99999999999"], "script, entry 1: 'delete 99999999999' is not allowed"),
        (
            ["delete 0"],
            "script, entry 1, 'delete 0': node: 0 is not allowed; it must be from 1, the root, to",
        ),
        (
            ["insert x0"],
            "script, entry 1, 'insert x0': variable: 'x0' is not allowed; it must be x1 or a later one.",
        ),
        (
            ["substitute 5 x2"],
            "script, entry 1: 'substitute 5 x2' is not allowed; it must be 'substitute', the numb",
        ),
        (["insert" + " " * 200 + "x1"], "script, entry 1: 'insert "),
        (["delete 1"] * (MAX_ENTRIES + 1), "script: it has 10,001 entries, but at most 10,000 are allowed."),
    ],
)
def test_what_cannot_be_read_is_one_sentence_with_the_number_of_its_entry(
    entries: list[object], sentence: str
):
    with pytest.raises(GpvizError) as caught:
        parse_script(entries)
    assert str(caught.value).startswith(sentence)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("text", "config", "sentence"),
    [
        (
            "insert x5",
            CONFIG,
            "script, entry 1, 'insert and x5 at 1': variable: 'x5' is not allowed; it must be from",
        ),
        (
            "insert x1; insert or x1",
            RunConfig(n=4, functions=("and",)),
            "script, entry 2, 'insert or x1 at 1': function: 'or' is not allowed; it must be 'and' in this run.",
        ),
    ],
)
def test_a_script_that_no_run_of_these_settings_can_carry_out_is_refused(
    text: str, config: RunConfig, sentence: str
):
    with pytest.raises(GpvizError) as caught:
        check_script(parse_script(text), config)
    assert str(caught.value).startswith(sentence)
    with pytest.raises(GpvizError):
        RlsGp(config, None, parse_script(text))


def test_a_run_carries_out_its_script_and_then_draws_as_it_would_have_from_there():
    search = RlsGp(CONFIG, None, SCRIPT)
    steps = [search.step() for _ in range(50)]
    assert [normal_form(step.mutation) for step in steps[:4]] == list(SCRIPT)
    assert [format_formula(step.tree) for step in steps[:3]] == ["x1", "x1 | x1", "(x1 & x2) | x1"]
    by_hand = RlsGp(CONFIG)
    for mutation in SCRIPT:
        by_hand.force(mutation)
    assert steps[4:] == [by_hand.step() for _ in range(46)]


def test_a_run_ends_as_soon_as_its_script_has_solved_the_problem():
    improvements: list[tuple[int, int]] = []
    script = parse_script("insert x1; insert or x1; insert x2; substitute 2 by x2; delete 3; delete 1")
    config = RunConfig(n=2, deletion="leaf")
    result = RlsGp(config, None, script).run(improvements=improvements)
    assert (result.outcome, result.iterations) == (Outcome.SOLVED, 3)
    assert improvements == [(1, 1), (3, 0)]


def test_a_tree_that_the_script_makes_stuck_does_not_end_the_run_before_the_script():
    script = parse_script("substitute 3 by x1; substitute 3 by x3")
    start = parse("(x1 & x2) | (x2 & x1)")
    result = RlsGp(RunConfig(n=4, limit="4", deletion="leaf"), start, script).run(stop_when_stuck=True)
    assert (result.outcome, result.iterations, result.stuck_since) == (Outcome.STUCK, 2, 0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "insert x1; delete 2",
            "script, entry 2, 'delete 2': node: 2 is not allowed; it must be from 1 to 1.",
        ),
        (
            "insert x1; insert or x1; insert or x1; delete 3; delete 3",
            "script, entry 4, 'delete 3': node: 3 is not allowed; it must be a leaf, as deletion is leaf-only in"
            " this run.",
        ),
    ],
)
def test_a_mutation_that_the_tree_does_not_allow_is_refused_with_its_entry(text: str, sentence: str):
    search = RlsGp(CONFIG, None, parse_script(text))
    with pytest.raises(GpvizError) as caught:
        search.run()
    assert str(caught.value) == sentence
    with pytest.raises(GpvizError):  # and the run stays where it was
        search.step()
