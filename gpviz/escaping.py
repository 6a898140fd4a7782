"""Shows any text as text, also a stranger's: one function for each medium.

A note, a title, a caption, the name of a file or a sentence that quotes one of them may hold anything: escape
sequences of a terminal, markup, ampersands, invisible characters that turn the reading direction round. Whatever
shows such a text passes it through the function of its medium.
"""

import os
import re
import shlex
import unicodedata
from collections.abc import Sequence
from html import escape
from typing import Final

from gpviz.number_text import SUBSCRIPTS, SUPERSCRIPTS

_LINE_END: Final = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""What has no picture, and what XML forbids."""
_INVISIBLE: Final = re.compile(
    "[\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""What turns the reading direction round or only marks something; what joins letters and emoji stays."""
_UNKNOWN: Final = "\N{REPLACEMENT CHARACTER}"

_SPECIALS: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"$<$", ">": r"$>$",
    "|": r"$|$", '"': "{''}", "`": r"\textasciigrave{}", "-": "{-}", "?": "{?}", "!": "{!}", "'": "{'}",
}  # fmt: skip
"""What means something else to TeX; alone in braces stands what would join with its neighbours."""

_TRIANGLE: Final = (
    r"\tikz[baseline=0pt, sharp corners]\fill[fill=.] (0,%s) -- (0.8em,%s) -- (0.4em,%s) -- cycle;"
)
"""Filled, which needs more than the usual fonts; in the colour of the text around it."""

_SYMBOLS: Final = {
    "∧": r"$\wedge$", "∨": r"$\vee$", "¬": r"$\neg$", "·": r"$\cdot$", "×": r"$\times$", "→": r"$\to$",
    "−": "$-$", "±": r"$\pm$", "∞": r"$\infty$", "≈": r"$\approx$", "≤": r"$\le$", "≥": r"$\ge$",
    "ℓ": r"$\ell$", "∅": r"$\emptyset$",
    "▲": _TRIANGLE % ("0", "0", "0.7em"), "▼": _TRIANGLE % ("0.7em", "0.7em", "0"),
    "□": r"\tikz[baseline=0pt, sharp corners]\draw[draw=.] (0,0) rectangle (0.65em,0.65em);",
    "✕": r"$\times$", "…": r"\ldots{}", "–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''",
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}",
    "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "§": r"\S{}", "©": r"\copyright{}",
}  # fmt: skip

_ACCENTS: Final = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c", "\u0328": "k",
}  # fmt: skip
_FONT_HAS_NO: Final = "k"
"""The accent that the usual font of LaTeX lacks."""


_PLAIN_WORD: Final = re.compile(r'".*"|[\w./\\:=+*-]+')
"""What terminals of Windows leave as it is: a word in quotes, or one without signs that mean something there."""


def terminal_text(text: str) -> str:
    """The text on one line of a terminal; what cannot be shown there stands as Python writes it."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def command_text(arguments: Sequence[str]) -> str:
    """A command as it is typed into a terminal of this system, to be shown in one."""
    if os.name != "nt":
        return terminal_text(shlex.join(arguments))
    from subprocess import list2cmdline  # its quotes are those that the terminals of Windows know

    quoted = (list2cmdline([argument]) for argument in arguments)
    # It knows how programs read them; the terminals also take signs such as & for their own.
    return terminal_text(" ".join(each if _PLAIN_WORD.fullmatch(each) else f'"{each}"' for each in quoted))


def label_text(text: str) -> str:
    """The text where Qt takes it as it is, in a plain label, a list or a painting; its lines stay lines."""
    if text.isprintable():
        return text
    return _CONTROL.sub(_UNKNOWN, _INVISIBLE.sub("", _LINE_END.sub("\n", text)))


def line_text(text: str) -> str:
    """The same on one line, as in the status bar."""
    return " ".join(label_text(text).split())


def title_text(text: str) -> str:
    """The text in the title of a window; Qt has a meaning of its own for a star in brackets."""
    return line_text(text).replace("[*]", "[*][*]")


def menu_text(text: str) -> str:
    """The text in a menu, on a button or on a tab; an ampersand underlines nothing."""
    return line_text(text).replace("&", "&&")


def html_text(text: str) -> str:
    """The text in HTML or SVG, also between quotes, and where Qt takes markup."""
    return escape(label_text(text))


def tooltip_text(text: str) -> str:
    """The text as a tooltip, which Qt might take for markup: as it is, line by line."""
    return "" if not text else f"<p style='white-space: pre-wrap'>{html_text(text)}</p>"


def latex_text(text: str) -> str:
    """The text as TeX sets it, in plain ASCII; a character that the usual fonts lack becomes a question mark."""
    parts: list[str] = []
    position = 0
    while position < len(text):
        for digits, sign in ((SUBSCRIPTS, "_"), (SUPERSCRIPTS, "^")):
            end = position
            while end < len(text) and text[end] in digits:
                end += 1
            if end > position:
                number = "".join(str(digits.index(digit)) for digit in text[position:end])
                base = ""
                if sign == "_" and parts and parts[-1] == "x":
                    base = parts.pop()
                parts.append(f"${base}{sign}{{{number}}}$")
                break
        else:
            parts.append(_latex_character(text[position]))
            end = position + 1
        position = end
    return "".join(parts)


def latex_comment(text: str) -> str:
    """The text as comments of TeX, one for each of its lines."""
    return "\n".join(f"% {terminal_text(line)}".rstrip() for line in text.splitlines())


def _latex_character(character: str) -> str:
    known = _SPECIALS.get(character) or _SYMBOLS.get(character)
    if known is not None:
        return known
    if character.isascii():
        return character if character.isprintable() else " "
    if character.isspace():
        return " "
    parts = unicodedata.normalize("NFD", character)
    letter, accents = parts[0], parts[1:]
    marks = [_ACCENTS.get(accent, _FONT_HAS_NO) for accent in accents]
    if not accents or not letter.isascii() or not letter.isalpha() or _FONT_HAS_NO in marks:
        return "{?}"
    text = {"i": r"\i", "j": r"\j"}.get(letter, letter)
    for mark in marks:
        text = rf"\{mark}{{{text}}}"
    return text
