"""What starts an experiment: how much work it is, with how many workers, where the results go, and the buttons."""

from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from gpviz.app.experiments.experiment_files import ask_new_store, usual_folder
from gpviz.app.key_text import key_text
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import ElidedLabel, NumberSpin, set_tip
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.themed import Themed
from gpviz.experiments.pool import default_jobs
from gpviz.files.file_io import shown_path

_SOMEWHERE = "a new file"


class LaunchPanel(Themed, QWidget):
    """The foot of the plan editor. It knows of no experiment, only what is possible now."""

    def __init__(self, work: QLabel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path: Path | None = None
        self._proposal = ""
        self._grid = QGridLayout()
        self.jobs = NumberSpin(default_jobs(), default_jobs())
        self.path_label = ElidedLabel()
        self.path_button = QPushButton("Choose …")
        self.start_button = QPushButton("Start")
        self.cancel_button = QPushButton("Cancel")
        self.continue_button = QPushButton("Continue")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._build(work)
        self._connect()
        self.set_path(None)
        self.show_possible(can_start=False, is_running=False)

    @property
    def path(self) -> Path | None:
        """Where the results of the next experiment go; None for a new file among the others."""
        return self._path

    def set_path(self, path: Path | None) -> None:
        """Say where the results of the next experiment go."""
        self._path = path
        self.path_label.setText(_SOMEWHERE if path is None else shown_path(path.name))
        set_tip(self.path_label, f"In {shown_path(usual_folder())}" if path is None else shown_path(path))

    def set_proposal(self, name: str) -> None:
        """What a file of results could be called, without its ending."""
        self._proposal = name

    def begin_fields_at(self, label_width: int) -> None:
        """Let the fields begin where those of the plan do."""
        self._grid.setColumnMinimumWidth(0, label_width)

    def apply_theme(self, theme: Theme) -> None:
        """The usual name for results stays readable."""
        self.path_label.setFont(theme.font())
        self.path_label.setMinimumWidth(QFontMetrics(theme.font()).horizontalAdvance(_SOMEWHERE) + 1)

    def show_possible(
        self, *, can_start: bool, is_running: bool, can_cancel: bool = False, continuation: str = ""
    ) -> None:
        """What the buttons can do now; ``continuation`` is what Continue would do, empty if nothing."""
        had_focus = self.start_button.hasFocus() or self.cancel_button.hasFocus() or self.hasFocus()
        self.cancel_button.setEnabled(can_cancel)
        self.start_button.setEnabled(can_start and not is_running)
        self.start_button.setToolTip(
            "Wait until this experiment has ended."
            if is_running
            else key_text("Run the plan (Ctrl+Return)")
            if can_start
            else "Correct the fields marked in red."
        )
        self.continue_button.setEnabled(bool(continuation) and not is_running)
        set_tip(self.continue_button, continuation or "No experiment is open, or it is finished.")
        self.jobs.setEnabled(not is_running)
        if had_focus:
            self.take_focus()

    def take_focus(self) -> None:
        """Let Return and Space mean the button that can be pressed now."""
        for button in (self.start_button, self.cancel_button):
            if button.isEnabled():
                button.setFocus()
                return
        self.setFocus()  # between Cancel and Start there is a moment when neither can be pressed

    @Slot()
    def ask_path(self) -> None:
        """Let a person say where the results go; without an answer it stays the usual file."""
        path = ask_new_store(self, self._proposal)
        if path is not None:
            self.set_path(path)

    def _build(self, work: QLabel) -> None:
        grid = self._grid
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        workers = QLabel("&Workers")
        workers.setBuddy(self.jobs)
        hint = (
            "How many runs to do at the same time, each in its own process. This machine has "
            f"{default_jobs()} core{'s' if default_jobs() != 1 else ''}."
        )
        for part in (workers, self.jobs):
            set_tip(part, hint)
        self.jobs.setAccessibleName("Workers")
        self.path_button.setAccessibleName("Choose where the results go")
        self.path_button.setToolTip("Choose the file for the results of the next experiment.")
        grid.addWidget(workers, 0, 0)
        grid.addWidget(self.jobs, 0, 1, 1, 2)
        grid.addWidget(QLabel("Results"), 1, 0)
        grid.addWidget(self.path_label, 1, 1)
        grid.addWidget(self.path_button, 1, 2)
        self.start_button.setProperty("role", "primary")
        self.start_button.setAccessibleName("Start the experiment")
        self.cancel_button.setAccessibleName("Cancel the experiment")
        self.cancel_button.setToolTip(key_text("Stop the experiment and keep the finished runs (Ctrl+.)"))
        self.continue_button.setAccessibleName("Continue the experiment on show")
        buttons = QGridLayout()
        buttons.setSpacing(8)
        for index, button in enumerate((self.start_button, self.cancel_button, self.continue_button)):
            buttons.addWidget(button, 0, index)
        column = column_in(self, spacing=8)
        column.addWidget(work)
        column.addLayout(grid)
        column.addLayout(buttons)

    def _connect(self) -> None:
        self.path_button.clicked.connect(self.ask_path)
