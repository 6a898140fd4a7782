"""The themes: everything can be read, and the verdicts can be told apart by everybody."""

import math
import re
import shutil
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QFileInfo, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QFontMetrics,
    QImage,
    QPixmapCache,
    QRawFont,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QSpinBox,
    QTabBar,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gpviz import assets
from gpviz.app.guide.window import GuideBrowser
from gpviz.app.theme import (
    FONT_FAMILIES,
    FONT_FAMILY,
    Theme,
    load_theme,
    program_icon,
    readable_on,
    style_sheet,
)
from gpviz.app.theme import contrast as contrast_of
from gpviz.assets import THEME_NAMES
from gpviz.engine import UNICODE, Function, Verdict
from gpviz.experiments.figures.figure import LOOK_COLOURS
from gpviz.explain.step_text import VERDICT_SYMBOLS

SYMBOLS = "∧∨¬ℓ∞∅x₀₁₂₃₄₅₆₇₈₉≈✓✕≥−×–…▲◆○▼□⁰¹²³⁴⁵⁶⁷⁸⁹·→"

READ_ON = [
    ("text", "window"),
    ("text", "panel"),
    ("text", "field"),
    ("muted", "window"),
    ("muted", "panel"),
    ("muted", "field"),
    ("accent", "window"),  # a focused tab
    ("accent", "panel"),  # a link
    ("and_text", "and_fill"),
    ("or_text", "or_fill"),
    ("leaf_text", "leaf_fill"),
    ("leaf_text", "redundant_fill"),
    ("text", "redundant_fill"),  # a row of the proof
    ("stuck_text", "panel"),  # why a leaf cannot go
    ("redundant_border", "panel"),  # which leaves could go together
    ("stuck_text", "stuck_fill"),
    ("plateau_text", "plateau_fill"),
    ("solved_text", "solved_fill"),
    ("accent_text", "accent"),
    ("problem", "window"),
    ("problem", "panel"),
]

VERDICT_COLOURS = ("improved", "neutral", "unchanged", "worse", "too_large")

SEEN_ON = [
    *((name, ground) for name in VERDICT_COLOURS for ground in ("panel", "field")),
    *((name, ground) for name in ("control_border", "accent") for ground in ("window", "panel", "field")),
    *(
        (name, ground)
        for name in ("stuck", "plateau", "solved")
        for ground in ("panel", "field", f"{name}_fill")
    ),
    *((name, "panel") for name in ("edge", "and_fill", "or_border", "curve", *LOOK_COLOURS)),
    ("or_border", "or_fill"),
    ("leaf_border", "panel"),
    ("leaf_border", "leaf_fill"),
    ("redundant_border", "panel"),
    ("redundant_border", "redundant_fill"),
    ("problem", "panel"),  # around a field with something wrong in it
    ("problem", "field"),
    ("muted", "field"),  # a wrong row among right ones
]
"""What has a meaning, and everything it is drawn on."""

# Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency",
# 2009, at full severity; the matrices act on linear RGB.
VISIONS = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

JUST_ANOTHER_COLOUR = 15  # as a distance in L*a*b*; 2 or 3 are just noticeable side by side

Linear = tuple[float, float, float]


@pytest.fixture(params=THEME_NAMES)
def theme(request, qapp) -> Theme:
    return load_theme(request.param)


def linear(colour: str) -> Linear:
    """Red, green and blue as shares of light."""
    shade = QColor(colour)
    parts = (shade.redF(), shade.greenF(), shade.blueF())
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return red, green, blue


def contrast(one: str, other: str) -> float:
    return contrast_of(QColor(one), QColor(other))


def seen(colour: str, vision: str) -> Linear:
    """The colour as somebody with this vision sees it."""
    light = linear(colour)
    red, green, blue = (
        min(max(sum(m * c for m, c in zip(row, light, strict=True)), 0.0), 1.0) for row in VISIONS[vision]
    )
    return red, green, blue


