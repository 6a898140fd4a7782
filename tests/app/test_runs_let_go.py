"""A run that is no longer on show leaves nothing behind: its log may be hundreds of megabytes."""

from typing import Any
from weakref import ref

import pytest

from gpviz.engine import RunConfig
from gpviz.page_list import CURVES, PAGES
from tests.app.page_window import PageWindow


@pytest.mark.parametrize("page", [page.name for page in PAGES])
def test_whatever_page_was_looked_at_the_log_of_the_last_run_is_given_back(page: str, qtbot: Any) -> None:
    window = PageWindow()
    qtbot.addWidget(window)
    window.show()
    window.step(3, qtbot)
    window.shown_page(page)
    window.step(3, qtbot)
    window.shown_page(CURVES)  # the page that was looked at hears no more of what goes on
    gone = ref(window.player.run.history)
    for seed in (1, 2):
        window.player.start_run(RunConfig(n=5, seed=seed))
        window.step(1, qtbot)
    qtbot.waitUntil(lambda: gone() is None)
    window.end()
