"""Draws figures as SVG: for a page of the report, for the window, or as separate files.

Every part has a class, and a style sheet sets the colours. The same figure always gives the same text.
"""

from collections.abc import Callable, Mapping, Sequence
from math import cos, inf, isfinite, pi, sin
from textwrap import wrap
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.escaping import html_text
from gpviz.experiments.figures.axis_ticks import Tick
from gpviz.experiments.figures.figure import (
    HOLLOW_SCALE,
    LOOK_COLOURS,
    Boxes,
    Figure,
    Kind,
    LegendEntry,
    Panel,
    Rule,
    RuleKind,
    Series,
)

_WIDTH: Final = 420
_HEIGHT: Final = 250  # of the frame of a plot alone
_FONT: Final = 13.0
_LETTER: Final = 0.58 * _FONT  # a generous mean width
_LEAST_HEIGHT: Final = 40  # of a row of plots; what has no space is cut off below
_TICK_SPACE: Final = 20
_TITLE_SPACE: Final = 48
_Y_LABEL_SPACE: Final = 24
_LINE: Final = 22
_LEGEND_GAP: Final = 18
_SWATCH: Final = 22
_MARK: Final = 4.2
_CAP: Final = 3
_MARKS_ON_STEPS: Final = 6
_SMALLEST_TITLE: Final = 0.75
_NARROW: Final = 26  # in letters: with less width for each, plots are one above the other
_DASHES: Final = ((), (8, 4), (8, 4, 2, 4), (2, 4), (8, 4, 2, 4, 2, 4))
_LINE_CLASSES: Final = {
    **dict.fromkeys((Kind.LINE, Kind.STEPS, Kind.POINTS), "line"),
    Kind.BOUND: "bound",
    Kind.OTHER_BOUND: "bound other",
}

Floats = npt.NDArray[np.float64]
Point = tuple[float, float]


def _guessed_width(text: str) -> float:
    return len(text) * _LETTER


class _Medium(NamedTuple):
    """What a figure is drawn on: on the screen the width of text is known, and lines can be thicker."""

    width_of: Callable[[str], float] = _guessed_width
    line_scale: float = 1.0
    is_screen: bool = False


_FILE: Final = _Medium()


def figure_svg(figure: Figure, *, name: str, description: str, height: int = _HEIGHT) -> str:
    """The figure as an SVG element, as wide as what it stands in, its plots one above the other.

    ``name`` is its identity on the page, the description is for who cannot see it.
    """
    legend, top = _legend(figure.legend, _WIDTH, 16, _FILE)
    bottom = top + height + _TITLE_SPACE
    return "\n".join(
        [
            f'<svg class="plot" viewBox="0 0 {_WIDTH} {bottom}" role="img"'
            f' aria-labelledby="{name}-title {name}-desc">',
            f'<title id="{name}-title">{html_text(figure.title)}</title>',
            f'<desc id="{name}-desc">{html_text(description)}</desc>',
            *_drawn(_plots(figure.panels, _Frame(0, top, _WIDTH, bottom), 1, _FILE)),
            *legend,
            "</svg>",
        ]
    )


def figure_file(
    figure: Figure, width: int, height: int, colours: Mapping[str, str], family: str, font_size: float
) -> str:
    """The figure as the text of an SVG file of this size in pixels, with its title and what is said about it."""
    scale = font_size / _FONT  # all is drawn for type of one size
    wide, high = round(width / scale), round(height / scale)
    letters = max(20, int((wide - 16) / _LETTER * 1.05))
    notes = wrap(figure.note if figure.has_content else figure.empty, letters)
    below = high - 8 - 17 * len(notes)
    drawn: list[str] = []
    if figure.has_content:
        legend, plots = _legend_and_plots(figure, wide, 40, below, _FILE)
        drawn = [*_drawn(plots), *legend]
    parts = [
        f'<rect class="ground" width="{wide}" height="{high}"/>',
        _text("title", 8, 20, figure.title, ""),
        *drawn,
        *(_text("note", 8, below + 17 * (line + 1), text, "") for line, text in enumerate(notes)),
    ]
    return _file(figure, (width, height), (wide, high), _style(colours, family, 1.0), parts)


