"""The tree of an iteration as TikZ."""

import re
from pathlib import Path

import pytest

from gpviz.engine import GpvizError, RunConfig, parse
from gpviz.engine.tree import nodes_of
from gpviz.escaping import latex_text
from gpviz.export.tikz import MOST_NODES, check_size
from gpviz.runs.history import History
from tests.export.requests import export
from tests.export.tex import check_well_formed, compiled_pages, history_of, texts_in

STUCK = "(((x2 & x3) & x5) | (x2 & (x3 & x5))) & x1"
STUCK_CONFIG = RunConfig(n=5, limit="7", deletion="leaf", seed=3)


def written(path: Path, history: History, **fields: object) -> str:
    export("tree", path / "a.tex", history, **fields)
    text = (path / "a.tex").read_text(encoding="utf-8")
    check_well_formed(text)
    return text


def labels_of(history: History, at: int) -> list[str]:
    """The labels of the leaves, in the order in which they are drawn."""
    leaves = (node for node in nodes_of(history.tree_at(at)) if hasattr(node, "variable"))
    return [rf"\rmfamily $x_{{{leaf.variable}}}$" for leaf in leaves]


def test_a_document_stands_alone_and_a_fragment_says_what_it_needs(tmp_path: Path) -> None:
    history = history_of(RunConfig(n=4, seed=3), 20)
    whole, fragment = written(tmp_path, history), written(tmp_path, history, is_fragment=True)
    assert r"\documentclass[tikz, border=1pt]{standalone}" in whole
    assert r"\documentclass" not in fragment
    assert r"% The preamble needs \usepackage{tikz}" in fragment.splitlines()
    for text in (whole, fragment):
        assert text.startswith("% gpviz: t = 20 of 20 · error 0 · ")
    code = [line for line in fragment.splitlines() if not line.startswith("%")]
    assert code[0].startswith(r"\begin{tikzpicture}")
    assert code[-1] == r"\end{tikzpicture}"


def test_it_shows_the_tree_the_counter_the_step_and_that_it_is_stuck(tmp_path: Path) -> None:
    history = history_of(STUCK_CONFIG, 3, parse(STUCK))
    texts = texts_in(written(tmp_path, history))
    assert [text for text in texts if text in labels_of(history, 3)][:7] == labels_of(history, 3)
    assert {r"\bfseries 1", r"7 of 7 leaves, full", r"\bfseries STUCK", r"\bfseries delete +2"} <= set(texts)


@pytest.mark.parametrize("is_fragment", [False, True])
@pytest.mark.parametrize("at", [1, 2, 3, 5, 8, 13, 21])
def test_a_bare_tree_is_the_tree_and_nothing_else(tmp_path: Path, at: int, is_fragment: bool) -> None:
    history = history_of(STUCK_CONFIG, 21, parse(STUCK))
    text = written(tmp_path, history, at=at, is_bare=True, is_fragment=is_fragment)
    assert texts_in(text) == labels_of(history, at)
    assert "bounding box" not in text
    tree = history.tree_at(at)
    assert tree is not None
    # An edge for each node but the root, and for each function its face and its sign.
    assert len(re.findall(r"^\\path", text, re.MULTILINE)) == tree.size - 1 + tree.size + tree.leaves - 1


@pytest.mark.parametrize("leaves", [3, 101, 1000])
def test_no_length_is_beyond_what_tex_can_hold(tmp_path: Path, leaves: int) -> None:
    tree = parse("(" * (leaves - 1) + "x1" + " & x2)" * (leaves - 1))
    text = written(tmp_path, History(RunConfig(n=4, limit="inf"), tree), is_bare=True)
    numbers = re.findall(r"\((-?[\d.]+),(-?[\d.]+)\)", text)
    assert max(abs(float(value)) for place in numbers for value in place) < 5600
    assert "x=0.5pt" in text


def test_a_tree_too_large_for_tex_is_refused_in_a_sentence(tmp_path: Path) -> None:
    check_size((MOST_NODES + 1) // 2)
    huge = History(RunConfig(n=4, limit="inf"), parse(" & ".join(["x1"] * 1001)))
    with pytest.raises(GpvizError, match=r"2,001 nodes.*at most 2,000.*SVG or PDF"):
        export("tree", tmp_path / "a.tex", huge)
    assert list(tmp_path.iterdir()) == []


def test_documents_compile(tmp_path: Path) -> None:
    written(tmp_path, history_of(RunConfig(n=30, seed=5, limit="inf"), 60, parse("x1 & (x2 | x3)")))
    assert compiled_pages(tmp_path / "a.tex") == 1
    written(tmp_path, History(RunConfig(n=4)), is_bare=True)
    assert compiled_pages(tmp_path / "a.tex") == 1
    assert latex_text("The tree is empty") in (tmp_path / "a.tex").read_text()
