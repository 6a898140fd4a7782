"""Takes the screenshots of the README: true runs in the real window, at moments worth seeing."""

import math
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

_HOME = tempfile.TemporaryDirectory()
for _place in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
    os.environ[_place] = _HOME.name

from PySide6.QtCore import QEventLoop, Qt, QTimer  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from gpviz.app.application import make_application  # noqa: E402
from gpviz.app.looks import Looks  # noqa: E402
from gpviz.app.main_window import MainWindow  # noqa: E402
from gpviz.app.settings import Settings  # noqa: E402
from gpviz.presets import find_preset  # noqa: E402

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "screenshots"
WAIT_MS = 20


def main() -> int:
    application = make_application(["gpviz"])
    FOLDER.mkdir(exist_ok=True)
    for name, theme, preset, until in (
        ("stuck", "light", "leaf-deletion", run_until_pause),
        ("rejected", "light", "first-run", go_to_rejected),
        ("large", "dark", "n-64", run_until_pause),
        ("sampled", "projector", "sampled-to-zero", run_until_pause),
    ):
        window = open_window(theme)
        window.show_preset(find_preset(preset))
        until(window)
        wait_for(lambda window=window: window.is_calm)  # type: ignore[misc]
        picture = window.grab()
        path = FOLDER / f"{name}.png"
        picture.save(str(path))
        print(path.name, f"{picture.width()} x {picture.height()}")
        window.close()
        window.deleteLater()
    application.processEvents()
    return 0


def open_window(theme: str) -> MainWindow:
    settings = Settings()
    settings.set_flag("setup_panel", True)
    looks = Looks(settings, theme)
    looks.apply()
    window = MainWindow(settings, looks)
    window.setWindowState(Qt.WindowState.WindowNoState)  # the screen that is not there is a small one
    window.resize(1440, 900)
    window.show()
    window.views.curves.make()
    return window


def run_until_pause(window: MainWindow) -> None:
    window.controller.set_speed(math.inf)
    window.controller.play()
    wait_for(lambda: not window.controller.is_playing)


def go_to_rejected(window: MainWindow) -> None:
    """To the last insertion that would have made the error larger."""
    run_until_pause(window)
    history = window.controller.history
    for iteration in range(len(history), 0, -1):
        step = history.step_at(iteration)
        if step.verdict == "worse" and step.operation == "INS":
            window.controller.go_to(iteration)
            return
    raise AssertionError("there is no such insertion in this run")


def wait_for(is_so: Callable[[], bool]) -> None:
    loop = QEventLoop()
    timer = QTimer()
    timer.timeout.connect(lambda: loop.quit() if is_so() else None)
    timer.start(WAIT_MS)
    loop.exec()
    QApplication.processEvents()


if __name__ == "__main__":
    sys.exit(main())
