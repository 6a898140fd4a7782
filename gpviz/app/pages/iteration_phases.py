"""The page that looks inside an iteration: both algorithms in pseudocode, at the phase that is open."""

from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCursor,
    QTextFormat,
    QTextOption,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QSizePolicy,
    QTextEdit,
    QToolButton,
    QWidget,
)

from gpviz.app.pages.page import Page, PageContext
from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.theme import Theme, readable_on
from gpviz.app.widgets.fields import change_text, sentence, set_role, small_button
from gpviz.app.widgets.layouts import column_in, row_in, row_of
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Node
from gpviz.explain.iteration_phases import (
    PHASE_TITLES,
    PHASES,
    Ink,
    Kind,
    Line,
    Listing,
    Part,
    Phase,
    PhaseView,
    Value,
    listings_of,
    phases_of,
)
from gpviz.explain.moment import Overlay, moment_at
from gpviz.explain.step_text import tell_briefly
from gpviz.runs.history import History

_TYPE: Final = 0.97
_TINT: Final = 0.16
_NARROWEST_COLUMN: Final = 17
"""In heights of the type: less wide, code does not stand in two columns."""
_CURRENT: Final = "▶"
_WAITING: Final = "▷"
_CURRENT_DOT: Final = "●"
_PASSED: Final = "•"
_AHEAD: Final = "○"
_ABSENT: Final = "–"
_AT_START: Final = "There is no iteration yet. Press Down to make the first one and look inside."
_CLOSED: Final = "Press Down to go through the phases of this iteration."


