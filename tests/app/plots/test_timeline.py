"""The timeline shows every verdict of the run, its marks, and tells where it was clicked."""

import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from gpviz.app.plots.timeline import LEAST_SHARE, Timeline, layer_heights, strip_picture
from gpviz.app.theme import THEME_NAMES, load_theme
from gpviz.engine import Verdict
from gpviz.run.bookmarks import Bookmark
from gpviz.run.history import History
from gpviz.run.step_codes import VERDICTS
from tests.app.plots.runs import SHORT, grow, long_history, recorded

LEFT = Qt.MouseButton.LeftButton

# The screenless platform cannot raise a tooltip.
pytestmark = pytest.mark.qt_log_ignore("raise\\(\\)", extend=True)


@pytest.fixture
def timeline(qtbot) -> Timeline:
    timeline = Timeline()
    qtbot.addWidget(timeline)
    timeline.resize(900, 48)
    timeline.show()
    timeline.show_history(recorded())
    return timeline


def middle(timeline: Timeline, iteration: int) -> QPoint:
    return QPoint(int(timeline.place_of(iteration)), int(timeline._strip().center().y()))


def test_each_of_few_iterations_is_a_cell_in_the_colour_of_its_verdict(timeline):
    history = recorded(SHORT, 30)
    timeline.show_history(history)
    timeline.show_cursor(0)
    image = timeline.grab().toImage()
    colours = load_theme("light").colours
    for iteration in range(1, 31):
        place = middle(timeline, iteration)
        found = image.pixelColor(int(place.x() * image.devicePixelRatio()), place.y())
        assert found == QColor(colours.of_verdict(history.step_at(iteration).verdict))


def test_layers_are_as_high_as_their_verdicts_are_frequent():
    counts = np.array([[0, 30, 20, 25, 25], [0, 0, 0, 7, 0]])
    assert layer_heights(counts, 100).tolist() == [[0, 50, 75, 100], [0, 0, 100, 100]]


def test_a_single_improvement_among_many_iterations_is_seen():
    counts = np.array([[1, 0, 0, 999_999, 0]])
    improved = layer_heights(counts, 20)[0, 0]
    assert improved == round(LEAST_SHARE * 20)
    colours = np.array([1, 2, 3, 4], dtype=np.uint32)
    assert (strip_picture(counts, 20, colours, 1_000_000) == 1).sum() == improved


def test_only_improvements_fill_their_column():
    assert layer_heights(np.array([[5, 0, 0, 0, 0]]), 20).tolist() == [[20, 20, 20, 20]]


def test_cells_with_room_between_them_are_kept_apart():
    counts = np.array([[0, 1, 0, 0, 0]] * 12)
    picture = strip_picture(counts, 2, np.array([1, 2, 3, 4], dtype=np.uint32), 2)
    assert picture[0].tolist() == [2] * 5 + [0] + [2] * 5 + [0]


def test_an_empty_run_has_an_empty_strip():
    assert not strip_picture(np.zeros((9, 5), dtype=np.int64), 4, np.ones(4, dtype=np.uint32), 0).any()


@pytest.mark.parametrize("iteration", [1, 2, 99, 200])
def test_a_click_chooses_the_iteration_under_it(timeline, qtbot, iteration):
    with qtbot.waitSignal(timeline.iteration_chosen) as chosen:
        qtbot.mouseClick(timeline, LEFT, pos=middle(timeline, iteration))
    assert chosen.args == [iteration]


@pytest.mark.parametrize(("x", "expected"), [(1, 0), (899, 200)])
def test_the_ends_are_the_start_and_the_last_iteration(timeline, qtbot, x, expected):
    with qtbot.waitSignal(timeline.iteration_chosen) as chosen:
        qtbot.mouseClick(timeline, LEFT, pos=QPoint(x, 24))
    assert chosen.args == [expected]


