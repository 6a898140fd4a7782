"""A step in sentences: what was drawn, what came of it, and why it was kept or not."""

from types import MappingProxyType
from typing import Final

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Operation, State, Verdict
from gpviz.engine.formula import UNICODE, format_formula
from gpviz.engine.mutation import Mutation
from gpviz.engine.step import Step
from gpviz.engine.tree import ROOT, Inner, Leaf, Node, node_at, node_path
from gpviz.explain.moment import Moment
from gpviz.number_text import counted, number_text
from gpviz.runs.history import History

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

_WORDS_ON_SAMPLE: Final = {
    Verdict.IMPROVED: "looks better",
    Verdict.NEUTRAL: "looks equal",
    Verdict.WORSE: "looks worse",
}

VERDICT_SYMBOLS: Final = MappingProxyType(
    {
        Verdict.IMPROVED: "▲",
        Verdict.NEUTRAL: "≈",
        Verdict.UNCHANGED: "=",
        Verdict.WORSE: "✕",
        Verdict.TOO_LARGE: "□",
    }
)
"""A symbol for each verdict, the same everywhere, for those who cannot tell the colours."""

ROOT_AND_TEXT: Final = "⇑ root-and"
"""The sign of a root-and, which puts an AND on top of the tree, with its name."""

_LARGEST_FORMULA: Final = 40
_LARGEST_OPERAND: Final = 4
"""More leaves than that are counted, not written out: in a sentence, and in the short form of a step."""
LARGEST_EXACT_ON_PICTURE: Final = 9_999_999


def tell(history: History, iteration: int) -> str:
    """What happened in this iteration, in a sentence; at 0 the start."""
    if not iteration:
        return f"The start: {start_text(history)}."
    return f"{head_and_text(*verdict_and_step(_moment_at(history, iteration)))}."


def tell_briefly(history: History, iteration: int) -> str:
    """What was tried and what it does to the error, such as ``insert ∧ x₄ above x₂, 31 → 15 wrong rows``."""
    return verdict_and_step(_moment_at(history, iteration))[1] if iteration else "the start"


def tell_preview(step: Step, parent: Node | None, config: RunConfig) -> str:
    """What a step would do, in a sentence."""
    moment = Moment(
        config=config, iteration=step.iteration, tree=parent, step=step, parent=parent, is_preview=True
    )
    return f"{head_and_text(*verdict_and_step(moment))}."


def _moment_at(history: History, iteration: int) -> Moment:
    """What the sentences need of an iteration."""
    step = history.step_at(iteration)
    return Moment(
        config=history.config_at(iteration),
        iteration=iteration,
        tree=step.tree,
        step=step,
        parent=step.parent,
    )


def announcement(history: History, iteration: int, state: State | None) -> str:
    """What somebody who listens hears of a step: its iteration, its sentence, and ``Stuck.`` where it is that."""
    said = f"Iteration {iteration:,}. {tell(history, iteration)}"
    is_said = state in (State.SOLVED, State.PLATEAU, State.STUCK)
    return f"{said} {str(state).capitalize()}." if is_said else said


def start_text(history: History) -> str:
    """The tree that the run starts from."""
    start = history.start
    if start is None:
        return "the empty tree"
    leaves = counted(start.leaves, "leaf")
    what = f"a tree with {leaves}"
    if start.leaves <= _LARGEST_FORMULA:
        what = f"{format_formula(start, UNICODE)} ({leaves})"
    error = history.start_error
    return what if error is None else f"{what}, error {number_text(error)}"


def mutation_text(moment: Moment) -> str:
    """What a moment's step tried, in words: ``change x₁ to x₅``, ``insert ∧ x₃ above x₂``, ``delete x₂ ∨ x₄``."""
    step, parent = moment.step, moment.parent
    assert step is not None
    variable = UNICODE.variable(step.variable)
    if parent is None:
        if step.offspring_leaves:
            return f"plant {variable}"
        return f"{'delete' if step.operation is Operation.DEL else 'change'} a leaf of the empty tree"
    return phrase(step.mutation, name_of(node_at(parent, step.node), step.node))


def name_of(node: Node, number: int) -> str:
    """A node as an operand: ``x₂``, ``x₂ ∨ x₄``, ``the ∧ of 7 leaves``, ``the whole tree``."""
    if isinstance(node, Inner) and number == ROOT:
        return "the whole tree"
    if node.leaves <= _LARGEST_OPERAND:
        return format_formula(node, UNICODE)
    return f"the {label_of(node)} of {node.leaves:,} leaves"


def phrase(mutation: Mutation, node: str) -> str:
    """A mutation of the node of this name, as a verb phrase."""
    variable = UNICODE.variable(mutation.variable)
    if mutation.operation is Operation.SUB:
        return f"change {node} to {variable}"
    if mutation.operation is Operation.DEL:
        return f"delete {node}"
    return f"insert {UNICODE.function(mutation.function)} {variable} above {node}"


