"""The audience's window, and how it follows a run."""

import random
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QTableView

from gpviz.app.canvas.node_shapes import LABEL_SIZE
from gpviz.app.lecture.audience_view import AudienceView
from gpviz.app.lecture.audience_window import AudienceWindow, BlankKind
from gpviz.app.lecture.lecture_keys import LectureCommand
from gpviz.app.lecture.spotlight import PointerKind
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.player.player import Player
from gpviz.app.theme import load_theme, palette_of, style_sheet
from gpviz.engine import RunConfig, parse
from gpviz.explain.moment import moment_at
from gpviz.explain.step_text import tell
from gpviz.lecture.lecture import PANELS, Scene
from gpviz.page_list import scene_pages
from gpviz.runs.history import History
from gpviz.runs.pause_rules import PauseRules
from tests.app.lecture.lectures import CONFIG, STUCK, STUCK_TREE, TEXT, ready

KEY = Qt.Key


@pytest.fixture
def window(qtbot):
    made = AudienceWindow(is_lecture=True, is_motion_reduced=True)
    qtbot.addWidget(made)
    made.resize(1024, 768)
    made.show()
    yield made
    made.shut_down()


@pytest.fixture
def controller(qapp):
    made = Player.for_run(CONFIG)
    yield made
    made.close()


@pytest.fixture
def follower(controller, window):
    made = AudienceView(controller, window, QuizController(controller, None, window))
    yield made
    made.close()


def adopt(controller: Player, config=CONFIG, iterations=40, start="", cursor=None) -> None:
    (branch,) = ready(config, iterations, start)
    recorded = branch.recorded
    controller.adopt_run(
        branch.search, recorded.history, recorded.generalisation, recorded.stuck_since, cursor=cursor
    )


def test_the_tree_has_most_of_the_window(window):
    assert window.stage.height() > 0.8 * window.height()
    assert window.stage.width() > 0.97 * window.width()


@pytest.mark.parametrize("size", [(1024, 768), (1280, 720), (1920, 1080)])
def test_type_and_nodes_grow_with_the_window(window, size):
    window.resize(*size)
    window.show_caption("A short sentence.", "t = 5")
    assert window.caption.type_pixels >= size[1] / 768 * 24
    assert window.theme.name == "projector"
    assert window.blank_screen.size() == window.spotlight.size() == window.size()


def test_each_panel_can_be_shown_and_hidden(window):
    shown = {
        "caption": window.caption,
        "curves": window.curves,
        "timeline": window.timeline,
        "legend": window.stage._legend,
    }
    window.show_scene(Scene(title="a", panels=()))
    for name in shown:
        assert not shown[name].isVisible()
        window.toggle_panel(name)
        assert shown[name].isVisible()
        assert name in window.panels
    assert window.panels == tuple(shown)
    for name in shown:
        window.toggle_panel(name)
        assert not shown[name].isVisible()


def test_there_are_no_buttons_to_be_seen(window, follower, controller, qtbot):
    adopt(controller, STUCK, 6, STUCK_TREE)
    window.show_scene(Scene(title="a", panels=PANELS))
    for name in (info.name for info in scene_pages()):
        window.show_scene(Scene(title="a", panels=PANELS, page=name))
        qtbot.waitUntil(lambda: not getattr(window.page, "is_busy", False))
        for button in (*window.findChildren(QAbstractButton), *window.findChildren(QComboBox)):
            assert button.visibleRegion().isEmpty(), f"{button} on {name}"


def test_the_bar_of_verdicts_is_seen(window, follower, controller, qtbot):
    adopt(controller)
    window.show_scene(Scene(title="a", panels=PANELS, page="neighbours"))
    qtbot.waitUntil(lambda: window.page.odds is not None)
    parts = window.page.bar.parts.values()
    qtbot.waitUntil(lambda: any(not part.visibleRegion().isEmpty() for part in parts))


def test_keys_become_commands(window):
    commands: list[LectureCommand] = []
    window.command_given.connect(commands.append)
    for key in (KEY.Key_PageDown, KEY.Key_B, KEY.Key_Tab, KEY.Key_Space, KEY.Key_Z, KEY.Key_Escape):
        QTest.keyClick(window, key)
    assert commands == [
        LectureCommand.NEXT,
        LectureCommand.BLACK,
        LectureCommand.PRESENTER,
        LectureCommand.NEXT,
        LectureCommand.LEAVE,
    ]


