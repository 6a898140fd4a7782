"""The comparison's window: what is compared, what the headings say, what the keys do, and that it ends cleanly."""

import math
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtTest import QTest

from gpviz.app.compare import window as window_module
from gpviz.app.compare.lane_form import LaneForm
from gpviz.app.compare.window import CompareWindow
from gpviz.app.lanes.recorded_lane import RecordedLane
from gpviz.app.player.pacing import speed_text
from gpviz.app.theme import load_theme
from gpviz.engine import GpvizError, RunConfig, TooComplexError
from gpviz.runs.history import Generalisation, History
from gpviz.runs.presets import LaneSpec, find_comparison, load_comparisons
from gpviz.runs.show_request import ShowRequest
from tests.runs import runs

LEAF, SUBTREE = find_comparison("leaf-or-subtree").lanes
LONG = "Größenbeschränkung aufgehoben, Teilbaumlöschung eingeschaltet"
ENDLESS = RunConfig(n=5, limit="4", fitness="sampled", rows=2000, sampler="counts", seed=1)


@pytest.fixture
def window(qtbot):
    made = CompareWindow()
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    yield made
    made.shut_down()


def recorded(config: RunConfig, iterations: int) -> History:
    return runs.recorded(config, iterations)[2]


def play_out(window: CompareWindow, qtbot) -> None:
    window.player.set_speed(math.inf)
    window.player.play()
    qtbot.waitUntil(lambda: not window.player.is_playing)


def test_it_opens_with_the_first_comparison_at_its_start(window):
    first = load_comparisons()[0]
    assert window.choice.currentText() == first.title
    assert window.explanation.text() == first.explanation
    assert [view.label for view in window.views] == [lane.label for lane in first.lanes]
    assert (window.player.cursor, window.player.speed) == (0, first.speed)
    assert not window.player.is_playing


def test_every_shipped_comparison_can_be_chosen_from_the_list(window):
    for comparison in load_comparisons():
        window.choice.set_value(comparison.name)
        assert [view.run.config for view in window.views] == [lane.config for lane in comparison.lanes]
        assert window.transport.speed_label.text() == speed_text(comparison.speed)
        assert comparison.title in window.windowTitle()


def test_the_headings_say_what_differs_and_how_each_run_stands(window, qtbot):
    play_out(window, qtbot)
    leaf, subtree = window.views
    assert leaf.difference_view.text() == "leaf deletion · AND₈ · limit n+1 = 9 leaves · seed 69285"
    assert subtree.difference_view.text() == "with subtree deletion"
    assert (leaf.chip.kind, leaf.chip.text) == ("stuck", "stuck since iteration 81")
    assert (subtree.chip.kind, subtree.chip.text) == ("solved", "solved in iteration 128")
    assert leaf.numbers_view.text() == "error 1 · 9/9 leaves"
    assert window.position.text() == "t = 128 of 128 · 2 of 2 runs have ended"


def test_a_run_that_has_ended_holds_its_last_tree_and_says_so(window, qtbot):
    play_out(window, qtbot)
    window.player.go_to(100)
    leaf, subtree = window.views
    assert leaf.iteration == 81
    assert leaf.chip.text == "stuck since iteration 81"
    assert leaf.canvas.moment.tree is leaf.run.history.tree_at(81)
    assert subtree.chip.text == "searching"
    assert window.position.text() == "t = 100 of 128 · 1 of 2 runs have ended"
    window.player.go_to(80)
    assert leaf.chip.text == "searching"
    window.player.go_first()
    assert leaf.chip.text == "start"


def test_the_end_of_a_run_is_shown_while_the_others_play_on(window, qtbot):
    window.compare([SUBTREE, LaneSpec(label="Endless", config=ENDLESS)])
    window.player.set_speed(math.inf)
    window.player.play()
    view = window.views[0]
    qtbot.waitUntil(lambda: view.chip.kind == "solved" and window.player.cursor > 300)
    qtbot.waitUntil(lambda: view.canvas.moment.tree is view.run.history.tree_at(128))
    assert window.player.is_playing
    assert len(view.run.history) == 128


