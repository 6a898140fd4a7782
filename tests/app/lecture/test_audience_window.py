"""The audience's window, and how it follows a run."""

import random
from dataclasses import replace
from itertools import combinations, product

import pytest
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QTableView

from gpviz.app.lecture.audience_view import AudienceView
from gpviz.app.lecture.audience_window import AudienceWindow
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.player.player import Player
from gpviz.app.plots.strip_plot import StripPlot
from gpviz.app.theme import load_theme, palette_of, style_sheet
from gpviz.app.widgets.layouts import WrappingScrollArea
from gpviz.engine import RunConfig, parse
from gpviz.explain.moment import moment_at
from gpviz.explain.step_text import tell
from gpviz.lecture.lecture import PANELS, Scene
from gpviz.page_list import scene_pages
from gpviz.picture.drawing import LABEL
from gpviz.runs.history import History
from gpviz.runs.pause_rules import PauseRules
from tests.app.lecture import lectures
from tests.app.lecture.contents import STATEMENT
from tests.app.lecture.lectures import CONFIG, STUCK, STUCK_TREE, TEXT, ready

KEY = Qt.Key


@pytest.fixture
def follower(player, window):
    made = AudienceView(player, window, QuizController(player, None, window))
    yield made
    made.close()


def adopt(player: Player, config=CONFIG, iterations=40, start="", cursor=None) -> None:
    lectures.adopt(player, ready(config, iterations, start), cursor)


@pytest.mark.parametrize("size", [(1024, 768), (1280, 720)], ids=str)
def test_whatever_a_scene_shows_its_parts_fill_the_window_beside_each_other(window, size):
    window.resize(*size)
    for has_tree, text, content, page, *panels in product(
        (True, False), ("", TEXT), (None, STATEMENT), ("", "rows"), ("", "curves")
    ):
        shown = tuple(filter(None, panels))
        window.show_scene(
            Scene(title="a", has_tree=has_tree, text=text, content=content, page=page, panels=shown)
        )
        parts = {
            window.canvas: has_tree,
            window.text: bool(text),
            window.content: content is not None,
            window.page and window.page.parentWidget(): bool(page),
            window.strip: "curves" in shown,
        }
        boxes = [part.geometry() for part, is_shown in parts.items() if part and is_shown]
        assert [part for part in parts if part and part.isVisible()] == [
            part for part in parts if parts[part]
        ]
        assert not any(one.intersects(other) for one, other in combinations(boxes, 2))
        assert all(window.rect().contains(box) for box in boxes)
        if any(parts.values()):
            assert sum(box.width() * box.height() for box in boxes) > 0.95 * size[0] * size[1]
        if has_tree and size[0] > 1024 and not text and not content:
            least = 0.7 if "curves" in shown else 0.85
            assert window.canvas.height() > least * size[1], "a tree needs height"


def test_there_are_no_buttons_to_be_seen(window, follower, player, qtbot):
    adopt(player, STUCK, 6, STUCK_TREE)
    window.show_scene(Scene(title="a", panels=PANELS))
    for name in (info.name for info in scene_pages()):
        window.show_scene(Scene(title="a", panels=PANELS, page=name))
        qtbot.waitUntil(lambda: not getattr(window.page, "is_busy", False))
        for button in (*window.findChildren(QAbstractButton), *window.findChildren(QComboBox)):
            assert button.visibleRegion().isEmpty(), f"{button} on {name}"


def test_the_bar_of_verdicts_is_seen(window, follower, player, qtbot):
    adopt(player)
    window.show_scene(Scene(title="a", panels=PANELS, page="neighbours"))
    qtbot.waitUntil(lambda: window.page.odds is not None)
    bar = window.page.bar

    def is_seen_whole() -> bool:
        seen = QRectF(bar.visibleRegion().boundingRect()).adjusted(0, 0, 0.01, 0)  # widths are rounded
        return bool(bar.parts()) and all(seen.contains(part.area) for part in bar.parts())

    qtbot.waitUntil(is_seen_whole)


def test_no_part_of_the_window_takes_the_keys_away(window, follower, player):
    adopt(player)
    for name in (info.name for info in scene_pages()):
        window.show_scene(Scene(title="a", panels=PANELS, page=name))
        QTest.mouseClick(window.page, Qt.MouseButton.LeftButton)
        QTest.mouseClick(window.canvas, Qt.MouseButton.LeftButton)
        assert window.focusWidget() in (None, window)