class CodeView(Themed, QTextEdit):
    """Shows one algorithm, at the lines that a phase has reached."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.listing: Listing | None = None
        self._view: PhaseView | None = None
        self._is_marked = False
        self._is_writing = False
        self.setReadOnly(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.setProperty("role", "text")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.document().setDocumentMargin(0)

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.document().setDefaultFont(theme.font(_TYPE))
        self._write()

    def show_code(self, listing: Listing, view: PhaseView | None, *, is_marked: bool) -> None:
        """Show an algorithm with the values that are known in this phase, and the phase's lines marked or not."""
        if (listing, view, is_marked) == (self.listing, self._view, self._is_marked):
            return
        self.listing, self._view, self._is_marked = listing, view, is_marked
        self.setAccessibleName(f"The algorithm {listing.title}")
        self.setAccessibleDescription("; ".join(self.text_of(line) for line in self.current_lines()))
        self._write()

    def current_lines(self) -> list[Line]:
        """The lines with the arrow."""
        return [] if self.listing is None else [x for x in self.listing.lines if self._mark(x) is True]

    def text_of(self, line: Line) -> str:
        """The line as it is shown, with its values."""
        texts = (part.text if value is None else value.text for part, value in self._parts(line))
        return f"{line.number} {' '.join(' '.join(texts).split())}"

    def sizeHint(self) -> QSize:
        return QSize(300, 120)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 40)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._write()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a frame around each value, which rich text cannot have, and the value in it."""
        super().paintEvent(event)
        colours = self.theme.colours
        borders = {colours.leaf_fill: colours.leaf_border, colours.field: colours.muted}
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self.theme.font(_TYPE, is_bold=True))
            for value in self.values_on_show():
                area, fill = self.area_of(value), value.charFormat().background().color().name()
                painter.setPen(QPen(QColor(borders.get(fill, fill)), self.theme.line_scale))
                painter.setBrush(QColor(fill))
                painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
                painter.setPen(value.charFormat().foreground().color())
                painter.drawText(area, Qt.AlignmentFlag.AlignCenter, value.selectedText())

    def values_on_show(self) -> list[QTextCursor]:
        """The values that are filled in."""
        values = []
        block = self.document().begin()
        while block.isValid():
            for run in block.textFormats():
                if run.format.hasProperty(QTextFormat.Property.BackgroundBrush):
                    value, start = QTextCursor(block), block.position() + run.start
                    value.setPosition(start)
                    value.setPosition(start + run.length, QTextCursor.MoveMode.KeepAnchor)
                    values.append(value)
            block = block.next()
        return values

    def area_of(self, value: QTextCursor) -> QRect:
        """Where a value is in the viewport."""
        start = QTextCursor(value)
        start.setPosition(value.anchor())
        return self.cursorRect(start).united(self.cursorRect(value))

    def _write(self) -> None:
        """Write the lines in one column, or in two where that saves scrolling, with the marked ones in view."""
        listing = self.listing
        if listing is None or self._is_writing:
            return
        # A scroll bar that appears meanwhile resizes the view, and all would be written twice.
        self._is_writing = True
        muted = self.theme.colours.muted
        title, remark = _unbroken(listing.title), _unbroken(listing.remark)
        head = f"<b>{title}</b>&nbsp; <span style='color:{muted}'>{remark}</span>"
        rows = [self._row(line) for line in listing.lines]
        self.setHtml(f"{head}{_table(rows)}")
        has_width = self.viewport().width() >= 2 * _NARROWEST_COLUMN * self._metrics().height()
        if has_width and self.document().size().height() > self.viewport().height():
            starts = [index for index, line in enumerate(listing.lines) if not line.indent]
            half = min(starts, key=lambda index: abs(2 * index - len(rows)))
            columns = (
                f"<td width='50%'>{part}</td>" for part in (head + _table(rows[:half]), _table(rows[half:]))
            )
            self.setHtml(f"<table width='100%' cellspacing='0'><tr>{''.join(columns)}</tr></table>")
        self._is_writing = False
        for arrow in (_WAITING, _CURRENT):  # the current line matters more than what led there
            found = self.document().find(arrow)
            if not found.isNull():
                found.clearSelection()
                self.setTextCursor(found)
                self.ensureCursorVisible()

    def _row(self, line: Line) -> str:
        """A line of code as a row of a table: an arrow where it is marked, its number and its text."""
        colours, metrics, mark = self.theme.colours, self._metrics(), self._mark(line)
        tint = QColor(colours.accent)
        tint.setAlphaF(_TINT if mark else 0.0)
        arrow = "" if mark is None else _CURRENT if mark else _WAITING
        left = (line.indent + 1.3) * metrics.height()  # where the line goes on when it is wrapped
        code = " ".join(self._html(part, value) for part, value in self._parts(line))
        return (
            f"<tr bgcolor='{tint.name(QColor.NameFormat.HexArgb)}'>"
            f"<td width='{metrics.horizontalAdvance(_CURRENT)}'><font color='{colours.accent}'>{arrow}</font></td>"
            f"<td width='{metrics.horizontalAdvance('88')}' align='right'>"
            f"<font color='{colours.text if mark else colours.muted}'>{line.number}</font></td>"
            f"<td style='padding-left:{left:.0f}px; text-indent:-{metrics.height()}px'>{code}</td></tr>"
        )

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self.document().defaultFont())

    def _html(self, part: Part, value: Value | None) -> str:
        """A part of a line; a value that is known has the colours that such things have on the canvas."""
        if value is not None:
            fill, text = self._value_colours(value)
            unpainted = fill.replace("#", "#00")  # only says where to paint, and in which colour
            return f"<b style='background-color:{unpainted};color:{text}'>{_unbroken(f' {value.text} ')}</b>"
        text = escape(part.text)
        for kept in (" (", "≤ ", "-"):  # a line does not end there
            text = text.replace(kept, _unbroken(kept))
        return f"<b>{text}</b>" if part.ink is Ink.KEYWORD else f"<span>{text}</span>"

    def _value_colours(self, value: Value) -> tuple[str, str]:
        colours = self.theme.colours
        if value.verdict is not None:
            fill = colours.of_verdict(value.verdict)
            return fill, readable_on(QColor(fill), self.theme).name()
        return {
            Kind.LEAF: (colours.leaf_fill, colours.leaf_text),
            Kind.AND: (colours.and_fill, colours.and_text),
            Kind.OR: (colours.or_fill, colours.or_text),
            Kind.OPERATION: (colours.accent, colours.accent_text),
        }.get(value.kind, (colours.field, colours.text))

    def _parts(self, line: Line) -> list[tuple[Part, Value | None]]:
        """The parts of a line, each with its value once the step has come by."""
        is_reached = (
            self._view is not None
            and self.listing is not None
            and (self.listing.code, line.key) in self._view.reached
        )
        values = self._view.values if self._view is not None and is_reached else {}
        return [(part, values.get(part.name) if part.ink is Ink.VALUE else None) for part in line.parts]

    def _mark(self, line: Line) -> bool | None:
        """Whether the line is the current one; None for a line that is not marked at all."""
        if self._view is None or self.listing is None or not self._is_marked:
            return None
        code = self.listing.code
        return next((m.is_current for m in self._view.marks if (m.code, m.key) == (code, line.key)), None)


def _unbroken(text: str) -> str:
    """The text for HTML, with nothing in it where a line may end."""
    return escape(text).replace(" ", "&nbsp;").replace("-", "&#8209;")


def _table(rows: Sequence[str]) -> str:
    return f"<table width='100%' cellspacing='0' cellpadding='1'>{''.join(rows)}</table>"


class PhaseDots(Themed, QWidget):
    """A button for each phase, with a dot that marks progress; where not all names fit, none is shown."""

    dot_chosen = Signal(object)
    """The user chose this phase."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dots: dict[Phase, QToolButton] = {}
        self._marks = dict.fromkeys(PHASES, _ABSENT)
        line = row_in(self, spacing=2)
        for phase in PHASES:
            dot = self.dots[phase] = _button("", "")
            dot.setCursor(Qt.CursorShape.PointingHandCursor)
            dot.clicked.connect(partial(self.dot_chosen.emit, phase))
            line.addWidget(dot)
        line.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's type."""
        self._write(has_names=False)
        self.setMinimumWidth(self.sizeHint().width())
        self._fit_names()

    def show_phases(self, indexes: Mapping[Phase, int], current: int | None) -> None:
        """Show which phases there are, with their indexes, and which is the current one."""
        for phase, dot in self.dots.items():
            index, name = indexes.get(phase), PHASE_TITLES[phase]
            is_current = index is not None and index == current
            mark = _ABSENT if index is None else _CURRENT_DOT if is_current else _AHEAD
            if index is not None and current is not None and index < current:
                mark = _PASSED
            self._marks[phase] = mark
            state = "the phase on show" if is_current else "show this phase"
            tip = f"{name}: {'not in this iteration' if index is None else state}"
            dot.setEnabled(index is not None)
            dot.setAccessibleName(tip)
            dot.setToolTip(f"{tip}.")
            set_role(dot, "dot current" if is_current else "dot")
        self._fit_names()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_names()

    def _fit_names(self) -> None:
        self._write(has_names=True)
        if self.sizeHint().width() > self.width():
            self._write(has_names=False)

    def _write(self, *, has_names: bool) -> None:
        for phase, dot in self.dots.items():
            dot.setText(f"{self._marks[phase]} {PHASE_TITLES[phase]}" if has_names else self._marks[phase])