def test_the_keys_are_those_of_the_main_window(window, qtbot):
    _, first, second = recorded(LEAF.config, 40).changes().iterations.tolist()[:3]  # so far both are the same
    keys = [
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, 1),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, 2),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, 1),
        (Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier, 2),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier, 0),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier, first),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier, second),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier, first),
    ]
    for key, modifier, expected in keys:
        QTest.keyClick(window, key, modifier)
        qtbot.waitUntil(lambda expected=expected: window.player.cursor == expected)
        qtbot.waitUntil(lambda: window.player.is_settled)
    speed = window.player.speed
    QTest.keyClick(window, Qt.Key.Key_Plus)
    assert window.player.speed > speed
    QTest.keyClick(window, Qt.Key.Key_Minus)
    assert window.transport.speed_label.text() == speed_text(speed)
    QTest.keyClick(window, Qt.Key.Key_Space)
    assert window.player.is_playing
    assert window.actions_by_name["play"].text() == "&Pause"
    QTest.keyClick(window, Qt.Key.Key_Space)
    assert not window.player.is_playing
    qtbot.waitUntil(lambda: window.player.is_settled)


def test_what_leads_nowhere_cannot_be_asked_for(window, qtbot):
    actions = window.actions_by_name
    assert not actions["previous"].isEnabled()
    assert actions["next"].isEnabled()
    play_out(window, qtbot)
    assert actions["previous"].isEnabled()
    assert not actions["next"].isEnabled()
    assert not actions["play"].isEnabled()


def test_recorded_runs_are_compared_with_what_is_recorded_of_them(window):
    lanes = [RecordedLane("Leaf", recorded(LEAF.config, 90), stuck_since=81), SUBTREE]
    window.compare(lanes, "Two branches", "They part.", cursor=0)
    assert [len(view.run.history) for view in window.views] == [90, 0]
    assert window.explanation.text() == "They part."
    assert window.choice.currentText() == "Runs of your own choice"


def test_too_few_or_too_many_runs_are_a_sentence_and_change_nothing(window):
    before = list(window.views)
    for count in (1, 5):
        with pytest.raises(GpvizError, match="from 2 to 4 runs can be compared"):
            window.compare([LEAF] * count)
    assert window.views == before


def test_a_run_that_cannot_go_on_is_a_sentence_and_leaves_no_thread(window, monkeypatch):
    """That no thread is left is seen after every test."""

    def fail(*_args: object) -> None:
        raise TooComplexError

    before = list(window.views)
    monkeypatch.setattr("gpviz.app.player.player.search_at", fail)
    with pytest.raises(GpvizError):
        window.compare([LEAF, RecordedLane("Leaf", recorded(LEAF.config, 9))])
    assert window.views == before


def test_the_run_on_show_is_offered_and_compared_with_the_other_deletion_where_it_is(window, qtbot):
    curve = Generalisation()
    window.compare_run_on_show()  # nothing was offered
    window.offer_run(RecordedLane("Mine", recorded(LEAF.config, 20), curve), 0)
    window.offer_run(RecordedLane("Mine", recorded(LEAF.config, 30), curve), 12)
    window.choice.set_value("on-show")
    assert [view.label for view in window.views] == ["Mine", "Subtree deletion"]
    assert [view.run.config.deletion for view in window.views] == ["leaf", "subtree"]
    assert len(window.views[0].run.history) == 30
    assert window.choice.findText("The run in the main window") == 0
    assert window.player.cursor == 12
    qtbot.waitUntil(lambda: [view.iteration for view in window.views] == [12, 12])


