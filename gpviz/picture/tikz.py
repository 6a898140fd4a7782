"""Prints a picture as TikZ, at its pixel coordinates: one of them is half a point, and y grows downwards.

Everything is said in the picture itself: nothing but TikZ is needed, and nothing is defined with parameters, as a
frame of Beamer would not take that.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from gpviz.escaping import latex_text
from gpviz.picture.colours import colour_of
from gpviz.picture.items import DASH, Font, Item, Shape, at_rest
from gpviz.picture.text_width import in_runs

POINTS_PER_PIXEL: Final = 0.5
_TYPE: Final = 10.0
"""The size, in points, in which every font of LaTeX is there; other sizes are scaled."""
_LARGER: Final = 1.06
"""The fonts of LaTeX are narrower than those that the places of texts are worked out for, and look smaller."""
_FONTS: Final = {Font.WORDS: "", Font.BOLD: r"\bfseries ", Font.MATHS: r"\rmfamily "}
_ANCHORS: Final = {"start": "base west", "middle": "base", "end": "base east"}


def tikz_of(
    items: Iterable[Item],
    width: float,
    height: float,
    colours: Mapping[str, str],
    *,
    points: float = POINTS_PER_PIXEL,
    is_cropped: bool = False,
) -> str:
    """The environment ``tikzpicture`` with these items; of a cropped one nothing is left free around them.

    A pixel is so many ``points``.
    """
    shown = list(at_rest(items))
    unit = f"{number(points)}pt"
    font = rf"font=\normalfont\sffamily\fontsize{{{_TYPE:g}}}{{12}}\selectfont"
    return "\n".join(
        [
            rf"\begin{{tikzpicture}}[x={unit}, y=-{unit}, line cap=round, line join=round, inner sep=0pt, {font}]",
            *_definitions(shown, colours),
            *([] if is_cropped else [rf"\path[use as bounding box] (0,0) rectangle {_at(width, height)};"]),
            *(_command(run, points) for run in in_runs(shown)),
            r"\end{tikzpicture}",
        ]
    )


def number(value: float) -> str:
    """A number with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _definitions(items: Iterable[Item], colours: Mapping[str, str]) -> Iterator[str]:
    """Each colour that is used, and the panel that others are mixed with."""
    used = {name.partition("/")[0] for item in items for name in (item.fill, item.stroke) if name}
    for name in sorted(used | {"panel"}):
        value = colour_of(name, colours).lstrip("#").upper()
        yield rf"\definecolor{{{_colour_name(name)}}}{{HTML}}{{{value}}}"


def _colour_name(name: str) -> str:
    """``and_fill`` is ``gpvizAndFill``."""
    return "gpviz" + "".join(part.capitalize() for part in name.split("_"))


def _colour(name: str) -> str:
    """A colour in an option; ``improved/20`` is mixed by LaTeX."""
    plain, _, share = name.partition("/")
    return f"{_colour_name(plain)}!{share}!gpvizPanel" if share else _colour_name(plain)


def _command(run: Sequence[Item], points: float) -> str:
    item = run[0]
    if item.shape is Shape.TEXT:
        return _text(run, points)
    options = [*_paint(item, points)]
    if item.shape is Shape.BOX and item.points[4]:
        options.append(f"rounded corners={number(item.points[4] * points)}pt")
    return rf"\path[{', '.join(options)}] {_path(item)};"


def _path(item: Item) -> str:
    match item.shape:
        case Shape.DISC:
            x, y, radius = item.points
            return f"{_at(x, y)} circle[radius={number(radius)}]"
        case Shape.BOX:
            x, y, width, height, _ = item.points
            return f"{_at(x, y)} rectangle {_at(x + width, y + height)}"
    corners = " -- ".join(_at(x, y) for x, y in zip(item.points[::2], item.points[1::2], strict=True))
    return f"{corners} -- cycle" if item.shape is Shape.POLYGON else corners


def _paint(item: Item, points: float) -> Iterator[str]:
    if item.fill and item.shape is not Shape.LINE:
        yield f"fill={_colour(item.fill)}"
    if item.stroke and item.width:
        yield f"draw={_colour(item.stroke)}, line width={number(item.width * points)}pt"
        if item.is_dashed:
            on, off = (number(part * item.width / 2 * points) for part in DASH)
            yield f"dash pattern=on {on}pt off {off}pt"
    if item.opacity < 1:
        yield f"opacity={number(item.opacity)}"


def _text(run: Sequence[Item], points: float) -> str:
    """The words of a line in one size: formulas of LaTeX are as large as its words."""
    first = run[0]
    x, y, size = first.points
    options = [
        f"anchor={_ANCHORS[first.anchor]}",
        f"scale={number(size * points / _TYPE * _LARGER)}",
        f"text={_colour(first.fill)}",
    ]
    if first.opacity < 1:
        options.append(f"opacity={number(first.opacity)}")
    words = [_FONTS[item.font] + latex_text(item.text) for item in run]
    words = words if len(words) == 1 else [f"{{{each}}}" for each in words]
    return rf"\node[{', '.join(options)}] at {_at(x, y)} {{{''.join(words)}}};"


def _at(x: float, y: float) -> str:
    return f"({number(x)},{number(y)})"
