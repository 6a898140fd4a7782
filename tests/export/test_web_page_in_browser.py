"""The web page in a real browser: it shows what the engine did, says what the program says, and obeys."""

import random
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpviz import assets
from gpviz.analysis.redundant_leaves import analyse, sorted_leaves
from gpviz.engine import Operation, RunConfig, format_formula, parse
from gpviz.engine.target import target_for
from gpviz.engine.tree import Node, nodes_of
from gpviz.explain.moment import moment_at
from gpviz.explain.step_picture import StepPicture, step_picture
from gpviz.explain.step_text import callout_of, tell
from gpviz.explain.tree_state_text import STUCK_CLAIM, state_text
from gpviz.explain.tree_text import caption_of, position_text
from gpviz.picture.layout import positions_of
from gpviz.runs.history import History
from gpviz.runs.run_file import Bookmark
from gpviz.runs.step_encoding import Property
from tests.export.browser import Browser, missing
from tests.export.requests import export
from tests.runs.branching import branched_run
from tests.runs.runs import STUCK, recorded

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "there is a browser")

LAST = 99
STUCK_RUN = (STUCK[0], 60, STUCK[1])


def products_of_sums(seed: int) -> str:
    """A formula whose prime implicants are too many to list."""
    numbers = random.Random(seed)
    sums = [" | ".join(f"x{numbers.randint(1, 60)}" for _ in range(3)) for _ in range(9)]
    return " & ".join(f"({each})" for each in sums)


def run(iterations: int, start: str = "", **settings: Any) -> History:
    config = RunConfig(**{"seed": 1, **settings})
    return recorded(config, iterations, parse(start) if start else None)[2]


LONG_SUMS = " & ".join(f"({' | '.join(f'x{v}' for v in (*range(1, 33), last))})" for last in (33, 34))
"""It has few prime implicants, but the engine does not multiply so many products to find them."""

RUNS = {
    "n = 6": lambda: (run(150, n=6), 0),
    "n = 16 without a limit": lambda: (run(120, n=16, limit="inf"), 0),
    "n = 64, leaf deletion": lambda: (run(100, n=64, deletion="leaf"), 0),
    "n = 1000": lambda: (run(60, n=1000, limit="inf"), 0),
    "one variable": lambda: (run(20, n=1), 0),
    "sampled": lambda: (run(120, n=20, fitness="sampled", rows=30, sampler="counts"), 0),
    "sampled by one row": lambda: (run(80, n=20, fitness="sampled", rows=1, limit="inf"), 0),
    "sampled until solved": lambda: (run(120, n=4, fitness="sampled", rows=6, sampler="counts"), 0),
    "only insertions plant": lambda: (
        run(150, n=6, empty_tree="insert-only", limit="n", deletion="leaf", seed=3),
        0,
    ),
    "from a formula": lambda: (run(150, "(x1 & x2) | (x3 & x4) | x5", n=6), 0),
    "from the middle": lambda: (run(220, n=16), 170),
    "from one iteration": lambda: (run(30, n=6), 30),
    "too many products": lambda: (run(30, products_of_sums(1), n=64, limit="inf"), 0),
    "too long to multiply": lambda: (run(20, LONG_SUMS, n=34, limit="inf"), 0),
    "by hand": lambda: (branched_run().histories[1], 0),
    "by hand, then another seed": lambda: (branched_run().histories[2], 50),
    "another limit": lambda: (branched_run().histories[3], 0),
}


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


@pytest.fixture
def shown(browser: Browser, path: Path) -> Browser:
    browser.open(path)
    return browser


def text(browser: Browser, selector: str) -> str:
    return browser.run("return document.querySelector(arguments[0]).textContent", selector)


def cursor(browser: Browser) -> int:
    return browser.run("return gpviz.cursor")


def colours(theme: str) -> dict[str, str]:
    return tomllib.loads((assets.folder("themes") / f"{theme}.toml").read_text(encoding="utf-8"))["colours"]


