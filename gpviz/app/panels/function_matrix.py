"""A function as a picture: one line per prime implicant, one column per variable."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from gpviz.app.panels.chip import readable_on
from gpviz.app.theme import Theme, load_theme
from gpviz.engine import UNICODE
from gpviz.record.functions import Line, implicant_text

__all__ = ["ImplicantMatrix"]

_LOW: Final = 3
"""So many lines are always to be seen, if the page is low."""

_MOST_TOLD: Final = 8
_LARGEST_GROWTH: Final = 1.6
_WIDEST: Final = 1.25
_MARGIN: Final = 4


class ImplicantMatrix(QAbstractScrollArea):
    """Prime implicants line by line; a line the other function lacks has a sign and a colour of its own."""

    def __init__(self, sign: str, word: str, parent: QWidget | None = None) -> None:
        """``sign`` and ``word`` tell of a line that is alone: − gone, + new."""
        super().__init__(parent)
        self._sign = sign
        self._word = word
        self._theme = load_theme("light")
        self._n = 0
        self._lines: list[Line | None] = []
        self._message = ""
        self._cell = self._height = self._header = 1.0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setAutoFillBackground(False)
        self.setCornerWidget(QWidget())  # Qt would paint one of its own
        self._measure()

    @property
    def lines(self) -> list[Line | None]:
        """What it shows."""
        return self._lines

    @property
    def message(self) -> str:
        """What it says instead of lines."""
        return self._message

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self._theme = theme
        self._measure()
        self.updateGeometry()

    def show_lines(self, lines: Sequence[Line | None], n: int, message: str = "") -> None:
        """Show these implicants over n variables, or say why there are none."""
        if (lines, n, message) == (self._lines, self._n, self._message):
            return
        self._lines, self._n, self._message = list(lines), n, message
        told = range(min(len(lines), _MOST_TOLD))
        self.setAccessibleDescription(message or "; ".join(map(self._line_text, told)))
        self._measure()

    def sizeHint(self) -> QSize:
        return QSize(200, 2 * self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(90, round(QFontMetricsF(self._theme.font()).height() * _LOW))

    def cell_at(self, point: QPoint) -> tuple[int, int] | None:
        """The line and the variable at a point of the viewport."""
        row = int((point.y() - self._header + self.verticalScrollBar().value()) // self._height)
        variable = int((point.x() - self._left() + self.horizontalScrollBar().value()) // self._cell) + 1
        is_in_lines = point.y() >= self._header and point.x() >= self._left()
        if is_in_lines and 0 <= row < len(self._lines) and 1 <= variable <= self._n:
            return row, variable
        return None

    def cell_rect(self, row: int, variable: int) -> QRectF:
        """Where a cell is in the viewport."""
        return QRectF(
            self._left() + (variable - 1) * self._cell - self.horizontalScrollBar().value(),
            self._header + row * self._height - self.verticalScrollBar().value(),
            self._cell,
            self._height,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cell = self.cell_at(event.pos())
            text = "" if cell is None else self._line_text(cell[0])
            QToolTip.showText(event.globalPos(), text, self.viewport(), QRect())
            return True
        return super().viewportEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._message:
            painter.setFont(self._theme.font())
            painter.setPen(QColor(self._theme.colours.muted))
            flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop) | int(
                Qt.TextFlag.TextWordWrap
            )
            painter.drawText(self.viewport().rect().adjusted(0, 4, 0, 0), flags, self._message)
        else:
            self._paint_lines(painter)
            self._paint_header(painter)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.colours.accent), 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1), 3, 3)
        painter.end()

    def _paint_lines(self, painter: QPainter) -> None:
        left, viewport = self._left(), QRectF(self.viewport().rect())
        first = int(self.verticalScrollBar().value() / self._height)
        last = min(len(self._lines), int(first + viewport.height() / self._height + 2))
        variables = self._variables_in_view()
        shown = [(row, line) for row in range(first, last) if (line := self._lines[row]) is not None]
        painter.setClipRect(QRectF(left, self._header, viewport.width() - left, viewport.height()))
        for row, line in shown:
            for variable in variables:
                self._paint_cell(painter, line, row, variable)
        painter.setClipRect(QRectF(0, self._header, left, viewport.height()))
        for row, line in shown:
            if line.is_alone:
                self._paint_sign(painter, line, row)
        painter.setClipping(False)

    def _variables_in_view(self) -> range:
        scrolled = self.horizontalScrollBar().value()
        last = min(self._n, int((scrolled + self.viewport().width()) / self._cell) + 1)
        return range(max(1, int(scrolled / self._cell)), last + 1)

    def _paint_cell(self, painter: QPainter, line: Line, row: int, variable: int) -> None:
        colours = self._theme.colours
        side = min(self._cell, self._height) - 4
        area = QRectF(0, 0, side, side)
        area.moveCenter(self.cell_rect(row, variable).center())
        is_required = bool(line.mask >> (variable - 1) & 1)
        if is_required:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._line_colour(line))
        else:
            painter.setPen(QPen(QColor(colours.border), self._theme.line_scale))
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area, 3, 3)

    def _paint_sign(self, painter: QPainter, line: Line, row: int) -> None:
        side = self._left() - 4
        disc = QRectF(0, 0, side, side)
        disc.moveCenter(QPointF(self._left() / 2, self.cell_rect(row, 1).center().y()))
        fill = self._line_colour(line)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawEllipse(disc)
        painter.setPen(readable_on(fill, self._theme))
        painter.setFont(self._theme.font(is_bold=True))
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, self._sign)

    def _paint_header(self, painter: QPainter) -> None:
        painter.setFont(self._theme.font(0.9))
        painter.setPen(QColor(self._theme.colours.muted))
        for variable in self._variables_in_view():
            area = self.cell_rect(0, variable)
            area.setTop(0)
            area.setHeight(self._header)
            if area.left() >= self._left() - 1:
                painter.drawText(area, Qt.AlignmentFlag.AlignCenter, UNICODE.variable(variable))

    def _line_colour(self, line: Line) -> QColor:
        colours = self._theme.colours
        if not line.is_alone:
            return QColor(colours.muted)
        return QColor(colours.worse if self._sign != "+" else colours.improved)

    def _line_text(self, row: int) -> str:
        line = self._lines[row]
        if line is None:
            return "nothing here"
        text = implicant_text(line.mask)
        return f"{text}, {self._word}" if line.is_alone else text

    def _left(self) -> float:
        """The room for the signs."""
        return self._header + 3

    def _measure(self) -> None:
        """Cells grow with the room there is, within reason; where there is none they scroll."""
        metrics = QFontMetricsF(self._theme.font(0.9))
        name = UNICODE.variable(max(self._n, 1))
        least = metrics.height() * 1.25
        narrowest = max(least, metrics.horizontalAdvance(name) + 4)
        self._header = least
        room = self.maximumViewportSize()
        high = (room.height() - self._header - _MARGIN) / max(len(self._lines), 1)
        beside = self._left() + _MARGIN + self.verticalScrollBar().sizeHint().width()
        wide = (room.width() - beside) / max(self._n, 1)
        self._height = min(max(least, min(high, wide)), _LARGEST_GROWTH * least)
        self._cell = max(narrowest, self._height, min(wide, _WIDEST * narrowest))
        self._set_ranges()
        self.viewport().update()

    def _set_ranges(self) -> None:
        size = self.viewport().size()
        wide = 0 if self._message else round(self._left() + self._n * self._cell + _MARGIN / 2)
        high = 0 if self._message else round(self._header + len(self._lines) * self._height + _MARGIN / 2)
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setRange(0, max(0, wide - size.width()))
        down.setRange(0, max(0, high - size.height()))
        across.setPageStep(size.width())
        down.setPageStep(size.height())
        across.setSingleStep(round(self._cell))
        down.setSingleStep(round(self._height))
