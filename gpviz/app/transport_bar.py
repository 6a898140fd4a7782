"""The transport bar: back, play and step at the left, the speed at the right, and something between."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QSizePolicy, QSlider, QToolButton, QWidget

from gpviz.app.player.pacing import SPEEDS, position_of, rate_text, shows_every_step, speed_at, speed_text
from gpviz.app.player.player import Player
from gpviz.app.theme import Theme
from gpviz.app.widgets.layouts import row_in, row_of
from gpviz.app.widgets.themed import Themed

BUTTONS: Final = ("previous", "play", "next")
"""The names of the actions it needs, in the order of their buttons."""


class TransportBar(Themed, QWidget):
    """Buttons for actions that others define, and the slider of the playing speed."""

    speed_chosen = Signal(float)
    """A person has chosen a speed, in iterations per second; `math.inf` for as fast as possible."""

    _player: Player

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, QToolButton] = {}
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(SPEEDS) - 1)
        self.slider.setPageStep(3)
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click the arrows still step
        self.slider.setAccessibleName("Speed")
        self.slider.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.speed_label = QLabel()
        self.speed_label.setProperty("role", "muted")
        self.speed_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        buttons = [self._button(name, actions[name]) for name in BUTTONS]
        self._middle = row_of()
        row_in(self, *buttons, 10, (self._middle, 1), 10, self.slider, self.speed_label, spacing=6)
        self._rate: float | None = None
        self.set_speed(4.0)
        self.slider.valueChanged.connect(self._on_slider_moved)

    def set_middle(self, widget: QWidget) -> None:
        """Give this the space between the buttons and the speed."""
        self._middle.addWidget(widget)

    def follow(self, player: Player) -> None:
        """Show the speed of this player and let it be chosen, and show how many iterations it makes."""
        self._player = player
        self.speed_chosen.connect(player.set_speed)
        player.speed_changed.connect(self._on_speed_changed)
        player.rate_changed.connect(self._on_rate_changed)
        self._on_speed_changed()

    def set_speed(self, speed: float) -> None:
        """Show a speed; one between two notches is shown at the nearer one, with its own words."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(position_of(speed))
        self._show_speed(speed)

    def set_rate(self, rate: float | None) -> None:
        """Tell in the tooltip how many iterations are made in a second; None if that is the speed."""
        self._rate = rate
        self._tell_rate()

    def apply_theme(self, theme: Theme) -> None:
        """Let the buttons grow with the type."""
        for name, button in self.buttons.items():
            side = round(theme.font_size * 1.5)
            button.setIconSize(QSize(side, side))
            button.setFixedWidth(round(theme.font_size * (4.6 if name == "play" else 3.4)))
        self.slider.setFixedWidth(round(theme.font_size * 10))
        self.speed_label.setFont(theme.font())
        metrics = self.speed_label.fontMetrics()
        # So that nothing moves while the words change.
        self.speed_label.setFixedWidth(max(metrics.horizontalAdvance(speed_text(speed)) for speed in SPEEDS))

    def _button(self, name: str, action: QAction) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(action)
        button.setObjectName(f"transport_{name}")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(action.text().replace("&", ""))
        button.setProperty("role", "primary pill" if name == "play" else "pill")
        self.buttons[name] = button
        return button

    def _tell_rate(self) -> None:
        self.speed_label.setToolTip("" if self._rate is None else rate_text(self._rate))

    def _show_speed(self, speed: float) -> None:
        text = speed_text(speed)
        self.speed_label.setText(text)
        self.slider.setToolTip(f"How fast the run plays: {text}.")
        self.slider.setAccessibleDescription(text)

    @Slot()
    def _on_speed_changed(self) -> None:
        self.set_speed(self._player.speed)

    @Slot()
    def _on_rate_changed(self) -> None:
        # A slow pace is kept to; measured over a moment it would only flicker.
        self.set_rate(None if shows_every_step(self._player.speed) else self._player.rate)

    @Slot(int)
    def _on_slider_moved(self, position: int) -> None:
        speed = speed_at(position)
        self._show_speed(speed)
        self.speed_chosen.emit(speed)
