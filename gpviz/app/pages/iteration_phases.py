"""The page that looks inside an iteration: both algorithms in pseudocode, at the phase that is open."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from gpviz.app.pages.page import Page, PageContext
from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.app.theme import Theme, readable_on
from gpviz.app.widgets.fields import sentence
from gpviz.app.widgets.layouts import column_in, row_in
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Node
from gpviz.explain.iteration_phases import (
    PHASE_TITLES,
    PHASES,
    Ink,
    Kind,
    Line,
    Listing,
    Phase,
    PhaseView,
    Value,
    listings_of,
    phases_of,
)
from gpviz.explain.moment import Overlay, moment_at
from gpviz.explain.step_text import tell_briefly
from gpviz.runs.history import History

_INDENT: Final = 1.2  # in heights of the type, as are the others
_ROW: Final = 1.27
_NARROWEST_COLUMN: Final = 17.0
_COLUMN_GAP: Final = 0.6
_TYPE: Final = 0.97
_BAR_WIDTH: Final = 3.0
_TINT: Final = 0.16
_MOST_KNOWN: Final = 500

_Texts = tuple[tuple[str, bool, Value | None], ...]
"""What is written in a line: each text, whether it is bold, and the value it is."""
_AT_START: Final = "There is no iteration yet. Press Down to make the first one and look inside."
_CLOSED: Final = "Press Down to go through the phases of this iteration."


@dataclass(frozen=True, slots=True)
class _LinePiece:
    """A word or a chip, with its rectangle in the line."""

    area: QRectF
    text: str
    is_bold: bool
    value: Value | None


@dataclass(frozen=True, slots=True)
class _PlacedLine:
    """A line of code with its rectangle and its pieces."""

    line: Line
    area: QRectF
    pieces: tuple[_LinePiece, ...]


class CodeView(Themed, QAbstractScrollArea):
    """Shows one algorithm, at the lines that a phase has reached."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._listing: Listing | None = None
        self._view: PhaseView | None = None
        self._is_marked = False
        self._placed: list[_PlacedLine] = []
        self._measure()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.viewport().setAutoFillBackground(False)

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
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
    def listing(self) -> Listing | None:
        """The algorithm that it shows."""
        return self._listing

    @property
    def narrowest_column(self) -> float:
        """How wide a column must be at least where there are two."""
        return _NARROWEST_COLUMN * self._unit

    def current_lines(self) -> list[Line]:
        """The lines with the arrow."""
        return [] if self._listing is None else [x for x in self._listing.lines if self._mark(x) is True]

    def text_of(self, line: Line) -> str:
        """The line as it is shown, with its values."""
        return f"{line.number} {' '.join(text for text, _, _ in self._texts(line))}"

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
            for placed in self._placed:
                if placed.area.intersects(shown):
                    self._paint_line(painter, placed)
            painter.resetTransform()
            if self.hasFocus():
                painter.setPen(QPen(QColor(self.theme.colours.accent), 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1), 4, 4)

    # --- where everything is ---

    def _arrange(self) -> None:
        """Lay the texts out, line by line, in one column, or in two where that saves scrolling."""
        if self._listing is None:
            return
        height = self._lay_out(1)
        if height > self.viewport().height() and self.viewport().width() >= 2 * self.narrowest_column:
            height = self._lay_out(2)
        bar = self.verticalScrollBar()
        bar.setSingleStep(self._row)
        bar.setPageStep(self.viewport().height())
        bar.setRange(0, max(0, round(height) - self.viewport().height()))
        self.viewport().update()

    def _lay_out(self, columns: int) -> float:
        """Lay the texts out in so many columns; the result is the height they take."""
        assert self._listing is not None
        gap = _COLUMN_GAP * self._unit * (columns - 1)
        width = (self.viewport().width() - gap) / columns
        lines = self._listing.lines
        placed = [self._placed_line(line, width) for line in lines]
        heights = [one.area.height() for one in placed]
        split = len(lines)
        if columns > 1:
            starts = [index for index, line in enumerate(lines) if not line.indent and index]
            split = min(starts, key=lambda index: max(self._row + sum(heights[:index]), sum(heights[index:])))
        self._placed = []
        top = bottom = float(self._row)  # below the title
        left = 0.0
        for index, one in enumerate(placed):
            if index == split:
                left, top = width + gap, 0.0
            self._placed.append(_PlacedLine(one.line, one.area.translated(left, top), one.pieces))
            top += one.area.height()
            bottom = max(bottom, top)
        return bottom

    def _placed_line(self, line: Line, width: float) -> _PlacedLine:
        """A line at the left edge of a column of this width; most lines stay as they are from step to step."""
        texts = self._texts(line)
        known = self._known.get((line.key, width, texts))
        if known is None:
            known = self._measured(line, texts, width)
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            self._known[line.key, width, texts] = known
        return known

    def _measured(self, line: Line, texts: _Texts, width: float) -> _PlacedLine:
        left = self._gutter + line.indent * _INDENT * self._unit
        space = self._plain.horizontalAdvance(" ")
        x, y = left, 0.0
        pieces = []
        for text, is_bold, value in texts:
            length = (self._bold if is_bold else self._plain).horizontalAdvance(text)
            length += 0 if value is None else 0.8 * self._unit
            if x + length > width - 4 and x > left:
                x, y = left + self._unit, y + self._row
            pieces.append(_LinePiece(QRectF(x, y, length, self._row), text, is_bold, value))
            x += length + space
        return _PlacedLine(line, QRectF(0, 0, width, y + self._row), tuple(pieces))

    def _texts(self, line: Line) -> _Texts:
        """What is written in a line now."""
        texts: list[tuple[str, bool, Value | None]] = []
        for part in line.parts:
            value = self._value(line, part.name) if part.ink is Ink.VALUE else None
            if value is not None:
                texts.append((value.text, True, value))
            else:
                texts += [(word, part.ink is Ink.KEYWORD, None) for word in part.text.split()]
        return tuple(texts)

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
        self._known: dict[tuple[str, float, _Texts], _PlacedLine] = {}
        self._plain = QFontMetricsF(self._font())
        self._bold = QFontMetricsF(self._font(is_bold=True))
        self._unit = self._plain.height()
        self._row = round(self._unit * _ROW)
        self._gutter = self._unit * 1.4 + self._plain.horizontalAdvance("88")  # for the arrow and the number

    def _font(self, *, is_bold: bool = False) -> QFont:
        return self.theme.font(_TYPE, is_bold=is_bold)

    # --- painting ---

    def _paint_title(self, painter: QPainter) -> None:
        if self._listing is None:
            return
        width = self._placed[0].area.width() if self._placed else self.viewport().width()
        area = QRectF(6, 0, width - 8, self._row)
        colours = self.theme.colours
        painter.setFont(self._font(is_bold=True))
        painter.setPen(QColor(colours.text))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self._listing.title)
        area.setLeft(area.left() + self._bold.horizontalAdvance(self._listing.title) + self._unit * 0.7)
        remark = self._plain.elidedText(self._listing.remark, Qt.TextElideMode.ElideRight, area.width())
        painter.setFont(self._font())
        painter.setPen(QColor(colours.muted))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, remark)

    def _paint_line(self, painter: QPainter, placed: _PlacedLine) -> None:
        colours = self.theme.colours
        mark = self._mark(placed.line)
        if mark is not None:
            self._paint_mark(painter, placed.area, is_current=mark)
        area = placed.area
        number = QRectF(area.left(), area.top(), self._gutter - self._unit * 0.45, self._row)
        painter.setFont(self.theme.font(_TYPE * 0.88))
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
        accent = QColor(self.theme.colours.accent)
        if is_current:
            tint = QColor(accent)
            tint.setAlphaF(_TINT)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tint)
            painter.drawRoundedRect(area.adjusted(0, 0.5, -2, -0.5), 3, 3)
            painter.setBrush(accent)
            painter.drawRect(
                QRectF(area.left(), area.top() + 0.5, _BAR_WIDTH * self.theme.line_scale, area.height() - 1)
            )
        side = self._unit * 0.26
        middle = area.topLeft() + QPointF(_BAR_WIDTH * self.theme.line_scale + 3 + side, self._row / 2)
        arrow = QPolygonF(
            [
                middle + QPointF(-side, -side * 1.2),
                middle + QPointF(side * 1.2, 0),
                middle + QPointF(-side, side * 1.2),
            ]
        )
        painter.setPen(QPen(accent, 1.2 * self.theme.line_scale))
        painter.setBrush(accent if is_current else Qt.BrushStyle.NoBrush)
        painter.drawPolygon(arrow)

    def _paint_chip(self, painter: QPainter, area: QRectF, value: Value) -> None:
        fill, border, text = self._chip_colours(value)
        chip = area.adjusted(0.5, area.height() * 0.09, -0.5, -area.height() * 0.09)
        radius = chip.height() * (0.5 if value.kind is Kind.LEAF else 0.28)
        painter.setPen(QPen(border, self.theme.line_scale))
        painter.setBrush(fill)
        painter.drawRoundedRect(chip, radius, radius)
        painter.setPen(text)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, value.text)

    def _chip_colours(self, value: Value) -> tuple[QColor, QColor, QColor]:
        """Fill, border and text: the colours that these things have on the canvas."""
        colours = self.theme.colours
        if value.verdict is not None:
            fill = QColor(colours.of_verdict(value.verdict))
            return fill, fill, readable_on(fill, self.theme)
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


