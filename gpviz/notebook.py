"""What notebooks show: pictures of trees, steps, runs and neighbourhoods, and runs to step through in a cell.

A picture is what `_repr_svg_` of each gives: a card with words, curves and the tree, one below the other. It has
a ground of its own, and stays small: large trees are folded, and long runs thinned out.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from gpviz import assets
from gpviz.analysis.neighbourhood import Neighbourhood
from gpviz.analysis.redundant_leaves import Analysis, analyse
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Outcome, State, Verdict
from gpviz.engine.errors import GpvizError, InvalidValueError, TooComplexError, whole_number
from gpviz.engine.formula import UNICODE, format_formula, parse
from gpviz.engine.interruption import Deadline
from gpviz.engine.mutation import apply
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Result, Step
from gpviz.engine.tree import Inner, Leaf, Node, largest_uid, nodes_of, variables_of
from gpviz.experiments.figures.axis_ticks import ErrorScale, count_ticks
from gpviz.explain.moment import Moment, Overlay, tree_at
from gpviz.explain.next_iteration_odds import MutationOdds, drift_text
from gpviz.explain.step_text import VERDICT_SYMBOLS, verdict_word
from gpviz.explain.tree_text import error_text, limit_text
from gpviz.export.registry import MOST_ON_A_PAGE, kind_named, studied
from gpviz.export.request import ExportRequest
from gpviz.export.web_page import page_text
from gpviz.number_text import chance_text, counted, number_text
from gpviz.picture.banner import banner_of
from gpviz.picture.compose import FRAMED, picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.fit import natural_size
from gpviz.picture.items import Font, Item, Shape, shifted
from gpviz.picture.options import Options
from gpviz.picture.regions import unit_of
from gpviz.picture.svg import svg_of
from gpviz.picture.text_width import text_width, wrapped
from gpviz.picture.verdict_badge import VERDICT_COLOURS, symbol_badge
from gpviz.runs.branches import search_at
from gpviz.runs.curve_series import RunSeries
from gpviz.runs.history import History
from gpviz.runs.presets import Preset, find_preset
from gpviz.runs.replay import replay_all
from gpviz.runs.run_file import Bookmark, RunFile, load
from gpviz.runs.settings_text import settings_text

_LONGEST_FORMULA: Final = 60
"""In leaves: longer formulas are counted instead."""
_MOST_SECONDS: Final = 1.0
"""So long a picture waits for the state of its tree."""
_MOST_NOTED: Final = 120
"""In nodes: notes below more of them lie on each other."""
_MOST_COLUMNS: Final = 500
_MOST_DOTS: Final = 60
_ROOT_LOG_BITS: Final = 40
"""Errors with more bits are placed by the root of their logarithm, as in the window."""
_LARGEST_DENOMINATOR: Final = 100_000
_HEIGHTS: Final = (200, 4000)

_MOST_WIDE: Final = 860.0
"""In pixels, about as wide as a cell of a notebook, like all sizes here."""
_MOST_HIGH: Final = 560.0
_PADDING: Final = 14.0
_GAP: Final = 10.0
_LEADING: Final = 1.4
_HEAD: Final = 15.0
_SMALL: Final = 12.0
_UNIT: Final = 0.7
"""How large type is in the picture of a tree, however small it is; 1 is that of the window."""
_SCALE: Final = 0.8
_BANNER: Final = (520.0, 70.0)
_COUNTER: Final = (560.0, 40.0)
_NOTES: Final = 60.0
"""The space that these need at least, or besides the tree."""
_STRETCHED: Final = 1.4
"""A wide tree that is drawn smaller is drawn so much higher."""
_NOTE: Final = 11.0
_BELOW_NODE: Final = 34.0
"""The type of a note, and how far below the middle of a node it is, at scale 1."""
_MOST_NODES: Final = 240
"""In larger trees the smallest subtrees are folded."""
_CURVE: Final = (560.0, 165.0)
_LEFT: Final = 52.0
_TOP: Final = 22.0
_BELOW: Final = 36.0
_DOT: Final = 2.6
_BAR: Final = (520.0, 24.0)

_OUTCOME_COLOURS: Final = {Outcome.SOLVED: "solved_text", Outcome.STUCK: "stuck_text"}

Pictured = Leaf | Inner | Step | RlsGp | Neighbourhood | Result | History


def svg(value: Pictured) -> str:
    """The picture of a value."""
    match value:
        case Leaf() | Inner():
            return _tree_svg(value)
        case Step():
            return _step_svg(value)
        case Result():
            return _result_svg(value)
        case Neighbourhood():
            return _neighbourhood_svg(value)
        case RlsGp():
            return _search_svg(value)
        case History():
            return _history_svg(value)
    raise TypeError(f"there is no picture of a {type(value).__name__}")


def _tree_svg(tree: Node) -> str:
    if len({node.uid for node in nodes_of(tree)}) < tree.size:
        tree = parse(format_formula(tree))  # put together by hand, with uids that say nothing
    return _card(
        f"A tree with {counted(tree.leaves, 'leaf')}",
        _formula(tree),
        [_tree(tree), _words(_formula(tree))],
    )


def _formula(tree: Node | None) -> str:
    """The formula of a tree, or how large it is."""
    if tree is None:
        return "The empty tree."
    if tree.leaves <= _LONGEST_FORMULA:
        return format_formula(tree, UNICODE)
    return f"{counted(tree.leaves, 'leaf')}, {counted(tree.ors, 'OR')}"


# --- a step ---


def _step_svg(step: Step) -> str:
    moment = _moment_of(step)
    banner = banner_of(moment, None)
    assert banner is not None
    head = f"Iteration {step.iteration:,}"
    return _card(
        f"{head}: {banner.sentence}",
        _formula(step.tree),
        [_heading(head), _moment(moment, Options(has_counter=False))],
    )


def _moment_of(step: Step) -> Moment:
    """A step as a moment of a run; of the run's settings a step knows no more than these."""
    uid = largest_uid(step.parent) + 1
    offspring = step.tree if step.is_accepted else apply(step.parent, step.mutation, (uid, uid + 1))
    most = max(step.variable, *(variables_of(tree).bit_length() for tree in (step.tree, step.parent)))
    # Only an insertion makes a tree larger, by one leaf: one that is too large gives the limit away.
    limit = str(step.offspring_leaves - 1) if step.verdict is Verdict.TOO_LARGE else "inf"
    return Moment(
        config=RunConfig(n=most, limit=limit),
        iteration=step.iteration,
        tree=step.tree,
        step=step,
        parent=step.parent,
        offspring=offspring,
    )


