"""The main window in its panes: wide and narrow, filled, shared otherwise, with folded settings, by keyboard."""

from collections.abc import Iterator
from itertools import product

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QToolBar, QWidget

from gpviz.app.main_window import MainWindow
from gpviz.app.pane_sizes import Arrangement, Pane
from gpviz.app.preferences import Preferences
from gpviz.app.theme_manager import ThemeManager
from gpviz.engine import Node, RlsGp, RunConfig, parse
from gpviz.page_list import CURVES, PAGES
from gpviz.picture.drawing import LABEL
from tests.app.main_windows import let_go, press

WIDE, NARROW = (1920, 1080), (1200, 720)
SIZES = ((1280, 720), (1366, 768), WIDE)
START = "x1 & (x2 | x3)"


def open_window(size: tuple[int, int], *, is_dressed: bool = False, type_size: int = 10) -> MainWindow:
    """A window of this size, without the settings."""
    preferences = Preferences()
    preferences.set_flag("hint_seen", True)
    preferences.font_size = type_size
    theme_manager = ThemeManager(preferences, "light")
    if is_dressed:
        theme_manager.apply()
    made = MainWindow(preferences, theme_manager)
    made.setWindowState(Qt.WindowState.WindowNoState)
    made.resize(*size)
    made.show()
    made.actions_by_name["setup_panel"].setChecked(False)
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
def narrow(qtbot) -> Iterator[MainWindow]:
    window = open_window(NARROW)
    qtbot.waitUntil(lambda: window.windowHandle().isExposed())
    yield window
    let_go(window)


def place_of(window: MainWindow, widget: QWidget) -> tuple[int, int, int, int]:
    """Left, top, right and bottom in the window."""
    corner = widget.mapTo(window, QPoint(0, 0))
    return corner.x(), corner.y(), corner.x() + widget.width(), corner.y() + widget.height()


def toolbar_of(window: MainWindow) -> QToolBar:
    bar = window.findChild(QToolBar)
    assert bar is not None
    return bar


