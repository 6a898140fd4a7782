"""Prints a picture as SVG 1.1.

There are no scripts, no style sheets and no ids: pictures on the same page never disturb each other or the page.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from gpviz.escaping import html_text
from gpviz.picture.colours import colour_of
from gpviz.picture.items import DASH, Font, Item, Shape, at_rest

_FAMILIES: Final = {
    Font.WORDS: "Inter,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif",
    Font.MATHS: "'STIX Two Math','STIX Two Text','Cambria Math',Cambria,'DejaVu Serif',serif",
}
_TAGS: Final = {
    Shape.DISC: "circle",
    Shape.BOX: "rect",
    Shape.POLYGON: "polygon",
    Shape.LINE: "polyline",
    Shape.TEXT: "text",
}
_NAMES: Final = {
    Shape.DISC: ("cx", "cy", "r"),
    Shape.BOX: ("x", "y", "width", "height", "rx"),
    Shape.TEXT: ("x", "y"),
}

Area = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def svg_of(
    items: Iterable[Item],
    width: float,
    height: float,
    colours: Mapping[str, str],
    *,
    title: str = "",
    description: str = "",
    cut: Area | None = None,
    is_card: bool = False,
) -> str:
    """The items on the theme's panel, ``width`` by ``height`` pixels; of ``cut`` only what is inside of it.

    The title and the description are for those who cannot see it. A card has a border, and shrinks with its page.
    """
    left, top, right, bottom = cut or (0.0, 0.0, width, height)
    across, down = right - left, bottom - top
    ground = f'fill="{colours["panel"]}"'
    sides = left, top, across, down
    if is_card:
        ground += f' stroke="{colours["border"]}" rx="6"'
        sides = left + 0.5, top + 0.5, across - 1, down - 1
    view = " ".join(map(number, (left, top, across, down)))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{number(width)}" height="{number(height)}"'
            f' viewBox="{view}" fill="none" stroke-linecap="round" stroke-linejoin="round" text-anchor="middle"'
            f' font-family="{_FAMILIES[Font.WORDS]}"{_CARD_STYLE if is_card else ""}>',
            *([f"<title>{html_text(title)}</title>"] if title else []),
            *([f"<desc>{html_text(description)}</desc>"] if description else []),
            f"<rect {_pairs(_NAMES[Shape.BOX], sides)} {ground}/>",
            *_elements(items, colours),
            "</svg>",
            "",
        ]
    )


_CARD_STYLE: Final = ' style="max-width:100%;height:auto"'


def number(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _elements(items: Iterable[Item], colours: Mapping[str, str]) -> Iterator[str]:
    """Neighbours that look alike are a group, so that what they share is said once."""
    for look, group in groupby(at_rest(items), lambda item: _look(item, colours)):
        drawn = list(group)
        if len(drawn) == 1:
            yield _element(drawn[0], look)
        else:
            yield f"<g{look}>"
            yield from (_element(item) for item in drawn)
            yield "</g>"


def _element(item: Item, look: str = "") -> str:
    tag = _TAGS[item.shape]
    if item.shape in _NAMES:
        geometry = _pairs(_NAMES[item.shape], item.points)
    else:
        geometry = f'points="{" ".join(map(number, item.points))}"'
    content = f">{html_text(item.text)}</{tag}>" if item.shape is Shape.TEXT else "/>"
    return f"<{tag} {geometry}{look}{content}"


def _pairs(names: Sequence[str], values: Sequence[float]) -> str:
    return " ".join(f'{name}="{number(value)}"' for name, value in zip(names, values, strict=False))


def _look(item: Item, colours: Mapping[str, str]) -> str:
    """The attributes besides the geometry, each with a space before it."""
    found = {}
    if item.fill:
        found["fill"] = colour_of(item.fill, colours)
    if item.stroke and item.width:
        found |= {"stroke": colour_of(item.stroke, colours), "stroke-width": f"{item.width:.3g}"}
        if item.is_dashed:
            found["stroke-dasharray"] = " ".join(number(part * item.width / 2) for part in DASH)
    if item.opacity < 1:
        found["opacity"] = f"{item.opacity:.2g}"
    if item.shape is Shape.TEXT:
        found["font-size"] = number(item.points[2])
        if item.font is Font.BOLD:
            found["font-weight"] = "700"
        if item.font is Font.MATHS:
            found["font-family"] = _FAMILIES[Font.MATHS]
        if item.anchor != "middle":
            found["text-anchor"] = item.anchor
    return "".join(f' {name}="{value}"' for name, value in found.items())
