"""Lecture mode as a whole, driven by keys as a speaker would."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from gpviz.app.dialogs.command_finder import CommandFinder
from gpviz.app.lecture.audience_window import BlankKind
from gpviz.app.lecture.lecture_keys import LectureCommand
from gpviz.app.lecture.lecture_mode import LectureMode, screens_for
from gpviz.app.lecture.spotlight import PointerKind
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.tasks import is_any_task_busy
from gpviz.app.theme import load_theme
from gpviz.app.widgets.themed import set_program_theme
from gpviz.engine import RunConfig
from gpviz.lecture.lecture import Lecture, Scene, SceneCaption
from gpviz.page_list import page_info, scene_pages
from gpviz.runs import replay as replay_module
from tests.app.lecture.contents import COMPARISON
from tests.app.lecture.lectures import (
    TEXT,
    adopt,
    branched_file,
    lecture,
    ready,
    run_file,
    stuck_file,
    usual,
)

KEY = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
RUN = RunConfig(n=6, seed=11)
"""Its iterations after the twentieth change something, so that they can be guessed."""
BROKEN = replace(run_file(), fingerprint="sha256:" + "0" * 64)


@pytest.fixture
def player(player):
    adopt(player, ready(RUN), 20)
    return player


@pytest.fixture
def quiz(player):
    made = QuizController(player, None)
    yield made
    made.close()


def begin(mode: Any, qtbot, talk: Lecture | None = None, at: int = 0, **options) -> None:
    mode.start_lecture(talk or usual(), at, **options)
    qtbot.waitUntil(lambda: not mode.scene_player.is_waiting and not is_any_task_busy())


def press(mode: LectureMode, *keys: Qt.Key, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    for key in keys:
        QTest.keyClick(mode.audience, key, modifiers)


def blank_kind(mode: Any) -> BlankKind:
    return mode.audience.blank_screen.blank_kind


def pointing(mode: Any) -> PointerKind:
    return mode.audience.spotlight.pointing


def position(mode: Any) -> tuple[int, int]:
    return mode.scene_player.index, mode.player.cursor


# --- a run ---


def test_the_run_on_show_is_shown_full_screen_until_it_is_left(mode, player, quiz, home, qtbot):
    mode.start_plain(player, quiz)
    assert mode.is_active
    assert mode.audience.isFullScreen()
    assert mode.audience.canvas.moment.iteration == 20
    press(mode, KEY.Key_PageDown, KEY.Key_Right, KEY.Key_PageUp)
    assert player.cursor == 21
    assert mode.audience.caption.position == "t = 21"
    press(mode, KEY.Key_Home)
    assert player.cursor == 0
    press(mode, KEY.Key_End)
    assert player.cursor == 40
    press(mode, KEY.Key_PageUp, modifiers=SHIFT)
    assert player.cursor == player.run.history.changes().iterations[-1]
    press(mode, KEY.Key_F5, KEY.Key_Home)
    press(mode, KEY.Key_Space)
    assert player.is_playing
    press(mode, KEY.Key_Space)
    assert not player.is_playing
    cursor = player.cursor
    press(mode, KEY.Key_Escape)
    assert not mode.is_active
    assert player.cursor == cursor
    qtbot.waitUntil(home.isActiveWindow)


def test_a_large_tree_is_shown_around_its_mutation_or_as_a_whole(mode, player, quiz):
    adopt(player, ready(RunConfig(n=64, seed=2), 700))
    mode.start_plain(player, quiz)
    canvas = mode.audience.canvas
    near = canvas.zoom
    press(mode, KEY.Key_0)
    assert canvas.zoom.scale < near.scale
    press(mode, KEY.Key_0)
    assert canvas.zoom == near


# --- a lecture ---


def test_a_lecture_is_played_through_with_the_clicker(mode, qtbot):
    begin(mode, qtbot)
    audience = mode.audience
    assert position(mode) == (0, 0)
    press(mode, *[KEY.Key_PageDown] * 3)
    assert position(mode) == (0, 3)
    press(mode, KEY.Key_PageDown)
    assert mode.scene_player.index == 1
    assert audience.text.markdown == TEXT
    assert not audience.canvas.isVisible()
    press(mode, KEY.Key_Space)
    assert position(mode) == (2, 0)
    assert audience.caption.text.startswith("The start: ")
    assert audience.panels == ("caption", "curves")
    qtbot.waitUntil(lambda: audience.canvas.state == "STUCK")
    press(mode, KEY.Key_PageDown, KEY.Key_PageDown)
    assert (audience.caption.text, audience.caption.position) == ("No way out.", "t = 2")
    press(mode, KEY.Key_PageDown)
    assert blank_kind(mode) is BlankKind.END
    press(mode, *[KEY.Key_PageDown] * 30)
    assert mode.is_active
    press(mode, KEY.Key_PageUp)
    assert blank_kind(mode) is BlankKind.OPEN
    assert position(mode) == (2, 2)
    press(mode, KEY.Key_PageUp, modifiers=SHIFT)
    assert mode.scene_player.index == 1
    press(mode, KEY.Key_PageDown, modifiers=SHIFT)
    assert mode.scene_player.index == 2
    press(mode, KEY.Key_Home)
    press(mode, KEY.Key_PageUp, modifiers=SHIFT)
    assert mode.scene_player.index == 0
    press(mode, KEY.Key_2)
    assert "curves" in audience.panels
    press(mode, KEY.Key_PageDown, KEY.Key_F5)
    assert position(mode) == (0, 0)
    assert audience.panels == ("caption",), "what was shown by hand goes with the scene"
    for command, cursor in ((LectureCommand.HELD_NEXT, 3), (LectureCommand.HELD_BACK, 0)):
        for _ in range(30):
            mode.perform(command)
        assert position(mode) == (0, cursor), "a key held down goes on within the scene only"
    press(mode, KEY.Key_End)
    assert mode.scene_player.index == 2


def test_a_branch_of_a_run_can_be_shown(mode, qtbot):
    talk = lecture(Scene(title="a", branch=3, first=70, last=80), runs=(branched_file(),))
    begin(mode, qtbot, talk)
    assert len(mode.player.run.history) == 80
    assert mode.player.cursor == 70


def test_while_its_run_is_prepared_the_first_scene_says_so(mode, qtbot, monkeypatch):
    monkeypatch.setattr(replay_module, "_PROGRESS_ITERATIONS", 1)
    talk = lecture(Scene(title="Long", first=0, last=3), runs=(run_file(6000),))
    mode.start_lecture(talk)
    blank_screen = mode.audience.blank_screen
    assert (blank_screen.blank_kind, blank_screen.title) == (BlankKind.WORDS, "Preparing “Long” …")
    qtbot.waitUntil(
        lambda: "of 6,000 iterations" in blank_screen.words or blank_screen.blank_kind is BlankKind.OPEN
    )
    qtbot.waitUntil(lambda: blank_screen.blank_kind is BlankKind.OPEN)
    assert mode.player.cursor == 0


def test_leaving_while_runs_are_prepared_leaves_nothing_behind(mode):
    mode.start_lecture(lecture(Scene(title="Long"), runs=(run_file(6000),)))
    press(mode, KEY.Key_PageDown)
    press(mode, KEY.Key_Escape)
    assert not mode.is_active


def test_a_run_that_does_not_replay_is_reported_and_the_lecture_goes_on(mode, qtbot):
    reports: list[str] = []
    mode.reported.connect(reports.append)
    talk = lecture(Scene(title="Broken"), Scene(title="Fine", run=1), runs=(BROKEN, stuck_file()))
    mode.start_lecture(talk)
    qtbot.waitUntil(lambda: bool(reports))
    assert "does not replay" in reports[0]
    assert "cannot be shown" in mode.audience.blank_screen.title
    press(mode, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: not mode.scene_player.is_waiting)
    assert blank_kind(mode) is BlankKind.OPEN


def test_a_lecture_without_scenes_does_not_begin(mode, qtbot):
    with qtbot.waitSignal(mode.problem_met) as met:
        mode.start_lecture(lecture())
    assert "scenes" in met.args[0]
    assert not mode.is_active


# --- blank, pointer, panels ---


def test_the_screen_is_blanked_and_any_click_brings_it_back_without_going_on(mode, qtbot):
    begin(mode, qtbot)
    for key in (KEY.Key_B, KEY.Key_PageDown, KEY.Key_PageUp, KEY.Key_Space, KEY.Key_Period):
        press(mode, KEY.Key_B)
        assert blank_kind(mode) is BlankKind.BLACK
        press(mode, key)
        assert (blank_kind(mode), position(mode)) == (BlankKind.OPEN, (0, 0))
    press(mode, KEY.Key_B, KEY.Key_W)
    assert blank_kind(mode) is BlankKind.WHITE
    press(mode, KEY.Key_W)
    assert blank_kind(mode) is BlankKind.OPEN


def test_something_is_pointed_at_by_keys(mode, player, quiz):
    mode.start_plain(player, quiz)
    spotlight = mode.audience.spotlight
    press(mode, KEY.Key_S)
    assert pointing(mode) is PointerKind.SPOTLIGHT
    spotlight.point_at(QPointF(300, 300))
    before = spotlight.radius
    press(mode, KEY.Key_Plus)
    assert spotlight.radius > before
    press(mode, KEY.Key_Minus, KEY.Key_Minus)
    assert spotlight.radius < before
    at = spotlight.position
    press(mode, KEY.Key_Right, KEY.Key_Down, modifiers=Qt.KeyboardModifier.AltModifier)
    assert spotlight.position.x() > at.x()
    assert spotlight.position.y() > at.y()
    press(mode, KEY.Key_Left, KEY.Key_Up, modifiers=Qt.KeyboardModifier.AltModifier)
    assert (spotlight.position - at).manhattanLength() < 1e-6
    press(mode, KEY.Key_L)
    assert pointing(mode) is PointerKind.LASER
    press(mode, KEY.Key_L)
    assert pointing(mode) is PointerKind.OFF
    assert player.cursor == 20


def test_panels_pages_type_and_theme_obey_their_keys(mode, player, quiz):
    mode.start_plain(player, quiz)
    audience = mode.audience
    press(mode, KEY.Key_1, KEY.Key_2, KEY.Key_5)
    assert audience.panels == ("curves",)
    first, second, *_ = (info.name for info in scene_pages())
    assert audience.page_name == first
    press(mode, KEY.Key_6, KEY.Key_0)
    assert audience.page_name == second
    before = audience.theme.font_size
    control = Qt.KeyboardModifier.ControlModifier
    press(mode, KEY.Key_BracketRight, modifiers=control)
    assert audience.theme.font_size > before
    press(mode, KEY.Key_BracketLeft, KEY.Key_BracketLeft, modifiers=control)
    assert audience.theme.font_size < before
    press(mode, KEY.Key_T, modifiers=control)
    assert audience.theme.name == "dark"


def test_the_keys_are_shown_in_the_theme_of_the_program(mode, player, quiz):
    set_program_theme(load_theme("dark"))
    mode.start_plain(player, quiz)
    press(mode, KEY.Key_Question, modifiers=SHIFT)
    (dialog,) = mode.audience.findChildren(CommandFinder)
    assert "Esc, Ctrl+W" in {row.keys for row in dialog.rows if not isinstance(row, str)}
    assert (dialog.theme.name, mode.audience.theme.name) == ("dark", "projector")
    dialog.reject()
    press(mode, KEY.Key_P)
    mode.perform(LectureCommand.KEYS)
    assert mode.presenter.findChildren(CommandFinder)


# --- the presenter's window ---


def test_the_presenters_window_follows_the_lecture(mode, qtbot):
    begin(mode, qtbot)
    assert not mode.presenter
    press(mode, KEY.Key_P)
    presenter = mode.presenter
    QTest.keyClick(presenter, KEY.Key_P)
    assert not presenter.isVisible()
    press(mode, KEY.Key_Tab)
    presenter.close()
    press(mode, KEY.Key_P)
    assert mode.presenter is presenter
    qtbot.waitUntil(presenter.isActiveWindow)
    size, notes = mode.audience.theme.font_size, presenter.notes.font().pointSizeF()
    QTest.keyClick(presenter, KEY.Key_BracketRight, Qt.KeyboardModifier.ControlModifier)
    assert mode.audience.theme.font_size == size
    assert presenter.notes.font().pointSizeF() > notes
    assert presenter.place_label.text() == "Scene 1 of 3: Steps"
    assert presenter.notes.toPlainText() == "Slowly."
    qtbot.waitUntil(lambda: presenter.next_title.text() == "Next: Iteration 1")
    QTest.keyClick(presenter, KEY.Key_PageDown)
    assert position(mode) == (0, 1)
    qtbot.waitUntil(lambda: presenter.next_title.text() == "Next: Iteration 2")
    QTest.keyClick(presenter, KEY.Key_B)
    assert presenter.state_label.text() == "Black screen"
    presenter.scene_list.setCurrentRow(1)
    assert (mode.scene_player.index, presenter.state_label.text()) == (1, "")
    qtbot.waitUntil(lambda: presenter.next_title.text() == "Next scene: Stuck")
    presenter.buttons[LectureCommand.LEAVE].click()
    assert not mode.is_active


def test_the_mouse_on_the_presenters_picture_points_in_the_audiences_window(mode, player, quiz):
    mode.start_plain(player, quiz)
    press(mode, KEY.Key_L, KEY.Key_P)
    mode.presenter.thumbnail.pointed.emit(QPointF(25, 50))
    assert mode.audience.spotlight.position == QPointF(25, 50)


def test_without_a_lecture_the_presenters_window_shows_the_run(mode, player, quiz, qtbot):
    mode.start_plain(player, quiz)
    press(mode, KEY.Key_P)
    presenter = mode.presenter
    qtbot.waitUntil(lambda: presenter.next_title.text() == "Next: Iteration 21")
    assert presenter.place_label.text().startswith("t = 20 of 40")
    QTest.keyClick(presenter, KEY.Key_End)
    sentence = "The next iteration is computed when you go on."
    qtbot.waitUntil(lambda: presenter.next_title.text() == sentence)
    assert not presenter.next_canvas.isVisible()


# --- rehearsing, windows, screens ---


def test_a_scene_that_plays_shows_its_caption_at_its_end(mode, qtbot):
    talk = lecture(Scene(title="Play", first=0, last=9, speed=1000.0, caption="Arrived."))
    begin(mode, qtbot, talk)
    qtbot.waitUntil(lambda: mode.player.cursor == 9 and not mode.player.is_playing)
    caption = mode.audience.caption
    qtbot.waitUntil(lambda: (caption.text, caption.position) == ("Arrived.", "t = 9"))
    press(mode, KEY.Key_PageUp)
    assert caption.text.startswith("The start: ")


def test_the_audience_can_have_a_window_instead_of_the_screen(mode, qtbot):
    begin(mode, qtbot)
    press(mode, KEY.Key_F)
    assert not mode.audience.isFullScreen()
    press(mode, KEY.Key_P, KEY.Key_F)
    assert mode.audience.isFullScreen()
    assert not mode.presenter.isVisible()


def test_closing_a_window_in_the_middle_leaves(mode, qtbot):
    begin(mode, qtbot, lecture(Scene(title="a", first=0, last=40, speed=20.0)))
    press(mode, KEY.Key_P)
    mode.audience.close()
    assert not mode.is_active
    mode.perform(LectureCommand.NEXT)
    mode.on_screens_changed()
    mode.stop()


def test_it_is_started_once_at_a_time_again_and_again(mode, player, quiz, qtbot):
    for _ in range(2):
        mode.start_plain(player, quiz)
        first = mode.audience
        mode.start_plain(player, quiz)
        mode.start_lecture(usual())
        assert (mode.audience, mode.scene_player) == (first, None)
        mode.stop()
        begin(mode, qtbot)
        mode.stop()


def test_the_audience_has_the_screen_where_the_program_is_not():
    screens: list[Any] = [object(), object(), object()]
    laptop, beamer, third = screens
    assert screens_for([laptop, beamer], laptop) == (beamer, laptop)
    assert screens_for([laptop, beamer], beamer) == (laptop, beamer)
    assert screens_for([laptop, beamer, third], beamer) == (laptop, beamer)
    assert screens_for([laptop], laptop) == (laptop, None)
    assert screens_for([laptop], beamer) == (laptop, None)
    assert screens_for([laptop, beamer], None) == (laptop, beamer)
    assert screens_for([], None) == (None, None)


def test_with_two_screens_the_presenters_window_is_there_at_once_and_an_unplugged_one_is_survived(
    mode, home, qtbot, monkeypatch
):
    screen = home.screen()
    pairs = iter([(screen, screen), (screen, None)])
    monkeypatch.setattr("gpviz.app.lecture.lecture_mode.screens_for", lambda *_: next(pairs))
    begin(mode, qtbot)
    assert mode.presenter.isVisible()
    mode.on_screens_changed()
    assert not mode.presenter.isVisible()
    assert mode.audience.isFullScreen()
    assert position(mode) == (0, 0)


# --- captions at chosen iterations ---


def test_the_speaker_sees_the_caption_that_comes_next(mode, qtbot):
    captions = (SceneCaption(1, "Here it comes."),)
    talk = lecture(Scene(title="Steps", last=3, captions=captions))
    begin(mode, qtbot, talk, is_rehearsal=True)
    assert not mode.audience.isFullScreen()
    label = mode.presenter.next_caption
    qtbot.waitUntil(lambda: label.text() == "Caption: Here it comes.")
    assert label.isVisible()
    press(mode, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: not label.isVisible())


# --- from part to part ---


def press_where_focus_is(mode: Any, key: Qt.Key, modifiers=Qt.KeyboardModifier.NoModifier) -> Any:
    QTest.keyClick(mode.audience.focusWidget(), key, modifiers)
    return mode.audience.focusWidget()


def test_f6_walks_the_parts_on_show_and_every_key_stays_the_speakers(mode, qtbot):
    scene = Scene(title="All", first=0, last=9, page="rows", panels=("caption", "curves"))
    begin(mode, qtbot, lecture(scene))
    audience = mode.audience
    audience.resize(1600, 800)
    assert audience.focusWidget() is audience
    parts = []
    for cursor in range(1, 5):
        parts.append(press_where_focus_is(mode, KEY.Key_F6))
        assert press_where_focus_is(mode, KEY.Key_Right) is parts[-1]
        assert mode.player.cursor == cursor
    canvas, page, *others = parts
    assert canvas is audience.canvas
    assert audience.page.isAncestorOf(page)
    assert others == [audience.strip, audience.caption]
    assert press_where_focus_is(mode, KEY.Key_F6) is audience
    for part in reversed(parts):
        assert press_where_focus_is(mode, KEY.Key_F6, SHIFT) is part
    assert press_where_focus_is(mode, KEY.Key_F6, SHIFT) is audience
    assert press_where_focus_is(mode, KEY.Key_F6, SHIFT) is audience.caption
    assert press_where_focus_is(mode, KEY.Key_1) is audience, "a part that is hidden gives the keyboard back"


# --- guess first ---


def hidden_in(mode) -> bool:
    return mode.audience.canvas.moment.is_verdict_hidden


def test_guess_first_asks_before_each_step_of_a_run(mode, player, quiz):
    mode.start_plain(player, quiz)
    press(mode, KEY.Key_Q)
    caption = mode.audience.caption
    assert caption.text.startswith("Guess first: ")
    press(mode, KEY.Key_PageDown)
    assert player.cursor == 20
    assert hidden_in(mode)
    assert caption.text.endswith(": accepted or rejected?")
    assert caption.position == "t = 21"
    assert caption.verdict is None
    mode.perform(LectureCommand.HELD_NEXT)
    assert mode.quiz.is_asking, "a key that is held down reveals nothing"
    press(mode, KEY.Key_Y)
    assert player.cursor == 21
    assert not hidden_in(mode)
    was_right = player.run.history.step_at(21).is_accepted
    assert caption.text.startswith("✓ Right (1 of 1). " if was_right else "✗ Wrong (0 of 1). ")
    press(mode, KEY.Key_PageDown, KEY.Key_PageDown)  # a question, and what happens, without a guess
    assert player.cursor == 22
    assert not caption.text.startswith(("✓", "✗"))
    press(mode, KEY.Key_Space)  # playing asks, too
    assert not player.is_playing
    assert hidden_in(mode)
    press(mode, KEY.Key_PageUp)
    assert player.cursor == 21
    assert not hidden_in(mode)
    press(mode, KEY.Key_Q, KEY.Key_PageDown)
    assert player.cursor == 22
    assert not hidden_in(mode)


def test_without_captions_what_is_asked_and_how_many_guesses_were_right_is_seen(mode, qtbot):
    begin(mode, qtbot, lecture(Scene(title="Steps", last=3, panels=())))
    caption = mode.audience.caption
    assert not caption.isVisible()
    press(mode, KEY.Key_Q)
    assert caption.isVisible()
    press(mode, KEY.Key_PageDown, KEY.Key_Y)
    assert caption.isVisible()
    right, guesses = mode.quiz.score
    assert guesses == 1
    assert f"({right} of 1). " in caption.text
    press(mode, KEY.Key_PageDown)
    assert caption.isVisible()
    assert caption.text.endswith(f"accepted or rejected? ({right} of 1 right so far)")
    press(mode, KEY.Key_Q)
    assert not caption.isVisible()


def test_guess_first_says_that_the_next_click_asks_where_it_does(mode, qtbot):
    for scene, asks in (
        (Scene(title="Steps", last=3), True),
        (Scene(title="A single moment", first=3, last=3), False),
        (Scene(title="Accepted", last=30, is_by_accepted=True), False),
        (Scene(title="Words", has_tree=False, text="# A", last=3), False),
        (Scene(title="Plays", last=30, speed=0.1), False),
        (Scene(title="Compared", last=9, has_tree=False, content=COMPARISON), False),
    ):
        begin(mode, qtbot, lecture(scene, Scene(title="Next", first=5, last=9)))
        press(mode, KEY.Key_Q)
        caption = mode.audience.caption
        assert caption.isVisible()
        assert caption.text.startswith("Guess first")
        assert ("the next click" in caption.text) is asks
        press(mode, KEY.Key_PageDown)
        assert mode.quiz.is_asking is asks
        mode.stop()


def test_nothing_the_audience_sees_gives_the_verdict_away_before_the_guess(mode, player, quiz, qtbot):
    mode.start_plain(player, quiz)
    audience = mode.audience
    press(mode, KEY.Key_P, KEY.Key_Q)
    canvas = mode.presenter.next_canvas
    qtbot.waitUntil(lambda: canvas.moment is not None and canvas.moment.is_verdict_hidden)
    assert mode.presenter.state_label.text() == "Guess first"
    press(mode, KEY.Key_P, KEY.Key_2, KEY.Key_PageDown)
    assert audience.strip.maximum() == player.cursor == 20
    press(mode, KEY.Key_1)
    assert audience.caption.isVisible()  # the question is seen even without captions
    press(mode, KEY.Key_5)
    for _ in scene_pages():
        assert audience.page.isVisible() is not page_info(audience.page_name).judges_mutations
        press(mode, KEY.Key_6)
    press(mode, KEY.Key_N)
    assert audience.strip.maximum() == player.cursor == 21
    for _ in scene_pages():
        assert audience.page.isVisible()
        press(mode, KEY.Key_6)
    press(mode, KEY.Key_Q)
    assert audience.strip.maximum() == 40


def test_a_question_does_not_outlive_its_scene(mode, qtbot):
    talk = lecture(Scene(title="Tables", has_tree=False, text="# A"), Scene(title="Steps", last=3))
    begin(mode, qtbot, talk, at=1)
    press(mode, KEY.Key_Q, KEY.Key_PageDown)
    assert mode.quiz.is_asking
    press(mode, KEY.Key_PageUp)
    assert mode.scene_player.index == 0
    assert not mode.quiz.is_asking
    assert mode.audience.caption.text == ""


def test_what_the_window_asks_is_asked_here_and_goes_on_there(mode, player, quiz):
    quiz.set_on(True)
    mode.start_plain(player, quiz)
    press(mode, KEY.Key_PageDown)
    assert quiz.is_asking
    mode.stop()
    assert quiz.is_on
    assert quiz.is_asking
