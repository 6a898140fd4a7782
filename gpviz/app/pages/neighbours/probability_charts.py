"""The charts of the neighbours page: how likely each verdict and each change of the error is."""

from fractions import Fraction
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolTip, QWidget

from gpviz.app.theme import Theme, readable_on
from gpviz.app.widgets.fields import set_tip
from gpviz.app.widgets.layouts import column_in, row_of
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Verdict
from gpviz.escaping import tooltip_text
from gpviz.explain.next_iteration_odds import Bin, MutationOdds, bins_of
from gpviz.explain.step_text import VERDICT_SYMBOLS, verdict_text, verdict_word
from gpviz.number_text import amount_text, chance_text, change_text, exact_chance_text, signed_text

_LEAST_SHARE: Final = 5
"""In pixels: how much of the bar the smallest part gets."""
_AROUND_TEXT: Final = 4
_STRETCH: Final = 100_000
_LEAST_BAR: Final = 2.0
"""In pixels: how high the smallest positive bar is."""
_WIDEST: Final = 64.0
_CLEAR: Final = 6.0
_LINES: Final = 3.4
"""How many lines of type it is high at least."""
_SPACIOUS: Final = 5.5
"""From how many lines on one of them can go to a caption."""
_CAPTIONS: Final = ("probability of each error change", "probability of each change", "error changes")
"""Of which the first that fits is shown."""
_CAPTION_ON_SAMPLE: Final = "probability of each error change, in sampled rows"


def _verdict_colour(verdict: Verdict | None, theme: Theme) -> QColor:
    """The colour of a verdict; no verdict stands for mutations that were not examined."""
    return QColor(theme.colours.border if verdict is None else theme.colours.of_verdict(verdict))


class BarPart(Themed, QWidget):
    """A verdict's part of the bar; no verdict stands for mutations that were not examined.

    It is no button: the audience's window hides those.
    """

    clicked = Signal()

    def __init__(self, verdict: Verdict | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._verdict = verdict
        self._chance = ""
        self._is_chosen = False
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(_LEAST_SHARE)

    def show_chance(self, chance: str, *, is_chosen: bool) -> None:
        """Show this probability, with a frame around it if its verdict is chosen."""
        self._chance, self._is_chosen = chance, is_chosen
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(_LEAST_SHARE, round(self._metrics().height()) + _AROUND_TEXT)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._verdict is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self.theme.colours
        fill = _verdict_colour(self._verdict, self.theme)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), fill)
            if self._verdict in (Verdict.UNCHANGED, None):
                painter.fillRect(self.rect(), QBrush(QColor(colours.panel), Qt.BrushStyle.BDiagPattern))
            self._paint_text(painter, fill)
            if self._is_chosen:
                line = round(2 * self.theme.line_scale)
                painter.setPen(QPen(QColor(colours.text), line))
                painter.drawRect(QRectF(self.rect()).adjusted(line / 2, line / 2, -line / 2, -line / 2))

    def _paint_text(self, painter: QPainter, fill: QColor) -> None:
        """Write as much as fits, on the plain fill: symbol and probability, the symbol, or nothing."""
        metrics = self._metrics()
        symbol = "?" if self._verdict is None else VERDICT_SYMBOLS[self._verdict]
        for text in (f"{symbol} {self._chance}".rstrip(), symbol):
            plate = QRectF(0, 0, metrics.horizontalAdvance(text) + 6, metrics.height())
            if plate.width() <= self.width():
                plate.moveCenter(QRectF(self.rect()).center())
                painter.fillRect(plate, fill)
                painter.setFont(self.theme.font(0.9, is_bold=True))
                painter.setPen(readable_on(fill, self.theme))
                painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)
                return

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.theme.font(0.9, is_bold=True))


