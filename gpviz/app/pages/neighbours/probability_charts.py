"""The charts of the neighbours page: how likely each verdict and each change of the error is."""

from fractions import Fraction
from typing import Final, NamedTuple

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
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolTip, QWidget

from gpviz.app.theme import Theme, readable_on
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Verdict
from gpviz.escaping import tooltip_text
from gpviz.explain.next_iteration_odds import Bin, MutationOdds, bins_of
from gpviz.explain.step_text import VERDICT_SYMBOLS, verdict_text, verdict_word
from gpviz.number_text import amount_text, chance_text, change_text, exact_chance_text, signed_text

_LEAST_SHARE: Final = 5.0
"""In pixels: how much of the bar the smallest part gets."""
_ROUND: Final = 4.0
_LEAST_BAR: Final = 2.0
"""In pixels: how high the smallest positive bar is."""
_WIDEST: Final = 64.0
_CLEAR: Final = 6.0
_LINES: Final = 3.4
"""How many lines of type it is high at least."""
_ROOMY: Final = 5.5
"""From how many lines on one of them can go to a caption."""
_CAPTIONS: Final = ("probability of each error change", "probability of each change", "error changes")
"""Of which the first that fits is shown."""
_CAPTION_ON_SAMPLE: Final = "probability of each error change, in sampled rows"


class _Entry(NamedTuple):
    """A part of the bar; no verdict is what nobody looked at."""

    verdict: Verdict | None
    area: QRectF


def lengths_of(shares: list[float], length: float, least: float = _LEAST_SHARE) -> list[float]:
    """Lengths that sum to ``length``: as the shares, but none of a positive share less than ``least``."""
    positive = [share for share in shares if share > 0]
    if not positive:
        return [0.0] * len(shares)
    least = min(least, length / len(positive))
    lengths = [0.0] * len(shares)
    left, total = length, sum(positive)
    # The shortest first: what they get beyond their share is taken from the longer ones alike.
    for index in sorted(range(len(shares)), key=shares.__getitem__):
        share = shares[index]
        if share <= 0:
            continue
        lengths[index] = max(left * share / total, least)
        left -= lengths[index]
        total -= share
    longest = max(range(len(shares)), key=shares.__getitem__)
    lengths[longest] += left  # what rounding has left
    return lengths


