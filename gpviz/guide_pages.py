"""The pages of the guide as data: in their order, with their headings, and a search in them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from gpviz import assets

_INDEX: Final = "README.md"
_LINK: Final = re.compile(r"\]\(([a-z-]+)\.md\)")
_HEADING: Final = re.compile(r"^(#{1,4}) +(.+?) *$")
_MARKUP: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*`_|#]+")
_MOST_HITS: Final = 40
_AROUND: Final = 60


class Section(NamedTuple):
    """A heading and what stands below it, as plain text."""

    title: str
    slug: str
    text: str


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page by its name, which is that of its file."""

    name: str
    title: str
    markdown: str
    sections: tuple[Section, ...]


class Hit(NamedTuple):
    """A section where all the words were found; ``excerpt`` is around the first of them."""

    page: str
    page_title: str
    section: Section
    excerpt: str


def slug_of(heading: str) -> str:
    """What a link to this heading has after its #."""
    words = re.sub(r"[^\w\- ]", "", _plain(heading).lower())
    return words.strip().replace(" ", "-")


@cache
def load_pages() -> tuple[GuidePage, ...]:
    """All pages, in the order in which the index names them."""
    folder = assets.folder("guide")
    index = (folder / _INDEX).read_text(encoding="utf-8")
    names = list(dict.fromkeys(_LINK.findall(index)))
    return tuple(_page(name, (folder / f"{name}.md").read_text(encoding="utf-8")) for name in names)


def search(words: str) -> list[Hit]:
    """The sections in which all these words begin somewhere; those with them in the heading come first."""
    wanted = [_beginning(word) for word in words.split()]
    if not wanted:
        return []
    ranked: list[tuple[bool, int, Hit]] = []
    for page in load_pages():
        for section in page.sections:
            everything = f"{page.title}\n{section.title}\n{section.text}"
            if all(word.search(everything) for word in wanted):
                is_in_title = all(word.search(section.title) for word in wanted)
                hit = Hit(page.name, page.title, section, _excerpt(section.text, wanted))
                ranked.append((not is_in_title, len(ranked), hit))
    return [hit for _, _, hit in sorted(ranked)[:_MOST_HITS]]


def _beginning(word: str) -> re.Pattern[str]:
    """Finds what begins with these letters; of a sign such as ∧ or + there is no beginning of a word."""
    return re.compile(("\\b" if word[0].isalnum() else "") + re.escape(word), re.IGNORECASE)


def _page(name: str, markdown: str) -> GuidePage:
    sections = tuple(_sections(markdown))
    return GuidePage(name, sections[0].title, markdown, sections)


def _sections(markdown: str) -> Iterator[Section]:
    title, lines, is_code = "", list[str](), False
    for line in markdown.splitlines():
        is_code ^= line.startswith("```")
        heading = None if is_code else _HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        if title:
            yield Section(_plain(title), slug_of(title), _plain(" ".join(lines)))
        title, lines = heading[2], []
    yield Section(_plain(title), slug_of(title), _plain(" ".join(lines)))


def _plain(markdown: str) -> str:
    return " ".join(_MARKUP.sub(r"\1", markdown).split())


def _excerpt(text: str, wanted: list[re.Pattern[str]]) -> str:
    found = next((match for word in wanted if (match := word.search(text))), None)
    start = text.rfind(" ", 0, max(0, found.start() - _AROUND)) + 1 if found else 0
    end = text.rfind(" ", 0, start + 2 * _AROUND) if start + 2 * _AROUND < len(text) else len(text)
    before, after = ("… " if start else ""), (" …" if end < len(text) else "")
    return f"{before}{text[start:end].strip()}{after}"
