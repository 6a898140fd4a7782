"""The state of a tree in sentences: what it can become and why, what holds each leaf, and what proves it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import nsmallest
from typing import Final, NamedTuple

from gpviz.analysis import Neighbour
from gpviz.analysis.neighbourhood import neighbours_of, totals_of
from gpviz.analysis.redundant_leaves import Analysis, LeafReason, analyse
from gpviz.engine import (
    UNICODE,
    Inner,
    Leaf,
    Mutation,
    Node,
    Operation,
    RunConfig,
    Side,
    State,
    TooComplexError,
    TreeState,
    Verdict,
    apply,
    tree_state,
)
from gpviz.engine.forced_mutation import judge
from gpviz.engine.mutation import fresh_uids, is_root_and
from gpviz.engine.target import target_for
from gpviz.engine.tree import ROOT, node_at, nodes_of
from gpviz.explain.moment import Moment
from gpviz.explain.step_text import (
    LARGEST_EXACT_ON_PICTURE,
    ROOT_AND_TEXT,
    label_of,
    leaf_number,
    node_text,
    wrong_rows_text,
)
from gpviz.number_text import chance_text, change_text, counted, number_text, rows_text
from gpviz.runs.history import History

STUCK_CLAIM: Final = "No sequence of accepted mutations improves this tree."
_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MOST_NEIGHBOURS: Final = 200_000
"""Of a tree with more mutations than that only so many are looked at."""
MOST_LISTED: Final = 8
"""As many improving mutations are named here; the page of neighbours lists them all."""
_ASKED_EVERY: Final = 256
ShouldStop = Callable[[], bool]


class LeafGroup(NamedTuple):
    """Subtrees of which any single one could go as a whole, each by the uids of its nodes, and a text for them."""

    subtrees: tuple[tuple[int, ...], ...]
    text: str

    @property
    def roots(self) -> tuple[int, ...]:
        return tuple(nodes[0] for nodes in self.subtrees)


def plateau_size(kinds: int) -> str:
    """How many trees the proof that a tree is stuck has looked at."""
    if kinds == 1:
        return "The plateau has one tree up to symmetry; it has no way out."
    return f"The plateau has {number_text(kinds)} trees up to symmetry; none has a way out."


def number_word(number: int) -> str:
    """A small number as a word."""
    return _NUMBERS[number - 1] if 1 <= number <= len(_NUMBERS) else number_text(number)


def leaf_notes(analysis: Analysis | None) -> dict[int, tuple[str, str]]:
    """What stands below each leaf of a stuck tree, by uid: the cost of deleting and of changing it.

    There is one for every leaf or none at all: a leaf without would look as if it could go.
    """
    if analysis is None or analysis.tree is None or analysis.state.state is not State.STUCK:
        return {}
    if len(analysis.reasons) < analysis.tree.leaves:
        return {}
    return {uid: (_deletion(reason), _substitution(reason)) for uid, reason in analysis.reasons.items()}


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


def _deletion(reason: LeafReason) -> str:
    return "never deleted" if reason.deletion is None else f"delete {error_change(reason.deletion)}"


def _substitution(reason: LeafReason) -> str:
    if reason.substitution is None:
        return "never changed"
    return f"change ≥ {error_change(reason.substitution)}" if reason.substitution else "change ±0"


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


@dataclass(frozen=True, slots=True)
class LeafCost:
    """By how much the mutations of a leaf would change the error.

    ``number`` counts leaves from the left, starting at 1; ``role`` says whether the tree needs the leaf, and
    if not, what could be removed together with it.
    """

    number: int
    uid: int
    label: str
    is_redundant: bool
    reason: LeafReason
    role: str


@dataclass(frozen=True, slots=True)
class Improvement:
    """A mutation that improves the tree, with the probability that the next iteration draws it."""

    mutation: Mutation
    text: str
    probability: Fraction
    error_change: int | None


@dataclass(frozen=True, slots=True)
class PathStep:
    """One mutation of a way out: what it does in a sentence, what comes of it, and the error after it."""

    mutation: Mutation
    text: str
    verdict: Verdict
    error: int


@dataclass(frozen=True, slots=True)
class Proof:
    """What there is to say of a tree under ``config``.

    ``claim`` is the main sentence, ``argument`` why it holds, step by step, ``note`` what one has to know besides.
    ``is_what_if`` marks a rule that is not the run's own.
    """

    tree: Node | None
    config: RunConfig
    state: TreeState | None
    title: str
    claim: str
    argument: tuple[str, ...] = ()
    note: str = ""
    leaves: tuple[LeafCost, ...] = ()
    improvements: tuple[Improvement, ...] = ()
    path: tuple[PathStep, ...] = ()
    is_what_if: bool = False

    @property
    def mutations(self) -> list[Mutation]:
        """The way out."""
        return [step.mutation for step in self.path]


def prove(tree: Node | None, config: RunConfig, should_stop: ShouldStop | None = None) -> Proof:
    """The state of a tree, proven. It may take long; once ``should_stop`` says so, the answer is worth nothing."""
    try:
        analysis = analyse(tree, config, should_stop)
        state = analysis.state
        if state.state is State.CLIMBING:
            return _climbing(tree, config, state, should_stop)
        path = _path(tree, state.way_out, config)
    except TooComplexError:
        return _too_complex(tree, config)
    claim, note = _claim(analysis, config)
    argument = _argument(analysis)
    title = {
        State.STUCK: "Stuck",
        State.PLATEAU: f"Flat: a way out in {counted(len(path), 'step')}",
        State.SOLVED: "Solved",
        State.UNDECIDED: "Undecided",
    }[state.state]
    return Proof(tree, config, state, title, claim, argument, note, _costs(analysis), (), path)


def prove_with_subtree_deletion(
    tree: Node | None, config: RunConfig, should_stop: ShouldStop | None = None
) -> Proof:
    """What the tree could become if whole subtrees could be deleted."""
    changed = config.replaced(deletion="subtree")
    try:
        state = tree_state(tree, changed, should_stop=should_stop)
        path = _path(tree, state.way_out, changed)
    except TooComplexError:
        return _too_complex(tree, changed, is_what_if=True)
    steps = len(path)
    if state.state is State.STUCK:
        title = "Still stuck"
        claim = f"Even with subtree deletion there is no way out. {plateau_size(state.plateau_trees)}"
    elif steps == 1:
        title = "A way out"
        claim = f"With subtree deletion one mutation improves the tree, {_errors(state, path, changed)}."
    elif path:
        title = "A way out"
        claim = f"Subtree deletion opens a way out: {steps:,} accepted mutations, {_errors(state, path, changed)}."
    else:
        title = "Solved" if state.state is State.SOLVED else "Undecided"
        claim = state.reason
    note = "This is not the run's own rule: it deletes single leaves only."
    return Proof(tree, changed, state, title, claim, (), note, (), (), path, is_what_if=True)


def moment_along(
    history: History, iteration: int, config: RunConfig, mutations: Sequence[Mutation], applied: int
) -> Moment:
    """The picture after some mutations of a way out from the tree of this iteration, judged under ``config``.

    The rules may be others than the run's own; the errors are those on all rows, also in a sampled run.
    """
    config = _on_all_rows(config)
    tree = before = history.tree_at(iteration)
    step = None
    for number, mutation in enumerate(mutations[:applied], start=iteration + 1):
        before = tree
        step = judge(config, before, mutation, number, fresh_uids(history.first_uid, number))
        tree = step.tree
    if step is None:
        return Moment(config=config, iteration=iteration, tree=tree, origin=history.origin)
    return Moment(
        config=config,
        iteration=iteration,
        tree=tree,
        step=step,
        parent=before,
        offspring=tree,
        origin=history.origin,
    )


def instruction_text(tree: Node | None, mutation: Mutation) -> str:
    """A mutation as an instruction."""
    variable = UNICODE.variable(mutation.variable)
    if tree is None:
        return f"Plant {variable}"
    if mutation.operation is Operation.INS:
        where = "the whole tree" if mutation.node == ROOT else node_text(tree, mutation.node)
        sign = f" ({ROOT_AND_TEXT})" if is_root_and(tree, mutation) else ""
        return f"Insert {UNICODE.function(mutation.function)} {variable} above {where}{sign}"
    if mutation.operation is Operation.DEL:
        return f"Delete {node_text(tree, mutation.node)}"
    old = label_of(node_at(tree, mutation.node))
    return f"Change leaf {leaf_number(tree, mutation.node):,} from {old} to {variable}"


def _climbing(
    tree: Node | None, config: RunConfig, state: TreeState, should_stop: ShouldStop | None
) -> Proof:
    improving: list[Neighbour] = []
    is_cut = False
    for looked_at, neighbour in enumerate(neighbours_of(tree, _on_all_rows(config))):
        if looked_at >= MOST_NEIGHBOURS or (
            looked_at % _ASKED_EVERY == 0 and should_stop is not None and should_stop()
        ):
            is_cut = True
            break
        if neighbour.verdict is Verdict.IMPROVED:
            improving.append(neighbour)
    listed = _sides_merged(improving)
    best = nsmallest(MOST_LISTED, listed, key=_by_error)
    improvements = tuple(
        Improvement(
            each.mutation,
            instruction_text(tree, each.mutation),
            each.probability,
            each.error_change,
        )
        for each in best
    )
    claim = "Any first leaf is accepted."
    argument: tuple[str, ...] = ()
    if tree is not None:
        total = totals_of(improving).probabilities[Verdict.IMPROVED]
        root_ands = sum(is_root_and(tree, each.mutation) for each in improving)
        claim = f"{_improving(len(improving), total, is_cut, config)}{_root_ands(root_ands, len(improving))}"
        if config.max_leaves is not None and tree.leaves >= config.max_leaves:
            argument = (_full(tree, config.max_leaves),)
    note = _note(config)
    if len(listed) > MOST_LISTED:
        note = f"These are the best {number_word(MOST_LISTED)}; Neighbours lists them all. {note}".strip()
    path = () if improvements else _path(tree, state.way_out, config)
    title = "Empty" if tree is None else "Climbing"
    return Proof(tree, config, state, title, claim, argument, note, (), improvements, path)


def _improving(count: int, total: Fraction | float, is_cut: bool, config: RunConfig) -> str:
    does, do = ("improves the tree", "improve the tree")
    if config.is_sampled:
        does, do = ("gives a tree that is better", "give trees that are better")
    where = " on all rows" if config.is_sampled else ""
    if is_cut:
        return f"Among the first {MOST_NEIGHBOURS:,} mutations {count:,} {do}{where}."
    mutations = f"One mutation {does}" if count == 1 else f"{number_word(count).capitalize()} mutations {do}"
    return f"{mutations}{where}, with a probability of {chance_text(total)} in each iteration."


def _root_ands(count: int, improving: int) -> str:
    if not count:
        return ""
    if count == improving:
        return " It is a root-and." if count == 1 else " All of them are root-ands."
    return f" {number_word(count).capitalize()} of them {'is a root-and' if count == 1 else 'are root-ands'}."


def _sides_merged(neighbours: Sequence[Neighbour]) -> list[Neighbour]:
    """An insertion on the left and the same one on the right as one, with the probability of both."""
    merged: dict[Mutation, Neighbour] = {}
    for each in neighbours:
        key = each.mutation._replace(side=Side.LEFT)
        same = merged.get(key)
        merged[key] = each if same is None else same._replace(probability=same.probability + each.probability)
    return list(merged.values())


def _claim(analysis: Analysis, config: RunConfig) -> tuple[str, str]:
    """The main sentence and what has to be known besides."""
    state = analysis.state
    if state.state is State.STUCK:
        return STUCK_CLAIM, (
            "Trees that differ only in grouping, in order or in the names of their variables count as one."
        )
    if state.state is State.PLATEAU:
        steps = number_word(len(state.way_out))
        return f"No single mutation improves this tree, but {steps} accepted in a row can.", ""
    if state.state is State.SOLVED:
        return f"The tree computes the target: it is right on all {rows_text(config.n)} rows.", _note(config)
    if config.is_sampled:
        claim = "No tree of a sampled run is stuck for good. A sample of rows may accept any offspring."
        return claim, _note(config)
    return f"It is not known whether this tree can be improved. {state.reason}", _note(config)


def _argument(analysis: Analysis) -> tuple[str, ...]:
    """Why a full tree is what it is, step by step."""
    tree, rules, state = analysis.tree, analysis.rules, analysis.state
    if tree is None or rules.max_leaves is None or state.state is State.SOLVED:
        return ()
    full = _full(tree, rules.max_leaves)
    if state.state is State.STUCK:
        return full, *_cost_texts(analysis), plateau_size(state.plateau_trees)
    if state.state is State.PLATEAU:
        checked = "one tree" if state.plateau_trees == 1 else f"{number_text(state.plateau_trees)} trees"
        return (
            full,
            "No deletion and no substitution lowers the error at once.",
            f"No way out is shorter: gpviz examined {checked} of the plateau, up to symmetry.",
        )
    return (full,)


def _full(tree: Node, limit: int) -> str:
    return f"The tree is full ({tree.leaves:,}/{limit:,} leaves), so every insertion is rejected."


def _cost_texts(analysis: Analysis) -> tuple[str, ...]:
    """What deletions and substitutions do to a stuck tree, as far as that is known of every leaf."""
    tree, reasons = analysis.tree, tuple(analysis.reasons.values())
    assert tree is not None
    if len(reasons) < tree.leaves:
        return ("No deletion and no substitution improves it.",)
    costs = [reason.deletion for reason in reasons if reason.deletion is not None]
    if not costs:
        deletion = "Its only leaf is the root, which is never deleted."
    elif analysis.rules.has_subtree_deletion:
        deletion = "Every deletion, of a leaf or of a subtree, costs rows; deleting the root changes nothing."
    else:
        deletion = f"Every deletion costs {_rows(min(costs), is_exact=min(costs) == max(costs))}."
    least = min(reason.substitution or 0 for reason in reasons)
    if least:
        return deletion, f"Every substitution by another variable costs {_rows(least, is_exact=False)}."
    return deletion, "No substitution gains rows; one that costs none leads to another tree of the plateau."


def _rows(number: int, *, is_exact: bool) -> str:
    rows = counted(number, "row")
    return rows if is_exact else f"at least {rows}"


def _note(config: RunConfig) -> str:
    if not config.is_sampled:
        return ""
    return (
        "This is about what is better, on all rows. Each iteration sees only a sample of them;"
        " Neighbours shows how likely an offspring is to look better there."
    )


def _errors(state: TreeState, path: tuple[PathStep, ...], config: RunConfig) -> str:
    return wrong_rows_text(state.error, path[-1].error, _on_all_rows(config))


def _too_complex(tree: Node | None, config: RunConfig, *, is_what_if: bool = False) -> Proof:
    claim = "The state of this tree takes too long to work out exactly."
    return Proof(tree, config, None, "Not known", claim, is_what_if=is_what_if)


def _costs(analysis: Analysis) -> tuple[LeafCost, ...]:
    """What the mutations of each leaf of a stuck tree would cost."""
    costs = []
    leaves = (node for node in nodes_of(analysis.tree) if isinstance(node, Leaf))
    for number, leaf in enumerate(leaves, start=1):
        reason = analysis.reasons.get(leaf.uid)
        if reason is not None:
            label, is_redundant = UNICODE.variable(leaf.variable), leaf.uid in analysis.redundant
            role = leaf_role(leaf.uid, analysis)
            costs.append(LeafCost(number, leaf.uid, label, is_redundant, reason, role))
    return tuple(costs)


def _path(tree: Node | None, mutations: tuple[Mutation, ...], config: RunConfig) -> tuple[PathStep, ...]:
    """The way out with what each mutation comes to, on all rows."""
    target = target_for(config.n)
    steps = []
    for mutation in mutations:
        after = apply(tree, mutation, (-1, -2))
        error = target.error(after)
        is_better = tree is None or error < target.error(tree)
        verdict = Verdict.IMPROVED if is_better else Verdict.NEUTRAL
        steps.append(PathStep(mutation, instruction_text(tree, mutation), verdict, error))
        tree = after
    return tuple(steps)


def _on_all_rows(config: RunConfig) -> RunConfig:
    return config.replaced(fitness="complete", rows=None) if config.is_sampled else config


def _by_error(neighbour: Neighbour) -> tuple[int, float]:
    """The best first; of equally good ones the likelier."""
    return neighbour.error or 0, -float(neighbour.probability)