class DrawnPlots(NamedTuple):
    """The legend and the plots of a figure as the text of an SVG file, and where things are in it."""

    svg: str
    plots: "tuple[Plot, ...]"
    scale: float
    """How many pixels one unit of the plots' coordinates is."""


def drawn_plots(
    figure: Figure,
    width: int,
    height: int,
    colours: Mapping[str, str],
    family: str,
    font_size: float,
    *,
    width_of: Callable[[str], float],
    line_scale: float = 1.0,
) -> DrawnPlots:
    """The figure for the screen in this size in pixels, without title, note or background.

    ``width_of`` measures text in pixels. Lines and marks grow with ``line_scale``, not with the type.
    """
    scale = font_size / _FONT
    wide, high = round(width / scale), round(height / scale)
    medium = _Medium(lambda text: width_of(text) / scale, line_scale / scale, is_screen=True)
    legend, plots = _legend_and_plots(figure, wide, 14, high, medium)
    style = _style(colours, family, medium.line_scale)
    svg = _file(figure, (width, height), (wide, high), style, [*_drawn(plots), *legend])
    return DrawnPlots(svg, tuple(plots), scale)


def _legend_and_plots(
    figure: Figure, width: int, top: int, bottom: int, medium: _Medium
) -> "tuple[list[str], list[Plot]]":
    legend, top = _fitted_legend(figure.legend, width, top, (top + bottom) // 2, medium)
    columns = figure.columns(int(width / (_NARROW * _LETTER)))
    return legend, _plots(figure.panels, _Frame(4, top, width - 4, bottom), columns, medium, has_x_grid=True)


def _file(
    figure: Figure, size: tuple[int, int], box: tuple[int, int], style: str, parts: Sequence[str]
) -> str:
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}"'
            f' viewBox="0 0 {box[0]} {box[1]}">',
            f"<title>{html_text(figure.title)}</title>",
            f"<style>{style}</style>",
            *parts,
            "</svg>\n",
        ]
    )


def _style(colours: Mapping[str, str], family: str, line_scale: float) -> str:
    """The style sheet of a file; programs that draw know no variables."""

    def wide(width: float) -> str:
        return f"stroke-width:{width * line_scale:.3g}"

    def dashed(at: int) -> str:
        lengths = " ".join(f"{length * line_scale:.3g}" for length in _DASHES[at])
        return f"stroke-dasharray:{lengths or 'none'}"

    rules = [
        f'text{{font-family:"{family}",Verdana,sans-serif;font-size:{_FONT:g}px;fill:{colours["text"]}}}',
        f".ground{{fill:{colours['panel']}}}",
        f".grid,.axis{{fill:none;stroke:{colours['border']}}}",
        f".line,.bound,.bar,.rule,.level{{fill:none;{wide(2)};stroke-linejoin:round}}",
        f".bar,.box,.column,.hollow{{{wide(1.4)}}}",
        f".bound{{{wide(1.6)};{dashed(3)}}}.bound.other{{{dashed(4)}}}",
        ".box,.column{fill-opacity:.35}",
        f".mark{{stroke:none}}.hollow{{fill:{colours['panel']}}}",
        f".rule{{stroke:{colours['text']}}}.median{{{dashed(1)}}}",
        f".paper{{stroke:{colours['worse']};{wide(3)};{dashed(3)}}}",
        f".level{{stroke:{colours['muted']};{wide(1.4)};{dashed(3)}}}",
        f".place{{{dashed(1)}}}",
        f".strong{{stroke:{colours['text']};{dashed(0)}}}",
    ]
    for look, name in enumerate(LOOK_COLOURS):
        colour = colours[name]
        rules.append(
            f".s{look}{{stroke:{colour}}}.line.s{look}{{{dashed(look % len(_DASHES))}}}"
            f".mark.s{look}{{fill:{colour};stroke:none}}.box.s{look},.column.s{look}{{fill:{colour}}}"
        )
    return "".join(rules)


# --- one plot ---


class _Frame(NamedTuple):
    """A rectangle."""

    left: int
    top: int
    right: int
    bottom: int


