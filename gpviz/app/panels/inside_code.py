"""Pseudocode, painted: numbered lines that wrap, bold keywords, values as chips, the current line marked."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QSizePolicy, QWidget

from gpviz.app.panels.chip import readable_on
from gpviz.app.theme import Theme, load_theme
from gpviz.record.phases import Kind, PhaseView, Value
from gpviz.record.phases_code import Ink, Line, Listing

__all__ = ["CodeView"]

_INDENT: Final = 1.2  # in heights of the type, as are the others
_ROW: Final = 1.27
_NARROWEST_COLUMN: Final = 17.0
_COLUMN_GAP: Final = 0.6
_LEAST_SEEN: Final = 0.35  # of a row; less of it at an edge looks like dirt
_TYPE: Final = 0.97
_BAR_WIDTH: Final = 3.0
_TINT: Final = 0.16
_MOST_KNOWN: Final = 500

_Words = tuple[tuple[str, bool, Value | None], ...]
"""What is written in a line: each text, whether it is bold, and the value it is."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A word or a chip in its place, seen from the corner of its line."""

    area: QRectF
    text: str
    is_bold: bool
    value: Value | None


@dataclass(frozen=True, slots=True)
class _Placed:
    """A line of code in its place, with its words."""

    line: Line
    area: QRectF
    pieces: tuple[_Piece, ...]