def verdict_and_step(moment: Moment) -> tuple[str, str]:
    """What became of a moment's step, then what it tried and did: ``Accepted``, ``delete x₅, 7 → 3 wrong rows``.

    While the verdict is hidden it is a question.
    """
    step = moment.step
    assert step is not None
    if moment.is_verdict_hidden:
        return "Accepted or rejected?", mutation_text(moment).capitalize()
    return _verdict_first(moment, step), _outcome_text(moment, step)


def head_and_text(head: str, text: str) -> str:
    """Both as one sentence: a question is followed by an answer, anything else by a colon."""
    return f"{head}{' ' if head.endswith('?') else ': '}{text}" if head and text else head or text


def _verdict_first(moment: Moment, step: Step) -> str:
    if step.verdict is Verdict.UNCHANGED:
        return "Would change nothing" if moment.is_preview else "No change"
    word = "accepted" if step.is_accepted else "rejected"
    return f"Would be {word}" if moment.is_preview else word.capitalize()


def _outcome_text(moment: Moment, step: Step) -> str:
    """What was tried and what it does to the error, or why nobody looked at that."""
    tried, config = mutation_text(moment), moment.config
    if step.verdict is Verdict.UNCHANGED:
        if moment.parent is None:
            return (
                f"the empty tree has nothing to {'delete' if step.operation is Operation.DEL else 'change'}"
            )
        if step.operation is Operation.DEL:
            return f"tried to {tried}, but the root is never deleted"
        variable = UNICODE.variable(step.variable)
        return f"{variable} replaced by {variable}"
    if step.verdict is Verdict.TOO_LARGE:
        return f"{tried}, {counted(step.offspring_leaves, 'leaf')}, limit {config.max_leaves:,}"
    if step.offspring_error is None:
        return tried
    misled = ", but worse on all rows" if step.true_error_grew else ""
    return f"{tried}, {wrong_rows_text(step.parent_error, step.offspring_error, config)}{misled}"


def wrong_rows_text(before: int | None, after: int, config: RunConfig) -> str:
    """How many rows are wrong, and were before: ``7 → 3 wrong rows``, ``still 2 of 5 sampled rows wrong``."""
    new = compact(after)
    if before is None:
        change, rest = new, ""
    elif before == after:
        change, rest = f"still {new}", ""
    elif compact(before) != new:
        change, rest = f"{compact(before)} → {new}", ""
    else:  # rounded they look the same
        change, rest = new, f", {compact(abs(after - before))} {'fewer' if after < before else 'more'}"
    if config.rows is not None:
        return f"{change} of {counted(config.rows, 'sampled row')} wrong{rest}"
    return f"{change} wrong {'row' if after == 1 else 'rows'}{rest}"


def compact(number: int) -> str:
    """A number as one reads it on a picture: very large ones as a power of ten."""
    return number_text(number, LARGEST_EXACT_ON_PICTURE)


def is_on_sample(step: Step, config: RunConfig) -> bool:
    """Whether a step's verdict says how its offspring looks on a sample; a first leaf is compared with nothing."""
    return config.is_sampled and step.parent_error is not None


def verdict_word(verdict: Verdict, *, is_sampled: bool = False) -> str:
    """A verdict in a word or two; on sampled rows an offspring may be better without looking so."""
    words = VERDICT_WORDS[verdict]
    return _WORDS_ON_SAMPLE.get(verdict, words) if is_sampled else words


def verdict_text(verdict: Verdict, *, is_sampled: bool = False) -> str:
    """The verdict with what it means for the offspring, for a legend."""
    word = verdict_word(verdict, is_sampled=is_sampled)
    return f"{word}, {'accepted' if verdict.is_accepted else 'rejected'}"


def leaf_number(tree: Node, number: int) -> int:
    """Which leaf from the left the node with this number is, or the first one below it."""
    _, path = node_path(tree, number)
    return 1 + sum(ancestor.left.leaves for ancestor, sibling in path if ancestor.left is sibling)


def node_text(tree: Node, number: int) -> str:
    """A node by what it is: ``leaf 3, x₇``, ``x₂ ∧ x₃``, ``the ∨ of 7 leaves``, ``the root``."""
    node = node_at(tree, number)
    if number == ROOT:
        return "the root"
    if isinstance(node, Leaf):
        return f"leaf {leaf_number(tree, number):,}, {label_of(node)}"
    if node.leaves <= _LARGEST_OPERAND:
        return format_formula(node, UNICODE)
    return f"the {label_of(node)} of {node.leaves:,} leaves"


def label_of(node: Node) -> str:
    """What is written in a node."""
    return UNICODE.variable(node.variable) if isinstance(node, Leaf) else UNICODE.function(node.function)