def test_a_first_run_with_a_start_says_so_and_what_differs_comes_before_the_rest(window):
    config = LEAF.config
    start = "x1 & x2"
    lanes = [
        LaneSpec(label=f"{seed}", config=config.replaced(seed=seed), start=start) for seed in range(1, 5)
    ]
    window.compare(lanes)
    texts = [view.difference_view.text() for view in window.views]
    assert texts[0].startswith("seed 1 · AND₈ · ")
    assert texts[0].endswith("starts from a given tree")
    assert texts[1:] == ["with seed 2", "with seed 3", "with seed 4"]


@pytest.mark.parametrize(("room", "is_all"), [((1024, 768), True), ((1920, 1050), False)])
def test_on_a_low_screen_the_window_has_all_of_it(qtbot, monkeypatch, room, is_all):
    class Screen:
        def availableGeometry(self) -> QRect:  # noqa: N802
            return QRect(0, 0, *room)

    monkeypatch.setattr(CompareWindow, "screen", lambda _window: Screen())
    made = CompareWindow()
    qtbot.addWidget(made)
    assert made.isMaximized() == is_all
    assert made.width() <= room[0]
    assert made.height() <= room[1]
    assert made.minimumSizeHint().width() <= room[0]
    assert made.minimumSizeHint().height() <= room[1]
    made.shut_down()


def test_a_lane_is_opened_elsewhere_where_it_is_on_show(window, qtbot):
    play_out(window, qtbot)
    window.player.go_to(100)
    with qtbot.waitSignal(window.run_requested) as asked:
        window.views[0].open_action.trigger()
    assert asked.args == [ShowRequest(run=LEAF.config, iteration=81)]
    branch = ShowRequest(run=LEAF.config, branch=7)
    window.compare([RecordedLane("Leaf", recorded(LEAF.config, 9), request=branch), SUBTREE])
    with qtbot.waitSignal(window.run_requested) as asked:
        window.views[0].open_action.trigger()
    assert asked.args == [replace(branch, iteration=0)]


def test_lanes_are_added_up_to_four_and_removed_down_to_two(window, qtbot):
    for seed in (1, 2):
        assert window.add_button.isEnabled()
        window.add_lane(LaneSpec(label=f"Seed {seed}", config=LEAF.config.replaced(seed=seed)))
    assert not window.add_button.isEnabled()
    with pytest.raises(GpvizError, match="from 2 to 4"):
        window.add_lane(LEAF)
    window.views[1].remove_action.trigger()
    window.views[1].remove_action.trigger()
    assert [view.label for view in window.views] == ["Leaf deletion", "Seed 2"]
    assert not window.views[0].remove_action.isEnabled()


def test_a_run_that_is_added_catches_up_with_the_others_which_lose_nothing(window, qtbot):
    play_out(window, qtbot)
    window.player.go_to(60)
    window.add_lane(LaneSpec(label="New", config=SUBTREE.config.replaced(seed=4)))
    qtbot.waitUntil(lambda: window.views[2].iteration == min(60, len(window.views[2].run.history)) > 0)
    assert [len(view.run.history) for view in window.views[:2]] == [81, 128]
    assert window.player.cursor == 60


def test_a_new_label_keeps_the_run_and_other_settings_make_another(window, qtbot):
    play_out(window, qtbot)
    run = window.views[1].run
    window.change_lane(1, LaneSpec(label="Renamed", config=SUBTREE.config))
    assert window.views[1].run is run
    assert window.curves.legend.labels == ("Leaf deletion", "Renamed")
    window.change_lane(1, LaneSpec(label="Other", config=SUBTREE.config.replaced(limit="inf")))
    assert window.views[1].run is not run
    assert window.views[1].difference_view.text() == "with no size limit · subtree deletion"


def form_of(window: CompareWindow) -> Any:
    (form,) = [form for form in window.findChildren(LaneForm) if form.isVisible()]
    return form


