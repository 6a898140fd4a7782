"""The first-start hint: a few cards that point at parts of the window, one after the other."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QLineF, QObject, QPoint, QPointF, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import heading
from gpviz.app.widgets.layouts import column_in, row_of
from gpviz.app.widgets.themed import Themed

_SHADE: Final = 150
_GAP: Final = 18
_OUTLINE: Final = 6
_RADIUS: Final = 10


class FirstRunTour(Themed, QWidget):
    """Lies over ``parent`` until it is read or skipped, and then says so once."""

    finished = Signal()

    def __init__(self, steps: Sequence[tuple[str, str, QWidget | None]], parent: QWidget) -> None:
        """Each card has a title, a text, and the widget it points at, if any."""
        super().__init__(parent)
        self._covered = parent
        self._steps = steps
        self.current = 0
        self._is_finished = False
        self.card = QWidget(self)  # its background is painted here, in one shape with the arrow
        self.title = heading("")
        self.title.setProperty("role", "title")
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.count_label = QLabel()
        self.count_label.setProperty("role", "muted")
        self.skip_button = QPushButton("Skip")
        self.skip_button.setToolTip("Close this hint (Esc). It will not come back.")
        self.next_button = QPushButton("Next")
        self.next_button.setProperty("role", "primary")
        for button in (self.skip_button, self.next_button):
            button.setAutoDefault(True)
        line = row_of((self.count_label, 1), self.skip_button, self.next_button)
        column_in(self.card, self.title, self.text, line, spacing=10, margins=(18, 16, 18, 14))
        self.setFocusProxy(self.next_button)
        self.skip_button.clicked.connect(self.finish)
        self.next_button.clicked.connect(self.go_on)
        parent.installEventFilter(self)
        self.follow_theme()
        self._show_step()

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.title.setFont(theme.font(1.3, is_bold=True))
        self.text.setFont(theme.font(1.1))
        self._arrange()

    @Slot()
    def go_on(self) -> None:
        """Show the next card, or end after the last."""
        if self.current + 1 >= len(self._steps):
            self.finish()
            return
        self.current += 1
        self._show_step()

    @Slot()
    def finish(self) -> None:
        """Go away, and say so."""
        if self._is_finished:
            return
        self._is_finished = True
        self._covered.removeEventFilter(self)
        self.hide()
        self.finished.emit()
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.LayoutRequest):
            self._arrange()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.finish()
        elif key in (Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.go_on()
        elif key == Qt.Key.Key_Left:
            self.current = max(0, self.current - 1)
            self._show_step()
        else:
            event.accept()  # no key works on what lies below

    def focusNextPrevChild(self, is_next: bool) -> bool:  # noqa: N802
        other = self.next_button if self.skip_button.hasFocus() else self.skip_button
        other.setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self.theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shade = QPainterPath()
        shade.addRect(QRectF(self.rect()))
        target = self._target()
        if target is not None:
            hole = QPainterPath()
            hole.addRoundedRect(QRectF(target), _RADIUS, _RADIUS)
            shade = shade.subtracted(hole)
        dark = QColor(colours.text if not self.theme.is_dark else colours.window)
        dark.setAlpha(_SHADE)
        painter.fillPath(shade, dark)
        if target is not None:
            painter.setPen(QPen(QColor(colours.accent), 3 * self.theme.line_scale))
            painter.drawRoundedRect(QRectF(target), _RADIUS, _RADIUS)
        card = QPainterPath()
        card.addRoundedRect(QRectF(self.card.geometry()), _RADIUS, _RADIUS)
        if target is not None:
            arrow = QPainterPath()
            arrow.addPolygon(_arrow(self.card.geometry(), target))
            arrow.closeSubpath()
            card = card.united(arrow)
        painter.setPen(QPen(QColor(colours.accent), 1.5 * self.theme.line_scale))
        painter.setBrush(QColor(colours.panel))
        painter.drawPath(card)
        painter.end()

    def _show_step(self) -> None:
        title, text, _ = self._steps[self.current]
        count = len(self._steps)
        self.title.setText(title)
        self.text.setText(text)
        self.count_label.setText(f"{self.current + 1} of {count}")
        self.next_button.setText("Next" if self.current + 1 < count else "Start")
        self.next_button.setToolTip("Next (Return).")
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.skip_button.setVisible(self.current + 1 < count)
        self._arrange()
        self.next_button.setFocus()

    def _target(self) -> QRect | None:
        """The widget pointed at, in own coordinates, with a little air around it."""
        _, _, target = self._steps[self.current]
        if target is None or not target.isVisible():
            return None
        corner = self.mapFromGlobal(target.mapToGlobal(QPoint(0, 0)))
        area = QRect(corner, target.size()).adjusted(-_OUTLINE, -_OUTLINE, _OUTLINE, _OUTLINE)
        inside = area.intersected(self.rect().adjusted(3, 3, -3, -3))
        return inside if inside.isValid() else None

    def _arrange(self) -> None:
        """Cover the parent, and put the card beside what it points at."""
        self.setGeometry(self._covered.rect())
        width = min(round(self.theme.font_size * 34), self.width() - 2 * _GAP)
        self.card.setFixedWidth(max(width, 1))
        layout = self.card.layout()
        assert layout is not None
        height = max(layout.totalHeightForWidth(width), self.card.minimumSizeHint().height())
        self.card.setGeometry(_beside(self._target(), QRect(0, 0, width, height), self.rect()))
        self.update()


def _beside(target: QRect | None, card: QRect, window: QRect) -> QRect:
    """The card to the right or left of the target, below or above it, or in the middle if it fits nowhere."""
    if target is not None:
        centre = target.center()
        gap = 2 * _GAP
        for corner in (
            QPoint(target.right() + gap, centre.y() - card.height() // 2),
            QPoint(target.left() - gap - card.width(), centre.y() - card.height() // 2),
            QPoint(centre.x() - card.width() // 2, target.bottom() + gap),
            QPoint(centre.x() - card.width() // 2, target.top() - gap - card.height()),
        ):
            found = QRect(corner, card.size())
            x = min(max(found.x(), _GAP), window.width() - _GAP - card.width())
            y = min(max(found.y(), _GAP), window.height() - _GAP - card.height())
            found.moveTo(x, y)
            if not found.intersects(target) and window.contains(found):
                return found
    card.moveCenter(window.center())
    return card


def _arrow(card: QRect, target: QRect) -> QPolygonF:
    """A triangle from the middle of the card to the nearest point of the target; none where they overlap."""
    if card.intersects(target):
        return QPolygonF()
    middle = QPointF(card.center())
    x = min(max(card.center().x(), target.left()), target.right())
    y = min(max(card.center().y(), target.top()), target.bottom())
    across = QLineF(middle, QPointF(x, y)).normalVector()
    across.setLength(_GAP)
    side = across.p2() - middle
    return QPolygonF([QPointF(x, y), middle + side, middle - side])
