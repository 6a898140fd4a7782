"""The grid of a truth table: a cell for each row, to be pointed at, clicked, and walked with the arrow keys."""

from itertools import groupby
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from gpviz.app.theme import Theme, readable_on
from gpviz.app.widgets.fields import set_tip
from gpviz.app.widgets.themed import Themed
from gpviz.engine import UNICODE
from gpviz.explain.truth_table import CLASS_WORDS, Axis, CellClass, Grid, RowTable
from gpviz.number_text import number_text

_DRAWN: Final = 8
"""Added to the class of a drawn row."""

_IN_ORDER: Final = (
    CellClass.RIGHT,
    CellClass.BLANK,
    CellClass.WRONG,
    CellClass.RIGHT + _DRAWN,
    CellClass.WRONG + _DRAWN,
    CellClass.FIXED,
    CellClass.BROKEN,
    CellClass.FIXED + _DRAWN,
    CellClass.BROKEN + _DRAWN,
)
"""Where several rows share a pixel, the last of these is seen."""

_RANKS: Final = np.zeros(2 * _DRAWN, dtype=np.uint8)
_RANKS[list(_IN_ORDER)] = np.arange(len(_IN_ORDER))

_FADED: Final = 0.6
_MOST_SPECKS: Final = 3000
_SMALL: Final = 3
"""A cell of fewer pixels is not seen from afar."""

_SYMBOL_SIZE: Final = 0.3
"""Half a symbol, as a part of its cell."""
_SYMBOLS: Final = {CellClass.FIXED: "▲", CellClass.BROKEN: "▼"}

_Ranks = npt.NDArray[np.uint8]
FRAME: Final = 3
"""Around the cells, so that those at the edges, where all but a few variables are 1, are not painted over."""
_BAR: Final = 3
_MOST_NAMED: Final = 3
"""More variables than that along a side have no space for their names."""
_LEAST_CELL: Final = 14
"""Smaller cells need the space more than the names do."""
_SCALE: Final = 0.8
_MOVES: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_WITH_LINES: Final = 6
_WITH_SYMBOLS: Final = 9
_WITH_NUMBERS: Final = 34
"""Cells of so many pixels have lines between them, symbols, numbers."""
_LEAST_SIDE: Final = 96


def class_colour(kind: CellClass, theme: Theme) -> QColor:
    """The colour of a class; light and dark alone tell right from wrong."""
    colours = theme.colours
    return QColor(
        {
            CellClass.RIGHT: colours.field,
            CellClass.WRONG: colours.muted,
            CellClass.FIXED: colours.improved,
            CellClass.BROKEN: colours.worse,
            CellClass.BLANK: colours.window,
        }[kind]
    )


def draw_symbol(painter: QPainter, kind: CellClass, area: QRectF, theme: Theme) -> None:
    """The shape that tells a class without its colour: up for fixed, down for broken, none for the others."""
    if kind not in _SYMBOLS:
        return
    centre, half = area.center(), _SYMBOL_SIZE * min(area.width(), area.height())
    rise = half if kind is CellClass.FIXED else -half
    triangle = QPolygonF(
        [
            QPointF(centre.x(), centre.y() - rise),
            QPointF(centre.x() + half, centre.y() + 0.8 * rise),
            QPointF(centre.x() - half, centre.y() + 0.8 * rise),
        ]
    )
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(readable_on(class_colour(kind, theme), theme))
    painter.drawPolygon(triangle)


def picture_of(table: RowTable, width: int, height: int, theme: Theme, *, has_drawn_colours: bool) -> QImage:
    """The cells in no more than this many pixels.

    Where several share a pixel, the most telling one is seen, and a few among thousands are made larger than
    they are. ``has_drawn_colours`` gives the drawn rows colours of their own.
    """
    classes = table.classes
    drawn = table.drawn if has_drawn_colours else None
    if drawn is not None:
        classes = classes.copy()
        classes.reshape(-1)[drawn.cells] |= _DRAWN
        pixels = _reduced(_reduced(_RANKS[classes], height, axis=0), width, axis=1)
    else:  # classes are in that order already, and fewer pixels are ranked faster
        pixels = _RANKS[_reduced(_reduced(classes, height, axis=0), width, axis=1)]
    if width < _SMALL * classes.shape[1] and np.count_nonzero(classes) <= _MOST_SPECKS:
        pixels = _dilated(_stretched(pixels, width, height))
    pixels = np.ascontiguousarray(pixels)
    rows, columns = pixels.shape
    image = QImage(pixels.data, columns, rows, columns, QImage.Format.Format_Indexed8)
    image.setColorTable(_colour_table(theme, is_sampled=drawn is not None))
    return image.copy()  # the pixels of the first belong to numpy


