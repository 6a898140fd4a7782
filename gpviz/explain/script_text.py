"""A script in words and numbers: how likely the algorithm is to go the same way by itself, step by step."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from typing import Final, NamedTuple

from gpviz.analysis.transition_probability import transition_probability
from gpviz.engine import GpvizError, Node, Rules, RunConfig, State, TooComplexError, Verdict, tree_state
from gpviz.engine.config import check_tree
from gpviz.engine.errors import InvalidValueError
from gpviz.engine.forced_mutation import judge
from gpviz.engine.interruption import USUAL_SECONDS, Deadline, Stopped, checkpoint, stoppable
from gpviz.engine.mutation import fresh_uids
from gpviz.engine.mutation_script import Script, check_script, entry_error, format_mutation
from gpviz.engine.tree import largest_uid
from gpviz.number_text import power_text
from gpviz.runs.history import History

_MOST_STEPS: Final = 500
_MOST_LEAVES: Final = 200
_MOST_MUTATIONS: Final = 4_000
"""Beyond these a probability takes longer than a frame, and nobody multiplies so many."""
_MOST_SECONDS: Final = 0.1
_LARGEST_DENOMINATOR: Final = 10**6
_SMALLEST_WRITTEN_OUT: Final = Fraction(1, 1000)

_REACHED: Final = (
    "The product is positive, so E[T] is infinite: some runs come to {tree},"
    " and from there none is ever solved."
)


class ScriptStep(NamedTuple):
    """An entry of a script that was carried out.

    ``probability`` is that of the tree it left, given the one before, and ``product`` that of all trees so far.
    They are None where they are not known.
    """

    number: int
    entry: str
    verdict: Verdict
    probability: Fraction | None
    product: Fraction | None


class ScriptPreview(NamedTuple):
    """What comes of a script: its steps, up to the entry that cannot be carried out, and what is wrong with it.

    ``state`` is that of the last tree, where it is known.
    """

    steps: tuple[ScriptStep, ...]
    problem: str = ""
    state: State | None = None


class ScriptOdds:
    """The probabilities of the steps of a script in one history, each of which is found once."""

    def __init__(self, history: History) -> None:
        self.history = history
        self._probabilities: dict[int, Fraction | None] = {}
        self._products: list[Fraction | None] = [Fraction(1)]

    def at(self, iteration: int) -> tuple[Fraction | None, Fraction | None]:
        """The probability of the step of an iteration of the script, and of all up to it.

        The window waits for it, so of many steps at once only some are looked at: then the second is None, and is
        known when it has been asked for often enough.
        """
        if iteration > _MOST_STEPS:
            return None, None
        probability = self._probability_at(iteration)
        is_late = Deadline(_MOST_SECONDS)
        while len(self._products) <= iteration and not is_late():
            step = self._probability_at(len(self._products))
            self._products.append(_times(self._products[-1], step))
        return probability, self._products[iteration] if iteration < len(self._products) else None

    def _probability_at(self, iteration: int) -> Fraction | None:
        if iteration not in self._probabilities:
            history, probability = self.history, None
            parent, tree = history.tree_at(iteration - 1), history.tree_at(iteration)
            with suppress(Stopped), stoppable(Deadline(_MOST_SECONDS)):
                probability = _probability(parent, tree, history.config_at(iteration).rules)
            self._probabilities[iteration] = probability
        return self._probabilities[iteration]


def preview_script(
    config: RunConfig, start: Node | None, script: Script, should_stop: Callable[[], bool] | None = None
) -> ScriptPreview:
    """Carry out a script without a run, and tell what comes of each entry."""
    steps: list[ScriptStep] = []
    try:
        check_tree(start, config)
        check_script(script, config)
        with stoppable(should_stop):
            last = start
            for step, tree in _carried_out(config, start, script):
                steps.append(step)
                last = tree
            return ScriptPreview(tuple(steps), state=_state(last, config, should_stop))
    except GpvizError as problem:
        return ScriptPreview(tuple(steps), str(problem))


def script_step_text(odds: ScriptOdds, iteration: int) -> str:
    """Which entry of the script an iteration has carried out, and how likely the algorithm is to do so by itself.

    Empty after the script, and at the start.
    """
    history = odds.history
    if not 0 < iteration <= history.script_end:
        return ""
    place = f"Script, {iteration:,} of {len(history.script):,}"
    probability, product = odds.at(iteration)
    if probability is None:
        return f"{place}."
    is_kept = history.tree_at(iteration) is history.tree_at(iteration - 1)
    what = "keeps" if is_kept else "makes"
    text = f"{place}: the algorithm {what} this tree with probability {probability_text(probability)}"
    if product is None or iteration == 1:
        return f"{text}."
    return f"{text}; all {iteration:,} steps with {probability_text(product)}."


def conclusion_text(product: Fraction | None, *, is_stuck: bool, tree: str = "this tree") -> str:
    """What a script proves that ends in a stuck tree, which is called ``tree``; nothing otherwise."""
    return _REACHED.format(tree=tree) if product and is_stuck else ""


def probability_text(probability: Fraction) -> str:
    """A probability as a fraction and in digits, where each can be read: ``1/96 ≈ 0.0104``, ``3.8 × 10⁻¹⁷``."""
    if probability.denominator == 1:
        return str(probability)
    digits = digits_text(probability)
    if probability.denominator > _LARGEST_DENOMINATOR:
        return digits
    is_exact = "×" not in digits and Fraction(digits) == probability
    return f"{exact_probability_text(probability)} {'=' if is_exact else '≈'} {digits}"


def exact_probability_text(probability: Fraction) -> str:
    """The fraction itself."""
    return f"{probability.numerator:,}/{probability.denominator:,}"


def digits_text(probability: Fraction) -> str:
    """A probability in digits: ``0.0104``, ``3.8 × 10⁻¹⁷``."""
    if probability.denominator == 1:
        return str(probability)
    value = Decimal(probability.numerator) / Decimal(probability.denominator)  # a float may be 0
    if probability >= _SMALLEST_WRITTEN_OUT:
        return f"{float(value):.3g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa} × {power_text(10, int(exponent))}"


def _carried_out(
    config: RunConfig, start: Node | None, script: Script
) -> Iterator[tuple[ScriptStep, Node | None]]:
    tree, first_uid = start, largest_uid(start) + 1
    product: Fraction | None = Fraction(1)
    for number, mutation in enumerate(script, start=1):
        checkpoint()
        try:
            step = judge(config, tree, mutation, number, fresh_uids(first_uid, number))
        except InvalidValueError as problem:
            raise entry_error(number, mutation, problem) from problem
        probability = _probability(tree, step.tree, config.rules) if number <= _MOST_STEPS else None
        product = _times(product, probability)
        entry = format_mutation(mutation, is_first_leaf=tree is None)
        tree = step.tree
        yield ScriptStep(number, entry, step.verdict, probability, product), tree


def _state(tree: Node | None, config: RunConfig, should_stop: Callable[[], bool] | None) -> State | None:
    is_late = Deadline(USUAL_SECONDS)

    def is_enough() -> bool:
        return is_late() or (should_stop is not None and should_stop())

    try:
        return tree_state(tree, config, should_stop=is_enough).state
    except TooComplexError:
        return None


def _probability(parent: Node | None, tree: Node | None, rules: Rules) -> Fraction | None:
    """How likely one iteration is to lead from one tree to the other; None where that takes too long."""
    if rules.is_sampled:
        return None
    size = 0 if parent is None else parent.leaves
    most = _MOST_LEAVES if tree is not parent else _MOST_MUTATIONS // (2 * rules.n * len(rules.functions))
    if size > most:
        return None
    try:
        return transition_probability(parent, tree, rules, is_accepted=tree is not parent)
    except TooComplexError:
        return None


def _times(product: Fraction | None, probability: Fraction | None) -> Fraction | None:
    return None if product is None or probability is None else product * probability
