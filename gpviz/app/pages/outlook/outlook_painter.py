"""Paints a picture of the outlook along a run, on the screen, on paper or into a file.

On the left the chance to end stuck is a line over the iterations, on the right a bar tells of the tree under the
cursor. Text beside decisive steps stands where it covers neither the line nor each other; those that do not fit
are shortened, and at last left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from gpviz.analysis.outlook import Outlook
from gpviz.app.theme import Theme
from gpviz.app.widgets.paint_helpers import diagonals, faded
from gpviz.experiments.figures.axis_ticks import Tick, count_ticks, linear_ticks
from gpviz.explain.outlook_picture import DecisiveMark, OutlookPicture, Stretch
from gpviz.explain.outlook_text import (
    chance_of,
    error_text,
    remaining_error_text,
    remaining_figure,
)
from gpviz.number_text import bounded_percent

Floats = npt.NDArray[np.float64]

_SMALL: Final = 0.9
"""The type of the axes and labels, as a share of the window's."""
_LINE: Final = 2.4
_FILL: Final = 0.13
_GRID: Final = 0.3
_PLATE: Final = 0.8
"""How opaque the ground behind text is, which takes away the grid and the cursor's line."""
_BAND: Final = 0.3
_HATCH: Final = 7.0
_HEADROOM: Final = 1.08
_OF_ONE_STRETCH: Final = 2
"""So many points has the outline of one stretch."""
_LOW: Final = 11.0
"""In lines of type: a picture less high has no line for the name of the axis below, nor for the error."""
_CLEAR: Final = 3.0
"""In pixels: how far text is from the line at least."""
_OFFSETS: Final = (0.0, -0.5, 0.5, -1.0, 1.0, -1.5, 1.5)
"""In lines of type: how far above or below its mark a label may be, the best first."""


@dataclass(frozen=True, slots=True)
class OutlookGeometry:
    """Where everything is on a picture."""

    plot: QRectF
    bar: QRectF
    text_area: QRectF
    """What is beside the bar."""
    line: float
    """The height of a line of type."""
    first: int
    last: int
    top: float
    """The largest value that fits."""
    has_title_below: bool

    @staticmethod
    def of(rect: QRectF, picture: OutlookPicture, theme: Theme) -> "OutlookGeometry":
        """For a picture in this rectangle."""
        metrics = QFontMetricsF(theme.font(_SMALL))
        line = metrics.height()
        top = _top_value(picture)
        labels = [text for _, text in _value_ticks(picture, top, 4)]
        left = max(map(metrics.horizontalAdvance, labels), default=0.0) + 0.5 * line
        text_area = max(
            map(
                metrics.horizontalAdvance,
                ("> 99 %", "± 10.5 %", "not done" if picture.within else "given up"),
            )
        )
        bar = min(2.2 * line, 0.07 * rect.width() + 4)
        right = bar + 0.5 * line + text_area
        has_title_below = rect.height() >= _LOW * line
        below = (2.5 if has_title_below else 1.4) * line
        plot = rect.adjusted(left, 1.8 * line, -(right + 1.6 * line), -below)
        bar_area = QRectF(rect.right() - right, plot.top(), bar, plot.height())
        beside = QRectF(bar_area.right() + 0.5 * line, plot.top(), text_area, plot.height())
        return OutlookGeometry(
            plot,
            bar_area,
            beside,
            line,
            picture.first,
            max(picture.last, picture.first + 1),
            top,
            has_title_below,
        )

    def x(self, iteration: float) -> float:
        """Where an iteration is."""
        return self.plot.left() + self.plot.width() * (iteration - self.first) / (self.last - self.first)

    def y(self, value: float) -> float:
        """Where a value is."""
        return self.plot.bottom() - self.plot.height() * min(max(value / self.top, 0.0), 1.0)

    def iteration_at(self, x: float) -> int:
        """The iteration at a position; beyond the plot, the first or the last one."""
        share = (x - self.plot.left()) / max(self.plot.width(), 1.0)
        return self.first + round(min(max(share, 0.0), 1.0) * (self.last - self.first))


