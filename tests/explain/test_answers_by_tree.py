"""What is remembered of trees: by the very tree and its rules, and never too much of it."""

from gpviz.engine import RunConfig, parse
from gpviz.explain.answers_by_tree import AnswersByTree

LEAF = RunConfig(n=4, limit="n", deletion="leaf")
SUBTREE = LEAF.replaced(deletion="subtree")
TREE = parse("x1 & x2")


def test_a_judgement_belongs_to_a_tree_and_its_rules() -> None:
    known: AnswersByTree[str] = AnswersByTree(8)
    known.put(TREE, LEAF.rules, "stuck")
    assert known.get(TREE, LEAF.rules) == "stuck"
    assert known.get(TREE, SUBTREE.rules) is None
    assert known.get(parse("x1 & x2"), LEAF.rules) is None
    known.put(TREE, SUBTREE.rules, "plateau")
    assert (known.get(TREE, LEAF.rules), known.get(TREE, SUBTREE.rules)) == ("stuck", "plateau")


def test_what_does_not_count_for_a_tree_does_not_tell_judgements_apart() -> None:
    known: AnswersByTree[str] = AnswersByTree(8)
    known.put(TREE, LEAF.rules, "stuck")
    assert known.get(TREE, LEAF.replaced(seed=5, limit="4").rules) == "stuck"


def test_a_tree_stays_as_long_as_its_judgement_so_that_no_other_takes_its_place() -> None:
    known: AnswersByTree[int] = AnswersByTree(100)
    for number in range(100):
        known.put(parse(f"x1 & x{number + 1}"), LEAF.rules, number)
    assert len(known) == 100


def test_what_was_used_last_is_kept() -> None:
    known: AnswersByTree[int] = AnswersByTree(2)
    trees = [parse(f"x{number}") for number in (1, 2, 3)]
    known.put(trees[0], LEAF.rules, 0)
    known.put(trees[1], LEAF.rules, 1)
    known.get(trees[0], LEAF.rules)
    known.put(trees[2], LEAF.rules, 2)
    assert [known.get(tree, LEAF.rules) for tree in trees] == [0, None, 2]


def test_what_weighs_much_is_let_go_first_but_never_the_last() -> None:
    known: AnswersByTree[int] = AnswersByTree(8, weigh=lambda weight: weight, most_weight=10)
    trees = [parse(f"x{number}") for number in (1, 2, 3)]
    for tree, weight in zip(trees, (4, 4, 4), strict=True):
        known.put(tree, LEAF.rules, weight)
    assert [known.get(tree, LEAF.rules) for tree in trees] == [None, 4, 4]
    known.put(trees[1], LEAF.rules, 6)  # in the place of what was known
    assert len(known) == 2
    known.put(trees[0], LEAF.rules, 99)
    assert [known.get(tree, LEAF.rules) for tree in trees] == [99, None, None]
    known.clear()
    assert len(known) == 0
