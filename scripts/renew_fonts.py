"""Cuts Inter and STIX Two Math to the characters of gpviz, and tabulates how wide the shipped fonts are.

It needs `pip install 'fonttools[woff]'` and a folder with Inter-Regular.woff2 and Inter-Bold.woff2, of the npm
package inter-ui, and stix-two-math-latin-400-normal.woff2, of @fontsource/stix-two-math. Without a folder it only
renews the table.
"""

import json
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FONTS = Path(__file__).resolve().parent.parent / "resources" / "fonts"
SHIPPED = {
    "Inter-Regular.ttf": "Inter-Regular.woff2",
    "Inter-Bold.ttf": "Inter-Bold.woff2",
    "STIXTwoMath-Regular.ttf": "stix-two-math-latin-400-normal.woff2",
}
TABULATED = {
    "words": ("Inter-Regular.ttf", "DejaVuSans.ttf"),
    "bold": ("Inter-Bold.ttf", "DejaVuSans-Bold.ttf"),
    "maths": ("STIXTwoMath-Regular.ttf", "DejaVuSans.ttf"),
}
"""What each font of a picture is: the first that has a character draws it."""
RANGES = (
    (0x20, 0x7E),
    (0xA0, 0x17F),  # Latin with its accents
    (0x391, 0x3C9),  # Greek
    (0x2010, 0x203A),  # dashes, quotation marks
    (0x2070, 0x209C),  # digits above and below the line
    (0x2100, 0x22FF),  # arrows and the signs of mathematics
    (0x2318, 0x2325),  # keys
    (0x25A0, 0x25FF),  # geometric shapes
    (0x2713, 0x2717),
    (0x1D44E, 0x1D467),  # italic letters of mathematics
)


def main() -> None:
    if len(sys.argv) > 1:
        for name, source in SHIPPED.items():
            cut(Path(sys.argv[1]) / source, FONTS / name)
    table = {font: widths(*(FONTS / name for name in names)) for font, names in TABULATED.items()}
    text = json.dumps(table, ensure_ascii=False, indent=0)
    (FONTS / "widths.json").write_text(text + "\n", encoding="utf-8")


def cut(source: Path, target: Path) -> None:
    """Keep the characters that gpviz may show, and kerning; every digit is as wide as the others."""
    font = TTFont(source)
    tabular = tabular_digits(font)
    for table in font["cmap"].tables:
        table.cmap.update({code: tabular[glyph] for code, glyph in table.cmap.items() if glyph in tabular})
    options = Options(
        layout_features=["kern", "mark", "ccmp"], hinting=False, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14]
    )
    options.drop_tables += ["MATH"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[code for first, last in RANGES for code in range(first, last + 1)])
    subsetter.subset(font)
    font.flavor = None
    font.save(target)


def tabular_digits(font: TTFont) -> dict[str, str]:
    """By the glyph of each digit, the one that is as wide as those of the others."""
    digits = {font.getBestCmap()[ord(digit)] for digit in "0123456789"}
    features = font["GSUB"].table.FeatureList.FeatureRecord
    lookups = {
        i for record in features if record.FeatureTag == "tnum" for i in record.Feature.LookupListIndex
    }
    found: dict[str, str] = {}
    for index in lookups:
        for table in font["GSUB"].table.LookupList.Lookup[index].SubTable:
            table = getattr(table, "ExtSubTable", table)
            found |= {one: other for one, other in table.mapping.items() if one in digits}
    return found


def widths(*paths: Path) -> dict[str, str]:
    """The characters by how far they move the pen, in thousandths of the size of the type."""
    advances: dict[int, int] = {}
    for path in reversed(paths):
        font = TTFont(path)
        per_thousand = 1000 / font["head"].unitsPerEm
        advances |= {
            code: round(font["hmtx"][glyph][0] * per_thousand)
            for code, glyph in font.getBestCmap().items()
            if not unicodedata.category(chr(code)).startswith("C")
        }
    characters = defaultdict(str)
    for code, advance in sorted(advances.items()):
        characters[str(advance)] += chr(code)
    return dict(sorted(characters.items(), key=lambda item: int(item[0])))


if __name__ == "__main__":
    main()