def paint_outlook(painter: QPainter, rect: QRectF, picture: OutlookPicture, theme: Theme) -> None:
    """Paint the picture in this rectangle, without a background."""
    geometry = OutlookGeometry.of(rect, picture, theme)
    if geometry.plot.width() < geometry.line or geometry.plot.height() < geometry.line:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pieces = line_pieces(picture, geometry)
    _paint_axes(painter, rect, picture, geometry, theme)
    _paint_values(painter, picture, pieces, geometry, theme)
    _paint_cursor(painter, picture, geometry, theme)
    _paint_marks(painter, picture, pieces, geometry, theme)
    _paint_bar(painter, rect, picture, geometry, theme)
    painter.restore()


# --- the axes ---


def _top_value(picture: OutlookPicture) -> float:
    if picture.shows_chance:
        return 1.0
    values = [_value(stretch, picture) for stretch in picture.stretches]
    return _HEADROOM * max((value for value in values if value is not None), default=1.0) or 1.0


def _value_ticks(picture: OutlookPicture, top: float, most: int) -> list[Tick]:
    if not picture.shows_chance:
        return linear_ticks(0.0, top, most)
    parts = 4 if most >= 4 else 2 if most >= 2 else 1
    return [(part / parts, f"{100 * part / parts:.0f} %") for part in range(parts + 1)]


def _paint_axes(
    painter: QPainter, rect: QRectF, picture: OutlookPicture, geometry: OutlookGeometry, theme: Theme
) -> None:
    font = theme.font(_SMALL)
    metrics, line, plot, colours = QFontMetricsF(font), geometry.line, geometry.plot, theme.colours
    painter.setFont(font)
    grid, text_area = QPen(faded(colours.muted, _GRID), theme.line_scale), QPen(QColor(colours.muted))
    for value, text in _value_ticks(picture, geometry.top, int(plot.height() / (1.8 * line))):
        y = geometry.y(value)
        painter.setPen(grid)
        painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
        painter.setPen(text_area)
        painter.drawText(
            QRectF(rect.left(), y - line, plot.left() - rect.left() - 0.4 * line, 2 * line),
            int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter),
            text,
        )
    name = _fitting(picture.names, metrics, plot.right() - rect.left())
    painter.drawText(QPointF(rect.left(), rect.top() + metrics.ascent()), name)
    ticks = _iteration_ticks(picture.first, picture.last, int(plot.width() / (4.5 * line)))
    for value, text in ticks:
        x, width = geometry.x(value), metrics.horizontalAdvance(text)
        painter.drawText(QPointF(x - width / 2, plot.bottom() + 0.3 * line + metrics.ascent()), text)
    if geometry.has_title_below:
        below = QRectF(plot.left(), plot.bottom() + 1.35 * line, plot.width(), line)
        painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), "iteration t")


def _iteration_ticks(first: int, last: int, most: int) -> list[Tick]:
    if first == last:
        return [(float(first), f"{first:,}")]
    return count_ticks(float(first), float(last), max(most, 1))


def _fitting(texts: Sequence[str], metrics: QFontMetricsF, width: float) -> str:
    return next((text for text in texts if metrics.horizontalAdvance(text) <= width), "")


# --- the line ---


class _Column(NamedTuple):
    """What is known of a column of pixels up to ``end``, where the next one is.

    The line comes to ``x``, goes to ``high`` and ``low`` there, and on at ``y``, within the band.
    """

    x: float
    end: float
    high: float
    low: float
    y: float
    band_top: float
    band_bottom: float


_Piece = list[_Column]
"""Stretches that follow each other and are known, those that share a column of pixels as one."""


def _value(stretch: Stretch, picture: OutlookPicture) -> float | None:
    known = stretch.outlook
    if known is None:
        return None
    return known.stuck if picture.shows_chance else known.remaining