class Plot:
    """A panel within a rectangle, axes included."""

    def __init__(
        self, panel: Panel, outside: _Frame, left: int, medium: _Medium, *, has_x_grid: bool
    ) -> None:
        self.panel = panel
        self._medium = medium
        self._has_x_grid = has_x_grid
        self._title_at = outside.left + 13
        below = _space_below(panel)
        height = outside.bottom - below - outside.top
        self.x_range, self.y_range = panel.ranges(_mark_share(panel, height, medium))
        self.y_ticks = _y_ticks(panel, height, medium)
        width = outside.right - outside.left - left
        tried = panel.x.ticks(*self.x_range, 8)
        space = max((medium.width_of(text) for _, text in tried), default=_LETTER) + 2 * _LETTER
        self.x_ticks = panel.x.ticks(*self.x_range, max(1, int(width / space)))
        # The label at the right end of the axis may reach over it.
        over = round(medium.width_of(self.x_ticks[-1][1]) / 2) if self.x_ticks else 0
        self.frame = _Frame(
            outside.left + left, outside.top, outside.right - max(12, over), outside.bottom - below
        )

    def x(self, positions: npt.ArrayLike) -> Floats:
        """Where coordinates of the x axis are."""
        low, high = self.x_range
        share = (np.asarray(positions, dtype=np.float64) - low) / (high - low)
        return self.frame.left + share * (self.frame.right - self.frame.left)

    def y(self, positions: npt.ArrayLike) -> Floats:
        """Where coordinates of the y axis are; what it does not have is at the bottom."""
        low, high = self.y_range
        share = (np.asarray(positions, dtype=np.float64) - low) / (high - low)
        height = self.frame.bottom - self.frame.top
        return self.frame.bottom - np.nan_to_num(share, nan=0.0).clip(0.0, 1.0) * height

    def parts(self) -> list[str]:
        """All that is drawn."""
        panel = self.panel
        ordered = sorted(panel.series, key=lambda series: series.kind is not Kind.HOLLOW)  # ours lie on top
        return [
            *self._axes(),
            *(self._columns(series) for series in panel.series if series.kind is Kind.BARS),
            *(part for boxes in panel.boxes for part in self._boxes(boxes)),
            *(self._rule(rule) for rule in panel.rules),
            *(part for series in ordered if series.kind is not Kind.BARS for part in self._series(series)),
        ]

    def _axes(self) -> list[str]:
        left, top, right, bottom = self.frame
        ys = [(float(self.y(position)), text) for position, text in self.y_ticks]
        xs = [(float(self.x(position)), text) for position, text in self.x_ticks]
        marks = "".join(f"M{_short(x)} {bottom}v5" for x, _ in xs)
        grid = "".join(f"M{left} {_short(y)}H{right}" for y, _ in ys)
        if self._has_x_grid:
            grid += "".join(f"M{_short(x)} {top}V{bottom}" for x, _ in xs)
        parts = [
            f'<path class="grid" d="{grid}"/>',
            *(_text("tick", left - 7, y + 4.5, text, "end") for y, text in ys),
            f'<path class="axis" d="M{left} {top}V{bottom}H{right}{marks}"/>',
        ]
        if self.panel.x.has_labels:
            parts += [_text("tick", x, bottom + _TICK_SPACE, text) for x, text in xs]
        below = [(float(self.x(position)), text) for position, text in self.panel.x.groups]
        below = below or [((left + right) / 2, self.panel.x.title)]
        parts += [_text("label", x, bottom + 41, text) for x, text in below if text]
        title, squeezed = self.panel.y.title, ""
        if self._medium.width_of(title) > bottom - top + 4:
            title = self.panel.y.short_title or title
            squeezed = self._squeezed(title, bottom - top + 4)
        where = f"translate({self._title_at} {_short((top + bottom) / 2)}) rotate(-90)"
        parts.append(
            f'<text class="label" transform="{where}" text-anchor="middle"{squeezed}>{html_text(title)}</text>'
        )
        return parts

    def _squeezed(self, title: str, length: int) -> str:
        """The attributes of a title that may be this long; on the screen only its size can be set."""
        width = self._medium.width_of(title)
        if not self._medium.is_screen:
            return f' textLength="{min(length, round(width))}" lengthAdjust="spacingAndGlyphs"'
        smaller = min(1.0, max(length / width, _SMALLEST_TITLE))
        return f' style="font-size:{_short(smaller * _FONT)}px"'

    def _rule(self, rule: Rule) -> str:
        left, top, right, bottom = self.frame
        if rule.kind.is_level:
            line = f"M{left} {_short(float(self.y(self.panel.y.positions(rule.value))))}H{right}"
        else:
            line = f"M{_short(float(self.x(self.panel.x.positions(rule.value))))} {top}V{bottom}"
        return f'<path class="{_rule_class(rule.kind, rule.look)}" d="{line}"/>'

    def _columns(self, series: Series) -> str:
        edges = self.x(self.panel.x.positions(series.x))
        tops = self.y(self.panel.y.positions(series.y))
        bottom = self.frame.bottom
        shapes = "".join(
            f"M{_short(start)} {bottom}V{_short(top)}H{_short(end)}V{bottom}z"
            for start, end, top in zip(edges[:-1], edges[1:], tops, strict=True)
            if isfinite(top)
        )
        return f'<path class="column s{series.look}" d="{shapes}"/>'

    def _boxes(self, boxes: Boxes) -> list[str]:
        drawn, marks = "", []
        for position, numbers in zip(boxes.places, boxes.numbers, strict=True):
            levels = self.panel.y.positions(numbers)
            heights = self.y(levels)
            _, q05, q25, median, q75, q95, _ = (_short(y) for y in heights)
            width = boxes.half_width
            xs = self.x([position + part * width for part in (-1.0, -0.5, 0.0, 0.5, 1.0)])
            left, from_, middle, to, right = (_short(x) for x in xs)
            drawn += f"M{left} {q25}H{right}V{q75}H{left}zM{left} {median}H{right}"
            drawn += f"M{middle} {q05}V{q25}M{middle} {q75}V{q95}M{from_} {q05}H{to}M{from_} {q95}H{to}"
            ends = [float(heights[end]) for end in (0, 6) if np.isfinite(levels[end])]
            size = 0.7 * self.panel.mark_scale * self._medium.line_scale
            marks += [_marker(boxes.look, float(xs[2]), y, size, is_hollow=True) for y in ends]
        return [f'<path class="box s{boxes.look}" d="{drawn}"/>', *marks]

    def _series(self, series: Series) -> list[str]:
        across, up = self.panel.x.positions(series.x), self.panel.y.positions(series.y)
        is_known = np.isfinite(across) & np.isfinite(up)
        if series.kind is Kind.STEPS and self._medium.is_screen:
            is_known &= _is_at_end_of_column(self.x(across))
        xs, ys = self.x(across[is_known]), self.y(up[is_known])
        points = [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]
        parts: list[str] = []
        if series.low is not None and series.high is not None:
            lows = self.y(self.panel.y.positions(series.low[is_known]))
            highs = self.y(self.panel.y.positions(series.high[is_known]))
            cap = _CAP * self._medium.line_scale
            bars = "".join(
                f"M{_short(x)} {_short(low)}V{_short(high)}"
                f"M{_short(x - cap)} {_short(low)}h{_short(2 * cap)}"
                f"M{_short(x - cap)} {_short(high)}h{_short(2 * cap)}"
                for x, low, high in zip(xs, lows, highs, strict=True)
                if low > high  # downwards
            )
            parts += [f'<path class="bar s{series.look}" d="{bars}"/>'] if bars else []
        if len(points) > 1 and series.kind in _LINE_CLASSES:
            name = _LINE_CLASSES[series.kind]
            parts.append(f'<path class="{name} s{series.look}" d="{_joined(points)}"/>')
        if series.kind is Kind.STEPS:
            points = _some(points, series.look)
        elif series.kind is Kind.LINE or series.kind.is_bound:
            points = []
        is_hollow = series.kind is Kind.HOLLOW
        size = self.panel.mark_scale * self._medium.line_scale * (HOLLOW_SCALE if is_hollow else 1.0)
        return parts + [_marker(series.look, x, y, size, is_hollow=is_hollow) for x, y in points]


