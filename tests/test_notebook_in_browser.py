"""What a notebook shows, in a real browser: a run in its frame obeys, and pictures stay what they are."""

from pathlib import Path

import pytest

from gpviz import RunConfig, interactive, parse
from tests.export.browser import Browser, missing
from tests.runs.runs import recorded

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "there is a browser")

LAST = 60


@pytest.fixture
def shown(session_browser: Browser, tmp_path: Path) -> Browser:
    """A page as a notebook makes it: two pictures and a run in a frame, on a dark ground."""
    tree = parse("x1 & (x2 | x3)")
    history = recorded(RunConfig(n=6, seed=1), LAST)[2]
    cells = (tree._repr_svg_(), tree._repr_svg_(), interactive(history, height=640)._repr_html_())
    body = "".join(f"<div>{cell}</div>" for cell in cells)
    path = tmp_path / "notebook.html"
    path.write_text(
        f"<!DOCTYPE html><meta charset=utf-8><title>Notebook</title><body style='background: #111'>{body}",
        encoding="utf-8",
    )
    session_browser.open(path)
    session_browser.set_size(1000, 1300)  # a frame out of sight stands still
    return session_browser


def test_the_run_in_its_frame_is_stepped_through_by_keys_and_loads_nothing(shown: Browser) -> None:
    shown.enter_frame("iframe")
    shown.wait_until("typeof gpviz !== 'undefined' && performance.getEntriesByType('paint').length")
    assert shown.run("return document.querySelector('main, body').textContent.includes('AND')")
    assert shown.run("return [innerHeight, gpviz.player.cursor]") == [640, 0]
    shown.click("body")
    shown.press("End")
    shown.wait_until(f"gpviz.player.cursor === {LAST}")
    shown.press("Home")
    shown.wait_until("gpviz.player.cursor === 0")
    shown.press("Right")
    shown.wait_until("gpviz.player.cursor === 1")
    assert shown.run("return performance.getEntriesByType('resource').length") == 0
    assert shown.console() == []


def test_a_frame_reaches_nothing_of_the_notebook(shown: Browser) -> None:
    shown.enter_frame("iframe")
    for what in ("parent.document.title", "localStorage.length", "document.cookie"):
        assert (
            shown.run(f"try {{ {what}; return 'reached'; }} catch (error) {{ return error.name; }}")
            == "SecurityError"
        )


def test_pictures_have_their_size_their_words_and_a_white_ground(shown: Browser) -> None:
    boxes = shown.run(
        "return [...document.querySelectorAll('svg')].map((svg) => {"
        " const box = svg.getBoundingClientRect(), ground = svg.querySelector('rect').getBoundingClientRect();"
        " return [box.width - ground.width < 2, box.height - ground.height < 2, box.width > 100,"
        " [...svg.querySelectorAll('text')].every((text) => { const inner = text.getBoundingClientRect();"
        " return inner.left >= box.left && inner.right <= box.right && inner.bottom <= box.bottom; })]; })"
    )
    assert boxes == [[True] * 4] * 2
