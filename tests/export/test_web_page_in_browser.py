"""The web page in a real browser: it shows what Python drew, moves as Python would, and obeys."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gpviz import assets
from gpviz.engine import UNICODE, RunConfig, format_formula
from gpviz.explain.step_text import tell
from gpviz.export import web_page
from gpviz.export.packed_items import PER_PIXEL
from gpviz.export.request import Every
from gpviz.picture.colours import colour_of
from gpviz.picture.drawing import items_of
from gpviz.picture.items import Enter, Item, Shape, at_rest
from gpviz.picture.motion import between
from gpviz.runs.history import History
from gpviz.runs.run_file import Bookmark
from gpviz.runs.step_encoding import Property
from tests.export.browser import Browser, missing
from tests.export.requests import export
from tests.runs.runs import STUCK, recorded

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "there is a browser")

LAST = 99


def run(iterations: int, **settings: Any) -> History:
    return recorded(RunConfig(**{"seed": 1, **settings}), iterations)[2]


@pytest.fixture
def browser(session_browser: Browser) -> Iterator[Browser]:
    """The browser, which must have had nothing to complain about at the end."""
    session_browser.set_size(1280, 720)
    session_browser.set_system()
    yield session_browser
    assert session_browser.console() == []
    assert session_browser.run("return performance.getEntriesByType('resource').length") == 0


@pytest.fixture(scope="module")
def history() -> History:
    return run(LAST, n=6)


@pytest.fixture(scope="module")
def path(history: History, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    bookmarks = (Bookmark(45, "<b>here</b>"), Bookmark(60))
    export("page", path, history, title="<A run>", bookmarks=bookmarks)
    return path


def opened(browser: Browser, path: Path) -> Browser:
    browser.open(path)
    browser.wait_until("window.gpviz")
    return browser


@pytest.fixture
def shown(browser: Browser, path: Path) -> Browser:
    return opened(browser, path)


def text(browser: Browser, selector: str) -> str:
    return browser.run("return document.querySelector(arguments[0]).textContent", selector)


def cursor(browser: Browser) -> int:
    return browser.run("return gpviz.run.times[gpviz.player.cursor]")


def go_to(browser: Browser, iteration: int) -> None:
    browser.run("gpviz.player.goTo(gpviz.run.indexOf(arguments[0]), true)", iteration)


# --- what is drawn ---

RUNS = {
    "n = 6": lambda: run(150, n=6),
    "n = 16": lambda: run(150, n=16, limit="inf"),
    "sampled": lambda: run(80, n=20, fitness="sampled", rows=30, sampler="counts"),
    "stuck": lambda: recorded(STUCK[0], 40, STUCK[1])[2],
}


@pytest.fixture(scope="module", params=RUNS)
def drawn(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[list[Item]]]:
    """The page of a run, and the items that Python made for each of its iterations."""
    lists: list[list[Item]] = []

    def remember(picture):
        lists.append([_rounded(item) for item in items_of(picture)])
        return lists[-1]

    path = tmp_path_factory.mktemp("page") / "page.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(web_page, "items_of", remember)
        export("page", path, RUNS[request.param]())
    return path, lists


def _rounded(item: Item) -> Item:
    points = tuple(round(PER_PIXEL * value) / PER_PIXEL for value in item.points)
    return item._replace(points=points, width=round(item.width, 2), opacity=round(item.opacity, 2))


ITEMS = """
    const written = (items) => items.map((item) => [
      item.key, item.shape, item.points, item.fill, item.stroke, item.width, item.isDashed, item.opacity,
      item.text, item.font, item.anchor, item.isFixed, item.isLabel, item.enter, item.leave, item.delay]);
