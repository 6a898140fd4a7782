"""Prints a picture as SVG 1.1.

There are no scripts, no style sheets and no ids: pictures on the same page never disturb each other or the page.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from gpviz.escaping import html_text
from gpviz.picture.colours import colour_of
from gpviz.picture.items import DASH, Font, Item, Shape, at_rest
from gpviz.picture.text_width import in_runs

_SANS: Final = "Inter,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif"
_SERIF: Final = "'STIX Two Math','STIX Two Text','Cambria Math',Cambria,'DejaVu Serif',serif"
_FONTS: Final = {Font.WORDS: ("400", _SANS), Font.BOLD: ("700", _SANS), Font.MATHS: ("400", _SERIF)}
_USUAL: Final = {
    "fill": "none",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "text-anchor": "middle",
    "font-weight": "400",
    "font-family": _SANS,
}
"""What the whole drawing says once."""
_FORMS: Final = {
    Shape.DISC: ("circle", ("cx", "cy", "r")),
    Shape.BOX: ("rect", ("x", "y", "width", "height", "rx")),
    Shape.POLYGON: ("polygon", ()),
    Shape.LINE: ("polyline", ()),
    Shape.TEXT: ("text", ("x", "y")),
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
    """The items on the theme's panel, ``width`` by ``height`` pixels; of a ``cut`` area only what is inside of it.

    The title and the description are for those who cannot see it. A card has a border, and shrinks with its page.
    """
    left, top, right, bottom = cut or (0.0, 0.0, width, height)
    across, down = right - left, bottom - top
    sides = {
        "xmlns": "http://www.w3.org/2000/svg",
        "role": "img",
        "width": number(width),
        "height": number(height),
    }
    view = {"viewBox": " ".join(map(number, (left, top, across, down)))}
    ground = {"fill": colours["panel"]}
    if is_card:
        view["style"] = "max-width:100%;height:auto"
        ground |= {"stroke": colours["border"]}
        box = _geometry(Shape.BOX, (left + 0.5, top + 0.5, across - 1, down - 1, 6))
    else:
        box = _geometry(Shape.BOX, (left, top, across, down, 0))
    return "\n".join(
        [
            f"<svg{_attributes(sides | view | _USUAL)}>",
            *([f"<title>{html_text(title)}</title>"] if title else []),
            *([f"<desc>{html_text(description)}</desc>"] if description else []),
            f"<rect{box}{_attributes(ground)}/>",
            *_elements(items, colours),
            "</svg>",
            "",
        ]
    )


def number(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _elements(items: Iterable[Item], colours: Mapping[str, str]) -> Iterator[str]:
    """Neighbours that look alike are a group, so that what they share is said once."""
    for look, group in groupby(in_runs(at_rest(items)), lambda run: _look(run[0], colours)):
        runs = list(group)
        shared = _attributes(look, _USUAL)
        if len(runs) == 1 or not shared:
            yield from (_element(run, shared, look, colours) for run in runs)
        else:
            yield f"<g{shared}>"
            yield from (_element(run, "", look, colours) for run in runs)
            yield "</g>"


def _element(run: Sequence[Item], shared: str, look: Mapping[str, str], colours: Mapping[str, str]) -> str:
    item, *others = run
    tag, _ = _FORMS[item.shape]
    start = f"<{tag}{_geometry(item.shape, item.points)}{shared}"
    if item.shape is not Shape.TEXT:
        return f"{start}/>"
    inherited = {**_USUAL, **look}
    words = (
        f"<tspan{_attributes(_look(each, colours), inherited)}>{html_text(each.text)}</tspan>"
        for each in others
    )
    # Some programs leave out the spaces between the parts of a text.
    space = ' xml:space="preserve"' if others else ""
    return f"{start}{space}>{html_text(item.text)}{''.join(words)}</text>"


def _geometry(shape: Shape, points: Sequence[float]) -> str:
    _, names = _FORMS[shape]
    if not names:
        return f' points="{" ".join(map(number, points))}"'
    found = dict(zip(names, map(number, points), strict=False))  # the size of a text is not part of its place
    return _attributes(found, {"rx": "0"})


def _look(item: Item, colours: Mapping[str, str]) -> dict[str, str]:
    """The attributes besides the geometry."""
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
        weight, family = _FONTS[item.font]
        found |= {"font-size": number(item.points[2]), "font-weight": weight, "font-family": family}
        found["text-anchor"] = item.anchor
    return found


def _attributes(values: Mapping[str, str], inherited: Mapping[str, str] | None = None) -> str:
    """The attributes that are not as they are inherited, each with a space before it."""
    usual = inherited or {}
    return "".join(f' {name}="{value}"' for name, value in values.items() if usual.get(name) != value)
