"""The charts of the neighbours page: how likely each verdict and each change of the error is."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
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
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gpviz.app.theme import Theme, readable_on
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Verdict
from gpviz.escaping import tooltip_text
from gpviz.explain.next_iteration_odds import Bin, MutationOdds, bins_of
from gpviz.explain.step_text import VERDICT_SYMBOLS, verdict_text, verdict_word
from gpviz.number_text import amount_text, chance_text, change_text, exact_chance_text, signed_text

_LEAST_PART: Final = 4.0
"""In pixels: how wide the smallest part of the bar is."""
_BAR_LINES: Final = 1.55
"""The height of the bar, as a multiple of the type's."""
_LEGEND: Final = 0.82
_GAP: Final = 8.0
_WHAT_IT_DOES: Final = {
    Verdict.IMPROVED: "improve",
    Verdict.NEUTRAL: "keep the error",
    Verdict.UNCHANGED: "change nothing",
    Verdict.WORSE: "worsen",
}
"""What mutations with a verdict do, where that says more than the verdict."""
_LEAST_BAR: Final = 2.0
"""In pixels: how high the smallest positive bar is."""
_WIDEST: Final = 64.0
_CLEAR: Final = 6.0
_LINES: Final = 5.6
"""How many lines of type the histogram is high."""
_CAPTIONS: Final = ("probability of each error change", "probability of each change", "error changes")
"""Of which the first that fits is shown."""
_CAPTION_ON_SAMPLE: Final = "probability of each error change, in sampled rows"


class _Part(NamedTuple):
    """A part of the bar; no verdict stands for mutations that nobody looked at."""

    verdict: Verdict | None
    chance: str
    area: QRectF


class _Label(NamedTuple):
    """What stands below a part."""

    part: _Part
    symbol: str
    text: str
    area: QRectF


