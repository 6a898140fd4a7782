"""The transport bar: the buttons that move through a run, how fast it plays, and where it is."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QSlider, QToolButton, QWidget

from gpviz.app.player.pacing import SPEEDS, position_of, rate_text, shows_every_step, speed_at, speed_text
from gpviz.app.player.player import Player
from gpviz.app.player.shown_moment import ShownMoment
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import ElidedLabel
from gpviz.app.widgets.layouts import row_in
from gpviz.app.widgets.themed import Themed
from gpviz.explain.tree_text import position_text

BUTTONS: Final = (
    "first",
    "previous_accepted",
    "previous",
    "play_backwards",
    "play",
    "next",
    "next_accepted",
    "live_end",
)
"""The names of the actions it needs, in the order of their buttons."""

_WIDEST_RATE: Final = 888_888.0
_USUAL_POSITION: Final = "t = 88,888 of 88,888 · error 8 · 88/88 leaves"


class TransportBar(Themed, QWidget):
    """Buttons for actions that others define, and the slider of the playing speed."""

    speed_chosen = Signal(float)
    """A person has chosen a speed, in iterations per second; `math.inf` for as fast as possible."""

    _player: Player

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, QToolButton] = {}
        title = QLabel("Speed")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(SPEEDS) - 1)
        self.slider.setPageStep(3)
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click the arrows still step
        self.slider.setAccessibleName("Speed")
        title.setBuddy(self.slider)
        self.speed_label = QLabel()
        self.rate_label = QLabel()
        self.rate_label.setProperty("role", "muted")
        self.rate_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.rate_label.setToolTip("How many iterations gpviz computes in a second.")
        self.position_label = ElidedLabel()
        self.position_label.setAccessibleDescription("Position")
        self.position_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        buttons = [self._button(name, actions[name]) for name in BUTTONS]
        position = (10, (self.position_label, 3), self.rate_label)
        speed = (10, title, (self.slider, 1), self.speed_label)
        row_in(self, *buttons, *position, *speed, spacing=5)
        self.set_speed(4.0)
        self.slider.valueChanged.connect(self._on_slider_moved)

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
        """Show how many iterations are made in a second; None for none."""
        text = "" if rate is None else rate_text(rate)
        if text != self.rate_label.text():
            self.rate_label.setText(text)
            self._tell_rate()

    def show_moment(self, shown: ShownMoment) -> None:
        """Say where the run is."""
        self.set_position(position_text(shown.history, shown.iteration))

    def set_position(self, text: str) -> None:
        """Show where the run is, such as ``t = 420 of 1,234 · error 1 · 9/9 leaves``."""
        if text != self.position_label.text():
            self.position_label.setText(text)
            self.position_label.setToolTip(text)

    def apply_theme(self, theme: Theme) -> None:
        """Let the buttons grow with the type."""
        for name, button in self.buttons.items():
            side = round(theme.font_size * (2.2 if name == "play" else 1.7))
            button.setIconSize(QSize(side, side))
        self.slider.setMinimumHeight(round(theme.font_size * 2.4))
        self.slider.setMinimumWidth(round(theme.font_size * 9))
        self.speed_label.setMinimumWidth(self._widest_speed(theme))
        self.rate_label.setFont(theme.font())
        self.position_label.setFont(theme.font())
        self.rate_label.setFixedWidth(
            self.rate_label.fontMetrics().horizontalAdvance(rate_text(_WIDEST_RATE)) + 2
        )
        self._give_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_room()

    def _button(self, name: str, action: QAction) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(action)
        button.setObjectName(f"transport_{name}")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(action.text().replace("&", ""))
        if name == "play":
            button.setProperty("role", "primary")
            button.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Minimum)
        self.buttons[name] = button
        return button

    def _widest_speed(self, theme: Theme) -> int:
        """So that the slider keeps its length while the words beside it change."""
        self.speed_label.setFont(theme.font())
        metrics = self.speed_label.fontMetrics()
        return max(metrics.horizontalAdvance(speed_text(speed)) for speed in SPEEDS)

    def _give_room(self) -> None:
        """Show the rate only where it leaves room for the position, whatever they say at this moment."""
        line = self.layout()
        assert line is not None
        others = line.minimumSize().width()
        if self.rate_label.isHidden():
            others += self.rate_label.minimumWidth() + line.spacing()
        position = self.position_label.fontMetrics().horizontalAdvance(_USUAL_POSITION)
        self.rate_label.setVisible(self.width() >= others + position)
        self._tell_rate()

    def _tell_rate(self) -> None:
        """A rate that finds no room is in the tooltip of the speed."""
        self.speed_label.setToolTip(self.rate_label.text() if self.rate_label.isHidden() else "")

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