# --- a run ---


def _search_svg(search: RlsGp) -> str:
    return _run_card(
        Moment(config=search.config, iteration=search.iteration, tree=search.tree, error=search.error)
    )


def _history_svg(history: History) -> str:
    last = len(history)
    moment = replace(tree_at(history, last), config=history.config_after(last))
    return _run_card(moment, _curve(history))


def _run_card(moment: Moment, *curves: "_Block") -> str:
    config, tree, error = moment.config, moment.tree, moment.error
    analysis = _known(tree, config)
    facts = [f"Iteration {moment.iteration:,}"]
    facts += [] if error is None else [f"error {error_text(error, config)}"]
    facts.append(f"{limit_text(0 if tree is None else tree.leaves, config)} leaves")
    has_banner = analysis is not None and analysis.state.state in FRAMED
    banner = banner_of(moment, analysis) if has_banner else None
    state = [] if banner is None else [banner.sentence]
    return _card(
        f"RLS-GP, {settings_text(config)}",
        " ".join((f"{', '.join(facts)}.", *state, _formula(tree))),
        [
            _heading(facts[0], f" · {settings_text(config)}"),
            *curves,
            _moment(moment, Options(has_banner=has_banner), analysis),
        ],
    )


def _known(tree: Node | None, config: RunConfig) -> Analysis | None:
    """What is known of a tree soon; None for one too tangled to count."""
    try:
        return analyse(tree, config, Deadline(_MOST_SECONDS))
    except TooComplexError:
        return None