def test_the_form_adds_and_changes_runs(window, qtbot):
    window.add_button.click()
    form = form_of(window)
    assert form.label_field.text() == "Seed 69286"
    form.fields["deletion"].set_value("subtree")
    assert form.label_field.text() == "Subtree deletion, seed 69286"
    form.accept()
    assert window.views[2].run.config == LEAF.config.replaced(seed=69286, deletion="subtree")
    window.views[0].edit_action.trigger()
    form_of(window).reject()
    assert len(window.views) == 3
    window.views[2].edit_action.trigger()
    form_of(window).fields["limit"].setEditText("inf")
    form_of(window).accept()
    assert window.views[2].run.config.max_leaves is None


def test_the_menu_of_a_lane_opens_by_its_button(window, monkeypatch):
    view = window.views[0]
    opened: list[object] = []
    monkeypatch.setattr(view._menu, "popup", opened.append)  # a real one needs a screen
    view.menu_button.click()
    assert len(opened) == 1
    assert [action.text() for action in view._menu.actions()] == [
        "&Change this run …",
        "&Open in the main window",
        "&Remove this run",
    ]


def test_a_click_on_the_curves_moves_all_cursors(window, qtbot):
    play_out(window, qtbot)
    plot = window.curves.error_plot
    qtbot.waitUntil(lambda: plot.curves[0].xData is not None and len(plot.curves[0].xData) > 1)
    place = plot.mapFromScene(plot.plot.box.mapViewToScene(QPointF(40.0, 1.0)))
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert abs(window.player.cursor - 40) <= 1
    assert {view.iteration for view in window.views} == {window.player.cursor}
    further = plot.mapFromScene(plot.plot.box.mapViewToScene(QPointF(60.0, 1.0)))
    QTest.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseMove(plot.viewport(), further)
    qtbot.waitUntil(lambda: abs(window.player.cursor - 60) <= 1)
    QTest.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=further)
    QTest.mouseDClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=further)
    assert abs(window.player.cursor - 60) <= 1


def test_the_mouse_over_the_curves_tells_the_values_of_all_runs(window, qtbot):
    play_out(window, qtbot)
    window.curves.error_plot.hovered.emit(100.2)
    assert window.curves._readout.text == "t = 100 · A: error 1, 9 leaves · B: error 1, 9 leaves"
    window.curves.error_plot.mouse_left.emit()
    assert window.curves._readout.isHidden()


def test_the_leaves_are_shown_beside_the_errors_or_not(window, qtbot):
    assert window.curves.leaves_plot.isVisible()
    window.curves.leaves_button.click()
    assert not window.curves.leaves_plot.isVisible()
    window.curves.leaves_button.click()
    assert window.curves.leaves_plot.isVisible()


def test_curves_are_told_apart_by_colour_and_by_line(window, qtbot):
    window.show_comparison(find_comparison("four-seeds"))
    play_out(window, qtbot)
    plot = window.curves.error_plot
    qtbot.waitUntil(lambda: len(plot.curves) == 4 and all(len(curve.xData) > 1 for curve in plot.curves))
    pens = [curve.opts["pen"] for curve in plot.curves]
    assert len({pen.color().name() for pen in pens}) == 4
    assert len({pen.style() for pen in pens}) == 4
    assert [curve.xData[-1] for curve in plot.curves] == [107, 31, 66, 42]
    spots = [(spot.pos().x(), spot.pos().y()) for spot in plot.marks.points()]
    assert spots == [(107, 0), (31, 0), (66, 1), (42, 0)]
    assert plot.cursor_line.value() == 107


def test_lanes_are_side_by_side_and_four_of_them_in_two_rows_where_that_gives_larger_trees(window, qtbot):
    for count, size, columns in (
        (2, (1280, 720), 2),
        (3, (1280, 720), 3),
        (4, (1280, 720), 4),
        (4, (900, 1100), 2),
    ):
        specs = [LaneSpec(label=f"{LONG} {n}", config=LEAF.config.replaced(seed=n)) for n in range(count)]
        window.compare(specs)
        window.resize(*size)
        qtbot.waitUntil(lambda columns=columns: len({view.x() for view in window.views}) == columns)
        qtbot.waitUntil(
            lambda: max(v.width() for v in window.views) - min(v.width() for v in window.views) <= 2
        )
        assert max(view.geometry().right() for view in window.views) <= window.grid.width()


