"""The page that looks inside an iteration: both algorithms in pseudocode, at the phase that is open."""

from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from math import ceil
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
    QTextDocument,
    QTextFormat,
    QTextOption,
)
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QTextEdit, QToolButton, QWidget

from gpviz.app.pages.page import Page, PageContext
from gpviz.app.pages.page_head import PAGE_MARGINS, PageHead
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
from gpviz.explain.step_text import tell
from gpviz.runs.history import History

_SCALES: Final = (1.3, 1.22, 1.15, 1.08, 1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6)
"""The type of the code, as multiples of the window's: the largest in which all of it is seen."""
_LEAST_UNWRAPPED: Final = 0.75
"""Rather than in smaller type than that, code is wrapped."""
_NAME_SCALES: Final = (1.0, 0.9, 0.8, 0.72)
"""The type of the phases, as multiples of the window's: the largest in which all names fit."""
_GAP: Final = 10
_BORDERS: Final = 4
"""Of the frame that shows the focus."""
_LEAST_COLUMN: Final = 21
"""In heights of the type: in less width many lines of code have to be wrapped."""
_TINT: Final = 0.16
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
        self.scale = 1.0
        """The type, as a multiple of the window's."""
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
        self._write()

    def set_scale(self, scale: float) -> None:
        """Have type of this size, as a multiple of the window's."""
        if scale != self.scale:
            self.scale = scale
            self._write()

    def needed_height(self, width: int, scale: float, listing: Listing, view: PhaseView | None) -> int:
        """The height in which nothing of an algorithm has to be scrolled, with type of this size."""
        document = QTextDocument()
        document.setDocumentMargin(0)
        option = document.defaultTextOption()
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        document.setDefaultTextOption(option)
        document.setDefaultFont(self.theme.font(scale))
        document.setTextWidth(width - 2 * self.frameWidth() - _BORDERS)
        document.setHtml(self._code(listing, view, QFontMetrics(document.defaultFont())))
        return ceil(document.size().height()) + 2 * self.frameWidth() + _BORDERS

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
        assert self.listing is not None
        parts = _parts(self.listing, line, self._view)
        texts = (part.text if value is None else value.text for part, value in parts)
        return f"{line.number} {' '.join(' '.join(texts).split())}"

    def sizeHint(self) -> QSize:
        return QSize(300, 120)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 40)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a frame around each value, which rich text cannot have, and the value in it."""
        super().paintEvent(event)
        colours = self.theme.colours
        borders = {colours.leaf_fill: colours.leaf_border, colours.field: colours.muted}
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self.theme.font(self.scale, is_bold=True))
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
        """Write the lines, with the marked ones in view."""
        if self.listing is None:
            return
        self.document().setDefaultFont(self.theme.font(self.scale))
        metrics = QFontMetrics(self.document().defaultFont())
        self.setHtml(self._code(self.listing, self._view, metrics))
        for arrow in (_WAITING, _CURRENT):  # the current line matters more than what led there
            found = self.document().find(arrow)
            if not found.isNull():
                found.clearSelection()
                self.setTextCursor(found)
                self.ensureCursorVisible()

    def _code(self, listing: Listing, view: PhaseView | None, metrics: QFontMetrics) -> str:
        """An algorithm as rich text: its name, a remark, and its lines."""
        muted = self.theme.colours.muted
        title, remark = _unbroken(listing.title), _unbroken(listing.remark)
        head = f"<b>{title}</b>&nbsp; <span style='color:{muted}'>{remark}</span>"
        rows = "".join(self._row(listing, line, view, metrics) for line in listing.lines)
        return f"{head}<table width='100%' cellspacing='0' cellpadding='1'>{rows}</table>"

    def _row(self, listing: Listing, line: Line, view: PhaseView | None, metrics: QFontMetrics) -> str:
        """A line of code as a row of a table: an arrow where it is marked, its number and its text."""
        colours, mark = self.theme.colours, self._mark(line)
        tint = QColor(colours.accent)
        tint.setAlphaF(_TINT if mark else 0.0)
        arrow = "" if mark is None else _CURRENT if mark else _WAITING
        left = (line.indent + 1.3) * metrics.height()  # where the line goes on when it is wrapped
        code = " ".join(self._html(part, value) for part, value in _parts(listing, line, view))
        return (
            f"<tr bgcolor='{tint.name(QColor.NameFormat.HexArgb)}'>"
            f"<td width='{metrics.horizontalAdvance(_CURRENT)}'><font color='{colours.accent}'>{arrow}</font></td>"
            f"<td width='{metrics.horizontalAdvance('88')}' align='right'>"
            f"<font color='{colours.text if mark else colours.muted}'>{line.number}</font></td>"
            f"<td style='padding-left:{left:.0f}px; text-indent:-{metrics.height()}px'>{code}</td></tr>"
        )

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

    def _mark(self, line: Line) -> bool | None:
        """Whether the line is the current one; None for a line that is not marked at all."""
        if self._view is None or self.listing is None or not self._is_marked:
            return None
        code = self.listing.code
        return next((m.is_current for m in self._view.marks if (m.code, m.key) == (code, line.key)), None)


def _unbroken(text: str) -> str:
    """The text for HTML, with nothing in it where a line may end."""
    return escape(text).replace(" ", "&nbsp;").replace("-", "&#8209;")


def _parts(listing: Listing, line: Line, view: PhaseView | None) -> list[tuple[Part, Value | None]]:
    """The parts of a line, each with its value once the step has come by."""
    is_reached = view is not None and (listing.code, line.key) in view.reached
    values = view.values if view is not None and is_reached else {}
    return [(part, values.get(part.name) if part.ink is Ink.VALUE else None) for part in line.parts]


class CodePair(Themed, QWidget):
    """Both algorithms, one below the other or beside each other, in the largest type in which all code is seen.

    From step to step the type may become smaller where lines get longer, and only another size makes it larger.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = CodeView(self)
        self.mutation = CodeView(self)
        self._listings: tuple[Listing, Listing] | None = None
        self._longest: PhaseView | None = None

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's type."""
        self._place(is_new=True)

    def show_code(
        self,
        listings: tuple[Listing, Listing],
        view: PhaseView | None,
        phases: Sequence[PhaseView],
        *,
        is_marked: bool,
    ) -> None:
        """Show both with the values known in one of these phases, and its lines marked or not."""
        longest = phases[-1] if phases else None
        if (listings, longest) != (self._listings, self._longest):
            is_new = listings != self._listings
            self._listings, self._longest = listings, longest
            self._place(is_new=is_new)
        for part, listing in zip((self.search, self.mutation), listings, strict=True):
            part.show_code(listing, view, is_marked=is_marked)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place(is_new=True)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 80)

    def _place(self, *, is_new: bool) -> None:
        if self._listings is None or self.height() < self.minimumSizeHint().height():
            return
        scales = _SCALES if is_new else _SCALES[_SCALES.index(self.search.scale) :]
        unwrapped = [(False, scale) for scale in scales if scale >= _LEAST_UNWRAPPED]
        for is_wrapped, scale in (*unwrapped, *((True, scale) for scale in scales)):
            if areas := self._areas(self._listings, scale, is_wrapped=is_wrapped):
                break
        else:  # some of it has to be scrolled
            scale, half = 1.0, (self.height() - _GAP) // 2
            areas = (
                self.rect().adjusted(0, 0, 0, half - self.height()),
                self.rect().adjusted(0, half + _GAP, 0, 0),
            )
        for part, area in zip((self.search, self.mutation), areas, strict=True):
            part.set_scale(scale)
            part.setGeometry(area)

    def _areas(
        self, listings: tuple[Listing, Listing], scale: float, *, is_wrapped: bool
    ) -> tuple[QRect, QRect] | None:
        """Where the two are seen as a whole in this type; beside each other they often have to be wrapped."""
        one, other = (self._height(each, self.width(), scale) for each in listings)
        if one + _GAP + other <= self.height():
            return QRect(0, 0, self.width(), one), self.rect().adjusted(0, one + _GAP, 0, 0)
        half = (self.width() - _GAP) // 2
        least = _LEAST_COLUMN * QFontMetrics(self.theme.font(scale)).height()
        heights = (self._height(each, half, scale) for each in listings)
        if (is_wrapped or half >= least) and max(heights) <= self.height():
            return QRect(0, 0, half, self.height()), self.rect().adjusted(half + _GAP, 0, 0, 0)
        return None

    def _height(self, listing: Listing, width: int, scale: float) -> int:
        """What an algorithm needs whichever of its values are known."""
        return max(self.search.needed_height(width, scale, listing, view) for view in (None, self._longest))


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

    def minimumSizeHint(self) -> QSize:
        return QSize(100, super().minimumSizeHint().height())

    def _fit_names(self) -> None:
        for scale in _NAME_SCALES:
            self._write(scale, has_names=True)
            if self.sizeHint().width() <= self.width():
                return
        self._write(1.0, has_names=False)

    def _write(self, scale: float, *, has_names: bool) -> None:
        for phase, dot in self.dots.items():
            dot.setFont(self.theme.font(scale))
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

        self.head = PageHead()
        self.dots = PhaseDots()
        self.plays = QCheckBox("Play the phases")
        self.plays.setToolTip("Show each phase when playing at one iteration a second or slower.")
        self.plays.setAccessibleName("Play the phases")
        self.plays.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.telling = sentence("")
        self.telling.setAccessibleDescription("The phase in words")
        self.telling.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.codes = CodePair()
        first = row_of((self.head, 1), self.plays, spacing=8)
        column_in(self, first, self.dots, self.telling, (self.codes, 1), spacing=5, margins=PAGE_MARGINS)
        self._show()

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's type."""
        self._reserve_height()

    def connect_to(self, context: PageContext) -> None:
        """The phase that is open is the one that the window has opened."""
        super().connect_to(context)
        controller = self._controller = context.phases
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
        self._summary = tell(history, iteration) if iteration else ""
        self.head.show_text(f"Iteration {iteration:,}" if iteration else "Before the first iteration")
        self._show()
        self._reserve_height()

    @property
    def _open(self) -> PhaseView | None:
        """The phase that the window has opened; None while the iteration is shown as a whole."""
        return None if self._controller is None else self._controller.current

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._reserve_height()

    @Slot()
    def _show(self) -> None:
        indexes = {view.phase: view.index for view in self.phases}
        opened = self._open
        index = None if opened is None or not self.phases else min(opened.index, len(self.phases) - 1)
        self.dots.show_phases(indexes, index)
        open_view = None if index is None else self.phases[index]
        change_text(self.telling, self._closed_text() if open_view is None else self._phase_text(open_view))
        # The whole step shows all its values, with no line marked.
        view = open_view or (self.phases[-1] if self.phases else None)
        if self._listings is not None:
            self.codes.show_code(self._listings, view, self.phases, is_marked=open_view is not None)

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