def _result_svg(result: Result) -> str:
    iterations = counted(result.iterations, "iteration")
    head, rest = result.outcome.value.capitalize(), f" after {iterations}"
    if result.stuck_since is not None:
        rest = f" since iteration {result.stuck_since:,}, proven after {result.iterations:,}"
    facts = [] if result.error is None else [f"error {number_text(result.error)}"]
    facts += [counted(result.leaves, "leaf"), counted(result.ors, "OR")]
    ink = _OUTCOME_COLOURS.get(result.outcome, "text")
    return _card(
        f"{head}{rest}, {', '.join(facts)}",
        _formula(result.tree),
        [_heading(head, f"{rest} · {' · '.join(facts)}", ink), _tree(result.tree)],
    )


def _curve(history: History) -> "_Block":
    """The error of every iteration, however many there are."""
    series = RunSeries(history)
    while not series.take_in(1 << 20):
        pass
    last = len(history)
    line = series.error_line(0, last, _MOST_COLUMNS)
    if not last or not len(line.x):
        return _Block(0, 0, ())
    scale = ErrorScale(is_root_log=series.highest > _ROOT_LOG_BITS)
    top = max(float(scale.places(series.highest)), 1e-9)
    (width, height), right = _CURVE, _CURVE[0] - 14

    def at(iteration: float, level: float) -> tuple[float, float]:
        return (
            _LEFT + (right - _LEFT) * iteration / last,
            _TOP + (height - _TOP) * (1 - level / top),
        )

    items: list[Item] = []
    for level, text in scale.ticks(top, 5):
        _, y = at(0, level)
        items.append(_line((_LEFT, y, right, y), "border"))
        items.append(_text(text, (_LEFT - 6, y + 4, 11), "muted", anchor="end"))
    items.append(_line((_LEFT, _TOP, _LEFT, height, right, height), "control_border"))
    for iteration, text in count_ticks(0, last, 6):
        x, _ = at(iteration, 0)
        items.append(_line((x, height, x, height + 4), "control_border"))
        items.append(_text(text, (x, height + 16, 11), "muted", anchor="middle"))
    items.append(_text("iteration", ((_LEFT + right) / 2, height + 31, 11), "muted", anchor="middle"))
    items.append(_text("error", (_LEFT - 6, _TOP - 12, 11), "muted", anchor="end"))
    levels = scale.places(line.y).tolist()
    points = [at(x, level) for x, level in zip(line.x.tolist(), levels, strict=True) if level == level]
    items.append(_line(_straightened(points), "curve", 1.8))
    dots = series.improvements(0, last, _MOST_DOTS)
    if not history.config.is_sampled and dots.stride == 1:
        places = (at(x, y) for x, y in zip(dots.x.tolist(), scale.places(dots.y).tolist(), strict=True))
        items += [Item("", Shape.DISC, (x, y, _DOT), fill="improved") for x, y in places]
    return _Block(width, height + _BELOW, tuple(items))


