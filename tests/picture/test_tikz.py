"""A picture as TikZ."""

import re
from pathlib import Path

import pytest

from gpviz import assets
from gpviz.escaping import latex_text
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.items import Font, Item, Shape, at_rest
from gpviz.picture.options import Options
from gpviz.picture.text_width import in_runs
from gpviz.picture.tikz import tikz_of
from tests.export.tex import check_well_formed, compiled_pages, texts_in
from tests.picture.moments import stuck
from tests.picture.random_moments import random_moments
from tests.poison import POISON

COLOURS = assets.theme_data("light")["colours"] | {"improved": "#00aa55"}


def printed(items, **options):
    text = tikz_of(items, 640, 360, COLOURS, **options)
    check_well_formed(text)
    return text


@pytest.mark.parametrize(
    ("item", "command"),
    [
        (Item("", Shape.DISC, (1, 2.004, 3), fill="improved"),
         r"\path[fill=gpvizImproved] (1,2) circle[radius=3];"),
        (Item("", Shape.BOX, (1, 2, 30, 20, 5), fill="improved/20"),
         r"\path[fill=gpvizImproved!20!gpvizPanel, rounded corners=2.5pt] (1,2) rectangle (31,22);"),
        (Item("", Shape.POLYGON, (0, 0, 9, 0, 9, 9), stroke="improved", width=2, is_dashed=True),
         r"\path[draw=gpvizImproved, line width=1pt, dash pattern=on 2.5pt off 2pt]"
         " (0,0) -- (9,0) -- (9,9) -- cycle;"),
        (Item("", Shape.LINE, (0, 0, 9.25, -0.001), stroke="improved", width=1, opacity=0.5),
         r"\path[draw=gpvizImproved, line width=0.5pt, opacity=0.5] (0,0) -- (9.25,0);"),
        (Item("", Shape.TEXT, (5, 6, 20), fill="improved", text="x₁₂", font=Font.MATHS, anchor="end"),
         r"\node[anchor=base east, scale=1.06, text=gpvizImproved] at (5,6) {\rmfamily $x_{12}$};"),
        (Item("", Shape.TEXT, (5, 6, 20), fill="improved", text="50 % ∧ 3", font=Font.BOLD),
         r"\node[anchor=base, scale=1.06, text=gpvizImproved] at (5,6) {\bfseries 50 \% $\wedge$ 3};"),
    ],
)  # fmt: skip
def test_an_item_is_a_command_with_its_place_and_its_look(item, command):
    text = printed([item])
    assert text.splitlines()[-2] == command
    assert r"\definecolor{gpvizImproved}{HTML}{00AA55}" in text


def test_a_pixel_is_as_long_as_one_says():
    text = printed([Item("", Shape.LINE, (0, 0, 9, 9), stroke="edge", width=4)], points=0.25)
    assert text.startswith(r"\begin{tikzpicture}[x=0.25pt, y=-0.25pt,")
    assert "line width=1pt" in text


def test_every_picture_takes_its_whole_size_but_a_cropped_one():
    bounds = r"\path[use as bounding box] (0,0) rectangle (640,360);"
    assert bounds in printed([])
    assert bounds not in printed([], is_cropped=True)


def test_every_moment_has_its_words_and_its_colours_and_can_stand_in_an_argument():
    for _, moment in random_moments(100, seed=8):
        items = items_of(picture_of(moment, Options()))
        text = printed(items)
        runs = list(in_runs(at_rest(items)))
        sentences = [run for run in runs if run[0].shape is Shape.TEXT]
        for content, run in zip(texts_in(text), sentences, strict=True):
            assert all(latex_text(item.text) in content for item in run)
        assert len(re.findall(r"^\\(?:path|node)\[(?!use)", text, re.MULTILINE)) == len(runs)
        defined = re.findall(r"\\definecolor\{(\w+)\}", text)
        assert sorted(set(re.findall(r"gpviz\w+", text))) == sorted(defined)
        assert "#" not in text


def test_pictures_and_a_strangers_text_compile(tmp_path: Path) -> None:
    moment, analysis = stuck()
    poison = Item("", Shape.TEXT, (320, 180, 20), fill="text", text=POISON)
    pictures = [printed(items_of(picture_of(moment, Options(), analysis))), printed([poison])]
    pictures += [printed(items_of(picture_of(moment, Options()))) for _, moment in random_moments(5, seed=9)]
    (tmp_path / "all.tex").write_text(
        "\n".join([r"\documentclass[tikz]{standalone}", r"\begin{document}", *pictures, r"\end{document}"]),
        encoding="utf-8",
    )
    assert compiled_pages(tmp_path / "all.tex") == 7