def test_reduced_motion_holds_for_lanes_that_come_later(window):
    window.set_reduced_motion(True)
    window.show_comparison(find_comparison("four-seeds"))
    assert all(view.canvas._is_motion_reduced for view in window.views)


def test_closing_while_playing_ends_everything(qtbot):
    window = CompareWindow()
    window.set_theme(load_theme("dark"))
    qtbot.addWidget(window)
    window.show()
    window.compare([LaneSpec(label=f"{seed}", config=ENDLESS.replaced(seed=seed)) for seed in range(4)])
    window.player.set_speed(math.inf)
    window.player.play()
    qtbot.waitUntil(lambda: window.player.cursor > 50)
    with qtbot.waitSignal(window.closed):
        window.close()
    assert not any(run.is_running for run in window.player.runs)
    window.shut_down()  # once more does no harm


def test_closing_with_a_form_open_is_safe(qtbot):
    window = CompareWindow()
    qtbot.addWidget(window)
    window.show()
    window.add_button.click()
    form = form_of(window)
    window.close()
    assert not form.isVisible()


def test_a_run_that_cannot_go_on_is_told_in_the_window(window):
    window.player.problem_met.emit("The tree is too large.")
    assert window.statusBar().currentMessage() == "The tree is too large."


def test_space_on_a_button_is_the_buttons_own(window, qtbot, qapp):
    button = window.transport.buttons["next"]
    button.setFocus()
    qtbot.waitUntil(lambda: qapp.focusWidget() is button)
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert not window.player.is_playing
    qtbot.waitUntil(lambda: window.player.cursor == 1)


def test_labels_that_find_no_room_are_cut_in_the_legend_and_whole_in_the_tooltip(window):
    legend = window.curves.legend
    legend.set_labels([LONG, "Short", LONG])
    legend.resize(500, legend.height())
    first, short, last = legend.shown()
    assert short == "B  Short"
    assert first.endswith("…")
    assert last.endswith("…")
    assert LONG in legend.toolTip()
    legend.resize(2500, legend.height())
    assert legend.shown()[0] == f"A  {LONG}"


def given_scenes(window) -> list[tuple[str, list[Any]]]:
    given: list[tuple[str, list[Any]]] = []
    window.scene_given.connect(lambda title, lanes: given.append((title, lanes)))
    return given


def test_a_comparison_goes_to_the_lecture_as_far_as_it_has_come(window, qtbot):
    given = given_scenes(window)
    play_out(window, qtbot)
    window.lecture_button.click()
    ((title, lanes),) = given
    assert title == "Leaf or subtree deletion, one seed"
    assert [(label, run.iterations, branch) for label, run, branch in lanes] == [
        ("Leaf deletion", 81, 0),
        ("Subtree deletion", 128, 0),
    ]
    assert [run.config for _, run, _ in lanes] == [LEAF.config, SUBTREE.config]


def test_what_cannot_go_to_the_lecture_is_said(window, qtbot, monkeypatch):
    problems: list[str] = []
    monkeypatch.setattr(window_module, "show_problem", lambda _parent, text: problems.append(text))
    given = given_scenes(window)
    window.lecture_button.click()
    assert problems == ["The runs have no iterations yet; play them first."]
    history = recorded(LEAF.config, 20)
    branch = RecordedLane("Rescue", history, request=ShowRequest(run=LEAF.config, branch=2))
    window.compare([RecordedLane("Plain", history), branch], cursor=10)
    window.lecture_button.click()
    assert problems[1:] == [
        "“Rescue” is a branch; capture it as a scene in the main window, and compare it on the page Scenes."
    ]
    assert not given
