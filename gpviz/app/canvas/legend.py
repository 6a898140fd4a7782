"""What the colours and marks on the tree mean: a line below it, and a dialog with everything."""

from enum import Enum
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QSizePolicy,
    QWidget,
)

from gpviz.app.canvas.node_shapes import draw_badge
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import sentence
from gpviz.app.widgets.layouts import column_of
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Verdict
from gpviz.escaping import tooltip_text
from gpviz.explain.step_text import verdict_text, verdict_word


class Mark(Enum):
    """What is on the tree besides the verdicts' badges; the value is what the line says about it."""

    RING = "new or changed"
    GHOST = "gone or proposed"
    CROSS = "rejected"
    STRUCK = "replaced"
    REDUNDANT = "redundant leaf"


def _on_sample(verdict: Verdict) -> str:
    word = verdict_word(verdict, is_sampled=True)
    return "" if word == verdict_word(verdict) else f" (in a sampled run: {word})"


MEANINGS: Final[dict[Verdict | Mark, str]] = {
    **{
        verdict: f"{'Round' if verdict.is_accepted else 'Square'} badge:"
        f" {verdict_text(verdict)}{_on_sample(verdict)}."
        for verdict in Verdict
    },
    Mark.RING: "Ring: new or changed in this step.",
    Mark.GHOST: "Dashed: removed in this step, or only proposed.",
    Mark.CROSS: "Cross: proposed but rejected.",
    Mark.STRUCK: "Struck through: the old label of a substituted leaf.",
    Mark.REDUNDANT: "Double border: a redundant leaf. It could be removed, alone or with others."
    " A leaf without it is essential, which does not always mean needed.",
}
_LINE: Final[tuple[Verdict | Mark, ...]] = (
    Verdict.IMPROVED,
    Verdict.NEUTRAL,
    Verdict.WORSE,
    Verdict.TOO_LARGE,
    Mark.RING,
    Mark.GHOST,
    Mark.CROSS,
    Mark.REDUNDANT,
    Verdict.UNCHANGED,
)
"""The most needed ones first, as the last ones go where there is no room."""
_MORE: Final = "…"
_SWATCH: Final = 1.7
"""The size of a swatch in the dialog, in heights of a line."""