def redundant_in(tree: Node | None) -> list[int]:
    if tree is None:
        return []
    uids = [node.uid for node in nodes_of(tree)]
    return [uids[number - 1] for number in sorted_leaves(tree)[1]]


def is_target(history: History, iteration: int) -> bool:
    tree = history.tree_at(iteration)
    if tree is None or history.error_at(iteration):
        return False
    return not history.config.is_sampled or not target_for(history.config.n).error(tree)


@cache
def run_named(name: str) -> tuple[History, int]:
    """One of the runs, and the first iteration of its page."""
    return RUNS[name]()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The page of each run, written when it is first asked for."""
    folder = tmp_path_factory.mktemp("pages")

    @cache
    def page_of(name: str) -> Path:
        history, first = run_named(name)
        path = folder / f"{list(RUNS).index(name)}.html"
        export("page", path, history, first=first, last=len(history))
        return path

    return page_of


@pytest.mark.parametrize("name", RUNS)
def test_every_tree_sentence_picture_and_callout_is_the_programs(browser, pages, name):
    history, first = run_named(name)
    last = len(history)
    browser.open(pages(name))
    assert cursor(browser) == first
    found = browser.run(
        "const found = [];"
        "for (let t = arguments[0]; t <= arguments[1]; t++) found.push("
        "[gpviz.formulaAt(t), gpviz.tellAt(t), gpviz.captionAt(t), gpviz.positionAt(t), gpviz.redundantAt(t),"
        " gpviz.stateAt(t)?.kind ?? null, gpviz.calloutAt(t), gpviz.pictureAt(t), gpviz.pictureAt(t, true)]);"
        "return found",
        first,
        last,
    )
    for iteration, (*texts, picture, proposal) in zip(range(first, last + 1), found, strict=True):
        moment = moment_at(history, iteration)
        assert texts == [
            format_formula(history.tree_at(iteration)),
            tell(history, iteration),
            caption_of(history, iteration),
            position_text(history, iteration),
            redundant_in(history.tree_at(iteration)),
            "solved" if is_target(history, iteration) else None,
            str(callout_of(moment) or ""),
        ]
        for is_proposal, each in ((False, picture), (True, proposal)):
            positions = {uid: (x, y) for uid, x, y in each.pop("places")}
            assert (each, positions) == picture_of(step_picture(moment, is_proposal=is_proposal))


def picture_of(picture: StepPicture) -> tuple[dict[str, Any], dict[int, tuple[float, float]]]:
    """What the page has to say of a picture, and the positions of its nodes."""
    other = picture.other
    sets = {"ghosts": picture.ghosts, "leaving": picture.leaving, "bridges": picture.bridges}
    said = {
        "formula": format_formula(picture.tree),
        **{name: sorted(uids) for name, uids in sets.items()},
        "ringed": list(picture.ringed),
        "other": None
        if other is None
        else {
            "uid": other.uid,
            "leaf": other.leaf,
            "variable": other.variable,
            "isOld": other.is_old,
            "isLeft": other.is_left,
        },
        "isCrossed": picture.is_crossed,
        "about": list(picture.places),
    }
    return said, {} if picture.tree is None else positions_of(picture.graph(), "tidy")


def test_going_anywhere_in_any_order_gives_the_same_tree(browser, tmp_path):
    history = run(1500, n=16, deletion="leaf")
    export("page", tmp_path / "page.html", history, first=0, last=1500)
    browser.open(tmp_path / "page.html")
    order = list(range(0, 1501, 25))
    random.Random(1).shuffle(order)
    found = browser.run("return arguments[0].map((t) => gpviz.formulaAt(t))", order)
    assert found == [format_formula(history.tree_at(iteration)) for iteration in order]


class TestStepping:
    def test_it_opens_at_the_start_and_what_is_said_follows_the_cursor(self, shown, history):
        assert shown.run("return document.title") == text(shown, "h1") == "<A run>"
        assert text(shown, "#told") == "The start: the empty tree."
        for iteration in (1, 2, 60, 95, LAST, 3):
            shown.run("gpviz.goTo(arguments[0])", iteration)
            assert text(shown, "#iteration") == f"Iteration {iteration}"
            assert text(shown, "#told") == tell(history, iteration)
            assert text(shown, "#caption") == caption_of(history, iteration)
            assert text(shown, "#position") == position_text(history, iteration)
            word = history.step_at(iteration).verdict.value.replace("_", " ")
            assert text(shown, "#verdict").endswith(word)
            slider = shown.run(
                "const s = document.querySelector('[role=slider]');"
                "return [s.ariaValueNow, s.ariaValueText, s.ariaValueMax]"
            )
            assert slider == [str(iteration), position_text(history, iteration), str(LAST)]

    def test_arrows_step_and_with_shift_go_to_accepted_steps(self, shown, history):
        for key, expected in (
            *(("Right", 1), ("Right", 2), ("Left", 1), ("PageDown", 2), ("PageUp", 1)),
            *(("End", LAST), ("Right", LAST), ("Home", 0), ("Left", 0)),
        ):
            shown.press(key)
            assert cursor(shown) == expected
        shown.run("gpviz.goTo(30)")
        after = history.next_where(Property.CHANGED, 30)
        shown.press("Shift", "Right")
        assert cursor(shown) == after
        before = history.previous_where(Property.CHANGED, after)
        shown.press("Shift", "Left")
        assert cursor(shown) == before

    def test_where_no_accepted_step_is_left_they_go_to_the_ends(self, browser, tmp_path):
        history = recorded(*STUCK_RUN)[2]
        export("page", tmp_path / "page.html", history, first=2, last=40)
        browser.open(tmp_path / "page.html")
        browser.run("gpviz.goTo(20)")
        browser.press("Shift", "Right")
        assert cursor(browser) == 40
        browser.press("Shift", "Left")
        assert cursor(browser) == 2

    def test_buttons_and_bookmarks_do_what_they_say(self, shown, history):
        shown.run("gpviz.goTo(50)")
        for button, expected in (
            ("next", 51),
            ("previous", 50),
            ("next-accepted", history.next_where(Property.CHANGED, 50)),
            ("last", LAST),
            ("previous-accepted", history.previous_where(Property.CHANGED, LAST)),
            ("first", 0),
        ):
            shown.click(f"#{button}")
            assert cursor(shown) == expected
        shown.run("document.querySelector('#next').focus()")
        shown.press("Space")
        assert cursor(shown) == 1
        assert not shown.run("return gpviz.player.isPlaying"), "space presses the button that has the focus"

        assert text(shown, "#bookmark-list li button") == "t = 45 <b>here</b>"
        shown.click("#bookmark-list li:nth-child(2) button")
        assert cursor(shown) == 60
        current = shown.run("return document.querySelector('#bookmark-list [aria-current]').textContent")
        assert current == "t = 60"

    def test_dragging_scrubs(self, shown):
        for canvas in ("#strip", "#curve"):
            shown.drag(canvas, 0.2, 0.6, 0.5)
            assert 45 <= cursor(shown) <= 54
            shown.drag(canvas, 0.5, 1.0)
            assert cursor(shown) == LAST


STRIP = """
    const canvas = document.querySelector("#strip"), context = canvas.getContext("2d");
    const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
    const inked = (x, y) => pixels[4 * (y * canvas.width + x) + 3] > 128;
    const heightAt = (x) => {
      const height = canvas.height - 3 * devicePixelRatio;
      for (let y = Math.ceil(12 * devicePixelRatio); y < height; y++) if (inked(x, y)) return height - y;
      return 0;
    };
