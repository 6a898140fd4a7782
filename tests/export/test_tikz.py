"""A tree as TikZ."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.analysis.redundant_leaves import analyse
from gpviz.engine import (
    Function,
    GpvizError,
    Mutation,
    Node,
    Operation,
    RunConfig,
    Side,
    State,
    Verdict,
    parse,
)  # fmt: skip
from gpviz.engine.forced_mutation import judge
from gpviz.engine.mutation import apply, fresh_uids
from gpviz.engine.tree import largest_uid
from gpviz.escaping import latex_text
from gpviz.explain.moment import Moment, preview_of
from gpviz.explain.step_picture import step_picture
from gpviz.explain.step_text import callout_of
from gpviz.export.latex_styles import VERDICT_COLOURS, colour_name, width_cm
from gpviz.export.tikz import (
    MOST_NODES,
    callout_tex,
    check_size,
    picture_of,
    state_words,
    tikz_of,
)
from gpviz.runs.history import History
from tests.engine.strategies import mutations, trees
from tests.export.requests import export
from tests.export.tex import (
    check_well_formed,
    compiled_pages,
    coordinates_in,
    history_of,
    labels_in,
    labels_of_tree,
)  # fmt: skip

_CONFIG = RunConfig(n=6, limit="inf")
_STUCK = "(((x2 & x3) & x5) | (x2 & (x3 & x5))) & x1"


def _moment(tree: Node | None, mutation: Mutation, config: RunConfig = _CONFIG) -> Moment:
    """What a run shows that draws this mutation for this tree."""
    uids = fresh_uids(largest_uid(tree) + 1, 1)
    step = judge(config, tree, mutation, 1, uids)
    offspring = step.tree if step.is_accepted else apply(tree, mutation, uids)
    return Moment(config=config, iteration=1, tree=step.tree, step=step, parent=tree, offspring=offspring)


def _drawn(
    operation: Operation,
    node: int,
    variable: int = 1,
    function: Function = Function.AND,
    side: Side = Side.LEFT,
) -> Mutation:
    return Mutation(operation, node, variable, function, side)


@given(st.data(), trees(max_leaves=30))
def test_every_node_is_drawn_once_with_its_label_at_a_place_of_its_own(
    data: st.DataObject, tree: Node
) -> None:
    moment = _moment(tree, data.draw(mutations(tree)))
    text = tikz_of(moment, caption="a caption", is_fragment=data.draw(st.booleans()))
    check_well_formed(text)
    picture = step_picture(moment)
    assert picture.tree is not None
    assert labels_in(text) == labels_of_tree(picture.tree)
    places = coordinates_in(text)
    assert len(set(places)) == len(places) == picture.tree.size
    assert len(re.findall(r"\\draw\[gpviz (?:ghost )?edge\]", text)) == len(places) - 1
    assert text.count(r"\node[gpviz ghost") == len(picture.ghosts) + (picture.other is not None)
    assert moment.step is not None
    colour = colour_name(VERDICT_COLOURS[moment.step.verdict])
    assert text.count(rf"\colorlet{{gpvizMark}}{{{colour}}}") == 1


@given(trees(max_leaves=20))
def test_children_stand_below_their_parent_the_left_one_on_the_left(tree: Node) -> None:
    text = tikz_of(Moment(config=_CONFIG, iteration=0, tree=tree))
    places = coordinates_in(text)
    edges = [
        (int(one) - 1, int(two) - 1)
        for one, two in re.findall(r"\\draw\[gpviz edge\] \(n(\d+)\) -- \(n(\d+)\)", text)
    ]
    for (parent, left), (same, right) in zip(edges[::2], edges[1::2], strict=True):
        assert parent == same
        assert places[left][0] < places[parent][0] < places[right][0]
        assert places[left][1] == places[right][1] == places[parent][1] - 1


def test_an_accepted_insertion_rings_the_new_function_and_the_new_leaf() -> None:
    moment = _moment(parse("x1 & x2"), _drawn(Operation.INS, 3, 3, side=Side.RIGHT))
    assert moment.step is not None
    assert moment.step.verdict is Verdict.IMPROVED
    text = tikz_of(moment)
    assert r"\node[gpviz ring, gpviz around and] at (n3) {};" in text
    assert r"\node[gpviz ring, gpviz around leaf] at (n5) {};" in text
    assert text.count("gpviz halo, ") == text.count("gpviz ring, ") == 2
    assert "ghost and] at" not in text


def test_an_accepted_deletion_keeps_what_went_as_ghosts() -> None:
    moment = _moment(parse("x1 & (x1 & x2) & x3"), _drawn(Operation.DEL, 5))
    assert moment.step is not None
    assert moment.step.verdict is Verdict.NEUTRAL
    text = tikz_of(moment)
    assert r"\node[gpviz ghost and] at (n4) {$\wedge$};" in text
    assert r"\node[gpviz ghost leaf] at (n5) {$x_{1}$};" in text
    assert r"\draw[gpviz ghost edge] (n4) -- (n5);" in text
    # The tree hangs together through the function that went.
    assert r"\draw[gpviz edge] (n2) -- (n4);" in text
    assert r"\draw[gpviz edge] (n4) -- (n6);" in text
    assert r"{gpviz cross" not in text
    assert "gpviz dashes, " not in text


def test_an_accepted_substitution_rings_the_leaf_and_strikes_out_its_old_label() -> None:
    text = tikz_of(_moment(parse("x2 & x2"), _drawn(Operation.SUB, 2, 3)))
    assert r"\node[gpviz ring, gpviz around leaf] at (n2) {};" in text
    assert r"\node[gpviz leaf] at (n2) {$x_{3}$};" in text
    assert r"\node[gpviz ghost leaf] at (other) {$x_{2}$};" in text
    assert r"\pic at (other) {gpviz strike};" in text
    assert r"\draw[gpviz arrow] (other) -- (n2);" in text
    assert r"{gpviz cross" not in text


@pytest.mark.parametrize("node", [1, 2])
@pytest.mark.parametrize("side", Side)
def test_a_rejected_insertion_is_a_dashed_ghost_of_its_function_and_its_leaf(node: int, side: Side) -> None:
    tree = parse("x1 & x2")
    moment = _moment(tree, _drawn(Operation.INS, node, 3, Function.OR, side))
    assert moment.tree is tree
    text = tikz_of(moment)
    assert text.count(r"\node[gpviz ghost or] at") == text.count(r"\node[gpviz ghost leaf] at") == 1
    assert len(re.findall(r"^\\pic at \(n\d\) \{gpviz cross \w+\};", text, re.MULTILINE)) == 2
    assert "dash pattern" in text
    # From the ghosts of a root no edge of the tree runs down.
    assert text.count(r"\draw[gpviz ghost edge]") == (2 if node == 1 else 1)
    assert "gpviz ring," not in text
    function, leaf = (re.search(rf"ghost {kind}\] at \(n(\d)\)", text) for kind in ("or", "leaf"))
    assert function is not None
    assert leaf is not None
    places = coordinates_in(text)
    assert (places[int(leaf[1]) - 1][0] < places[int(function[1]) - 1][0]) == (side is Side.LEFT)


@pytest.mark.parametrize(("node", "gone"), [(3, [3, 2]), (2, [2, 3, 4, 1])])
def test_a_rejected_deletion_has_dashes_and_crosses_around_all_that_would_go(
    node: int, gone: list[int]
) -> None:
    tree = parse("x1 & x2 & x3")
    text = tikz_of(_moment(tree, _drawn(Operation.DEL, node)))
    names = [str(each) for each in gone]
    assert re.findall(r"\\node\[gpviz dashes, gpviz around \w+\] at \(n(\d)\)", text) == names
    assert re.findall(r"^\\pic at \(n(\d)\) \{gpviz cross \w+\};", text, re.MULTILINE) == names
    assert labels_in(text) == labels_of_tree(tree)
    assert r"\node[gpviz ghost" not in text


def test_a_rejected_substitution_has_the_other_leaf_beside_and_an_arrow_to_it() -> None:
    text = tikz_of(_moment(parse("x1 & x2"), _drawn(Operation.SUB, 2, 2)))
    assert "gpviz ring, " not in text  # it keeps its label
    assert r"\node[gpviz ghost leaf] at (other) {$x_{2}$};" in text
    assert r"\draw[gpviz arrow] (n2) -- (other);" in text
    assert len(re.findall(r"^\\pic at \(other\) \{gpviz cross leaf\};", text, re.MULTILINE)) == 1
    assert r"\pic at (other) {gpviz strike};" not in text


@given(st.data(), trees(max_leaves=30))
def test_a_callout_hides_no_node_and_is_joined_to_what_it_is_about(data: st.DataObject, tree: Node) -> None:
    moment = _moment(tree, data.draw(mutations(tree)))
    text = tikz_of(moment)
    words = callout_of(moment)
    found = re.search(r"\(callout\) at \((-?[\d.]+),(-?[\d.]+)\) \{(.*)\};", text)
    assert found is not None
    assert found[3] == callout_tex(moment)
    x, y = float(found[1]), float(found[2])
    half = width_cm(str(words)) / 2
    picture = picture_of(moment)
    assert all(abs(place.x - x) > half + 0.35 or abs(-place.y - y) > 0.6 for place in picture.places)
    joined = re.search(r"\\draw\[gpviz leader\] \(callout\) -- \((\w+)\);", text)
    assert joined is not None
    assert joined[1] in {picture.names[number] for number in picture.marked}


def test_a_callout_names_the_operands_the_outcome_and_the_verdict() -> None:
    moment = _moment(parse("x2 & x2"), _drawn(Operation.SUB, 2, 3))
    assert callout_tex(moment).endswith(rf"\textbf{{SUB}} {latex_text('x₂ → x₃ · error 31 → 15 · accepted')}")


def test_the_empty_tree_is_a_dashed_circle_and_a_planted_leaf_a_ghost_in_it() -> None:
    empty = Moment(config=_CONFIG, iteration=0, tree=None)
    text = tikz_of(empty)
    check_well_formed(text)
    assert r"$\emptyset$" in text
    assert labels_in(text) == []
    planted = preview_of(History(_CONFIG), 0, _drawn(Operation.INS, 1, 4))
    assert r"\node[gpviz ghost leaf] at (n1) {$x_{4}$};" in tikz_of(planted)
    config = _CONFIG.replaced(empty_tree="insert-only")
    nothing = tikz_of(_moment(None, _drawn(Operation.DEL, 1), config))
    check_well_formed(nothing)
    assert "on the empty tree" in nothing


def test_a_stuck_tree_has_a_frame_and_its_redundant_leaves_are_shaded() -> None:
    config, tree = RunConfig(n=5, limit="7", deletion="leaf"), parse(_STUCK)
    analysis = analyse(tree, config)
    moment = Moment(config=config, iteration=0, tree=tree)
    text = tikz_of(moment, analysis=analysis)
    assert text.count("gpviz leaf, gpviz redundant]") == len(analysis.redundant) == 6
    assert r"\draw[gpvizStuck," in text
    other = tikz_of(Moment(config=config, iteration=0, tree=parse("x1 & x2")), analysis=analysis)
    assert "gpviz leaf, gpviz redundant]" not in other
    assert r"\draw[gpvizStuck," not in other


@pytest.mark.parametrize(
    ("formula", "state", "colour"),
    [(_STUCK, State.STUCK, "Stuck"), ("x1&x2&x3&x4&x5", State.SOLVED, "Solved")],
)
def test_a_tree_from_which_nothing_leads_on_says_so_above(formula: str, state: State, colour: str) -> None:
    config, tree = RunConfig(n=5, limit="7", deletion="leaf"), parse(formula)
    analysis = analyse(tree, config)
    assert analysis.state.state is state
    words = state_words(analysis.state)
    assert words is not None
    text = tikz_of(Moment(config=config, iteration=0, tree=tree), analysis=analysis)
    check_well_formed(text)
    assert rf"{{\textbf{{{words[0]}}} {words[1]}}};" in text
    assert f"fill=gpviz{colour}Fill, draw=gpviz{colour}," in text
    assert (r"\draw[gpvizStuck," in text) == (state is State.STUCK)


@pytest.mark.parametrize("is_fragment", [False, True])
@pytest.mark.parametrize("at", [1, 2, 3, 5, 8, 13, 21])
def test_a_bare_tree_is_the_tree_and_nothing_else(tmp_path: Path, at: int, is_fragment: bool) -> None:
    history = history_of(RunConfig(n=5, limit="7", deletion="leaf", seed=3), 21, parse(_STUCK))
    analysis = analyse(history.tree_at(at), history.config)
    assert analysis.redundant
    path = tmp_path / "a.tex"
    export("tree", path, history, at=at, is_bare=True, is_fragment=is_fragment, analysis=analysis)
    text = path.read_text(encoding="utf-8")
    check_well_formed(text)
    assert labels_in(text) == labels_of_tree(history.tree_at(at))
    _, _, drawn = text.partition(r"\begin{tikzpicture}")
    drawn = re.sub(r"\\definecolor.*|\\tikzset\{\n(  .*\n)*\}", "", drawn)
    for line in drawn.splitlines()[1:]:
        assert re.match(r"\\coordinate|\\draw\[gpviz edge\]|\\node\[gpviz (and|or|leaf)\]|\\end\{|$", line), (
            line
        )
    assert is_fragment or r"\documentclass[tikz, border=1pt]{standalone}" in text


def test_a_document_stands_alone_and_a_fragment_says_what_it_needs(tmp_path: Path) -> None:
    history = history_of(RunConfig(n=4, seed=3), 20)
    export("tree", tmp_path / "a.tex", history)
    export("tree", tmp_path / "b.tex", history, is_fragment=True)
    whole, fragment = ((tmp_path / name).read_text(encoding="utf-8") for name in ("a.tex", "b.tex"))
    assert r"\documentclass[tikz, border=4mm]{standalone}" in whole
    assert r"\documentclass" not in fragment
    assert r"% The preamble needs \usepackage{tikz} and \usetikzlibrary{shapes.geometric}" in fragment
    for text in (whole, fragment):
        check_well_formed(text)
        assert text.startswith("% gpviz: the tree of iteration 20\n% wrong on ")
    code = [line for line in fragment.splitlines() if not line.startswith("%")]
    assert code[0].startswith(r"\begin{tikzpicture}")
    assert code[-1] == r"\end{tikzpicture}"


def test_a_fragment_can_stand_in_an_argument(tmp_path: Path) -> None:
    """A frame of Beamer is one, and in an argument nothing may be defined with parameters."""
    export("tree", tmp_path / "a.tex", history_of(RunConfig(n=4, seed=3), 20), is_fragment=True)
    assert "#" not in (tmp_path / "a.tex").read_text(encoding="utf-8")


@pytest.mark.parametrize("leaves", [3, 101, 1000])
def test_no_length_is_beyond_what_tex_can_hold(leaves: int) -> None:
    tree = parse("(" * (leaves - 1) + "x1" + " & x2)" * (leaves - 1))
    text = tikz_of(Moment(config=_CONFIG, iteration=0, tree=tree))
    unit = re.search(r"\[x=([\d.]+)cm, y=([\d.]+)cm\]", text)
    assert unit is not None
    size = max(abs(value) for place in coordinates_in(text) for value in place)
    assert size * float(unit[1]) <= 100
    assert len(set(coordinates_in(text))) == 2 * leaves - 1
    assert size < 16_000
    assert float(unit[1]) == 1 or size * float(unit[1]) > 98


def test_a_tree_too_large_for_tex_is_refused_in_a_sentence() -> None:
    check_size((MOST_NODES + 1) // 2)
    with pytest.raises(GpvizError, match=r"2,001 nodes.*at most 2,000.*SVG or PDF"):
        check_size(1001)


def test_all_marks_compile(tmp_path: Path) -> None:
    """One document with a page for every kind of mark."""
    tree = parse("x1 & (x2 | x100) & x3")
    config = RunConfig(n=100, limit="inf")
    moments = [
        Moment(config=config, iteration=0, tree=None),
        _moment(None, _drawn(Operation.INS, 1, 3), config),
        *(
            _moment(tree, _drawn(operation, node, variable, function), config)
            for operation, node, variable, function in (
                (Operation.INS, 1, 5, Function.AND),
                (Operation.INS, 1, 5, Function.OR),
                (Operation.INS, 4, 5, Function.OR),
                (Operation.SUB, 3, 3, Function.AND),
                (Operation.SUB, 3, 1, Function.AND),
                (Operation.SUB, 3, 5, Function.AND),
                (Operation.DEL, 2, 5, Function.AND),
                (Operation.DEL, 5, 5, Function.AND),
                (Operation.DEL, 1, 5, Function.AND),
            )
        ),
    ]
    stuck_config, stuck = RunConfig(n=5, limit="7", deletion="leaf"), parse(_STUCK)
    whole = tikz_of(
        Moment(config=stuck_config, iteration=0, tree=stuck),
        caption=r"_^~\{}&#%$ “x₁ ∧ x₂” — Größe 日本 2⁶⁴ …",
        analysis=analyse(stuck, stuck_config),
    )
    fragments = "\n".join(tikz_of(moment, is_fragment=True) for moment in moments)
    head, tail = whole.split(r"\begin{document}")
    (tmp_path / "all.tex").write_text(
        rf"{head}\begin{{document}}{tail}".replace(r"\end{document}", fragments + r"\end{document}"),
        encoding="utf-8",
    )
    assert compiled_pages(tmp_path / "all.tex") == 1 + len(moments)