def lab(light: Linear) -> Linear:
    """CIE L*a*b* under D65, in which distances are roughly as large as they look."""
    red, green, blue = light
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883,
    )
    x, y, z = (t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize(("pairs", "least"), [(READ_ON, 4.5), (SEEN_ON, 3)], ids=["read", "seen"])
def test_what_is_written_can_be_read_and_what_has_a_meaning_seen(theme, pairs, least):
    found = {
        f"{ink} on {ground}": contrast(getattr(theme.colours, ink), getattr(theme.colours, ground))
        for ink, ground in pairs
    }
    assert {pair: strength for pair, strength in found.items() if strength < least} == {}


@pytest.mark.parametrize("ground", ["window", "panel", "disabled_fill"])
def test_what_is_disabled_can_be_read_and_is_seen_to_be_so(theme, ground):
    colours = theme.colours
    assert contrast(colours.disabled, getattr(colours, ground)) >= 3
    assert contrast(colours.disabled, getattr(colours, ground)) < contrast(colours.text, colours.panel) / 2
    assert contrast(colours.disabled, colours.muted) >= 1.3


@pytest.mark.parametrize("name", ["stuck", "plateau", "solved", *VERDICT_COLOURS])
def test_the_badge_of_a_state_and_of_a_verdict_can_be_read(theme, name):
    colour = QColor(getattr(theme.colours, name))
    assert contrast(colour.name(), readable_on(colour, theme).name()) >= 4.5
    assert contrast(colour.name(), readable_on(colour, theme, is_large=True).name()) >= 4


@pytest.mark.parametrize("vision", VISIONS)
def test_the_verdicts_can_be_told_apart_with_every_vision(theme, vision):
    pairs = [
        *combinations(VERDICT_COLOURS, 2),
        *((verdict, "and_fill") for verdict in VERDICT_COLOURS if verdict != "unchanged"),
        ("too_large", "or_border"),
        ("redundant_border", "worse"),
        ("redundant_border", "stuck"),
    ]
    too_near = {
        f"{one}, {other}": round(distance, 1)
        for one, other in pairs
        if (
            distance := math.dist(*(lab(seen(getattr(theme.colours, name), vision)) for name in (one, other)))
        )
        < JUST_ANOTHER_COLOUR
    }
    assert not too_near


def test_every_verdict_has_a_colour_and_a_symbol_of_its_own(theme):
    assert [theme.colours.of_verdict(verdict) for verdict in Verdict] == [
        getattr(theme.colours, name) for name in VERDICT_COLOURS
    ]
    assert len({theme.colours.of_verdict(verdict) for verdict in Verdict}) == len(Verdict)
    assert len(set(VERDICT_SYMBOLS.values())) == len(Verdict)


def test_high_contrast_is_high_and_has_thicker_lines(qapp):
    theme = load_theme("contrast")
    weakest = min(
        contrast(getattr(theme.colours, ink), getattr(theme.colours, ground)) for ink, ground in READ_ON
    )
    assert weakest >= 7
    assert contrast(theme.colours.text, theme.colours.panel) == pytest.approx(21)
    assert theme.line_scale > 1


def test_the_style_sheet_is_filled_in_and_its_pictures_are_there(theme):
    sheet = style_sheet(theme)
    assert "$" not in sheet
    assert theme.colours.panel in sheet
    pictures = re.findall(r'url\("?([^")]+)"?\)', sheet)
    assert pictures
    for name in pictures:
        path = QFileInfo(name).absoluteFilePath()
        assert Path(path).read_text(encoding="utf-8").startswith("<svg")


def tick_and_arrow(theme: Theme, qtbot: QtBot) -> QImage:
    """Fields whose style has a picture, and what comes after it."""
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    tick, tabs = QCheckBox(), QTabBar()
    tick.setChecked(True)
    tabs.addTab("Tab")
    for part in (tick, QComboBox(), QSpinBox(), tabs):
        layout.addWidget(part)
    window.setStyleSheet(style_sheet(theme))
    return window.grab().toImage()


@pytest.mark.parametrize(
    "name", ["O'Brien & Söhne (1)", "it's $100 [#2] {x}; 50 %20", "a, b", "日本 ü", 'say "hi"']
)
def test_the_program_may_be_in_any_folder(name, tmp_path, monkeypatch, qtbot):
    """Its name may have what means something in a style sheet, an address or a markup."""
    light = load_theme("light")
    usual = tick_and_arrow(light, qtbot)
    places = tmp_path / name
    try:
        places.mkdir()
    except OSError:
        pytest.skip("this system has no folder of such a name")
    for part in ("themes", "icons", "fonts", "screenshots"):
        shutil.copytree(assets.folder(part), places / part)
    monkeypatch.setattr(assets, "_FOLDERS", (places,))
    QPixmapCache.clear()
    assert tick_and_arrow(light, qtbot) == usual
    assert QFontDatabase.addApplicationFont(str(assets.folder("fonts") / "DejaVuSans.ttf")) >= 0
    assert not program_icon().pixmap(32, 32).isNull()
    browser = GuideBrowser()
    qtbot.addWidget(browser)
    assert not browser.loadResource(2, QUrl("../screenshots/stuck.png")).isNull()


@pytest.mark.parametrize("is_bold", [False, True])
def test_what_the_font_of_words_lacks_its_fallback_has(theme, is_bold):
    assert QFontInfo(theme.font(is_bold=is_bold)).family() == FONT_FAMILY
    font = QFont(FONT_FAMILIES[-1], weight=QFont.Weight.Bold if is_bold else QFont.Weight.Normal)
    written = SYMBOLS + "".join(VERDICT_SYMBOLS.values()) + UNICODE.variable(1234567890)
    written += "".join(UNICODE.function(function) for function in Function)
    font.setStyleStrategy(QFont.StyleStrategy.NoFontMerging)  # what other fonts of the system have is no help
    raw, metrics = QRawFont.fromFont(font), QFontMetrics(font)
    assert [c for c in written if not raw.supportsCharacter(ord(c)) or not metrics.inFontUcs4(ord(c))] == []
    assert not raw.supportsCharacter(0x4E2D)  # it can also say no
    assert not metrics.inFontUcs4(0x4E2D)
