"""The time strip: the error and every step of a run on one axis, where one clicks, drags and zooms."""

import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAccessible, QColor, QHelpEvent, QImage, QShortcut
from PySide6.QtWidgets import QApplication, QToolTip

from gpviz.app.player.shown_moment import ShownMoment
from gpviz.app.plots.mouse_readout import counts_text
from gpviz.app.plots.strip_plot import StripArea
from gpviz.app.plots.time_strip import TimeStrip
from gpviz.app.plots.verdict_marks import bin_of
from gpviz.app.theme import load_theme
from gpviz.app.widgets.shortcut_conflicts import ShortcutConflicts
from gpviz.engine import RunConfig, Verdict
from gpviz.escaping import tooltip_text
from gpviz.explain.step_text import verdict_text
from gpviz.runs.history import History
from gpviz.runs.run_file import Bookmark
from gpviz.runs.step_encoding import VERDICTS
from tests.app.mouse import drag_mouse, move_mouse, turn_wheel
from tests.app.plots.runs import SHORT, grow, long_history, recorded
from tests.app.plots.test_curves import settle

LEFT = Qt.MouseButton.LeftButton
FULL = RunConfig(n=8, limit="n", seed=2)
COLOURS = load_theme("light").colours

# The screenless platform knows no size hints of windows, and cannot raise a tooltip.
pytestmark = [
    pytest.mark.qt_log_ignore("propagateSizeHints", extend=True),
    pytest.mark.qt_log_ignore("raise\\(\\)", extend=True),
]


def new_strip(qtbot) -> TimeStrip:
    strip = TimeStrip()
    qtbot.addWidget(strip)
    strip.resize(900, 150)
    strip.show()
    return strip


@pytest.fixture
def history() -> History:
    return recorded()


@pytest.fixture
def strip(qtbot, history) -> TimeStrip:
    strip = new_strip(qtbot)
    show(strip, history, 0)
    return strip


def show(strip: TimeStrip, history: History, iteration: int, stuck_since: int | None = None) -> None:
    strip.show_moment(ShownMoment(history, iteration, stuck_since))
    settle(strip.view)


def area_of(strip: TimeStrip) -> StripArea:
    return strip.view.area