class VerdictBar(Themed, QWidget):
    """Shows the probabilities of the verdicts. A click on one of them means: only these."""

    verdict_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._odds: MutationOdds | None = None
        self._chosen: Verdict | None = None
        self._parts: list[_Entry] = []
        self.legend = QLabel()
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.legend.setWordWrap(True)
        self.legend.linkActivated.connect(self._on_link_clicked)
        self.legend.linkHovered.connect(self._on_link_hovered)
        self._layout = column_in(self)
        self._layout.addWidget(self.legend)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Probabilities of the verdicts")

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.legend.setFont(theme.font(0.9))
        self._layout.setContentsMargins(0, round(self._bar_height()) + 3, 0, 0)
        self._arrange()

    def show_odds(self, odds: MutationOdds | None) -> None:
        """Show these probabilities."""
        self._odds = odds
        self.setAccessibleDescription(", ".join(self.texts().values()))
        self._arrange()

    def set_chosen(self, verdict: Verdict | None) -> None:
        """Mark the verdict that is looked for; None marks none."""
        self._chosen = verdict
        self._arrange()

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

    def part_of(self, verdict: Verdict | None) -> QRectF:
        """Where a verdict's part of the bar is; an empty rectangle where it has none."""
        return next((area for which, area in self._parts if which is verdict), QRectF())

    def verdict_at(self, point: QPointF) -> Verdict | None:
        """The verdict at a point of the bar."""
        return next((verdict for verdict, area in self._parts if area.contains(point)), None)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._parts = self._bar()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        verdict = self.verdict_at(event.position())
        if verdict is not None and event.button() == Qt.MouseButton.LeftButton:
            self.verdict_clicked.emit(verdict)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.hint_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def hint_at(self, point: QPointF) -> str:
        """What is to be said of a point: the exact probability there."""
        return self._hint(self.verdict_at(point))

    def _hint(self, verdict: Verdict | None) -> str:
        if self._odds is None:
            return ""
        if verdict is None:
            return "What the next iteration does to this tree, by exact probability."
        text = verdict_text(verdict, is_sampled=self._odds.rules.is_sampled)
        chance = f"{self._odds.at_least}{exact_chance_text(self._odds.probability(verdict))}"
        return f"{text}: {chance}\nClick to list only these in the table."

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_bar(painter)

    def _paint_bar(self, painter: QPainter) -> None:
        colours = self.theme.colours
        metrics = QFontMetricsF(self.theme.font(0.9, is_bold=True))
        painter.setFont(self.theme.font(0.9, is_bold=True))
        for verdict, area in self._parts:
            fill = self._fill(verdict)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            painter.drawRect(area)
            if verdict in (Verdict.UNCHANGED, None):
                painter.setBrush(QBrush(QColor(colours.panel), Qt.BrushStyle.BDiagPattern))
                painter.drawRect(area)
            text = "?" if verdict is None else self._short(verdict)
            for candidate in (text, text.split(" ", maxsplit=1)[0]):
                if metrics.horizontalAdvance(candidate) + 6 <= area.width():
                    painter.setPen(readable_on(fill, self.theme))
                    if verdict in (Verdict.UNCHANGED, None):
                        self._paint_plate(painter, area, metrics.horizontalAdvance(candidate), fill)
                    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, candidate)
                    break
            if verdict is not None and verdict is self._chosen:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(colours.text), 2 * self.theme.line_scale))
                painter.drawRect(area.adjusted(1, 1, -1, -1))

    def _paint_plate(self, painter: QPainter, area: QRectF, width: float, fill: QColor) -> None:
        """Take the pattern away from behind a text."""
        plate = QRectF(0, 0, width + 6, area.height() - 4)
        plate.moveCenter(area.center())
        painter.save()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(plate, _ROUND, _ROUND)
        painter.restore()

    def _fill(self, verdict: Verdict | None) -> QColor:
        colours = self.theme.colours
        return QColor(colours.border if verdict is None else colours.of_verdict(verdict))

    def _short(self, verdict: Verdict) -> str:
        return f"{VERDICT_SYMBOLS[verdict]} {self._chance(verdict)}"

    def _chance(self, verdict: Verdict) -> str:
        """The probability of a verdict, as far as it is known."""
        odds = self._odds
        return "" if odds is None else f"{odds.at_least}{chance_text(odds.probability(verdict))}"

    def _arrange(self) -> None:
        self._parts = self._bar()
        self.legend.setText("&nbsp;&nbsp; ".join(self._entry(*each) for each in self.texts().items()))
        self.update()

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
            f"<span style='color:{self._fill(verdict).name()}'>{symbol}</span>&nbsp;{rest}</a>"
        )

    @Slot(str)
    def _on_link_clicked(self, verdict: str) -> None:
        self.verdict_clicked.emit(Verdict(verdict))

    @Slot(str)
    def _on_link_hovered(self, verdict: str) -> None:
        self.legend.setToolTip(tooltip_text(self._hint(Verdict(verdict) if verdict else None)))

    def _bar(self) -> list[_Entry]:
        odds = self._odds
        if odds is None:
            return []
        verdicts: list[Verdict | None] = [*odds.totals.probabilities]
        shares = [float(chance) for chance in odds.totals.probabilities.values()]
        if not odds.is_complete:
            verdicts.append(None)
            shares.append(float(1 - odds.covered))
        parts, x = [], 0.0
        for verdict, length in zip(verdicts, lengths_of(shares, float(self.width())), strict=True):
            if length:
                parts.append(_Entry(verdict, QRectF(x, 0.0, length, self._bar_height())))
            x += length
        return parts

    def _bar_height(self) -> float:
        return QFontMetricsF(self.theme.font(0.9)).height() + 6