def test_a_drag_ends_with_the_iteration_it_ended_on(timeline, qtbot):
    chosen: list[int] = []
    timeline.iteration_chosen.connect(chosen.append)
    qtbot.mousePress(timeline, LEFT, pos=middle(timeline, 10))
    for iteration in (20, 30, 150):
        qtbot.mouseMove(timeline, middle(timeline, iteration))
    qtbot.waitUntil(lambda: chosen[-1] == 150)
    qtbot.mouseRelease(timeline, LEFT, pos=middle(timeline, 150))
    qtbot.mouseMove(timeline, middle(timeline, 50))
    assert chosen[0] == 10
    assert chosen[-1] == 150


def test_another_button_chooses_nothing(timeline, qtbot):
    with qtbot.assertNotEmitted(timeline.iteration_chosen):
        qtbot.mouseClick(timeline, Qt.MouseButton.RightButton, pos=middle(timeline, 50))


@pytest.mark.parametrize(
    ("cursor", "key", "expected"),
    [
        (100, Qt.Key.Key_PageDown, 120),
        (100, Qt.Key.Key_PageUp, 80),
        (195, Qt.Key.Key_PageDown, 200),
        (5, Qt.Key.Key_PageUp, 0),
    ],
)
def test_page_keys_go_a_tenth_of_the_run(timeline, qtbot, cursor, key, expected):
    timeline.show_cursor(cursor)
    with qtbot.waitSignal(timeline.iteration_chosen) as chosen:
        qtbot.keyClick(timeline, key)
    assert chosen.args == [expected]


def test_arrows_are_left_to_the_window(timeline, qtbot):
    with qtbot.assertNotEmitted(timeline.iteration_chosen):
        qtbot.keyClick(timeline, Qt.Key.Key_Right)


def test_a_flag_is_clicked_for_its_bookmark(timeline, qtbot):
    timeline.set_bookmarks([Bookmark(150, "later"), Bookmark(57, "first ∨"), Bookmark(5000)])
    flag = QPoint(int(timeline.place_of(57)) + 3, 4)
    with (
        qtbot.assertNotEmitted(timeline.iteration_chosen),
        qtbot.waitSignal(timeline.bookmark_chosen) as told,
    ):
        qtbot.mouseClick(timeline, LEFT, pos=flag)
    assert told.args == [57]
    assert timeline.words_at(QPointF(flag)) == "Bookmark at t = 57\nfirst ∨"


def test_a_long_note_is_cut(timeline):
    timeline.set_bookmarks([Bookmark(57, "x" * 1000)])
    assert len(timeline.words_at(QPointF(timeline.place_of(57), 4))) < 300


def test_the_tooltip_tells_the_verdict_of_an_iteration(timeline):
    words = timeline.words_at(QPointF(middle(timeline, 1)))
    assert words == "t = 1\nimproved, accepted"
    assert timeline.words_at(QPointF(0, 24)) == "t = 0, the start"


def test_the_tooltip_tells_how_many_of_which_kind(timeline):
    history = long_history(2)
    timeline.show_history(history)
    words = timeline.words_at(QPointF(middle(timeline, 10_000)))
    first, *lines = words.split("\n")
    start, stop = (int(part.replace(",", "")) for part in first.removeprefix("t = ").split(" to "))
    assert start <= 10_000 <= stop
    counts = np.bincount(history.verdicts(start, stop + 1), minlength=5)
    worse = counts[VERDICTS.index(Verdict.WORSE)]
    assert f"{worse} × worse, rejected" in lines
    assert sum(int(line.split()[0]) for line in lines) == stop - start + 1


def test_hovering_shows_the_tooltip(timeline, qtbot):
    place = middle(timeline, 1)
    event = QHelpEvent(QHelpEvent.Type.ToolTip, place, timeline.mapToGlobal(place))
    QApplication.sendEvent(timeline, event)
    assert QToolTip.text() == "t = 1\nimproved, accepted"
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_the_strip_grows_with_the_run(timeline):
    timeline.grab()
    history = timeline._history
    grow(history, 100)
    timeline.refresh()
    assert timeline.iteration_under(QPointF(timeline._strip().right(), 24)) == 300
    assert "t = 300" in timeline.words_at(QPointF(timeline._strip().right(), 24))