def drag(window: MainWindow, pane: Pane, by: QPoint) -> None:
    """Drag a grip as a person does."""
    grip = window.views.panes.grips[pane]
    start = QPointF(grip.mapToGlobal(grip.rect().center()))
    for kind, place, button in (
        (QEvent.Type.MouseButtonPress, start, Qt.MouseButton.LeftButton),
        (QEvent.Type.MouseMove, start + QPointF(by), Qt.MouseButton.NoButton),
        (QEvent.Type.MouseButtonRelease, start + QPointF(by), Qt.MouseButton.LeftButton),
    ):
        held = Qt.MouseButton.LeftButton
        event = QMouseEvent(
            kind, grip.mapFromGlobal(place), place, button, held, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(grip, event)


class TestArrangement:
    def test_in_a_wide_window_words_and_page_stand_beside_the_tree(self, wide):
        views = wide.views
        _, tree_top, tree_right, tree_bottom = place_of(wide, views.canvas)
        words_left, words_top, _, words_bottom = place_of(wide, views.step_panel)
        page_left, page_top, _, page_bottom = place_of(wide, views.drawer)
        assert tree_right < min(words_left, page_left)
        assert tree_top <= words_top < words_bottom < page_top < page_bottom
        assert tree_bottom - tree_top > 0.6 * wide.height()

    def test_the_error_curve_stays_below_the_tree_whatever_page_is_open(self, wide):
        for info in PAGES:
            wide.show_page(info.name)
            assert wide.views.strip.isVisible()
            assert place_of(wide, wide.views.strip)[1] > place_of(wide, wide.views.canvas)[3]

    def test_in_a_narrow_window_the_page_is_below_the_tree_and_takes_up_to_half_the_height(self, narrow):
        views = narrow.views
        narrow.show_page("proof")
        assert place_of(narrow, views.drawer)[1] > place_of(narrow, views.canvas)[3]
        assert not views.strip.isVisible()
        assert views.step_panel.values["nodes"].isVisible()
        page, tree = views.drawer.height(), views.canvas.height()
        assert 0.8 * tree < page < 1.1 * tree

    def test_the_scale_of_the_error_is_one_for_all_curves(self, wide):
        views = wide.views
        press("L")
        assert [view.view.is_log_scale for view in (views.curves, views.strip)] == [False, False]
        views.strip.view.set_log_scale(True)
        assert views.curves.view.is_log_scale
        assert wide.actions_by_name["log_scale"].isChecked()

    def test_becoming_narrow_and_wide_again_keeps_focus_page_scroll_and_what_is_chosen(self, wide, qtbot):
        views = wide.views
        wide.show_page("neighbours")
        page = views.drawer.page("neighbours")
        qtbot.waitUntil(lambda: page.table.model().rowCount() > 30)
        canvas = views.canvas
        canvas.select(canvas.moment.tree.uid)
        page.table.setFocus()
        page.table.verticalScrollBar().setValue(5)
        for size in (NARROW, WIDE, (1024, 768), WIDE):
            wide.resize(*size)
            QApplication.processEvents()
            assert page.table.hasFocus()
            assert views.drawer.current == "neighbours"
            assert page.table.verticalScrollBar().value() == 5
            assert canvas.selected_uid == canvas.moment.tree.uid
        assert views.panes.arrangement is Arrangement.BESIDE

    def test_panes_hide_and_come_back(self, wide):
        views = wide.views
        for name, view in (
            ("step_panel", views.step_panel),
            ("curves_panel", views.drawer),
            ("strip_panel", views.strip),
            ("setup_panel", views.setup),
        ):
            before = view.isVisible()
            wide.actions_by_name[name].trigger()
            assert view.isVisible() is not before
            wide.actions_by_name[name].trigger()
            assert view.isVisible() is before


class TestRows:
    def is_one_row(self, window: MainWindow) -> bool:
        bar = toolbar_of(window)
        return bar.mapTo(window, QPoint(0, 0)).y() < window.menuBar().height()

    def test_menus_and_toolbar_share_a_row_in_a_wide_window_and_keep_the_focus(self, wide, qtbot):
        bar = toolbar_of(wide)
        button = bar.widgetForAction(wide.actions_by_name["export"])
        qtbot.waitUntil(lambda: self.is_one_row(wide))
        button.setFocus()
        wide.resize(1024, 768)
        qtbot.waitUntil(lambda: not self.is_one_row(wide))
        assert button.isVisible()
        assert button.hasFocus()
        wide.resize(*WIDE)
        qtbot.waitUntil(lambda: self.is_one_row(wide))
        assert button.isVisible()
        assert button.hasFocus()

    @pytest.mark.parametrize("type_size", [10, 18])
    def test_no_menu_and_no_button_is_left_out(self, qtbot, type_size):
        window = open_window(WIDE, is_dressed=True, type_size=type_size)
        bar, menus = toolbar_of(window), window.menuBar()

        def has_all(width: int) -> bool:
            last = menus.actionGeometry(menus.actions()[-1])
            left = bar.mapTo(window, QPoint(0, 0)).x()
            is_seen = all(bar.widgetForAction(action).isVisible() for action in bar.actions())
            is_beside = not self.is_one_row(window) or last.right() < left
            return is_seen and not last.isEmpty() and left + bar.width() <= width and is_beside

        for size in SIZES:
            window.resize(*size)
            qtbot.waitUntil(lambda size=size: has_all(size[0]))
        let_go(window)


class TestFilling:
    def test_a_key_lets_the_page_fill_the_room_and_escape_returns(self, wide):
        views = wide.views
        wide.show_page("rows")
        before = views.drawer.size()
        press("F")
        assert views.drawer.width() > 0.65 * wide.width()
        assert views.drawer.height() > views.canvas.height()
        assert views.canvas.isVisible()
        assert views.canvas.width() < 0.3 * wide.width()
        press("Escape")
        assert views.drawer.size() == before
        assert not wide.actions_by_name["fill_page"].isChecked()

    def test_a_double_click_on_a_tab_does_the_same(self, wide, qtbot):
        tabs = wide.views.drawer.tabs
        for size, is_filled in product([WIDE, NARROW, (1024, 768)], (True, False)):
            wide.resize(*size)
            place = tabs.tabRect(1).center()
            qtbot.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=place)
            qtbot.mouseDClick(tabs, Qt.MouseButton.LeftButton, pos=place)
            assert (wide.views.panes.arrangement is Arrangement.FILLED) is is_filled
            assert wide.views.drawer.current == "inside"
        assert wide.actions_by_name["fill_page"].isChecked() is False

    def test_a_page_that_is_hidden_comes_to_fill_the_room(self, wide):
        wide.actions_by_name["curves_panel"].setChecked(False)
        wide.actions_by_name["fill_page"].setChecked(True)
        assert wide.views.drawer.isVisible()

    def test_the_tree_is_a_thumbnail_only_while_a_page_fills_the_room(self, wide):
        canvas = wide.views.canvas
        for way_out in ("fill_page", "curves_panel"):
            press("F")
            assert canvas.is_thumbnail
            wide.actions_by_name[way_out].setChecked(False)
            assert not canvas.is_thumbnail


