"""A window can be closed while its threads work on something that takes for ever."""

from collections.abc import Callable
from typing import Any

import pytest

from gpviz.engine import RunConfig, true_row_count
from tests.app.page_window import PageWindow
from tests.engine.test_interruption import alternating

CONFIG = RunConfig(n=50, limit="256", deletion="leaf", seed=3)


class Counting:
    """Counts case distinctions, of which there may now be any number."""

    def __init__(self) -> None:
        self.cases = 0

    def __call__(self, *_numbers: int) -> None:
        self.cases += 1


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    """Counting the rows of a tree takes for ever, unless it is stopped."""
    made = Counting()
    monkeypatch.setattr(true_row_count, "_check_budget", made)
    return made


def goes_on(counting: Counting) -> Callable[[], bool]:
    """Whether it has gone on for a while since now."""
    before = counting.cases
    return lambda: counting.cases > before + 100


@pytest.mark.parametrize("page", ["proof", "neighbours", "rows"])
def test_closing_does_not_wait_for_what_a_page_works_out(page: str, counting: Counting, qtbot: Any) -> None:
    window = PageWindow(CONFIG, alternating(256, 50))
    qtbot.addWidget(window)
    window.show()
    window.shown_page(page)
    qtbot.waitUntil(goes_on(counting))
    window.end()


def test_closing_does_not_wait_for_a_step(counting: Counting, qtbot: Any) -> None:
    window = PageWindow(CONFIG, alternating(256, 50))
    qtbot.addWidget(window)
    window.player.step_forward()
    qtbot.waitUntil(goes_on(counting))
    window.end()


def test_another_run_does_not_wait_for_the_step_of_the_one_before(counting: Counting, qtbot: Any) -> None:
    window = PageWindow(CONFIG, alternating(256, 50))
    qtbot.addWidget(window)
    window.player.step_forward()
    qtbot.waitUntil(goes_on(counting))
    window.player.start_run(RunConfig(n=4, seed=1))
    window.player.step_forward()
    qtbot.waitUntil(lambda: len(window.player.run.history) == 1)
    window.end()