def _error(outlook: Outlook, picture: OutlookPicture) -> float:
    return outlook.stuck_error if picture.shows_chance else (outlook.remaining_error or 0.0)


def line_pieces(picture: OutlookPicture, geometry: OutlookGeometry) -> list[_Piece]:
    """The line of the picture, broken where nothing is known."""
    pieces: list[_Piece] = []
    run: list[tuple[float, float, float, float]] = []
    for stretch in picture.stretches:
        value = _value(stretch, picture)
        if value is not None and stretch.outlook is not None:
            error = _error(stretch.outlook, picture)
            run.append((stretch.first, value, value + error, value - error))
        elif run:
            pieces.append(_piece(run, stretch.first, geometry))
            run = []
    if run:
        pieces.append(_piece(run, picture.last, geometry))
    return pieces


def _piece(run: list[tuple[float, float, float, float]], end: float, geometry: OutlookGeometry) -> _Piece:
    columns = np.array(run, dtype=np.float64).T
    plot = geometry.plot
    x = plot.left() + plot.width() * (columns[0] - geometry.first) / (geometry.last - geometry.first)
    y, tops, bottoms = plot.bottom() - plot.height() * np.clip(columns[1:] / geometry.top, 0.0, 1.0)
    heads = np.flatnonzero(np.diff(np.floor(x), prepend=-np.inf))
    tails = np.append(heads[1:], len(x)) - 1
    parts = (
        x[heads],
        np.append(x[heads[1:]], geometry.x(end)),
        np.minimum.reduceat(y, heads),
        np.maximum.reduceat(y, heads),
        y[tails],
        np.minimum.reduceat(tops, heads),
        np.maximum.reduceat(bottoms, heads),
    )
    return [_Column(*values) for values in zip(*(part.tolist() for part in parts), strict=True)]


def _outline(piece: _Piece) -> list[QPointF]:
    points: list[QPointF] = []
    for x, end, high, low, y, *_ in piece:
        if high != low:
            points += [QPointF(x, low), QPointF(x, high)]
        points += [QPointF(x, y), QPointF(end, y)]
    return points


def _paint_values(
    painter: QPainter, picture: OutlookPicture, pieces: list[_Piece], geometry: OutlookGeometry, theme: Theme
) -> None:
    colours = theme.colours
    colour, bottom = colours.worse if picture.shows_chance else colours.curve, geometry.plot.bottom()
    outlines = [_outline(piece) for piece in pieces]
    painter.setPen(Qt.PenStyle.NoPen)
    for piece, outline in zip(pieces, outlines, strict=True):
        painter.setBrush(faded(colour, _FILL))
        painter.drawPolygon(
            QPolygonF([QPointF(outline[0].x(), bottom), *outline, QPointF(outline[-1].x(), bottom)])
        )
        painter.setBrush(faded(colour, _BAND))
        painter.drawPath(_band(piece))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # What is not known has no value, so nothing but its two ends is connected.
    painter.setPen(QPen(QColor(colours.muted), 1.3 * theme.line_scale, Qt.PenStyle.DotLine))
    for one, other in pairwise(outlines):
        painter.drawLine(one[-1], other[0])
    pen = QPen(QColor(colour), _LINE * theme.line_scale)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    points = QPen(QColor(colour), 2 * _LINE * theme.line_scale)
    points.setCapStyle(Qt.PenCapStyle.RoundCap)
    for outline in outlines:
        is_point = outline[-1].x() - outline[0].x() < 1.0 and len(outline) == _OF_ONE_STRETCH
        painter.setPen(points if is_point else pen)
        if is_point:
            painter.drawPoint(outline[0])
        else:
            painter.drawPolyline(QPolygonF(outline))