def _stretched(ranks: _Ranks, width: int, height: int) -> _Ranks:
    """A pixel for each position, where there are fewer cells than pixels."""
    rows, columns = ranks.shape
    down, across = np.arange(height) * rows // height, np.arange(width) * columns // width
    return ranks[down[:, None], across]


def _dilated(ranks: _Ranks) -> _Ranks:
    """Every pixel spreads to its neighbours."""
    for axis in (0, 1):
        padded = np.pad(ranks, [(1, 1) if axis == each else (0, 0) for each in (0, 1)])
        parts = [np.take(padded, np.arange(ranks.shape[axis]) + shift, axis=axis) for shift in range(3)]
        ranks = np.maximum(np.maximum(parts[0], parts[1]), parts[2])
    return ranks


def _reduced(ranks: _Ranks, most: int, axis: int) -> _Ranks:
    while ranks.shape[axis] >= 2 * most:  # all at once would take several times as long
        ranks = (
            np.maximum(ranks[0::2], ranks[1::2]) if axis == 0 else np.maximum(ranks[:, 0::2], ranks[:, 1::2])
        )
    cells = ranks.shape[axis]
    if cells <= most:
        return ranks
    starts = np.arange(most) * cells // most
    reduced: _Ranks = np.maximum.reduceat(ranks, starts, axis=axis)
    return reduced


def _colour_table(theme: Theme, *, is_sampled: bool) -> list[int]:
    """For each rank its colour."""
    colours = theme.colours
    table = {kind + drawn: class_colour(kind, theme) for kind in CellClass for drawn in (0, _DRAWN)}
    if is_sampled:
        wrong = CellClass.WRONG
        table[wrong] = _blended(table[wrong], QColor(colours.panel))
        table[wrong + _DRAWN] = QColor(colours.text)
        table[CellClass.RIGHT + _DRAWN] = QColor(colours.accent)
    return [table[kind].rgb() for kind in _IN_ORDER]


def _blended(colour: QColor, other: QColor) -> QColor:
    share = _FADED
    return QColor.fromRgbF(
        share * colour.redF() + (1 - share) * other.redF(),
        share * colour.greenF() + (1 - share) * other.greenF(),
        share * colour.blueF() + (1 - share) * other.blueF(),
    )


def sides_of(grid: Grid, theme: Theme, height: int) -> tuple[int, int]:
    """The space for the variables to the left of the cells and above them, in a picture of this height."""
    has_names = _has_names(grid, theme, height)
    left = len(grid.down.variables) * _strip(grid.down, theme, is_down=True, has_names=has_names)
    top = len(grid.across.variables) * _strip(grid.across, theme, is_down=False, has_names=has_names)
    return left + FRAME, top + FRAME


def draw_sides(painter: QPainter, grid: Grid, area: QRectF, theme: Theme, height: int) -> None:
    """Draw them around the cells; the variable that changes least is outermost."""
    has_names = _has_names(grid, theme, height)
    painter.setFont(theme.font(_SCALE))
    painter.setPen(QColor(theme.colours.muted))
    for axis, is_down in ((grid.down, True), (grid.across, False)):
        strip = _strip(axis, theme, is_down=is_down, has_names=has_names)
        whole, start = (area.height(), area.top()) if is_down else (area.width(), area.left())
        for number, variable in enumerate(axis.variables):
            for first, length in _runs(axis.values_of(variable).tolist()):
                begin, extent = start + first * whole / axis.length, length * whole / axis.length
                gap = 1 if extent > _BAR else 0
                bar = QRectF((number + 1) * strip - _BAR - 1, begin + gap, _BAR, extent - 2 * gap)
                text_area = QRectF(number * strip, begin, strip - _BAR - 2, extent)
                if not is_down:
                    bar, text_area = _turned(bar), _turned(text_area)
                painter.fillRect(bar, QColor(theme.colours.edge))
                if has_names:
                    painter.drawText(text_area, Qt.AlignmentFlag.AlignCenter, UNICODE.variable(variable))


