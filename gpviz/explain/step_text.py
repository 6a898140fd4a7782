"""A step in sentences: what was drawn, what came of it, and why it was kept or not."""

from types import MappingProxyType
from typing import Final, NamedTuple

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Operation, State, Verdict
from gpviz.engine.formula import UNICODE, format_formula
from gpviz.engine.mutation import Mutation, describe, is_root_and
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
        Verdict.WORSE: "▼",
        Verdict.TOO_LARGE: "✕",
    }
)
"""A symbol for each verdict, the same everywhere, for those who cannot tell the colours."""

ROOT_AND_TEXT: Final = "⇑ root-and"
"""The sign of a root-and, which puts an AND on top of the tree, with its name."""

_LARGEST_FORMULA: Final = 40
_LARGEST_OPERAND: Final = 4
"""More leaves than that are counted, not written out: in a sentence, and in the short form of a step."""
LARGEST_EXACT_ON_PICTURE: Final = 9_999_999


_OPERATION_NAMES: Final = {
    Operation.INS: "Insertion",
    Operation.DEL: "Deletion",
    Operation.SUB: "Substitution",
}


class _Mood(NamedTuple):
    """The parts of a sentence that differ between what a step did and what it would do."""

    accepted: str
    rejected: str
    solved: str
    misled: str

    def verdict(self, step: Step) -> str:
        return self.accepted if step.is_accepted else self.rejected


