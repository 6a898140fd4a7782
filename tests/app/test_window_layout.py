"""The main window: how much of it the stage has, the drawer beside or over it, and edges that can be moved."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QApplication, QWidget

from gpviz.app.main_window import MainWindow
from gpviz.app.preferences import Preferences
from gpviz.app.theme_manager import ThemeManager
from gpviz.app.widgets.edge import Edge
from gpviz.engine import Node, RlsGp, RunConfig, parse
from gpviz.page_list import PAGES
from gpviz.picture.drawing import LABEL
from tests.app.main_windows import let_go, press

WIDE, SMALL, LEAST = (1920, 1080), (1280, 720), (1024, 600)
START = "x1 & (x2 | x3)"


def open_window(size: tuple[int, int], *, is_themed: bool = False, type_size: int = 10) -> MainWindow:
    """A window of this size, with the drawer closed."""
    preferences = Preferences()
    preferences.set_flag("hint_seen", True)
    preferences.font_size = type_size
    theme_manager = ThemeManager(preferences, "light")
    if is_themed:
        theme_manager.apply()
    made = MainWindow(preferences, theme_manager)
    made.setWindowState(Qt.WindowState.WindowNoState)
    made.resize(*size)
    made.show()
    made.activateWindow()
    made.views.canvas.setFocus()
    return made


@pytest.fixture
def wide(qtbot) -> Iterator[MainWindow]:
    window = open_window(WIDE)
    window.player.start_run(RunConfig(n=4, limit="8", seed=5), parse(START, 4))
    qtbot.waitUntil(lambda: window.windowHandle().isExposed())
    yield window
    let_go(window)


@pytest.fixture
def small(qtbot) -> Iterator[MainWindow]:
    window = open_window(SMALL, is_themed=True)
    qtbot.waitUntil(lambda: window.windowHandle().isExposed())
    yield window
    let_go(window)


def place_of(window: MainWindow, widget: QWidget) -> tuple[int, int, int, int]:
    """Left, top, right and bottom in the window."""
    corner = widget.mapTo(window, QPoint(0, 0))
    return corner.x(), corner.y(), corner.x() + widget.width(), corner.y() + widget.height()


def share_of(window: MainWindow, widget: QWidget) -> float:
    """Which share of the window a part of it has."""
    return widget.width() * widget.height() / (window.width() * window.height())


def drag(edge: Edge, by: QPoint) -> None:
    """Drag an edge as a person does."""
    start = QPointF(edge.mapToGlobal(edge.rect().center()))
    for kind, place, button in (
        (QEvent.Type.MouseButtonPress, start, Qt.MouseButton.LeftButton),
        (QEvent.Type.MouseMove, start + QPointF(by), Qt.MouseButton.NoButton),
        (QEvent.Type.MouseButtonRelease, start + QPointF(by), Qt.MouseButton.LeftButton),
    ):
        held = Qt.MouseButton.LeftButton
        event = QMouseEvent(
            kind, edge.mapFromGlobal(place), place, button, held, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(edge, event)


class TestStage:
    def test_it_has_most_of_the_window_and_more_of_a_larger_one(self, small):
        at_first = share_of(small, small.views.canvas)
        assert at_first >= 0.55
        small.resize(*WIDE)
        assert share_of(small, small.views.canvas) > at_first

    def test_seven_controls_stand_around_it(self, small):
        kinds = (QAbstractButton, QAbstractSlider)
        names = [
            control.accessibleName()
            for control in small.views.findChildren(QWidget)
            if isinstance(control, kinds) and control.isVisible() and control.focusPolicy()
        ]
        strip = small.views.strip
        around = [
            control
            for control in small.views.findChildren(QWidget)
            if isinstance(control, kinds)
            and control.isVisible()
            and control.focusPolicy()
            and control is not strip
            and not strip.isAncestorOf(control)
        ]
        assert len(around) == 7, names

    def test_the_window_fits_a_small_screen_in_large_type(self, qtbot):
        window = open_window(LEAST, is_themed=True, type_size=13)
        window.resize(*LEAST)
        assert (window.width(), window.height()) == LEAST
        let_go(window)


class TestDrawer:
    def test_it_is_closed_at_first_and_a_key_opens_and_closes_it(self, small):
        views = small.views
        assert not views.drawer.isVisible()
        press("F4")
        assert views.drawer.isVisible()
        press("F4")
        assert not views.drawer.isVisible()

    def test_escape_closes_it_after_what_fills_the_window(self, small):
        small.show_page("rows")
        press("F")
        assert not small.views.canvas.isVisible()
        press("Escape")
        assert small.views.drawer.isVisible()
        assert small.views.canvas.isVisible()
        press("Escape")
        assert not small.views.drawer.isVisible()

    def test_it_stands_beside_stage_and_time_with_nearly_half_of_the_width(self, small):
        press("F4")
        views = small.views
        left, top, right, bottom = place_of(small, views.drawer)
        assert 0.42 < (right - left) / small.width() < 0.46
        _, stage_top, stage_right, _ = place_of(small, views.canvas)
        _, _, strip_right, strip_bottom = place_of(small, views.strip)
        assert max(stage_right, strip_right) < left
        assert abs(top - stage_top) < 15
        assert bottom > strip_bottom

    def test_in_a_narrow_window_it_covers_the_stage_and_time_stays(self, small):
        small.resize(*LEAST)
        small.views.widen_drawer(-1)
        press("F4")
        QApplication.processEvents()
        views = small.views
        is_beside = views.canvas.isVisible()
        assert views.strip.isVisible()
        assert views.transport.isVisible()
        if not is_beside:
            assert views.drawer.width() > 0.9 * small.width()

    def test_it_fills_the_window_but_for_time_and_transport(self, wide):
        wide.show_page("rows")
        press("F")
        views = wide.views
        assert views.drawer.width() > 0.95 * wide.width()
        assert views.strip.isVisible()
        assert place_of(wide, views.strip)[1] >= place_of(wide, views.drawer)[3]
        assert views.transport.isVisible()

    def test_the_keyboard_goes_from_the_covered_tree_to_the_page_and_space_still_plays(self, wide, qtbot):
        views = wide.views
        press("F4")
        views.canvas.setFocus()
        press("F")
        assert views.drawer.isAncestorOf(QApplication.focusWidget())
        cursor = wide.player.cursor
        press("Space")
        qtbot.waitUntil(lambda: wide.player.cursor > cursor)
        wide.player.pause()

    def test_over_a_covered_tree_the_keyboard_is_never_nowhere(self, wide):
        """Else a window that becomes active again gives it to its first button, which Space then presses."""
        press("F4")
        press("F")
        wide.views.drawer.tabs.setFocus()
        wide.views.drawer.tabs.clearFocus()
        assert wide.views.drawer.isAncestorOf(QApplication.focusWidget())

    def test_a_double_click_on_a_tab_does_the_same(self, wide, qtbot):
        press("F4")
        tabs = wide.views.drawer.tabs
        for is_filled in (True, False):
            place = tabs.tabRect(1).center()
            qtbot.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=place)
            qtbot.mouseDClick(tabs, Qt.MouseButton.LeftButton, pos=place)
            assert wide.actions_by_name["fill_page"].isChecked() is is_filled
            assert wide.views.canvas.isVisible() is not is_filled

    def test_closing_it_ends_the_filling(self, wide):
        press("F4")
        press("F")
        press("F4")
        assert wide.views.canvas.isVisible()
        assert not wide.actions_by_name["fill_page"].isChecked()

    def test_the_error_curve_stays_in_sight_whatever_page_is_open(self, wide):
        for info in PAGES:
            wide.show_page(info.name)
            assert wide.views.strip.isVisible()
            assert place_of(wide, wide.views.strip)[1] > place_of(wide, wide.views.canvas)[3]

    def test_the_page_last_used_comes_back(self, wide):
        wide.show_page("rows")
        wide._store()
        other = open_window(WIDE)
        other.actions_by_name["look_closer"].setChecked(True)
        assert other.views.drawer.current == "rows"
        let_go(other)


class TestEdges:
    def test_an_edge_is_dragged_and_put_back_by_a_double_click(self, wide, qtbot):
        press("F4")
        views = wide.views
        for edge, part, by in (
            (views.drawer_edge, views.drawer, QPoint(-90, 0)),
            (views.strip_edge, views.strip, QPoint(0, -70)),
        ):
            size = part.width if by.x() else part.height
            before = size()
            drag(edge, by)
            assert size() == pytest.approx(before + by.manhattanLength(), abs=2)
            qtbot.mouseDClick(edge, Qt.MouseButton.LeftButton)
            assert size() == before

    def test_an_edge_with_the_focus_is_moved_by_the_arrow_keys(self, wide):
        views = wide.views
        before = views.strip.height()
        views.strip_edge.setFocus()
        press("Up")
        assert views.strip.height() > before
        press("Home")
        assert views.strip.height() == before
        assert wide.player.cursor == 0
        assert wide.phases.current is None

    def test_keys_make_the_page_wider_and_narrower(self, wide):
        press("F4")
        drawer = wide.views.drawer
        before = drawer.width()
        press("Alt++")
        assert drawer.width() > before
        press("Alt+-")
        assert drawer.width() == pytest.approx(before, abs=2)
        for _ in range(40):
            press("Alt++")
        most = drawer.width()
        assert wide.views.canvas.isVisible()
        press("Alt+-")
        assert drawer.width() < most

    def test_where_they_are_is_remembered(self, wide):
        press("F4")
        press("Alt++")
        expected = wide.views.drawer.width()
        wide._store()
        other = open_window(WIDE)
        other.actions_by_name["look_closer"].setChecked(True)
        assert other.views.drawer.width() == pytest.approx(expected, abs=1)
        let_go(other)


def test_the_title_says_target_limit_deletion_and_seed(wide, tmp_path):
    wide.player.start_run(RunConfig(n=8, limit="n+1", deletion="leaf", seed=69285))
    assert wide.windowTitle() == "AND₈ · limit n+1 = 9 leaves · leaf deletion · seed 69285[*] – gpviz"
    assert wide.file_controller._save_to(tmp_path / "mine.gpviz")
    assert wide.windowTitle().startswith("mine.gpviz[*] · AND₈ · limit n+1 = 9 leaves · leaf")


class TestKeyboard:
    def test_f6_goes_round_the_parts_and_back(self, wide):
        views = wide.views
        wide.show_page("find")
        views.canvas.setFocus()
        seen = []
        for _ in range(5):
            press("F6")
            seen.append(QApplication.focusWidget())
        assert views.canvas.hasFocus()
        for part in (views.title_line, views.strip, views.transport, views.drawer):
            assert any(part is each or part.isAncestorOf(each) for each in seen), part

    def test_tab_goes_from_the_stage_to_transport_strip_top_and_drawer(self, wide):
        wide.show_page("neighbours")
        views = wide.views
        views.canvas.setFocus()
        parts = (views.canvas, views.transport, views.strip, views.title_line, views.drawer)
        seen: list[QWidget] = []
        for _ in range(60):
            focus = QApplication.focusWidget()
            part = next((each for each in parts if each is focus or each.isAncestorOf(focus)), None)
            if part is not None and part not in seen:
                seen.append(part)
            press("Tab")
        assert tuple(seen) == parts

    def test_the_key_of_a_page_pressed_again_goes_into_it(self, wide):
        press("Alt+3")
        assert wide.views.canvas.hasFocus()
        press("Alt+3")
        page = wide.views.drawer.page("neighbours")
        assert page.isAncestorOf(QApplication.focusWidget())


def tree_of(n: int, nodes: int, seed: int) -> Node:
    """The first tree with so many nodes in a run of n variables."""
    search = RlsGp(RunConfig(n=n, limit=str((nodes + 1) // 2), seed=seed))
    while search.tree is None or search.tree.size != nodes:
        search.step()
    return search.tree


def label_size(window: MainWindow, tree: Node, qtbot) -> float:
    """How large the labels of this tree are, in pixels."""
    window.player.start_run(RunConfig(n=64, limit="inf"), tree)
    qtbot.waitUntil(lambda: window.is_idle)
    picture = window.views.canvas.picture
    assert picture is not None
    return LABEL * picture.scale


class TestLabels:
    @pytest.mark.parametrize(
        ("size", "small", "large"), [((1920, 1080), 23, 11.5), ((1366, 768), 14, 7)], ids=["1080", "768"]
    )
    def test_with_a_page_open_labels_are_large_enough_to_read(self, qtbot, size, small, large):
        """A tree of 31 nodes is as deep as most of its size, one of 131 nodes has 17 levels."""
        window = open_window(size, is_themed=True)
        window.show_page("rows")
        trees = tree_of(16, 31, seed=0), tree_of(64, 131, seed=10)
        found = [label_size(window, tree, qtbot) for tree in trees]
        let_go(window)
        assert found[0] >= small
        assert found[1] >= large
