"""Texts measured without Qt are as wide as Qt sets them in the shipped fonts, and what does not fit is cut."""

import pytest
from PySide6.QtGui import QFont, QFontMetricsF, QGuiApplication, QRawFont

from gpviz import assets
from gpviz.app.theme import FONT_FAMILIES, MATHS_FAMILIES, load_fonts
from gpviz.picture.items import Font
from gpviz.picture.text_width import elided, text_width, wrapped

SYMBOLS = "∧∨¬⊕ℓ∞₀₁₂₃₄₅₆₇₈₉→±≥≤≈×−…·–▲▼✕□⁰¹²³⁴⁵⁶⁷⁸⁹½∅"
TEXTS = (
    "Accepted: change x₁ to x₅, 7 → 3 wrong rows",
    "Rejected: insert ∨ x₆ above x₂ ∨ x₂, 15 → 23 wrong rows",
    "A dead end: every change makes it worse, or leads to trees just as stuck.",
    "delete +4 · change ≥ +2",
    "1,024 of 2¹⁰ rows ≈ 3.4 × 10⁻⁵",
    "STUCK: proved, over 128 trees up to symmetry",
    "x₁₀ ∧ ¬x₂ ⊕ (x₃ ∨ x₁)",
)
FILES = {
    Font.WORDS: ("Inter-Regular", "DejaVuSans"),
    Font.BOLD: ("Inter-Bold", "DejaVuSans-Bold"),
    Font.MATHS: ("STIXTwoMath-Regular", "DejaVuSans"),
}


def font_of(font: Font) -> QFont:
    load_fonts()
    found = QFont(list(MATHS_FAMILIES if font is Font.MATHS else FONT_FAMILIES))
    found.setPixelSize(100)
    found.setBold(font is Font.BOLD)
    found.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return found


@pytest.mark.parametrize("font", Font)
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_as_wide_as_qt_sets_it(qapp: QGuiApplication, text: str, font: Font) -> None:
    assert text_width(text, 100, font) == pytest.approx(
        QFontMetricsF(font_of(font)).horizontalAdvance(text), rel=0.01
    )


@pytest.mark.parametrize("font", Font)
def test_every_symbol_is_in_a_shipped_font_and_as_wide_as_there(qapp: QGuiApplication, font: Font) -> None:
    fonts = [QRawFont(str(assets.folder("fonts") / f"{name}.ttf"), 1000) for name in FILES[font]]
    for symbol in SYMBOLS:
        shipped = next(raw for raw in fonts if raw.supportsCharacter(ord(symbol)))
        (advance,) = shipped.advancesForGlyphIndexes(shipped.glyphIndexesForString(symbol))
        assert text_width(symbol, 1000, font) == pytest.approx(advance.x(), abs=1), symbol


def test_all_digits_are_equally_wide_so_that_a_number_that_counts_does_not_tremble() -> None:
    for font in Font:
        assert len({text_width(digit, 10, font) for digit in "0123456789"}) == 1


def test_a_text_that_is_too_wide_is_cut_as_late_as_possible() -> None:
    text = "Rejected: insert"
    width = text_width(text, 20)
    assert elided(text, 20, width) == text
    cut = elided(text, 20, width - 1)
    assert cut == "Rejected: ins…"
    assert text_width(cut, 20) <= width - 1 < text_width("Rejected: inse…", 20)
    assert elided(text, 20, 0) == "…"


def test_lines_break_between_words_and_none_is_too_wide() -> None:
    text = "A dead end: every change makes it worse, or changes nothing."
    lines = wrapped(text, 20, 200)
    assert " ".join(lines) == text
    assert len(lines) > 2
    assert all(text_width(line, 20) <= 200 for line in lines)
    assert wrapped("", 20, 200) == []
    assert wrapped("unbelievably long", 20, 60) == [elided("unbelievably", 20, 60), "long"]
