"""What all LaTeX exports share: the theme's colours by name, and the styles of nodes."""

from collections.abc import Iterator
from typing import Final

from gpviz import assets
from gpviz.engine import Verdict

LIBRARIES: Final = "shapes.geometric"
"""What TikZ needs besides itself: the diamond."""

VERDICT_COLOURS: Final = {
    Verdict.IMPROVED: "improved",
    Verdict.NEUTRAL: "neutral",
    Verdict.UNCHANGED: "unchanged",
    Verdict.WORSE: "worse",
    Verdict.TOO_LARGE: "too_large",
}
"""For each verdict the name of its colour in the theme."""

_THEME: Final = "light"
"""Paper is white."""

_COLOURS: Final = (
    "text", "muted", "accent", "border", "edge", "and_fill", "and_text", "or_fill", "or_text",
    "leaf_fill", "leaf_border", "leaf_text", "redundant_fill", "redundant_border",
    "improved", "neutral", "unchanged", "worse", "too_large", "stuck", "stuck_fill", "stuck_text",
    "solved", "solved_fill", "solved_text",
)  # fmt: skip

_SMALLEST_MARK: Final = 0.45
"""Marks stay large enough to be seen in a tree that is drawn very small."""

_CORNERS_MM: Final = {"and": (4.0, 4.0), "or": (3.9, 3.9), "leaf": (4.2, 3.8)}
_ARM_MM: Final = 1.6
_STRIKE_MM: Final = (2.7, 0.9)
"""How far the arms of a cross are from the middle of a node, how long they are, and a line through a label."""

_NARROW: Final = frozenset("iljtfrI.,:;·'|!()[] ")
_WIDE: Final = frozenset("mwMW∧∨→≈×>▲▼✕")
_NARROW_CM: Final = 0.12
_USUAL_CM: Final = 0.18
_WIDE_CM: Final = 0.3
"""About as wide are characters of the usual size."""


def shortened(text: str, most: int) -> str:
    """The text cut between two words where it is longer than that."""
    if len(text) <= most:
        return text
    end = text.rfind(" ", 0, most)
    return f"{text[: end if end > 0 else most]} …"


def width_cm(text: str) -> float:
    """About how wide a text is set, rather too wide."""
    return sum(
        _NARROW_CM if character in _NARROW else _WIDE_CM if character in _WIDE else _USUAL_CM
        for character in text
    )