def _band(piece: _Piece) -> QPainterPath:
    """Around the line, as far as its values are uncertain."""
    band = QPainterPath()
    for x, end, *_, top, bottom in piece:
        if bottom - top > 1.0:
            band.addRect(QRectF(x, top, end - x, bottom - top))
    return band


def _paint_cursor(
    painter: QPainter, picture: OutlookPicture, geometry: OutlookGeometry, theme: Theme
) -> None:
    if not picture.first <= picture.cursor <= picture.last:
        return
    x = geometry.x(picture.cursor)
    painter.setPen(QPen(QColor(theme.colours.accent), 1.6 * theme.line_scale))
    painter.drawLine(QLineF(x, geometry.plot.top() - 0.2 * geometry.line, x, geometry.plot.bottom()))


# --- the decisive steps ---


class _Label(NamedTuple):
    """Text beside a mark, and where it is."""

    lines: tuple[str, ...]
    rect: QRectF
    is_left: bool


def _paint_marks(
    painter: QPainter, picture: OutlookPicture, pieces: list[_Piece], geometry: OutlookGeometry, theme: Theme
) -> None:
    labels = fitting_labels(picture, pieces, geometry, theme)
    for label in labels.values():
        painter.fillRect(label.rect.adjusted(-2, 0, 2, 0), faded(theme.colours.panel, _PLATE))
    painter.setPen(QPen(QColor(theme.colours.panel), 1.2 * theme.line_scale))
    for mark in sorted(picture.marks, key=lambda mark: mark.is_main):
        _paint_mark(painter, mark, _centre(mark, geometry), geometry, theme)
    for mark, label in labels.items():
        _paint_label(painter, mark, label, theme)


def fitting_labels(
    picture: OutlookPicture, pieces: list[_Piece], geometry: OutlookGeometry, theme: Theme
) -> dict[DecisiveMark, _Label]:
    """The texts beside marks that cover neither the line nor each other; those of the largest rises come first."""
    taken = [*_line_areas(pieces), *(_edges(mark_area(mark, geometry)) for mark in picture.marks)]
    labels: dict[DecisiveMark, _Label] = {}
    for mark in sorted(picture.marks, key=lambda mark: (not mark.is_main, -mark.step.rise)):
        label = _label(mark, np.array(taken), geometry, theme)
        if label is not None:
            taken.append(_edges(label.rect))
            labels[mark] = label
    return labels


def _line_areas(pieces: list[_Piece]) -> Iterator[tuple[float, float, float, float]]:
    """What the line covers, as the edges of rectangles: left, top, right and bottom."""
    for piece in pieces:
        before = piece[0].y
        for x, end, high, low, y, *_ in piece:
            yield x - _CLEAR, min(high, before) - _CLEAR, x + _CLEAR, max(low, before) + _CLEAR
            yield x - _CLEAR, y - _CLEAR, end + _CLEAR, y + _CLEAR
            before = y


def _edges(rect: QRectF) -> tuple[float, float, float, float]:
    return rect.left(), rect.top(), rect.right(), rect.bottom()


def _centre(mark: DecisiveMark, geometry: OutlookGeometry) -> QPointF:
    return QPointF(geometry.x(mark.step.iteration), geometry.y(mark.step.after.stuck))


def mark_area(mark: DecisiveMark, geometry: OutlookGeometry) -> QRectF:
    """What a mark covers."""
    centre, radius = _centre(mark, geometry), _radius(mark, geometry.line)
    return QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)


def _radius(mark: DecisiveMark, line: float) -> float:
    return (0.5 if mark.is_main else 0.36) * line


def _paint_mark(
    painter: QPainter, mark: DecisiveMark, centre: QPointF, geometry: OutlookGeometry, theme: Theme
) -> None:
    """The step that decided the run is a large disc, each other one a small diamond."""
    radius = _radius(mark, geometry.line)
    painter.setBrush(QColor(theme.colours.worse if mark.is_main else theme.colours.stuck))
    if mark.is_main:
        painter.drawEllipse(centre, radius, radius)
        return
    corners = [QPointF(0, -radius), QPointF(radius, 0), QPointF(0, radius), QPointF(-radius, 0)]
    painter.drawPolygon(QPolygonF([centre + corner for corner in corners]))


