"""The function page: what parent and offspring compute, as text and as a picture, and how the two differ."""

from collections import OrderedDict
from functools import partial
from typing import ClassVar, Final

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from gpviz.app.background import Background, ShouldStop
from gpviz.app.panels.chip import VerdictChip
from gpviz.app.panels.fields import ElidedLabel, heading
from gpviz.app.panels.function_matrix import ImplicantMatrix
from gpviz.app.theme import Theme, load_theme
from gpviz.engine import Node
from gpviz.record.facts import function_text
from gpviz.record.functions import Line, difference_sentence, is_quickly_told, lines_of, paired_lines
from gpviz.record.history import History
from gpviz.record.moment import Moment, moment_at

__all__ = ["FunctionPage"]

_CALM_MS: Final = 200
_MOST_REMEMBERED: Final = 32
_TOO_LONG: Final = "Too many prime implicants to list."
_EMPTY: Final = "The empty tree has no prime implicants."
_WAITING: Final = "Comparing the two functions …"

_Pair = tuple[Node | None, Node | None, int]


class FunctionPage(QWidget):
    """Shows the functions of the tree before an iteration and of the one it proposed, beside each other."""

    title: ClassVar[str] = "Function"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._iteration = -1
        self._pair: _Pair | None = None
        self._is_verdict_hidden = False
        self._background = Background("gpviz function", self)
        self._background.finished.connect(self._on_sentence)
        self._background.failed.connect(self._on_failed)
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(_CALM_MS)
        self._calm.timeout.connect(self._ask)

        self.difference = _Sentence()
        self.difference.setAccessibleName("The difference in one sentence")
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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 8, 6)
        layout.setSpacing(4)
        layout.addWidget(self.difference)
        layout.addLayout(self._columns, 1)
        for one, other in ((self.left, self.right), (self.right, self.left)):
            one.matrix.horizontalScrollBar().valueChanged.connect(other.matrix.horizontalScrollBar().setValue)
            one.matrix.verticalScrollBar().valueChanged.connect(other.matrix.verticalScrollBar().setValue)
        self.set_theme(load_theme("light"))

    @property
    def is_busy(self) -> bool:
        """Whether the sentence is still to be found."""
        return self._background.is_busy or self._calm.isActive()

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.difference.setFont(theme.font(1.1, is_bold=True))
        self.chip.set_theme(theme)
        for side in (self.left, self.right):
            side.set_theme(theme)

    def set_verdict_hidden(self, is_hidden: bool) -> None:
        """Do not tell what became of the offspring, or tell it again."""
        if is_hidden != self._is_verdict_hidden:
            self._is_verdict_hidden = is_hidden
            if self._history is not None:
                history, iteration = self._history, self._iteration
                self._history = None
                self.show_moment(history, iteration)

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
        is_rejected = not moment.step.is_accepted and not self._is_verdict_hidden
        self.left.show_function("Parent", moment.parent, before, n)
        self.right.show_function(
            "Rejected offspring" if is_rejected else "Offspring", moment.offspring, after, n
        )
        self._set_right_visible(True)
        self.chip.setVisible(not self._is_verdict_hidden)
        self.chip.set_verdict(moment.step.verdict)
        self._compare((moment.parent, moment.offspring, n))

    def _set_right_visible(self, is_visible: bool) -> None:
        self._columns.setColumnStretch(1, int(is_visible))
        for widget in self.right.widgets():
            widget.setVisible(is_visible)

    def _compare(self, pair: _Pair) -> None:
        """Say how the two differ, at once or when it is found."""
        self._cancel()
        self._pair = pair
        if is_quickly_told(pair[0], pair[1]):
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
        line = QHBoxLayout(self._top)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(self.name)
        line.addWidget(self.count, 1)

    def widgets(self) -> tuple[QWidget, QWidget, QWidget]:
        """From top to bottom."""
        return self._top, self.formula, self.matrix

    def add_chip(self, chip: VerdictChip) -> None:
        line = self._top.layout()
        assert isinstance(line, QHBoxLayout)
        line.insertWidget(1, chip)

    def set_theme(self, theme: Theme) -> None:
        self.formula.setFont(theme.font(1.05))
        self.matrix.set_theme(theme)

    def show_function(
        self, name: str, tree: Node | None, lines: list[Line | None] | list[Line], n: int
    ) -> None:
        text = self._text_of(tree)
        self.name.setText(name)
        self.formula.setText(text)
        self.formula.setToolTip(text)
        self.formula.setAccessibleName(f"{name} computes")
        self.matrix.setAccessibleName(f"{name}: prime implicants")
        listed = lines_of(tree)
        message = _TOO_LONG if listed is None else "" if listed else _EMPTY
        self.matrix.show_lines(lines, n, message)
        alone = sum(1 for line in lines if line is not None and line.is_alone)
        parts = [] if not listed else ["1 implicant" if len(listed) == 1 else f"{len(listed):,} implicants"]
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
