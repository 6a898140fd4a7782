"""The quiz bar: its question, its keys, its score, and what it says of a guess."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from gpviz.app.panels.quiz_bar import QuizBar
from gpviz.app.theme import load_theme
from gpviz.engine import RunConfig, Verdict
from gpviz.explain.moment import moment_at
from tests.runs.runs import recorded

HISTORY = recorded(RunConfig(n=8, limit="n+1", seed=4), 60)[2]


class Window(QWidget):
    """The bar, and a field that wants keys of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.panel = QuizBar()
        self.field = QLineEdit()
        layout = QVBoxLayout(self)
        layout.addWidget(self.panel)
        layout.addWidget(self.field)


@pytest.fixture
def window(qtbot):
    made = Window()
    qtbot.addWidget(made)
    made.panel.set_theme(load_theme("light"))
    made.resize(1000, 100)
    made.show()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    made.activateWindow()
    made.setFocus()
    return made


def rejected():
    return next(s for t in range(1, 61) if not (s := HISTORY.step_at(t)).is_accepted)


def test_only_a_question_that_is_open_can_be_answered_and_it_names_the_iteration(window):
    panel = window.panel
    idle = panel.telling.text()
    assert idle.startswith("Guess first")
    assert not panel.accepted.isEnabled()
    panel.ask(moment_at(HISTORY, 40))
    assert panel.telling.text() == "Iteration 40: accepted?"
    assert panel.accepted.isEnabled()
    panel.withdraw()
    assert panel.telling.text() == idle
    assert not panel.accepted.isEnabled()


@pytest.mark.parametrize(("key", "guess"), [(Qt.Key.Key_Y, True), (Qt.Key.Key_N, False)])
def test_the_keys_y_and_n_guess(window, qtbot, key, guess):
    window.panel.ask(moment_at(HISTORY, 40))
    with qtbot.waitSignal(window.panel.guessed) as told:
        qtbot.keyClick(window, key)
    assert told.args == [guess]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_reveals(window, qtbot, key):
    window.panel.ask(moment_at(HISTORY, 40))
    with qtbot.waitSignal(window.panel.reveal_requested):
        qtbot.keyClick(window, key)


def test_enter_in_a_field_stays_with_the_field(window, qtbot):
    window.field.setFocus()
    window.panel.ask(moment_at(HISTORY, 40))
    with qtbot.assertNotEmitted(window.panel.reveal_requested), qtbot.waitSignal(window.field.returnPressed):
        qtbot.keyClick(window.field, Qt.Key.Key_Return)
    window.field.clearFocus()
    with qtbot.waitSignal(window.panel.reveal_requested):
        qtbot.keyClick(window, Qt.Key.Key_Return)


def test_without_a_question_the_keys_do_nothing(window, qtbot):
    panel = window.panel
    with qtbot.assertNotEmitted(panel.guessed), qtbot.assertNotEmitted(panel.reveal_requested):
        for key in (Qt.Key.Key_Y, Qt.Key.Key_N, Qt.Key.Key_Return):
            qtbot.keyClick(window, key)


def test_the_buttons_do_what_the_keys_do(window, qtbot):
    panel = window.panel
    panel.ask(moment_at(HISTORY, 40))
    for button, guess in ((panel.accepted, True), (panel.rejected, False)):
        with qtbot.waitSignal(panel.guessed) as told:
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert told.args == [guess]
    with qtbot.waitSignal(panel.reveal_requested):
        qtbot.mouseClick(panel.reveal, Qt.MouseButton.LeftButton)


def test_an_answer_says_whether_the_guess_was_right_and_the_verdict(window):
    panel, step = window.panel, rejected()
    panel.ask(moment_at(HISTORY, step.iteration))
    panel.show_answer(True, step)
    assert panel.telling.text().startswith("✓ Right: rejected, ")
    assert not panel.accepted.isEnabled()
    panel.show_answer(False, step)
    assert panel.telling.text().startswith("✗ Wrong: rejected, ")
    panel.show_revealed(step)
    assert panel.telling.text().startswith("It was rejected, ")


def test_the_score_is_in_words(window):
    assert window.panel.score.text() == "No guess yet"
    window.panel.set_score(7, 9)
    assert window.panel.score.text() == "7 of 9 right"


def test_the_answer_about_a_sampled_run_says_how_the_offspring_looks(window):
    history = recorded(RunConfig(n=6, limit="7", seed=7, fitness="sampled", rows=20), 60)[2]
    worse = next(t for t in range(1, 61) if history.step_at(t).verdict is Verdict.WORSE)
    window.panel.ask(moment_at(history, worse))
    window.panel.show_revealed(history.step_at(worse))
    assert window.panel.telling.text() == "It was rejected, ▼ looks worse."
