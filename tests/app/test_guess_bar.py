"""The guess bar: where it stands, its question, its keys, its score, and what it says of a guess."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.guess_bar import GuessBar
from gpviz.engine import RunConfig, Verdict
from gpviz.explain.iteration_phases import hidden_preview
from gpviz.explain.moment import moment_at
from gpviz.picture.drawing import items_of
from tests.runs.runs import recorded

HISTORY = recorded(RunConfig(n=8, limit="n+1", seed=4), 60)[2]
SAMPLED = recorded(RunConfig(n=6, limit="7", seed=7, fitness="sampled", rows=20), 60)[2]


class Window(QWidget):
    """A canvas with the bar on it, and a field that wants keys of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.canvas = TreeCanvas()
        self.bar = GuessBar(self.canvas)
        self.reported: list[str] = []
        self.bar.reported.connect(self.reported.append)
        self.field = QLineEdit()
        layout = QVBoxLayout(self)
        layout.addWidget(self.canvas, 1)
        layout.addWidget(self.field)

    def ask(self, iteration: int, history=HISTORY) -> None:
        moment = hidden_preview(moment_at(history, iteration))
        self.canvas.show_picture(moment)
        self.bar.ask(moment)


@pytest.fixture
def window(qtbot):
    made = Window()
    qtbot.addWidget(made)
    made.canvas.show_picture(moment_at(HISTORY, 39))
    made.resize(1200, 560)
    made.show()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    made.activateWindow()
    made.setFocus()
    made.bar.set_on(True)
    yield made
    made.canvas.shut_down()


def rejected(history=HISTORY):
    return next(s for t in range(1, 61) if not (s := history.step_at(t)).is_accepted)


def banner_in(canvas):
    """The rectangle of what is drawn of the banner."""
    box = next(item.points for item in items_of(canvas.picture) if item.key == "banner")
    return box[:4]


@pytest.mark.parametrize("size", [(540, 420), (1000, 560), (1280, 560), (1900, 900), (3000, 1600)])
def test_it_covers_the_banner_while_it_asks(window, size):
    window.resize(*size)
    window.ask(40)
    left, top, width, height = banner_in(window.canvas)
    bar = window.bar.geometry()
    assert bar.left() <= left
    assert bar.top() <= top
    assert bar.right() + 1 >= left + width
    assert bar.bottom() + 1 >= top + height
    assert window.canvas.rect().contains(bar)


def test_it_goes_with_the_banner_when_the_canvas_changes_its_size(window, qtbot):
    window.ask(40)
    before = window.bar.geometry()
    window.resize(900, 700)
    qtbot.waitUntil(lambda: window.bar.geometry() != before)
    assert window.canvas.rect().contains(window.bar.geometry())
    assert window.bar.geometry().bottom() >= window.canvas.banner_rect.bottom() - 1


def test_all_that_it_asks_has_space_in_a_narrow_canvas(window):
    window.resize(540, 420)
    window.ask(40)
    for button in (window.bar.accepted, window.bar.rejected, window.bar.reveal):
        assert button.width() >= button.sizeHint().width()
        assert window.bar.rect().contains(button.geometry())


def test_after_the_answer_it_leaves_the_banner_to_the_verdict(window):
    window.ask(40)
    window.canvas.show_picture(moment_at(HISTORY, 40))
    window.bar.show_answer(True, HISTORY.step_at(40))
    assert not window.bar.geometry().intersects(window.canvas.banner_rect.toRect())


def test_when_nothing_is_guessed_it_is_not_there(window):
    window.bar.set_on(False)
    assert not window.bar.isVisible()


def test_it_asks_what_the_banner_asks_and_only_an_open_question_can_be_answered(window):
    bar = window.bar
    assert bar.telling.text() == "Guess first: the next step asks."
    assert not bar.accepted.isVisible()
    window.ask(40)
    assert bar.question.text() == "Accepted or rejected?"
    assert bar.mutation.text() == window.canvas.picture.banner.text
    assert bar.accepted.isVisible()
    assert window.reported[0].startswith("Iteration 40: Accepted or rejected? ")
    bar.withdraw()
    assert bar.telling.isVisible()
    assert not bar.accepted.isVisible()


@pytest.mark.parametrize(("key", "guess"), [(Qt.Key.Key_Y, True), (Qt.Key.Key_N, False)])
def test_the_keys_y_and_n_guess(window, qtbot, key, guess):
    window.ask(40)
    with qtbot.waitSignal(window.bar.guessed) as told:
        qtbot.keyClick(window, key)
    assert told.args == [guess]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_reveals(window, qtbot, key):
    window.ask(40)
    with qtbot.waitSignal(window.bar.reveal_requested):
        qtbot.keyClick(window, key)


def test_enter_in_a_field_stays_with_the_field(window, qtbot):
    window.field.setFocus()
    window.ask(40)
    with qtbot.assertNotEmitted(window.bar.reveal_requested), qtbot.waitSignal(window.field.returnPressed):
        qtbot.keyClick(window.field, Qt.Key.Key_Return)
    window.field.clearFocus()
    with qtbot.waitSignal(window.bar.reveal_requested):
        qtbot.keyClick(window, Qt.Key.Key_Return)


def test_without_a_question_the_keys_do_nothing(window, qtbot):
    bar = window.bar
    with qtbot.assertNotEmitted(bar.guessed), qtbot.assertNotEmitted(bar.reveal_requested):
        for key in (Qt.Key.Key_Y, Qt.Key.Key_N, Qt.Key.Key_Return):
            qtbot.keyClick(window, key)


def test_the_buttons_do_what_the_keys_do(window, qtbot):
    bar = window.bar
    window.ask(40)
    for button, guess in ((bar.accepted, True), (bar.rejected, False)):
        with qtbot.waitSignal(bar.guessed) as told:
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert told.args == [guess]
    with qtbot.waitSignal(bar.reveal_requested):
        qtbot.mouseClick(bar.reveal, Qt.MouseButton.LeftButton)


def test_an_answer_says_whether_the_guess_was_right_and_the_verdict(window):
    bar, step = window.bar, rejected()
    window.ask(step.iteration)
    bar.show_answer(True, step)
    assert bar.telling.text() == "✓ Right"
    assert window.reported[-1].startswith("✓ Right: rejected, ")
    bar.show_answer(False, step)
    assert bar.telling.text() == "✗ Wrong"
    bar.show_revealed(step)
    assert window.reported[-1].startswith("It was rejected, ")


def test_the_score_is_in_words_once_there_is_one(window):
    assert not window.bar.score.isVisible()
    window.bar.set_score(7, 9)
    assert window.bar.score.isVisible()
    assert window.bar.score.text() == "7 of 9 right"


def test_the_answer_about_a_sampled_run_says_how_the_offspring_looks(window):
    worse = next(t for t in range(1, 61) if SAMPLED.step_at(t).verdict is Verdict.WORSE)
    window.ask(worse, SAMPLED)
    window.bar.show_revealed(SAMPLED.step_at(worse))
    assert window.reported[-1] == "It was rejected, ✕ looks worse."
