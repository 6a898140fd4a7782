"""Pages on show, without the window they stand in."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gpviz.app.pages.page import Page
from gpviz.app.theme import load_theme


@pytest.fixture
def shown_page(qtbot: QtBot) -> Iterator[Callable[[type[Page]], Any]]:
    """Makes a page, shows it as low as it is below the tree, and ends it after the test."""
    made: list[Page] = []

    def show(kind: type[Page]) -> Page:
        page = kind()
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