def bin_text(part: Bin, row_share: Fraction | None = None) -> str:
    """The changes of a bin in words; where a share of the rows is sampled, as they are to be expected there."""
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
        self._bins: list[Bin] = []
        self._note = ""
        self._at_least = ""
        self._row_share: Fraction | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Histogram of error changes")

    @property
    def bins(self) -> tuple[Bin, ...]:
        """What is shown."""
        return tuple(self._bins)

    def show_odds(self, odds: MutationOdds | None) -> None:
        """Show these changes."""
        self._bins = [] if odds is None or not odds.changes else bins_of(odds.changes)
        self._note = "" if odds is None else "No error to compare with." if not self._bins else ""
        self._at_least = "" if odds is None else odds.at_least
        self._row_share = odds.row_share if odds is not None and odds.rules.is_sampled else None
        described = [
            f"{bin_text(part, self._row_share)}: {self._at_least}{chance_text(part.probability)}"
            for part in self._bins
            if part.probability
        ]
        self.setAccessibleDescription(", ".join(described))
        self.update()

    def caption(self) -> str:
        """What is said above the bars, as far as it fits."""
        metrics = QFontMetricsF(self.theme.font(0.8))
        captions = _CAPTIONS if self._row_share is None else (_CAPTION_ON_SAMPLE, *_CAPTIONS)
        return next((each for each in captions if metrics.horizontalAdvance(each) <= self.width()), "")

    def bin_at(self, x: float) -> Bin | None:
        """The bin at this distance from the left."""
        left, width = self.columns()
        index = int((x - left) // width) if width else -1
        return self._bins[index] if 0 <= index < len(self._bins) else None

    def hint_at(self, x: float) -> str:
        """What is to be said of the bin there."""
        part = self.bin_at(x)
        if part is None:
            return "How likely each change of the error is. Offspring that are too large are not evaluated."
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
            if not self._bins:
                painter.setPen(QColor(colours.muted))
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._note)
                return
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            base = self.height() - metrics.height() - 2
            if self.height() > _ROOMY * metrics.height():
                painter.setPen(QColor(colours.muted))
                painter.drawText(QPointF(0, metrics.ascent()), self.caption())
            left, width = self.columns()
            self._paint_bars(painter, left, width, base, metrics)
            painter.setPen(QPen(QColor(colours.muted), self.theme.line_scale))
            painter.drawLine(QPointF(left, base), QPointF(left + width * len(self._bins), base))
            self._paint_labels(painter, left, width, base, metrics)

    def _paint_bars(
        self, painter: QPainter, left: float, width: float, base: float, metrics: QFontMetricsF
    ) -> None:
        colours = self.theme.colours
        top = metrics.height() + 1
        ceiling = 2 * top if self.height() > _ROOMY * metrics.height() else top
        highest = max(part.probability for part in self._bins) or 1.0
        middle = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
        for index, part in enumerate(self._bins):
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
        zero = next(index for index, part in enumerate(self._bins) if not part.first)
        ends = [zero, len(self._bins) - 1, 0]
        taken: list[tuple[float, float]] = []
        painter.setPen(QColor(self.theme.colours.muted))
        for index in [*ends, *(other for other in range(len(self._bins)) if other not in ends)]:
            text = _label(self._bins[index], self._row_share)
            needed = metrics.horizontalAdvance(text)
            x = left + (index + 0.5) * width - needed / 2
            x = min(max(x, 0.0), self.width() - needed)
            if any(x < end + _CLEAR and start < x + needed + _CLEAR for start, end in taken):
                continue
            taken.append((x, x + needed))
            painter.drawText(QPointF(x, base + metrics.ascent() + 1), text)

    def columns(self) -> tuple[float, float]:
        """Where the bins begin, and how wide each is."""
        if not self._bins:
            return 0.0, 0.0
        width = min(self.width() / len(self._bins), _WIDEST * self.theme.line_scale)
        return (self.width() - width * len(self._bins)) / 2, width

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
