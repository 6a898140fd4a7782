"""A mutation chosen by hand comes to what it would have come to in a run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine import GpvizError, Mutation, RlsGp, RunConfig, parse
from gpviz.engine.enums import Function, Operation, Side, Verdict
from gpviz.engine.forced_mutation import judge
from gpviz.engine.mutation import fresh_uids
from tests.engine.strategies import configs, labels_of
from tests.engine.test_search import starts

INS, DEL, SUB = Operation
AND, OR = Function


@given(starts(configs()))
def test_what_a_run_drew_is_judged_as_in_the_run(case):
    search = RlsGp(*case)
    for _ in range(40):
        tree = search.tree
        step = search.step()
        uids = fresh_uids(search.first_uid, step.iteration)
        judged = judge(search.config, tree, step.mutation, step.iteration, uids)
        assert judged == step
        assert labels_of(judged.tree) == labels_of(step.tree)


@pytest.mark.parametrize(
    ("mutation", "sentence"),
    [
        (Mutation(INS, 1, 5, AND, Side.LEFT), "variable: 5 is not allowed; it must be from 1 to 4."),
        (Mutation(SUB, 2, 0, AND, Side.LEFT), "variable: 0 is not allowed; it must be from 1 to 4."),
        (Mutation(INS, 4, 1, AND, Side.LEFT), "node: 4 is not allowed; it must be from 1 to 3."),
        (
            Mutation(SUB, 1, 1, AND, Side.LEFT),
            "node: 1 is not allowed; it must be a leaf, as SUB replaces leaves only.",
        ),
        (
            Mutation(DEL, 1, 1, AND, Side.LEFT),
            "node: 1 is not allowed; it must be a leaf, as deletion is leaf-only in this run.",
        ),
        (
            Mutation(INS, 1, 1, OR, Side.LEFT),
            "function: 'OR' is not allowed; it must be AND, as this run has no other.",
        ),
    ],
)
def test_what_can_never_be_drawn_is_refused_in_a_sentence(mutation, sentence):
    config = RunConfig(n=4, deletion="leaf", functions=("and",))
    with pytest.raises(GpvizError) as refusal:
        judge(config, parse("x1 & x2"), mutation, 1, (10, 11))
    assert str(refusal.value) == sentence


@given(st.integers(1, 9))
def test_beyond_the_limit_nobody_looks_at_the_error(node):
    config = RunConfig(n=4, limit="5")
    tree = parse("x1 & x2 & x3 & x4 & x1")
    step = judge(config, tree, Mutation(INS, node, 1, AND, Side.LEFT), 1, (10, 11))
    assert (step.verdict, step.offspring_error, step.offspring_leaves) == (Verdict.TOO_LARGE, None, 6)
    assert step.tree is tree
