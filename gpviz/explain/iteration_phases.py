"""An iteration opened into its phases: what each did in a sentence, and where it is in the pseudocode.

The two algorithms are lines of pseudocode in our own layout, fitted to the settings of a run.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from gpviz.engine import UNICODE, Function, Leaf, Node, Operation, RunConfig, Side, Step, Verdict
from gpviz.engine.mutation import is_unchanged
from gpviz.engine.tree import node_path
from gpviz.explain.moment import Moment
from gpviz.explain.step_text import VERDICT_SYMBOLS, is_on_sample, label_of, verdict_word
from gpviz.explain.verdict_reason import reason_text
from gpviz.number_text import counted, number_text, ordinal, rows_text

_PARTS: Final = re.compile(r"\*(?P<keyword>[^*]+)\*|\[(?P<name>\w+):(?P<unknown>[^\]]*)\]|(?P<text>[^*\[]+)")
"""In the drafts below: ``*keyword*`` and ``[name:what stands there while the value is unknown]``."""
_Draft = tuple[str, int, str]


class Code(StrEnum):
    """Which of the two algorithms."""

    SEARCH = "RLS-GP"
    MUTATION = "HVL-Prime"


class Ink(StrEnum):
    """What a part of a line is, and so how it is set."""

    TEXT = "text"
    KEYWORD = "keyword"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a line. A value has a name; once it is known it stands instead of ``text``."""

    ink: Ink
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of pseudocode; ``key`` names it whatever its number."""

    key: str
    number: int
    indent: int
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The line with no value filled in."""
        words = [part.text.strip() for part in self.parts]
        return " ".join(word for word in words if word)


@dataclass(frozen=True, slots=True)
class Listing:
    """One algorithm: its name, a remark for its heading, and its lines."""

    code: Code
    title: str
    remark: str
    lines: tuple[Line, ...]

    def line(self, key: str) -> Line | None:
        """The line of this key, where the algorithm has one with these settings."""
        return next((line for line in self.lines if line.key == key), None)


@lru_cache(maxsize=64)
def listings_of(config: RunConfig, *, has_start: bool = False) -> tuple[Listing, Listing]:
    """The search and its mutation, as a run with these settings does them."""
    limit = config.max_leaves
    size = "no limit" if limit is None else f"at most {counted(limit, 'leaf')}"
    deletion = "subtree deletion" if config.has_subtree_deletion else "leaf-only deletion"
    return (
        Listing(Code.SEARCH, Code.SEARCH.value, size, _set(_search(config, has_start=has_start))),
        Listing(Code.MUTATION, f"{Code.MUTATION} (X)", deletion, _set(_mutation(config))),
    )


def _search(config: RunConfig, *, has_start: bool) -> list[_Draft]:
    drafts = [
        ("start", 0, f"X ← {'the given tree' if has_start else 'the empty tree'}"),
        ("loop", 0, "*for* t = [t:1, 2, 3, …]"),
    ]
    if config.rows is not None:
        rows = counted(config.rows, "row")
        drafts.append(("rows", 1, f"*draw* {rows} afresh"))
    drafts.append(("call", 1, "X′ ← HVL-Prime (X)"))
    errors = "error (X′) [offspring:] ≤ error (X) [parent:]"
    if config.max_leaves is None:
        drafts.append(("errors", 1, f"*if* {errors}"))
    else:
        limit = number_text(config.max_leaves)
        drafts.append(("size", 1, f"*if* leaves (X′) [leaves:] ≤ {limit}"))
        drafts.append(("errors", 1, f"*and* {errors}"))
    drafts.append(("accept", 2, "X ← X′ [accepted:]"))
    drafts.append(("reject", 1, "*else* keep X [rejected:]"))
    return drafts