class PhaseDot(Themed, QAbstractButton):
    """One phase: a disc where one is, a smaller one where one was, a ring ahead, a dash where there is none."""

    def __init__(self, phase: Phase, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.phase = phase
        self.is_current = False
        self.is_passed = False
        self.has_name = True
        self.setText(PHASE_TITLES[phase])
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_state(self, *, exists: bool, is_current: bool, is_passed: bool) -> None:
        """Whether the iteration has this phase, and where it is seen from the current one."""
        self.is_current, self.is_passed = is_current, is_passed
        self.setEnabled(exists)
        name = self.text()
        state = "the phase on show" if is_current else "show this phase"
        tip = f"{name}: {state}" if exists else f"{name}: not in this iteration"
        self.setAccessibleName(tip)
        self.setToolTip(f"{tip}.")
        self.update()

    def width_with(self, *, name: bool) -> int:
        """How wide it is with its name or without."""
        metrics = self._metrics()
        dot = round(metrics.height() * 1.15)
        return dot + (metrics.horizontalAdvance(self.text()) + metrics.height() // 2 if name else 0)

    def sizeHint(self) -> QSize:
        return QSize(self.width_with(name=self.has_name), round(self._metrics().height() * 1.5))

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self.theme.colours
        accent, muted = QColor(colours.accent), QColor(colours.muted)
        unit = self._metrics().height()
        middle = QPointF(unit * 0.575, self.height() / 2)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            width = 1.6 * self.theme.line_scale
            if not self.isEnabled():
                painter.setPen(QPen(muted, width))
                painter.drawLine(middle - QPointF(unit * 0.18, 0), middle + QPointF(unit * 0.18, 0))
            elif self.is_current:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(accent)
                painter.drawEllipse(middle, unit * 0.4, unit * 0.4)
            else:
                painter.setPen(QPen(accent if self.is_passed else muted, width))
                painter.setBrush(accent if self.is_passed else Qt.BrushStyle.NoBrush)
                painter.drawEllipse(middle, unit * 0.24, unit * 0.24)
            if self.has_name:
                painter.setFont(self.theme.font(0.92, is_bold=self.is_current))
                painter.setPen(QColor(colours.text) if self.is_current else muted)
                area = QRectF(self.rect()).adjusted(unit * 1.15, 0, 0, 0)
                painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self.text())
            if self.hasFocus():
                painter.setPen(QPen(accent, 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self.theme.font(0.92, is_bold=True))


class PhaseDots(Themed, QWidget):
    """The dots of all phases; their names go where they do not all fit."""

    dot_chosen = Signal(str)
    """A person wants this phase, by its value."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dots: dict[Phase, PhaseDot] = {}
        line = row_in(self, spacing=2)
        for phase in PHASES:
            dot = PhaseDot(phase)
            dot.clicked.connect(self._on_clicked)
            self.dots[phase] = dot
            line.addWidget(dot)
        line.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def apply_theme(self, theme: Theme) -> None:
        self.setMinimumWidth(self._width(name=False))
        self._fit_names()

    def show_phases(self, indexes: Mapping[Phase, int], current: int | None) -> None:
        """Show which phases there are, with their indexes, and which is the current one."""
        for phase, dot in self.dots.items():
            index = indexes.get(phase)
            is_current = index is not None and index == current
            is_passed = index is not None and current is not None and index < current
            dot.show_state(exists=index is not None, is_current=is_current, is_passed=is_passed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_names()

    def _width(self, *, name: bool) -> int:
        return sum(dot.width_with(name=name) + 2 for dot in self.dots.values())

    def _fit_names(self) -> None:
        has_names = self.width() >= self._width(name=True)
        for dot in self.dots.values():
            if dot.has_name != has_names:
                dot.has_name = has_names
                dot.updateGeometry()

    @Slot()
    def _on_clicked(self) -> None:
        dot = self.sender()
        if isinstance(dot, PhaseDot):
            self.dot_chosen.emit(dot.phase.value)


class PhasesPage(Page):
    """Shows the phases of the iteration under the cursor; which of them is open, others decide."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._phases: tuple[PhaseView, ...] = ()
        self._listings: tuple[Listing, Listing] | None = None
        self._open: int | None = None
        self._summary = ""
        self._outlook_text = ""
        self._finder: OutlookFinder | None = None
        self._shown: tuple[History, int] | None = None
        self._controller: PhaseController | None = None

        self.previous = _button("◂", "Previous phase (Up)")
        self.next = _button("▸", "Next phase (Down)")
        self.dots = PhaseDots()
        self.plays = QCheckBox("Play the phases")
        self.plays.setToolTip("Show each phase when playing at one iteration a second or slower.")
        self.plays.setAccessibleName("Play the phases")
        self.plays.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.telling = sentence("")
        self.telling.setAccessibleDescription("The phase in words")
        self.telling.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.search = CodeView()
        self.mutation = CodeView()

        line = QHBoxLayout()
        line.setSpacing(5)
        line.addWidget(self.previous)
        line.addWidget(self.next)
        line.addSpacing(4)
        line.addWidget(self.dots, 1)
        line.addWidget(self.plays)
        codes = QHBoxLayout()
        codes.setSpacing(10)
        codes.addWidget(self.search, 2)
        codes.addWidget(self.mutation, 3)
        layout = column_in(self, spacing=4, margins=(8, 4, 8, 4))
        layout.addLayout(line)
        layout.addWidget(self.telling)
        layout.addLayout(codes, 1)

        self._show()

    @property
    def phases(self) -> tuple[PhaseView, ...]:
        """The phases of the iteration on show."""
        return self._phases

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.telling.setFont(theme.font(1.05))
        self._reserve_height()

    def connect_to(self, context: PageContext) -> None:
        """The phase that is open is the one that the window has opened."""
        controller = self._controller = context.phases
        self.previous.clicked.connect(controller.up)
        self.next.clicked.connect(controller.down)
        self.dots.dot_chosen.connect(self._on_dot_chosen)
        self.plays.toggled.connect(controller.set_plays_phases)
        controller.phase_changed.connect(self._on_phase_changed)
        self._finder = context.outlook_finder
        self._finder.step_changed.connect(self._on_step_outlook_changed)
        self._on_phase_changed(controller.current)
        self._on_step_outlook_changed()

    def overlay_on(self, tree: Node | None) -> Overlay | None:
        """The node of which the open phase speaks pulses."""
        view = None if self._controller is None else self._controller.current
        return None if view is None or view.pulsing is None else Overlay(pulsing=view.pulsing)

    def let_go(self) -> None:
        """Keep nothing of a log that may be long."""
        self._shown = None

    def show_moment(self, history: History, iteration: int) -> None:
        """The cursor is here. The phase that is open stays open until `show_phase` says otherwise."""
        if self._shown is not None and self._shown[0] is history and self._shown[1] == iteration:
            return
        self._shown = (history, iteration)
        self._phases = phases_of(moment_at(history, iteration))
        self._listings = listings_of(history.config_at(iteration), has_start=history.start is not None)
        self._summary = f"{tell_briefly(history, iteration)}." if iteration else ""
        self._show()
        self._reserve_height()

    def show_phase(self, index: int | None) -> None:
        """Show this phase of the iteration; None shows the iteration as a whole."""
        if index != self._open:
            self._open = index
            self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._reserve_height()

    def _show(self) -> None:
        indexes = {view.phase: view.index for view in self._phases}
        index = None if self._open is None or not self._phases else min(self._open, len(self._phases) - 1)
        self.dots.show_phases(indexes, index)
        self.previous.setEnabled(bool(self._phases))
        open_view = None if index is None else self._phases[index]
        text = self._closed_text() if open_view is None else self._phase_text(open_view)
        if text != self.telling.text():
            self.telling.setText(text)
        # The whole step shows all its values, with no line marked.
        view = open_view or (self._phases[-1] if self._phases else None)
        if self._listings is not None:
            for part, listing in zip((self.search, self.mutation), self._listings, strict=True):
                part.show_code(listing, view, is_marked=open_view is not None)

    def _reserve_height(self) -> None:
        """As much as the longest sentence of this iteration needs, so that nothing moves from phase to phase."""
        metrics, width = self.telling.fontMetrics(), max(self.telling.width(), 100)
        texts = [self._closed_text(), *map(self._phase_text, self._phases)]
        flags = int(Qt.TextFlag.TextWordWrap)
        height = max(metrics.boundingRect(0, 0, width, 10_000, flags, text or " ").height() for text in texts)
        if height != self.telling.minimumHeight():
            self.telling.setMinimumHeight(height)

    def _closed_text(self) -> str:
        """The step as a whole, with what it did to the outlook where that matters."""
        if self._shown is None:
            return ""
        return (
            " ".join(filter(None, (self._summary, self._outlook_text, _CLOSED)))
            if self._summary
            else _AT_START
        )

    def _phase_text(self, view: PhaseView) -> str:
        text = f"{view.heading}. {view.sentence}"
        is_said = view.phase is Phase.VERDICT and self._outlook_text
        return f"{text} {self._outlook_text}" if is_said else text

    @Slot()
    def _on_step_outlook_changed(self) -> None:
        text = "" if self._finder is None else self._finder.step_text
        if text != self._outlook_text:
            self._outlook_text = text
            self._show()
            self._reserve_height()

    @Slot(object)
    def _on_phase_changed(self, view: PhaseView | None) -> None:
        self.show_phase(None if view is None else view.index)

    @Slot(str)
    def _on_dot_chosen(self, value: str) -> None:
        assert self._controller is not None
        phase = Phase(value)
        for view in self._phases:
            if view.phase is phase:
                self._controller.open(view.index)


def _button(text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setProperty("role", "small")
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return button
