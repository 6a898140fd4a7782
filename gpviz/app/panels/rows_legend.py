"""The legend of the truth table: each class of rows with its colour, its symbol and its number."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.panels.rows_picture import class_colour, draw_symbol
from gpviz.app.theme import Theme, load_theme
from gpviz.record.rows import CellClass
from gpviz.record.rows_words import CLASS_WORDS
from gpviz.record.telling import number_text

__all__ = ["RowLegend"]


class RowLegend(QWidget):
    """Swatches and counts side by side, in a second line where there is no room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = load_theme("light")
        self._counts: dict[CellClass, int] = {}
        self.has_drawn = False
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setToolTip(
            "Right and wrong: parent and offspring alike. Fixed: only the parent is wrong. "
            "Broken: only the offspring is wrong."
        )

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def set_counts(self, counts: dict[CellClass, int], *, has_drawn: bool) -> None:
        """Show these classes; ``has_drawn`` adds the mark of the drawn rows."""
        if counts == self._counts and has_drawn == self.has_drawn:
            return
        is_longer = list(counts) != list(self._counts) or has_drawn != self.has_drawn
        self._counts, self.has_drawn = counts, has_drawn
        self.setAccessibleName(", ".join(self.texts()))
        if is_longer:
            self.updateGeometry()
        self.update()

    def texts(self) -> list[str]:
        """What it says, item by item."""
        texts = [f"{CLASS_WORDS[kind]} {number_text(count)}" for kind, count in self._counts.items()]
        return [*texts, "drawn"] if self.has_drawn else texts

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        places = self._places(width)
        return round(max((place.bottom() for place in places), default=0.0))

    def sizeHint(self) -> QSize:
        return QSize(100, self.heightForWidth(max(self.width(), 100)))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        kinds: list[CellClass | None] = [*self._counts, *([None] if self.has_drawn else [])]
        for kind, text, place in zip(kinds, self.texts(), self._places(self.width()), strict=True):
            side = self._side()
            box = QRectF(place.left() + 0.5, place.top() + (place.height() - side) / 2, side, side)
            self._draw_swatch(painter, kind, box)
            painter.setPen(QColor(self._theme.colours.text))
            painter.setFont(self._theme.font(0.95))
            words = place.adjusted(1.4 * side, 0, 0, 0)
            flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
            painter.drawText(words, flags, text)
        painter.end()

    def _draw_swatch(self, painter: QPainter, kind: CellClass | None, box: QRectF) -> None:
        colours = self._theme.colours
        painter.setPen(QPen(QColor(colours.edge), 1))
        painter.setBrush(class_colour(CellClass.RIGHT if kind is None else kind, self._theme))
        painter.drawRect(box)
        if kind is not None:
            draw_symbol(painter, kind, box, self._theme)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent))
        painter.drawEllipse(QPointF(box.center()), box.width() / 5, box.width() / 5)

    def _side(self) -> float:
        return 0.8 * QFontMetrics(self._theme.font(0.95)).height()

    def _places(self, width: int) -> list[QRectF]:
        metrics = QFontMetrics(self._theme.font(0.95))
        places: list[QRectF] = []
        height = 1.25 * metrics.height()
        x = y = 0.0
        for text in self.texts():
            needed = 1.4 * self._side() + metrics.horizontalAdvance(text) + 2
            if x and x + needed > width:
                x, y = 0.0, y + height
            places.append(QRectF(x, y, needed, height))
            x += needed + 0.7 * metrics.height()
        return places