class PhasesPage(Page):
    """Shows the phases of the iteration under the cursor; which of them is open, others decide."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.phases: tuple[PhaseView, ...] = ()
        self._listings: tuple[Listing, Listing] | None = None
        self._summary = ""
        self._outlook_text = ""
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

        line = row_of(self.previous, self.next, (self.dots, 1), self.plays, spacing=5)
        line.insertSpacing(2, 4)
        self._codes = row_of((self.search, 9), (self.mutation, 10), spacing=10)
        column_in(self, line, self.telling, (self._codes, 1), spacing=4, margins=(8, 4, 8, 4))

        self._show()

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.telling.setFont(theme.font(1.05))
        self._share_width()
        self._reserve_height()

    def connect_to(self, context: PageContext) -> None:
        """The phase that is open is the one that the window has opened."""
        super().connect_to(context)
        controller = self._controller = context.phases
        self.previous.clicked.connect(controller.up)
        self.next.clicked.connect(controller.down)
        self.dots.dot_chosen.connect(self._on_dot_chosen)
        self.plays.toggled.connect(controller.set_plays_phases)
        controller.phase_changed.connect(self._show)
        context.outlook_finder.step_changed.connect(self._on_step_outlook_changed)
        self._show()
        self._on_step_outlook_changed()

    def overlay_on(self, tree: Node | None) -> Overlay | None:
        """The node of which the open phase speaks pulses."""
        view = self._open
        return None if view is None or view.pulsing is None else Overlay(pulsing=view.pulsing)

    def show_moment(self, history: History, iteration: int) -> None:
        """The cursor is here. The phase that is open stays open until the window closes it."""
        if history is self.history and iteration == self.iteration:
            return
        super().show_moment(history, iteration)
        self.phases = phases_of(moment_at(history, iteration))
        self._listings = listings_of(history.config_at(iteration), has_start=history.start is not None)
        self._summary = f"{tell_briefly(history, iteration)}." if iteration else ""
        self._show()
        self._reserve_height()

    @property
    def _open(self) -> PhaseView | None:
        """The phase that the window has opened; None while the iteration is shown as a whole."""
        return None if self._controller is None else self._controller.current

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()
        self._reserve_height()

    @Slot()
    def _show(self) -> None:
        indexes = {view.phase: view.index for view in self.phases}
        opened = self._open
        index = None if opened is None or not self.phases else min(opened.index, len(self.phases) - 1)
        self.dots.show_phases(indexes, index)
        self.previous.setEnabled(bool(self.phases))
        open_view = None if index is None else self.phases[index]
        change_text(self.telling, self._closed_text() if open_view is None else self._phase_text(open_view))
        # The whole step shows all its values, with no line marked.
        view = open_view or (self.phases[-1] if self.phases else None)
        if self._listings is not None:
            for part, listing in zip((self.search, self.mutation), self._listings, strict=True):
                part.show_code(listing, view, is_marked=open_view is not None)

    def _share_width(self) -> None:
        """Give the longer algorithm twice as much where it can then stand in two columns."""
        is_wide = self.width() >= 3 * _NARROWEST_COLUMN * self.telling.fontMetrics().height()
        self._codes.setStretch(1, 18 if is_wide else 10)

    def _reserve_height(self) -> None:
        """As much as the longest sentence of this iteration needs, so that nothing moves from phase to phase."""
        metrics, width = self.telling.fontMetrics(), max(self.telling.width(), 100)
        texts = [self._closed_text(), *map(self._phase_text, self.phases)]
        flags = int(Qt.TextFlag.TextWordWrap)
        height = max(metrics.boundingRect(0, 0, width, 10_000, flags, text or " ").height() for text in texts)
        if height != self.telling.minimumHeight():
            self.telling.setMinimumHeight(height)

    def _closed_text(self) -> str:
        """The step as a whole, with what it did to the outlook where that matters."""
        if not self._summary:
            return "" if self.history is None else _AT_START
        return " ".join(filter(None, (self._summary, self._outlook_text, _CLOSED)))

    def _phase_text(self, view: PhaseView) -> str:
        text = f"{view.heading}. {view.sentence}"
        is_said = view.phase is Phase.VERDICT and self._outlook_text
        return f"{text} {self._outlook_text}" if is_said else text

    @Slot()
    def _on_step_outlook_changed(self) -> None:
        assert self._context is not None
        text = self._context.outlook_finder.step_text
        if text != self._outlook_text:
            self._outlook_text = text
            self._show()
            self._reserve_height()

    @Slot(object)
    def _on_dot_chosen(self, phase: Phase) -> None:
        assert self._controller is not None
        self._controller.open(next(view.index for view in self.phases if view.phase is phase))


def _button(text: str, tip: str) -> QToolButton:
    button = small_button(text, tip, tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return button