class VerdictBar(Themed, QWidget):
    """Shows the probabilities of the verdicts. A click on one of them means: only these."""

    verdict_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._odds: MutationOdds | None = None
        self._chosen: Verdict | None = None
        self.parts: dict[Verdict | None, BarPart] = {}
        """The part of the bar for each verdict; None is for mutations that were not examined."""
        self._bar = row_of(spacing=0)
        for verdict in (*Verdict, None):
            part = self.parts[verdict] = BarPart(verdict)
            part.clicked.connect(partial(self.verdict_clicked.emit, verdict))
            self._bar.addWidget(part)
        self.legend = QLabel()
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.legend.setWordWrap(True)
        self.legend.linkActivated.connect(self._on_link_clicked)
        self.legend.linkHovered.connect(self._on_link_hovered)
        column_in(self, self._bar, self.legend, spacing=3)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Probabilities of the verdicts")
        self._show()

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.legend.setFont(theme.font(0.9))
        self._show()

    def show_odds(self, odds: MutationOdds | None) -> None:
        """Show these probabilities."""
        self._odds = odds
        self.setAccessibleDescription(", ".join(self.texts().values()))
        self._show()

    def set_chosen(self, verdict: Verdict | None) -> None:
        """Mark the verdict that is looked for; None marks none."""
        self._chosen = verdict
        self._show()

    def texts(self) -> dict[Verdict | None, str]:
        """What the legend says of each verdict, and of what nobody looked at."""
        if self._odds is None:
            return {}
        texts: dict[Verdict | None, str] = {}
        is_sampled = self._odds.rules.is_sampled
        for verdict in self._odds.totals.probabilities:
            word = verdict_word(verdict, is_sampled=is_sampled)
            texts[verdict] = f"{VERDICT_SYMBOLS[verdict]} {word} {self._chance(verdict)}"
        if not self._odds.is_complete:
            texts[None] = f"? not looked at {chance_text(1 - self._odds.covered)}"
        return texts

    def minimumSizeHint(self) -> QSize:
        return QSize(80, super().minimumSizeHint().height())

    def _show(self) -> None:
        texts = self.texts()
        for index, (verdict, part) in enumerate(self.parts.items()):
            share = self._share(verdict)
            part.setVisible(share > 0)
            self._bar.setStretch(index, round(_STRETCH * share))
            part.setAccessibleName(texts.get(verdict, ""))
            set_tip(part, self._hint(verdict))
            chance = "" if verdict is None else self._chance(verdict)
            part.show_chance(chance, is_chosen=verdict is not None and verdict is self._chosen)
        self.legend.setText("&nbsp;&nbsp; ".join(self._entry(*each) for each in texts.items()))

    def _share(self, verdict: Verdict | None) -> float:
        odds = self._odds
        if odds is None:
            return 0.0
        return float(1 - odds.covered if verdict is None else odds.totals.probabilities.get(verdict, 0))

    def _hint(self, verdict: Verdict | None) -> str:
        if self._odds is None:
            return ""
        if verdict is None:
            return "What the next iteration does to this tree, by exact probability."
        text = verdict_text(verdict, is_sampled=self._odds.rules.is_sampled)
        chance = f"{self._odds.at_least}{exact_chance_text(self._odds.probability(verdict))}"
        return f"{text}: {chance}\nClick to list only these in the table."

    def _chance(self, verdict: Verdict) -> str:
        """The probability of a verdict, as far as it is known."""
        odds = self._odds
        return "" if odds is None else f"{odds.at_least}{chance_text(odds.probability(verdict))}"

    def _entry(self, verdict: Verdict | None, text: str) -> str:
        """What the legend says of a verdict: its symbol in its colour, and a link to list only these."""
        colours = self.theme.colours
        symbol, _, rest = text.partition(" ")
        rest = rest.replace(" ", "&nbsp;")
        if verdict is None or self._odds is None:
            return f"<span style='color:{colours.muted}'>{symbol}</span>&nbsp;{rest}"
        colour = colours.text if self._odds.probability(verdict) else colours.muted
        weight = "bold" if verdict is self._chosen else "normal"
        style = f"color:{colour};text-decoration:none;font-weight:{weight}"
        return (
            f"<a href='{verdict.value}' style='{style}'>"
            f"<span style='color:{_verdict_colour(verdict, self.theme).name()}'>{symbol}</span>&nbsp;{rest}</a>"
        )

    @Slot(str)
    def _on_link_clicked(self, verdict: str) -> None:
        self.verdict_clicked.emit(Verdict(verdict))

    @Slot(str)
    def _on_link_hovered(self, verdict: str) -> None:
        self.legend.setToolTip(tooltip_text(self._hint(Verdict(verdict) if verdict else None)))


def bin_text(part: Bin, row_share: Fraction | None = None) -> str:
    """The changes of a bin as text; if a share of the rows is sampled, those expected in the sample."""
    if not part.first and not part.last:
        return "error unchanged"
    ends = sorted({part.first, part.last}, key=abs)
    if row_share is None:
        return f"error {' to '.join(map(change_text, ends))}"
    return f"expected error in the sample {' to '.join(signed_text(end * row_share) for end in ends)}"


