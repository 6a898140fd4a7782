"""The readout of a plot: the values under the mouse as text on a small card."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gpviz.app.widgets.themed import Themed
from gpviz.engine import Verdict
from gpviz.experiments.figures.axis_ticks import error_text
from gpviz.explain.step_text import is_on_sample, verdict_text
from gpviz.number_text import counted
from gpviz.runs.history import History
from gpviz.runs.step_encoding import VERDICTS

_PADDING = 6


class Readout(Themed, QWidget):
    """A card with one line of text."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("Values under the mouse")
        self.hide()

    def show_text(self, text: str, area: QRect) -> None:
        """Show the text at the left of this rectangle."""
        self.text = text
        self.setAccessibleDescription(text)
        self.setGeometry(QRect(area.topLeft(), self.sizeHint().boundedTo(area.size())))
        self.raise_()
        self.show()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.theme.font(0.9))
        return QSize(metrics.horizontalAdvance(self.text) + 2 * _PADDING + 2, metrics.height() + _PADDING)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self.theme.colours
        font = self.theme.font(0.9)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            card = QColor(colours.field)
            painter.setBrush(card)
            painter.setPen(QPen(QColor(colours.border), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            painter.setFont(font)
            painter.setPen(QColor(colours.text))
            inside = self.rect().adjusted(_PADDING, 0, -_PADDING, 0)
            text = QFontMetrics(font).elidedText(self.text, Qt.TextElideMode.ElideRight, inside.width())
            painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, text)


def counts_text(counts: Sequence[int], *, is_sampled: bool = False) -> str:
    """How often each verdict was given, those that were, each on a line."""
    pairs = zip(VERDICTS, counts, strict=True)
    return "\n".join(
        f"{count:,} × {verdict_text(verdict, is_sampled=is_sampled)}" for verdict, count in pairs if count
    )


def values_text(history: History, iteration: int) -> str:
    """What the curves show at an iteration."""
    changes = history.changes()
    index = int(changes.iterations.searchsorted(iteration, side="right")) - 1
    leaves, ors, distinct = (int(column[index]) for column in (changes.leaves, changes.ors, changes.distinct))
    sizes = f"{counted(leaves, 'leaf')} · {ors:,} ∨ · {distinct:,} of {history.config.n:,} variables"
    error = history.error_at(iteration)
    name = "sampled error" if history.config.is_sampled else "error"
    error_part = "no tree yet" if not leaves else f"{name} {error_text(error)}" if error is not None else ""
    parts = [f"t = {iteration:,}", error_part, sizes]
    if iteration:
        step = history.step_at(iteration)
        is_sampled = is_on_sample(step, history.config_at(iteration))
        verdict = verdict_text(step.verdict, is_sampled=is_sampled)
        if step.verdict is Verdict.WORSE and step.offspring_error is not None:
            verdict = f"{verdict} ({error_text(step.offspring_error)})"
        elif step.verdict is Verdict.TOO_LARGE:
            verdict = f"{verdict} ({step.offspring_leaves:,} leaves)"
        parts.append(verdict)
    return " · ".join(part for part in parts if part)
