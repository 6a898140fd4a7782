"""The files of plans: read and written in the background, and the last ones remembered."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from gpviz.app.settings import Settings
from gpviz.app.tasks import BackgroundTask
from gpviz.engine.errors import GpvizError
from gpviz.experiments.plan import Plan, load_plan, plan_text, shipped_plans
from gpviz.run.file_io import write_file

__all__ = ["PlanFiles", "offered_plans"]

_PLANS: Final = "Plans (*.toml)"
_FILTER: Final = f"{_PLANS};;All files (*)"
_KEY: Final = "experiment_plans"
_MOST: Final = 6


@cache
def offered_plans() -> tuple[Plan, ...]:
    """The plans that come with gpviz, read once."""
    return shipped_plans()


class PlanFiles(QObject):
    """Loads and saves one plan at a time."""

    loaded = Signal(object)
    """A `Plan`."""
    saved = Signal(object)
    """The path of the file."""
    failed = Signal(str)

    def __init__(self, settings: Settings | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings or Settings()
        self._paths: list[tuple[Plan, Path]] = []
        self._background = BackgroundTask("gpviz plan file", self)
        self._background.finished.connect(self._on_finished)
        self._background.failed.connect(self._on_failed)

    def recent(self) -> list[Path]:
        """The files used last, newest first."""
        names = self._settings.text(_KEY).split("\n")
        return [Path(name) for name in names if name]

    def path_of(self, plan: Plan) -> Path | None:
        """The file that this plan was loaded from or saved in."""
        return next((path for known, path in self._paths if known == plan), None)

    def load(self, path: Path) -> None:
        """Begin to load a plan."""
        self._background.ask(lambda _: (load_plan(path), path, True))

    def save(self, plan: Plan, path: Path) -> None:
        """Begin to save a plan."""

        def work(_: Callable[[], bool]) -> tuple[Plan, Path, bool]:
            write_file(path, plan_text(plan).encode("utf-8"))
            return plan, path, False

        self._background.ask(work)

    def ask_and_load(self, window: QWidget) -> None:
        """Let a person choose a plan to load."""
        name, _ = QFileDialog.getOpenFileName(window, "Load a plan", self._folder(), _FILTER, _PLANS)
        if name:
            self.load(Path(name))

    def ask_and_save(self, plan: Plan, window: QWidget) -> None:
        """Let a person say where to save a plan."""
        proposal = str(Path(self._folder()) / f"{plan.name or 'plan'}.toml")
        name, _ = QFileDialog.getSaveFileName(window, "Save the plan", proposal, _FILTER, _PLANS)
        if name:
            path = Path(name)
            self.save(plan, path if path.suffix else path.with_suffix(".toml"))

    def shut_down(self) -> None:
        """End the thread."""
        self._background.close()

    def _folder(self) -> str:
        recent = self.recent()
        return str(recent[0].parent if recent else Path.home())

    @Slot(object)
    def _on_finished(self, answer: tuple[Plan, Path, bool]) -> None:
        plan, path, is_loaded = answer
        path = path.absolute()
        self._paths = [(plan, path), *((p, q) for p, q in self._paths if q != path)][:_MOST]
        others = [other for other in self.recent() if other != path]
        self._settings.set_text(_KEY, "\n".join(str(each) for each in [path, *others][:_MOST]))
        if is_loaded:
            self.loaded.emit(plan)
        else:
            self.saved.emit(path)

    @Slot(object)
    def _on_failed(self, problem: Exception) -> None:
        if not isinstance(problem, GpvizError):
            raise problem
        self.failed.emit(str(problem))
