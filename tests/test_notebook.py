"""Pictures for notebooks: what they show, that they stay small and quiet, and runs to step through in a cell."""

import re
import subprocess
import sys
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given

import gpviz
from gpviz import History, RlsGp, RunConfig, interactive, neighbourhood, parse
from gpviz.engine import GpvizError, InvalidValueError, Operation, Outcome
from gpviz.engine.tree import Node
from gpviz.explain.moment import moment_at
from gpviz.picture.banner import banner_of
from gpviz.runs.presets import find_preset
from gpviz.runs.run_file import describe, load, save
from tests.engine.strategies import trees
from tests.runs.runs import STUCK, Recorded, recorded, recorded_runs

SVG = "{http://www.w3.org/2000/svg}"
CONFIG = RunConfig(n=8, limit="n+1", deletion="leaf", seed=254)
LARGEST = 100_000
"""In bytes: a notebook with many pictures still opens at once."""


def read(value: Any) -> ElementTree.Element:
    """The picture of a value, which disturbs nothing on its page."""
    text = value._repr_svg_()
    picture = ElementTree.fromstring(text)
    assert picture.tag == f"{SVG}svg"
    assert picture.get("role") == "img"
    title, description, ground = list(picture)[:3]
    assert (title.tag, description.tag) == (f"{SVG}title", f"{SVG}desc")
    assert title.text
    assert description.text
    assert (ground.tag, ground.get("fill")) == (f"{SVG}rect", "#ffffff")  # to be read on any page
    for part in picture.iter():
        assert part.tag not in {f"{SVG}{name}" for name in ("script", "style", "image", "foreignObject", "a")}
        assert not {name for name in part.attrib if name in ("id", "class", "href") or name.startswith("on")}
    assert len(text.encode()) <= LARGEST
    return picture


def words_of(picture: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]


def title_of(value: Any) -> str:
    return read(value).findtext(f"{SVG}title") or ""


@cache
def history_until_the_end() -> History:
    """A run that is solved in iteration 147."""
    history = History(CONFIG)
    RlsGp(CONFIG).run(on_step=history.append)
    return history


class TestTree:
    def test_it_shows_its_variables_and_its_formula(self):
        picture = read(parse("x1 & (x2 | x3)", 4))
        assert words_of(picture) == ["x₁", "x₂", "x₃", "x₁ ∧ (x₂ ∨ x₃)"]
        assert picture.findtext(f"{SVG}desc") == "x₁ ∧ (x₂ ∨ x₃)"

    @given(trees(n=1000, max_leaves=30))
    def test_every_tree_has_a_picture(self, tree):
        assert title_of(tree).startswith("A tree with ")

    @pytest.mark.parametrize("leaves", [61, 500, 3000])
    def test_a_large_tree_is_drawn_small(self, leaves):
        picture = read(random_tree(leaves))
        assert float(picture.get("width") or 0) < 900
        assert float(picture.get("height") or 0) < 700
        assert f"{leaves:,} leaves" in words_of(picture)[-1 if leaves == 61 else -2]

    def test_of_a_very_large_tree_the_smallest_subtrees_are_folded(self):
        texts = words_of(read(random_tree(3000)))
        assert re.fullmatch(r"Subtrees of at most \d+ leaves are folded into triangles\.", texts[-1])


def random_tree(leaves: int) -> Node:
    def formula(count: int) -> str:
        if count == 1:
            return f"x{1 + leaves * 7919 % 97}"
        left = 1 + count * 31 % (count - 1)
        return f"({formula(left)} {'|' if count % 3 else '&'} {formula(count - left)})"

    return parse(formula(leaves))


