"""A step in words: what was drawn, what came of it, and why it was kept or not."""

from types import MappingProxyType
from typing import Final, NamedTuple

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Operation, Verdict
from gpviz.engine.formula import UNICODE, format_formula
from gpviz.engine.mutation import Mutation, describe
from gpviz.engine.step import Step
from gpviz.engine.tree import Leaf, Node, node_at
from gpviz.explain.moment import Moment
from gpviz.number_text import counted, number_text, ordinal
from gpviz.run.history import History

__all__ = [
    "VERDICT_SYMBOLS",
    "VERDICT_WORDS",
    "Callout",
    "callout_of",
    "compact",
    "operands_text",
    "outcome_text",
    "tell",
    "tell_briefly",
    "tell_start",
    "tell_step",
    "tell_step_briefly",
    "verdict_text",
]

VERDICT_WORDS: Final = MappingProxyType(
    {
        Verdict.IMPROVED: "improved",
        Verdict.NEUTRAL: "neutral",
        Verdict.UNCHANGED: "unchanged",
        Verdict.WORSE: "worse",
        Verdict.TOO_LARGE: "too large",
    }
)
"""The verdicts as a person reads them."""

VERDICT_SYMBOLS: Final = MappingProxyType(
    {
        Verdict.IMPROVED: "▲",
        Verdict.NEUTRAL: "≈",
        Verdict.UNCHANGED: "=",
        Verdict.WORSE: "▼",
        Verdict.TOO_LARGE: "✕",
    }
)
"""A symbol for each verdict, the same everywhere, for those who cannot tell the colours."""

_LARGEST_FORMULA: Final = 40
_LARGEST_OPERAND: Final = 4
"""More leaves than that are counted, not written out: in a sentence, and in the short form of a step."""
_LARGEST_EXACT_ON_PICTURE: Final = 9_999_999


class Callout(NamedTuple):
    """A step as it stands beside the tree: ``SUB x₅ → x₄ · error 7 → 3 · accepted``."""

    operation: str
    operands: str
    outcome: str
    word: str

    def __str__(self) -> str:
        return " · ".join(
            filter(None, (f"{self.operation} {self.operands}".strip(), self.outcome, self.word))
        )


def tell(history: History, iteration: int) -> str:
    """What happened in this iteration, in sentences; at 0 the start."""
    if not iteration:
        return tell_start(history)
    return tell_step(history.step_at(iteration), history.tree_at(iteration - 1), history.config_at(iteration))


def tell_briefly(history: History, iteration: int) -> str:
    """The same in one line, such as ``INS ∧ x₄: error 31 → 15, improved``."""
    if not iteration:
        return "The start"
    return tell_step_briefly(
        history.step_at(iteration), history.tree_at(iteration - 1), history.config_at(iteration)
    )


def tell_start(history: History) -> str:
    """What the run starts from."""
    start = history.start
    if start is None:
        return "The start: the empty tree."
    leaves = counted(start.leaves, "leaf")
    what = f"a tree with {leaves}"
    if start.leaves <= _LARGEST_FORMULA:
        what = f"{format_formula(start, UNICODE)}, {what}"
    error = history.start_error
    return f"The start: {what}." if error is None else f"The start: {what}, {_wrong_on(error)}."


def tell_step(step: Step, parent: Node | None, config: RunConfig) -> str:
    """What was drawn for this parent, what the offspring is like, and what became of it."""
    if parent is None:
        return _planting(step, config)
    return f"{_drawn(parent, step.mutation)} {_outcome(step, config)}"


def tell_step_briefly(step: Step, parent: Node | None, config: RunConfig) -> str:
    """The step in one line."""
    word = VERDICT_WORDS[step.verdict]
    what = _drawn_briefly(parent, step)
    if step.verdict is Verdict.TOO_LARGE:
        return f"{what}: {step.offspring_leaves:,} leaves > limit {config.max_leaves:,}, {word}"
    before, after = step.parent_error, step.offspring_error
    if step.verdict is Verdict.UNCHANGED or after is None:
        return f"{what}: {word}"
    if step.is_truly_worse:
        word = f"{word}, but worse on all rows"
    old, new = ("" if before is None else number_text(before)), number_text(after)
    errors = new if old in ("", new) else f"{old} → {new}"
    return f"{what}: error {errors}, {word}"


def callout_of(moment: Moment) -> Callout | None:
    """The step of a moment, what came of it and whether that is accepted; None where there is no step.

    While the verdict is hidden, only what was drawn and a question; of a preview, what would become of it.
    """
    step = moment.step
    if step is None:
        return None
    is_first = moment.parent is None and step.offspring_leaves > 0
    operation = "First leaf" if is_first else step.operation.value
    operands = operands_text(moment.parent, step)
    if moment.is_verdict_hidden:
        return Callout(operation, operands, "", "accepted?")
    word = "accepted" if step.is_accepted else "rejected"
    return Callout(
        operation,
        operands,
        outcome_text(step, moment.config),
        f"would be {word}" if moment.is_preview else word,
    )


def operands_text(parent: Node | None, step: Step) -> str:
    """What an operation is applied to: ``∧ x₈``, ``x₅ → x₄``, ``x₂ ∧ x₃``, ``∨ of 7 leaves``."""
    mutation = step.mutation
    variable = UNICODE.variable(mutation.variable)
    if parent is None:
        return variable if step.offspring_leaves else "on the empty tree"
    if mutation.operation is Operation.INS:
        return f"{UNICODE.function(mutation.function)} {variable}"
    node = node_at(parent, mutation.node)
    if mutation.operation is Operation.SUB:
        return f"{_label(node)} → {variable}"
    if not mutation.node:
        return "the root"
    if node.leaves <= _LARGEST_OPERAND:
        return format_formula(node, UNICODE)
    return f"{_label(node)} of {node.leaves:,} leaves"


