"""The timeline shows every verdict of the run, its marks, and tells where it was clicked."""

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QHelpEvent, QShortcut
from PySide6.QtWidgets import QApplication, QToolTip

from gpviz.app.plots.mouse_readout import counts_text, values_text
from gpviz.app.plots.timeline import HEIGHTS, Timeline, best_verdicts, strip_picture
from gpviz.app.theme import load_theme
from gpviz.app.widgets.shortcut_conflicts import ShortcutConflicts
from gpviz.engine import Function, Operation, RunConfig, Side, Verdict
from gpviz.escaping import tooltip_text
from gpviz.explain.step_text import verdict_text
from gpviz.runs.curve_series import VerdictCounts, column_counts
from gpviz.runs.history import History
from gpviz.runs.run_file import Bookmark
from gpviz.runs.step_encoding import CODES, VERDICTS
from tests.app.mouse import turn_wheel
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


def test_every_verdict_has_a_height_of_its_own_and_better_ones_are_higher():
    picture = strip_picture(np.eye(5, dtype=np.int64), 24, np.arange(1, 6, dtype=np.uint32), 5)
    tops = [24 - int(np.flatnonzero(picture[:, column])[0]) for column in range(5)]
    assert tops == sorted(set(tops), reverse=True)
    assert tops[0] == 24


def test_only_what_is_unchanged_is_hatched():
    for place, verdict in enumerate(VERDICTS):
        counts = np.zeros((20, 5), dtype=np.int64)
        counts[:, place] = 1
        picture = strip_picture(counts, 24, np.arange(1, 6, dtype=np.uint32), 20)
        bar = picture[-round(HEIGHTS[verdict] * 24) :]
        assert bool((bar == 0).any()) is (verdict is Verdict.UNCHANGED)


@pytest.mark.parametrize(("iterations", "is_with_symbols"), [(60, True), (70, False)])
def test_cells_with_room_for_them_have_the_symbols_of_their_verdicts(timeline, iterations, is_with_symbols):
    timeline.show_history(recorded(RunConfig(n=30, seed=1), iterations))  # no parent is full
    image = timeline._strip_image()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    palette = load_theme("light").colours
    inks = {palette.of_verdict(verdict) for verdict in Verdict} | {palette.field}
    # Symbols have soft edges, bars have none.
    assert bool(colours - inks) is is_with_symbols


def test_the_best_verdict_in_a_column_decides():
    counts = np.array([[0, 30, 20, 25, 25], [0, 0, 0, 7, 2], [0, 0, 1, 7, 2], [1, 0, 0, 999_999, 0]])
    assert [VERDICTS[best] for best in best_verdicts(counts)] == [
        Verdict.NEUTRAL,
        Verdict.WORSE,
        Verdict.UNCHANGED,
        Verdict.IMPROVED,
    ]


@pytest.mark.parametrize("place", [1, 2, 333_333, 777_777, 999_999, 1_000_000])
@pytest.mark.parametrize("columns", [97, 880, 1903])
def test_a_single_improvement_among_a_million_iterations_is_seen_where_it_is(place, columns):
    codes = np.full(
        1_000_000, CODES[Operation.SUB, Function.AND, Side.LEFT, Verdict.WORSE, False], dtype=np.uint8
    )
    codes[place - 1] = CODES[Operation.SUB, Function.AND, Side.LEFT, Verdict.IMPROVED, False]
    counted = VerdictCounts()
    counted.take_in(codes)
    counts = column_counts(counted, columns)
    assert counts.sum() == 1_000_000
    picture = strip_picture(counts, 24, np.arange(1, 6, dtype=np.uint32), 1_000_000)
    column = int(np.flatnonzero((picture == 1).all(axis=0))[0])
    assert (picture == 1).sum() == 24
    assert column * 1_000_000 // columns < place <= (column + 1) * 1_000_000 // columns


def test_nothing_accepted_is_lost_however_long_the_run_is(timeline):
    history = long_history(2)
    timeline.show_history(history)
    columns = timeline._strip_image().width()
    best = best_verdicts(column_counts(timeline._counts, columns))
    verdicts = history.verdicts(1, len(history) + 1)
    edges = np.arange(columns + 1) * len(history) // columns
    assert best.tolist() == [verdicts[start:stop].min() for start, stop in pairwise(edges)]