class ChangeHistogram(Themed, QWidget):
    """Shows the probabilities of error changes: a bar for each, or for ranges of them where they are many."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bins: list[Bin] = []
        """What is shown."""
        self._note = ""
        self._at_least = ""
        self._row_share: Fraction | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Histogram of error changes")

    def show_odds(self, odds: MutationOdds | None) -> None:
        """Show these changes."""
        self.bins = [] if odds is None or not odds.changes else bins_of(odds.changes)
        self._note = "" if odds is None else "No error to compare with." if not self.bins else ""
        self._at_least = "" if odds is None else odds.at_least
        self._row_share = odds.row_share if odds is not None and odds.rules.is_sampled else None
        described = [
            f"{bin_text(part, self._row_share)}: {self._at_least}{chance_text(part.probability)}"
            for part in self.bins
            if part.probability
        ]
        self.setAccessibleDescription(", ".join(described))
        self.update()

    def caption(self) -> str:
        """What is said above the bars, as far as it fits."""
        metrics = QFontMetricsF(self.theme.font(0.8))
        captions = _CAPTIONS if self._row_share is None else (_CAPTION_ON_SAMPLE, *_CAPTIONS)
        return next((each for each in captions if metrics.horizontalAdvance(each) <= self.width()), "")

    def hint_at(self, x: float) -> str:
        """What is to be said of the bin at this distance from the left."""
        left, width = self.columns()
        index = int((x - left) // width) if width else -1
        if not 0 <= index < len(self.bins):
            return "How likely each change of the error is. Offspring that are too large are not evaluated."
        part = self.bins[index]
        if not part.probability and part.first:
            text = "lower" if part.first < 0 else "raise"
            return f"No mutation {'examined ' if self._at_least else ''}would {text} the error."
        return f"{bin_text(part, self._row_share)}: {self._at_least}{exact_chance_text(part.probability)}"

    def sizeHint(self) -> QSize:
        # In a scroll area a larger request would be granted, and make it scroll.
        return QSize(200, round(self._height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, round(self._height()))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.hint_at(event.pos().x()), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self.theme.colours
        font = self.theme.font(0.8)
        metrics = QFontMetricsF(font)
        with QPainter(self) as painter:
            painter.setFont(font)
            if not self.bins:
                painter.setPen(QColor(colours.muted))
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._note)
                return
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            base = self.height() - metrics.height() - 2
            if self.height() > _SPACIOUS * metrics.height():
                painter.setPen(QColor(colours.muted))
                painter.drawText(QPointF(0, metrics.ascent()), self.caption())
            left, width = self.columns()
            self._paint_bars(painter, left, width, base, metrics)
            painter.setPen(QPen(QColor(colours.muted), self.theme.line_scale))
            painter.drawLine(QPointF(left, base), QPointF(left + width * len(self.bins), base))
            self._paint_labels(painter, left, width, base, metrics)

    def _paint_bars(
        self, painter: QPainter, left: float, width: float, base: float, metrics: QFontMetricsF
    ) -> None:
        colours = self.theme.colours
        top = metrics.height() + 1
        ceiling = 2 * top if self.height() > _SPACIOUS * metrics.height() else top
        highest = max(part.probability for part in self.bins) or 1.0
        middle = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
        for index, part in enumerate(self.bins):
            if not part.probability:
                continue
            height = max(
                (base - ceiling) * part.probability / highest,
                _LEAST_BAR * self.theme.line_scale,
            )
            bar = QRectF(left + index * width + 1, base - height, width - 2, height)
            painter.fillRect(bar, QColor(colours.of_verdict(_verdict(part))))
            text = fitting_text(part.probability, metrics, width - 2, self._at_least)
            if text:
                painter.setPen(QColor(colours.text))
                painter.drawText(QRectF(bar.x() - 4, bar.y() - top, bar.width() + 8, top), middle, text)

    def _paint_labels(
        self, painter: QPainter, left: float, width: float, base: float, metrics: QFontMetricsF
    ) -> None:
        """Name as many bins as fit: 0 and the ends before all others."""
        zero = next(index for index, part in enumerate(self.bins) if not part.first)
        ends = [zero, len(self.bins) - 1, 0]
        taken: list[tuple[float, float]] = []
        painter.setPen(QColor(self.theme.colours.muted))
        for index in [*ends, *(other for other in range(len(self.bins)) if other not in ends)]:
            text = _label(self.bins[index], self._row_share)
            needed = metrics.horizontalAdvance(text)
            x = left + (index + 0.5) * width - needed / 2
            x = min(max(x, 0.0), self.width() - needed)
            if any(x < end + _CLEAR and start < x + needed + _CLEAR for start, end in taken):
                continue
            taken.append((x, x + needed))
            painter.drawText(QPointF(x, base + metrics.ascent() + 1), text)

    def columns(self) -> tuple[float, float]:
        """Where the bins begin, and how wide each is."""
        if not self.bins:
            return 0.0, 0.0
        width = min(self.width() / len(self.bins), _WIDEST * self.theme.line_scale)
        return (self.width() - width * len(self.bins)) / 2, width

    def _height(self) -> float:
        return _LINES * QFontMetricsF(self.theme.font(0.8)).height()


def _verdict(part: Bin) -> Verdict:
    return Verdict.IMPROVED if part.last < 0 else Verdict.WORSE if part.first > 0 else Verdict.NEUTRAL


def _label(part: Bin, row_share: Fraction | None = None) -> str:
    """The changes of a bin in little space: +8, or −64…−32 for a range, from left to right as the bars are.

    Where a share of the rows is sampled, they are as to be expected there.
    """
    if not part.first:
        return "0"
    if not part.probability:
        return "none"
    if row_share is not None:
        return "…".join(dict.fromkeys(signed_text(end * row_share) for end in (part.first, part.last)))
    sign = "+" if part.first > 0 else "−"
    ends = dict.fromkeys(amount_text(abs(end)) for end in (part.first, part.last))
    return "…".join(f"{sign}{end}" for end in ends)


def fitting_text(chance: float, metrics: QFontMetricsF, width: float, at_least: str = "") -> str:
    """A probability for a bar of this width: without its decimals where they do not fit, or nothing at all."""
    exact = chance_text(chance)
    rounded = f"{100 * chance:.0f} %" if 0.0995 <= chance < 0.995 else exact
    texts = (f"{at_least}{text}" for text in (exact, rounded))
    return next((text for text in texts if metrics.horizontalAdvance(text) <= width), "")