def test_the_strip_is_drawn_anew_only_when_something_has_changed(timeline):
    first = timeline._strip_image()
    timeline.show_cursor(50)
    timeline.grab()
    assert timeline._strip_image() is first
    timeline.refresh()
    assert timeline._strip_image() is not first


def test_a_long_run_is_taken_in_bit_by_bit(timeline, qtbot):
    history = long_history(60)
    timeline.show_history(history)
    assert len(timeline._counts) < len(history)
    qtbot.waitUntil(lambda: len(timeline._counts) == len(history))


@pytest.mark.parametrize("iterations", [0, 1])
def test_a_run_that_has_hardly_begun_can_be_shown(timeline, qtbot, iterations):
    timeline.show_history(recorded(SHORT, iterations))
    timeline.grab()
    with qtbot.waitSignal(timeline.iteration_chosen) as chosen:
        qtbot.mouseClick(timeline, LEFT, pos=QPoint(500, 24))
    assert chosen.args == [iterations]


def test_before_there_is_a_run_nothing_happens(qtbot):
    timeline = Timeline()
    timeline.set_theme(load_theme("dark"))
    qtbot.addWidget(timeline)
    timeline.show()
    timeline.refresh()
    timeline.grab()
    with qtbot.assertNotEmitted(timeline.iteration_chosen):
        qtbot.mouseClick(timeline, LEFT, pos=QPoint(50, 24))
        qtbot.keyClick(timeline, Qt.Key.Key_PageDown)
    assert timeline.words_at(QPointF(50, 24)) == ""


@pytest.mark.parametrize("name", THEME_NAMES)
def test_every_theme_has_its_colours_in_the_picture(timeline, name):
    theme = load_theme(name)
    timeline.set_theme(theme)
    timeline.resize(900, timeline.minimumSizeHint().height())
    timeline.show_cursor(120)
    timeline.show_stuck_since(133)
    timeline.set_bookmarks([Bookmark(57)])
    image = timeline.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    wanted = theme.colours
    assert {wanted.worse, wanted.neutral, wanted.improved, wanted.stuck, wanted.accent} <= colours


def test_another_run_starts_afresh_with_the_bookmarks_it_was_given(timeline):
    timeline.show_stuck_since(133)
    timeline.set_bookmarks([Bookmark(57)])
    timeline.show_cursor(57)
    timeline.show_history(History(SHORT))
    assert (timeline._stuck_since, timeline._cursor) == (None, 0)
    assert timeline._bookmarks == (Bookmark(57),)
    timeline.grab()  # where the run has no such iteration, it has no flag


def test_it_is_low_enough_to_leave_room_for_the_tree(timeline):
    assert timeline.minimumSizeHint().height() <= 50


def test_the_strip_has_some_height_where_there_is_room(timeline):
    timeline.resize(900, timeline.sizeHint().height())
    assert 23 <= timeline._strip().height() <= 26


@pytest.mark.parametrize(
    ("cursor", "expected"),
    [(0, ["t = 0", "200"]), (70, ["t = 70", "0", "200"]), (200, ["t = 200", "0"])],
)
def test_no_end_is_told_twice(timeline, cursor, expected):
    timeline.show_cursor(cursor)
    assert [text for _, text, _ in timeline._labels(timeline._strip())] == expected


def test_the_tooltip_tells_since_when_the_tree_is_stuck(timeline):
    timeline.show_stuck_since(133)
    assert timeline.words_at(QPointF(middle(timeline, 133))).endswith("\nstuck since t = 133")
    assert timeline.words_at(QPointF(middle(timeline, 180))).endswith("\nstuck since t = 133")
    assert "stuck" not in timeline.words_at(QPointF(middle(timeline, 132)))


def test_the_timeline_does_not_wait_for_pyqtgraph():
    code = "import sys, gpviz.app.plots.timeline; sys.exit('pyqtgraph' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