def test_the_pages_can_be_gone_round(window, follower, player):
    adopt(player)
    names = [info.name for info in scene_pages()]
    window.toggle_page()
    seen = [window.page_name]
    for _ in names:
        window.next_page()
        seen.append(window.page_name)
    assert seen == [*names, names[0]]
    window.next_page()
    window.toggle_page()
    assert (window.page_name, window.page) == ("", None)
    window.next_page()
    assert window.page_name == names[1]
    assert window.page.isVisible()


def test_pages_have_the_colours_of_the_hall_and_not_those_of_a_dark_program(qapp, qtbot, player):
    dark = load_theme("dark")
    qapp.setPalette(palette_of(dark))
    qapp.setStyleSheet(style_sheet(dark))
    window = AudienceWindow(is_lecture=True, is_motion_reduced=True)
    qtbot.addWidget(window)
    window.show()
    follower = AudienceView(player, window, QuizController(player, None, window))
    adopt(player)
    for name in ("neighbours", "proof", "inside"):
        window.show_scene(Scene(title="a", page=name))
        assert window.page is not None
        for part in window.page.findChildren(QLabel) + window.page.findChildren(QTableView):
            for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.AlternateBase):
                assert part.palette().color(role) != palette_of(dark).color(role)
    follower.close()
    window.shut_down()


def test_the_words_of_a_page_are_as_large_as_its_theme_says(window, follower, player, qtbot):
    adopt(player, STUCK, 6, STUCK_TREE)
    window.show_scene(Scene(title="a", page="proof"))
    qtbot.waitUntil(lambda: window.page.proof is not None)
    words = [part for part in window.page.findChildren(QLabel) if part.isVisible()]
    assert len(words) > len(window.page.arguments.texts) > 1
    for steps in (2, -4):
        window.change_type(steps)
        usual = window.theme.font().pointSizeF()
        assert all(0.7 * usual < part.font().pointSizeF() < usual for part in words)


# --- following a run ---


AT_3 = Scene(title="a", first=3, last=3, caption="Look here.")
RANGE = replace(AT_3, last=5)
CURVES = replace(RANGE, has_tree=False, panels=("caption", "curves"))


@pytest.mark.parametrize(
    ("scene", "captions"),
    [
        (Scene(title="a", first=3, last=5), {3: None, 4: None, 5: None}),
        (AT_3, {3: ("Look here.", "")}),
        (RANGE, {3: None, 4: None, 5: ("Look here.", "t = 5")}),
        (CURVES, {3: None, 5: ("Look here.", "")}),
        (replace(CURVES, caption=""), {3: ("", "")}),
        (replace(RANGE, has_tree=False, text="Hello"), {3: ("Look here.", "")}),
    ],
    ids=["no caption", "one moment", "range", "curves alone", "curves without caption", "words alone"],
)
def test_a_caption_waits_for_its_iteration_and_until_then_each_step_tells_itself(
    window, follower, player, scene, captions
):
    adopt(player, cursor=3)
    window.show_scene(scene)
    follower.set_scene(scene)
    for iteration, own in (*captions.items(), *reversed(captions.items())):
        player.go_to(iteration)
        step = tell(player.run.history, iteration), f"t = {iteration}"
        assert (window.caption.text, window.caption.position) == (own or step)
        if own is None or own[1]:
            assert window.caption.verdict is player.run.history.step_at(iteration).verdict
        assert window.caption.isVisible() is (own != ("", ""))


def test_a_page_that_needs_little_leaves_the_rest_to_the_tree(window, follower, player, qtbot):
    adopt(player, RunConfig(n=3, seed=1), 17)
    window.show_scene(Scene(title="a", page="rows"))
    most = window.page.height()
    window.show_scene(Scene(title="a", page="proof"))
    page = window.page
    scroll_bar = page.findChild(WrappingScrollArea).verticalScrollBar()

    def wait_for_solved() -> None:
        qtbot.waitUntil(lambda: page.proof is not None and page.proof.title == "Solved")
        qtbot.waitUntil(lambda: scroll_bar.maximum() == 0)
        QApplication.sendPostedEvents()  # the window hears of it last

    wait_for_solved()
    little = page.height()
    assert little < 0.5 * most
    player.go_to(2)
    qtbot.waitUntil(lambda: little < page.height() < most and scroll_bar.maximum() == 0)
    player.go_to(16)
    qtbot.waitUntil(lambda: page.height() == most)
    player.go_to(17)
    wait_for_solved()
    assert page.height() == most, "the tree does not hop up and down"