def _has_names(grid: Grid, theme: Theme, height: int) -> bool:
    names = len(grid.across.variables)
    if names > _MOST_NAMED:
        return False
    top = names * _strip(grid.across, theme, is_down=False, has_names=True)
    return height - top >= _LEAST_CELL * grid.shape[0]


def _strip(axis: Axis, theme: Theme, *, is_down: bool, has_names: bool) -> int:
    """The space for one variable."""
    if not has_names or not axis.variables:
        return _BAR + 1
    metrics = QFontMetrics(theme.font(_SCALE))
    widest = max(metrics.horizontalAdvance(UNICODE.variable(variable)) for variable in axis.variables)
    return _BAR + 2 + (widest if is_down else metrics.height())


def _turned(area: QRectF) -> QRectF:
    return QRectF(area.y(), area.x(), area.height(), area.width())


def _runs(values: list[bool]) -> list[tuple[int, int]]:
    """Where a value is true: the first index and the length of each stretch."""
    runs, index = [], 0
    for value, stretch in groupby(values):
        length = len(list(stretch))
        if value:
            runs.append((index, length))
        index += length
    return runs


class TruthTableGrid(Themed, QWidget):
    """Shows the classes of all cells. Pointing tells with `row_hovered`, a click or a key with `row_picked`."""

    row_hovered = Signal(object)
    row_picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table: RowTable | None = None
        self._picture: QPixmap | None = None
        self._area: QRectF | None = None
        self._wanted_width = _LEAST_SIDE
        self._marked: int | None = None
        self._hovered: tuple[int, int] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Truth table")

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self._forget_layout()

    def set_table(self, table: RowTable | None) -> None:
        """Show this table. Where the mouse rests another row may be now, which is reported."""
        is_other_grid = table is None or self._table is None or table.grid != self._table.grid
        self._table = table
        self._picture = None
        self.update()
        if is_other_grid:
            self._forget_layout()
            if self._hovered is not None:
                self._hovered = None
                self.row_hovered.emit(None)

    def set_marked(self, mask: int | None) -> None:
        """Mark the cell of a row."""
        if mask != self._marked:
            self._marked = mask
            self.update()

    def width_for(self, height: int) -> int:
        """The width at which the cells are square."""
        if self._table is None:
            return height
        left, top = sides_of(self._table.grid, self.theme, height)
        rows, columns = self._table.grid.shape
        return left + max(_LEAST_SIDE, (height - top - FRAME) * columns // rows) + FRAME

    def set_wanted_width(self, width: int) -> None:
        """Have this width where there is space."""
        if width != self._wanted_width:
            self._wanted_width = width
            self.setMaximumWidth(width)
            self.updateGeometry()

    def cells_area(self) -> QRectF:
        """Where the cells are."""
        if self._table is None:
            return QRectF()
        if self._area is None:
            self._area = self._found_area(self._table)
        return self._area

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """The cell at a point of the widget."""
        area = self.cells_area()
        if self._table is None or not area.contains(point):
            return None
        rows, columns = self._table.grid.shape
        row = int((point.y() - area.top()) * rows / area.height())
        column = int((point.x() - area.left()) * columns / area.width())
        return min(row, rows - 1), min(column, columns - 1)

    def rect_of(self, row: int, column: int) -> QRectF:
        """The rectangle of a cell."""
        assert self._table is not None
        area = self.cells_area()
        rows, columns = self._table.grid.shape
        width, height = area.width() / columns, area.height() / rows
        return QRectF(area.left() + column * width, area.top() + row * height, width, height)

    def sizeHint(self) -> QSize:
        return QSize(self._wanted_width, self._wanted_width)

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_SIDE, _LEAST_SIDE)

    # Events

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._handles_key(event)
        ):
            event.accept()  # before the window takes the arrow keys as shortcuts
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        table = self._table
        if table is None or not self._handles_key(event):
            super().keyPressEvent(event)
            return
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.row_picked.emit(None)
            return
        here = None if self._marked is None else table.grid.cell_of(self._marked)
        if here is None or key == Qt.Key.Key_Home:
            self.row_picked.emit(table.grid.assignment_of(0, 0))
            return
        down, across = _MOVES[key]
        rows, columns = table.grid.shape
        row, column = (here[0] + down) % rows, (here[1] + across) % columns
        self.row_picked.emit(table.grid.assignment_of(row, column))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self.cell_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or cell is None or self._table is None:
            super().mousePressEvent(event)
            return
        self.row_picked.emit(self._table.grid.assignment_of(*cell))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._forget_layout()
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._table is None:
            return
        painter = QPainter(self)
        ratio = painter.deviceTransform().m11()  # real pixels per pixel, on a screen and in a picture
        if self._picture is None or self._picture.devicePixelRatioF() != ratio:
            self._picture = self._painted(self._table, ratio)
        painter.drawPixmap(QPoint(0, 0), self._picture)
        if self._marked is not None:
            cell = self._table.grid.cell_of(self._marked)
            if cell is not None:
                self._draw_mark(painter, self.rect_of(*cell))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self.theme.colours.accent), 2))
            painter.drawRect(self.cells_area().adjusted(-1, -1, 1, 1))
        painter.end()

    # Parts

    def _handles_key(self, event: QKeyEvent) -> bool:
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            return self._marked is not None
        return key in _MOVES or key == Qt.Key.Key_Home

    def _point_at(self, cell: tuple[int, int] | None) -> None:
        if cell == self._hovered or self._table is None:
            return
        self._hovered = cell
        self.row_hovered.emit(None if cell is None else self._table.grid.assignment_of(*cell))

    def _forget_layout(self) -> None:
        """Everything may have to be painted elsewhere."""
        self._picture = self._area = None
        self.update()

    def _found_area(self, table: RowTable) -> QRectF:
        left, top = sides_of(table.grid, self.theme, self.height())
        rows, columns = table.grid.shape
        space = QSize(self.width() - left - FRAME, self.height() - top - FRAME)
        scale = max(min(space.width() / columns, space.height() / rows), 0.0)
        if scale >= _WITH_LINES:
            scale = int(scale)  # all cells of the same size
        return QRectF(left, top, max(1, int(scale * columns)), max(1, int(scale * rows)))

    def _painted(self, table: RowTable, ratio: float) -> QPixmap:
        pixmap = QPixmap(self.size() * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        area = self.cells_area()
        painter = QPainter(pixmap)
        cell = area.width() / table.grid.shape[1]
        has_symbols = cell >= _WITH_SYMBOLS
        width, height = int(area.width() * ratio), int(area.height() * ratio)
        image = picture_of(table, width, height, self.theme, has_drawn_colours=not has_symbols)
        painter.drawImage(area, image)
        draw_sides(painter, table.grid, area, self.theme, self.height())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if has_symbols:
            self._draw_cells(painter, table)
            if table.drawn is not None:
                self._draw_dots(painter, table)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._draw_lines(painter, table, cell)
        painter.end()
        return pixmap

    def _draw_cells(self, painter: QPainter, table: RowTable) -> None:
        for row, line in enumerate(table.classes.tolist()):
            for column, kind in enumerate(line):
                draw_symbol(painter, CellClass(kind), self.rect_of(row, column), self.theme)
        target = self.rect_of(0, 0)
        inset = 0.28 * target.width()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self.theme.colours.text), 1.5 * self.theme.line_scale))
        painter.drawEllipse(target.adjusted(inset, inset, -inset, -inset))

    def _draw_dots(self, painter: QPainter, table: RowTable) -> None:
        """Drawn rows have a dot in the corner of their cell, or how often they were drawn."""
        drawn = table.drawn
        assert drawn is not None
        columns = table.grid.shape[1]
        painter.setFont(self.theme.font(0.7, is_bold=True))
        for cell, times in zip(drawn.cells.tolist(), drawn.times.tolist(), strict=True):
            row, column = divmod(cell, columns)
            area = self.rect_of(row, column)
            self._draw_dot(painter, area, CellClass(int(table.classes[row, column])), times)

    def _draw_dot(self, painter: QPainter, area: QRectF, kind: CellClass, times: int) -> None:
        colour = readable_on(class_colour(kind, self.theme), self.theme)
        if kind is CellClass.RIGHT:
            colour = QColor(self.theme.colours.accent)
        if times > 1 and area.width() >= _WITH_NUMBERS:
            painter.setPen(colour)
            corner = area.adjusted(0, 1, -3, 0)
            painter.drawText(
                corner, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop), f"{min(times, 99)}"
            )
            return
        radius = max(1.5, 0.09 * area.width())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(area.right() - 2.2 * radius, area.top() + 2.2 * radius), radius, radius)

    def _draw_lines(self, painter: QPainter, table: RowTable, cell: float) -> None:
        area = self.cells_area().toRect()
        rows, columns = table.grid.shape
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self.theme.colours.border), 1))
        if cell >= _WITH_LINES:
            for row in range(1, rows):
                y = round(area.top() + row * cell)
                painter.drawLine(area.left(), y, area.right(), y)
            for column in range(1, columns):
                x = round(area.left() + column * cell)
                painter.drawLine(x, area.top(), x, area.bottom())
        painter.setPen(QPen(QColor(self.theme.colours.edge), 1))
        painter.drawRect(area.adjusted(-1, -1, 0, 0))

    def _draw_mark(self, painter: QPainter, cell: QRectF) -> None:
        area = self.cells_area()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        accent = QColor(self.theme.colours.accent)
        if cell.width() < _WITH_LINES:  # too small to be found without help
            painter.setPen(QPen(accent, 1))
            centre = cell.center()
            painter.drawLine(QPointF(area.left(), centre.y()), QPointF(area.right(), centre.y()))
            painter.drawLine(QPointF(centre.x(), area.top()), QPointF(centre.x(), area.bottom()))
            half = _WITH_LINES - 1
            cell = QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half)
        ring = cell.toRect() & self.rect().adjusted(1, 1, -2, -2)
        width = round(2 * self.theme.line_scale)
        painter.setPen(QPen(QColor(self.theme.colours.panel), width + 2))
        painter.drawRect(ring)
        painter.setPen(QPen(accent, width))
        painter.drawRect(ring)