def outcome_text(step: Step, config: RunConfig) -> str:
    """Why an offspring won or lost, on a picture: ``error 7 → 3``, ``10 leaves > limit 9``."""
    if step.verdict is Verdict.TOO_LARGE:
        return f"{counted(step.offspring_leaves, 'leaf')} > limit {config.max_leaves:,}"
    if step.verdict is Verdict.UNCHANGED:
        return "changes nothing"
    where = " on these rows" if config.is_sampled else ""
    before, after = step.parent_error, step.offspring_error
    if after is None:
        return "the empty tree"
    if before is None:
        return f"error {compact(after)}{where}"
    if before == after:
        return f"error stays {compact(after)}{where}"
    if compact(before) == compact(after):
        return f"error {compact(after)}, {compact(after - before, is_signed=True)}{where}"
    return f"error {compact(before)} → {compact(after)}{where}"


def compact(number: int, *, is_signed: bool = False) -> str:
    """A number as one reads it on a picture: very large ones as a power of ten, − as a minus sign."""
    sign = "−" if number < 0 else "+" if is_signed else ""
    return f"{sign}{number_text(abs(number), _LARGEST_EXACT_ON_PICTURE)}"


def verdict_text(verdict: Verdict) -> str:
    """The verdict with what it means for the offspring, for a legend."""
    return f"{VERDICT_WORDS[verdict]}, {'accepted' if verdict.is_accepted else 'rejected'}"


def _planting(step: Step, config: RunConfig) -> str:
    variable = UNICODE.variable(step.variable)
    if step.tree is None:
        done = "delete" if step.operation is Operation.DEL else "substitute"
        return f"{step.operation} was drawn, but the empty tree has nothing to {done}: accepted, unchanged."
    if step.operation is Operation.INS:
        drawn = f"INS drew {variable} for the empty tree, and made it the first leaf."
    else:
        drawn = (
            f"{step.operation} was drawn; as the tree is empty, the drawn {variable} becomes its first leaf."
        )
    error = "" if step.error is None else f"The tree is {_wrong_on(step.error, config.rows)}: "
    return f"{drawn} {error}accepted, better."


def _drawn(parent: Node, mutation: Mutation) -> str:
    """What HVL-Prime drew, as a sentence."""
    node = node_at(parent, mutation.node)
    place = _place(node, mutation.node)
    variable = UNICODE.variable(mutation.variable)
    if mutation.operation is Operation.INS:
        return f"INS drew {UNICODE.function(mutation.function)} and {variable} at {place}."
    if mutation.operation is Operation.SUB:
        return f"SUB drew {variable} for {place}."
    if mutation.node == 0:
        return "DEL drew the root, which is never deleted."
    if isinstance(node, Leaf):
        return f"DEL drew {place}."
    return f"DEL drew {place} with the {counted(node.leaves, 'leaf')} below it."


def _place(node: Node, number: int) -> str:
    return f"the root {_label(node)}" if not number else f"node {_label(node)} ({ordinal(number + 1)})"


def _label(node: Node) -> str:
    return UNICODE.variable(node.variable) if isinstance(node, Leaf) else UNICODE.function(node.function)


def _drawn_briefly(parent: Node | None, step: Step) -> str:
    mutation = step.mutation
    if parent is None:
        return f"{mutation.operation} on the empty tree" if step.tree is None else describe(None, mutation)
    return f"{mutation.operation} {operands_text(parent, step)}"


def _outcome(step: Step, config: RunConfig) -> str:
    """What the offspring is like, and what became of it."""
    verdict = step.verdict
    size = counted(step.offspring_leaves, "leaf", "no")
    if verdict is Verdict.TOO_LARGE:
        limit = f"{config.max_leaves:,}"
        return f"The offspring would have {size}, more than the limit {limit}: rejected without evaluation."
    if verdict is Verdict.UNCHANGED:
        return "That changes nothing: accepted, unchanged."
    assert step.offspring_error is not None
    assert step.parent_error is not None
    wrong = _wrong_instead(step.offspring_error, step.parent_error, config.rows)
    judged = {
        Verdict.IMPROVED: "accepted, better",
        Verdict.NEUTRAL: "accepted, neutral",
        Verdict.WORSE: "rejected, worse",
    }[verdict]
    text = f"The offspring has {size} and is {wrong}: {judged}."
    if step.is_truly_worse:
        return f"{text} On all rows its error is larger: the sample was misleading."
    if verdict is Verdict.IMPROVED and not step.offspring_error and not config.is_sampled:
        return f"{text} It computes the target."
    return text


def _wrong_on(error: int, sampled: int | None = None) -> str:
    if sampled is None:
        return f"wrong on {counted(error, 'row', 'no')}"
    if sampled == 1:
        return f"{'wrong' if error else 'right'} on this iteration's only row"
    wrong = number_text(error) if error else "none"
    return f"wrong on {wrong} of this iteration's {number_text(sampled)} rows"


def _wrong_instead(error: int, before: int, sampled: int | None) -> str:
    """On how many rows the offspring is wrong, compared with its parent."""
    wrong = _wrong_on(error, sampled)
    if error == before:
        return f"{wrong}, {'as many' if error else 'just'} as its parent"
    old = number_text(before) if before else "none"
    if old != number_text(error):
        return f"{wrong} instead of {old}"
    # Rounded they look the same.
    return (
        f"{wrong}, {number_text(abs(error - before))} {'fewer' if error < before else 'more'} than its parent"
    )
