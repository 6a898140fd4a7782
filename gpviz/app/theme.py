"""The themes: every colour of the window by what it stands for, its type, its icons, and the style sheet."""

from dataclasses import dataclass, fields, replace
from functools import cache
from string import Template
from typing import Final

from PySide6.QtCore import QByteArray, QDir, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
    QPixmapCache,
)
from PySide6.QtSvg import QSvgRenderer

from gpviz import assets
from gpviz.engine import State, Verdict
from gpviz.picture.verdict_badge import VERDICT_COLOURS

FONT_FAMILY: Final = "Inter"
_SYMBOLS_FAMILY: Final = "DejaVu Sans"
FONT_FAMILIES: Final = (FONT_FAMILY, _SYMBOLS_FAMILY)
"""For words; the second has the symbols that the first lacks."""
MATHS_FAMILIES: Final = ("STIX Two Math", _SYMBOLS_FAMILY)
PIXELS_PER_INCH: Final = 96.0
"""So many pixels are an inch, in type and pictures, whatever a screen says of itself."""
DEFAULT_FONT_SIZE: Final = 10
"""In points; what a person chooses in the menu instead."""
TYPE_STEP: Final = 1.12
"""How much larger the type for a hall gets with each step."""
MOST_TYPE_STEPS: Final = 6
"""How many steps larger or smaller it can be made."""
_HALL_LINES: Final = 33.0
"""So many lines of the usual type are as high as the screen of a hall."""
_HALL_LINES_PIXELS: Final = 768.0
"""The height of a screen on which lines have the projector's width."""
_SMALLEST_HALL_PIXELS: Final = 9.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Colours:
    """The colours of a theme, as ``#rrggbb``."""

    window: str
    panel: str
    field: str
    border: str
    """Around what is only set apart; what can be used has ``control_border``."""
    control_border: str
    text: str
    muted: str
    disabled: str
    disabled_fill: str
    accent: str
    accent_text: str
    problem: str
    edge: str
    and_fill: str
    and_text: str
    or_fill: str
    or_border: str
    or_text: str
    leaf_fill: str
    leaf_border: str
    leaf_text: str
    redundant_fill: str
    redundant_border: str
    improved: str
    neutral: str
    unchanged: str
    worse: str
    too_large: str
    stuck: str
    stuck_fill: str
    stuck_text: str
    plateau: str
    plateau_fill: str
    plateau_text: str
    solved: str
    solved_fill: str
    solved_text: str
    curve: str

    def of_verdict(self, verdict: Verdict) -> str:
        """The colour a verdict has everywhere."""
        colour: str = getattr(self, VERDICT_COLOURS[verdict])
        return colour

    def of_state(self, state: State) -> tuple[str, str, str] | None:
        """Frame, background and text of the banner of a state; None where there is none."""
        return {
            State.STUCK: (self.stuck, self.stuck_fill, self.stuck_text),
            State.PLATEAU: (self.plateau, self.plateau_fill, self.plateau_text),
            State.SOLVED: (self.solved, self.solved_fill, self.solved_text),
        }.get(state)


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """A theme and the size of its type; ``line_scale`` multiplies the width of everything drawn."""

    name: str
    title: str
    is_dark: bool
    colours: Colours
    font_size: float = DEFAULT_FONT_SIZE
    line_scale: float = 1.0

    def font(self, scale: float = 1.0, *, is_bold: bool = False) -> QFont:
        """The window's font, this many times its usual size."""
        font = words_font()
        font.setPointSizeF(_screen_points(self.font_size * scale))
        font.setBold(is_bold)
        return font


def _screen_points(size: float) -> float:
    """The point size for Qt that gives type of this size the same pixels on all screens.

    On macOS Qt takes a point for a pixel, and type would be a quarter smaller than what is drawn around it. Sizes
    in pixels are no way out: Qt has whole ones only.
    """
    return size * PIXELS_PER_INCH / QGuiApplication.primaryScreen().logicalDotsPerInchY()


def load_theme(name: str, font_size: float = DEFAULT_FONT_SIZE) -> Theme:
    """The theme of this name, with type of this size before the theme's own scaling."""
    data = assets.theme_data(name)
    return Theme(
        name=name,
        title=data["title"],
        is_dark=data["is_dark"],
        colours=Colours(**data["colours"]),
        font_size=font_size * data.get("type_scale", 1.0),
        line_scale=data.get("line_scale", 1.0),
    )