def _plots(
    panels: Sequence[Panel], space: _Frame, columns: int, medium: _Medium, *, has_x_grid: bool = False
) -> list[Plot]:
    """The plots in this rectangle, in so many columns; those one above the other begin at the same x."""
    rows = [panels[first : first + columns] for first in range(0, len(panels), columns)]
    weights = [row[0].weight for row in rows]
    below = [max(map(_space_below, row)) for row in rows]
    height = max(space.bottom - space.top - sum(below), _LEAST_HEIGHT * len(rows))
    width = (space.right - space.left) // columns
    plots: list[Plot] = []
    top = space.top
    for row, weight, under in zip(rows, weights, below, strict=True):
        bottom = top + round(height * weight / sum(weights)) + under
        widest = max(
            _left_space(_y_ticks(panel, bottom - top - under, medium), medium)
            for panel in (panels if columns == 1 else row)
        )
        for column, panel in enumerate(row):
            left = space.left + column * width
            box = _Frame(left, top, left + width, bottom)
            plots.append(Plot(panel, box, widest, medium, has_x_grid=has_x_grid))
        top = bottom
    return plots


def _drawn(plots: Sequence[Plot]) -> list[str]:
    return [part for plot in plots for part in plot.parts()]


def _space_below(panel: Panel) -> int:
    """How much space the labels and the title of an x axis need."""
    if panel.x.title or panel.x.groups:
        return _TITLE_SPACE
    return _TICK_SPACE + 6 if panel.x.has_labels else 10


