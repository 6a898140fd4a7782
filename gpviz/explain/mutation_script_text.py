"""How likely the algorithm is to make the same steps as a script by itself, in numbers and sentences."""

from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from typing import Final

from gpviz.analysis.transition_probability import transition_probability
from gpviz.engine import Node, Rules, TooComplexError
from gpviz.engine.interruption import Deadline, Stopped, stoppable
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
    "The product is positive, so E[T] is infinite: some runs come to this tree,"
    " and from there none is ever solved."
)


class ScriptOdds:
    """The probabilities of the steps of a script in one history; each is computed once."""

    def __init__(self, history: History) -> None:
        self.history = history
        self._probabilities: dict[int, Fraction | None] = {}
        self._products: list[Fraction | None] = [Fraction(1)]

    def at(self, iteration: int) -> tuple[Fraction | None, Fraction | None]:
        """The probability of this iteration's step, and of all steps up to it; None for what is not known.

        The window waits for the answer, so it takes a moment at most: of a long script the product is None until
        it has been asked for often enough.
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


def script_step_text(odds: ScriptOdds, iteration: int) -> str:
    """Which entry of the script an iteration carries out, and how likely the algorithm is to do the same.

    It is empty at the start and after the script.
    """
    history = odds.history
    if not 0 < iteration <= history.script_end:
        return ""
    entry = f"Script, {iteration:,} of {len(history.script):,}"
    probability, product = odds.at(iteration)
    if probability is None:
        return f"{entry}."
    is_kept = history.tree_at(iteration) is history.tree_at(iteration - 1)
    what = "keeps" if is_kept else "makes"
    text = f"{entry}: the algorithm {what} this tree with probability {probability_text(probability)}"
    if product is None or iteration == 1:
        return f"{text}."
    return f"{text}; all {iteration:,} steps with {probability_text(product)}."


def conclusion_text(product: Fraction | None, *, is_stuck: bool) -> str:
    """What a script proves that ends in a stuck tree; empty otherwise."""
    return _REACHED if product and is_stuck else ""


def probability_text(probability: Fraction) -> str:
    """A probability as a fraction and in digits, where each can be read: ``1/96 ≈ 0.0104``, ``3.8 × 10⁻¹⁷``."""
    if probability.denominator == 1:
        return str(probability)
    digits = _digits_text(probability)
    if probability.denominator > _LARGEST_DENOMINATOR:
        return digits
    is_exact = "×" not in digits and Fraction(digits) == probability
    return f"{probability.numerator:,}/{probability.denominator:,} {'=' if is_exact else '≈'} {digits}"


def _digits_text(probability: Fraction) -> str:
    value = Decimal(probability.numerator) / Decimal(probability.denominator)  # a float may be 0
    if probability >= _SMALLEST_WRITTEN_OUT:
        return f"{float(value):.3g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa} × {power_text(10, int(exponent))}"


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
