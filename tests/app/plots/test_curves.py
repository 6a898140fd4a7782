"""The curves show the run they are given, follow its growth, and tell where they were clicked."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QDeadlineTimer, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gpviz.app.plots.curves import CurvesView
from gpviz.app.plots.run_plot import RunPlot, _rounded_up
from gpviz.app.theme import load_theme
from gpviz.assets import THEME_NAMES
from gpviz.engine import RunConfig, parse
from gpviz.runs.history import History
from tests.app.mouse import move_mouse, turn_wheel
from tests.app.plots.runs import SAMPLED, SHORT, grow, long_history, recorded
from tests.patience import PATIENCE_MS

LEFT = Qt.MouseButton.LeftButton

# The screenless platform knows no size hints of windows.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.fixture
def view(qtbot) -> CurvesView:
    view = CurvesView()
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.show()
    view.show_history(recorded())
    settle(view)
    return view


def settle(view: RunPlot) -> None:
    """Until all that is to be laid out and drawn is."""
    deadline = QDeadlineTimer(PATIENCE_MS)
    while True:
        QApplication.sendPostedEvents()
        view.grab()  # plots find their places when they are painted
        timers = (view._redraw_soon, view._catch_up)
        if not any(timer.isActive() for timer in timers):
            return
        while any(timer.isActive() for timer in timers):
            assert not deadline.hasExpired(), "there is always more to draw"
            QTest.qWait(1)


def place_of(view: CurvesView, iteration: float, *, is_low: bool = False) -> QPoint:
    """Where an iteration is, in the middle of a plot."""
    box = (view.area.low if is_low else view.area.top).box
    middle = sum(box.viewRange()[1]) / 2
    return view.area.mapFromScene(box.mapViewToScene(QPointF(iteration, middle)))


def wheel(view: CurvesView, iteration: float, notches: int, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    turn_wheel(view.area.viewport(), 120 * notches, QPointF(place_of(view, iteration)), modifiers)
    settle(view)


def tick_labels(view: CurvesView) -> list[str]:
    axis = view.area.top.left
    low, high = view.area.top.box.viewRange()[1]
    return [text for _, text in axis.ticks_for(low, high, 20)]


def test_the_error_curve_ends_with_the_error_of_the_last_tree(view):
    history = recorded()
    x, y = view.items.error.getData()
    assert x[-1] == 200
    assert y[-1] == pytest.approx(np.log2(history.errors()[-1] + 1))


def test_improvements_are_at_the_iterations_that_improved(view):
    assert view.items.improved.x.tolist() == (np.flatnonzero(recorded().verdicts() == 0) + 1).tolist()


def test_a_linear_scale_places_errors_as_they_are(view, qtbot):
    with qtbot.waitSignal(view.log_scale_changed) as told:
        view.set_log_scale(False)
    settle(view)
    assert told.args == [False]
    assert view.items.error.getData()[1].max() == pytest.approx(np.nanmax(recorded().errors()))
    assert "50" in tick_labels(view)
    view.set_log_scale(True)
    settle(view)
    assert tick_labels(view)[:4] == ["0", "1", "3", "7"]


def test_choosing_the_same_scale_again_says_nothing(view, qtbot):
    with qtbot.assertNotEmitted(view.log_scale_changed):
        view.set_log_scale(True)


def test_the_button_changes_the_scale_and_says_which_it_is(view, qtbot):
    qtbot.mouseClick(view._scale_button, LEFT)
    assert not view.is_log_scale
    assert view._scale_button.text() == "linear"


@pytest.mark.parametrize("is_low", [False, True])
@pytest.mark.parametrize("iteration", [0, 1, 57, 200])
def test_a_click_chooses_the_iteration_under_it(view, qtbot, iteration, is_low):
    with qtbot.waitSignal(view.iteration_chosen) as chosen:
        qtbot.mouseClick(view.area.viewport(), LEFT, pos=place_of(view, iteration, is_low=is_low))
    assert chosen.args == [iteration]


@pytest.mark.parametrize(("x", "expected"), [(0, 0), (899, 200)])
def test_a_click_beside_the_run_chooses_its_nearest_end(view, qtbot, x, expected):
    with qtbot.waitSignal(view.iteration_chosen) as chosen:
        qtbot.mouseClick(view.area.viewport(), LEFT, pos=QPoint(x, 60))
    assert chosen.args == [expected]


def test_a_drag_chooses_whole_iterations_and_ends_with_the_last(view, qtbot):
    chosen: list[int] = []
    view.iteration_chosen.connect(chosen.append)
    viewport = view.area.viewport()
    qtbot.mousePress(viewport, LEFT, pos=place_of(view, 50))
    for iteration in (60, 70.4, 5000):
        qtbot.mouseMove(viewport, place_of(view, iteration))
    qtbot.mouseRelease(viewport, LEFT, pos=place_of(view, 5000))
    qtbot.waitUntil(lambda: chosen[-1] == 200)
    assert chosen[0] == 50
    assert all(0 <= iteration <= 200 for iteration in chosen)


def test_the_cursor_is_a_line_through_all_plots(view):
    view.show_cursor(77)
    seen = view.area.grab().toImage()
    accent = view.theme.colours.accent
    for is_low in (False, True):
        place = place_of(view, 77, is_low=is_low)
        assert accent in {seen.pixelColor(place + QPoint(x, 0)).name() for x in (-1, 0, 1)}


def test_the_wheel_zooms_around_the_mouse(view):
    before = view.visible_range
    wheel(view, 100, 4)
    low, high = view.visible_range
    assert before[0] < low < 100 < high < before[1]
    assert (100 - low) / (high - low) == pytest.approx((100 - before[0]) / (before[1] - before[0]), abs=0.01)


def test_both_plots_show_the_same_iterations(view):
    wheel(view, 50, 3)
    assert view.area.top.box.viewRange()[0] == pytest.approx(view.area.low.box.viewRange()[0])
    boxes = [plot.box.sceneBoundingRect() for plot in view.area.plots]
    assert boxes[0].left() == boxes[1].left()
    assert boxes[0].right() == boxes[1].right()


def test_the_view_follows_the_run_until_one_zooms_and_again_after_a_reset(view):
    history = view._series.history
    grow(history, 100)
    view.refresh()
    assert view.visible_range[1] > 300
    wheel(view, 100, 4)
    assert not view.is_following
    zoomed = view.visible_range
    grow(history, 100)
    view.refresh()
    assert view.visible_range == zoomed
    view.reset_view()
    grow(history, 100)
    view.refresh()
    assert view.is_following
    assert view.visible_range[1] > 500


def test_a_double_click_shows_the_whole_run(view, qtbot):
    wheel(view, 100, 4)
    qtbot.mouseDClick(view.area.viewport(), LEFT, pos=place_of(view, 100))
    settle(view)
    assert view.is_following


def test_zooming_out_far_enough_follows_the_run_again(view):
    wheel(view, 100, 4)
    wheel(view, 100, -9)
    assert view.is_following


def test_buttons_zoom_around_the_cursor_and_back(view, qtbot):
    view.show_cursor(40)
    qtbot.mouseClick(view._in_button, LEFT)
    qtbot.mouseClick(view._in_button, LEFT)
    low, high = view.visible_range
    assert low < 40 < high < 110
    qtbot.mouseClick(view._out_button, LEFT)
    assert view.visible_range[1] - view.visible_range[0] == pytest.approx(2 * (high - low))
    settle(view)
    qtbot.mouseClick(view._whole_button, LEFT)
    assert view.is_following
    settle(view)
    assert not view._whole_button.isVisible()  # its room is the legend's


def test_a_view_of_few_iterations_goes_no_nearer(view):
    for _ in range(10):
        wheel(view, 100, 10)
    low, high = view.visible_range
    assert high - low == pytest.approx(8)


def test_shift_and_wheel_or_another_button_move_the_view_sideways(view, qtbot):
    view._set_range(50, 100)
    settle(view)
    wheel(view, 75, -1, Qt.KeyboardModifier.ShiftModifier)
    assert view.visible_range == pytest.approx((55, 105))
    viewport = view.area.viewport()
    middle = Qt.MouseButton.MiddleButton
    start, end = place_of(view, 80), place_of(view, 90)
    qtbot.mousePress(viewport, middle, pos=start)
    move_mouse(viewport, QPointF(end), middle)
    qtbot.mouseRelease(viewport, middle, pos=end)
    settle(view)
    assert view.visible_range == pytest.approx((45, 95), abs=0.5)


@given(st.integers(2001, 10**7))
def test_a_long_run_has_room_to_grow_but_no_more_than_an_eighth(length):
    assert length <= _rounded_up(length) <= 1.125 * length


def test_the_whole_run_cannot_be_moved_sideways(view):
    wheel(view, 75, -1, Qt.KeyboardModifier.ShiftModifier)
    assert view.is_following


def test_the_values_under_the_mouse_are_told(view, qtbot):
    qtbot.mouseMove(view.area.viewport(), place_of(view, 100))
    qtbot.waitUntil(lambda: view._readout.isVisible())
    step = view._series.history.step_at(100)
    text = view._readout.text
    assert text.startswith(f"t = 100 · error {step.error} · {step.leaves} leaves · {step.ors} ∨ · ")
    assert [line.value() for line in view.items.crosshair[:2]] == [100, 100]
    view.area.mouse_left.emit()
    assert not view._readout.isVisible()
    assert not any(line.isVisible() for line in view.items.crosshair)


def test_since_when_the_tree_is_stuck_is_told_above_the_plots_and_not_on_the_data(view):
    view.resize(1000, 300)
    settle(view)
    view.show_stuck_since(133)
    assert "stuck since t = 133" in [entry.text for entry in view.legend.entries]
    assert not any(hasattr(line, "label") for line in view.items.stuck)
    view.show_stuck_since(None)
    assert not any("stuck" in entry.text for entry in view.legend.entries)


@pytest.mark.parametrize("name", THEME_NAMES)
def test_every_curve_is_told_from_the_others_by_its_colour_or_its_dashes(view, name):
    view.set_theme(load_theme(name))
    history = recorded(SAMPLED, 300)
    view.show_history(history)
    iterations = history.changes().iterations
    view.show_generalisation(iterations, np.linspace(0.5, 0.01, len(iterations)))
    settle(view)
    items = view.items
    pens = [curve.opts["pen"] for curve in (items.error, items.generalisation, items.leaves, items.ors)]
    for one, other in (pens[:2], pens[2:]):  # of the errors, and of the sizes in the plot below
        assert one.color() != other.color()
        assert one.style() != other.style()
    assert [(entry.colour, entry.text) for entry in view.legend.entries][1] == (
        pens[1].color().name(),
        "generalisation error × 100",
    )


def test_threshold_and_limit_are_labelled_lines(view):
    view.show_history(recorded(SHORT.replaced(accept_error=3)))
    settle(view)
    assert view.items.accept.value() == 2  # log2(3 + 1)
    assert view.area.top.right.ticks_for(-1, 9, 5) == [(2.0, "goal 3")]
    assert view.items.limit.value() == 9
    assert view.area.low.right.ticks_for(0, 10, 5) == [(9, "limit 9")]


def test_threshold_and_limit_are_drawn_as_far_as_they_held(view):
    """The label is that of the last ones in view."""
    begun = recorded(SHORT).beginning(20)
    forked = begun.beginning(20, SHORT.replaced(limit="13", accept_error=3))
    grow(forked, 20)
    view.show_history(forked)
    settle(view)
    x, y = view.items.limit_stretches.getData()
    low, high = view.visible_range
    assert (x.tolist(), y.tolist()) == ([low, 20, 20, high], [9, 9, 13, 13])
    assert view.items.accept_stretches.getData()[1].tolist() == [0, 0, 2, 2]
    assert not view.items.limit.isVisible()
    assert not view.items.accept.isVisible()
    assert view.area.low.right.ticks_for(0, 20, 5) == [(13, "limit 13"), (8, "n = 8")]
    view._range = (1, 10)
    view._redraw()
    assert (view.items.limit.isVisible(), view.items.limit.value()) == (True, 9)
    assert not view.items.limit_stretches.isVisible()
    assert view.area.low.right.ticks_for(0, 20, 5) == [(9, "limit 9")]


def test_a_stretch_without_a_limit_has_no_line(view):
    forked = recorded(SHORT).beginning(20).beginning(20, SHORT.replaced(limit="inf"))
    view.show_history(forked)
    settle(view)
    x, y = view.items.limit_stretches.getData()
    assert (x.tolist(), y.tolist()) == ([view.visible_range[0], 20], [9, 9])
    assert view.area.low.right.ticks_for(0, 20, 5) == [(8, "n = 8")]


def test_without_a_limit_there_is_no_line(view):
    view.show_history(recorded(SHORT.replaced(limit="inf")))
    settle(view)
    assert not view.items.limit.isVisible()
    assert view.area.low.right.ticks_for(-1, 10, 5) == [(8, "n = 8")]


def test_a_sampled_run_shows_both_errors(view):
    history = recorded(SAMPLED, 300)
    view.resize(900, 700)
    view.show_history(history)
    iterations = history.changes().iterations
    shares = np.linspace(0.5, 0.01, len(iterations))
    shares[0] = np.nan
    view.show_generalisation(iterations, shares)
    settle(view)
    x, y = view.items.generalisation.getData()
    assert x[-1] == 300
    assert y[-1] == pytest.approx(np.log2(0.01 * 100 + 1))
    texts = [entry.text for entry in view.legend.entries]
    assert "sampled error" in texts
    assert "generalisation error × 100" in texts
    assert view.area.top.left.labelText == "wrong rows of 100 sampled"
    view._on_hovered(300.0)
    assert view._readout.text.endswith("generalisation error 0.01")
    view._on_hovered(0.0)
    assert "generalisation" not in view._readout.text


def test_another_run_starts_afresh(view):
    view.show_stuck_since(133)
    view.show_cursor(100)
    wheel(view, 100, 4)
    view.show_history(recorded(SAMPLED, 50))
    view.show_generalisation(np.array([0]), np.array([0.5]))
    view.show_history(recorded(SHORT, 30))
    settle(view)
    assert view.is_following
    assert view.iteration == 0
    assert not view.items.stuck[0].isVisible()
    assert not view.items.generalisation.isVisible()
    assert view.items.error.getData()[0][-1] == 30


@pytest.mark.parametrize("iterations", [0, 1])
def test_a_run_that_has_hardly_begun_can_be_shown(view, qtbot, iterations):
    view.show_history(recorded(SHORT, iterations))
    settle(view)
    assert view.visible_range[1] >= 10
    with qtbot.waitSignal(view.iteration_chosen) as chosen:
        qtbot.mouseClick(view.area.viewport(), LEFT, pos=place_of(view, 8))
    assert chosen.args == [iterations]
    view._on_hovered(0.0)
    assert view._readout.text == "t = 0 · no tree yet · 0 leaves · 0 ∨ · 0 of 8 variables"
    view.grab()


def test_errors_of_128_variables_are_shown_on_both_scales(view):
    history = recorded(RunConfig(n=128, seed=1), 60)
    view.show_history(history)
    settle(view)
    highest = view.items.error.getData()[1].max()
    assert highest**2 == pytest.approx(127, abs=1.01)
    assert "10³⁰" in tick_labels(view)
    view.set_log_scale(False)
    settle(view)
    assert tick_labels(view)[-1].endswith("·10³⁸")
    view.grab()


def test_a_long_run_is_taken_in_bit_by_bit(view, qtbot):
    history = long_history(30)
    view.show_history(history)
    assert view._series.length < len(history)
    qtbot.waitUntil(lambda: view._series.length == len(history))
    settle(view)
    assert view.items.leaves.getData()[0][-1] == pytest.approx(len(history), abs=200)
    assert any(", 1 of " in entry.text for entry in view.legend.entries)


def test_a_hidden_view_catches_up_when_it_is_shown(view):
    view.hide()
    grow(view._series.history, 100)
    view.refresh()
    assert view._series.length == 200
    view.show()
    assert view._series.length == 300


def test_before_there_is_a_run_everything_can_be_called(qtbot):
    view = CurvesView()
    view.set_theme(load_theme("dark"))
    qtbot.addWidget(view)
    view.show()
    view.refresh()
    view.show_cursor(0)
    view.show_generalisation(np.array([0]), np.array([1.0]))
    view.set_log_scale(False)
    view.reset_view()
    qtbot.mouseClick(view.area.viewport(), LEFT, pos=QPoint(300, 50))
    view._on_hovered(1.0)
    settle(view)
    assert view.visible_range[1] > 0


def test_a_start_formula_has_an_error_at_iteration_zero(view):
    view.show_history(History(SHORT, recorded().tree_at(60)))
    settle(view)
    view._on_hovered(0.0)
    assert "error" in view._readout.text


@pytest.mark.parametrize("config", [SHORT, SAMPLED], ids=["exact", "sampled"])
@pytest.mark.parametrize("seen", [0, 1, 40])
def test_with_what_is_ahead_hidden_they_look_as_if_the_run_ended_at_the_cursor(qtbot, view, config, seen):
    shorter = CurvesView()
    qtbot.addWidget(shorter)
    shorter.resize(view.size())
    shorter.show()
    shorter.show_history(recorded(config, seen))
    shorter.show_cursor(seen)
    view.show_history(recorded(config, 150))
    view.show_stuck_since(seen + 1)
    view.show_cursor(seen)
    settle(view)
    settle(shorter)
    assert view.grab().toImage() != shorter.grab().toImage()
    view.set_ahead_hidden(True)
    settle(view)
    assert view.visible_range == shorter.visible_range
    assert view.grab().toImage() == shorter.grab().toImage()
    assert view._snapped(1e6) == seen
    view.show_cursor(seen + 2)
    settle(view)
    assert view.items.stuck[0].isVisible()
    view.set_ahead_hidden(False)
    settle(view)
    assert view.visible_range[1] >= 150


@pytest.mark.parametrize("n", [30, 60, 200])
def test_a_run_whose_errors_have_many_digits_has_a_log_scale_until_a_person_wants_another(view, n):
    view.set_log_scale(False)
    history = recorded(RunConfig(n=n, seed=1), 50)
    view.show_history(history)
    assert view.is_log_scale
    view.set_log_scale(False)
    assert not view.is_log_scale
    grow(history, 50)
    view.refresh()
    assert not view.is_log_scale
    view.show_history(recorded(SHORT))
    assert not view.is_log_scale
    assert view._scale_button.text() == "linear"


def test_a_run_of_many_variables_whose_errors_are_small_has_the_scale_that_is_preferred(view):
    view.set_log_scale(False)
    nearly_solved = " & ".join(f"x{variable}" for variable in range(1, 198))
    config = RunConfig(n=200, seed=1)
    history = History(config, parse(nearly_solved, 200))
    view.show_history(history)
    assert not view.is_log_scale
    view.set_log_scale(True)
    assert view._scale_button.text() == "log"


def test_a_growing_run_has_a_log_scale_from_the_iteration_on_that_asks_for_it(view, qtbot):
    view.set_log_scale(False)
    history = History(RunConfig(n=60, seed=1))
    view.show_history(history)
    assert not view.is_log_scale
    grow(history, 5)
    with qtbot.waitSignal(view.log_scale_adapted) as told:
        view.refresh()
    assert told.args == [True]
    assert view.is_log_scale


@pytest.mark.parametrize(("n", "name"), [(8, "log"), (30, "log"), (60, "√log"), (200, "√log")])
def test_button_and_axis_say_which_scale_is_drawn(view, n, name):
    view.show_history(recorded(RunConfig(n=n, seed=1), 50))
    settle(view)
    assert view._scale_button.text() == name
    assert ("square root" in view._scale_button.toolTip()) is (name == "√log")
    assert view.area.top.left.labelText.endswith("√log") is (name == "√log")
    view.set_log_scale(False)
    settle(view)
    assert view._scale_button.text() == "linear"
    assert "√log" not in view.area.top.left.labelText