class TestStep:
    @given(recorded_runs(max_iterations=60))
    def test_every_step_has_a_picture(self, run: Recorded):
        for step in run[1][-3:]:
            read(step)

    def test_it_has_the_words_of_the_window(self):
        history = history_until_the_end()
        for iteration in range(1, len(history) + 1, 3):
            banner = banner_of(moment_at(history, iteration), None)
            assert banner is not None
            step = history.step_at(iteration)
            assert title_of(step) == f"Iteration {iteration}: {banner.sentence}"
            head, *_, sentence = words_of(read(step))
            assert (head, sentence) == (f"Iteration {iteration}", banner.head_and_text)

    def test_a_step_shows_what_a_deletion_took_away(self):
        search = RlsGp(RunConfig(n=4), parse("x1 & x2 & x2"))
        step = search.force(gpviz.Mutation(Operation.DEL, 5, 1, gpviz.Function.AND, gpviz.Side.LEFT))
        *_, gone, sentence = words_of(read(step))
        assert (gone, sentence) == ("x₂", "Accepted: delete x₂, still 3 wrong rows")

    def test_a_step_in_a_large_tree_is_drawn_with_its_place(self):
        search = RlsGp(RunConfig(n=100, limit="inf", seed=1), random_tree(2500))
        assert title_of(search.step()).startswith("Iteration 1: ")


class TestRun:
    def test_a_search_shows_where_it_is(self):
        search = RlsGp(CONFIG)
        texts = words_of(read(search))
        assert texts[0] == "Iteration 0 · AND₈ · limit n+1 = 9 leaves · leaf deletion · seed 254"
        assert "0 of 9 leaves" in texts
        search.run(max_iterations=20_000)
        texts = words_of(read(search))
        assert texts[0].startswith("Iteration 147 · ")
        assert {"0", "of 256", "SOLVED", "The tree computes the target."} <= set(texts)

    def test_a_stuck_run_says_so_and_why(self):
        search = RlsGp(*STUCK)
        texts = words_of(read(search))
        assert {"STUCK", "delete +4", "change ≥ +2"} <= set(texts)
        assert any(text.startswith("A dead end: ") for text in texts)
        assert "A dead end: every change makes it worse" in (read(search).findtext(f"{SVG}desc") or "")

    @given(recorded_runs(max_iterations=60))
    def test_every_run_has_a_picture(self, run: Recorded):
        search, _, history = run
        read(search)
        read(history)
        read(search.result(Outcome.STOPPED))

    def test_a_history_shows_its_error_over_time(self):
        texts = words_of(read(history_until_the_end()))
        assert {"error", "iteration", "127", "0", "50", "100"} <= set(texts)

    def test_a_long_run_is_thinned_out(self):
        config = RunConfig(
            n=12, limit="n", deletion="leaf", fitness="sampled", rows=50, sampler="counts", seed=1
        )
        picture = read(recorded(config, 8_000)[2])
        curve = max((line.get("points") or "" for line in picture.iter(f"{SVG}polyline")), key=len)
        assert 1000 < len(curve) < 25_000

    @pytest.mark.parametrize(
        ("outcome", "since", "text"),
        [
            (Outcome.SOLVED, None, "Solved after 147 iterations · error 0 · 9 leaves · 0 ORs"),
            (Outcome.STUCK, 96, "Stuck since iteration 96, proven after 147 · error 0 · 9 leaves · 0 ORs"),
            (Outcome.STOPPED, None, "Stopped after 147 iterations · error 0 · 9 leaves · 0 ORs"),
        ],
    )
    def test_a_result_says_how_the_run_ended(self, outcome, since, text):
        search = RlsGp(CONFIG)
        result = search.run(max_iterations=20_000)._replace(outcome=outcome, stuck_since=since)
        assert words_of(read(result))[0] == text