class CanvasLegend(Themed, QWidget):
    """A swatch and a word for each verdict and each mark. The tooltip and the description have them all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_sampled = False
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend")
        self.setAccessibleDescription(" ".join(MEANINGS.values()))
        self.setToolTip(tooltip_text("\n".join(MEANINGS.values())))

    def sizeHint(self) -> QSize:
        return QSize(400, round(QFontMetricsF(self.theme.font(0.9)).height()) + 6)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def set_sampled(self, is_sampled: bool) -> None:
        """Whether the verdicts are those of a sampled run, which say how offspring look."""
        if is_sampled != self._is_sampled:
            self._is_sampled = is_sampled
            self.update()

    def words(self) -> list[str]:
        """The entries that find room."""
        return [self._word(entry) for entry, _ in self._places()]

    def _word(self, entry: Verdict | Mark) -> str:
        return _word(entry, is_sampled=self._is_sampled)

    def _places(self) -> list[tuple[Verdict | Mark, QRectF]]:
        """A box for each entry that finds room."""
        metrics = QFontMetricsF(self.theme.font(0.9))
        height = metrics.height() + 4.0
        places: list[tuple[Verdict | Mark, QRectF]] = []
        left = 0.0
        for entry in _LINE:
            width = height + 4.0 + metrics.horizontalAdvance(self._word(entry))
            # Where others follow, there is room to say so.
            more = 0.0 if entry is _LINE[-1] else 0.9 * metrics.height() + metrics.horizontalAdvance(_MORE)
            if left + width + more > self.width():
                break
            places.append((entry, QRectF(left, 0.0, width, height)))
            left += width + 0.9 * metrics.height()
        return places

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = self.theme.colours
        places = self._places()
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self.theme.font(0.9))
            for entry, box in places:
                swatch = QRectF(box.left() + 2.0, box.top() + 2.0, box.height() - 4.0, box.height() - 4.0)
                _draw_swatch(painter, entry, swatch, self.theme)
                painter.setPen(QColor(colours.muted))
                painter.drawText(box.adjusted(box.height() + 4.0, 0.0, 4.0, 0.0), flags, self._word(entry))
            if places and len(places) < len(_LINE):
                left = places[-1][1].right() + 0.9 * painter.fontMetrics().height()
                painter.setPen(QColor(colours.muted))
                painter.drawText(QRectF(left, 0.0, self.width() - left, places[0][1].height()), flags, _MORE)


class _Swatch(Themed, QWidget):
    """One entry of the dialog as a picture; the sentence beside it says what it is."""

    def __init__(self, entry: Verdict | Mark, parent: QWidget) -> None:
        super().__init__(parent)
        self._entry = entry
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_word(entry))

    def sizeHint(self) -> QSize:
        side = round(_SWATCH * QFontMetricsF(self.theme.font(1.2)).height())
        return QSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            _draw_swatch(painter, self._entry, QRectF(self.rect()).adjusted(2.0, 2.0, -2.0, -2.0), self.theme)


class MarksDialog(Themed, QDialog):
    """Every colour and mark with the sentence that explains it. Esc closes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("What the marks mean")
        self.labels: list[QLabel] = []
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(14)
        for row, (entry, meaning) in enumerate(MEANINGS.items()):
            label = sentence("", text=meaning)
            self.labels.append(label)
            grid.addWidget(_Swatch(entry, self), row, 0)
            grid.addWidget(label, row, 1, Qt.AlignmentFlag.AlignVCenter)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.setLayout(column_of(grid, buttons, spacing=12))
        self.setAccessibleDescription(" ".join(MEANINGS.values()))
        self.follow_theme()

    def apply_theme(self, theme: Theme) -> None:
        """Large type, as that of the keys."""
        widest = max(QFontMetricsF(theme.font(1.2)).horizontalAdvance(text) for text in MEANINGS.values())
        room = self.screen().availableGeometry().width()
        for label in self.labels:
            label.setFont(theme.font(1.2))
            label.setMinimumWidth(round(min(widest + 4, 0.6 * room)))


def _word(entry: Verdict | Mark, *, is_sampled: bool = False) -> str:
    return entry.value if isinstance(entry, Mark) else verdict_word(entry, is_sampled=is_sampled)


def _draw_swatch(painter: QPainter, entry: Verdict | Mark, box: QRectF, theme: Theme) -> None:
    if isinstance(entry, Verdict):
        draw_badge(painter, entry, box, theme)
        return
    colours, unit = theme.colours, box.height() / 16
    width = max(1.2, 1.4 * unit) * min(theme.line_scale, 1.3)
    ink = QColor(colours.redundant_border if entry is Mark.REDUNDANT else colours.leaf_border)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if entry is Mark.STRUCK:
        font = theme.font()
        font.setPixelSize(max(1, round(0.85 * box.height())))
        painter.save()
        painter.setFont(font)
        painter.setPen(QColor(colours.muted))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "x")
        painter.setPen(QPen(ink, width))
        painter.drawLine(box.center() + QPointF(-7, 4) * unit, box.center() + QPointF(7, -4) * unit)
        painter.restore()
        return
    pen = QPen(ink, width)
    if entry in (Mark.GHOST, Mark.CROSS):
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([2.6 * unit / width, 1.8 * unit / width])
    painter.setPen(pen)
    if entry is Mark.REDUNDANT:
        painter.setBrush(QColor(colours.redundant_fill))
    inset = width / 2
    painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), 4 * unit, 4 * unit)
    if entry in (Mark.RING, Mark.REDUNDANT):
        inner = inset + width / 2 + 2.0 * unit
        painter.setPen(QPen(ink, width if entry is Mark.REDUNDANT else 0.6 * width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if entry is Mark.RING:
            painter.setBrush(ink)
        painter.drawRoundedRect(box.adjusted(inner, inner, -inner, -inner), 2.5 * unit, 2.5 * unit)
    if entry is Mark.CROSS:
        painter.setPen(QPen(ink, 1.3 * width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        for rise in (-1, 1):
            reach = QPointF(4.2, 4.2 * rise) * unit
            painter.drawLine(box.center() - reach, box.center() + reach)