class CodeView(QAbstractScrollArea):
    """Shows one algorithm, at the place where a phase has brought it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = load_theme("light")
        self._listing: Listing | None = None
        self._view: PhaseView | None = None
        self._is_marked = False
        self._placed: list[_Placed] = []
        self._measure()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.viewport().setAutoFillBackground(False)

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self._theme = theme
        self._measure()
        self._arrange()

    def show_code(self, listing: Listing, view: PhaseView | None, *, is_marked: bool) -> None:
        """Show an algorithm with the values that are known in this phase, and the phase's lines marked or not."""
        if (listing, view, is_marked) == (self._listing, self._view, self._is_marked):
            return
        self._listing, self._view, self._is_marked = listing, view, is_marked
        self.setAccessibleName(f"The algorithm {listing.title}")
        self.setAccessibleDescription("; ".join(self.text_of(line) for line in self.current_lines()))
        self._arrange()
        self._keep_current_in_view()

    @property
    def narrowest_column(self) -> float:
        """How wide a column must be at least where there are two."""
        return _NARROWEST_COLUMN * self._unit

    def current_lines(self) -> list[Line]:
        """The lines with the arrow."""
        return [] if self._listing is None else [x for x in self._listing.lines if self._mark(x) is True]

    def text_of(self, line: Line) -> str:
        """The line as it is shown, with its values."""
        return f"{line.number} {' '.join(text for text, _, _ in self._words(line))}"

    def visible_rows(self) -> range:
        """From where to where the code is to be seen, in pixels from its top."""
        top = self.verticalScrollBar().value()
        return range(top, top + self.viewport().height())

    def area_of(self, key: str) -> QRectF:
        """Where a line is, from the top of the code."""
        return next(placed.area for placed in self._placed if placed.line.key == key)

    def sizeHint(self) -> QSize:
        return QSize(300, 120)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 40)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()
        self._keep_current_in_view()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            shown = QRectF(event.rect()).translated(0, self.verticalScrollBar().value())
            painter.translate(0, -self.verticalScrollBar().value())
            self._paint_title(painter)
            rows, least = self.visible_rows(), _LEAST_SEEN * self._row
            for placed in self._placed:
                is_seen = placed.area.bottom() > rows.start + least and placed.area.top() < rows.stop - least
                if is_seen and placed.area.intersects(shown):
                    self._paint_line(painter, placed)
            painter.resetTransform()
            if self.hasFocus():
                painter.setPen(QPen(QColor(self._theme.colours.accent), 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1), 4, 4)

    # --- where everything is ---

    def _arrange(self) -> None:
        """Place the words, line by line, in one column, or in two where that saves scrolling."""
        if self._listing is None:
            return
        height = self._place(1)
        if height > self.viewport().height() and self.viewport().width() >= 2 * self.narrowest_column:
            height = self._place(2)
        bar = self.verticalScrollBar()
        bar.setSingleStep(self._row)
        bar.setPageStep(self.viewport().height())
        bar.setRange(0, max(0, round(height) - self.viewport().height()))
        self.viewport().update()

    def _place(self, columns: int) -> float:
        """Place the words in so many columns; the result is the height they take."""
        assert self._listing is not None
        gap = _COLUMN_GAP * self._unit * (columns - 1)
        width = (self.viewport().width() - gap) / columns
        lines = self._listing.lines
        placed = [self._placed_line(line, width) for line in lines]
        heights = [one.area.height() for one in placed]
        split = len(lines)
        if columns > 1:
            starts = [place for place, line in enumerate(lines) if not line.indent and place]
            split = min(starts, key=lambda place: max(self._row + sum(heights[:place]), sum(heights[place:])))
        self._placed = []
        top = bottom = float(self._row)  # below the title
        left = 0.0
        for place, one in enumerate(placed):
            if place == split:
                left, top = width + gap, 0.0
            self._placed.append(_Placed(one.line, one.area.translated(left, top), one.pieces))
            top += one.area.height()
            bottom = max(bottom, top)
        return bottom

    def _placed_line(self, line: Line, width: float) -> _Placed:
        """A line at the left edge of a column of this width; most lines stay as they are from step to step."""
        words = self._words(line)
        known = self._known.get((line.key, width, words))
        if known is None:
            known = self._measured(line, words, width)
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            self._known[line.key, width, words] = known
        return known

    def _measured(self, line: Line, words: _Words, width: float) -> _Placed:
        left = self._gutter + line.indent * _INDENT * self._unit
        space = self._plain.horizontalAdvance(" ")
        x, y = left, 0.0
        pieces = []
        for text, is_bold, value in words:
            length = (self._bold if is_bold else self._plain).horizontalAdvance(text)
            length += 0 if value is None else 0.8 * self._unit
            if x + length > width - 4 and x > left:
                x, y = left + self._unit, y + self._row
            pieces.append(_Piece(QRectF(x, y, length, self._row), text, is_bold, value))
            x += length + space
        return _Placed(line, QRectF(0, 0, width, y + self._row), tuple(pieces))

    def _words(self, line: Line) -> _Words:
        """What is written in a line now."""
        words: list[tuple[str, bool, Value | None]] = []
        for part in line.parts:
            value = self._value(line, part.name) if part.ink is Ink.VALUE else None
            if value is not None:
                words.append((value.text, True, value))
            else:
                words += [(word, part.ink is Ink.KEYWORD, None) for word in part.text.split()]
        return tuple(words)

    def _value(self, line: Line, name: str) -> Value | None:
        """What is known of a value, in a line that the step has come by."""
        if self._view is None or self._listing is None:
            return None
        return self._view.values.get(name) if (self._listing.code, line.key) in self._view.reached else None

    def _mark(self, line: Line) -> bool | None:
        """Whether the line is the current one; None for a line that is not marked at all."""
        if self._view is None or self._listing is None or not self._is_marked:
            return None
        code = self._listing.code
        return next((m.is_current for m in self._view.marks if (m.code, m.key) == (code, line.key)), None)

    def _keep_current_in_view(self) -> None:
        marked = [placed.area for placed in self._placed if self._mark(placed.line) is not None]
        if not marked:
            return
        current = [placed.area for placed in self._placed if self._mark(placed.line)] or marked
        bar, height = self.verticalScrollBar(), self.viewport().height()
        top, bottom = min(area.top() for area in marked), max(area.bottom() for area in current)
        if bottom - top > height:  # the current line matters more than what led there
            top = min(area.top() for area in current)
        if top <= self._row and bottom <= height:
            top = 0.0  # with the title
        if top < bar.value():
            bar.setValue(round(top))
        elif bottom > bar.value() + height:
            # The first line to be seen is seen whole.
            tops = sorted(placed.area.top() for placed in self._placed)
            bar.setValue(round(next((y for y in tops if bottom - height <= y <= top), top)))

    def _measure(self) -> None:
        """What is needed of the type again and again."""
        self._known: dict[tuple[str, float, _Words], _Placed] = {}
        self._plain = QFontMetricsF(self._font())
        self._bold = QFontMetricsF(self._font(is_bold=True))
        self._unit = self._plain.height()
        self._row = round(self._unit * _ROW)
        self._gutter = self._unit * 1.4 + self._plain.horizontalAdvance("88")  # for the arrow and the number

    def _font(self, *, is_bold: bool = False) -> QFont:
        return self._theme.font(_TYPE, is_bold=is_bold)

    # --- painting ---

    def _paint_title(self, painter: QPainter) -> None:
        if self._listing is None:
            return
        width = self._placed[0].area.width() if self._placed else self.viewport().width()
        area = QRectF(6, 0, width - 8, self._row)
        colours = self._theme.colours
        painter.setFont(self._font(is_bold=True))
        painter.setPen(QColor(colours.text))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self._listing.title)
        area.setLeft(area.left() + self._bold.horizontalAdvance(self._listing.title) + self._unit * 0.7)
        remark = self._plain.elidedText(self._listing.remark, Qt.TextElideMode.ElideRight, area.width())
        painter.setFont(self._font())
        painter.setPen(QColor(colours.muted))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, remark)

    def _paint_line(self, painter: QPainter, placed: _Placed) -> None:
        colours = self._theme.colours
        mark = self._mark(placed.line)
        if mark is not None:
            self._paint_mark(painter, placed.area, is_current=mark)
        area = placed.area
        number = QRectF(area.left(), area.top(), self._gutter - self._unit * 0.45, self._row)
        painter.setFont(self._theme.font(_TYPE * 0.88))
        painter.setPen(QColor(colours.text if mark else colours.muted))
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(number, align, str(placed.line.number))
        fonts = {is_bold: self._font(is_bold=is_bold) for is_bold in (False, True)}
        painter.translate(area.topLeft())
        for piece in placed.pieces:
            painter.setFont(fonts[piece.is_bold])
            if piece.value is None:
                painter.setPen(QColor(colours.text))
                painter.drawText(piece.area, Qt.AlignmentFlag.AlignVCenter, piece.text)
            else:
                self._paint_chip(painter, piece.area, piece.value)
        painter.translate(-area.topLeft())

    def _paint_mark(self, painter: QPainter, area: QRectF, *, is_current: bool) -> None:
        """A current line has a tint, a bar and a filled arrow; one that waits has an open arrow."""
        accent = QColor(self._theme.colours.accent)
        if is_current:
            tint = QColor(accent)
            tint.setAlphaF(_TINT)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tint)
            painter.drawRoundedRect(area.adjusted(0, 0.5, -2, -0.5), 3, 3)
            painter.setBrush(accent)
            painter.drawRect(
                QRectF(area.left(), area.top() + 0.5, _BAR_WIDTH * self._theme.line_scale, area.height() - 1)
            )
        side = self._unit * 0.26
        middle = area.topLeft() + QPointF(_BAR_WIDTH * self._theme.line_scale + 3 + side, self._row / 2)
        arrow = QPolygonF(
            [
                middle + QPointF(-side, -side * 1.2),
                middle + QPointF(side * 1.2, 0),
                middle + QPointF(-side, side * 1.2),
            ]
        )
        painter.setPen(QPen(accent, 1.2 * self._theme.line_scale))
        painter.setBrush(accent if is_current else Qt.BrushStyle.NoBrush)
        painter.drawPolygon(arrow)

    def _paint_chip(self, painter: QPainter, area: QRectF, value: Value) -> None:
        fill, border, text = self._chip_colours(value)
        chip = area.adjusted(0.5, area.height() * 0.09, -0.5, -area.height() * 0.09)
        radius = chip.height() * (0.5 if value.kind is Kind.LEAF else 0.28)
        painter.setPen(QPen(border, self._theme.line_scale))
        painter.setBrush(fill)
        painter.drawRoundedRect(chip, radius, radius)
        painter.setPen(text)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, value.text)

    def _chip_colours(self, value: Value) -> tuple[QColor, QColor, QColor]:
        """Fill, border and text: the colours that these things have on the canvas."""
        colours = self._theme.colours
        if value.verdict is not None:
            fill = QColor(colours.of_verdict(value.verdict))
            return fill, fill, readable_on(fill, self._theme)
        fill_name, border_name, text_name = {
            Kind.LEAF: ("leaf_fill", "leaf_border", "leaf_text"),
            Kind.AND: ("and_fill", "and_fill", "and_text"),
            Kind.OR: ("or_fill", "or_fill", "or_text"),
            Kind.OPERATION: ("accent", "accent", "accent_text"),
        }.get(value.kind, ("field", "muted", "text"))
        return (
            QColor(getattr(colours, fill_name)),
            QColor(getattr(colours, border_name)),
            QColor(getattr(colours, text_name)),
        )