def test_the_type_on_the_tree_does_not_grow_until_it_covers_the_tree(window):
    usual = window.theme.font_size
    window.canvas.show_picture(moment_at(ready(RunConfig(n=4), 5)[0].history, 5))
    unit = window.canvas.picture.unit
    window.change_type(6)
    assert window.theme.font_size > 1.9 * usual
    assert unit < window.canvas.picture.unit < 1.5 * unit


def test_a_scene_begins_with_a_low_caption_again(window):
    window.change_type(6)
    low = window.caption.height()
    window.show_caption("words " * 30)
    assert window.caption.height() > 1.2 * low
    window.show_caption("Short.")
    assert window.caption.height() > 1.2 * low
    window.show_scene(Scene(title="a"))
    assert window.caption.height() == low


def test_a_fast_run_tells_where_it_is(window, follower, player, qtbot):
    adopt(player, iterations=3000, cursor=0)
    window.show_scene(Scene(title="a", panels=PANELS, page="rows"))
    player.set_rules(PauseRules(stuck=False, solved=False))  # it plays on until it is paused below
    player.set_speed(400.0)
    player.play()
    qtbot.waitUntil(lambda: window.caption.text.startswith("t = ") and player.cursor > 5)
    player.pause()
    assert window.caption.text == tell(player.run.history, player.cursor)


def test_a_panel_that_is_shown_later_shows_the_run_too(window, follower, player, qtbot):
    adopt(player, RunConfig(n=6, fitness="sampled", rows=12, seed=3), 50, cursor=20)
    window.toggle_panel("curves")
    window.toggle_page()
    assert (window.strip.value(), window.strip.maximum()) == (20, 50)
    assert (window.page.history, window.page.iteration) == (player.run.history, 20)
    window.strip.iteration_chosen.emit(4)
    assert player.cursor == 20


def test_once_closed_nothing_is_followed(window, player):
    follower = AudienceView(player, window, QuizController(player, None, window))
    adopt(player)
    follower.close()
    words = window.caption.text
    player.go_to(3)
    assert window.caption.text == words
    assert window.canvas.moment.iteration == 40
    follower.deleteLater()


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


def test_with_any_page_on_show_labels_of_trees_with_31_nodes_are_large(window, qtbot):
    window.resize(1920, 1080)
    rng = random.Random(1)
    trees = [parse(balanced(16)), *(parse(grown(16, rng)) for _ in range(3))]
    canvas = window.canvas
    for info in scene_pages():
        window.show_scene(Scene(title="a", panels=("caption", "curves"), page=info.name))
        qtbot.waitUntil(lambda: 1100 < window.canvas.width() < 1200)
        for tree in trees:
            history = History(RunConfig(n=8, seed=1), tree)
            window.canvas.show_picture(moment_at(history, 0))
            qtbot.waitUntil(lambda: not canvas.is_layout_pending and not canvas.is_moving)
            assert tree is not None
            assert tree.size == 31
            assert LABEL * canvas.picture.scale * canvas.zoom.scale >= _LEAST_LABEL


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=str)
def test_a_proof_beside_the_tree_is_complete_without_scrolling(window, follower, player, qtbot, size):
    window.resize(*size)
    adopt(player, STUCK, 6, STUCK_TREE)
    window.show_scene(Scene(title="a", page="proof"))
    page = window.page
    content = page.findChild(WrappingScrollArea)
    qtbot.waitUntil(lambda: page.proof is not None and window.canvas.state == "STUCK")
    assert page.arguments.isVisible()
    assert page.table.isVisible()
    qtbot.waitUntil(lambda: content.verticalScrollBar().maximum() == 0)
    assert page.table.verticalScrollBar().maximum() == 0
    assert page.table.horizontalHeader().length() <= page.table.viewport().width() + 1
    words = (page.claim, *page.arguments.findChildren(QLabel))
    assert all(part.fontMetrics().height() > 0.02 * window.height() for part in words)


def test_a_scene_shows_theory_in_its_strip_and_so_does_the_speaker(window, qtbot):
    window.show_scene(Scene(title="a", panels=("curves", "theory")))
    qtbot.waitUntil(lambda: window.findChild(StripPlot) is not None)
    plot = window.findChild(StripPlot)

    def is_shown() -> bool:
        return plot.is_theory_shown

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