def _fonts(mark: DecisiveMark, lines: tuple[str, ...], theme: Theme) -> list[QFont]:
    """The first line beside the step that decided the run is bold."""
    if mark.is_main:
        return [theme.font(is_bold=True), *(theme.font() for _ in lines[1:])]
    return [theme.font(_SMALL) for _ in lines]


def _size(fonts: list[QFont], lines: tuple[str, ...]) -> tuple[float, float]:
    metrics = [QFontMetricsF(font) for font in fonts]
    widths = [each.horizontalAdvance(text) for each, text in zip(metrics, lines, strict=True)]
    return max(widths), sum(each.height() for each in metrics)


def _label(mark: DecisiveMark, taken: Floats, geometry: OutlookGeometry, theme: Theme) -> _Label | None:
    """The longest text that fits beside a mark; None if none does."""
    centre, line = _centre(mark, geometry), geometry.line
    gap = _radius(mark, line) + 0.4 * line
    left, top, right, bottom = taken.T
    for lines in mark.labels:
        width, height = _size(_fonts(mark, lines, theme), lines)
        for offset, is_left in product(_OFFSETS, (True, False)):  # the line comes from the left and goes up
            x = centre.x() - gap - width if is_left else centre.x() + gap
            y = max(centre.y() + offset * line - height / 2, geometry.plot.top())
            rect = QRectF(x, min(y, geometry.plot.bottom() - height), width, height)
            covers = (
                (left < rect.right()) & (right > rect.left()) & (top < rect.bottom()) & (bottom > rect.top())
            )
            if geometry.plot.contains(rect) and not covers.any():
                return _Label(lines, rect, is_left)
    return None


def _paint_label(painter: QPainter, mark: DecisiveMark, label: _Label, theme: Theme) -> None:
    painter.setPen(QColor(theme.colours.text))
    y = label.rect.top()
    for font, text in zip(_fonts(mark, label.lines, theme), label.lines, strict=True):
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        x = label.rect.right() - metrics.horizontalAdvance(text) if label.is_left else label.rect.left()
        painter.drawText(QPointF(x, y + metrics.ascent()), text)
        y += metrics.height()


# --- the bar ---


class _Part(NamedTuple):
    """A part of the bar: how much it is, and the lines of text beside it."""

    share: float
    colour: str
    lines: tuple[str, ...]
    is_hatched: bool = False


def _parts(outlook: Outlook, theme: Theme) -> list[_Part]:
    """From the top to the bottom: the runs that are solved, those that were given up, and those that are stuck."""
    colours, error = theme.colours, 0.0 if outlook.is_exact else outlook.stuck_error
    given_up = outlook.given_up / outlook.continuations if outlook.continuations else 0.0
    solved = 1.0 - outlook.stuck - given_up
    is_sampled = outlook.within is not None
    parts = []
    if solved or error:
        word = "done" if is_sampled else "solved"
        parts.append(_Part(solved, colours.solved, (bounded_percent(solved, error), word)))
    if given_up:
        parts.append(_Part(given_up, colours.unchanged, (bounded_percent(given_up, error), "given up")))
    if outlook.stuck or error:
        word = "not done" if is_sampled else "stuck"
        chance = chance_of(outlook)
        # a bound says how uncertain it is
        lines = chance, word, "" if chance[0] in "<>" else error_text(outlook)
        parts.append(_Part(outlook.stuck, colours.worse, tuple(filter(None, lines)), is_hatched=True))
    return parts