_DONE: Final = _Mood("accepted", "rejected", "The tree computes the target.", "the sample misled")
_WOULD: Final = _Mood(
    "would be accepted", "would be rejected", "It would compute the target.", "the sample misleads"
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


def announcement(history: History, iteration: int, state: State | None) -> str:
    """What somebody who listens hears of a step, such as ``Iteration 81, improved, error 1. Stuck.``"""
    parts = [f"Iteration {iteration:,}"]
    if iteration:
        step = history.step_at(iteration)
        is_sampled = is_on_sample(step, history.config_at(iteration))
        parts.append(verdict_word(step.verdict, is_sampled=is_sampled))
    error = history.error_at(iteration)
    if error is not None:
        parts.append(f"error {number_text(error)}")
    is_said = state in (State.SOLVED, State.PLATEAU, State.STUCK)
    return f"{', '.join(parts)}.{f' {str(state).capitalize()}.' if is_said else ''}"


def tell_start(history: History) -> str:
    """What the run starts from, as a sentence of its own."""
    return f"The start: {start_text(history)}."


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


def tell_step(step: Step, parent: Node | None, config: RunConfig) -> str:
    """What was drawn for this parent, what the offspring is like, and what became of it."""
    return _step_text(step, parent, config, _DONE)


def tell_preview(step: Step, parent: Node | None, config: RunConfig) -> str:
    """What a step would do."""
    return _step_text(step, parent, config, _WOULD)


def tell_step_briefly(step: Step, parent: Node | None, config: RunConfig) -> str:
    """The step in one line."""
    word = verdict_word(step.verdict, is_sampled=is_on_sample(step, config))
    what = _drawn_briefly(parent, step)
    if step.verdict is Verdict.TOO_LARGE:
        return f"{what}: {step.offspring_leaves:,} leaves > limit {config.max_leaves:,}, {word}"
    before, after = step.parent_error, step.offspring_error
    if step.verdict is Verdict.UNCHANGED or after is None:
        return f"{what}: {word}"
    if step.true_error_grew:
        word = f"{word}, but is worse on all rows"
    errors = number_text(after) if before == after else errors_text(before, after)
    return f"{what}: error {errors}, {word}"


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
        return f"{label_of(node)} → {variable}"
    if mutation.node == ROOT:
        return "the root"
    if node.leaves <= _LARGEST_OPERAND:
        return format_formula(node, UNICODE)
    return f"{label_of(node)} of {node.leaves:,} leaves"


def errors_text(before: int | None, after: int) -> str:
    """How an error changed: ``3 → 1``, ``stays 3``; only the new one where there was none."""
    new = number_text(after)
    if before is None:
        return new
    if before == after:
        return f"stays {new}"
    if number_text(before) != new:
        return f"{number_text(before)} → {new}"
    # Rounded they look the same.
    return f"{new}, {number_text(abs(after - before))} {'less' if after < before else 'more'}"


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


def _step_text(step: Step, parent: Node | None, config: RunConfig, mood: _Mood) -> str:
    if parent is not None:
        return f"{_drawn(parent, step.mutation)} {_outcome(step, config, mood)}"
    drawn = _planted(step)
    if step.tree is None:
        return f"{drawn[:-1]}: {mood.accepted}."
    return f"{drawn} {_judged(step, config, mood)}"


def _planted(step: Step) -> str:
    """What was drawn for the empty tree, as a sentence."""
    variable, name = UNICODE.variable(step.variable), _OPERATION_NAMES[step.operation]
    if step.tree is None:
        done = "delete" if step.operation is Operation.DEL else "substitute"
        return f"{name} was drawn, but the empty tree has nothing to {done}."
    if step.operation is not Operation.INS:
        return f"{name} was drawn; on the empty tree it adds the first leaf, {variable}."
    return f"Insertion of the first leaf, {variable}."


def _drawn(parent: Node, mutation: Mutation) -> str:
    """What HVL-Prime drew, as a sentence."""
    node = node_at(parent, mutation.node)
    variable = UNICODE.variable(mutation.variable)
    if mutation.operation is Operation.INS:
        if is_root_and(parent, mutation):
            return f"Insertion at the root: a root-and with {variable}."
        joined = f"{UNICODE.function(mutation.function)} {variable}"
        return f"Insertion of {joined} at {node_text(parent, mutation.node)}."
    if mutation.operation is Operation.SUB:
        leaf, old = f"leaf {leaf_number(parent, mutation.node):,}", label_of(node)
        return f"Substitution: {leaf} " + (
            f"stays {old}." if old == variable else f"changes from {old} to {variable}."
        )
    if mutation.node == ROOT:
        return "Deletion drew the root, which is never deleted."
    size = "" if isinstance(node, Leaf) or node.leaves > _LARGEST_OPERAND else f" ({node.leaves} leaves)"
    return f"Deletion of {node_text(parent, mutation.node)}{size}."


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


def _drawn_briefly(parent: Node | None, step: Step) -> str:
    mutation = step.mutation
    if parent is None:
        return f"{mutation.operation} on the empty tree" if step.tree is None else describe(None, mutation)
    return f"{mutation.operation} {operands_text(parent, step)}"


def _outcome(step: Step, config: RunConfig, mood: _Mood) -> str:
    """What the offspring is like, and what becomes of it."""
    if step.verdict is Verdict.TOO_LARGE:
        size = counted(step.offspring_leaves, "leaf")
        return f"{size} are more than the limit {config.max_leaves:,}: {mood.rejected} without evaluation."
    if step.verdict is Verdict.UNCHANGED:
        return f"Nothing changes: {mood.accepted}."
    text = " ".join(filter(None, (_judged(step, config, mood), pitfalls_text(step, config))))
    if step.true_error_grew:
        return f"{text} On all rows it is worse: {mood.misled}."
    if step.verdict is Verdict.IMPROVED and not step.offspring_error and not config.is_sampled:
        return f"{text} {mood.solved}"
    return text


def pitfalls_text(step: Step, config: RunConfig) -> str:
    """Which pitfalls of sampled runs a step fell for, but for a growing error, which has a sentence of its own."""
    if not config.is_sampled:
        return ""
    names = [f"a copy of {UNICODE.variable(step.variable)}"] * step.duplicate_accepted
    names += ["an OR"] * step.or_accepted
    return f"Pitfall{'s' * (len(names) > 1)}: {' and '.join(names)}." if names else ""


def _judged(step: Step, config: RunConfig, mood: _Mood) -> str:
    """``Error 3 → 1: accepted.``"""
    word = mood.verdict(step)
    if step.offspring_error is None:
        return f"{word.capitalize()}."
    errors = errors_text(step.parent_error, step.offspring_error)
    rows = config.rows
    if rows is None:
        return f"Error {errors}: {word}."
    where = "only row" if rows == 1 else f"{number_text(rows)} rows"
    if step.parent_error is None:
        return f"On this iteration's {where}: error {errors}, {word}."
    looks = verdict_word(step.verdict, is_sampled=True)
    return f"On this iteration's {where} it {looks}, error {errors}: {word}."
