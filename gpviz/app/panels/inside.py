"""The page that looks inside an iteration: both algorithms in pseudocode, at the phase that is open."""

from typing import ClassVar, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gpviz.app.panels.fields import sentence
from gpviz.app.panels.inside_code import CodeView
from gpviz.app.panels.inside_dots import PhaseDots
from gpviz.app.theme import Theme
from gpviz.record.history import History
from gpviz.record.moment import moment_at
from gpviz.record.phases import Phase, PhaseView, phases_of
from gpviz.record.phases_code import Listing, listings_of
from gpviz.record.telling import tell_briefly

__all__ = ["InsidePage"]

_AT_START: Final = "Nothing has been drawn yet. The key Down makes the first iteration and opens it."
_CLOSED: Final = "The key Down opens this iteration into its phases."


class InsidePage(QWidget):
    """Shows the phases of the iteration under the cursor; which of them is open, others decide."""

    title: ClassVar[str] = "Inside"

    phase_chosen = Signal(int)
    """A person wants this phase of the iteration, by its index."""
    next_phase_requested = Signal()
    previous_phase_requested = Signal()
    plays_phases_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._phases: tuple[PhaseView, ...] = ()
        self._listings: tuple[Listing, Listing] | None = None
        self._open: int | None = None
        self._closed_text = ""
        self._shown: tuple[History, int] | None = None

        self.previous = _button("◂", "The phase before (Up)")
        self.next = _button("▸", "The next phase (Down)")
        self.dots = PhaseDots()
        self.plays = QCheckBox("Play the phases")
        self.plays.setToolTip("Playing at no more than one iteration a second shows the phases one by one.")
        self.plays.setAccessibleName("Play the phases")
        self.plays.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.telling = sentence("")
        self.telling.setAccessibleName("The phase in words")
        self.telling.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.search = CodeView()
        self.mutation = CodeView()

        line = QHBoxLayout()
        line.setSpacing(5)
        line.addWidget(self.previous)
        line.addWidget(self.next)
        line.addSpacing(4)
        line.addWidget(self.dots, 1)
        line.addWidget(self.plays)
        self._codes = QHBoxLayout()
        self._codes.setSpacing(10)
        self._codes.addWidget(self.search, 9)
        self._codes.addWidget(self.mutation, 10)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.setSpacing(4)
        layout.addLayout(line)
        layout.addWidget(self.telling)
        layout.addLayout(self._codes, 1)

        self.previous.clicked.connect(self.previous_phase_requested)
        self.next.clicked.connect(self.next_phase_requested)
        self.dots.dot_chosen.connect(self._on_dot_chosen)
        self.plays.toggled.connect(self.plays_phases_changed)
        self._show()

    @property
    def phases(self) -> tuple[PhaseView, ...]:
        """The phases of the iteration on show."""
        return self._phases

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        for part in (self.dots, self.search, self.mutation):
            part.set_theme(theme)
        self.telling.setFont(theme.font(1.05))
        self._share_room()
        self._reserve_room()

    def show_moment(self, history: History, iteration: int) -> None:
        """The cursor is here. The phase that is open stays open until `show_phase` says otherwise."""
        if self._shown is not None and self._shown[0] is history and self._shown[1] == iteration:
            return
        self._shown = (history, iteration)
        self._phases = phases_of(moment_at(history, iteration))
        self._listings = listings_of(history.config_at(iteration), has_start=history.start is not None)
        self._closed_text = f"{tell_briefly(history, iteration)}. {_CLOSED}" if iteration else _AT_START
        self._show()
        self._reserve_room()

    def show_phase(self, index: int | None) -> None:
        """Show this phase of the iteration; None shows the iteration as a whole."""
        if index != self._open:
            self._open = index
            self._show()

    def set_plays_phases(self, plays: bool) -> None:
        """Show whether playing slowly includes the phases."""
        with QSignalBlocker(self.plays):
            self.plays.setChecked(plays)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()
        self._reserve_room()

    def _show(self) -> None:
        places = {view.phase: view.index for view in self._phases}
        index = None if self._open is None or not self._phases else min(self._open, len(self._phases) - 1)
        self.dots.show_phases(places, index)
        self.previous.setEnabled(bool(self._phases))
        open_view = None if index is None else self._phases[index]
        text = self._closed_text if open_view is None else _told(open_view)
        if text != self.telling.text():
            self.telling.setText(text)
        # The whole step shows all its values, with no line marked.
        view = open_view or (self._phases[-1] if self._phases else None)
        if self._listings is not None:
            for part, listing in zip((self.search, self.mutation), self._listings, strict=True):
                part.show_code(listing, view, is_marked=open_view is not None)

    def _share_room(self) -> None:
        """Where there is room for two columns of it, the longer algorithm gets twice as much."""
        is_wide = self.width() >= 3.2 * self.mutation.narrowest_column
        self._codes.setStretch(1, 18 if is_wide else 10)

    def _reserve_room(self) -> None:
        """As much as the longest sentence of this iteration needs, so that nothing moves from phase to phase."""
        metrics, width = self.telling.fontMetrics(), max(self.telling.width(), 100)
        texts = [self._closed_text, *(_told(view) for view in self._phases)]
        flags = int(Qt.TextFlag.TextWordWrap)
        height = max(metrics.boundingRect(0, 0, width, 10_000, flags, text or " ").height() for text in texts)
        if height != self.telling.minimumHeight():
            self.telling.setMinimumHeight(height)

    @Slot(str)
    def _on_dot_chosen(self, value: str) -> None:
        phase = Phase(value)
        for view in self._phases:
            if view.phase is phase:
                self.phase_chosen.emit(view.index)


def _told(view: PhaseView) -> str:
    return f"{view.heading}. {view.sentence}"


def _button(text: str, told: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setProperty("role", "small")
    button.setToolTip(told)
    button.setAccessibleName(told)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return button
