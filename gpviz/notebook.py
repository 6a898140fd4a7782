"""What notebooks show: pictures of trees, steps, runs and neighbourhoods, and runs to step through in a cell.

A picture is what `_repr_svg_` of each gives. It is drawn without Qt, has a ground of its own, and stays small:
large trees are folded, and long runs thinned out.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Final

from gpviz.analysis.neighbourhood import Neighbourhood
from gpviz.analysis.redundant_leaves import Analysis
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Outcome, State, Verdict
from gpviz.engine.errors import GpvizError, InvalidValueError, TooComplexError, whole_number
from gpviz.engine.formula import UNICODE, format_formula, parse
from gpviz.engine.interruption import Deadline
from gpviz.engine.mutation import apply
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Result, Step
from gpviz.engine.stuck import tree_state
from gpviz.engine.tree import Inner, Leaf, Node, largest_uid, nodes_of, variables_of
from gpviz.experiments.figures.axis_ticks import ErrorScale, count_ticks
from gpviz.explain.moment import Moment
from gpviz.explain.next_iteration_odds import MutationOdds, drift_text
from gpviz.explain.step_picture import step_picture, tree_picture
from gpviz.explain.step_text import callout_of, tell_step, verdict_word
from gpviz.explain.tree_state_text import StateText, state_text
from gpviz.explain.tree_text import error_text, limit_text
from gpviz.export.latex_styles import VERDICT_COLOURS
from gpviz.export.registry import kind_named, studied
from gpviz.export.request import ExportRequest
from gpviz.export.tree_svg import (
    MOST_WIDE,
    Drawing,
    card,
    colour,
    coordinate,
    draw_tree,
    draw_words,
    text_width,
)
from gpviz.export.web_page import page_text
from gpviz.number_text import chance_text, counted, number_text
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
_CURVE: Final = (560, 150)
_LEFT: Final = 52
_BELOW: Final = 36
_MOST_COLUMNS: Final = 500
_MOST_DOTS: Final = 60
_ROOT_LOG_BITS: Final = 40
"""Errors with more bits are placed by the root of their logarithm, as in the window."""
_BAR: Final = (520, 24)
_LARGEST_DENOMINATOR: Final = 100_000
_HEIGHTS: Final = (200, 4000)
_MOST_ITERATIONS: Final = 1_000_000

_STATE_COLOURS: Final = {State.SOLVED: "solved", State.STUCK: "stuck", State.PLATEAU: "plateau"}
_OUTCOME_STATES: Final = {Outcome.SOLVED: State.SOLVED, Outcome.STUCK: State.STUCK}

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
    return card(
        f"A tree with {counted(tree.leaves, 'leaf')}",
        _formula(tree),
        [draw_tree(tree_picture(tree)), draw_words(_formula(tree), ink="muted")],
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
    callout = callout_of(moment)
    assert callout is not None
    sentence = tell_step(step, step.parent, moment.config)
    return card(
        f"Iteration {step.iteration:,}: {callout}",
        f"{sentence} {_formula(step.tree)}",
        [
            _pill(step.verdict, callout.operation, str(callout).removeprefix(callout.operation)),
            draw_tree(step_picture(moment), VERDICT_COLOURS[step.verdict]),
            draw_words(f"Iteration {step.iteration:,}", size=12, ink="muted"),
        ],
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


def _pill(verdict: Verdict, bold: str, text: str) -> Drawing:
    """What a step did and what became of it, with the badge of its verdict."""
    tint, size = colour(VERDICT_COLOURS[verdict]), 15
    width, height = 48 + text_width(bold + text, size), 34
    corner = 17 if verdict.is_accepted else 4
    return Drawing(
        width,
        height,
        (
            f'<rect x=".9" y=".9" width="{coordinate(width - 1.8)}" height="{height - 1.8}" rx="{corner}"'
            f' fill="{colour("panel")}" stroke="{tint}" stroke-width="1.8"/>',
            _badge(verdict, 19, 17),
            '<g transform="translate(36 7)">',
            *draw_words(text, size=size, bold=bold, most=10 * MOST_WIDE).parts,
            "</g>",
        ),
    )


def _badge(verdict: Verdict, x: float, y: float, scale: float = 1.0) -> str:
    """Round for what is accepted, square for what is rejected, with the symbol of the verdict."""
    look = 'fill="none" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'
    ink = colour("panel")
    symbol = {
        Verdict.IMPROVED: f'<path d="M0-5.2L5.4 4.2H-5.4z" fill="{ink}"/>',
        Verdict.WORSE: f'<path d="M0 5.2L5.4-4.2H-5.4z" fill="{ink}"/>',
        Verdict.NEUTRAL: f'<path d="M-5-1.6C-2-5.6 2 .4 5-3.6M-5 3.6C-2-.4 2 5.6 5 1.6" {look} stroke="{ink}"/>',
        Verdict.UNCHANGED: f'<path d="M-5-2.6H5M-5 2.6H5" {look} stroke="{ink}"/>',
        Verdict.TOO_LARGE: f'<path d="M-4-4L4 4M4-4L-4 4" {look} stroke="{ink}"/>',
    }[verdict]
    corner = 10 if verdict.is_accepted else 4
    tint = colour(VERDICT_COLOURS[verdict])
    ground = f'<rect x="-10" y="-10" width="20" height="20" rx="{corner}" fill="{tint}"/>'
    scaled = f" scale({scale:g})" if scale != 1 else ""
    return f'<g transform="translate({coordinate(x)} {coordinate(y)}){scaled}">{ground}{symbol}</g>'


# --- a run ---


def _search_svg(search: RlsGp) -> str:
    return _run_card(search.config, search.iteration, search.tree, search.error)


def _history_svg(history: History) -> str:
    last = len(history)
    config = history.config_after(last)
    return _run_card(config, last, history.tree_at(last), history.error_at(last), _curve(history))


def _run_card(
    config: RunConfig, iteration: int, tree: Node | None, error: int | None, *curves: Drawing
) -> str:
    facts = [f"Iteration {iteration:,}"]
    facts += [] if error is None else [f"error {error_text(error, config)}"]
    facts.append(f"{limit_text(0 if tree is None else tree.leaves, config)} leaves")
    state = _state_of(tree, config)
    banner = [] if state is None else [_banner(*state)]
    head = draw_words(" · ".join(["", *facts[1:]]), bold=facts[0], size=15)
    return card(
        f"RLS-GP, {settings_text(config)}",
        " ".join((f"{', '.join(facts)}.", *([] if state is None else [state[1].sentence]), _formula(tree))),
        [
            head,
            draw_words(settings_text(config), size=12, ink="muted"),
            *curves,
            *banner,
            draw_tree(tree_picture(tree)),
        ],
    )


def _state_of(tree: Node | None, config: RunConfig) -> tuple[State, StateText] | None:
    """The state of a tree from which a run does not simply go on, in words; None for another or an unknown one."""
    try:
        found = tree_state(tree, config, should_stop=Deadline(_MOST_SECONDS))
    except TooComplexError:
        return None
    if found.state not in _STATE_COLOURS:
        return None
    return found.state, state_text(Analysis(tree, config.rules, found))


def _banner(state: State, sentences: StateText) -> Drawing:
    """The state in a word, and what it means."""
    name, size = _STATE_COLOURS[state], 13
    text = draw_words(
        f" {sentences.claim}",
        size=size,
        ink=f"{name}_text",
        bold=f"{sentences.badge.capitalize()}.",
        most=600,
    )
    width, height = text.width + 20, text.height + 12
    return Drawing(
        width,
        height,
        (
            f'<rect x=".7" y=".7" width="{coordinate(width - 1.4)}" height="{coordinate(height - 1.4)}" rx="3"'
            f' fill="{colour(f"{name}_fill")}" stroke="{colour(name)}" stroke-width="1.4"/>',
            '<g transform="translate(10 5)">',
            *text.parts,
            "</g>",
        ),
    )


def _result_svg(result: Result) -> str:
    iterations = counted(result.iterations, "iteration")
    head, rest = result.outcome.value.capitalize(), f" after {iterations}"
    if result.stuck_since is not None:
        rest = f" since iteration {result.stuck_since:,}, proven after {result.iterations:,}"
    facts = [] if result.error is None else [f"error {number_text(result.error)}"]
    facts += [counted(result.leaves, "leaf"), counted(result.ors, "OR")]
    line = f"{rest} · {' · '.join(facts)}"
    state = _OUTCOME_STATES.get(result.outcome)
    ink = "text" if state is None else f"{_STATE_COLOURS[state]}_text"
    return card(
        f"{head}{rest}, {', '.join(facts)}",
        _formula(result.tree),
        [draw_words(line, size=15, bold=head, ink=ink), draw_tree(tree_picture(result.tree))],
    )


def _curve(history: History) -> Drawing:
    """The error of every iteration, however many there are."""
    series = RunSeries(history)
    while not series.take_in(1 << 20):
        pass
    last = len(history)
    line = series.error_line(0, last, _MOST_COLUMNS)
    if not last or not len(line.x):
        return Drawing(0, 0, ())
    scale = ErrorScale(is_root_log=series.highest > _ROOT_LOG_BITS)
    top = max(float(scale.places(series.highest)), 1e-9)
    (width, height), right = _CURVE, _CURVE[0] - 14

    def across(iteration: float) -> str:
        return coordinate(_LEFT + (right - _LEFT) * iteration / last)

    def down(level: float) -> str:
        return coordinate(8 + (height - 8) * (1 - level / top))

    levels = scale.places(line.y)
    known = [(across(x), down(y)) for x, y in zip(line.x.tolist(), levels.tolist(), strict=True) if y == y]
    ys, xs = scale.ticks(top, 5), count_ticks(0, last, 6)
    grid = "".join(f"M{_LEFT} {down(position)}H{right}" for position, _ in ys)
    marks = "".join(f"M{across(position)} {height}v4" for position, _ in xs)
    ink = f'font-size="11" fill="{colour("muted")}"'
    parts = [
        f'<path d="{grid}" stroke="{colour("border")}"/>',
        f'<path d="M{_LEFT} 8V{height}H{right}{marks}" fill="none" stroke="{colour("control_border")}"/>',
        f'<g text-anchor="end" {ink}>',
        *(
            f'<text x="{_LEFT - 6}" y="{down(position)}" dy="4">{escape(text)}</text>'
            for position, text in ys
        ),
        f'</g><g text-anchor="middle" {ink}>',
        *(f'<text x="{across(position)}" y="{height + 16}">{escape(text)}</text>' for position, text in xs),
        f'<text x="{coordinate((_LEFT + right) / 2)}" y="{height + 31}">iteration</text>',
        f'<text transform="translate(10 {height / 2:g}) rotate(-90)">error</text></g>',
        f'<path d="{_steps(known)}" fill="none" stroke="{colour("curve")}" stroke-width="1.8"'
        ' stroke-linejoin="round"/>',
    ]
    dots = series.improvements(0, last, _MOST_DOTS)
    if not history.config.is_sampled and dots.stride == 1:
        shapes = "".join(
            f"M{across(x - last * 2.6 / (right - _LEFT))} {down(y)}a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0z"
            for x, y in zip(dots.x.tolist(), scale.places(dots.y).tolist(), strict=True)
        )
        parts.append(f'<path d="{shapes}" fill="{colour("improved")}"/>')
    return Drawing(width, height + _BELOW, tuple(parts))


def _steps(points: Sequence[tuple[str, str]]) -> str:
    """A line through points; those on the way of a straight piece are left out."""
    text, (x, y) = f"M{points[0][0]} {points[0][1]}", points[0]
    for across, down in points[1:]:
        if (across, down) == (x, y):
            continue
        text += f"H{across}" if down == y else f"V{down}" if across == x else f"L{across} {down}"
        x, y = across, down
    return text


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
    notes = {}
    if around.tree is not None and around.tree.size <= _MOST_NOTED:
        notes = {uid: chance_text(share.improving) for uid, share in odds.shares.items() if share.improving}
    shares = [(verdict, odds.probability(verdict)) for verdict in Verdict if odds.probability(verdict)]
    better = "the offspring looks better" if is_sampled else "improves the tree"
    below = f"Below a node: the chance that the next iteration mutates it and {better}." if notes else ""
    return card(
        f"{head}{rest}",
        f"{drift_text(odds)} {_formula(around.tree)}",
        [
            draw_words(rest, bold=head, size=15),
            _bar(shares, is_sampled=is_sampled),
            draw_tree(tree_picture(around.tree), notes=notes),
            draw_words(
                " ".join(filter(None, (drift_text(odds), below))), size=12, ink="muted", most=_BAR[0] + 60
            ),
        ],
    )


def _bar(shares: Sequence[tuple[Verdict, Fraction | float]], *, is_sampled: bool) -> Drawing:
    """The chances of the verdicts as parts of a bar, and below it what each is."""
    width, height = _BAR
    parts: list[str] = []
    start = 0.0
    for verdict, chance in shares:
        wide = float(chance) * width
        parts.append(
            f'<rect x="{coordinate(start)}" width="{coordinate(max(wide, 0.5))}" height="{height}"'
            f' fill="{colour(VERDICT_COLOURS[verdict])}" stroke="{colour("panel")}"/>'
        )
        if wide >= 26:
            parts.append(_badge(verdict, start + wide / 2, height / 2, 0.8))
        start += wide
    x, y = 0.0, height + 20
    for verdict, chance in shares:
        word = verdict_word(verdict, is_sampled=is_sampled)
        text = f"{word} {chance_text(chance)}"
        if x and x + 22 + text_width(text, 12) > width:
            x, y = 0.0, y + 22
        parts.append(_badge(verdict, x + 8, y - 4, 0.7))
        parts.append(
            f'<text x="{coordinate(x + 20)}" y="{y}" font-size="12" fill="{colour("text")}">{escape(text)}</text>'
        )
        x += 36 + text_width(text, 12)
    return Drawing(width, y + 6, tuple(parts))


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
        return (
            f'<iframe title="{escape(self.title)}" srcdoc="{escape(self.html)}" sandbox="allow-scripts"'
            f' width="100%" height="{self.height}" style="border:1px solid {colour("border")};border-radius:6px">'
            "</iframe>"
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
    last = whole_number("iterations of the run", len(history), 0, _MOST_ITERATIONS)
    title = title or usual_title or settings_text(history.config)
    request = ExportRequest(
        kind=kind_named("page"), path=Path("page.html"), at=last, first=0, last=last, title=title
    )
    search = search_at(history, last, history.config_after(last))
    subject = studied(request, search, history, bookmarks, Deadline(_MOST_SECONDS))
    return InteractivePage(title, height, page_text(request, subject))


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
    whole_number("iterations of the run", search.iteration, 0, _MOST_ITERATIONS)
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
