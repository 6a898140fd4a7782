"""Reads a page strictly: elements have to be closed in their order."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "col", "hr"}


@dataclass
class Element:
    """An element of a page with the texts directly in it and below it."""

    tag: str
    attributes: dict[str, str | None]
    children: list["Element | str"] = field(default_factory=list)

    def all(self, tag: str) -> list["Element"]:
        """The elements of this kind below it, in their order."""
        found: list[Element] = []
        for child in self.children:
            if isinstance(child, Element):
                found += [child] if child.tag == tag else []
                found += child.all(tag)
        return found

    def every(self) -> list["Element"]:
        """All elements below it, in their order."""
        found: list[Element] = []
        for child in self.children:
            if isinstance(child, Element):
                found += [child, *child.every()]
        return found

    @property
    def text(self) -> str:
        """All its text, with plain spaces."""
        parts = [child if isinstance(child, str) else child.text for child in self.children]
        return "".join(parts).replace("\N{NO-BREAK SPACE}", " ")

    def by_id(self, name: str) -> "Element":
        """The one element with this identity."""
        (found,) = [each for each in self.every() if each.attributes.get("id") == name]
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        assert len(element.attributes) == len(attrs), f"an attribute of {tag} comes twice"
        self._open[-1].children.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag, f"{tag} is closed out of order"

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)

    def close(self) -> None:
        super().close()
        assert self._open == [self.root], "an element is left open"


def read_page(text: str) -> Element:
    """The page as elements."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.root