def hall_theme(name: str, width: int, height: int, steps: int = 0) -> Theme:
    """The theme for a picture of this size, with type that the last row of a hall can read.

    Each step makes the type larger, each negative one smaller.
    """
    side = min(height, 0.75 * width)
    pixels = max(side / _HALL_LINES * TYPE_STEP**steps, _SMALLEST_HALL_PIXELS)
    return replace(
        load_theme(name),
        font_size=pixels * 72.0 / PIXELS_PER_INCH,
        line_scale=load_theme("projector").line_scale * max(side / _HALL_LINES_PIXELS, 0.5),
    )


def smaller(theme: Theme, share: float) -> Theme:
    """The theme with type of this share of its size."""
    return replace(theme, font_size=theme.font_size * share)


def words_font() -> QFont:
    """The font of all that is not mathematics, in no particular size."""
    return QFont(list(FONT_FAMILIES))


def load_fonts() -> None:
    """Make the fonts that come with gpviz known to Qt, which has none of its own."""
    for path in sorted(assets.folder("fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(path))


def palette_of(theme: Theme) -> QPalette:
    """The theme for everything that Qt draws by itself."""
    colours = theme.colours
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: colours.window,
        QPalette.ColorRole.WindowText: colours.text,
        QPalette.ColorRole.Base: colours.field,
        QPalette.ColorRole.AlternateBase: colours.panel,
        QPalette.ColorRole.Text: colours.text,
        QPalette.ColorRole.Button: colours.panel,
        QPalette.ColorRole.ButtonText: colours.text,
        QPalette.ColorRole.BrightText: colours.problem,
        QPalette.ColorRole.ToolTipBase: colours.panel,
        QPalette.ColorRole.ToolTipText: colours.text,
        QPalette.ColorRole.PlaceholderText: colours.muted,
        QPalette.ColorRole.Highlight: colours.accent,
        QPalette.ColorRole.HighlightedText: colours.accent_text,
        QPalette.ColorRole.Link: colours.accent,
        QPalette.ColorRole.LinkVisited: colours.accent,
    }
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colours.disabled))
    return palette


def readable_on(fill: QColor, theme: Theme, *, is_large: bool = False) -> QColor:
    """The theme's text or its opposite, whichever is easier to read on this fill.

    Small text needs it stronger than the theme has it; what is large, such as a symbol, does not.
    """
    inks = [QColor(theme.colours.text), QColor(theme.colours.panel)]
    if not is_large:
        inks = [stronger for ink in inks for stronger in (ink.darker(400), ink.lighter(200))]
    return max(inks, key=lambda ink: contrast(ink, fill))


def contrast(one: QColor, other: QColor) -> float:
    """How well two colours differ, from 1 to 21, as the guidelines for web content define it."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: QColor) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def style_sheet(theme: Theme) -> str:
    """The style sheet of the whole program in this theme."""
    template = (assets.folder("themes") / "window.qss").read_text(encoding="utf-8")
    values = {setting.name: getattr(theme.colours, setting.name) for setting in fields(Colours)}
    # By a name of Qt's own: the folder's may have quotes or brackets, which mean something in a style sheet.
    QDir.setSearchPaths("icons", [str(assets.folder("icons"))])
    shade = "dark" if theme.is_dark else "light"
    return Template(template).substitute(values, shade=shade)


_SIZES = (24, 48)


def icon(name: str, theme: Theme, colour: str | None = None, *, chosen: str | None = None) -> QIcon:
    """The icon in the theme's text colour or another, paler where it is disabled; ``chosen`` is for lists."""
    made = QIcon()
    wanted = colour or theme.colours.text
    for size in _SIZES:
        made.addPixmap(_pixmap(name, wanted, size, 1.0), QIcon.Mode.Normal)
        made.addPixmap(_pixmap(name, wanted, size, 0.35), QIcon.Mode.Disabled)
        made.addPixmap(_pixmap(name, chosen or wanted, size, 1.0), QIcon.Mode.Selected)
    return made


def program_icon() -> QIcon:
    """What stands for gpviz on the desktop."""
    return QIcon(str(assets.folder("icons") / "gpviz.svg"))


def _pixmap(name: str, colour: str, size: int, opacity: float) -> QPixmap:
    """Drawn once: every window has the same icons."""
    key = f"icon {name} {colour} {size} {opacity}"
    pixmap = QPixmap()
    if QPixmapCache.find(key, pixmap):
        return pixmap
    shape = _shape(name).replace("currentColor", QColor(colour).name())
    pixmap = QPixmap(QSize(size, size))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setOpacity(opacity)
    QSvgRenderer(QByteArray(shape.encode())).render(painter)
    painter.end()
    QPixmapCache.insert(key, pixmap)
    return pixmap


@cache
def _shape(name: str) -> str:
    return (assets.folder("icons") / f"{name}.svg").read_text(encoding="utf-8")
