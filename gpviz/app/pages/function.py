"""The function page: what parent and offspring compute, as text and as a picture, and how the two differ."""

from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolTip,
    QWidget,
)

from gpviz.app.pages.page import Page
from gpviz.app.tasks import BackgroundTask
from gpviz.app.theme import Theme, readable_on
from gpviz.app.widgets.fields import ElidedLabel, heading, set_tip
from gpviz.app.widgets.layouts import column_in, row_in
from gpviz.app.widgets.themed import Themed
from gpviz.app.widgets.verdict_chip import VerdictChip
from gpviz.engine import UNICODE, Node
from gpviz.engine.interruption import ShouldStop
from gpviz.explain.function_difference import (
    Line,
    difference_sentence,
    implicant_text,
    is_difference_quick,
    lines_of,
    paired_lines,
)
from gpviz.explain.moment import Moment, moment_at
from gpviz.explain.step_text import is_on_sample
from gpviz.explain.tree_text import function_text
from gpviz.number_text import counted
from gpviz.runs.history import History

_LOW: Final = 3
"""So many lines are always to be seen, if the page is low."""

_MOST_TOLD: Final = 8
_LARGEST_GROWTH: Final = 1.6
_WIDEST: Final = 1.25
_MARGIN: Final = 4
_CALM_MS: Final = 200
_MOST_REMEMBERED: Final = 32
_TOO_LONG: Final = "Too many prime implicants to list."
_EMPTY: Final = "The empty tree has no prime implicants."
_WAITING: Final = "Comparing the two functions …"
_Pair = tuple[Node | None, Node | None, int]


class ImplicantMatrix(Themed, QAbstractScrollArea):
    """Prime implicants line by line; a line the other function lacks has a sign and a colour of its own."""

    def __init__(self, sign: str, word: str, parent: QWidget | None = None) -> None:
        """``sign`` and ``word`` tell of a line that is alone: − gone, + new."""
        super().__init__(parent)
        self._sign = sign
        self._word = word
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

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
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
        return QSize(90, round(QFontMetricsF(self.theme.font()).height() * _LOW))

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
            painter.setFont(self.theme.font())
            painter.setPen(QColor(self.theme.colours.muted))
            flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop) | int(
                Qt.TextFlag.TextWordWrap
            )
            painter.drawText(self.viewport().rect().adjusted(0, 4, 0, 0), flags, self._message)
        else:
            self._paint_lines(painter)
            self._paint_header(painter)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self.theme.colours.accent), 2.0))
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
        colours = self.theme.colours
        side = min(self._cell, self._height) - 4
        area = QRectF(0, 0, side, side)
        area.moveCenter(self.cell_rect(row, variable).center())
        is_required = bool(line.mask >> (variable - 1) & 1)
        if is_required:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._line_colour(line))
        else:
            painter.setPen(QPen(QColor(colours.border), self.theme.line_scale))
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
        painter.setPen(readable_on(fill, self.theme))
        painter.setFont(self.theme.font(is_bold=True))
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, self._sign)

    def _paint_header(self, painter: QPainter) -> None:
        painter.setFont(self.theme.font(0.9))
        painter.setPen(QColor(self.theme.colours.muted))
        for variable in self._variables_in_view():
            area = self.cell_rect(0, variable)
            area.setTop(0)
            area.setHeight(self._header)
            if area.left() >= self._left() - 1:
                painter.drawText(area, Qt.AlignmentFlag.AlignCenter, UNICODE.variable(variable))

    def _line_colour(self, line: Line) -> QColor:
        colours = self.theme.colours
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
        metrics = QFontMetricsF(self.theme.font(0.9))
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


