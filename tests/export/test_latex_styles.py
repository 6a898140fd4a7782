"""Numbers, cuts and colours for TeX."""

import tomllib

from gpviz import assets
from gpviz.export.latex_styles import colour_name, colours_and_styles, number
from tests.export.tex import check_well_formed


def test_numbers_have_no_more_decimals_than_they_need() -> None:
    assert [number(value) for value in (1.0, -0.5, -0.00001, 0.12346, 10.0)] == [
        "1",
        "-0.5",
        "0",
        "0.1235",
        "10",
    ]


def test_every_colour_is_the_themes_and_defined_once() -> None:
    theme = tomllib.loads((assets.folder("themes") / "light.toml").read_text(encoding="utf-8"))["colours"]
    text = colours_and_styles()
    check_well_formed(text)
    for name in ("and_fill", "or_fill", "improved", "worse", "too_large", "neutral", "stuck"):
        line = rf"\definecolor{{{colour_name(name)}}}{{HTML}}{{{theme[name][1:].upper()}}}"
        assert text.count(line) == 1