def test_no_part_of_the_window_takes_the_keys_away(window, follower, controller):
    adopt(controller)
    for name in (info.name for info in scene_pages()):
        window.show_scene(Scene(title="a", panels=PANELS, page=name))
        QTest.mouseClick(window.page, Qt.MouseButton.LeftButton)
        QTest.mouseClick(window.stage.canvas, Qt.MouseButton.LeftButton)
        assert window.focusWidget() in (None, window)


def test_a_text_stands_beside_the_tree_or_instead_of_it(window, qtbot):
    window.show_scene(Scene(title="a", text=TEXT))
    assert window.stage.isVisible()
    assert window.text.isVisible()
    qtbot.waitUntil(lambda: 300 < window.text.width() < window.stage.width())
    window.show_scene(Scene(title="a", text=TEXT, has_tree=False))
    assert not window.stage.isVisible()
    qtbot.waitUntil(lambda: window.text.width() > 0.97 * window.width())
    assert not window.caption.isVisible()
    window.show_scene(Scene(title="a"))
    assert not window.text.isVisible()


def test_a_page_without_tree_and_text_has_the_whole_window(window, follower, controller, qtbot):
    adopt(controller)
    window.show_scene(Scene(title="a", has_tree=False, page="rows", panels=()))
    qtbot.waitUntil(lambda: window.page.height() > 0.9 * window.height())
    window.show_scene(Scene(title="a", page="rows"))
    qtbot.waitUntil(lambda: 0.3 < window.page.height() / window.height() < 0.5)


def test_on_a_wide_screen_the_curves_stand_beside_the_tree(window, follower, controller, qtbot):
    adopt(controller)
    window.toggle_panel("curves")
    qtbot.waitUntil(lambda: window.stage.height() < 0.6 * window.height())
    assert window.curves.width() > 0.9 * window.width()
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: window.stage.height() > 0.8 * window.height())
    qtbot.waitUntil(lambda: window.curves.x() > 0 < window.curves.width())
    assert window.curves.isVisible()
    assert window.curves.x() > window.stage.width() > window.curves.width() > 300


def test_the_pages_can_be_gone_round(window, follower, controller):
    adopt(controller)
    window.toggle_page()
    assert window.page_name == "inside"
    seen = []
    for _ in range(6):
        window.next_page()
        seen.append(window.page_name)
    assert seen == ["neighbours", "proof", "outlook", "rows", "inside", "neighbours"]
    window.toggle_page()
    assert (window.page_name, window.page) == ("", None)
    window.next_page()
    assert window.page_name == "neighbours"
    assert window.page.isVisible()


def test_pages_have_the_colours_of_the_hall_and_not_those_of_a_dark_program(qapp, qtbot, controller):
    dark = load_theme("dark")
    qapp.setPalette(palette_of(dark))
    qapp.setStyleSheet(style_sheet(dark))
    window = AudienceWindow(is_lecture=True, is_motion_reduced=True)
    qtbot.addWidget(window)
    window.show()
    follower = AudienceView(controller, window, QuizController(controller, None, window))
    adopt(controller)
    for name in ("neighbours", "proof", "inside"):
        window.show_scene(Scene(title="a", page=name))
        assert window.page is not None
        for part in window.page.findChildren(QLabel) + window.page.findChildren(QTableView):
            for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.AlternateBase):
                assert part.palette().color(role) != palette_of(dark).color(role)
    follower.close()
    window.shut_down()


def test_the_words_of_a_page_are_as_large_as_its_theme_says(window, follower, controller):
    adopt(controller, STUCK, 6, STUCK_TREE)
    window.show_scene(Scene(title="a", page="proof"))
    before = window.page.argument.font().pointSizeF()
    window.change_type(2)
    assert window.page.argument.font().pointSizeF() > before