def _mutation(config: RunConfig) -> list[_Draft]:
    functions = ", ".join(UNICODE.function(function) for function in config.functions)
    names = [UNICODE.variable(number) for number in range(1, min(config.n, 3) + 1)]
    if config.n > 3:
        names[1:] = ["…", UNICODE.variable(config.n)]
    planting = "X ← the leaf [leaf:l]"
    if config.empty_tree != "any":
        planting = f"*if* op = INS *then* {planting}"
    pool = "node" if config.has_subtree_deletion else "leaf"
    return [
        ("operation", 0, "*draw* op [operation:] from INS, DEL, SUB"),
        ("leaf", 0, f"*draw* l [leaf:] from {', '.join(names)}"),
        ("function", 0, f"*draw* f [function:] from {functions}"),
        ("empty", 0, "*if* X is empty"),
        ("plant", 1, planting),
        ("ins", 0, "*else if* op = INS"),
        ("ins_choose", 1, "*choose* a node x [node:]"),
        (
            "ins_build",
            1,
            "put [function:f] over x [x:] and l [leaf:] [side:in any order]",
        ),
        ("del", 0, "*else if* op = DEL"),
        ("del_choose", 1, f"*choose* a {pool} x [node:]"),
        ("del_build", 1, "x's parent [above:] gives way to x's sibling [sibling:]"),
        ("sub", 0, "*else if* op = SUB"),
        ("sub_choose", 1, "*choose* a leaf x [node:]"),
        ("sub_build", 1, "put l [leaf:] in the place of x [x:]"),
        ("return", 0, "*return* X"),
    ]


def _set(drafts: list[_Draft]) -> tuple[Line, ...]:
    return tuple(
        Line(key, number, indent, _parts(draft)) for number, (key, indent, draft) in enumerate(drafts, 1)
    )


def _parts(draft: str) -> tuple[Part, ...]:
    parts = []
    for found in _PARTS.finditer(draft):
        if found["keyword"] is not None:
            parts.append(Part(Ink.KEYWORD, found["keyword"]))
        elif found["name"] is not None:
            parts.append(Part(Ink.VALUE, found["unknown"], found["name"]))
        else:
            parts.append(Part(Ink.TEXT, found["text"]))
    return tuple(parts)


def draw_sentence(step: Step, parent: Node | None) -> str:
    variable, function = UNICODE.variable(step.variable), UNICODE.function(step.function)
    drawn = f"{step.operation}, {variable} and {function} were drawn"
    if parent is None:
        return f"{drawn}; the empty tree has no node to choose."
    if step.operation is Operation.INS:
        return f"{drawn}: a new {function} with a new leaf {variable} will be inserted."
    if step.operation is Operation.SUB:
        return f"{drawn}: a leaf will become {variable}; substitution ignores {function}."
    return f"{drawn}: a node will be deleted; deletion ignores {variable} and {function}."


def choose_sentence(step: Step, parent: Node, config: RunConfig) -> str:
    node, path = node_path(parent, step.node)
    is_any = step.operation is Operation.INS or (
        step.operation is Operation.DEL and config.has_subtree_deletion
    )
    what = f"a leaf {label_of(node)}" if isinstance(node, Leaf) else f"a {label_of(node)}"
    if not isinstance(node, Leaf) and step.operation is not Operation.SUB:
        what = f"{what} with {counted(node.leaves, 'leaf')} below it"
    where = f"the {ordinal(step.node)} node" if path else "the root"
    if parent.size == 1:
        return f"The tree has one node, {label_of(node)}, so it is chosen."
    pool = f"{number_text(parent.size)} nodes" if is_any else counted(parent.leaves, "leaf")
    return f"Of {pool}, all equally likely, {where} was chosen: {what}."


