"""The grid of a truth table: a cell for each row, to be pointed at, clicked, and walked with the arrow keys."""

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.panels.chip import readable_on
from gpviz.app.panels.rows_picture import class_colour, draw_symbol, picture_of
from gpviz.app.panels.rows_sides import FRAME, draw_sides, sides_of
from gpviz.app.theme import Theme, load_theme
from gpviz.record.rows import CellClass, RowTable

__all__ = ["RowGrid"]

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

_LEAST: Final = 96


class RowGrid(QWidget):
    """Shows the classes of all cells. Pointing tells with `row_hovered`, a click or a key with `row_picked`."""

    row_hovered = Signal(object)
    row_picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = load_theme("light")
        self._table: RowTable | None = None
        self._picture: QPixmap | None = None
        self._sides_picture: QPixmap | None = None
        self._ratio = 1.0
        self._area: QRectF | None = None
        self._wanted_width = _LEAST
        self._marked: int | None = None
        self._hovered: tuple[int, int] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Truth table")

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self._theme = theme
        self._forget_places()

    def set_table(self, table: RowTable | None) -> None:
        """Show this table. Where the mouse rests another row may be now, which is told."""
        is_other_grid = table is None or self._table is None or table.grid != self._table.grid
        self._table = table
        self._picture = None
        self.update()
        if is_other_grid:
            self._forget_places()
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
        left, top = sides_of(self._table.grid, self._theme, height)
        rows, columns = self._table.grid.shape
        return left + max(_LEAST, (height - top - FRAME) * columns // rows) + FRAME

    def set_wanted_width(self, width: int) -> None:
        """Have this width where there is room."""
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

    def cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """The cell at a place of the widget."""
        area = self.cells_area()
        if self._table is None or not area.contains(place):
            return None
        rows, columns = self._table.grid.shape
        row = int((place.y() - area.top()) * rows / area.height())
        column = int((place.x() - area.left()) * columns / area.width())
        return min(row, rows - 1), min(column, columns - 1)

    def rect_of(self, row: int, column: int) -> QRectF:
        """The place of a cell."""
        assert self._table is not None
        area = self.cells_area()
        rows, columns = self._table.grid.shape
        width, height = area.width() / columns, area.height() / rows
        return QRectF(area.left() + column * width, area.top() + row * height, width, height)

    def sizeHint(self) -> QSize:
        return QSize(self._wanted_width, self._wanted_width)

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST, _LEAST)

    # Events

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._is_mine(event)
        ):
            event.accept()  # before the window takes the arrow keys as shortcuts
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        table = self._table
        if table is None or not self._is_mine(event):
            super().keyPressEvent(event)
            return
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.row_picked.emit(None)
            return
        here = None if self._marked is None else table.cell_of(self._marked)
        if here is None or key == Qt.Key.Key_Home:
            self.row_picked.emit(table.assignment_of(0, 0))
            return
        down, across = _MOVES[key]
        rows, columns = table.grid.shape
        row, column = (here[0] + down) % rows, (here[1] + across) % columns
        self.row_picked.emit(table.assignment_of(row, column))

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
        self.row_picked.emit(self._table.assignment_of(*cell))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._forget_places()
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._table is None:
            return
        painter = QPainter(self)
        ratio = painter.deviceTransform().m11()  # real pixels per pixel, on a screen and in a picture
        if self._picture is None or self._picture.devicePixelRatioF() != ratio:
            self._sides_picture = self._sides_picture if ratio == self._ratio else None
            self._ratio = ratio
            self._picture = self._painted(self._table)
        painter.drawPixmap(QPoint(0, 0), self._picture)
        if self._marked is not None:
            cell = self._table.cell_of(self._marked)
            if cell is not None:
                self._draw_mark(painter, self.rect_of(*cell))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self._theme.colours.accent), 2))
            painter.drawRect(self.cells_area().adjusted(-1, -1, 1, 1))
        painter.end()

    # Parts

    def _is_mine(self, event: QKeyEvent) -> bool:
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
        self.row_hovered.emit(None if cell is None else self._table.assignment_of(*cell))

    def _forget_places(self) -> None:
        """Everything may have to be painted elsewhere."""
        self._picture = self._sides_picture = self._area = None
        self.update()

    def _found_area(self, table: RowTable) -> QRectF:
        left, top = sides_of(table.grid, self._theme, self.height())
        rows, columns = table.grid.shape
        room = QSize(self.width() - left - FRAME, self.height() - top - FRAME)
        scale = max(min(room.width() / columns, room.height() / rows), 0.0)
        if scale >= _WITH_LINES:
            scale = int(scale)  # all cells of the same size
        return QRectF(left, top, max(1, int(scale * columns)), max(1, int(scale * rows)))

    def _painted(self, table: RowTable) -> QPixmap:
        pixmap = self._empty_pixmap()
        ratio = pixmap.devicePixelRatioF()
        area = self.cells_area()
        painter = QPainter(pixmap)
        cell = area.width() / table.grid.shape[1]
        has_symbols = cell >= _WITH_SYMBOLS
        width, height = int(area.width() * ratio), int(area.height() * ratio)
        image = picture_of(table, width, height, self._theme, is_drawn_told=not has_symbols)
        painter.drawImage(area, image)
        if self._sides_picture is None:
            self._sides_picture = self._painted_sides(table)
        painter.drawPixmap(QPoint(0, 0), self._sides_picture)
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
                draw_symbol(painter, CellClass(kind), self.rect_of(row, column), self._theme)
        target = self.rect_of(0, 0)
        inset = 0.28 * target.width()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self._theme.colours.text), 1.5 * self._theme.line_scale))
        painter.drawEllipse(target.adjusted(inset, inset, -inset, -inset))

    def _draw_dots(self, painter: QPainter, table: RowTable) -> None:
        """Drawn rows have a dot in the corner of their cell, or how often they were drawn."""
        drawn = table.drawn
        assert drawn is not None
        columns = table.grid.shape[1]
        painter.setFont(self._theme.font(0.7, is_bold=True))
        for place, times in zip(drawn.cells.tolist(), drawn.times.tolist(), strict=True):
            row, column = divmod(place, columns)
            area = self.rect_of(row, column)
            self._draw_dot(painter, area, CellClass(int(table.classes[row, column])), times)

    def _draw_dot(self, painter: QPainter, area: QRectF, kind: CellClass, times: int) -> None:
        colour = readable_on(class_colour(kind, self._theme), self._theme)
        if kind is CellClass.RIGHT:
            colour = QColor(self._theme.colours.accent)
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
        painter.setPen(QPen(QColor(self._theme.colours.border), 1))
        if cell >= _WITH_LINES:
            for row in range(1, rows):
                y = round(area.top() + row * cell)
                painter.drawLine(area.left(), y, area.right(), y)
            for column in range(1, columns):
                x = round(area.left() + column * cell)
                painter.drawLine(x, area.top(), x, area.bottom())
        painter.setPen(QPen(QColor(self._theme.colours.edge), 1))
        painter.drawRect(area.adjusted(-1, -1, 0, 0))

    def _empty_pixmap(self) -> QPixmap:
        pixmap = QPixmap(self.size() * self._ratio)
        pixmap.setDevicePixelRatio(self._ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        return pixmap

    def _painted_sides(self, table: RowTable) -> QPixmap:
        """What stays from table to table."""
        pixmap = self._empty_pixmap()
        painter = QPainter(pixmap)
        draw_sides(painter, table.grid, self.cells_area(), self._theme, self.height())
        painter.end()
        return pixmap

    def _draw_mark(self, painter: QPainter, cell: QRectF) -> None:
        area = self.cells_area()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        accent = QColor(self._theme.colours.accent)
        if cell.width() < _WITH_LINES:  # too small to be found without help
            painter.setPen(QPen(accent, 1))
            centre = cell.center()
            painter.drawLine(QPointF(area.left(), centre.y()), QPointF(area.right(), centre.y()))
            painter.drawLine(QPointF(centre.x(), area.top()), QPointF(centre.x(), area.bottom()))
            half = _WITH_LINES - 1
            cell = QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half)
        ring = cell.toRect() & self.rect().adjusted(1, 1, -2, -2)
        width = round(2 * self._theme.line_scale)
        painter.setPen(QPen(QColor(self._theme.colours.panel), width + 2))
        painter.drawRect(ring)
        painter.setPen(QPen(accent, width))
        painter.drawRect(ring)
