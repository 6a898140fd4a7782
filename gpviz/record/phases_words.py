"""What each phase of a step did, in one sentence with the values that were drawn."""

from gpviz.engine import UNICODE, Leaf, Node, Operation, RunConfig, Side, Step, Verdict
from gpviz.engine.mutation import is_unchanged
from gpviz.engine.tree import node_path
from gpviz.record.telling import counted, number_text, ordinal, rows_text

__all__ = [
    "build_sentence",
    "choose_sentence",
    "draw_sentence",
    "evaluate_sentence",
    "label_of",
    "size_sentence",
    "verdict_sentence",
]


def label_of(node: Node) -> str:
    """What is written in a node."""
    return UNICODE.variable(node.variable) if isinstance(node, Leaf) else UNICODE.function(node.function)


def draw_sentence(step: Step, parent: Node | None) -> str:
    variable, function = UNICODE.variable(step.variable), UNICODE.function(step.function)
    drawn = f"{step.operation}, {variable} and {function} were drawn"
    if parent is None:
        return f"{drawn}; the empty tree has no node to choose."
    if step.operation is Operation.INS:
        return f"{drawn}: a new {function} with a new leaf {variable} will be inserted."
    if step.operation is Operation.SUB:
        return f"{drawn}: a leaf will become {variable}; a substitution has no use for {function}."
    return f"{drawn}: something will be deleted; a deletion has no use for {variable} and {function}."


def choose_sentence(step: Step, parent: Node, config: RunConfig) -> str:
    node, path = node_path(parent, step.node)
    is_any = step.operation is Operation.INS or (
        step.operation is Operation.DEL and config.has_subtree_deletion
    )
    what = f"a leaf {label_of(node)}" if isinstance(node, Leaf) else f"a {label_of(node)}"
    if not isinstance(node, Leaf) and step.operation is not Operation.SUB:
        what = f"{what} with {counted(node.leaves, 'leaf')} below it"
    where = f"the {ordinal(step.node + 1)} node" if path else "the root"
    if parent.size == 1:
        return f"The tree has one node, {label_of(node)}, so that is chosen."
    pool = f"{number_text(parent.size)} nodes" if is_any else counted(parent.leaves, "leaf")
    return f"Of {pool}, all equally likely, {where} was chosen: {what}."


def build_sentence(step: Step, parent: Node | None) -> str:
    variable, function = UNICODE.variable(step.variable), UNICODE.function(step.function)
    if parent is None:
        if step.tree is None:
            done = "delete" if step.operation is Operation.DEL else "substitute"
            return (
                f"The empty tree has nothing to {done}, and only an insertion plants a leaf: it stays empty."
            )
        anyway = "" if step.operation is Operation.INS else ", whatever the operation"
        return f"The tree is empty, so {variable} becomes its first leaf{anyway}."
    node, path = node_path(parent, step.node)
    label = label_of(node)
    if step.operation is Operation.INS:
        old, new = ("right", "left") if step.side is Side.LEFT else ("left", "right")
        goes = f"which goes to its {old}; the new leaf {variable} goes to its {new}"
        return f"A new {function} takes the place of the chosen {label}, {goes}."
    if step.operation is Operation.SUB:
        if is_unchanged(parent, step.mutation):
            return f"{label} is replaced by {variable} itself: the offspring equals its parent."
        return f"The leaf {label} becomes {variable}."
    if not path:
        return (
            "The root has no parent and no sibling, so nothing is deleted: the offspring equals its parent."
        )
    above, sibling = path[-1]
    moved = label_of(sibling) if isinstance(sibling, Leaf) else f"{label_of(sibling)} and all below it"
    return f"{label} goes, and the {label_of(above)} above it; the sibling {moved} moves up."


def size_sentence(step: Step, limit: int) -> str:
    size, most = counted(step.offspring_leaves, "leaf"), number_text(limit)
    if step.verdict is Verdict.TOO_LARGE:
        return f"The offspring has {size}, more than the limit {most}: it is not even evaluated."
    return f"The offspring has {size}, no more than the limit {most}: it is worth evaluating."


def evaluate_sentence(step: Step, parent: Node | None, config: RunConfig) -> str:
    rows = f"all {rows_text(config.n)} rows"
    if config.rows is not None:
        drawn = counted(config.rows, "row")
        rows = f"the {drawn} drawn for this iteration"
    if step.verdict is Verdict.UNCHANGED:
        return (
            f"On {rows} parent and offspring, being equal, have the same error: {_error(step.parent_error)}."
        )
    new = _error(step.offspring_error)
    if parent is None:
        return f"Of {rows} the first leaf is wrong on {new}; the empty tree has no error to compare with."
    return f"Of {rows} the offspring is wrong on {new}, its parent on {_error(step.parent_error)}."


def verdict_sentence(step: Step, parent: Node | None, config: RunConfig) -> str:
    """Why the offspring was kept or not."""
    if step.verdict is Verdict.TOO_LARGE:
        most = number_text(config.max_leaves or 0)
        return (
            f"{number_text(step.offspring_leaves)} > {most}: the offspring is too large, so the parent stays."
        )
    if parent is None:
        if step.tree is None:
            return "Nothing has changed: the tree stays empty."
        return "A first leaf is always accepted: it is the tree from now on."
    if step.verdict is Verdict.UNCHANGED:
        return "The offspring equals its parent: it is accepted, and nothing changes."
    compared = _compared(step.offspring_error or 0, step.parent_error or 0)
    if step.verdict is Verdict.WORSE:
        return f"{compared}: the offspring is worse, so the parent stays."
    if step.is_truly_worse:
        return f"{compared}: accepted, though on all rows the offspring is worse; the sample was misleading."
    if step.verdict is Verdict.NEUTRAL:
        return f"{compared}: the offspring is no worse, so it takes its parent's place."
    if step.offspring_error == 0 and not config.is_sampled:
        return f"{compared}: the offspring is better, it computes the target, and takes its parent's place."
    return f"{compared}: the offspring is better and takes its parent's place."


def _compared(new: int, old: int) -> str:
    """The errors with the sign between them; rounded ones that look the same are told by their difference."""
    first, second = number_text(new), number_text(old)
    if new != old and first == second:
        return f"{number_text(abs(new - old))} {'more' if new > old else 'fewer'} wrong rows"
    return f"{first} {'=' if new == old else '>' if new > old else '<'} {second}"


def _error(error: int | None) -> str:
    return number_text(error) if error else "none"