def _y_ticks(panel: Panel, height: float, medium: _Medium) -> list[Tick]:
    _, y_range = panel.ranges(_mark_share(panel, height, medium))
    return panel.y.ticks(*y_range, max(2, int(height / _Y_LABEL_SPACE)), may_be_close=True)


def _mark_share(panel: Panel, height: float, medium: _Medium) -> float:
    """How much of the height half a marker takes; 0 where there are none."""
    mark = panel.largest_mark * _MARK * medium.line_scale
    return (mark + 2) / max(height, 1.0) if mark else 0.0


def _left_space(ticks: Sequence[Tick], medium: _Medium) -> int:
    """How much space the labels and the title of a y axis need."""
    return round(34 + max((medium.width_of(text) for _, text in ticks), default=_LETTER))


# --- the legend ---


def _fitted_legend(
    entries: Sequence[LegendEntry], width: int, y: int, lowest: int, medium: _Medium
) -> tuple[list[str], int]:
    """The legend, its labels so short that the plot begins at ``lowest`` or above; none if it has no space."""
    for columns in range(1, len(entries) + 1):
        widest = (width - 12 + _LEGEND_GAP) // columns - _LEGEND_GAP
        legend, top = _legend(entries, width, y, medium, widest)
        if top <= lowest:
            return legend, top
    return _legend((), width, y, medium)


def _legend(
    entries: Sequence[LegendEntry], width: int, y: int, medium: _Medium, widest: float = inf
) -> tuple[list[str], int]:
    """The legend from this height on, in as many lines as it needs, and where the plot begins.

    A label is shortened where its entry would be wider than ``widest``.
    """
    parts: list[str] = []
    x = 8.0
    for entry in entries:
        label = _elided(entry.label, widest - _SWATCH - 8, medium)
        needed = _SWATCH + 8 + medium.width_of(label)
        if x > 8 and x + needed > width - 4:
            x, y = 8.0, y + _LINE
        parts += [
            *_sign(entry, x, y, medium.line_scale),
            _text("legend", x + _SWATCH + 6, y + 4.5, label, ""),
        ]
        x += needed + _LEGEND_GAP
    return parts, y + 20 if entries else y - 2


def _elided(text: str, width: float, medium: _Medium) -> str:
    """As much of the text as this width has space for."""
    if medium.width_of(text) <= width:
        return text
    kept = text
    while kept and medium.width_of(f"{kept}…") > width:
        kept = kept[:-1]
    return f"{kept}…"


def _sign(entry: LegendEntry, x: float, y: float, line_scale: float) -> list[str]:
    """The sign of an entry, from here to the right."""
    line = f"M{_short(x)} {_short(y)}h{_SWATCH}"
    if isinstance(entry.kind, RuleKind):
        return [f'<path class="{_rule_class(entry.kind, entry.look)}" d="{line}"/>']
    look, middle = entry.look or 0, x + _SWATCH / 2
    if entry.kind in (Kind.BARS, None):
        shape = f"M{_short(x + 3)} {_short(y - 5)}h16v10h-16z" + ("m8 0v10" if entry.kind is None else "")
        return [f'<path class="{"box" if entry.kind is None else "column"} s{look}" d="{shape}"/>']
    parts = []
    if entry.kind in _LINE_CLASSES:
        parts.append(f'<path class="{_LINE_CLASSES[entry.kind]} s{look}" d="{line}"/>')
    if entry.kind is not Kind.LINE and not entry.kind.is_bound:
        parts.append(_marker(look, middle, y, line_scale, is_hollow=entry.kind is Kind.HOLLOW))
    return parts


