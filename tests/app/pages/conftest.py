"""Pages on show without the window they stand in, and runs that go on whatever happens."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gpviz.app.pages.page import Page
from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.player.player import Player
from gpviz.app.theme import load_theme
from gpviz.runs.pause_rules import PauseRules


@pytest.fixture
def shown_page(qtbot: QtBot) -> Iterator[Callable[[Callable[[], Page]], Any]]:
    """Makes a page, shows it as low as it is below the tree, and ends it after the test."""
    made: list[Page] = []

    def show(make: Callable[[], Page]) -> Page:
        page = make()
        made.append(page)
        page.set_theme(load_theme("light"))
        qtbot.addWidget(page)
        page.resize(1000, 230)
        page.show()
        qtbot.waitUntil(lambda: page.windowHandle().isExposed())
        page.activateWindow()
        return page

    yield show
    for page in made:
        page.shut_down()


@pytest.fixture
def player(player: Player) -> Player:
    """It never pauses by itself."""
    player.set_rules(PauseRules(stuck=False, solved=False))
    return player


@pytest.fixture
def phases(player: Player) -> PhaseController:
    return PhaseController(player)


@pytest.fixture
def record(player: Player, qtbot: QtBot) -> Callable[[int], None]:
    """Steps through so many iterations."""

    def step(iterations: int) -> None:
        for iteration in range(player.cursor + 1, player.cursor + iterations + 1):
            player.step_forward()
            # Not by a signal: to let go of one while the worker sends another may end in a deadlock.
            qtbot.waitUntil(partial(_is_at, player, iteration))
        qtbot.waitUntil(lambda: player.is_settled)

    return step


def _is_at(player: Player, iteration: int) -> bool:
    return player.cursor == iteration
