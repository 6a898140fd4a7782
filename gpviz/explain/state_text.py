"""The state of a tree in sentences: what it can become and why, what holds each leaf, what could go together."""

from types import MappingProxyType
from typing import Final, NamedTuple

from gpviz.analysis.redundant_leaves import Analysis, LeafReason
from gpviz.engine import UNICODE, Inner, Leaf, Mutation, Node, Operation, State
from gpviz.engine.tree import node_at, nodes_of
from gpviz.explain.step_text import LARGEST_EXACT_ON_PICTURE, leaf_number, node_text
from gpviz.number_text import change_text, number_text, rows_text

BADGES: Final = MappingProxyType({state: state.name for state in State})
"""The states as one word, to be seen from far away."""

STUCK_CLAIM: Final = "No sequence of accepted mutations improves this tree."
_SOLVED_CLAIM: Final = "The tree computes the target."
_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class StateText(NamedTuple):
    """A state as one word, the sentence that matters, the reason for it, and what else is known."""

    badge: str
    claim: str
    reason: str = ""
    more: str = ""

    @property
    def sentence(self) -> str:
        """All of it."""
        return " ".join(filter(None, (f"{self.badge.capitalize()}.", self.claim, self.reason, self.more)))


class LeafGroup(NamedTuple):
    """Subtrees of which any single one could go as a whole, each by the uids of its nodes, and a text for them."""

    subtrees: tuple[tuple[int, ...], ...]
    text: str

    @property
    def roots(self) -> tuple[int, ...]:
        return tuple(nodes[0] for nodes in self.subtrees)


def state_text(analysis: Analysis) -> StateText:
    """What an analysis says of its tree; every sentence holds for this very tree under these very rules."""
    state, tree, rules = analysis.state, analysis.tree, analysis.rules
    badge = BADGES[state.state]
    if state.state is State.STUCK:
        more = [plateau_size(state.plateau_trees)]
        if state.error is not None and state.error <= rules.accept_error:
            most = number_text(rules.accept_error)
            more.append(f"The run accepts an error of at most {most}.")
        return StateText(badge, STUCK_CLAIM, _why_stuck(analysis), " ".join(more))
    if state.state is State.PLATEAU:
        steps = number_word(len(state.way_out))
        claim = f"No single mutation improves this tree, but {steps} accepted in a row can."
        return StateText(badge, claim, _way_out_begins(tree, state.way_out[0], analysis))
    if state.state is State.SOLVED:
        return StateText(badge, _SOLVED_CLAIM, f"It is right on all {rows_text(rules.n)} rows.")
    if state.state is State.CLIMBING:
        return StateText(badge, "A single mutation can improve this tree.", state.reason)
    if rules.is_sampled:
        claim = "No tree of a sampled run is stuck for good."
        return StateText(badge, claim, "A sample of rows may accept any offspring.")
    return StateText(badge, "It is not known whether this tree can be improved.", state.reason)


def plateau_size(kinds: int) -> str:
    """How many trees the proof that a tree is stuck has looked at."""
    if kinds == 1:
        return "The plateau has one tree up to symmetry; it has no way out."
    return f"The plateau has {number_text(kinds)} trees up to symmetry; none has a way out."


def size_text(tree: Node | None, max_leaves: int | None) -> str:
    """How full a tree is: ``9/9 full``, ``7/9 leaves``; empty where there is no limit."""
    if max_leaves is None:
        return ""
    leaves = 0 if tree is None else tree.leaves
    return f"{leaves:,}/{max_leaves:,} {'full' if leaves >= max_leaves else 'leaves'}"


def number_word(number: int) -> str:
    """A small number as a word."""
    return _NUMBERS[number - 1] if 1 <= number <= len(_NUMBERS) else number_text(number)


def leaf_notes(analysis: Analysis | None) -> dict[int, tuple[str, str]]:
    """What stands below each leaf of a stuck tree, by uid: the cost of deleting and of relabelling it.

    There is one for every leaf or none at all: a leaf without would look as if it could go.
    """
    if analysis is None or analysis.tree is None or analysis.state.state is not State.STUCK:
        return {}
    if len(analysis.reasons) < analysis.tree.leaves:
        return {}
    return {uid: (_deletion(reason), _relabelling(reason)) for uid, reason in analysis.reasons.items()}