# --- shapes ---


def _rule_class(kind: RuleKind, look: int | None) -> str:
    names = {RuleKind.LEVEL: "level", RuleKind.PLACE: "level place", RuleKind.BASE: "level strong"}
    name = names.get(kind, f"rule {kind.value}")
    return name if look is None else f"{name} s{look}"


def _text(kind: str, x: float, y: float, text: str, anchor: str = "middle") -> str:
    where = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}" x="{_short(x)}" y="{_short(y)}"{where}>{html_text(text)}</text>'


def _joined(points: Sequence[Point]) -> str:
    """A line through points."""
    parts: list[str] = []
    last = "", ""
    for point in points:
        x, y = _short(point[0]), _short(point[1])
        if parts and (x == last[0] or y == last[1]):
            parts.append(f"V{y}" if x == last[0] else f"H{x}")
        else:
            parts.append(f"{'L' if parts else 'M'}{x} {y}")
        last = x, y
    return "".join(parts)


def _is_at_end_of_column(xs: Floats) -> npt.NDArray[np.bool_]:
    """Which points are the first or last in their column; steps never turn back, so others add nothing."""
    is_new: npt.NDArray[np.bool_] = np.diff(np.floor(xs), prepend=-1.0) != 0
    is_last: npt.NDArray[np.bool_] = np.append(is_new[1:], True)
    return is_new | is_last


def _some(points: Sequence[Point], look: int) -> list[Point]:
    """A few points, evenly spread, so that a step curve has markers, too; each curve at different points."""
    if len(points) <= _MARKS_ON_STEPS:
        return list(points)
    share = (look % 4 + 1) / 5
    return [points[int((mark + share) * len(points) / _MARKS_ON_STEPS)] for mark in range(_MARKS_ON_STEPS)]


def _regular(corners: int, radius: float, *, turn: float = 0.0, inner: float = 0.0) -> tuple[Point, ...]:
    """The corners of a regular polygon with one at the top, or of a star."""
    count = 2 * corners if inner else corners
    found = []
    for number in range(count):
        angle = 2 * pi * number / count + turn
        size = radius * (inner if inner and number % 2 else 1.0)
        found.append((size * sin(angle), -size * cos(angle)))
    return tuple(found)


_SHAPES: Final[tuple[tuple[Point, ...], ...]] = (
    (),  # a disc
    ((-3.9, -3.9), (3.9, -3.9), (3.9, 3.9), (-3.9, 3.9)),
    ((0, -5), (4.8, 3.4), (-4.8, 3.4)),
    ((0, -5.4), (5.2, 0), (0, 5.4), (-5.2, 0)),
    _regular(5, 4.8),
    ((0, 5), (-4.8, -3.4), (4.8, -3.4)),
    _regular(5, 5.6, inner=0.45),
    _regular(6, 4.8, turn=pi / 6),
)


def _marker(look: int, x: float, y: float, scale: float, *, is_hollow: bool = False) -> str:
    """The marker of a series, with its middle here."""
    corners = _SHAPES[look % len(_SHAPES)]
    if corners:
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(((0.0, 0.0), *corners), corners, strict=False)]
        shape = "m" + "l".join(f"{_short(dx * scale)} {_short(dy * scale)}" for dx, dy in steps) + "z"
    else:
        r = _short(_MARK * scale)
        d = _short(2 * max(_MARK * scale, float(r)))  # with less, the two arcs make an oval
        shape = f"m-{r} 0a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z"
    return f'<path class="{"hollow" if is_hollow else "mark"} s{look}" d="M{_short(x)} {_short(y)}{shape}"/>'


def _short(value: float) -> str:
    return "0" if abs(value) < 0.05 else f"{value:.1f}".removesuffix(".0")