def test_type_and_theme_can_be_changed(window):
    before = window.theme
    window.change_type(1)
    assert window.theme.font_size > before.font_size
    for _ in range(40):
        window.change_type(-1)
    small = window.theme.font_size
    assert 0.3 * before.font_size < small < before.font_size
    names = []
    for _ in range(4):
        window.choose_next_theme()
        names.append(window.theme.name)
    assert names == ["dark", "light", "contrast", "projector"]


def test_the_blank_screen_and_the_pointer_cover_everything(window):
    window.cover(BlankKind.BLACK)
    picture = window.grab().toImage()
    assert {QColor(picture.pixel(x, y)).lightness() for x in range(0, 1024, 9) for y in range(0, 768, 7)} == {
        0
    }
    window.cover(BlankKind.OPEN)
    window.toggle_pointing(PointerKind.SPOTLIGHT)
    assert QColor(window.grab().toImage().pixel(5, 760)).lightness() < 90
    window.toggle_pointing(PointerKind.SPOTLIGHT)
    assert QColor(window.grab().toImage().pixel(5, 760)).lightness() > 200


def test_it_can_be_full_screen_or_a_window(window):
    window.place_on(None)
    assert window.isFullScreen()
    assert window.geometry() == window.screen().geometry()
    window.place_on(window.screen(), is_full=False)
    assert not window.isFullScreen()
    assert window.width() < window.screen().geometry().width()


def test_closing_it_is_told_and_shutting_it_down_twice_does_no_harm(window, qtbot):
    with qtbot.waitSignal(window.closed):
        window.close()
    window.shut_down()
    window.shut_down()


# --- following a run ---


def test_the_step_is_told_in_words_with_its_place_and_verdict(window, follower, controller):
    adopt(controller)
    for iteration in (40, 7, 0):
        controller.go_to(iteration)
        assert window.caption.text == tell(controller.run.history, iteration)
        assert window.caption.position == f"t = {iteration}"


def test_a_still_scene_shows_its_caption_at_once(window, follower, controller):
    adopt(controller)
    follower.set_scene(Scene(title="a", first=3, last=3, caption="Look here."))
    controller.go_to(3)
    assert (window.caption.text, window.caption.position) == ("Look here.", "")
    follower.set_scene(None)
    assert window.caption.text == tell(controller.run.history, 3)


def test_the_caption_of_a_range_waits_for_its_last_iteration(window, follower, controller):
    adopt(controller, cursor=3)
    follower.set_scene(Scene(title="a", first=3, last=5, caption="In iteration 5 it is found."))
    for iteration in (3, 4):
        controller.go_to(iteration)
        assert window.caption.text == tell(controller.run.history, iteration)
        assert window.caption.position == f"t = {iteration}"
    controller.go_to(5)
    assert (window.caption.text, window.caption.position) == ("In iteration 5 it is found.", "t = 5")
    assert window.caption.verdict is controller.run.history.step_at(5).verdict
    controller.go_to(4)
    assert window.caption.text == tell(controller.run.history, 4)


def test_the_curves_of_a_range_alone_do_not_tell_its_end_either(window, follower, controller):
    adopt(controller, cursor=3)
    scene = Scene(title="a", first=3, last=5, has_tree=False, panels=("caption", "curves"), caption="Found.")
    window.show_scene(scene)
    follower.set_scene(scene)
    assert window.caption.text == tell(controller.run.history, 3)
    controller.go_to(5)
    assert (window.caption.text, window.caption.position) == ("Found.", "")
    follower.set_scene(replace(scene, caption=""))
    assert window.caption.text == ""
    assert not window.caption.isVisible()


def test_words_alone_have_their_caption_at_once(window, follower, controller):
    adopt(controller, cursor=3)
    scene = Scene(title="a", last=5, has_tree=False, text="Hello", caption="A table.")
    window.show_scene(scene)
    follower.set_scene(scene)
    assert (window.caption.text, window.caption.position) == ("A table.", "")