def test_an_empty_run_has_an_empty_strip():
    assert not strip_picture(np.zeros((9, 5), dtype=np.int64), 4, np.ones(5, dtype=np.uint32), 0).any()


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
        (100, Qt.Key.Key_Right, 101),
        (100, Qt.Key.Key_Left, 99),
        (200, Qt.Key.Key_Right, 200),
        (0, Qt.Key.Key_Left, 0),
        (100, Qt.Key.Key_Home, 0),
        (100, Qt.Key.Key_End, 200),
    ],
)
def test_arrows_go_one_iteration_and_page_keys_a_tenth_of_the_run(timeline, qtbot, cursor, key, expected):
    timeline.show_cursor(cursor)
    with qtbot.waitSignal(timeline.iteration_chosen) as chosen:
        qtbot.keyClick(timeline, key)
    assert chosen.args == [expected]


def test_the_arrows_of_the_window_come_first(timeline, qtbot):
    pressed: list[str] = []
    QShortcut("Right", timeline, lambda: pressed.append("Right"))
    keys = ShortcutConflicts()
    keys.follow(None, timeline)
    timeline.activateWindow()
    timeline.setFocus()
    qtbot.waitUntil(timeline.isActiveWindow)
    with qtbot.assertNotEmitted(timeline.iteration_chosen):
        qtbot.keyClick(timeline, Qt.Key.Key_Right)
    assert pressed == ["Right"]


def test_to_a_screen_reader_it_is_a_slider_at_the_iteration_on_show(timeline):
    timeline.show_cursor(57)
    told = QAccessible.queryAccessibleInterface(timeline)
    assert told.role() == QAccessible.Role.Slider
    assert told.text(QAccessible.Text.Name) == "Timeline"
    value = told.valueInterface()
    assert (value.minimumValue(), value.currentValue(), value.maximumValue()) == (0, 57, 200)


def test_a_screen_reader_is_told_what_became_of_the_iteration_on_show(timeline):
    timeline.show_cursor(1)
    timeline.show_stuck_since(133)
    text = QAccessible.queryAccessibleInterface(timeline).text(QAccessible.Text.Description)
    assert text.startswith("Iteration 1 of 200: improved, accepted. Stuck since iteration 133. ")
    grow(timeline._history, 100)
    timeline.refresh()
    timeline.show_cursor(0)
    timeline.show_stuck_since(None)
    assert timeline.accessibleDescription().startswith("Iteration 0 of 300. The arrow keys")


def test_a_screen_reader_can_move_it(timeline, qtbot):
    with qtbot.waitSignal(timeline.iteration_chosen) as chosen:
        QAccessible.queryAccessibleInterface(timeline).valueInterface().setCurrentValue(42)
    assert chosen.args == [42]


def test_following_the_cursor_chooses_nothing(timeline, qtbot):
    with qtbot.assertNotEmitted(timeline.iteration_chosen):
        timeline.show_cursor(150)
        timeline.show_cursor(7)
        timeline.show_cursor(999)  # the log comes a moment later
        timeline.show_history(recorded(SHORT, 30))


def test_the_wheel_does_not_go_through_the_run(timeline, qtbot):
    place = QPointF(middle(timeline, 100))
    timeline.show_cursor(100)
    with qtbot.assertNotEmitted(timeline.iteration_chosen):
        assert not turn_wheel(timeline, 120, place)
    assert timeline.value() == 100


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
    assert sum(int(line.split()[0]) for line in lines if "×" in line) == stop - start + 1


def test_full_stretches_are_shaded_and_told(timeline):
    history = recorded(RunConfig(n=8, limit="n", seed=2), 300)
    first = history.changes().iterations[history.changes().leaves == 8][0] + 1
    timeline.show_history(history)
    assert "full" not in timeline.words_at(QPointF(middle(timeline, first - 1)))
    assert timeline.words_at(QPointF(middle(timeline, first))).endswith("\nthe parent is full")
    timeline.show_cursor(first)
    assert "the parent is full" in timeline.accessibleDescription()
    top = int(timeline._strip().top()) + 1
    image = timeline.grab().toImage()
    places = [round(timeline.place_of(iteration)) for iteration in (2, 250)]
    empty, shaded = (image.pixelColor(x, top).name() for x in places)
    assert empty == load_theme("light").colours.field != shaded


def test_the_tooltip_counts_full_parents_among_many(timeline):
    timeline.show_history(long_history(20, RunConfig(n=8, limit="n", seed=2), 300))
    words = timeline.words_at(QPointF(middle(timeline, 5_990)))
    first, last = (int(part.replace(",", "")) for part in words.split("\n")[0][4:].split(" to "))
    assert words.endswith(f"\nin {last - first + 1} of them the parent is full")


def test_the_tooltip_calls_each_verdict_what_the_legend_calls_it():
    lines = counts_text([1, 2, 3, 4, 5]).split("\n")
    assert [line.split(" × ")[1] for line in lines] == [verdict_text(verdict) for verdict in VERDICTS]


