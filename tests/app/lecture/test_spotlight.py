"""Pointing at something in a hall, and the blank screen."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QCursor, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gpviz.app.lecture.audience_window import BlankKind, BlankScreen, IdleCursor
from gpviz.app.lecture.spotlight import PointerKind, Spotlight
from gpviz.app.theme import load_theme

SIZE = (800, 600)


@pytest.fixture
def window(qtbot):
    made = QWidget()
    made.resize(*SIZE)
    made.setStyleSheet("background: white")
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def spotlight(window):
    QCursor.setPos(window.mapToGlobal(QPoint(5000, 5000)))
    made = Spotlight(window)
    made.set_theme(load_theme("projector"))
    made.setGeometry(window.rect())
    return made


def lightness(picture: QImage, x: int, y: int) -> int:
    return QColor(picture.pixel(x, y)).lightness()


def test_the_spotlight_darkens_everything_but_its_circle(window, spotlight):
    spotlight.toggle(PointerKind.SPOTLIGHT)
    spotlight.point_at(QPointF(200, 150))
    picture = window.grab().toImage()
    assert lightness(picture, 200, 150) == 255
    assert lightness(picture, 200, 150 + round(0.8 * spotlight.radius)) == 255
    assert lightness(picture, 200, 150 + round(1.05 * spotlight.radius)) < 80
    assert lightness(picture, 780, 580) < 80


def test_the_laser_is_seen_on_white_and_on_black_by_light_and_dark_alone(window, spotlight):
    spotlight.toggle(PointerKind.LASER)
    spotlight.point_at(QPointF(400, 300))
    for ground in ("white", "black"):
        window.setStyleSheet(f"background: {ground}")
        picture = window.grab().toImage()
        reach = round(1.7 * spotlight.radius)
        shades = [
            lightness(picture, x, y)
            for x in range(400 - reach, 400 + reach)
            for y in range(300 - reach, 300 + reach)
        ]
        assert min(shades) < 30
        assert max(shades) > 225
        assert lightness(picture, 100, 100) in (0, 255)


def test_it_begins_in_the_middle_and_follows_the_mouse(spotlight):
    spotlight.toggle(PointerKind.LASER)
    assert (spotlight.position - QPointF(400, 300)).manhattanLength() < 2
    QTest.mouseMove(spotlight, QPoint(123, 45))
    assert spotlight.position == QPointF(123, 45)
    QTest.mouseClick(spotlight, Qt.MouseButton.LeftButton)
    assert spotlight.pointing is PointerKind.LASER


def test_it_stays_in_the_window(spotlight):
    spotlight.toggle(PointerKind.SPOTLIGHT)
    for _ in range(100):
        spotlight.go_by(1, 1)
    assert spotlight.position == QPointF(*SIZE)


def test_its_size_changes_by_the_wheel_within_limits(spotlight):
    spotlight.toggle(PointerKind.SPOTLIGHT)
    before = spotlight.radius
    turn(spotlight, 120)
    assert spotlight.radius > before
    for _ in range(60):
        turn(spotlight, -120)
    assert 20 < spotlight.radius < before
    spotlight.toggle(PointerKind.LASER)
    small = spotlight.radius
    spotlight.change_size(200)
    assert small < spotlight.radius < before
    turn(spotlight, 0)


def test_while_it_is_off_it_is_not_there(spotlight):
    assert not spotlight.isVisible()
    spotlight.change_size(3)
    spotlight.point_at(QPointF(1, 1))
    assert spotlight.position == QPointF()


def turn(widget: QWidget, degrees: int) -> None:
    event = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, degrees),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def test_the_blank_screen_is_black_white_or_has_a_text(window):
    blank_screen = BlankScreen(window)
    blank_screen.set_theme(load_theme("projector"))
    blank_screen.setGeometry(window.rect())
    for blank_kind, shades in ((BlankKind.BLACK, {0}), (BlankKind.WHITE, {255})):
        blank_screen.draw(blank_kind, "not seen", "not seen")
        picture = window.grab().toImage()
        assert {lightness(picture, x, y) for x in range(0, 800, 5) for y in range(0, 600, 3)} == shades
    blank_screen.draw(BlankKind.WORDS, "Preparing", "Run 1 of 2")
    assert window.grab().toImage() != QImage()
    assert blank_screen.accessibleName() == "Blank screen"
    assert "Preparing Run 1 of 2" in blank_screen.accessibleDescription()
    blank_screen.set_theme(load_theme("dark"))
    assert lightness(window.grab().toImage(), 3, 3) < 100
    blank_screen.draw(BlankKind.OPEN)
    assert not blank_screen.isVisible()


def test_the_mouse_is_hidden_when_it_rests_and_comes_back_when_it_moves(window, qtbot, monkeypatch):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    position = [window.geometry().center()]
    monkeypatch.setattr(QCursor, "pos", lambda: position[0])
    idle_cursor = IdleCursor(window)
    idle_cursor.start()
    for _ in range(14):
        idle_cursor.look()
    was_hidden = idle_cursor.is_hidden
    idle_cursor.look()
    idle_cursor.look()
    assert (was_hidden, idle_cursor.is_hidden) == (False, True)
    cursor = QApplication.overrideCursor()
    assert cursor is not None
    assert cursor.shape() == Qt.CursorShape.BlankCursor
    position[0] = position[0] + QPoint(1, 0)
    idle_cursor.look()
    assert QApplication.overrideCursor() is None
    position[0] = QPoint(-500, -500)
    for _ in range(40):
        idle_cursor.look()
    assert not idle_cursor.is_hidden, "the mouse is elsewhere"
    idle_cursor.stop()
    assert QApplication.overrideCursor() is None