"""
"""What reads how high the bars of the timeline are, in pixels, from its picture."""


class TestTimeline:
    def test_the_best_verdict_decides_where_many_share_a_column(self, browser, tmp_path):
        history = run(6000, n=20, limit="inf")
        export("page", tmp_path / "page.html", history)
        browser.open(tmp_path / "page.html")
        columns, heights = browser.run(
            STRIP
            + """
            const ratio = devicePixelRatio, columns = Math.floor(canvas.width / ratio - 20);
            return [columns, [...Array(columns).keys()].map((c) => heightAt(Math.floor((10.5 + c) * ratio)))];
            """
        )
        verdicts = np.concatenate([[9], history.verdicts(1, 6001)])  # at the start there is none
        edges = np.arange(columns + 1) * 6001 // columns
        best = [int(verdicts[start:stop].min()) for start, stop in pairwise(edges)]
        full = max(heights)
        assert [height >= 0.9 * full for height in heights] == [verdict == 0 for verdict in best]
        assert 0 in best


class TestPlaying:
    def test_space_plays_and_pauses(self, shown):
        shown.run("gpviz.player.setPlace(0)")  # so slow that it cannot come to the end while one looks
        shown.press("Space")
        shown.wait_until("document.querySelector('#play').ariaLabel === 'Pause'")
        shown.wait_until("gpviz.cursor > 0")
        shown.press("Space")
        shown.wait_until("document.querySelector('#play').ariaLabel === 'Play'")
        assert not shown.run("return gpviz.player.isPlaying")

    def test_it_ends_at_the_last_iteration_and_begins_anew(self, shown, history):
        for _ in range(10):
            shown.press("+")
        shown.click("#play")
        shown.wait_until("!gpviz.player.isPlaying")
        assert cursor(shown) == LAST
        assert text(shown, "#told") == tell(history, LAST)
        assert shown.run("return gpviz.picture.step !== null")
        # What a press does is looked at before the next frame, which goes on from there.
        begun = shown.run(
            "document.querySelector('#play').click(); return [gpviz.cursor, gpviz.player.isPlaying]"
        )
        assert begun == [0, True]
        shown.wait_until(f"!gpviz.player.isPlaying && gpviz.cursor === {LAST}")

    def test_plus_and_minus_change_the_speed(self, shown):
        speeds = [text(shown, "#speed-text")]
        for key in ("+", *"-------"):
            shown.press(key)
            speeds.append(text(shown, "#speed-text"))
        assert speeds == [
            *("2 steps/s", "4 steps/s", "2 steps/s", "1 step/s", "1 step in 2 s", "1 step in 5 s"),
            *("1 step in 10 s", "1 step in 20 s", "1 step in 20 s"),
        ]

    def test_nothing_is_read_out_while_it_runs(self, shown):
        live = "return document.querySelector('#told').ariaLive"
        press_and_look = f"document.querySelector('#play').click(); {live}"
        assert shown.run(live) == "polite"
        assert shown.run(press_and_look) == "off"
        assert shown.run(press_and_look) == "polite"


class TestThePicture:
    def test_a_step_glides_and_then_rests(self, shown):
        shown.run("gpviz.goTo(43)")
        shown.press("Shift", "Right")
        shown.wait_until("!gpviz.isMoving")
        moving = shown.run("gpviz.player.nextAccepted(); return gpviz.isMoving")
        assert moving
        shown.wait_until("!gpviz.isMoving")

    @pytest.mark.parametrize(
        ("duration", "shares", "seen"),
        [
            (2000, (0.05, 0.4, 0.9), [None, "?", "told"]),
            (100, (0.5,), ["told"]),
        ],
    )
    def test_a_step_shows_what_was_before_the_proposal_and_the_verdict(
        self, shown, history, duration, shares, seen
    ):
        iteration = next(t for t in range(40, LAST) if history.step_at(t).operation is Operation.INS)
        found = shown.run(
            """
            const [iteration, duration, shares] = arguments, { picture, player } = gpviz;
            gpviz.goTo(iteration - 1);
            player.move(iteration, duration);
            return shares.map((share) => {
              picture.motion.start = performance.now() - share * duration;
              const [marks] = picture.currentMarks();
              if (marks === null) return null;
              const tints = new Set(picture.currentFrame().tint.filter(Boolean));
              const words = marks.callout.word;
              return marks.verdict === null && !words && [...tints].join() === "accent" ? "?" : words && "told";
            });
            """,
            iteration,
            duration,
            shares,
        )
        assert found == seen

    @pytest.mark.parametrize("name", ["n = 6", "n = 64, leaf deletion"])
    def test_a_callout_hides_no_node_and_is_joined_to_what_it_is_about(self, browser, pages, name):
        """One half of the iterations in a high window, the other half in a wide one."""
        browser.open(pages(name))
        for size, start in (((400, 800), 1), ((1280, 720), 2)):
            browser.set_size(*size)
            assert self.hiding(browser, start, len(run_named(name)[0])) == []

    @staticmethod
    def hiding(browser: Browser, first: int, last: int) -> list[int]:
        """Every other iteration from the first on whose callout hides a node."""
        return browser.run(
            """
            const { picture } = gpviz, found = [];
            for (let t = arguments[1]; t <= arguments[0]; t += 2) {
              gpviz.goTo(t);
              picture.redraw();
              const { box } = picture.place, around = picture.around(picture.frame, picture.camera);
              const isHiding = (other) => (
                box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]);
              const isOutside = box[0] < 0 || box[1] < 0 || box[2] > picture.width || box[3] > picture.height;
              if (isOutside || around.nodeBoxes().some(isHiding)) found.push(t);
            }
            return found;
            """,
            last,
            first,
        )

    def test_nothing_glides_for_those_who_prefer_that(self, shown):
        shown.set_system(is_calm=True)
        assert not shown.run("gpviz.goTo(43); gpviz.player.nextAccepted(); return gpviz.isMoving")

    @pytest.mark.parametrize("is_dark", [False, True])
    def test_it_has_the_colours_of_the_system(self, shown, is_dark):
        shown.set_system(is_dark=is_dark)
        offered = "Light" if is_dark else "Dark"
        shown.wait_until(f"document.querySelector('#theme').title.startsWith('{offered} colours')")
        shown.run("gpviz.goTo(60)")
        assert self.painted(shown) == self.wanted("dark" if is_dark else "light")

    def test_the_colours_can_be_switched(self, shown):
        shown.run("gpviz.goTo(60)")
        for press, theme in ((lambda: shown.click("#theme"), "dark"), (lambda: shown.press("t"), "light")):
            press()
            assert self.painted(shown) == self.wanted(theme)

    @staticmethod
    def wanted(theme: str) -> list[str]:
        return [colours(theme)[name] for name in ("window", "panel", "and_fill")]

    @staticmethod
    def painted(browser: Browser) -> list[str]:
        """The colours of the page, of the canvas beside the tree, and of its root."""
        return browser.run("""
            const { picture } = gpviz, hex = (parts) =>
              "#" + [...parts].slice(0, 3).map((part) => Number(part).toString(16).padStart(2, "0")).join("");
            picture.redraw();
            const copy = new OffscreenCanvas(picture.width, picture.height);
            const copied = copy.getContext("2d", { willReadFrequently: true });
            copied.drawImage(picture.canvas, 0, 0);
            const at = (x, y) => hex(copied.getImageData(x, y, 1, 1).data);
            const [x, y] = picture.camera.place(0, 0);
            const page = getComputedStyle(document.body).backgroundColor.match(/\\d+/g);
            return [hex(page), at(3, picture.height - 3), at(x, y - 14 * picture.camera.scale)];
        """)

    def test_the_wheel_zooms_and_keys_show_all_again(self, shown):
        shown.run("gpviz.goTo(60)")
        before = shown.run("return gpviz.picture.camera.scale")
        shown.run(
            "document.querySelector('#tree').dispatchEvent("
            "new WheelEvent('wheel', { deltaY: -300, cancelable: true }))"
        )
        assert shown.run("return gpviz.picture.camera.scale") > before
        held = shown.run("gpviz.goTo(70); return gpviz.picture.camera.scale")
        assert held > before
        for key in ("0", "f"):
            shown.run("gpviz.picture.zoom(2)")
            shown.press(key)
            assert shown.run("return gpviz.picture.isHeld") is False

    def test_dragging_moves_the_tree(self, shown):
        shown.run("gpviz.goTo(60)")
        before = shown.run("return gpviz.picture.camera.left")
        shown.drag("#tree", 0.4, 0.5, 0.6)
        moved = shown.run("return gpviz.picture.camera.left") - before
        assert moved > 50
        shown.click("#fit")
        assert shown.run("return gpviz.picture.camera.left") == before

    def test_r_shades_the_redundant_leaves_and_no_others(self, shown):
        shown.run("gpviz.goTo(60)")
        redundant = shown.run("return gpviz.redundantAt(60)")
        leaves = shown.run(
            "const { frame } = gpviz.picture; return frame.uids.filter((_, i) => !frame.fn[i] && !frame.tint[i])",
        )
        assert 0 < len(redundant) < len(leaves)
        fill, shaded = colours("light")["leaf_fill"], colours("light")["redundant_fill"]
        wanted = [shaded if uid in redundant else fill for uid in leaves]
        pressed = "return document.querySelector('#redundant').ariaPressed"
        assert (self.filled(shown, leaves), shown.run(pressed)) == (wanted, "true")
        shown.press("r")
        assert (self.filled(shown, leaves), shown.run(pressed)) == ([fill] * len(leaves), "false")
        shown.click("#redundant")
        assert (self.filled(shown, leaves), shown.run(pressed)) == (wanted, "true")

    @staticmethod
    def filled(browser: Browser, uids: list[int]) -> list[str]:
        """The colour inside each node, beside its name."""
        return browser.run(
            """
            const { picture } = gpviz;
            picture.redraw();
            const copy = new OffscreenCanvas(picture.width, picture.height);
            const copied = copy.getContext("2d", { willReadFrequently: true });
            copied.drawImage(picture.canvas, 0, 0);
            return arguments[0].map((uid) => {
              const i = picture.frame.index.get(uid), { camera } = picture;
              const [x, y] = camera.place(picture.frame.x[i], picture.frame.y[i]);
              const colour = copied.getImageData(x - 15 * camera.scale, y - 11 * camera.scale, 1, 1).data;
              return "#" + [...colour].slice(0, 3).map((part) => part.toString(16).padStart(2, "0")).join("");
            });
            """,
            uids,
        )


class TestTheState:
    def said(self, browser: Browser, iteration: int) -> tuple[str, str]:
        """The words of the banner, and the colour of the frame around the tree."""
        return tuple(
            browser.run(
                """
                gpviz.goTo(arguments[0]);
                const frame = getComputedStyle(document.querySelector("#stage"), "::after");
                const colour = frame.content === "none" ? "" : frame.borderTopColor;
                const banner = document.querySelector("#state");
                return [banner.offsetHeight ? banner.textContent : "", colour];
                """,
                iteration,
            )
        )

    def test_a_stuck_tree_is_framed_and_says_so_from_its_iteration_on(self, browser, tmp_path):
        export("page", tmp_path / "page.html", recorded(*STUCK_RUN)[2], first=2, last=40, stuck_since=20)
        browser.open(tmp_path / "page.html")
        amber = tuple(bytes.fromhex(colours("light")["stuck"][1:]))
        stuck = (f"Stuck. {STUCK_CLAIM}", f"rgb{amber}")
        assert [self.said(browser, iteration) for iteration in (19, 20, 40, 2)] == [
            ("", ""),
            stuck,
            stuck,
            ("", ""),
        ]

    def test_a_solved_tree_says_so_without_a_frame(self, shown, history):
        solved = next(t for t in range(LAST + 1) if history.tree_at(t) and not history.error_at(t))
        words = state_text(analyse(history.tree_at(solved), history.config))
        assert self.said(shown, solved) == (f"Solved. {words.claim}", "")
        assert self.said(shown, solved - 1) == ("", "")

    def test_an_accepted_error_is_solved_and_a_stuck_tree_stuck_all_the_same(self, browser, tmp_path):
        config, start = STUCK
        history = recorded(config.replaced(accept_error=3), 30, start)[2]
        for since, wanted in ((None, "Solved. The run accepts an error of at most 3."), (0, "Stuck. No ")):
            export("page", tmp_path / "page.html", history, first=0, last=30, stuck_since=since)
            browser.open(tmp_path / "page.html")
            assert self.said(browser, 10)[0].startswith(wanted)


class TestShortRanges:
    @pytest.mark.parametrize(("first", "last"), [(30, 30), (30, 32)])
    def test_every_iteration_is_a_point_and_the_axis_the_range(self, browser, tmp_path, history, first, last):
        export("page", tmp_path / "page.html", history, first=first, last=last)
        browser.open(tmp_path / "page.html")
        labels, places, width, painted = browser.run(
            """
            const { curve } = gpviz, places = [];
            const copy = new OffscreenCanvas(curve.width, curve.height);
            const copied = copy.getContext("2d", { willReadFrequently: true });
            copied.drawImage(curve.canvas, 0, 0);
            for (let t = arguments[0]; t <= arguments[1]; t++) places.push(curve.placeOf(t));
            const painted = places.map((x, i) => {
              const y = curve.heightOf(gpviz.run.levelAt(arguments[0] + i));
              const colour = copied.getImageData(x, y - 2, 1, 1).data;
              return "#" + [...colour].slice(0, 3).map((part) => part.toString(16).padStart(2, "0")).join("");
            });
            return [curve.iterationLabels().map(({ text }) => text), places, curve.width, painted];
            """,
            first,
            last,
        )
        assert labels == [str(iteration) for iteration in range(first, last + 1)]
        assert painted == [colours("light")["curve"]] * len(labels)
        if first == last:
            assert 0.4 * width < places[0] < 0.6 * width
        else:
            assert places[0] < 0.1 * width
            assert places[-1] > 0.9 * width

    def test_one_iteration_cannot_be_played(self, shown, tmp_path, history):
        is_disabled = "return document.querySelector('#play').disabled"
        assert not shown.run(is_disabled)
        export("page", tmp_path / "page.html", history, first=30, last=30)
        shown.open(tmp_path / "page.html")
        assert shown.run(is_disabled)
        shown.press("Space")
        assert not shown.run("return gpviz.player.isPlaying")


class TestForEveryone:
    def test_question_mark_shows_the_keys(self, shown):
        is_open = "return document.querySelector('dialog').open"
        shown.press("?")
        assert shown.run(is_open)
        shown.press("Right")
        assert cursor(shown) == 0
        shown.press("Escape")
        assert not shown.run(is_open)

    def test_everything_to_press_has_a_name_and_the_focus_is_to_be_seen(self, shown):
        nameless = shown.run("""
            return [...document.querySelectorAll("button, input, canvas[role], [role=slider]")].filter(
              (each) => !(each.ariaLabel || each.textContent.trim())).map((each) => each.outerHTML);
        """)
        assert nameless == []
        shown.press("Tab")
        shown.wait_until("document.activeElement !== document.body")  # a moment after the key
        focused = shown.run(
            "const style = getComputedStyle(document.activeElement);"
            "return [document.activeElement.id, style.outlineStyle, style.outlineWidth]"
        )
        assert focused == ["theme", "solid", "3px"]

    @pytest.mark.parametrize("size", [(400, 800), (1920, 1080)])
    def test_everything_is_within_reach(self, shown, size):
        shown.set_size(*size)
        shown.run("gpviz.goTo(95)")
        width, boxes = shown.run("""
            const ids = ["tree", "told", "play", "last", "speed", "strip", "theme"];
            return [document.documentElement.scrollWidth, ids.map((id) => {
              const box = document.getElementById(id).getBoundingClientRect();
              return [box.left, box.top, box.right, box.bottom];
            })];
        """)
        assert width == size[0]
        for left, top, right, bottom in boxes:
            assert 0 <= left < right <= size[0]
            assert 0 <= top < bottom <= size[1]
