"""Any text is shown as text, whatever the medium."""

import os
import re
from html import unescape
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.escaping import (
    command_text,
    html_text,
    label_text,
    latex_comment,
    latex_text,
    line_text,
    menu_text,
    terminal_text,
    title_text,
    tooltip_text,
)
from tests.export.tex import check_well_formed
from tests.poison import MARKUP, POISON, is_harmless

MEDIA = (
    html_text,
    label_text,
    latex_comment,
    latex_text,
    line_text,
    menu_text,
    terminal_text,
    title_text,
    tooltip_text,
)
LINES = (line_text, menu_text, terminal_text, title_text)


@pytest.mark.parametrize("medium", MEDIA)
@given(text=st.text() | st.just(POISON))
def test_nothing_harmful_reaches_any_medium(medium, text):
    assert is_harmless(medium(text))


@pytest.mark.parametrize("medium", LINES)
@given(text=st.text() | st.just(POISON))
def test_what_stands_on_one_line_has_one(medium, text):
    assert len(medium(text).splitlines()) <= 1


@pytest.mark.parametrize("medium", [terminal_text, label_text, line_text])
@pytest.mark.parametrize("text", ["", "x₁ ∧ x₂", "Größe: 100 %", "日本語", "שלום", MARKUP])
def test_what_is_harmless_stays_as_it_is(medium, text):
    assert medium(text) == text


@pytest.mark.parametrize(
    ("system", "path", "text"),
    [
        ("posix", r"C:\my runs\a.gpvizx", r"'C:\my runs\a.gpvizx'"),
        ("nt", r"C:\my runs\a.gpvizx", r'"C:\my runs\a.gpvizx"'),
        ("nt", r"C:\R&D\a^2.gpvizx", r'"C:\R&D\a^2.gpvizx"'),
        ("nt", r"C:\Grüße\n-1.gpvizx", r"C:\Grüße\n-1.gpvizx"),
    ],
)
def test_a_command_has_the_quotes_of_the_systems_terminal(monkeypatch, system, path, text):
    words = ["gpviz", "experiment", "quick", "--store", path]
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", system)
        reported = command_text(words)
    assert reported == f"gpviz experiment quick --store {text}"


@pytest.mark.parametrize("medium", [terminal_text, label_text])
@given(text=st.text())
def test_once_is_enough(medium, text):
    assert medium(medium(text)) == medium(text)


def test_a_terminal_tells_what_it_cannot_show():
    assert terminal_text("a\x1b[31m\x00\n\u202eb") == r"a\x1b[31m\x00\n\u202eb"


def test_lines_and_what_joins_letters_stay_in_a_label():
    assert label_text("one\ntwo\tthree") == "one\ntwo\tthree"
    assert label_text("one\r\ntwo\u2028three") == "one\ntwo\nthree"
    assert label_text("👩\u200d💻 می\u200cخواهم") == "👩\u200d💻 می\u200cخواهم"
    assert label_text("a\x07b\u202ec") == "a\N{REPLACEMENT CHARACTER}bc"


def test_a_menu_underlines_nothing_and_a_title_has_its_star():
    assert menu_text("R&D") == "R&&D"
    assert title_text("a[*].gpviz") == "a[*][*].gpviz"


class Words(HTMLParser):
    """What of a document is words, and what is markup."""

    def __init__(self) -> None:
        super().__init__()
        self.words = ""
        self.tags: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words += data

    def handle_starttag(self, tag: str, attributes: object) -> None:
        self.tags.append(tag)


@given(st.text() | st.just(POISON))
def test_markup_is_words_in_html_and_svg(text):
    read = Words()
    read.feed(f'<p title="{html_text(text)}">{html_text(text)}</p>')
    assert read.tags == ["p"]
    assert read.words == label_text(text)
    element = ElementTree.fromstring(f'<svg a="{html_text(text)}">{html_text(text)}</svg>')
    assert (element.text or "") == label_text(text)
    assert unescape(html_text(text)) == label_text(text)


def test_markup_is_words_in_a_tooltip():
    read = Words()
    read.feed(tooltip_text("<img src='x.png'> & more\nand more"))
    assert (read.tags, read.words) == (["p"], "<img src='x.png'> & more\nand more")
    assert tooltip_text("") == ""


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
    assert latex_text(text) == expected


@pytest.mark.parametrize("symbol", ["▲", "▼"])
def test_the_triangles_of_the_verdicts_are_filled_and_need_no_other_package(symbol: str) -> None:
    assert re.fullmatch(
        r"\\tikz\[.*sharp corners\]\\fill\[fill=\.\] \(.*\) -- \(.*\) -- \(.*\) -- cycle;", latex_text(symbol)
    )
    assert latex_text("▲") != latex_text("▼")


def test_the_square_of_a_verdict_is_hollow():
    assert re.fullmatch(r"\\tikz\[.*\]\\draw\[draw=\.\] .* rectangle .*;", latex_text("□"))


@given(st.text())
def test_any_text_is_well_formed_in_a_group(text: str) -> None:
    check_well_formed(f"{{{latex_text(text)}}}")


@given(st.text())
def test_a_comment_never_ends_before_its_text(text: str) -> None:
    assert all(line.startswith("%") for line in latex_comment(text).splitlines())