class TestSharing:
    def test_a_grip_is_dragged_and_put_back_by_a_double_click(self, wide, qtbot, subtests):
        panes = wide.views.panes
        moves = {Pane.PAGE: QPoint(-90, 0), Pane.WORDS: QPoint(0, 60), Pane.STRIP: QPoint(0, -70)}
        for pane, by in moves.items():
            with subtests.test(pane.name):
                before = panes.size_of(pane)
                drag(wide, pane, by)
                assert panes.size_of(pane) == pytest.approx(before + by.manhattanLength(), abs=2)
                qtbot.mouseDClick(panes.grips[pane], Qt.MouseButton.LeftButton)
                assert panes.size_of(pane) == before

    def test_a_grip_with_the_focus_is_moved_by_the_arrow_keys(self, wide):
        panes = wide.views.panes
        before = panes.size_of(Pane.STRIP)
        panes.grips[Pane.STRIP].setFocus()
        press("Up")
        assert panes.size_of(Pane.STRIP) > before
        press("Home")
        assert panes.size_of(Pane.STRIP) == before
        assert wide.player.cursor == 0
        assert wide.phases.current is None

    def test_keys_make_the_page_larger_and_smaller(self, wide):
        panes = wide.views.panes
        before = panes.size_of(Pane.PAGE)
        press("Alt++")
        larger = panes.size_of(Pane.PAGE)
        assert larger > before
        press("Alt+-")
        assert panes.size_of(Pane.PAGE) == pytest.approx(before, abs=2)
        for _ in range(40):
            press("Alt++")
        most = panes.size_of(Pane.PAGE)
        assert wide.views.canvas.width() >= wide.views.canvas.minimumSizeHint().width()
        press("Alt+-")
        assert panes.size_of(Pane.PAGE) < most

    def test_every_page_has_its_own_share_in_every_arrangement(self, wide):
        panes = wide.views.panes
        usual = panes.size_of(Pane.PAGE)
        wide.show_page("rows")
        press("Alt++")
        rows = panes.size_of(Pane.PAGE)
        wide.show_page("proof")
        assert panes.size_of(Pane.PAGE) == usual
        wide.resize(*NARROW)
        wide.show_page("rows")
        below = panes.size_of(Pane.PAGE)
        press("Alt+-")
        assert panes.size_of(Pane.PAGE) < below
        wide.resize(*WIDE)
        assert panes.size_of(Pane.PAGE) == rows

    def test_how_the_room_is_shared_is_remembered(self, wide):
        wide.show_page("rows")
        press("Alt++")
        wide.views.step_panel.numbers_button.setChecked(True)
        wide.views.setup.more_button.setChecked(True)
        expected = wide.views.panes.size_of(Pane.PAGE)
        wide._store()
        other = open_window(WIDE)
        try:
            other.show_page("rows")
            assert other.views.panes.size_of(Pane.PAGE) == pytest.approx(expected, abs=1)
            assert other.views.step_panel.numbers_button.isChecked()
            assert other.views.setup.more_button.isChecked()
            other.show_page(CURVES)
            assert other.views.panes.size_of(Pane.PAGE) < expected
        finally:
            let_go(other)


