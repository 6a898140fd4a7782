"""Text, numbers and colours for TeX."""

import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz import assets
from gpviz.export.latex import as_comment, colour_name, colours_and_styles, escaped, number, shortened
from tests.export.tex import check_well_formed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words", "plain words"),
        ("100% of {a_b} & #1 $", r"100\% of \{a\_b\} \& \#1 \$"),
        (r"\input{x}^~", r"\textbackslash{}input\{x\}\textasciicircum{}\textasciitilde{}"),
        ("x₁ ∧ x₁₂", r"$x_{1}$ $\wedge$ $x_{12}$"),
        ("2⁶⁴ × 10³", r"2$^{64}$ $\times$ 10$^{3}$"),
        ("tax₂", "ta$x_{2}$"),
        ("₁", "$_{1}$"),
        ("error 3 → 1 · −2", r"error 3 $\to$ 1 $\cdot$ $-$2"),
        ("Größe, Śł, naïve", r"Gr\"{o}\ss{}e, \'{S}\l{}, na\"{\i}ve"),
        ("ą 日 ѝ", "{?} {?} {?}"),
        ("a--b ?`", r"a{-}{-}b {?}\textasciigrave{}"),
        ("two\nlines\x00\u2028", "two lines  "),
    ],
)
def test_text_means_to_tex_what_it_says(text: str, expected: str) -> None:
    assert escaped(text) == expected


@pytest.mark.parametrize("symbol", ["▲", "▼"])
def test_the_triangles_of_the_verdicts_are_filled_and_need_no_other_package(symbol: str) -> None:
    assert re.fullmatch(
        r"\\tikz\[.*sharp corners\]\\fill\[fill=\.\] \(.*\) -- \(.*\) -- \(.*\) -- cycle;", escaped(symbol)
    )
    assert escaped("▲") != escaped("▼")


@given(st.text())
def test_any_text_is_well_formed_in_a_group(text: str) -> None:
    check_well_formed(f"{{{escaped(text)}}}")


@given(st.text())
def test_a_comment_never_ends_before_its_text(text: str) -> None:
    assert all(line.startswith("%") for line in as_comment(text).splitlines())


def test_numbers_have_no_more_decimals_than_they_need() -> None:
    assert [number(value) for value in (1.0, -0.5, -0.00001, 0.12346, 10.0)] == [
        "1",
        "-0.5",
        "0",
        "0.1235",
        "10",
    ]


def test_a_long_text_is_cut_between_words() -> None:
    assert shortened("one two three", 20) == "one two three"
    assert shortened("one two three", 9) == "one two …"
    assert shortened("onetwothree", 6) == "onetwo …"


def test_every_colour_is_the_themes_and_defined_once() -> None:
    theme = tomllib.loads((assets.folder("themes") / "light.toml").read_text(encoding="utf-8"))["colours"]
    text = colours_and_styles()
    check_well_formed(text)
    for name in ("and_fill", "or_fill", "improved", "worse", "too_large", "neutral", "stuck"):
        line = rf"\definecolor{{{colour_name(name)}}}{{HTML}}{{{theme[name][1:].upper()}}}"
        assert text.count(line) == 1
