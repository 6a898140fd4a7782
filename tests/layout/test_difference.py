"""What differs between two trees."""

from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine import RlsGp, RunConfig, parse
from gpviz.layout.difference import difference


def test_an_insertion_adds_two_nodes() -> None:
    search = RlsGp(RunConfig(n=6, seed=1))
    before = search.step().tree
    while True:
        step = search.step()
        if step.tree is not before and step.operation == "INS":
            change = difference(before, step.tree)
            assert len(change.added) == 2
            assert not change.removed
            assert not change.relabelled
            return
        before = step.tree


@given(st.integers(0, 50))
def test_every_step_of_a_run_differs_as_its_operation_says(seed: int) -> None:
    search = RlsGp(RunConfig(n=5, limit=8, seed=seed))
    before = search.step().tree
    for _ in range(60):
        step = search.step()
        change = difference(before, step.tree)
        if step.tree is before:
            assert change.added | change.removed | change.relabelled == frozenset()
        elif step.operation == "INS":
            assert (len(change.added), len(change.removed), len(change.relabelled)) == (2, 0, 0)
        elif step.operation == "DEL":
            assert not change.added
            assert len(change.removed) >= 2
        else:
            assert (len(change.added), len(change.removed), len(change.relabelled)) == (0, 0, 1)
        before = step.tree


def test_from_and_to_the_empty_tree() -> None:
    tree = parse("x1 & x2")
    assert len(difference(None, tree).added) == 3
    assert len(difference(tree, None).removed) == 3
    assert difference(None, None).kept == frozenset()
