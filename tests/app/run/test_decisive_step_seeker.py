"""A stuck run that was opened goes on to the step that decided it, unless somebody moves meanwhile."""

from threading import Event

import pytest

from gpviz.app.question import Question
from gpviz.app.run.decisive_step_seeker import DecisiveStepSeeker
from gpviz.app.run.run_document import Document
from gpviz.engine import RunConfig
from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import checkpoint
from gpviz.experiments import decisive_steps
from gpviz.experiments.decisive_steps import KnownDecisiveSteps
from gpviz.runs.show_request import ShowRequest

CONFIG = RunConfig(n=4, limit="n+1", deletion="leaf", seed=66)
DECIDED, STUCK = 16, 52
REQUEST = ShowRequest(run=CONFIG, iteration=STUCK, seeks_decisive_step=True)
WHY = (
    "Iteration\N{NO-BREAK SPACE}16 decided it: that step raises the chance to end stuck from 8 % to 66 %,"
    " though it improves the error from 7 to 3."
)


class Gate:
    """Lets findings be found when it is open."""

    def __init__(self) -> None:
        self.is_open = Event()
        self._find = decisive_steps.find_decisive_step

    def find(self, config, stuck_since):
        while not self.is_open.wait(0.002):
            checkpoint()
        return self._find(config, stuck_since)


@pytest.fixture
def gate(monkeypatch):
    made = Gate()
    monkeypatch.setattr(decisive_steps, "DECISIVE_STEPS", KnownDecisiveSteps())
    monkeypatch.setattr(decisive_steps, "find_decisive_step", made.find)
    return made


@pytest.fixture
def document(qapp):
    return Document()


@pytest.fixture
def seeker(player, document, gate):
    made = DecisiveStepSeeker(player, document)
    yield made
    made.close()


@pytest.fixture
def heard(seeker):
    shown: list[str] = []
    seeker.reported.connect(shown.append)
    seeker.page_asked.connect(shown.append)
    return shown


def _open(qtbot, player, seeker):
    player.run_to(STUCK)
    seeker.follow(REQUEST)
    qtbot.waitUntil(lambda: player.cursor == STUCK)


def test_it_is_open_where_it_got_stuck_until_the_decisive_step_is_found(
    qtbot, player, document, seeker, gate, heard
):
    _open(qtbot, player, seeker)
    assert seeker.is_busy
    assert heard == []
    gate.is_open.set()
    qtbot.waitUntil(lambda: not seeker.is_busy)
    assert player.cursor == DECIDED
    assert heard == ["outlook", WHY]
    assert document.explanation == WHY


def test_it_stays_where_somebody_has_gone_meanwhile(qtbot, player, document, seeker, gate):
    _open(qtbot, player, seeker)
    player.go_to(3)
    gate.is_open.set()
    qtbot.waitUntil(lambda: not seeker.is_busy)
    assert player.cursor == 3
    assert document.explanation == ""


def test_what_is_found_before_the_run_has_come_that_far_waits_until_somebody_stops_it(
    qtbot, player, seeker, gate, heard
):
    gate.is_open.set()
    player.set_speed(0.05)
    player.play()
    seeker.follow(REQUEST)
    qtbot.waitUntil(lambda: not seeker.findChild(Question).is_busy)
    assert seeker.is_busy
    player.pause()
    assert not seeker.is_busy
    assert heard == [""]


def test_it_stays_where_it_got_stuck_if_nobody_wants_to_wait(qtbot, player, seeker):
    assert not seeker.cancel()
    _open(qtbot, player, seeker)
    assert seeker.cancel()
    assert not seeker.is_busy
    assert player.cursor == STUCK


def test_another_run_is_left_alone(qtbot, player, seeker):
    _open(qtbot, player, seeker)
    player.start_run(CONFIG.replaced(seed=2))
    assert not seeker.is_busy
    assert player.cursor == 0


def test_a_run_that_is_too_long_says_so(qtbot, player, seeker, monkeypatch, heard):
    def refuse(*_):
        raise GpvizError("It got stuck too late.")

    monkeypatch.setattr(decisive_steps, "find_decisive_step", refuse)
    _open(qtbot, player, seeker)
    qtbot.waitUntil(lambda: not seeker.is_busy)
    assert heard == ["It got stuck too late."]
    assert player.cursor == STUCK