def build_sentence(step: Step, parent: Node | None) -> str:
    variable, function = UNICODE.variable(step.variable), UNICODE.function(step.function)
    if parent is None:
        if step.tree is None:
            done = "delete" if step.operation is Operation.DEL else "substitute"
            return (
                f"The empty tree has nothing to {done}, and only an insertion adds the first leaf: it "
                "stays empty."
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
    return f"{label} and the {label_of(above)} above it go; the sibling {moved} moves up."


def size_sentence(step: Step, limit: int) -> str:
    size, most = counted(step.offspring_leaves, "leaf", "no"), number_text(limit)
    if step.verdict is Verdict.TOO_LARGE:
        return f"The offspring has {size}, more than the limit {most}: it is rejected without evaluation."
    return f"The offspring has {size}, within the limit {most}: it is evaluated."


def evaluate_sentence(step: Step, parent: Node | None, config: RunConfig) -> str:
    rows = f"all {rows_text(config.n)} rows"
    if config.rows is not None:
        drawn = counted(config.rows, "row")
        rows = f"the {drawn} drawn for this iteration"
    if step.verdict is Verdict.UNCHANGED:
        same = _error_text(step.parent_error)
        return f"Parent and offspring are equal, so they have the same error on {rows}: {same}."
    new = _error_text(step.offspring_error)
    if parent is None:
        return f"The first leaf is wrong on {new} of {rows}; the empty tree has no error to compare with."
    return f"The offspring is wrong on {new} of {rows}, its parent on {_error_text(step.parent_error)}."


def _error_text(error: int | None) -> str:
    return number_text(error) if error else "none"


class Phase(StrEnum):
    """The parts of an iteration, in their order."""

    DRAW = "draw"
    CHOOSE = "choose"
    BUILD = "build"
    SIZE = "size"
    EVALUATE = "evaluate"
    VERDICT = "verdict"


PHASES: Final = tuple(Phase)

PHASE_TITLES: Final = MappingProxyType({phase: phase.capitalize() for phase in Phase})

_HEADINGS: Final = {
    Phase.DRAW: "Draw the operation, the variable and the function",
    Phase.CHOOSE: "Choose the node",
    Phase.BUILD: "Build the offspring",
    Phase.SIZE: "Check its size",
    Phase.EVALUATE: "Evaluate",
    Phase.VERDICT: "Verdict",
}


class Kind(StrEnum):
    """What a value is, and so which colour it has."""

    OPERATION = "operation"
    LEAF = "leaf"
    AND = "and"
    OR = "or"
    NUMBER = "number"
    VERDICT = "verdict"


@dataclass(frozen=True, slots=True)
class Value:
    """A value that is filled into the pseudocode."""

    text: str
    kind: Kind
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A line that the phase is at. The line that called the other algorithm waits, and is not current."""

    code: Code
    key: str
    is_current: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseView:
    """One phase of a step.

    ``values`` are known from this phase on, and belong into the lines in ``reached``. ``moment`` is what the
    canvas shows; ``pulsing`` is the uid of the chosen node in it, until the verdict.
    """

    index: int
    phase: Phase
    heading: str
    sentence: str
    marks: tuple[Mark, ...]
    reached: frozenset[tuple[Code, str]]
    values: Mapping[str, Value]
    moment: Moment
    pulsing: int | None

    @property
    def iteration(self) -> int:
        return self.moment.iteration


def phases_of(moment: Moment) -> tuple[PhaseView, ...]:
    """The phases that this iteration had; none at iteration 0.

    What did not happen is left out: the empty tree has no node to choose, without a limit no size is checked, and
    what is too large is never evaluated. While the verdict is hidden, so are the phases that give it away.
    """
    if moment.step is None:
        return ()
    views: list[PhaseView] = []
    values: dict[str, Value] = {"t": Value(number_text(moment.iteration), Kind.NUMBER)}
    reached: set[tuple[Code, str]] = {(Code.SEARCH, "loop"), (Code.SEARCH, "rows")}
    listings = {listing.code: listing for listing in listings_of(moment.config)}
    for phase in _phases(moment, moment.step):
        all_marks, new_values, sentence = _content(phase, moment, moment.step)
        marks = tuple(mark for mark in all_marks if listings[mark.code].line(mark.key))
        values |= new_values
        reached |= {(mark.code, mark.key) for mark in marks}
        views.append(
            PhaseView(
                index=len(views),
                phase=phase,
                heading=_HEADINGS[phase],
                sentence=sentence,
                marks=marks,
                reached=frozenset(reached),
                values=MappingProxyType(dict(values)),
                moment=_shown(phase, moment),
                pulsing=_pulsing(phase, moment, moment.step),
            )
        )
    return tuple(views)


def hidden_preview(moment: Moment) -> Moment:
    """The step as it is proposed to its parent, without its end."""
    return replace(moment, tree=moment.parent, is_preview=True, is_verdict_hidden=True)


def _phases(moment: Moment, step: Step) -> Iterator[Phase]:
    yield Phase.DRAW
    if moment.parent is not None:
        yield Phase.CHOOSE
    yield Phase.BUILD
    if moment.is_verdict_hidden:
        return
    is_tree = moment.offspring is not None
    if is_tree and moment.config.max_leaves is not None:
        yield Phase.SIZE
    if is_tree and step.verdict is not Verdict.TOO_LARGE:
        yield Phase.EVALUATE
    yield Phase.VERDICT


def _content(phase: Phase, moment: Moment, step: Step) -> tuple[list[Mark], dict[str, Value], str]:
    """The lines that a phase marks, the values that become known in it, and what it did."""
    config, parent = moment.config, moment.parent
    waiting = Mark(Code.SEARCH, "call", is_current=False)
    branch = step.operation.lower()
    match phase:
        case Phase.DRAW:
            drawn = {
                "operation": Value(step.operation, Kind.OPERATION),
                "leaf": Value(UNICODE.variable(step.variable), Kind.LEAF),
                "function": Value(UNICODE.function(step.function), _kind(step.function)),
            }
            marks = [waiting, *(Mark(Code.MUTATION, key) for key in drawn)]
            return marks, drawn, draw_sentence(step, parent)
        case Phase.CHOOSE:
            assert parent is not None
            node, path = node_path(parent, step.node)
            where = f"{ordinal(step.node)} node" if path else "root"
            kind = _kind_of(node)
            passed = Mark(Code.MUTATION, branch, is_current=False)
            marks = [waiting, passed, Mark(Code.MUTATION, f"{branch}_choose")]
            chosen = {"node": Value(f"{label_of(node)} · {where}", kind), "x": Value(label_of(node), kind)}
            return marks, chosen, choose_sentence(step, parent, config)
        case Phase.BUILD:
            marks = [waiting, Mark(Code.MUTATION, f"{branch}_build")]
            if parent is None:
                empty = Mark(Code.MUTATION, "empty", is_current=False)
                marks = [waiting, empty, Mark(Code.MUTATION, "plant")]
            return marks, _built(moment, step), build_sentence(step, parent)
        case Phase.SIZE:
            assert config.max_leaves is not None
            leaves = Value(number_text(step.offspring_leaves), Kind.NUMBER)
            return [Mark(Code.SEARCH, "size")], {"leaves": leaves}, size_sentence(step, config.max_leaves)
        case Phase.EVALUATE:
            errors = {"offspring": _error(step.offspring_error), "parent": _error(step.parent_error)}
            return [Mark(Code.SEARCH, "errors")], errors, evaluate_sentence(step, parent, config)
        case Phase.VERDICT:
            word = verdict_word(step.verdict, is_sampled=is_on_sample(step, config))
            value = Value(f"{VERDICT_SYMBOLS[step.verdict]} {word}", Kind.VERDICT, step.verdict)
            key, slot = ("accept", "accepted") if step.is_accepted else ("reject", "rejected")
            return [Mark(Code.SEARCH, key)], {slot: value}, reason_text(moment)


def _built(moment: Moment, step: Step) -> dict[str, Value]:
    if moment.parent is None:
        return {}
    if step.operation is Operation.INS:
        return {"side": Value(step.side, Kind.NUMBER)}
    _, path = node_path(moment.parent, step.node)
    if step.operation is Operation.SUB or not path:
        return {}
    above, sibling = path[-1]
    return {
        "sibling": Value(label_of(sibling), _kind_of(sibling)),
        "above": Value(label_of(above), _kind_of(above)),
    }


def _shown(phase: Phase, moment: Moment) -> Moment:
    match phase:
        case Phase.DRAW | Phase.CHOOSE:
            return Moment(
                config=moment.config, iteration=moment.iteration, tree=moment.parent, origin=moment.origin
            )
        case Phase.VERDICT:
            return moment
        case _:
            return hidden_preview(moment)


def _pulsing(phase: Phase, moment: Moment, step: Step) -> int | None:
    if moment.parent is None or phase in (Phase.DRAW, Phase.VERDICT):
        return None
    return node_path(moment.parent, step.node)[0].uid


def _kind(function: Function) -> Kind:
    return Kind.AND if function is Function.AND else Kind.OR


def _kind_of(node: Node) -> Kind:
    return Kind.LEAF if isinstance(node, Leaf) else _kind(node.function)


def _error(error: int | None) -> Value:
    return Value("none" if error is None else number_text(error), Kind.NUMBER)