"""


def test_wherever_one_goes_the_page_has_the_items_that_python_made(browser, drawn):
    path, lists = drawn
    opened(browser, path)
    order = list(range(len(lists)))
    random.Random(1).shuffle(order)
    found = browser.run(ITEMS + "return arguments[0].map((t) => written(gpviz.run.itemsAt(t)))", order)
    for iteration, items in zip(order, found, strict=True):
        assert [plain(Item(*item)) for item in items] == [plain(item) for item in lists[iteration]]


@pytest.mark.parametrize(("first", "share"), [(1, 0.1), (2, 0.4), (3, 0.75)])
def test_it_moves_as_python_would(browser, drawn, first, share):
    """A third of all steps early, a third in the middle, and a third late on their way."""
    path, lists = drawn
    opened(browser, path)
    found = browser.run(
        ITEMS
        + """
        const { run, Motion } = gpviz, found = [];
        for (let t = arguments[0]; t <= run.last; t += 3) {
          found.push(written(new Motion(run.itemsAt(t - 1), run.itemsAt(t), run.motion).at(arguments[1])));
        }
        return found;
        """,
        first,
        share,
    )
    for iteration, items in zip(range(first, len(lists), 3), found, strict=True):
        wanted = between(lists[iteration - 1], lists[iteration], share)
        assert [plain(Item(*item)) for item in items] == [plain(item) for item in wanted]


def plain(item: Item) -> list[Any]:
    """An item with numbers that are the same in both languages."""
    return [round(each, 6) if isinstance(each, float | int) else each for each in flat(item)]


def flat(item: Item) -> Iterator[Any]:
    for each in item:
        if isinstance(each, tuple | list):
            yield from each
        else:
            yield each


def test_the_elements_are_the_items_at_rest_in_their_order(browser, drawn):
    path, lists = drawn
    opened(browser, path)
    light = assets.theme_data("light")["colours"]
    for iteration in (len(lists) - 1, 0, 17, 30):
        go_to(browser, iteration)
        elements = browser.run("""
            return gpviz.picture.groups.flatMap((group) => [...group.children].map((element) => {
              const { fill } = getComputedStyle(element);
              return [element.tagName, element.textContent, fill, element.getAttribute("points")];
            }));
        """)
        items = list(at_rest(lists[iteration]))
        items.sort(key=lambda item: item.is_fixed)
        tags = {Shape.DISC: "circle", Shape.BOX: "rect", Shape.POLYGON: "polygon", Shape.LINE: "polyline"}
        assert len(elements) == len(items)
        for (tag, written, fill, points), item in zip(elements, items, strict=True):
            assert tag == tags.get(item.shape, "text")
            assert written == (item.text if item.shape is Shape.TEXT else "")
            rgb = tuple(bytes.fromhex(colour_of(item.fill, light)[1:])) if item.fill else None
            assert fill == (f"rgb{rgb}" if rgb else "none")
            if points is not None:
                assert [float(value) for value in points.split()] == list(item.points)


def test_texts_are_in_the_fonts_of_the_page(shown):
    families = "return [...document.fonts].map((font) => `${font.family} ${font.weight}`)"
    assert shown.run(families) == ["Inter 400", "Inter 700", "STIX Two Math 400"]
    assert shown.run("return [...document.fonts].map((font) => font.status)") == ["loaded"] * 3


# --- stepping and playing ---


class TestStepping:
    def test_what_is_said_follows_the_cursor(self, shown, history):
        assert shown.run("return document.title") == text(shown, "h1") == "<A run>"
        for iteration in (0, 1, 60, LAST, 3):
            go_to(shown, iteration)
            assert text(shown, "#words") == tell(history, iteration)
            assert text(shown, "#position") == f"t = {iteration} of {LAST}"
            assert shown.run("return document.querySelector('[role=slider]').ariaValueNow") == str(iteration)
            tree = history.tree_at(iteration)
            name = "The empty tree" if tree is None else format_formula(tree, UNICODE)
            assert shown.run("return document.querySelector('#picture').ariaLabel").endswith(name)

    def test_arrows_step_and_with_shift_go_to_changes_of_the_tree(self, shown, history):
        for key, expected in (
            *(("Right", 1), ("Right", 2), ("Left", 1), ("PageDown", 2), ("PageUp", 1)),
            *(("End", LAST), ("Right", LAST), ("Home", 0), ("Left", 0)),
        ):
            shown.press(key)
            assert cursor(shown) == expected
        go_to(shown, 30)
        after = history.next_where(Property.CHANGED, 30)
        shown.press("Shift", "Right")
        assert cursor(shown) == after
        shown.press("Shift", "Left")
        assert cursor(shown) == history.previous_where(Property.CHANGED, after)

    def test_buttons_do_what_they_say(self, shown, history):
        go_to(shown, 50)
        for button, expected in (
            ("next", 51),
            ("previous", 50),
            ("next-change", history.next_where(Property.CHANGED, 50)),
        ):
            shown.click(f"#{button}")
            assert cursor(shown) == expected
        shown.run("document.querySelector('#next').focus()")
        shown.press("Space")
        assert cursor(shown) == expected + 1
        assert not shown.run("return gpviz.player.isPlaying"), "space presses the button that has the focus"

    def test_bookmarks_are_gone_to_by_their_names(self, shown):
        names = "return [...document.querySelectorAll('#bookmarks option')].map((each) => each.textContent)"
        assert shown.run(names) == ["Bookmarks", "t = 45 <b>here</b>", "t = 60 "]
        shown.run(
            "const list = document.querySelector('#bookmarks'); list.value = '60';"
            "list.dispatchEvent(new Event('change'))"
        )
        assert cursor(shown) == 60

    def test_dragging_scrubs(self, shown):
        shown.drag("#strip canvas", 0.2, 0.6, 0.5)
        assert 45 <= cursor(shown) <= 54
        shown.drag("#strip canvas", 0.5, 1.0)
        assert cursor(shown) == LAST

    def test_the_address_keeps_the_iteration(self, shown, path):
        go_to(shown, 60)
        shown.wait_until("location.hash === '#t=60'")
        shown.run("location.hash = '#t=45'")
        shown.wait_until("gpviz.player.cursor === 45")
        shown.run("location.reload()")
        shown.wait_until("window.gpviz")
        assert cursor(shown) == 45
        assert text(shown, "#position") == f"t = 45 of {LAST}"

    def test_a_page_of_some_iterations_keeps_their_numbers(self, browser, tmp_path, history):
        export("page", tmp_path / "page.html", history, every=Every.IMPROVED)
        opened(browser, tmp_path / "page.html")
        browser.press("End")
        last = history.previous_where(Property.IMPROVED, LAST + 1)
        assert (cursor(browser), text(browser, "#words")) == (last, tell(history, last))


class TestPlaying:
    def test_space_plays_to_the_end_and_then_begins_anew(self, shown, history):
        for _ in range(10):
            shown.press("+")
        shown.press("Space")
        shown.wait_until(f"!gpviz.player.isPlaying && gpviz.player.cursor === {LAST}")
        assert text(shown, "#words") == tell(history, LAST)
        begun = shown.run("document.querySelector('#play').click(); return gpviz.player.cursor")
        assert begun == 0
        shown.wait_until(f"!gpviz.player.isPlaying && gpviz.player.cursor === {LAST}")

    def test_space_pauses(self, shown):
        for key, name in (("-", "Play"), ("-", "Play"), ("Space", "Pause"), ("Space", "Play")):
            shown.press(key)
            assert shown.run("return document.querySelector('#play').ariaLabel") == name

    def test_a_step_gets_the_time_it_weighs_unless_all_are_slow(self, shown, history):
        times = "return gpviz.run.times.map((_, index) => gpviz.player.timeOf(index))"
        fast = shown.run(times)
        assert sum(fast) == pytest.approx(len(fast) * 500)
        improved, worse = (
            next(t for t in range(1, LAST) if history.step_at(t).verdict.value == verdict)
            for verdict in ("improved", "worse")
        )
        assert fast[improved] == pytest.approx(6 * fast[worse], rel=1e-3)
        shown.press("-")
        shown.press("-")
        assert set(shown.run(times)) == {2000}

    def test_plus_and_minus_change_the_speed(self, shown):
        speeds = [text(shown, "#speed-text")]
        for key in "+---":
            shown.press(key)
            speeds.append(text(shown, "#speed-text"))
        assert speeds == [
            *("2 steps a second", "4 steps a second", "2 steps a second", "a step a second", "a step in 2 s")
        ]

    def test_nothing_is_read_out_while_it_runs_fast(self, shown):
        live = "return document.querySelector('#words').ariaLive"
        press_and_look = f"document.querySelector('#play').click(); {live}"
        assert shown.run(live) == "polite"
        assert shown.run(press_and_look) == "off"
        assert shown.run(press_and_look) == "polite"

    def test_one_iteration_cannot_be_played(self, browser, tmp_path, history):
        export("page", tmp_path / "page.html", history, first=30, last=30)
        opened(browser, tmp_path / "page.html")
        assert browser.run("return document.querySelector('#play').disabled")
        browser.press("Space")
        assert not browser.run("return gpviz.player.isPlaying")


class TestMotion:
    move = "gpviz.player.goTo(gpviz.player.cursor + 1); return gpviz.picture.motion !== null"

    def test_a_step_moves_and_then_rests(self, shown, history):
        go_to(shown, history.next_where(Property.IMPROVED, 0) - 1)
        assert shown.run(self.move)
        shown.wait_until("gpviz.picture.motion === null")
        flashes = "return gpviz.picture.items.filter((item) => item.enter === arguments[0]).length"
        drawn = shown.run("return gpviz.picture.elements.size")
        assert drawn == shown.run("return gpviz.picture.items.length") - shown.run(flashes, Enter.FLASH)

    def test_a_motion_begins_where_the_one_before_it_is(self, shown):
        go_to(shown, 60)
        begins_there = shown.run("""
            const { picture, player, run, Motion } = gpviz;
            const drawn = new Motion(run.itemsAt(60), run.itemsAt(61), run.motion).at(0.3);
            picture.draw(drawn);
            player.goTo(62);
            return picture.motion.before === drawn;
        """)
        assert begins_there

    def test_nothing_moves_for_those_who_prefer_that(self, shown):
        shown.set_system(is_calm=True)
        assert not shown.run(self.move)

    def test_the_wheel_zooms_the_tree_and_a_key_shows_all_again(self, shown):
        go_to(shown, 60)
        places = (
            "return ['#picture g:first-of-type', '#picture g:last-of-type'].map((name) => {"
            "const box = document.querySelector(name).getBoundingClientRect(); return [box.left, box.width]; })"
        )
        tree, fixed = shown.run(places)
        shown.run(
            "document.querySelector('#picture').dispatchEvent("
            "new WheelEvent('wheel', { deltaY: -300, cancelable: true, clientX: 640, clientY: 270 }))"
        )
        zoomed, still = shown.run(places)
        assert zoomed[1] > 1.5 * tree[1]
        assert still == fixed
        shown.drag("#picture", 0.4, 0.5, 0.6)
        assert shown.run(places)[0][0] > zoomed[0] + 50
        shown.press("f")
        assert shown.run(places) == [tree, fixed]


# --- for everyone ---


class TestForEveryone:
    @pytest.mark.parametrize("is_dark", [False, True])
    def test_it_has_the_colours_of_the_system_until_they_are_switched(self, shown, is_dark):
        shown.set_system(is_dark=is_dark)
        themes = ["dark", "light"] if is_dark else ["light", "dark"]
        curves = []
        for theme in (*themes, themes[0]):
            colours = assets.theme_data(theme)["colours"]
            wanted = [f"rgb{tuple(bytes.fromhex(colours[name][1:]))}" for name in ("window", "panel")]
            assert wanted == shown.run(
                "return ['body', '#picture'].map("
                "(name) => getComputedStyle(document.querySelector(name)).backgroundColor)"
            )
            curves.append(shown.run("return gpviz.strip.canvas.toDataURL()"))
            shown.press("t")
        assert curves[0] == curves[2] != curves[1]

    def test_question_mark_shows_the_keys(self, shown):
        is_open = "return document.querySelector('dialog').open"
        shown.press("?")
        assert shown.run(is_open)
        shown.press("Right")
        assert cursor(shown) == 0
        shown.press("Escape")
        assert not shown.run(is_open)

    def test_everything_to_press_has_a_name(self, shown):
        nameless = shown.run("""
            return [...document.querySelectorAll("button, input, select, [role]")].filter(
              (each) => !(each.ariaLabel || each.textContent.trim() || each.labels?.length)
            ).map((each) => each.outerHTML);
        """)
        assert nameless == []

    def test_the_focus_is_to_be_seen_after_tab_and_not_after_a_click(self, shown):
        outline = (
            "const style = getComputedStyle(document.activeElement);"
            "return [document.activeElement.id, style.outlineStyle, style.outlineWidth]"
        )
        shown.click("#next")
        assert shown.run(outline)[:2] == ["next", "none"]
        shown.press("Tab")
        shown.wait_until("document.activeElement.id === 'next-change'")  # a moment after the key
        assert shown.run(outline) == ["next-change", "solid", "3px"]

    @pytest.mark.parametrize("size", [(400, 800), (700, 500), (1920, 1080)])
    def test_everything_is_within_reach(self, shown, size):
        shown.set_size(*size)
        go_to(shown, 95)
        width, boxes = shown.run("""
            const ids = ["picture", "words", "play", "next-change", "speed", "strip", "theme"];
            return [document.documentElement.scrollWidth, ids.map((id) => {
              const box = document.getElementById(id).getBoundingClientRect();
              return [box.left, box.top, box.right, box.bottom];
            })];
        """)
        assert width == size[0]
        for left, top, right, bottom in boxes:
            assert 0 <= left < right <= size[0]
            assert 0 <= top < bottom <= size[1]
