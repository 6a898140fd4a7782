"""Lecture mode as a whole, driven by keys as a speaker would."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow

from gpviz.app.dialogs.keys_dialog import KeysDialog
from gpviz.app.lecture.audience_window import BlankKind
from gpviz.app.lecture.lecture_keys import LectureCommand
from gpviz.app.lecture.lecture_mode import LectureMode, screens_for
from gpviz.app.lecture.spotlight import PointerKind
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.run.run_controller import RunController
from gpviz.app.theme import load_theme
from gpviz.app.widgets.themed import set_program_theme
from gpviz.engine import RunConfig
from gpviz.lecture.lecture import Lecture, Scene, SceneCaption
from gpviz.page_list import scene_pages
from gpviz.runs import replay as replay_module
from tests.app.lecture.lectures import (
    CONFIG,
    TEXT,
    branched_file,
    lecture,
    ready,
    run_file,
    stuck_file,
    usual,
)

KEY = Qt.Key
BROKEN = replace(run_file(), fingerprint="sha256:" + "0" * 64)


@pytest.fixture
def home(qtbot):
    made = QMainWindow()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def session(home):
    made = LectureMode(home, is_motion_reduced=True)
    yield made
    made.close()


@pytest.fixture
def controller(qapp):
    made = RunController(CONFIG)
    (branch,) = ready()
    made.adopt_run(branch.search, branch.recorded.history, branch.recorded.generalisation, None, cursor=20)
    yield made
    made.close()


def begin(session: Any, qtbot, talk: Lecture | None = None, at: int = 0, **options) -> None:
    session.start_lecture(talk or usual(), at, **options)
    qtbot.waitUntil(lambda: not session.player.is_waiting and not session._preloader.is_busy)


def press(session: LectureMode, *keys: Qt.Key, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    for key in keys:
        QTest.keyClick(session.audience, key, modifiers)


def blank_kind(session: Any) -> BlankKind:
    return session.audience.blank_screen.blank_kind


def pointing(session: Any) -> PointerKind:
    return session.audience.spotlight.pointing


def place(session: Any) -> tuple[int, int]:
    return session.player.index, session._controller.cursor


# --- a run ---


def test_the_run_on_show_is_shown_full_screen(session, controller):
    session.start_plain(controller)
    assert session.is_active
    assert session.audience.isFullScreen()
    assert session.audience.stage.canvas.picture.iteration == 20
    press(session, KEY.Key_PageDown, KEY.Key_Right, KEY.Key_PageUp)
    assert controller.cursor == 21
    assert session.audience.caption.place == "t = 21"
    press(session, KEY.Key_Home)
    assert controller.cursor == 0
    press(session, KEY.Key_End)
    assert controller.cursor == 40
    press(session, KEY.Key_PageUp, modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert controller.cursor == controller.history.changes().iterations[-1]
    press(session, KEY.Key_F5, KEY.Key_Home)
    press(session, KEY.Key_PageDown, modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert controller.cursor == controller.history.changes().iterations[0] or controller.cursor == 1


def test_a_large_tree_is_shown_around_its_mutation_or_as_a_whole(session, controller):
    (branch,) = ready(RunConfig(n=64, seed=2), 700)
    controller.adopt_run(branch.search, branch.recorded.history, branch.recorded.generalisation, None)
    session.start_plain(controller)
    canvas = session.audience.stage.canvas
    near = canvas.camera
    press(session, KEY.Key_0)
    assert canvas.camera.scale < near.scale
    press(session, KEY.Key_0)
    assert canvas.camera == near


def test_space_plays_and_pauses_the_run(session, controller):
    session.start_plain(controller)
    press(session, KEY.Key_Space)
    assert controller.is_playing
    press(session, KEY.Key_Space)
    assert not controller.is_playing


def test_leaving_brings_the_window_back_and_leaves_the_run_where_it_is(session, controller, home, qtbot):
    session.start_plain(controller)
    press(session, KEY.Key_PageDown)
    press(session, KEY.Key_Escape)
    assert not session.is_active
    assert controller.cursor == 21
    assert home.isVisible()
    qtbot.waitUntil(home.isActiveWindow)
    controller.step_back()


def test_starting_twice_changes_nothing(session, controller):
    session.start_plain(controller)
    first = session.audience
    session.start_plain(controller)
    session.start_lecture(usual())
    assert session.audience is first
    assert session.player is None


def test_it_can_be_started_again_and_again(session, controller, qtbot):
    for _ in range(2):
        session.start_plain(controller)
        session.stop()
        begin(session, qtbot)
        session.stop()
    assert not session.is_active


# --- a lecture ---


def test_a_lecture_is_played_through_with_the_clicker(session, qtbot):
    begin(session, qtbot)
    audience = session.audience
    assert place(session) == (0, 0)
    press(session, *[KEY.Key_PageDown] * 3)
    assert place(session) == (0, 3)
    press(session, KEY.Key_PageDown)
    assert session.player.index == 1
    assert audience.text.markdown == TEXT
    assert not audience.stage.isVisible()
    press(session, KEY.Key_Space)
    assert place(session) == (2, 0)
    assert audience.caption.text.startswith("The start: ")
    assert audience.panels == ("caption", "legend")
    qtbot.waitUntil(lambda: audience.stage.is_framed)
    press(session, KEY.Key_PageDown, KEY.Key_PageDown)
    assert (audience.caption.text, audience.caption.place) == ("No way out.", "t = 2")
    press(session, KEY.Key_PageDown)
    assert blank_kind(session) is BlankKind.END
    press(session, *[KEY.Key_PageDown] * 30)
    assert session.is_active
    press(session, KEY.Key_PageUp)
    assert blank_kind(session) is BlankKind.OPEN
    assert place(session) == (2, 2)


def test_scenes_are_gone_to_by_keys(session, qtbot):
    begin(session, qtbot, at=1)
    shift = Qt.KeyboardModifier.ShiftModifier
    assert session.player.index == 1
    press(session, KEY.Key_PageDown, modifiers=shift)
    assert session.player.index == 2
    press(session, KEY.Key_PageUp, modifiers=shift)
    assert session.player.index == 1
    press(session, KEY.Key_End)
    assert session.player.index == 2
    press(session, KEY.Key_Home)
    assert session.player.index == 0
    press(session, KEY.Key_PageDown, KEY.Key_F5)
    assert place(session) == (0, 0)


def test_a_key_held_down_goes_on_within_the_scene_only(session, qtbot):
    begin(session, qtbot)
    for _ in range(30):
        session.perform(LectureCommand.HELD_NEXT)
    assert place(session) == (0, 3)
    for _ in range(30):
        session.perform(LectureCommand.HELD_BACK)
    assert place(session) == (0, 0)


def test_a_branch_of_a_run_can_be_shown(session, qtbot):
    talk = lecture(Scene(title="a", branch=3, first=70, last=80), runs=(branched_file(),))
    begin(session, qtbot, talk)
    assert len(session._controller.history) == 80
    assert session._controller.cursor == 70


def test_while_its_run_is_prepared_the_first_scene_says_so(session, qtbot, monkeypatch):
    monkeypatch.setattr(replay_module, "_PROGRESS_ITERATIONS", 1)
    talk = lecture(Scene(title="Long", first=0, last=3), runs=(run_file(6000),))
    session.start_lecture(talk)
    session._preloader._timer.setInterval(0)
    blank_screen = session.audience.blank_screen
    assert (blank_screen.blank_kind, blank_screen.title) == (BlankKind.WORDS, "Preparing “Long” …")
    qtbot.waitUntil(
        lambda: "of 6,000 iterations" in blank_screen.words or blank_screen.blank_kind is BlankKind.OPEN
    )
    qtbot.waitUntil(lambda: blank_screen.blank_kind is BlankKind.OPEN)
    assert session._controller.cursor == 0


def test_leaving_while_runs_are_prepared_leaves_nothing_behind(session):
    session.start_lecture(lecture(Scene(title="Long"), runs=(run_file(6000),)))
    press(session, KEY.Key_PageDown)
    press(session, KEY.Key_Escape)
    assert not session.is_active


def test_a_run_that_does_not_replay_is_told_and_the_lecture_goes_on(session, qtbot):
    told: list[str] = []
    session.reported.connect(told.append)
    talk = lecture(Scene(title="Broken"), Scene(title="Fine", run=1), runs=(BROKEN, stuck_file()))
    session.start_lecture(talk)
    qtbot.waitUntil(lambda: bool(told))
    assert "does not replay" in told[0]
    assert "cannot be shown" in session.audience.blank_screen.title
    press(session, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: not session.player.is_waiting)
    assert blank_kind(session) is BlankKind.OPEN


def test_a_lecture_without_scenes_is_told_and_does_not_begin(session, qtbot):
    with qtbot.waitSignal(session.problem_met) as met:
        session.start_lecture(lecture())
    assert "scenes" in met.args[0]
    assert not session.is_active


def test_a_lecture_of_words_alone_needs_no_run(session, qtbot):
    begin(session, qtbot, lecture(Scene(title="a", has_tree=False, text="Hello"), runs=()))
    assert session.audience.text.isVisible()
    assert blank_kind(session) is BlankKind.OPEN


def test_the_run_in_the_main_window_is_not_touched(session, controller, qtbot):
    begin(session, qtbot)
    press(session, *[KEY.Key_PageDown] * 20)
    assert controller.cursor == 20


# --- blank, pointer, panels ---


def test_the_screen_is_blanked_and_any_click_brings_it_back_without_going_on(session, qtbot):
    begin(session, qtbot)
    for key in (KEY.Key_B, KEY.Key_PageDown, KEY.Key_PageUp, KEY.Key_Space, KEY.Key_Period):
        press(session, KEY.Key_B)
        assert blank_kind(session) is BlankKind.BLACK
        press(session, key)
        assert (blank_kind(session), place(session)) == (BlankKind.OPEN, (0, 0))
    press(session, KEY.Key_B, KEY.Key_W)
    assert blank_kind(session) is BlankKind.WHITE
    press(session, KEY.Key_W)
    assert blank_kind(session) is BlankKind.OPEN


def test_something_is_pointed_at_by_keys(session, controller):
    session.start_plain(controller)
    spotlight = session.audience.spotlight
    press(session, KEY.Key_S)
    assert pointing(session) is PointerKind.SPOTLIGHT
    spotlight.point_at(QPointF(300, 300))
    before = spotlight.radius
    press(session, KEY.Key_Plus)
    assert spotlight.radius > before
    press(session, KEY.Key_Minus, KEY.Key_Minus)
    assert spotlight.radius < before
    at = spotlight.place
    press(session, KEY.Key_Right, KEY.Key_Down, modifiers=Qt.KeyboardModifier.AltModifier)
    assert spotlight.place.x() > at.x()
    assert spotlight.place.y() > at.y()
    press(session, KEY.Key_Left, KEY.Key_Up, modifiers=Qt.KeyboardModifier.AltModifier)
    assert (spotlight.place - at).manhattanLength() < 1e-6
    press(session, KEY.Key_L)
    assert pointing(session) is PointerKind.LASER
    press(session, KEY.Key_L)
    assert pointing(session) is PointerKind.OFF
    assert controller.cursor == 20


def test_panels_pages_type_and_theme_obey_their_keys(session, controller):
    session.start_plain(controller)
    audience = session.audience
    press(session, KEY.Key_1, KEY.Key_2, KEY.Key_3, KEY.Key_4, KEY.Key_5)
    assert audience.panels == ("curves", "timeline", "legend")
    assert audience.page_name == "inside"
    press(session, KEY.Key_6, KEY.Key_0)
    assert audience.page_name == "neighbours"
    before = audience.theme.font_size
    control = Qt.KeyboardModifier.ControlModifier
    press(session, KEY.Key_BracketRight, modifiers=control)
    assert audience.theme.font_size > before
    press(session, KEY.Key_BracketLeft, KEY.Key_BracketLeft, modifiers=control)
    assert audience.theme.font_size < before
    press(session, KEY.Key_T, modifiers=control)
    assert audience.theme.name == "dark"


def test_what_was_shown_by_hand_goes_with_the_scene(session, qtbot):
    begin(session, qtbot)
    press(session, KEY.Key_4)
    assert "legend" in session.audience.panels
    press(session, KEY.Key_F5)
    assert session.audience.panels == ("caption",)


def test_the_keys_are_shown(session, controller):
    session.start_plain(controller)
    press(session, KEY.Key_Question, modifiers=Qt.KeyboardModifier.ShiftModifier)
    (dialog,) = session.audience.findChildren(KeysDialog)
    assert "Esc, Ctrl+W" in dialog.shown_keys()
    dialog.reject()
    press(session, KEY.Key_P)
    session.perform(LectureCommand.KEYS)
    assert session.presenter.findChildren(KeysDialog)


def test_the_keys_that_are_shown_follow_the_theme_of_the_program(session, controller):
    set_program_theme(load_theme("dark"))
    session.start_plain(controller)
    session.perform(LectureCommand.KEYS)
    (dialog,) = session.audience.findChildren(KeysDialog)
    assert dialog.theme.name == "dark"
    set_program_theme(load_theme("light", 16))
    assert (dialog.theme.name, dialog.search_field.font().pointSizeF()) == ("light", pytest.approx(1.3 * 16))
    assert session.audience.theme.name == "projector"


# --- the presenter's window ---


def test_with_one_screen_the_presenters_window_comes_and_goes(session, qtbot):
    begin(session, qtbot)
    assert not session.presenter
    press(session, KEY.Key_P)
    presenter = session.presenter
    assert presenter.isVisible()
    QTest.keyClick(presenter, KEY.Key_P)
    assert not presenter.isVisible()
    press(session, KEY.Key_Tab)
    assert presenter.isVisible()
    presenter.close()
    assert session.is_active
    press(session, KEY.Key_P)
    assert session.presenter is presenter
    assert presenter.isVisible()


def test_the_presenters_window_follows_the_lecture(session, qtbot):
    begin(session, qtbot)
    press(session, KEY.Key_P)
    presenter = session.presenter
    assert presenter.place_label.text() == "Scene 1 of 3: Steps"
    assert presenter.notes.toPlainText() == "Slowly."
    qtbot.waitUntil(lambda: presenter.next_title.text() == "Next: Iteration 1")
    QTest.keyClick(presenter, KEY.Key_PageDown)
    assert place(session) == (0, 1)
    qtbot.waitUntil(lambda: presenter.next_title.text() == "Next: Iteration 2")
    QTest.keyClick(presenter, KEY.Key_B)
    assert presenter.state_label.text() == "Black screen"
    presenter.scene_list.setCurrentRow(1)
    assert (session.player.index, presenter.state_label.text()) == (1, "")
    qtbot.waitUntil(lambda: presenter.next_title.text() == "Next scene: Stuck")
    presenter.buttons[LectureCommand.LEAVE].click()
    assert not session.is_active


def test_the_mouse_on_the_presenters_picture_points_in_the_audiences_window(session, controller):
    session.start_plain(controller)
    press(session, KEY.Key_L, KEY.Key_P)
    session.presenter.thumbnail.pointed.emit(QPointF(0.25, 0.5))
    spotlight = session.audience.spotlight
    assert spotlight.place == QPointF(0.25 * spotlight.width(), 0.5 * spotlight.height())


def test_without_a_lecture_the_presenters_window_shows_the_run(session, controller, qtbot):
    session.start_plain(controller)
    press(session, KEY.Key_P)
    presenter = session.presenter
    qtbot.waitUntil(lambda: presenter.next_title.text() == "Next: Iteration 21")
    assert presenter.place_label.text().startswith("t = 20 of 40")
    QTest.keyClick(presenter, KEY.Key_End)
    sentence = "The next iteration is computed when you go on."
    qtbot.waitUntil(lambda: presenter.next_title.text() == sentence)
    assert not presenter.next_canvas.isVisible()


def test_type_is_changed_in_the_window_that_has_the_keys(session, qtbot):
    begin(session, qtbot)
    press(session, KEY.Key_P)
    qtbot.waitUntil(session.presenter.isActiveWindow)
    size, notes = session.audience.theme.font_size, session.presenter.notes.font().pointSizeF()
    QTest.keyClick(session.presenter, KEY.Key_BracketRight, Qt.KeyboardModifier.ControlModifier)
    assert session.audience.theme.font_size == size
    assert session.presenter.notes.font().pointSizeF() > notes


def test_a_theme_changes_the_presenters_window_only(session, controller):
    session.start_plain(controller)
    set_program_theme(load_theme("dark"))
    press(session, KEY.Key_P)
    set_program_theme(load_theme("light"))
    session.set_reduced_motion(False)
    assert (session.presenter.theme.name, session.audience.theme.name) == ("light", "projector")


# --- rehearsing, windows, screens ---


def test_a_rehearsal_is_in_windows(session, qtbot):
    begin(session, qtbot, is_rehearsal=True)
    assert not session.audience.isFullScreen()
    assert session.presenter.isVisible()


def test_a_scene_that_plays_tells_its_caption_when_it_has_arrived(session, qtbot):
    talk = lecture(Scene(title="Play", first=0, last=9, speed=1000.0, caption="Arrived."))
    begin(session, qtbot, talk)
    qtbot.waitUntil(lambda: session._controller.cursor == 9 and not session.player.is_playing)
    caption = session.audience.caption
    qtbot.waitUntil(lambda: (caption.text, caption.place) == ("Arrived.", "t = 9"))
    press(session, KEY.Key_PageUp)
    assert caption.text.startswith("The start: ")


def test_the_audience_can_have_a_window_instead_of_the_screen(session, qtbot):
    begin(session, qtbot)
    press(session, KEY.Key_F)
    assert not session.audience.isFullScreen()
    press(session, KEY.Key_P, KEY.Key_F)
    assert session.audience.isFullScreen()
    assert not session.presenter.isVisible()


def test_closing_a_window_in_the_middle_leaves(session, qtbot):
    begin(session, qtbot, lecture(Scene(title="a", first=0, last=40, speed=20.0)))
    press(session, KEY.Key_P)
    session.audience.close()
    assert not session.is_active
    session.perform(LectureCommand.NEXT)
    session.on_screens_changed()
    session.stop()


def test_once_closed_it_never_starts_again(session, controller):
    session.start_plain(controller)
    session.close()
    session.close()
    session.start_plain(controller)
    session.start_lecture(usual())
    assert not session.is_active


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
    session, qtbot, monkeypatch
):
    screen = session._home.screen()
    pairs = iter([(screen, screen), (screen, None)])
    monkeypatch.setattr("gpviz.app.lecture.lecture_mode.screens_for", lambda *_: next(pairs))
    begin(session, qtbot)
    assert session.presenter.isVisible()
    session.on_screens_changed()
    assert not session.presenter.isVisible()
    assert session.audience.isFullScreen()
    assert place(session) == (0, 0)


# --- captions at chosen iterations ---


def test_captions_come_at_the_start_of_a_scene_and_at_their_iterations(session, qtbot):
    captions = (SceneCaption(0, "A new rule."), SceneCaption(2, "Here it comes."))
    begin(session, qtbot, lecture(Scene(title="Steps", last=3, captions=captions, caption="There.")))
    told = [session.audience.caption.text]
    for _ in range(3):
        press(session, KEY.Key_PageDown)
        told.append(session.audience.caption.text)
    assert (told[0], told[2], told[3]) == ("A new rule.", "Here it comes.", "There.")
    assert told[1].startswith(("INS", "Insertion", "SUB", "Substitution", "DEL", "Deletion"))
    press(session, KEY.Key_PageUp)
    assert session.audience.caption.text == "Here it comes."


def test_the_speaker_sees_the_caption_that_comes_next(session, qtbot):
    captions = (SceneCaption(1, "Here it comes."),)
    talk = lecture(Scene(title="Steps", last=3, captions=captions))
    begin(session, qtbot, talk, is_rehearsal=True)
    label = session.presenter.next_caption
    qtbot.waitUntil(lambda: label.text() == "Caption: Here it comes.")
    assert label.isVisible()
    press(session, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: not label.isVisible())


# --- from part to part ---


def press_where_focus_is(session: Any, key: Qt.Key, modifiers=Qt.KeyboardModifier.NoModifier) -> Any:
    QTest.keyClick(session.audience.focusWidget(), key, modifiers)
    return session.audience.focusWidget()


def test_f6_walks_the_parts_on_show_and_every_key_stays_the_speakers(session, qtbot):
    scene = Scene(title="All", first=0, last=9, page="rows", panels=("caption", "curves", "timeline"))
    begin(session, qtbot, lecture(scene))
    audience = session.audience
    audience.resize(1600, 800)
    page = audience._page_holder.readable_part
    assert audience.page.isAncestorOf(page)
    parts = [audience.stage.canvas, page, audience.curves, audience.timeline, audience.caption]
    assert audience.focusWidget() is audience
    assert not audience._focus_frame.isVisible()
    for place, part in enumerate(parts):
        assert press_where_focus_is(session, KEY.Key_F6) is part
        assert audience._focus_frame.isVisible()
        framed = audience._page_holder if part is page else part
        assert audience._focus_frame.size() == framed.size()
        assert press_where_focus_is(session, KEY.Key_Right) is part
        assert session._controller.cursor == place + 1
    assert press_where_focus_is(session, KEY.Key_F6) is audience
    assert not audience._focus_frame.isVisible()
    for part in reversed(parts):
        assert press_where_focus_is(session, KEY.Key_F6, Qt.KeyboardModifier.ShiftModifier) is part


def test_a_part_that_is_hidden_gives_the_keyboard_back(session, qtbot):
    begin(session, qtbot)
    press(session, KEY.Key_F6)
    assert press_where_focus_is(session, KEY.Key_F6) is session.audience.caption
    assert press_where_focus_is(session, KEY.Key_1) is session.audience
    assert not session.audience._focus_frame.isVisible()


# --- guess first ---


def hidden_in(session) -> bool:
    return session.audience.stage.canvas.picture.is_verdict_hidden


def test_guess_first_asks_before_each_step_of_a_run(session, controller):
    session.start_plain(controller)
    press(session, KEY.Key_Q)
    caption = session.audience.caption
    assert caption.text.startswith("Guess first: ")
    press(session, KEY.Key_PageDown)
    assert controller.cursor == 20
    assert hidden_in(session)
    assert caption.text.endswith(": accepted or rejected?")
    assert caption.place == "t = 21"
    assert caption.verdict is None
    press(session, KEY.Key_Y)
    assert controller.cursor == 21
    assert not hidden_in(session)
    was_right = controller.history.step_at(21).is_accepted
    assert caption.text.startswith("✓ Right (1 of 1). " if was_right else "✗ Wrong (0 of 1). ")
    press(session, KEY.Key_PageDown, KEY.Key_PageDown)  # a question, and what happens, without a guess
    assert controller.cursor == 22
    assert not caption.text.startswith(("✓", "✗"))
    press(session, KEY.Key_Space)  # playing asks, too
    assert not controller.is_playing
    assert hidden_in(session)
    press(session, KEY.Key_PageUp)
    assert controller.cursor == 21
    assert not hidden_in(session)
    press(session, KEY.Key_Q, KEY.Key_PageDown)
    assert controller.cursor == 22
    assert not hidden_in(session)


def test_without_captions_what_is_asked_and_how_many_guesses_were_right_is_seen(session, qtbot):
    begin(session, qtbot, lecture(Scene(title="Steps", last=3, panels=())))
    caption = session.audience.caption
    assert not caption.isVisible()
    press(session, KEY.Key_Q)
    assert caption.isVisible()
    press(session, KEY.Key_PageDown, KEY.Key_Y)
    assert caption.isVisible()
    right, guesses = session._quiz.score
    assert guesses == 1
    assert f"({right} of 1). " in caption.text
    press(session, KEY.Key_PageDown)
    assert caption.isVisible()
    assert caption.text.endswith(f"accepted or rejected? ({right} of 1 right so far)")
    press(session, KEY.Key_Q)
    assert not caption.isVisible()


@pytest.mark.parametrize(
    ("scene", "asks"),
    [
        (Scene(title="Steps", last=3), True),
        (Scene(title="A single moment", first=3, last=3), False),
        (Scene(title="Accepted", last=30, is_by_accepted=True), False),
        (Scene(title="Words", has_tree=False, text="# A", last=3), False),
        (Scene(title="Plays", last=30, speed=0.1), False),
    ],
)
def test_guess_first_says_that_the_next_click_asks_where_it_does(session, qtbot, scene, asks):
    begin(session, qtbot, lecture(scene, Scene(title="Next", first=5, last=9)))
    press(session, KEY.Key_Q)
    caption = session.audience.caption
    assert caption.isVisible()
    assert caption.text.startswith("Guess first")
    assert ("the next click" in caption.text) is asks
    press(session, KEY.Key_PageDown)
    assert session._quiz.is_asking is asks


def test_nothing_the_audience_sees_tells_the_verdict_before_the_guess(session, controller, qtbot):
    session.start_plain(controller)
    audience = session.audience
    press(session, KEY.Key_2, KEY.Key_3, KEY.Key_Q, KEY.Key_PageDown)
    assert audience.timeline.maximum() == controller.cursor == 20
    assert audience.curves.view._snapped(1e9) == 20
    press(session, KEY.Key_1)
    assert audience.caption.isVisible()  # the question is seen even without captions
    for info in scene_pages():
        audience._set_page(info.name)
        audience._show_parts()
        assert audience.page.isVisible() is not info.judges_mutations
    press(session, KEY.Key_N)
    assert audience.timeline.maximum() == controller.cursor == 21
    for info in scene_pages():
        audience._set_page(info.name)
        audience._show_parts()
        assert audience.page.isVisible()
    press(session, KEY.Key_Q)
    assert audience.timeline.maximum() == 40


def test_the_speakers_preview_keeps_the_secret_as_well(session, controller, qtbot):
    session.start_plain(controller)
    press(session, KEY.Key_Q, KEY.Key_P)
    canvas = session.presenter.next_canvas
    qtbot.waitUntil(lambda: canvas.picture is not None and canvas.picture.iteration == 21)
    assert canvas.picture.is_verdict_hidden
    assert session.presenter.state_label.text() == "Guess first"


def test_guess_first_asks_in_the_scenes_of_a_lecture(session, qtbot):
    talk = lecture(
        Scene(title="Steps", last=3),
        Scene(title="Accepted", first=5, last=30, is_by_accepted=True),
        Scene(title="Tables", has_tree=False, text="# A"),
    )
    begin(session, qtbot, talk)
    press(session, KEY.Key_Q, KEY.Key_PageDown)
    assert place(session) == (0, 0)
    assert hidden_in(session)
    press(session, KEY.Key_N)
    assert place(session) == (0, 1)
    press(session, KEY.Key_PageDown, KEY.Key_PageDown, KEY.Key_PageDown, KEY.Key_PageDown)
    assert place(session) == (0, 3)
    press(session, KEY.Key_PageDown)
    assert place(session) == (1, 5)
    press(session, KEY.Key_PageDown)  # among accepted steps there is nothing to guess
    assert place(session)[1] > 5
    assert not hidden_in(session)


def test_a_question_does_not_outlive_its_scene(session, qtbot):
    talk = lecture(Scene(title="Tables", has_tree=False, text="# A"), Scene(title="Steps", last=3))
    begin(session, qtbot, talk, at=1)
    press(session, KEY.Key_Q, KEY.Key_PageDown)
    assert session._quiz.is_asking
    press(session, KEY.Key_PageUp)
    assert session.player.index == 0
    assert not session._quiz.is_asking
    assert session.audience.caption.text == ""


def test_a_key_that_is_held_down_reveals_nothing(session, controller):
    session.start_plain(controller)
    press(session, KEY.Key_Q, KEY.Key_PageDown)
    session.perform(LectureCommand.HELD_NEXT)
    assert session._quiz.is_asking
    assert controller.cursor == 20


def test_what_the_window_asks_is_asked_here_and_goes_on_there(session, controller):
    quiz = QuizController(controller, None)
    quiz.set_on(True)
    session.start_plain(controller, quiz)
    press(session, KEY.Key_PageDown)
    assert quiz.is_asking
    session.stop()
    assert quiz.is_on
    assert quiz.is_asking
    quiz.close()