def error_change(change: int) -> str:
    """What a mutation costs, on a picture: ``+3``, ``±0``."""
    return change_text(change, LARGEST_EXACT_ON_PICTURE)


def groups_of(analysis: Analysis | None) -> tuple[LeafGroup, ...]:
    """The largest subtrees of a stuck tree that could go as a whole while none of their leaves can go alone.

    Of two halves of one node either could go, but not both, as the one that is left takes the place of both.
    """
    if analysis is None or analysis.tree is None or not analysis.removable:
        return ()
    groups = []
    pending: list[Node] = [analysis.tree]
    while pending:
        node = pending.pop()
        if isinstance(node, Leaf):
            continue
        found = [child for child in (node.left, node.right) if _goes_only_whole(child, analysis)]
        if len(found) == 2:
            text = "either half could go as a whole, but not leaf by leaf"
        else:
            text = "could go as a whole, but not leaf by leaf"
        if found:
            groups.append(
                LeafGroup(tuple(tuple(each.uid for each in nodes_of(child)) for child in found), text)
            )
        pending += [child for child in (node.right, node.left) if all(child is not each for each in found)]
    return tuple(groups)


def leaf_role(uid: int, analysis: Analysis) -> str:
    """Whether the tree needs a leaf, and if not, with what it could be removed."""
    if uid not in analysis.redundant:
        return "essential"
    reason = analysis.reasons.get(uid)
    if analysis.state.state is not State.STUCK or reason is None:
        return "removable, alone or with others"
    if not reason.deletion:
        return "removable"  # such a tree would not be stuck, unless the leaf is all of it
    around = _smallest_removable(uid, analysis)
    if around is None:
        return "removable only together with others"
    if around.leaves == 2:
        return "removable only together with its sibling"
    return f"removable only together with {number_word(around.leaves - 1)} other leaves"


def _why_stuck(analysis: Analysis) -> str:
    """Why nothing leads on, as far as the reasons of the leaves are known."""
    tree, limit = analysis.tree, analysis.rules.max_leaves
    assert tree is not None
    full = f"It is full ({tree.leaves:,}/{limit:,})"
    if len(analysis.reasons) < tree.leaves:
        return f"{full}, and no deletion or substitution improves it."
    if isinstance(tree, Leaf):
        return f"{full}: its only leaf is never deleted, and any substitution leads to a tree just as stuck."
    if any(reason.substitution == 0 for reason in analysis.reasons.values()):
        return f"{full}: every deletion costs rows, and substitutions only lead to trees just as stuck."
    return f"{full}, and every deletion or substitution costs rows or changes nothing."


def _way_out_begins(tree: Node | None, first: Mutation, analysis: Analysis) -> str:
    """What is different on a plateau: the first of the mutations that lead on."""
    assert tree is not None
    full = f"It is full ({tree.leaves:,}/{analysis.rules.max_leaves:,})"
    node = node_at(tree, first.node)
    if first.operation is Operation.DEL:
        what = node_text(tree, first.node) + ("," if isinstance(node, Leaf) else "")
        return f"{full}, but deleting {what} costs no rows and makes room."
    assert isinstance(node, Leaf)
    old, new = UNICODE.variable(node.variable), UNICODE.variable(first.variable)
    leaf = f"leaf {leaf_number(tree, first.node):,}"
    return f"{full}, but changing {leaf} from {old} to {new} costs no rows and leads on."


def _deletion(reason: LeafReason) -> str:
    return "never deleted" if reason.deletion is None else f"delete {error_change(reason.deletion)}"


def _relabelling(reason: LeafReason) -> str:
    if reason.substitution is None:
        return "never relabelled"
    return f"relabel ≥ {error_change(reason.substitution)}" if reason.substitution else "relabel ±0"


def _goes_only_whole(node: Node, analysis: Analysis) -> bool:
    if node.uid not in analysis.removable:
        return False
    reasons = [analysis.reasons.get(leaf.uid) for leaf in nodes_of(node) if isinstance(leaf, Leaf)]
    return all(reason is not None and (reason.deletion or 0) > 0 for reason in reasons)


def _smallest_removable(uid: int, analysis: Analysis) -> Node | None:
    """The smallest subtree around a leaf that could go without loss."""
    found = None
    node = analysis.tree
    while isinstance(node, Inner):
        if node.uid in analysis.removable:
            found = node
        node = node.left if any(each.uid == uid for each in nodes_of(node.left)) else node.right
    return found