def test_a_page_that_needs_little_leaves_the_rest_to_the_tree(window, follower, controller, qtbot):
    adopt(controller)
    window.show_scene(Scene(title="a", first=40, last=40, page="rows"))
    follower.show_all()
    most = window.page.height()
    window.show_scene(Scene(title="a", first=40, last=40, page="proof"))
    follower.show_all()
    qtbot.waitUntil(lambda: window.page.sizeHint().height() <= window.page.height() < 0.8 * most)
    height = window.page.height()
    for iteration in range(40):
        controller.go_to(iteration)
        assert window.page.height() >= height  # the tree does not hop up and down
        height = window.page.height()
    assert height <= most


def test_on_a_high_screen_a_page_takes_the_place_of_the_curves(window, follower, controller):
    adopt(controller)
    window.show_scene(Scene(title="a", panels=("curves",), page="rows"))
    assert not window.curves.isVisible()
    window.toggle_page()
    assert window.curves.isVisible()
    window.toggle_page()
    assert not window.curves.isVisible()
    window.resize(1280, 720)
    assert window.curves.isVisible()


def test_the_type_on_the_tree_does_not_grow_until_it_covers_the_tree(window):
    usual = window.theme.font_size
    window.change_type(6)
    assert window.theme.font_size > 1.9 * usual
    assert window.stage.theme.font_size < 1.5 * usual


def test_a_scene_begins_with_a_low_caption_again(window):
    window.change_type(6)
    low = window.caption.height()
    window.show_caption("words " * 30)
    assert window.caption.height() > 1.5 * low
    window.show_caption("Short.")
    assert window.caption.height() > 1.5 * low
    window.show_scene(Scene(title="a"))
    assert window.caption.height() == low


def test_a_fast_run_tells_where_it_is(window, follower, controller, qtbot):
    adopt(controller, iterations=3000, cursor=0)
    window.show_scene(Scene(title="a", panels=PANELS, page="rows"))
    controller.set_rules(PauseRules(stuck=False, solved=False))  # it plays on until it is paused below
    controller.set_speed(400.0)
    controller.play()
    qtbot.waitUntil(lambda: window.caption.text.startswith("t = ") and controller.cursor > 5)
    controller.pause()
    assert window.caption.text == tell(controller.run.history, controller.cursor)


def test_a_live_run_is_followed_as_it_grows(window, follower, controller, qtbot):
    follower.show_all()
    window.toggle_panel("timeline")
    controller.step_forward()
    qtbot.waitUntil(lambda: controller.cursor == 1)
    assert window.caption.position == "t = 1"
    assert window.stage.canvas.picture.iteration == 1


def test_a_panel_that_is_shown_later_shows_the_run_too(window, follower, controller, qtbot):
    adopt(controller, RunConfig(n=6, fitness="sampled", rows=12, seed=3), 50, cursor=20)
    for name in ("curves", "timeline"):
        window.toggle_panel(name)
    window.toggle_page()
    curves = window.curves.view
    qtbot.waitUntil(lambda: curves.visible_range[1] >= 50)
    assert window.timeline._cursor == 20
    assert window.page.phases
    curves.iteration_chosen.emit(4)
    assert controller.cursor == 20


def test_a_stuck_tree_gets_its_frame(window, follower, controller, qtbot):
    adopt(controller, STUCK, 6, STUCK_TREE)
    qtbot.waitUntil(lambda: window.stage.is_framed)
    picture = window.grab().toImage()
    stuck = QColor(load_theme("projector").colours.stuck).rgb()
    assert sum(picture.pixel(x, y) == stuck for x in range(1024) for y in range(0, 768, 4)) > 500


def test_once_closed_nothing_is_followed(window, controller):
    follower = AudienceView(controller, window, QuizController(controller, None, window))
    adopt(controller)
    follower.close()
    follower.close()
    words = window.caption.text
    controller.go_to(3)
    assert window.caption.text == words
    assert window.stage.canvas.picture.iteration == 40
    follower.deleteLater()


def test_reduced_motion_jumps(window, follower, controller):
    adopt(controller, cursor=20)
    window.set_reduced_motion(True)
    controller.go_to(30)
    assert not window.stage.canvas.is_moving


# --- labels that are read from the last row ---

_LEAST_LABEL = 24.0


def balanced(leaves: int) -> str:
    if leaves == 1:
        return "x1"
    return f"({balanced(leaves // 2)} & {balanced(leaves - leaves // 2)})"