def _straightened(points: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    """A line through these points, without those that are there already or on the way of a level piece."""
    kept: list[tuple[float, float]] = []
    for x, y in points:
        point = round(x, 1), round(y, 1)
        if kept and kept[-1] == point:
            continue
        if len(kept) > 1 and kept[-2][1] == kept[-1][1] == point[1]:
            kept.pop()
        kept.append(point)
    return tuple(value for point in kept for value in point)


# --- a neighbourhood ---


def _neighbourhood_svg(around: Neighbourhood) -> str:
    odds = MutationOdds(
        around.tree,
        around.config.rules if isinstance(around.config, RunConfig) else around.config,
        around.neighbours,
        around.totals,
        Fraction(1),
        len(around.neighbours),
    )
    improving = odds.probability(Verdict.IMPROVED)
    is_sampled = odds.rules.is_sampled
    what = "improves this tree" if not is_sampled else "makes an offspring that looks better"
    what = "adds the first leaf" if around.tree is None else what
    is_short = isinstance(improving, Fraction) and 1 < improving.denominator < _LARGEST_DENOMINATOR
    head = f"{chance_text(improving)} chance"
    rest = f" that the next iteration {what}{f' ({improving})' if is_short else ''}"
    if not improving:
        head, rest = "No single mutation", f" {what}"
    chances: dict[int, str] = {}
    heat: dict[int, float] = {}
    if around.tree is not None and around.tree.size <= _MOST_NOTED:
        chances = {uid: chance_text(share.improving) for uid, share in odds.shares.items() if share.improving}
    else:
        heat = {uid: float(share.improving) for uid, share in odds.shares.items()}
    shares = [(verdict, odds.probability(verdict)) for verdict in Verdict if odds.probability(verdict)]
    better = "the offspring looks better" if is_sampled else "improves the tree"
    below = f"Below a node: the chance that the next iteration mutates it and {better}." if chances else ""
    return _card(
        f"{head}{rest}",
        f"{drift_text(odds)} {_formula(around.tree)}",
        [
            _heading(head, rest),
            _bar(shares, is_sampled=is_sampled),
            _tree(around.tree, chances, Overlay(heat=heat)),
            _words(" ".join(filter(None, (drift_text(odds), below))), _SMALL, most=_BAR[0] + 60),
        ],
    )


def _bar(shares: Sequence[tuple[Verdict, Fraction | float]], *, is_sampled: bool) -> "_Block":
    """The chances of the verdicts as parts of a bar, and below it what each is."""
    width, height = _BAR
    items: list[Item] = []
    start = 0.0
    for verdict, chance in shares:
        wide = float(chance) * width
        points = (start, 0.0, max(wide, 0.5), height, 0.0)
        items.append(Item("", Shape.BOX, points, fill=VERDICT_COLOURS[verdict], stroke="panel", width=1))
        if wide >= 26:
            items += _badge(verdict, start + wide / 2, height / 2, 9)
        start += wide
    x, y = 0.0, height + 20
    for verdict, chance in shares:
        text = f"{verdict_word(verdict, is_sampled=is_sampled)} {chance_text(chance)}"
        wide = 20 + text_width(text, _SMALL)
        if x and x + wide > width:
            x, y = 0.0, y + 22
        items += [*_badge(verdict, x + 8, y - 4, 7), _text(text, (x + 20, y, _SMALL))]
        x += wide + 16
    return _Block(width, y + 6, tuple(items))


def _badge(verdict: Verdict, x: float, y: float, radius: float) -> Iterator[Item]:
    colour, symbol = VERDICT_COLOURS[verdict], VERDICT_SYMBOLS[verdict]
    return symbol_badge("", (x, y), radius, symbol, colour)


# --- a card and what stands on it ---


class _Block(NamedTuple):
    """Items and the space that they fill, from its upper left corner."""

    width: float
    height: float
    items: tuple[Item, ...]
    is_centred: bool = False
    caption: str = ""
    """What has to be said of it."""


def _card(title: str, description: str, blocks: Iterable[_Block]) -> str:
    """Blocks one below the other; title and description are for those who cannot see it."""
    shown = [block for block in blocks if block.height]
    shown += [_words(block.caption, _SMALL) for block in shown if block.caption]
    width = round(max(block.width for block in shown) + 2 * _PADDING)
    items: list[Item] = []
    top = _PADDING
    for block in shown:
        left = (width - block.width) / 2 if block.is_centred else _PADDING
        items += [shifted(item, left, top) for item in block.items]
        top += block.height + _GAP
    height = round(top - _GAP + _PADDING)
    return svg_of(items, width, height, _colours(), title=title, description=description, is_card=True)


def _colours() -> dict[str, str]:
    found: dict[str, str] = assets.theme_data("light")["colours"]
    return found


def _line(points: tuple[float, ...], stroke: str, width: float = 1.0) -> Item:
    return Item("", Shape.LINE, points, stroke=stroke, width=width)


def _text(
    text: str, points: tuple[float, ...], ink: str = "text", font: Font = Font.WORDS, *, anchor: str = "start"
) -> Item:
    return Item("", Shape.TEXT, points, fill=ink, text=text, font=font, anchor=anchor)


def _heading(bold: str, rest: str = "", ink: str = "text") -> _Block:
    """Words on one line, the first of them bold."""
    middle = text_width(bold, _HEAD, Font.BOLD)
    words = [_text(bold, (0, _HEAD, _HEAD), ink, Font.BOLD)]
    words += [_text(rest, (middle, _HEAD, _HEAD), ink)] if rest else []
    return _Block(middle + text_width(rest, _HEAD), _LEADING * _HEAD, tuple(words))


def _words(text: str, size: float = 14, *, most: float = _MOST_WIDE) -> _Block:
    """Quiet words on as many lines as they need."""
    lines = wrapped(text, size, most)
    items = tuple(
        _text(line, (0, size * (_LEADING * number + 1), size), "muted") for number, line in enumerate(lines)
    )
    return _Block(max(text_width(line, size) for line in lines), size * _LEADING * len(lines), items)


def _tree(
    tree: Node | None, chances: Mapping[int, str] | None = None, overlay: Overlay | None = None
) -> _Block:
    """A tree of which nothing else is known; ``chances``, by uids, stand below nodes."""
    most = 1 if tree is None else variables_of(tree).bit_length()
    moment = Moment(config=RunConfig(n=most, limit="inf"), iteration=0, tree=tree)
    options = Options(has_counter=False, has_banner=False, overlay=overlay or Overlay())
    return _moment(moment, options, chances=chances)


def _moment(
    moment: Moment,
    options: Options,
    analysis: Analysis | None = None,
    chances: Mapping[int, str] | None = None,
) -> _Block:
    """The picture of a moment, as large as its tree needs."""
    folded, largest = _folded(moment.tree)
    wide, high = natural_size(moment.tree, _SCALE, folded)
    needs = [_BANNER] * options.has_banner + [_COUNTER] * options.has_counter
    width = min(max([wide + 2 * _PADDING, *(least for least, _ in needs)]), _MOST_WIDE)
    height = min(high * min(_STRETCHED * width / wide, 1.0), _MOST_HIGH) + sum(more for _, more in needs)
    if analysis is not None and analysis.state.state is State.STUCK:
        height += _NOTES
    sized = replace(options, width=width, height=height, folded=folded, has_frame=False)
    picture = picture_of(moment, replace(sized, text_scale=_UNIT / unit_of(sized)), analysis)
    items = [*items_of(picture)]
    noted = chances or {}
    for node in picture.nodes:
        if node.uid in noted:
            items += _note(noted[node.uid], node.x, node.y + _BELOW_NODE * picture.scale)
    caption = f"Subtrees of at most {largest:,} leaves are folded into triangles." if largest else ""
    return _Block(width, height, tuple(items), is_centred=True, caption=caption)


def _note(text: str, x: float, top: float) -> Iterator[Item]:
    """A few words on a ground of their own, so that edges do not run through them."""
    across = text_width(text, _NOTE, Font.BOLD) + 4
    yield Item("", Shape.BOX, (x - across / 2, top, across, 1.2 * _NOTE, 3), fill="panel")
    yield _text(text, (x, top + 0.95 * _NOTE, _NOTE), "improved", Font.BOLD, anchor="middle")


def _folded(tree: Node | None) -> tuple[frozenset[int], int]:
    """What is folded so that a tree can be drawn, with the leaves of the largest."""
    if tree is None or tree.size <= _MOST_NODES:
        return frozenset(), 0
    pairs = [
        (node, child)
        for node in nodes_of(tree)
        if isinstance(node, Inner)
        for child in (node.left, node.right)
    ]
    largest = sorted((child.leaves for _, child in pairs), reverse=True)[_MOST_NODES]
    folded = (child.uid for node, child in pairs if 1 < child.leaves <= largest < node.leaves)
    return frozenset(folded), largest


# --- a run to step through ---


@dataclass(frozen=True, slots=True)
class InteractivePage:
    """A run as a web page that a notebook shows in a frame; it needs neither a network nor the notebook's kernel.

    ``html`` is the page itself.
    """

    title: str
    height: int
    html: str = field(repr=False)

    def _repr_html_(self) -> str:
        # Scripts of the page may run, and reach nothing outside of the frame.
        border = f"border:1px solid {_colours()['border']};border-radius:6px"
        return (
            f'<iframe title="{escape(self.title)}" srcdoc="{escape(self.html)}" sandbox="allow-scripts"'
            f' width="100%" height="{self.height}" style="{border}"></iframe>'
        )


def interactive(
    run: "History | RlsGp | RunFile | Preset | str | os.PathLike[str]", *, height: int = 600, title: str = ""
) -> InteractivePage:
    """A run to step through in a cell of a notebook, as on the exported web page.

    ``run`` is a history, a search (which is repeated from its seed), a saved run or its file, or a preset or its
    name. If a run has branches, it is the branch that was on show. ``height`` is in pixels.
    """
    height = whole_number("height", height, *_HEIGHTS)
    history, bookmarks, usual_title = _recorded(run)
    last = whole_number("iterations of the run", len(history), 0, MOST_ON_A_PAGE)
    title = title or usual_title
    request = ExportRequest(
        kind=kind_named("page"), path=Path("page.html"), at=last, first=0, last=last, title=title
    )
    search = search_at(history, last, history.config_after(last))
    subject = studied(request, search, history, bookmarks, Deadline(_MOST_SECONDS))
    return InteractivePage(title or settings_text(history.config), height, page_text(request, subject))


def _recorded(run: object) -> tuple[History, tuple[Bookmark, ...], str]:
    """The history of a run, with its bookmarks and its title where it has one."""
    if isinstance(run, History):
        return run, (), ""
    if isinstance(run, RlsGp):
        return _done_again(run), (), ""
    if isinstance(run, Preset) or (isinstance(run, str) and not run.endswith(".gpviz")):
        preset = run if isinstance(run, Preset) else find_preset(run)
        search = RlsGp(preset.config, preset.start_tree, preset.script)
        history = History(preset.config, preset.start_tree, preset.script)
        search.run(on_step=history.append, stop_when_stuck=True)
        return history, (), preset.title
    if isinstance(run, str | os.PathLike | RunFile):
        saved = run if isinstance(run, RunFile) else load(run)
        history = replay_all(saved)[saved.shown].history
        return history, tuple(mark for mark in saved.bookmarks if mark.iteration <= len(history)), ""
    raise InvalidValueError(
        "run", run, "a history, a search, the file of a saved run, or the name of a preset"
    )


def _done_again(search: RlsGp) -> History:
    """The history of a run that kept none: its seed gives it once more, unless a person chose mutations."""
    whole_number("iterations of the run", search.iteration, 0, MOST_ON_A_PAGE)
    history = History(search.config, search.start, search.script)
    again = RlsGp(search.config, search.start, search.script)
    for _ in range(search.iteration):
        history.append(again.step())
    if (again.tree, again.error, again.accepted) != (search.tree, search.error, search.accepted):
        raise GpvizError(
            "run: its seed does not repeat it, as mutations were chosen by hand; append its steps to a History"
            " and give that."
        )
    return history
