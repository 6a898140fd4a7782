"""Builds HTML in which every text is escaped; only what is known to be markup stays as it is."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from gpviz.escaping import html_text

_VOID: Final = frozenset({"br", "col", "hr", "meta"})
_TYPED: Final = frozenset(
    {"code", "title"}
)  # copied or shown elsewhere, so nothing in it may look alike only
_EQUATION: Final = re.compile(r"\b([nAz]) = (?=[-+0-9\N{MINUS SIGN}])")


class Markup(str):
    """A text that is markup already."""

    __slots__ = ()


def element(name: str, /, *children: str, **attributes: str | int | None) -> Markup:
    """An element. Attributes are named as in HTML, but `class_` for class and _ for -; None leaves one out."""
    attribute_text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html_text(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Markup(f"<{name}{attribute_text}>")
    content = "".join(map(_plain, children)) if name in _TYPED else joined(children)
    return Markup(f"<{name}{attribute_text}>{content}</{name}>")


def joined(children: Iterable[str]) -> Markup:
    """Texts and markup one after another; what is as short as "n = 4" is not broken into two lines."""
    return Markup(
        "".join(
            _EQUATION.sub("\\1\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}", _plain(child))
            if not isinstance(child, Markup)
            else child
            for child in children
        )
    )


def _plain(child: str) -> str:
    return child if isinstance(child, Markup) else html_text(child)


def paragraph(*children: str, class_: str | None = None) -> Markup:
    """A paragraph."""
    return element("p", *children, class_=class_)


def code(text: str) -> Markup:
    """Code within a sentence; a line breaks between words only, not after the hyphens of an option."""
    phrase = [element("span", word, class_="whole") for word in text.split(" ")]
    return element("code", Markup(" ".join(phrase)) if len(phrase) > 1 else text)


def command(*lines: str) -> Markup:
    """Commands to type, one on a line; a narrow page lets them be scrolled, also by keyboard."""
    return element("pre", element("code", "\n".join(lines)), tabindex=0, role="region", aria_label="Commands")


def section(name: str, heading: str, *children: str) -> Markup:
    """A section that can be linked to."""
    return element(
        "section",
        element("h2", heading, id=f"{name}-heading"),
        *children,
        id=name,
        aria_labelledby=f"{name}-heading",
    )


def figure(drawing: str, *caption: str, class_: str | None = None) -> Markup:
    """A drawing, which is markup, with its caption."""
    return element("figure", Markup(drawing), element("figcaption", *caption), class_=class_)


def table(
    caption: str,
    heads: Sequence[Sequence[Markup]],
    *groups: Iterable[Sequence[Markup]],
    label: str,
) -> Markup:
    """A table of finished cells, its rows in one or more groups.

    Where it is wider than the page it can be scrolled, also by keyboard.
    """
    return element(
        "div",
        element(
            "table",
            element("caption", element("span", caption)),
            element("thead", *(element("tr", *head) for head in heads)),
            *(element("tbody", *(element("tr", *row) for row in rows)) for rows in groups),
        ),
        class_="scroll",
        tabindex=0,
        role="region",
        aria_label=label,
    )