class FunctionPage(Page):
    """Shows the functions of the tree before an iteration and of the one it proposed, beside each other."""

    needs_little_room: ClassVar[bool] = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._iteration = -1
        self._pair: _Pair | None = None
        self._background = BackgroundTask("gpviz function", self)
        self._background.finished.connect(self._on_sentence)
        self._background.failed.connect(self._on_failed)
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(_CALM_MS)
        self._calm.timeout.connect(self._ask)

        self.difference = _Sentence()
        self.difference.setAccessibleDescription("The difference in one sentence")
        self.left = _Side("−", "gone")
        self.right = _Side("+", "new")
        self.chip = VerdictChip()
        self.right.add_chip(self.chip)
        self._columns = QGridLayout()
        self._columns.setHorizontalSpacing(16)
        self._columns.setVerticalSpacing(2)
        self._columns.setRowStretch(2, 1)
        for column, side in enumerate((self.left, self.right)):
            self._columns.setColumnStretch(column, 1)
            for row, widget in enumerate(side.widgets()):  # the lines of both are level
                self._columns.addWidget(widget, row, column)
        layout = column_in(self, spacing=4, margins=(8, 6, 8, 6))
        layout.addWidget(self.difference)
        layout.addLayout(self._columns, 1)
        for one, other in ((self.left, self.right), (self.right, self.left)):
            one.matrix.horizontalScrollBar().valueChanged.connect(other.matrix.horizontalScrollBar().setValue)
            one.matrix.verticalScrollBar().valueChanged.connect(other.matrix.verticalScrollBar().setValue)
        self.follow_theme()

    @property
    def is_busy(self) -> bool:
        """Whether the sentence is still to be found."""
        return self._background.is_busy or self._calm.isActive()

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.difference.setFont(theme.font(1.1, is_bold=True))
        for side in (self.left, self.right):
            side.formula.setFont(theme.font(1.05))

    def let_go(self) -> None:
        """Keep nothing of a log that may be long."""
        self._history = None

    def show_moment(self, history: History, iteration: int) -> None:
        """Compare the tree before this iteration with the one it proposed; at 0 show the start alone."""
        is_same = history is self._history and iteration == self._iteration
        if is_same and (self.is_busy or self.difference.text() != _WAITING):
            return
        self._history, self._iteration = history, iteration
        moment = moment_at(history, iteration)
        if moment.step is None:
            self._show_start(moment)
        else:
            self._show_pair(moment)

    def shut_down(self) -> None:
        """End the thread."""
        self._calm.stop()
        self._background.close()

    def hideEvent(self, event: QHideEvent) -> None:
        self._calm.stop()
        self._background.cancel()
        super().hideEvent(event)

    def _show_start(self, moment: Moment) -> None:
        self._cancel()
        self._pair = None
        n = moment.config.n
        if moment.tree is None:
            self._say("The start: the empty tree computes nothing yet.")
        else:
            self._say("The start: there is no offspring yet to compare with.")
        self._set_right_visible(False)
        lines = [Line(mask) for mask in lines_of(moment.tree) or ()]
        self.left.show_function("The start", moment.tree, lines, n)

    def _show_pair(self, moment: Moment) -> None:
        assert moment.step is not None
        n = moment.config.n
        before, after = paired_lines(moment.parent, moment.offspring)
        is_rejected = not moment.step.is_accepted
        self.left.show_function("Parent", moment.parent, before, n)
        self.right.show_function(
            "Rejected offspring" if is_rejected else "Offspring", moment.offspring, after, n
        )
        self._set_right_visible(True)
        self.chip.set_verdict(moment.step.verdict, is_sampled=is_on_sample(moment.step, moment.config))
        self._compare((moment.parent, moment.offspring, n))

    def _set_right_visible(self, is_visible: bool) -> None:
        self._columns.setColumnStretch(1, int(is_visible))
        for widget in self.right.widgets():
            widget.setVisible(is_visible)

    def _compare(self, pair: _Pair) -> None:
        """Say how the two differ, at once or when it is found."""
        self._cancel()
        self._pair = pair
        if is_difference_quick(pair[0], pair[1]):
            self._say(difference_sentence(*pair))
            return
        self._say(_WAITING)
        self._calm.start()

    def _cancel(self) -> None:
        self._calm.stop()
        self._background.cancel()

    def _say(self, text: str) -> None:
        if self.difference.text() != text:
            self.difference.setText(text)

    @Slot()
    def _ask(self) -> None:
        assert self._pair is not None
        self._background.ask(partial(_sentence_of, self._pair))

    @Slot(object)
    def _on_sentence(self, text: str) -> None:
        self._say(text)

    @Slot(object)
    def _on_failed(self, problem: Exception) -> None:
        raise problem


class _Sentence(QLabel):
    """A sentence that wraps; it asks for one line, and takes what its width makes of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height())


class _Side:
    """One of the two functions: who computes it, its formula, its picture."""

    def __init__(self, sign: str, word: str) -> None:
        self._word = word
        self._texts: OrderedDict[int, tuple[Node | None, str]] = OrderedDict()
        self.name = heading("")
        self.count = ElidedLabel()
        self.count.setProperty("role", "muted")
        self.formula = ElidedLabel()
        self.formula.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.matrix = ImplicantMatrix(sign, word)
        self._top = QWidget()
        self._top.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # both are equally wide
        line = row_in(self._top, spacing=8)
        line.addWidget(self.name)
        line.addWidget(self.count, 1)

    def widgets(self) -> tuple[QWidget, QWidget, QWidget]:
        """From top to bottom."""
        return self._top, self.formula, self.matrix

    def add_chip(self, chip: VerdictChip) -> None:
        line = self._top.layout()
        assert isinstance(line, QHBoxLayout)
        line.insertWidget(1, chip)

    def show_function(
        self, name: str, tree: Node | None, lines: list[Line | None] | list[Line], n: int
    ) -> None:
        text = self._text_of(tree)
        self.name.setText(name)
        self.formula.setText(text)
        set_tip(self.formula, text)
        self.formula.setAccessibleDescription(f"{name} computes")
        self.matrix.setAccessibleName(f"{name}: prime implicants")
        listed = lines_of(tree)
        message = _TOO_LONG if listed is None else "" if listed else _EMPTY
        self.matrix.show_lines(lines, n, message)
        alone = sum(1 for line in lines if line is not None and line.is_alone)
        parts = [] if not listed else [counted(len(listed), "implicant")]
        if alone:
            parts.append(f"{alone:,} {self._word}")
        self.count.setText(", ".join(parts))

    def _text_of(self, tree: Node | None) -> str:
        """The formula; of a long one it takes a while to write down, and parents stay for long."""
        known = self._texts.get(id(tree))
        if known is None:
            known = self._texts[id(tree)] = (tree, function_text(tree))  # kept, so that the id stays its own
            if len(self._texts) > _MOST_REMEMBERED:
                self._texts.popitem(last=False)
        return known[1]


def _sentence_of(pair: _Pair, _should_stop: ShouldStop) -> str:
    return difference_sentence(*pair)