def place_of(strip: TimeStrip, iteration: float) -> QPoint:
    """Where an iteration is, in the middle of the height."""
    area = area_of(strip)
    return QPoint(round(area.x_of(iteration)), area.height() // 2)


def flag_of(strip: TimeStrip, iteration: int) -> QPoint:
    """In the middle of the flag at an iteration."""
    area = area_of(strip)
    return QPoint(round(area.x_of(iteration) + 0.25 * area.sizes.line), round(2 + 0.3 * area.sizes.line))


def fork_of(strip: TimeStrip, iteration: int) -> QPoint:
    """In the fork at a branch point."""
    area = area_of(strip)
    return QPoint(round(area.x_of(iteration) - 0.2 * area.sizes.line), round(0.5 * area.sizes.line))


def words_at(strip: TimeStrip, place: QPoint) -> str:
    return strip.view.words_at(QPointF(place))


def wheel(strip: TimeStrip, iteration: float, notches: int) -> None:
    turn_wheel(area_of(strip).viewport(), 120 * notches, QPointF(place_of(strip, iteration)))
    settle(strip.view)


def picture_of(strip: TimeStrip) -> QImage:
    return area_of(strip).grab().toImage()


def colours_in(image: QImage, rect: QRect) -> set[str]:
    inside = rect & image.rect()
    xs, ys = range(inside.left(), inside.right() + 1), range(inside.top(), inside.bottom() + 1)
    return {image.pixelColor(x, y).name() for x in xs for y in ys}


def is_in(colour: str, seen: set[str]) -> bool:
    """Whether a colour is among those; thin lines hardly ever have it exactly."""
    parts = np.array([parts_of(each) for each in seen])
    return bool((abs(parts - parts_of(colour)).max(axis=1) < 4).any())


def parts_of(colour: str) -> tuple[int, int, int]:
    found = QColor(colour)
    return found.red(), found.green(), found.blue()


def below_curve(strip: TimeStrip, iteration: float) -> QRect:
    """Where the mark of an iteration is."""
    area = area_of(strip)
    return QRect(round(area.x_of(iteration)) - 1, area.height() - area.sizes.marks, 3, area.sizes.marks)


# --- where one goes ---


@pytest.mark.parametrize("iteration", [0, 1, 2, 99, 200])
def test_a_click_chooses_the_iteration_under_it(strip, qtbot, iteration):
    with qtbot.waitSignal(strip.iteration_chosen) as chosen:
        qtbot.mouseClick(area_of(strip).viewport(), LEFT, pos=place_of(strip, iteration))
    assert chosen.args == [iteration]


@pytest.mark.parametrize(("x", "expected"), [(1, 0), (890, 200)])
def test_a_click_beside_the_run_chooses_its_nearest_end(strip, qtbot, x, expected):
    with qtbot.waitSignal(strip.iteration_chosen) as chosen:
        qtbot.mouseClick(area_of(strip).viewport(), LEFT, pos=QPoint(x, 60))
    assert chosen.args == [expected]


def test_a_click_on_a_mark_chooses_its_iteration(strip, qtbot):
    wheel(strip, 100, 12)
    with qtbot.waitSignal(strip.iteration_chosen) as chosen:
        qtbot.mouseClick(area_of(strip).viewport(), LEFT, pos=below_curve(strip, 101).center())
    assert chosen.args == [101]


def test_a_drag_ends_with_the_iteration_it_ended_on(strip, qtbot):
    chosen: list[int] = []
    strip.iteration_chosen.connect(chosen.append)
    viewport, start = area_of(strip).viewport(), QPointF(place_of(strip, 10))
    drag_mouse(viewport, start, QPointF(place_of(strip, 150)) - start)
    qtbot.waitUntil(lambda: chosen[-1] == 150)
    move_mouse(viewport, start)
    assert chosen[0] == 10
    assert chosen[-1] == 150


def test_another_button_chooses_nothing(strip, qtbot):
    with qtbot.assertNotEmitted(strip.iteration_chosen):
        qtbot.mouseClick(area_of(strip).viewport(), Qt.MouseButton.RightButton, pos=place_of(strip, 50))


@pytest.mark.parametrize(
    ("cursor", "key", "expected"),
    [
        (100, Qt.Key.Key_PageDown, 120),
        (100, Qt.Key.Key_PageUp, 80),
        (195, Qt.Key.Key_PageDown, 200),
        (5, Qt.Key.Key_PageUp, 0),
        (100, Qt.Key.Key_Right, 101),
        (100, Qt.Key.Key_Left, 99),
        (200, Qt.Key.Key_Right, 200),
        (0, Qt.Key.Key_Left, 0),
        (100, Qt.Key.Key_Home, 0),
        (100, Qt.Key.Key_End, 200),
    ],
)
def test_arrows_go_one_iteration_and_page_keys_a_tenth_of_the_run(
    strip, history, qtbot, cursor, key, expected
):
    show(strip, history, cursor)
    with qtbot.waitSignal(strip.iteration_chosen) as chosen:
        qtbot.keyClick(strip, key)
    assert chosen.args == [expected]


def test_the_arrows_of_the_window_come_first(strip, qtbot):
    pressed: list[str] = []
    QShortcut("Right", strip, lambda: pressed.append("Right"))
    keys = ShortcutConflicts()
    keys.follow(None, strip)
    strip.activateWindow()
    strip.setFocus()
    qtbot.waitUntil(strip.isActiveWindow)
    with qtbot.assertNotEmitted(strip.iteration_chosen):
        qtbot.keyClick(strip, Qt.Key.Key_Right)
    assert pressed == ["Right"]


def test_following_the_cursor_chooses_nothing(strip, history, qtbot):
    shorter = recorded(SHORT, 30)
    with qtbot.assertNotEmitted(strip.iteration_chosen):
        show(strip, history, 150)
        show(strip, history, 7)
        show(strip, history, 999)  # the log comes a moment later
        show(strip, shorter, 12)
        strip.set_ahead_hidden(True)
    assert strip.value() == 12


# --- the wheel and what is in view ---


def test_the_wheel_zooms_around_the_mouse_and_a_double_click_shows_the_whole_run(strip, qtbot):
    before = place_of(strip, 100)
    with qtbot.assertNotEmitted(strip.iteration_chosen):
        wheel(strip, 100, 4)
    low, high = strip.view.visible_range
    assert 0 < low < 100 < high < 200
    assert abs(place_of(strip, 100).x() - before.x()) <= 2
    qtbot.mouseDClick(area_of(strip).viewport(), LEFT, pos=before)
    settle(strip.view)
    assert strip.view.is_following


def test_the_wheel_beside_the_plot_does_not_go_through_the_run(strip, history, qtbot):
    show(strip, history, 100)
    with qtbot.assertNotEmitted(strip.iteration_chosen):
        assert not turn_wheel(strip, 120, QPointF(1, 1))
    assert strip.value() == 100


def test_a_growing_run_stays_in_view_as_a_whole_until_one_zooms(strip, history):
    grow(history, 100)
    show(strip, history, 300)
    assert area_of(strip).last == 300
    assert area_of(strip).x_of(300) < area_of(strip).width()
    wheel(strip, 100, 4)
    seen = strip.view.visible_range
    grow(history, 100)
    show(strip, history, 100)
    assert strip.view.visible_range == seen
    strip.reset_view()
    settle(strip.view)
    assert strip.view.visible_range[1] > 400


def test_the_number_of_an_iteration_out_of_view_stands_at_the_edge(strip):
    wheel(strip, 150, 6)
    assert strip.view.visible_range[0] > 0
    band = QRect(0, 0, 12, area_of(strip).sizes.band)
    assert COLOURS.text in colours_in(picture_of(strip), band)
    strip.reset_view()
    settle(strip.view)
    assert COLOURS.text not in colours_in(picture_of(strip), band)


# --- its scale ---


def ticks_of(strip: TimeStrip) -> list[str]:
    axis = area_of(strip).top.left
    low, high = area_of(strip).top.box.viewRange()[1]
    return [text for _, text in axis.ticks_for(low, high, 20)]


def test_a_person_chooses_a_linear_scale_and_a_logarithmic_one(strip, history):
    assert ticks_of(strip)[:4] == ["0", "1", "3", "7"]
    strip.set_log_scale(False)
    settle(strip.view)
    heights = strip.view.items.error.getData()[1]
    assert heights.max() == pytest.approx(np.nanmax(history.errors()))
    assert "50" in ticks_of(strip)


def test_errors_of_many_digits_ask_for_a_logarithmic_scale_by_themselves(strip, qtbot):
    strip.set_log_scale(False)
    large = History(RunConfig(n=60, seed=1))
    show(strip, large, 0)
    grow(large, 5)
    with qtbot.waitSignal(strip.log_scale_adapted) as told:
        strip.show_moment(ShownMoment(large, 5))
    assert told.args == [True]
    with qtbot.waitSignal(strip.log_scale_adapted) as told:
        strip.show_moment(ShownMoment(recorded(), 5))
    assert told.args == [False], "what a person prefers holds for the next run"


def test_the_goal_of_a_run_stands_beside_the_curve_where_it_is_not_0(strip):
    assert not area_of(strip).top.right.labels()
    show(strip, recorded(SHORT.replaced(accept_error=3)), 5)
    assert area_of(strip).top.right.labels() == ["goal 3"]


# --- marks ---


def test_the_mark_of_a_step_stands_below_the_curve_at_its_iteration(strip, history):
    wheel(strip, 4, 12)
    seen = picture_of(strip)
    low, high = strip.view.visible_range
    for iteration in range(max(1, round(low) + 1), round(high)):
        colour = COLOURS.of_verdict(history.step_at(iteration).verdict)
        assert is_in(colour, colours_in(seen, below_curve(strip, iteration))), iteration


def test_marks_are_gathered_until_one_looks_from_nearby(strip):
    marks = area_of(strip).marks
    assert marks.size > 1
    assert len(marks.x) == -(-200 // marks.size)
    distance = area_of(strip).x_of(marks.size) - area_of(strip).x_of(0)
    assert distance >= 0.7 * area_of(strip).sizes.line
    wheel(strip, 100, 12)
    assert area_of(strip).marks.size == 1


def test_nothing_accepted_is_lost_among_a_million_iterations(strip):
    history = long_history(100)
    show(strip, history, 1_000_000)
    marks = area_of(strip).marks
    verdicts = history.verdicts(1, len(history) + 1)
    starts = np.arange(0, 1_000_000, marks.size)
    assert marks.verdicts.tolist() == np.minimum.reduceat(verdicts, starts).tolist()
    improved = marks.x[marks.verdicts == VERDICTS.index(Verdict.IMPROVED)].astype(int)
    assert len(improved) > 0
    assert all(VERDICTS[verdicts[iteration - 1]] is Verdict.IMPROVED for iteration in improved.tolist())


def test_a_long_run_is_taken_in_bit_by_bit(strip, qtbot):
    history = long_history(60)
    strip.show_moment(ShownMoment(history, 5))
    assert area_of(strip).last < len(history)
    qtbot.waitUntil(lambda: area_of(strip).last == len(history))


@pytest.mark.parametrize("height", [None, 150, 500])
def test_whatever_its_height_curve_and_marks_have_space(strip, history, qtbot, height):
    strip.resize(900, height or strip.minimumSizeHint().height())
    settle(strip.view)
    area = area_of(strip)
    curve = area.top.box.sceneBoundingRect()
    assert curve.height() >= area.sizes.line
    assert curve.top() >= area.sizes.band
    assert curve.bottom() <= area.height() - area.sizes.marks + 1
    first = COLOURS.of_verdict(VERDICTS[area.marks.verdicts[0]])
    assert is_in(first, colours_in(picture_of(strip), below_curve(strip, area.marks.x[0])))
    with qtbot.waitSignal(strip.iteration_chosen) as chosen:
        qtbot.mouseClick(area.viewport(), LEFT, pos=QPoint(round(area.x_of(99)), area.height() - 3))
    assert chosen.args == [99]


def test_since_when_the_tree_is_stuck_is_a_line_below_the_marks(strip, history):
    show(strip, history, 150, 133)
    seen = picture_of(strip)
    bottom = area_of(strip).height() - 2
    places = {iteration: place_of(strip, iteration).x() for iteration in (125, 140, 199)}
    is_stuck = {
        iteration: COLOURS.stuck in colours_in(seen, QRect(x, bottom - 1, 1, 3))
        for iteration, x in places.items()
    }
    assert is_stuck == {125: False, 140: True, 199: True}
    assert words_at(strip, place_of(strip, 133)).endswith("\nstuck since t = 133")
    assert words_at(strip, place_of(strip, 180)).endswith("\nstuck since t = 133")
    assert "stuck" not in words_at(strip, place_of(strip, 120))


# --- bookmarks and branch points ---


def test_a_flag_is_clicked_for_its_bookmark(strip, qtbot):
    strip.set_bookmarks([Bookmark(150, "later"), Bookmark(57, "first ∨"), Bookmark(5000)])
    assert COLOURS.accent in colours_in(picture_of(strip), QRect(flag_of(strip, 57), flag_of(strip, 57)))
    with (
        qtbot.assertNotEmitted(strip.iteration_chosen),
        qtbot.waitSignal(strip.bookmark_chosen) as told,
    ):
        qtbot.mouseClick(area_of(strip).viewport(), LEFT, pos=flag_of(strip, 57))
    assert told.args == [57]
    assert words_at(strip, flag_of(strip, 57)) == "Bookmark at t = 57\nfirst ∨"
    strip.set_bookmarks([])
    assert COLOURS.accent not in colours_in(picture_of(strip), QRect(flag_of(strip, 57), flag_of(strip, 57)))


def test_a_long_note_is_cut(strip):
    strip.set_bookmarks([Bookmark(57, "x" * 1000)])
    assert len(words_at(strip, flag_of(strip, 57))) < 300


def test_a_fork_stands_where_branches_begin_and_is_clicked_for_its_iteration(strip, qtbot):
    without = picture_of(strip)
    strip.set_branch_points([66, 66, 120])
    fork = fork_of(strip, 66)
    around = QRect(fork, fork).adjusted(-1, -2, 1, 2)
    assert picture_of(strip).copy(around) != without.copy(around)
    assert words_at(strip, fork) == "A branch begins at t = 66"
    with qtbot.waitSignal(strip.iteration_chosen) as chosen:
        qtbot.mouseClick(area_of(strip).viewport(), LEFT, pos=fork)
    assert chosen.args == [66]


def test_a_bookmark_at_a_branch_point_stands_beside_it(strip):
    strip.set_bookmarks([Bookmark(66)])
    strip.set_branch_points([66])
    assert words_at(strip, flag_of(strip, 66)).startswith("Bookmark")


def test_what_is_out_of_view_is_not_under_the_mouse(strip):
    strip.set_bookmarks([Bookmark(iteration) for iteration in range(1, 200, 2)])
    strip.set_branch_points(range(2, 200, 2))
    wheel(strip, 150, 6)
    left = area_of(strip).top.box.sceneBoundingRect().left()
    for x in range(round(left - area_of(strip).sizes.line)):
        assert words_at(strip, QPoint(x, 3)).startswith("t = "), x


# --- what is said of it ---


def test_the_tooltip_tells_what_became_of_an_iteration(strip, history):
    assert words_at(strip, QPoint(0, 60)) == "t = 0, the start"
    wheel(strip, 4, 12)
    error = history.error_at(1)
    assert words_at(strip, place_of(strip, 1)) == (
        f"t = 1\nerror {error} · 1 leaf · 0 ∨ · 1 of 8 variables · improved, accepted"
    )


def test_the_tooltip_tells_how_many_of_which_kind(strip):
    history = long_history(2)
    show(strip, history, 0)
    first, *lines = words_at(strip, place_of(strip, 9_750)).split("\n")
    start, stop = (int(part.replace(",", "")) for part in first.removeprefix("t = ").split(" to "))
    assert (start, stop) == bin_of(9_750, area_of(strip).marks.size)
    counts = np.bincount(history.verdicts(start, stop + 1), minlength=5)
    worse = counts[VERDICTS.index(Verdict.WORSE)]
    assert f"{worse} × worse, rejected" in lines
    assert sum(int(line.split()[0]) for line in lines if "×" in line) == stop - start + 1


def test_full_stretches_are_shaded_and_told(strip):
    history = recorded(FULL, 300)
    show(strip, history, 0)
    empty = picture_of(strip)
    first = int(history.changes().iterations[history.changes().leaves == 8][0]) + 1
    top = round(area_of(strip).top.box.sceneBoundingRect().top()) + 1
    is_shaded = [
        COLOURS.panel not in colours_in(empty, QRect(place_of(strip, each).x() - 3, top, 2, 1))
        for each in (first - 8, 250)
    ]
    assert is_shaded == [False, True]
    wheel(strip, first, 14)
    assert "full" not in words_at(strip, place_of(strip, first - 1))
    assert words_at(strip, place_of(strip, first)).endswith("\nthe parent is full")
    show(strip, history, first)
    assert "the parent is full" in strip.accessibleDescription()


def test_the_tooltip_counts_full_parents_among_many(strip):
    show(strip, long_history(20, FULL, 300), 0)
    words = words_at(strip, place_of(strip, 5_990))
    first, last = (int(part.replace(",", "")) for part in words.split("\n")[0][4:].split(" to "))
    assert words.endswith(f"\nin {last - first + 1} of them the parent is full")


def test_the_tooltip_calls_each_verdict_what_the_page_why_calls_it():
    lines = counts_text([1, 2, 3, 4, 5]).split("\n")
    assert [line.split(" × ")[1] for line in lines] == [verdict_text(verdict) for verdict in VERDICTS]


def test_the_words_about_a_sampled_run_say_how_offspring_look(strip):
    history = recorded(RunConfig(n=8, limit="n", seed=2, fitness="sampled", rows=20), 10)
    worse = next(t for t in range(1, 11) if history.step_at(t).verdict is Verdict.WORSE)
    show(strip, history, worse)
    assert "looks worse, rejected" in words_at(strip, place_of(strip, worse))
    assert f"Iteration {worse} of 10: looks worse" in strip.accessibleDescription()
    assert (
        counts_text([1, 0, 0, 2, 0], is_sampled=True)
        == "1 × looks better, accepted\n2 × looks worse, rejected"
    )


def test_hovering_shows_the_tooltip(strip, qtbot):
    area, place = area_of(strip), QPoint(0, 60)
    event = QHelpEvent(QHelpEvent.Type.ToolTip, place, area.mapToGlobal(place))
    QApplication.sendEvent(area.viewport(), event)
    assert QToolTip.text() == tooltip_text("t = 0, the start")
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_to_a_screen_reader_it_is_a_slider_at_the_iteration_on_show(strip, history, qtbot):
    show(strip, history, 57)
    told = QAccessible.queryAccessibleInterface(strip)
    assert told.role() == QAccessible.Role.Slider
    assert told.text(QAccessible.Text.Name) == "Time strip"
    value = told.valueInterface()
    assert (value.minimumValue(), value.currentValue(), value.maximumValue()) == (0, 57, 200)
    with qtbot.waitSignal(strip.iteration_chosen) as chosen:
        value.setCurrentValue(42)
    assert chosen.args == [42]


def test_a_screen_reader_is_told_what_became_of_the_iteration_on_show(strip, history):
    show(strip, history, 1, 133)
    text = QAccessible.queryAccessibleInterface(strip).text(QAccessible.Text.Description)
    assert text.startswith("Iteration 1 of 200: improved, accepted. Stuck since iteration 133. ")
    grow(history, 100)
    show(strip, history, 0)
    assert strip.accessibleDescription().startswith("Iteration 0 of 300. The arrow keys")


# --- before, at and after the ends of runs ---


@pytest.mark.parametrize("iterations", [0, 1])
def test_a_run_that_has_hardly_begun_can_be_shown(strip, qtbot, iterations):
    show(strip, recorded(SHORT, iterations), 0)
    picture_of(strip)
    with qtbot.waitSignal(strip.iteration_chosen) as chosen:
        qtbot.mouseClick(area_of(strip).viewport(), LEFT, pos=QPoint(500, 60))
    assert chosen.args == [iterations]


def test_what_is_ahead_of_the_run_has_no_flag_yet(strip):
    strip.set_bookmarks([Bookmark(8)])
    strip.set_branch_points([8])
    history = recorded(SHORT, 5)
    show(strip, history, 5)
    assert not words_at(strip, flag_of(strip, 8)).startswith("Bookmark")
    assert "branch" not in words_at(strip, fork_of(strip, 8))
    grow(history, 5)
    show(strip, history, 10)
    assert words_at(strip, flag_of(strip, 8)).startswith("Bookmark")


def test_before_there_is_a_run_nothing_happens(qtbot):
    strip = new_strip(qtbot)
    strip.set_theme(load_theme("dark"))
    settle(strip.view)
    with qtbot.assertNotEmitted(strip.iteration_chosen):
        qtbot.mouseClick(area_of(strip).viewport(), LEFT, pos=QPoint(50, 60))
        qtbot.keyClick(strip, Qt.Key.Key_PageDown)
    assert words_at(strip, QPoint(50, 60)) == ""


def test_another_run_keeps_the_bookmarks_it_was_given(strip, history):
    show(strip, history, 57, 133)
    strip.set_bookmarks([Bookmark(7)])
    wheel(strip, 100, 4)
    show(strip, recorded(SHORT, 30), 0)
    assert strip.view.is_following
    assert "Stuck" not in strip.accessibleDescription()
    assert words_at(strip, flag_of(strip, 7)).startswith("Bookmark")


def test_what_is_said_before_the_plot_is_loaded_is_shown_then(qtbot, history):
    strip = TimeStrip()
    qtbot.addWidget(strip)
    strip.resize(900, 150)
    strip.set_log_scale(False)
    strip.set_bookmarks([Bookmark(7)])
    strip.show_moment(ShownMoment(recorded(SHORT, 20), 9))
    strip.show_moment(ShownMoment(history, 16, 40))
    strip.show()
    settle(strip.view)
    assert not strip.view.is_log_scale
    assert (strip.view.iteration, strip.view.area.stuck_since) == (16, 40)
    assert words_at(strip, flag_of(strip, 7)).startswith("Bookmark")


def test_the_window_does_not_wait_for_pyqtgraph():
    code = "import sys, gpviz.app.plots.time_strip; sys.exit('pyqtgraph' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- while the rest is to be guessed ---


def alike(strips: Sequence[TimeStrip]) -> bool:
    """Whether they look and speak the same."""
    first, second = strips
    is_alike = picture_of(first) == picture_of(second)
    is_alike &= first.accessibleDescription() == second.accessibleDescription()
    is_alike &= (first.maximum(), first.value()) == (second.maximum(), second.value())
    for x in range(0, first.width(), 9):
        for y in (4, 60):
            is_alike &= words_at(first, QPoint(x, y)) == words_at(second, QPoint(x, y))
    return is_alike


@pytest.mark.parametrize("seen", [0, 1, 40, 149])
def test_with_what_is_ahead_hidden_it_looks_and_speaks_as_if_the_run_ended_at_the_cursor(qtbot, strip, seen):
    shorter = new_strip(qtbot)
    for each in (strip, shorter):
        each.set_bookmarks([Bookmark(1, "Early"), Bookmark(150, "Improved here")])
        each.set_branch_points([1, 150])
    show(shorter, recorded(SHORT, seen), seen)
    whole = recorded(SHORT, 150)
    show(strip, whole, seen, seen + 1)
    assert not alike((strip, shorter))
    strip.set_ahead_hidden(True)
    settle(strip.view)
    assert alike((strip, shorter))
    show(strip, whole, seen + 1, seen + 1)
    assert "Stuck since" in strip.accessibleDescription()
    assert not alike((strip, shorter))


def test_all_of_the_run_is_seen_at_once_when_nothing_is_to_be_guessed(strip, history):
    show(strip, history, 3)
    whole = picture_of(strip)
    strip.set_ahead_hidden(True)
    settle(strip.view)
    assert picture_of(strip) != whole
    strip.set_ahead_hidden(False)
    settle(strip.view)
    assert picture_of(strip) == whole
    assert strip.maximum() == 200