class TestSettings:
    @pytest.fixture
    def window(self, wide):
        wide.actions_by_name["setup_panel"].setChecked(True)
        return wide

    def step(self, window, qtbot):
        before = window.player.cursor
        window.player.step_forward()
        qtbot.waitUntil(lambda: window.player.cursor == before + 1)

    def test_they_fold_away_when_a_run_starts_and_a_handle_brings_them_back(self, window, qtbot):
        views = window.views
        assert not views.handle.isVisible()
        self.step(window, qtbot)
        assert not views.setup.isVisible()
        assert views.handle.isVisible()
        assert not window.actions_by_name["setup_panel"].isChecked()
        qtbot.mouseClick(views.handle, Qt.MouseButton.LeftButton)
        assert views.setup.isVisible()
        self.step(window, qtbot)
        assert views.setup.isVisible(), "whoever opens them keeps them open"

    def test_the_next_run_folds_them_again(self, window, qtbot):
        self.step(window, qtbot)
        window.actions_by_name["setup_panel"].setChecked(True)
        press("Ctrl+R")
        assert window.views.setup.isVisible()
        self.step(window, qtbot)
        assert not window.views.setup.isVisible()

    def test_that_can_be_switched_off(self, window, qtbot):
        window.actions_by_name["fold_settings"].setChecked(False)
        self.step(window, qtbot)
        assert window.views.setup.isVisible()

    def test_new_run_and_restart_stay_a_key_away(self, window, qtbot):
        self.step(window, qtbot)
        press("Ctrl+N")
        assert (window.player.run.config.seed, window.player.cursor) == (6, 0)
        self.step(window, qtbot)
        press("Ctrl+R")
        assert (window.player.run.config.seed, window.player.cursor) == (6, 0)

    def test_the_keyboard_goes_back_to_the_tree(self, window, qtbot):
        window.views.setup.fields["n"].setFocus()
        self.step(window, qtbot)
        assert window.views.canvas.hasFocus()

    @pytest.mark.parametrize("by_hand", [False, True])
    def test_the_next_start_shows_them_unless_somebody_has_hidden_them(self, window, qtbot, by_hand):
        self.step(window, qtbot)
        if by_hand:
            window.actions_by_name["setup_panel"].trigger()
            window.actions_by_name["setup_panel"].trigger()
        window._store()
        assert Preferences().flag("setup_panel", not by_hand) is not by_hand


def test_the_title_says_target_limit_deletion_and_seed(wide, tmp_path):
    wide.player.start_run(RunConfig(n=8, limit="n+1", deletion="leaf", seed=69285))
    assert wide.windowTitle() == "AND₈ · limit n+1 = 9 leaves · leaf deletion · seed 69285[*] – gpviz"
    assert wide.file_controller._save_to(tmp_path / "mine.gpviz")
    assert wide.windowTitle().startswith("mine.gpviz[*] · AND₈ · limit n+1 = 9 leaves · leaf")


class TestKeyboard:
    def test_f6_goes_round_the_panes_and_back(self, wide):
        views = wide.views
        wide.show_page("find")
        views.canvas.setFocus()
        seen = []
        for _ in range(5):
            press("F6")
            seen.append(QApplication.focusWidget())
        assert views.canvas.hasFocus()
        _, page, time, handle, tree = seen
        assert views.drawer.isAncestorOf(page)
        assert views.time_card.isAncestorOf(time)
        assert handle is views.handle
        assert views.canvas.isAncestorOf(tree)
        press("Shift+F6")
        assert QApplication.focusWidget() is views.handle
        press("Shift+F6")
        press("Shift+F6")
        assert isinstance(QApplication.focusWidget(), QLineEdit)  # the page, and not its tab

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
        ("size", "small", "large"), [((1920, 1080), 26, 13), ((1366, 768), 14, 7)], ids=["1080", "768"]
    )
    def test_with_a_page_open_labels_are_large_enough_to_read(self, qtbot, size, small, large):
        """A tree of 31 nodes is as deep as most of its size, one of 131 nodes has 17 levels."""
        window = open_window(size, is_dressed=True)
        window.show_page("rows")
        trees = tree_of(16, 31, seed=0), tree_of(64, 131, seed=10)
        found = [label_size(window, tree, qtbot) for tree in trees]
        let_go(window)
        assert found[0] >= small
        assert found[1] >= large