class TestNeighbourhood:
    def test_it_shows_the_chances_of_the_verdicts_and_of_each_node(self):
        around = neighbourhood(parse("x1 & x2"), RunConfig(n=4, limit="n"))
        texts = words_of(read(around))
        chance = around.probability("improved")
        percent = f"{float(100 * chance):.1f} %"
        assert texts[0] == f"{percent} chance that the next iteration improves this tree ({chance})"
        assert f"improved {percent}" in texts
        assert sum(word.endswith(" %") and word[0].isdigit() for word in texts) == 3  # one for each node
        assert "Below a node:" in " ".join(texts)

    def test_where_nothing_improves_it_says_so(self):
        config, tree = STUCK
        assert words_of(read(neighbourhood(tree, config)))[0] == "No single mutation improves this tree"

    @pytest.mark.parametrize("empty_tree", ["any", "insert-only"])
    def test_the_empty_tree_has_one_too(self, empty_tree):
        texts = words_of(read(neighbourhood(None, RunConfig(n=4, empty_tree=empty_tree))))
        chance = "100 % chance" if empty_tree == "any" else "33.3 % chance"
        assert texts[0].startswith(f"{chance} that the next iteration adds the first leaf")


class TestInteractive:
    def test_a_page_stands_in_a_frame_that_reaches_nothing_else(self):
        page = interactive(history_until_the_end(), height=480, title='<A "run">')
        frame = page._repr_html_()
        assert frame.startswith('<iframe title="&lt;A &quot;run&quot;&gt;" srcdoc="')
        assert 'sandbox="allow-scripts"' in frame
        assert 'height="480"' in frame
        (inside,) = re.findall(r'srcdoc="([^"]*)"', frame)
        assert unescape(inside) == page.html
        assert page.html.startswith("<!DOCTYPE html>")
        assert "://" not in page.html
        assert repr(page) == "InteractivePage(title='<A \"run\">', height=480)"

    def test_a_search_is_done_again_from_its_seed(self):
        search = RlsGp(CONFIG, parse("x1 & x2"))
        search.run(max_iterations=60)
        history = recorded(CONFIG, 60, parse("x1 & x2"))[2]
        assert interactive(search).html == interactive(history).html

    def test_a_search_with_mutations_by_hand_is_refused(self):
        search = RlsGp(CONFIG)
        search.run(max_iterations=30)
        search.force(gpviz.Mutation(Operation.INS, 1, 3, gpviz.Function.AND, gpviz.Side.LEFT))
        with pytest.raises(GpvizError, match=r"^run: its seed does not repeat it, as mutations were chosen"):
            interactive(search)

    def test_a_saved_run_is_replayed(self, tmp_path: Path):
        history = history_until_the_end()
        path = tmp_path / "run.gpviz"
        save(path, describe(history))
        assert interactive(path).html == interactive(str(path)).html == interactive(history).html
        assert interactive(load(path)).html == interactive(history).html

    def test_a_preset_goes_by_its_name(self):
        preset = find_preset("run-into-first-tree")
        page = interactive("run-into-first-tree")
        assert page.title == preset.title
        assert page == interactive(preset)

    @pytest.mark.parametrize("run", [None, 3, parse("x1")], ids=repr)
    def test_anything_else_is_refused(self, run):
        with pytest.raises(
            InvalidValueError, match=r"^run: .* the file of a saved run, or the name of a preset"
        ):
            interactive(run)

    @pytest.mark.parametrize("height", [10, 10**6, 3.5, "tall"])
    def test_other_heights_are_refused(self, height):
        with pytest.raises(InvalidValueError, match=r"^height: .* a whole number from 200 to 4000"):
            interactive(History(CONFIG), height=height)


class TestDoor:
    def test_what_the_stub_tells_of_is_there(self):
        stub = Path(gpviz.__file__).with_name("__init__.pyi").read_text(encoding="utf-8")
        reported = {name: home for home, name in re.findall(r"from ([\w.]+) import (\w+) as \2", stub)}
        assert {*reported, "__version__"} == set(gpviz.__all__)
        for name, home in reported.items():
            assert getattr(gpviz, name) is getattr(sys.modules[home], name)

    def test_anything_else_is_not(self):
        with pytest.raises(AttributeError, match="module 'gpviz' has no attribute 'RunConfg'"):
            gpviz.RunConfg  # type: ignore[attr-defined]  # noqa: B018

    def test_it_is_loaded_when_it_is_asked_for(self):
        code = "import sys, gpviz; dir(gpviz); print([name for name in sys.modules if name.startswith('gpviz.')])"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout == "[]\n"
