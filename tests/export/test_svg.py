"""The tree of an iteration as an SVG drawing."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from gpviz.assets import THEME_NAMES, theme_data
from gpviz.engine import RunConfig, parse
from gpviz.explain.tree_text import function_text
from gpviz.runs.history import History
from tests.export.requests import export
from tests.export.tex import history_of

HISTORY = history_of(RunConfig(n=5, limit="7", deletion="leaf", seed=3), 21, parse("x1 & x2 & x3"))


def written(path: Path, history: History = HISTORY, **fields: object) -> ElementTree.Element:
    export("tree", path / "a.svg", history, **fields)
    return ElementTree.parse(path / "a.svg").getroot()


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_it_has_the_size_and_the_colours_that_were_asked_for(tmp_path: Path, theme: str) -> None:
    root = written(tmp_path, theme=theme, width=900, height=500)
    assert [root.get(name) for name in ("width", "height", "viewBox")] == ["900", "500", "0 0 900 500"]
    ground = root.find("{*}rect")
    assert ground is not None
    assert ground.get("fill") == theme_data(theme)["colours"]["panel"]


def test_who_cannot_see_it_hears_the_step_and_the_tree(tmp_path: Path) -> None:
    root = written(tmp_path, at=21)
    assert root.findtext("{*}title") == "The tree after iteration 21"
    assert (root.findtext("{*}desc") or "").endswith(f" It computes {function_text(HISTORY.tree_at(21))}.")


def test_a_bare_tree_is_cropped_to_its_nodes(tmp_path: Path) -> None:
    tree = parse("x1 & x2")
    root = written(tmp_path, History(RunConfig(n=4, limit="inf"), tree), is_bare=True)
    assert float(root.get("width") or 0) < 400
    assert [text.text for text in root.iterfind(".//{*}text")] == ["x₁", "x₂"]
    left, top, width, height = map(float, (root.get("viewBox") or "").split())
    for circle in root.iterfind(".//{*}circle"):
        x, y, r = (float(circle.get(name) or 0) for name in ("cx", "cy", "r"))
        assert left < x - r < x + r < left + width
        assert top < y - r < y + r < top + height