class TruthTableLegend(Themed, QLabel):
    """The classes of cells with their counts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: dict[CellClass, int] = {}
        self._has_drawn = False
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        set_tip(
            self,
            "Right and wrong: parent and offspring alike. Fixed: only the parent is wrong. "
            "Broken: only the offspring is wrong.",
        )

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.setFont(theme.font(0.95))
        self._write()

    def set_counts(self, counts: dict[CellClass, int], *, has_drawn: bool) -> None:
        """Show these classes; ``has_drawn`` adds the mark of the drawn rows."""
        if (counts, has_drawn) != (self._counts, self._has_drawn):
            self._counts, self._has_drawn = counts, has_drawn
            self._write()

    def texts(self) -> list[str]:
        """What it says, item by item."""
        texts = [f"{CLASS_WORDS[kind]} {number_text(count)}" for kind, count in self._counts.items()]
        return [*texts, "drawn"] if self._has_drawn else texts

    def _write(self) -> None:
        colours = self.theme.colours
        swatches = [self._swatch(kind) for kind in self._counts]
        swatches.append(f"<span style='color:{colours.accent}'>●</span>")
        entries = (
            f"{swatch}&nbsp;{text.replace(' ', '&nbsp;')}"
            for swatch, text in zip(swatches, self.texts(), strict=False)
        )
        self.setText(f"<span style='color:{colours.text}'>{'&nbsp;&nbsp; '.join(entries)}</span>")
        self.setAccessibleName(", ".join(self.texts()))

    def _swatch(self, kind: CellClass) -> str:
        """A cell of this class."""
        fill = class_colour(kind, self.theme)
        if kind is CellClass.RIGHT:
            return f"<span style='color:{self.theme.colours.edge}'>□</span>"
        if kind not in _SYMBOLS:
            return f"<span style='color:{fill.name()}'>■</span>"
        text = readable_on(fill, self.theme).name()
        return (
            f"<span style='background-color:{fill.name()};color:{text}'>&nbsp;{_SYMBOLS[kind]}&nbsp;</span>"
        )
