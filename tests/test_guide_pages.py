"""The guide as data: complete, true where it can be checked, and found by words."""

import json
import re
import sys

import pytest

from gpviz import assets
from gpviz.analysis import exact
from gpviz.analysis.outlook import GIVEN_UP_AFTER, WANTED_ERROR
from gpviz.app.actions import action_specs
from gpviz.engine import RunConfig
from gpviz.explain.outlook_along_run import DECISIVE_RISE
from gpviz.explain.query import parse_query
from gpviz.guide_pages import load_pages, search, slug_of
from tests.app.guide.renew_keys import keys_page

GUIDE = assets.folder("guide")
PAGES = {page.name: page for page in load_pages()}
PAPER = "../paper/statements.toml"
"""The guide's window opens the Paper page by it."""
LINKS = re.compile(r"(!?)\[[^\]]*\]\(([^)]+)\)")
CODE = re.compile(r"`([^`]+)`")


def test_every_file_is_a_page_and_every_page_a_file():
    assert {path.stem for path in GUIDE.glob("*.md")} == {"README", *PAGES}


@pytest.mark.parametrize("name", PAGES)
class TestPage:
    def test_it_begins_with_its_title(self, name):
        assert PAGES[name].markdown.startswith(f"# {PAGES[name].title}\n")

    def test_every_link_leads_to_a_page_and_a_heading_in_it(self, name):
        for is_picture, link in LINKS.findall(CODE.sub("", PAGES[name].markdown)):
            if is_picture:
                assert (GUIDE / link).is_file(), link
                continue
            if link == PAPER:
                assert (GUIDE / link).is_file()
                continue
            page, _, slug = link.partition("#")
            page = page.removesuffix(".md") or name
            assert page in PAGES, link
            assert not slug or slug in [section.slug for section in PAGES[page].sections], link

    def test_no_two_headings_have_the_same_link(self, name):
        slugs = [section.slug for section in PAGES[name].sections]
        assert len(set(slugs)) == len(slugs)

    def test_json_in_it_is_json(self, name):
        for block in re.findall(r"```json\n(.*?)```", PAGES[name].markdown, re.DOTALL):
            json.loads(block)


def test_the_queries_in_the_guide_can_be_asked():
    section = PAGES["study"].markdown.split("## Find")[1].split("##")[0]
    queries = [row.split("`")[1] for row in section.splitlines() if row.startswith("| `")]
    assert len(queries) >= 3
    for query in queries:
        parse_query(query)


@pytest.mark.skipif(
    sys.platform == "darwin", reason="the page has the keys of other systems until it is shown"
)
def test_the_page_of_keys_is_the_list_of_keys():
    """`python -m tests.app.guide.renew_keys` renews it."""
    assert PAGES["keys"].markdown == keys_page()


def test_every_action_with_a_key_is_on_the_page_of_keys():
    for spec in action_specs():
        if spec.keys:
            assert spec.tip in PAGES["keys"].markdown


def test_what_the_page_of_the_outlook_says_is_computed(capsys):
    text = " ".join(PAGES["outlook"].markdown.split())
    (example,) = re.findall(r"```python\n(.*?)```", PAGES["outlook"].markdown, re.DOTALL)
    exec(compile(example, "outlook.md", "exec"), {})
    (seen, mean) = capsys.readouterr().out.splitlines()
    stuck, remaining, is_exact = seen.split()
    assert f"# {float(stuck):.4f}, {float(remaining):.2f}, {is_exact}" in text
    assert f"# {float(mean):.2f}, from the empty tree" in text
    cell = exact(RunConfig(n=4, limit="n", deletion="leaf"))
    assert f"With n = 4, limit n and leaf deletion there are {cell.states} kinds" in text
    assert f"share of runs that end stuck: {cell.stuck:.2%}".replace("%", " %") in text
    assert f"the standard error of the chance is at most {100 * WANTED_ERROR:g} points" in text
    assert f"still neither after {GIVEN_UP_AFTER:,} iterations is given up" in text
    assert f"raises the chance by at least {100 * DECISIVE_RISE:g} points" in text


class TestSearch:
    def test_it_finds_sections_with_all_words_whatever_their_letters(self):
        hits = search("SUBTREE deletion")
        assert hits
        for hit in hits:
            everything = f"{hit.page_title} {hit.section.title} {hit.section.text}".lower()
            assert "subtree" in everything
            assert "deletion" in everything

    def test_a_heading_comes_before_a_text(self):
        assert search("time strip")[0].section.title == "Time strip"

    def test_a_word_may_be_its_beginning(self):
        assert search("bookm")

    def test_a_sign_is_found_anywhere(self):
        assert any("∧" in hit.section.text for hit in search("∧"))

    def test_the_excerpt_shows_the_word(self):
        assert all("crash" in hit.excerpt.lower() for hit in search("crash") if "crash" in hit.section.text)

    @pytest.mark.parametrize("words", ["", "   ", "zyzzyva", "((", "stuck (("])
    def test_nothing_is_found_for_nothing_and_nonsense(self, words):
        assert search(words) == []


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ("Pause when", "pause-when"),
        ("`gpviz run`", "gpviz-run"),
        ("RLS-GP", "rls-gp"),
        ("What if?", "what-if"),
    ],
)
def test_links_to_headings_are_those_of_the_web(heading, slug):
    assert slug_of(heading) == slug