def number(value: float) -> str:
    """A number with as many decimals as it needs, at most four."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def colour_name(name: str) -> str:
    """The name in LaTeX of a colour of the theme: ``and_fill`` is ``gpvizAndFill``."""
    return "gpviz" + "".join(part.capitalize() for part in name.split("_"))


def colours_and_styles(scale: float = 1.0) -> str:
    """The definitions of all colours, and of the styles of nodes that are drawn this large."""
    colours = assets.theme_data(_THEME)["colours"]
    lines = [
        rf"\definecolor{{{colour_name(name)}}}{{HTML}}{{{colours[name].lstrip('#').upper()}}}"
        for name in _COLOURS
    ]
    return "\n".join([*lines, _styles(scale)])


def _styles(scale: float) -> str:
    """Sizes of nodes follow from their scale; widths of lines do not, so they are worked out here."""
    size = number(scale)

    def points(width: float, least: float = 0.05) -> str:
        return f"{number(max(width * min(scale, 1.6), least))}pt"

    def millimetres(length: float) -> str:
        return f"{number(length * max(scale, _SMALLEST_MARK))}mm"

    corner = points(4.0)
    styles = {
        "node": f"inner sep=0pt, outer sep=0pt, scale={size}",
        "symbol": r"font=\large\boldmath",
        "and": "gpviz node, circle, minimum size=7mm, fill=gpvizAndFill, text=gpvizAndText, gpviz symbol",
        "or": "gpviz node, diamond, minimum size=8.6mm, fill=gpvizOrFill, text=gpvizOrText, gpviz symbol",
        "leaf": (
            f"gpviz node, rectangle, rounded corners={corner}, minimum width=7mm, minimum height=6.2mm,"
            f" draw=gpvizLeafBorder, line width={points(0.8)}, fill=gpvizLeafFill, text=gpvizLeafText"
        ),
        "long": r"font=\footnotesize",
        "redundant": (
            f"draw=gpvizRedundantBorder, line width={points(0.8)}, fill=gpvizRedundantFill,"
            f" double=gpvizRedundantFill, double distance={points(1.0)}"
        ),
        "edge": f"draw=gpvizEdge, line width={points(0.8)}",
        "mark": (
            f"draw=gpvizMark, line width={points(1.3, 0.7)},"
            f" dash pattern=on {points(3.4, 1.6)} off {points(2.2, 1.1)}"
        ),
        "ghost edge": "gpviz mark",
        "arms": f"draw=gpvizMark, line width={points(1.9, 0.9)}, line cap=round",
        "behind arms": f"draw=white, line width={points(3.4, 1.6)}, line cap=round",
        "struck": f"draw=gpvizMark, line width={points(1.3, 0.7)}, line cap=round",
        "arrow": (
            f"draw=gpvizMark, line width={points(1.2, 0.6)}, ->,"
            f" shorten <={millimetres(3.6)}, shorten >={millimetres(4.9)}"
        ),
        "callout": (
            "draw=gpvizMark, fill=white, line width=1pt, text=gpvizText, inner sep=4pt, outer sep=0pt"
        ),
        "leader": f"draw=gpvizMark, line width=0.9pt, shorten >={millimetres(5.2)}",
        "ring": f"gpviz node, gpviz visible, draw=gpvizMark, line width={points(1.7, 0.9)}",
        "dashes": f"gpviz node, gpviz visible, gpviz mark, line width={points(1.5, 0.8)}",
        "halo": f"gpviz node, gpviz visible, draw=gpvizMark, draw opacity=0.28, line width={points(5.0, 2.5)}",
        "visible": f"scale={number(max(1.0, _SMALLEST_MARK / scale))}",
        "around and": "circle, minimum size=9mm",
        "around or": "diamond, minimum size=11.4mm",
        "around leaf": (f"rectangle, rounded corners={points(6.0)}, minimum width=9mm, minimum height=8.2mm"),
        "ghost": "gpviz visible, gpviz mark",
        "ghost and": "gpviz and, gpviz ghost, fill=gpvizAndFill!25, text=gpvizText",
        "ghost or": "gpviz or, gpviz ghost, fill=gpvizOrFill!25, text=gpvizText",
        "ghost leaf": "gpviz leaf, gpviz ghost, fill=white, text=gpvizText",
    }
    lines = [f"  gpviz {name}/.style={{{keys}}}," for name, keys in styles.items()]
    lines += [f"  gpviz {name}/.pic={{{code}}}," for name, code in _pics(scale)]
    return "\n".join([r"\tikzset{", *lines, "}"])


def _pics(scale: float) -> Iterator[tuple[str, str]]:
    """The arms of a cross at the corners of a node, which leave its label readable, and a line through a label."""
    size = max(scale, _SMALLEST_MARK)

    def point(across: float, down: float) -> str:
        return f"({number(across * size)}mm,{number(down * size)}mm)"

    for kind, (across, down) in _CORNERS_MM.items():
        arms = " ".join(
            f"{point(side * across, up * down)} -- {point(side * (across - _ARM_MM), up * (down - _ARM_MM))}"
            for side in (-1, 1)
            for up in (-1, 1)
        )
        yield f"cross {kind}", rf"\draw[gpviz behind arms] {arms}; \draw[gpviz arms] {arms};"
    across, down = _STRIKE_MM
    yield "strike", rf"\draw[gpviz struck] {point(-across, -down)} -- {point(across, down)};"
