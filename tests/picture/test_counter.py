"""The counter: wrong rows as a number, cells or a bar, leaves against the limit, and a word on the state."""

from dataclasses import replace

import pytest

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.engine import Function, Mutation, Operation, RunConfig, Side, State, TreeState, Verdict, parse
from gpviz.explain.moment import moment_at, tree_at
from gpviz.picture.counter import counter_of
from tests.picture.moments import CONFIG, previewed, shown, stepped
from tests.runs.runs import recorded

SIX = RunConfig(n=6, limit=12)
TREE = "(x1 & x2) | x3"
WORSE, IMPROVED = Verdict.WORSE, Verdict.IMPROVED


def test_few_rows_are_cells_and_many_a_bar_on_a_log_scale():
    few = counter_of(shown("x1 & x2 & x3 & x4 & x5", SIX), None)
    assert (few.number, few.lines, few.wrong, few.cells) == ("1", ("wrong row", "of 64"), 1, 64)
    many = [counter_of(shown(text), None) for text in ("x1", "x1 & x2 & x3 & x4 & x5 & x6 & x7 & x8")]
    assert [(each.number, each.lines, each.cells) for each in many] == [
        ("127", ("wrong rows", "of 256"), 0),
        ("0", ("wrong rows", "of 256"), 0),
    ]
    assert [each.share for each in many] == [7 / 8, 0]


def test_from_a_million_on_a_number_has_mantissa_and_exponent():
    config = RunConfig(n=200)
    numbers = [counter_of(replace(shown("x1", config), error=error), None) for error in (999_999, 12_000_000)]
    assert [each.number for each in numbers] == ["999,999", "1.2·10⁷"]
    assert numbers[0].lines[-1] == "of 2²⁰⁰"


def test_the_error_is_that_of_the_tree_on_show():
    rejected = stepped(TREE, Operation.DEL, WORSE, 4)
    accepted = stepped(TREE, Operation.SUB, IMPROVED, 4, errors=(7, 3))
    assert counter_of(rejected, None).number == "7"
    assert counter_of(accepted, None).number == "3"
    assert counter_of(previewed(accepted), None).number == "7"
    hidden = replace(stepped(TREE, Operation.INS, IMPROVED, 0, errors=(7, 3)), is_verdict_hidden=True)
    assert (counter_of(hidden, None).number, counter_of(hidden, None).leaves) == ("7", 3)


def test_a_tree_without_its_step_has_the_same_counter():
    *_, history = recorded(CONFIG.replaced(fitness="sampled", rows=5), 60)
    for iteration in range(61):
        moment, tree = moment_at(history, iteration), tree_at(history, iteration)
        assert counter_of(moment, None) == counter_of(tree, None)


def test_the_empty_tree_has_no_error():
    counter = counter_of(shown(None, SIX), None)
    assert (counter.number, counter.lines, counter.wrong) == ("–", ("no tree yet",), 0)
    assert counter.leaves_text == "0 of 12 leaves"


def test_of_a_sampled_run_the_error_that_decided_is_large_and_the_true_one_is_named():
    config = RunConfig(n=6, fitness="sampled", rows=5)
    counter = counter_of(stepped("x1 & x2", Operation.INS, WORSE, errors=(2, 4), config=config), None)
    assert (counter.number, counter.cells) == ("2", 5)
    assert counter.lines == ("wrong rows", "of 5 sampled", "15 of all 64 rows")


@pytest.mark.parametrize(
    ("limit", "text"), [(4, "3 of 4 leaves"), (3, "3 of 3 leaves, full"), ("inf", "3 leaves")]
)
def test_leaves_are_counted_against_the_limit(limit, text):
    assert counter_of(shown(TREE, RunConfig(n=6, limit=limit)), None).leaves_text == text


def test_a_chip_says_that_a_tree_is_flat_or_undecided_and_the_legend_what_is_shaded():
    tree = parse(TREE)
    config = RunConfig(n=6, limit=3, deletion="leaf")
    ways = (Mutation(Operation.DEL, 1, 1, Function.AND, Side.LEFT),) * 3
    flat = Analysis(tree, config.rules, TreeState(State.PLATEAU, 3, 9, ways), redundant=frozenset({0}))
    undecided = Analysis(tree, config.rules, TreeState(State.UNDECIDED, 3, 40_000))
    counters = [counter_of(shown(tree, config), analysis) for analysis in (flat, undecided)]
    assert [(each.chip, each.legend) for each in counters] == [
        ("flat: a way out in 3 steps", "shaded: some of these can go"),
        ("undecided after 40,000 trees", ""),
    ]
    sampled = replace(undecided, rules=config.replaced(fitness="sampled", rows=5).rules)
    assert counter_of(shown(tree, config), sampled).chip == ""