def test_hovering_shows_the_tooltip(timeline, qtbot):
    place = middle(timeline, 1)
    event = QHelpEvent(QHelpEvent.Type.ToolTip, place, timeline.mapToGlobal(place))
    QApplication.sendEvent(timeline, event)
    assert QToolTip.text() == tooltip_text("t = 1\nimproved, accepted")
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_the_strip_grows_with_the_run(timeline):
    timeline.grab()
    history = timeline._history
    grow(history, 100)
    timeline.refresh()
    assert timeline.iteration_under(QPointF(timeline._strip().right(), 24)) == 300
    assert "t = 300" in timeline.words_at(QPointF(timeline._strip().right(), 24))


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


def test_another_run_starts_afresh_with_the_bookmarks_it_was_given(timeline):
    timeline.show_stuck_since(133)
    timeline.set_bookmarks([Bookmark(57)])
    timeline.show_cursor(57)
    timeline.show_history(History(SHORT))
    assert (timeline._stuck_since, timeline._cursor) == (None, 0)
    assert timeline._bookmarks == (Bookmark(57),)
    timeline.grab()  # where the run has no such iteration, it has no flag


def test_the_tooltip_tells_since_when_the_tree_is_stuck(timeline):
    timeline.show_stuck_since(133)
    assert timeline.words_at(QPointF(middle(timeline, 133))).endswith("\nstuck since t = 133")
    assert timeline.words_at(QPointF(middle(timeline, 180))).endswith("\nstuck since t = 133")
    assert "stuck" not in timeline.words_at(QPointF(middle(timeline, 132)))


def test_the_timeline_does_not_wait_for_pyqtgraph():
    code = "import sys, gpviz.app.plots.timeline; sys.exit('pyqtgraph' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def ended_at(qtbot, timeline: Timeline, seen: int) -> Timeline:
    """One of the same size for a run that ends there."""
    shorter = Timeline()
    qtbot.addWidget(shorter)
    shorter.resize(timeline.size())
    shorter.show_history(recorded(SHORT, seen))
    shorter.show_cursor(seen)
    return shorter


@pytest.mark.parametrize("seen", [0, 1, 40, 149])
def test_with_what_is_ahead_hidden_it_looks_and_speaks_as_if_the_run_ended_at_the_cursor(
    qtbot, timeline, seen
):
    timeline.clearFocus()
    shorter = ended_at(qtbot, timeline, seen)
    timeline.show_history(recorded(SHORT, 150))
    for view in (timeline, shorter):
        view.set_bookmarks([Bookmark(1, "Early"), Bookmark(150, "Improved here")])
    timeline.show_stuck_since(seen + 1)
    timeline.show_cursor(seen)
    assert timeline.grab().toImage() != shorter.grab().toImage()
    timeline.set_ahead_hidden(True)
    assert timeline.grab().toImage() == shorter.grab().toImage()
    assert timeline.accessibleDescription() == shorter.accessibleDescription()
    assert (timeline.maximum(), timeline.value()) == (seen, seen)
    for x in range(0, timeline.width(), 9):
        for y in (2, int(timeline._strip().center().y())):
            assert timeline.words_at(QPointF(x, y)) == shorter.words_at(QPointF(x, y))


def test_what_was_hidden_comes_step_by_step_and_at_once_when_nothing_is_to_be_guessed(qtbot, timeline):
    timeline.clearFocus()
    timeline.show_history(recorded(SHORT, 150))
    timeline.show_cursor(3)
    whole = timeline.grab().toImage()
    timeline.set_ahead_hidden(True)
    hidden = timeline.grab().toImage()
    timeline.show_cursor(4)
    shorter = ended_at(qtbot, timeline, 4)
    assert timeline.grab().toImage() == shorter.grab().toImage() != hidden
    timeline.show_cursor(3)
    timeline.set_ahead_hidden(False)
    assert timeline.grab().toImage() == whole


def test_the_words_about_a_sampled_run_say_how_offspring_look(timeline):
    history = recorded(RunConfig(n=8, limit="n", seed=2, fitness="sampled", rows=20), 40)
    worse = next(t for t in range(1, 41) if history.step_at(t).verdict is Verdict.WORSE)
    timeline.show_history(history)
    assert "\nlooks worse, rejected" in timeline.words_at(QPointF(middle(timeline, worse)))
    assert "looks worse, rejected" in values_text(history, worse)
    timeline.show_cursor(worse)
    assert f"Iteration {worse} of 40: looks worse" in timeline.accessibleDescription()
    assert (
        counts_text([1, 0, 0, 2, 0], is_sampled=True)
        == "1 × looks better, accepted\n2 × looks worse, rejected"
    )
