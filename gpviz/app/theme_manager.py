"""The theme in use: chosen by a person or following the system."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from gpviz.app.preferences import FONT_SIZES, Preferences
from gpviz.app.system_preferences import preferred_theme
from gpviz.app.theme import Theme, load_theme, palette_of, style_sheet
from gpviz.app.widgets.themed import set_program_theme
from gpviz.assets import THEME_NAMES

SYSTEM = "system"


class ThemeManager(QObject):
    """Holds the theme of the program, and applies it."""

    def __init__(
        self, preferences: Preferences, chosen: str | None = None, parent: QObject | None = None
    ) -> None:
        """``chosen`` overrides the stored choice for this time only."""
        super().__init__(parent)
        self._preferences = preferences
        self._chosen = chosen or preferences.theme
        self.theme = self._load()
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._on_system_changed)
        if hasattr(hints, "accessibility"):
            hints.accessibility().contrastPreferenceChanged.connect(self._on_system_changed)

    @property
    def choice(self) -> str:
        """The name of the chosen theme, or `SYSTEM`."""
        return self._chosen or SYSTEM

    def choose(self, name: str) -> None:
        """Use this theme from now on, or follow the system."""
        self._chosen = None if name == SYSTEM else name
        self._preferences.theme = self._chosen
        self.apply()

    def choose_next(self) -> None:
        """Go round the themes."""
        index = THEME_NAMES.index(self.theme.name)
        self.choose(THEME_NAMES[(index + 1) % len(THEME_NAMES)])

    def change_type(self, steps: int) -> None:
        """Larger or smaller type."""
        sizes = FONT_SIZES
        nearest = min(range(len(sizes)), key=lambda index: abs(sizes[index] - self._preferences.font_size))
        self._preferences.font_size = sizes[min(max(nearest + steps, 0), len(sizes) - 1)]
        self.apply()

    def apply(self) -> None:
        """Apply the theme to the whole program."""
        self.theme = self._load()
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.setPalette(palette_of(self.theme))
            application.setFont(self.theme.font())
            application.setStyleSheet(style_sheet(self.theme))
            set_program_theme(self.theme)

    def _load(self) -> Theme:
        return load_theme(self._chosen or preferred_theme(), self._preferences.font_size)

    @Slot()
    def _on_system_changed(self) -> None:
        if self._chosen is None:
            self.apply()