def _paint_bar(
    painter: QPainter, rect: QRectF, picture: OutlookPicture, geometry: OutlookGeometry, theme: Theme
) -> None:
    bar, line, colours = geometry.bar, geometry.line, theme.colours
    centred = int(Qt.AlignmentFlag.AlignCenter)
    column = QRectF(geometry.plot.right() + 0.4 * line, rect.top(), 0.0, line)
    column.setRight(rect.right())
    painter.setFont(theme.font(_SMALL))
    painter.setPen(QColor(colours.muted))
    painter.drawText(column, centred, f"t = {picture.cursor:,}")
    frame = QPen(QColor(colours.control_border), theme.line_scale)
    if picture.now is None:
        frame.setStyle(Qt.PenStyle.DotLine)
        painter.setPen(frame)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(bar)
        painter.setPen(QColor(colours.muted))
        painter.drawText(
            geometry.text_area, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), "…"
        )
        return
    parts = _parts(picture.now, theme)
    top, centres = bar.top(), []
    for part in parts:
        area = QRectF(bar.left(), top, bar.width(), part.share * bar.height())
        painter.fillRect(area, QColor(part.colour))
        if part.is_hatched:
            painter.setPen(QPen(faded(colours.panel, 0.55), 1.4 * theme.line_scale))
            painter.drawLines(diagonals(area, _HATCH * theme.line_scale))
        centres.append(area.center().y())
        top = area.bottom()
    painter.setPen(frame)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(bar)
    _paint_texts(painter, parts, centres, geometry, theme)
    _paint_remaining(painter, picture.now, column, geometry, theme)


def _paint_texts(
    painter: QPainter, parts: list[_Part], centres: list[float], geometry: OutlookGeometry, theme: Theme
) -> None:
    """What each part is, beside its middle, or as near as there is space."""
    strong = theme.font()
    small = theme.font(_SMALL)
    heights = QFontMetricsF(strong).height(), QFontMetricsF(small).height()
    text_area = geometry.text_area
    most = 3
    while most > 1 and sum(_height(part.lines[:most], heights) for part in parts) > text_area.height():
        most -= 1
    blocks = [_height(part.lines[:most], heights) for part in parts]
    tops = [centre - block / 2 for centre, block in zip(centres, blocks, strict=True)]
    floor = text_area.top()
    for index, block in enumerate(blocks):
        floor = tops[index] = max(tops[index], floor)
        floor += block
    ceiling = text_area.bottom()
    for index in reversed(range(len(blocks))):
        tops[index] = min(tops[index], ceiling - blocks[index])
        ceiling = tops[index]
    for part, y in zip(parts, tops, strict=True):
        for number, text in enumerate(part.lines[:most]):
            painter.setFont(small if number else strong)
            painter.setPen(QColor(theme.colours.muted if number == 2 else theme.colours.text))
            metrics = QFontMetricsF(painter.font())
            painter.drawText(QPointF(text_area.left(), y + metrics.ascent()), text)
            y += metrics.height()


def _height(lines: tuple[str, ...], heights: tuple[float, float]) -> float:
    return heights[0] + (len(lines) - 1) * heights[1]


def _paint_remaining(
    painter: QPainter, now: Outlook, column: QRectF, geometry: OutlookGeometry, theme: Theme
) -> None:
    """How many iterations are to come, below the bar."""
    painter.setFont(theme.font(_SMALL))
    metrics, line = QFontMetricsF(painter.font()), geometry.line
    error = remaining_error_text(now)
    below = column.translated(0.0, geometry.bar.bottom() + 0.3 * line - column.top())
    never = ("never solved", "never") if now.is_exact else ("none solved", "none")
    texts = (
        never if now.remaining is None else (remaining_figure(now), remaining_figure(now).partition(" ")[0])
    )
    painter.setPen(QColor(theme.colours.text))
    painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), _fitting(texts, metrics, column.width()))
    if error and geometry.has_title_below:
        painter.setPen(QColor(theme.colours.muted))
        painter.drawText(below.translated(0.0, line), int(Qt.AlignmentFlag.AlignCenter), error)