def grown(leaves: int, rng: random.Random) -> str:
    if leaves == 1:
        return f"x{rng.randint(1, 8)}"
    left = rng.randint(leaves // 4 or 1, leaves - (leaves // 4 or 1))
    return f"({grown(left, rng)} | {grown(leaves - left, rng)})"


@pytest.mark.parametrize("panels", [(), ("curves",), ("curves", "timeline")], ids=str)
def test_with_any_page_on_show_labels_of_trees_with_31_nodes_are_large(window, qtbot, panels):
    window.resize(1920, 1080)
    for name in panels:
        window.toggle_panel(name)
    rng = random.Random(1)
    trees = [parse(balanced(16)), *(parse(grown(16, rng)) for _ in range(3))]
    canvas = window.stage.canvas
    for info in scene_pages():
        window._set_page(info.name)
        window._show_parts()
        qtbot.waitUntil(lambda: 1100 < window.stage.width() < 1200)
        for tree in trees:
            history = History(RunConfig(n=8, seed=1), tree)
            window.stage.show_picture(moment_at(history, 0))
            qtbot.waitUntil(lambda: not canvas.is_layout_pending and not canvas.is_moving)
            assert tree is not None
            assert tree.size == 31
            assert LABEL_SIZE * canvas._animator.camera.scale >= _LEAST_LABEL


def test_on_a_wide_screen_a_page_stands_beside_the_tree_with_the_curves_below_the_page(window, qtbot):
    window.resize(1280, 720)
    window.toggle_panel("curves")
    window.toggle_page()
    qtbot.waitUntil(lambda: window.page.width() < 0.45 * window.width())
    assert window.is_page_beside
    page, curves, stage = (
        QRect(part.mapTo(window, QPoint()), part.size())
        for part in (window.page, window.curves, window.stage)
    )
    assert stage.right() < page.left()
    assert stage.right() < curves.left()
    assert page.bottom() < curves.top()
    assert stage.height() > 0.8 * window.height()
    window.resize(1024, 768)
    qtbot.waitUntil(lambda: window.page.mapTo(window, QPoint()).y() > window.stage.height())
    assert not window.is_page_beside


def test_the_state_of_the_tree_is_told_in_larger_type_than_the_tags_on_it(window):
    assert window.stage._banner_scale > 1.2


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=str)
def test_a_proof_beside_the_tree_is_complete_without_scrolling(window, follower, controller, qtbot, size):
    window.resize(*size)
    adopt(controller, STUCK, 6, STUCK_TREE)
    window._set_page("proof")
    window._show_parts()
    page = window.page
    qtbot.waitUntil(lambda: page.proof is not None and window.stage.is_framed)
    for area in (page.argument, page.table):
        qtbot.waitUntil(lambda area=area: area.verticalScrollBar().maximum() == 0)
    assert page.table.horizontalHeader().length() <= page.table.viewport().width() + 1
    assert page.argument.fontMetrics().height() > 0.02 * window.height()


def test_a_scene_shows_theory_in_its_curves_and_so_does_the_speaker(window):
    def is_shown() -> bool:
        return window.curves.view._theory_button.isChecked()

    window.show_scene(Scene(title="a", panels=("curves", "theory")))
    assert is_shown()
    window.show_scene(Scene(title="b", panels=("curves",)))
    assert not is_shown()
    window.toggle_panel("theory")
    assert is_shown()
    window.show_scene(Scene(title="b", panels=("curves",)))
    window.set_theory_shown(True)
    assert is_shown()
    window.show_scene(Scene(title="c", panels=("curves",)))
    assert is_shown()


@pytest.mark.parametrize(
    ("key", "is_kept"), [("B", True), ("Space", True), ("Right", True), ("F6", False), ("Z", False)]
)
def test_its_keys_are_not_those_of_the_menus_that_macos_shows_above_every_window(window, key, is_kept):
    combination = QKeySequence(key)[0]  # type: ignore[index]
    asked = QKeyEvent(QEvent.Type.ShortcutOverride, combination.key(), combination.keyboardModifiers())
    asked.ignore()
    QApplication.sendEvent(window, asked)
    assert asked.isAccepted() is is_kept