class VerdictBar(Themed, QWidget):
    """Shows the chances of the verdicts. A click on one of them means: only these."""

    verdict_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._odds: MutationOdds | None = None
        self._chosen: Verdict | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setAccessibleName("Chances of the verdicts")

    def show_odds(self, odds: MutationOdds | None) -> None:
        """Show these chances."""
        self._odds = odds
        self.setAccessibleDescription(", ".join(self.texts().values()))
        self.update()

    def set_chosen(self, verdict: Verdict | None) -> None:
        """Mark the verdict that is looked for; None marks none."""
        self._chosen = verdict
        self.update()

    def texts(self) -> dict[Verdict | None, str]:
        """What there is to say of each verdict, and of what nobody looked at."""
        odds = self._odds
        if odds is None:
            return {}
        texts: dict[Verdict | None, str] = {
            verdict: f"{VERDICT_SYMBOLS[verdict]} {self._word(verdict)} {self._chance(verdict)}"
            for verdict in odds.totals.probabilities
        }
        if not odds.is_complete:
            texts[None] = f"? not looked at {self._chance(None)}"
        return texts

    def hint_at(self, point: QPointF) -> str:
        """What is to be said of a point."""
        verdict = self.verdict_at(point)
        if self._odds is None:
            return ""
        if verdict is None:
            return "What the next iteration does to this tree, by exact probability."
        text = verdict_text(verdict, is_sampled=self._odds.rules.is_sampled)
        chance = f"{self._odds.at_least}{exact_chance_text(self._odds.probability(verdict))}"
        return f"{text}: {chance}\nClick to list only these in the table."

    def verdict_at(self, point: QPointF) -> Verdict | None:
        """The verdict whose part of the bar, or what is written below, is here."""
        areas = [(part.verdict, part.area) for part in self.parts()]
        areas += [(label.part.verdict, label.area) for label in self.labels()]
        return next((verdict for verdict, area in areas if area.contains(point)), None)

    def sizeHint(self) -> QSize:
        return QSize(300, round(self._bar_height() + 1.3 * self._metrics().height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tooltip_text(self.hint_at(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        is_button = self.verdict_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_button else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        verdict = self.verdict_at(event.position())
        if verdict is not None and event.button() == Qt.MouseButton.LeftButton:
            self.verdict_clicked.emit(verdict)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for part in self.parts():
                self._paint_part(painter, part)
            painter.setFont(self.theme.font(_LEGEND))
            for label in self.labels():
                self._paint_label(painter, label)

    def parts(self) -> list[_Part]:
        """The parts of the bar, from the left to the right."""
        odds = self._odds
        if odds is None:
            return []
        shares: dict[Verdict | None, float] = {
            verdict: float(chance) for verdict, chance in odds.totals.probabilities.items() if chance
        }
        if not odds.is_complete:
            shares[None] = float(1 - odds.covered)
        widths = [max(share * self.width(), _LEAST_PART) for share in shares.values()]
        scale = self.width() / (sum(widths) or 1.0)
        parts, left = [], 0.0
        for verdict, width in zip(shares, widths, strict=True):
            area = QRectF(left, 0.0, scale * width, self._bar_height())
            parts.append(_Part(verdict, self._chance(verdict), area))
            left = area.right()
        return parts

    def labels(self) -> list[_Label]:
        """What stands below the parts: the longest texts that fit beside each other."""
        parts = self.parts()
        for texts in self._wordings(parts):
            widths = [self._metrics().horizontalAdvance(" ".join(filter(None, each))) for each in texts]
            if sum(widths) + _GAP * (len(widths) - 1) <= self.width():
                break
        else:
            return []
        top, height = self._bar_height() + 0.2 * self._metrics().height(), self._metrics().height()
        lefts = _pushed_apart([part.area.center().x() for part in parts], widths, self.width())
        areas = (QRectF(left, top, width, height) for left, width in zip(lefts, widths, strict=True))
        return [_Label(part, *text, area) for part, text, area in zip(parts, texts, areas, strict=True)]

    def _wordings(self, parts: Sequence[_Part]) -> Iterator[list[tuple[str, str]]]:
        """Symbols and texts for all parts, the longest first; a chance that fits in the bar is not repeated."""
        rest = [self._has_chance_inside(part) for part in parts]
        chances = ["" if is_inside else part.chance for part, is_inside in zip(parts, rest, strict=True)]
        symbols = ["?" if part.verdict is None else VERDICT_SYMBOLS[part.verdict] for part in parts]
        whats, words = ([say(part.verdict) for part in parts] for say in (self._what, self._word))
        none = [""] * len(parts)
        for texts, numbers in ((whats, chances), (words, chances), (words, none), (none, none)):
            said = (f"{text} {number}".strip() for text, number in zip(texts, numbers, strict=True))
            yield list(zip(symbols, said, strict=True))

    def _paint_part(self, painter: QPainter, part: _Part) -> None:
        """Its colour, hatched for what changes nothing; the chance on the plain colour where it fits."""
        colours, fill = self.theme.colours, _verdict_colour(part.verdict, self.theme)
        area = part.area.adjusted(0.0, 0.0, -1.0, 0.0)
        painter.fillRect(area, fill)
        if part.verdict in (Verdict.UNCHANGED, None):
            painter.fillRect(area, QBrush(QColor(colours.panel), Qt.BrushStyle.BDiagPattern))
        if self._has_chance_inside(part):
            plate = QRectF(0, 0, self._bold().horizontalAdvance(part.chance) + 6, self._bold().height())
            plate.moveCenter(area.center())
            painter.fillRect(plate, fill)
            painter.setFont(self.theme.font(_LEGEND, is_bold=True))
            painter.setPen(readable_on(fill, self.theme))
            painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, part.chance)
        if part.verdict is not None and part.verdict is self._chosen:
            line = round(2 * self.theme.line_scale)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colours.text), line))
            painter.drawRect(area.adjusted(line / 2, line / 2, -line / 2, -line / 2))

    def _paint_label(self, painter: QPainter, label: _Label) -> None:
        colours, verdict = self.theme.colours, label.part.verdict
        left, base = label.area.left(), label.area.top() + self._metrics().ascent()
        painter.setPen(QColor(colours.muted) if verdict is None else _verdict_colour(verdict, self.theme))
        painter.drawText(QPointF(left, base), label.symbol)
        is_chosen = verdict is not None and verdict is self._chosen
        painter.setPen(QColor(colours.text if is_chosen else colours.muted))
        painter.drawText(
            QPointF(left + self._metrics().horizontalAdvance(f"{label.symbol} "), base), label.text
        )

    def _has_chance_inside(self, part: _Part) -> bool:
        return self._bold().horizontalAdvance(part.chance) + 8 <= part.area.width()

    def _chance(self, verdict: Verdict | None) -> str:
        """The chance of a verdict, as far as it is known."""
        odds = self._odds
        if odds is None:
            return ""
        if verdict is None:
            return chance_text(1 - odds.covered)
        return f"{odds.at_least}{chance_text(odds.probability(verdict))}"

    def _what(self, verdict: Verdict | None) -> str:
        is_sampled = self._odds is not None and self._odds.rules.is_sampled
        word = self._word(verdict)
        return word if is_sampled or verdict is None else _WHAT_IT_DOES.get(verdict, word)

    def _word(self, verdict: Verdict | None) -> str:
        if verdict is None:
            return "not looked at"
        return verdict_word(verdict, is_sampled=self._odds is not None and self._odds.rules.is_sampled)

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.theme.font(_LEGEND))

    def _bold(self) -> QFontMetricsF:
        return QFontMetricsF(self.theme.font(_LEGEND, is_bold=True))

    def _bar_height(self) -> float:
        return round(_BAR_LINES * self._bold().height())


def _verdict_colour(verdict: Verdict | None, theme: Theme) -> QColor:
    """The colour of a verdict; no verdict stands for mutations that were not examined."""
    return QColor(theme.colours.border if verdict is None else theme.colours.of_verdict(verdict))


def _pushed_apart(centres: Sequence[float], widths: Sequence[float], space: float) -> list[float]:
    """Where texts of these widths begin, as near to their centres as they can be without touching."""
    lefts, least = [], 0.0
    for centre, width in zip(centres, widths, strict=True):
        lefts.append(max(centre - width / 2, least))
        least = lefts[-1] + width + _GAP
    most = space
    for index in reversed(range(len(lefts))):
        lefts[index] = min(lefts[index], most - widths[index])
        most = lefts[index] - _GAP
    return lefts


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
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
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
        highest = max(part.probability for part in self.bins) or 1.0
        middle = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
        for index, part in enumerate(self.bins):
            if not part.probability:
                continue
            height = max(
                (base - 2 * top) * part.probability / highest,
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
