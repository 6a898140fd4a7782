"""Takes the pictures of the README and the guide: true runs in the real windows, at moments worth seeing."""

import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import monotonic

_HOME = Path(tempfile.gettempdir()) / "gpviz"  # its name is seen in a picture
if __name__ == "__main__":  # the workers of an experiment load this, too
    shutil.rmtree(_HOME, ignore_errors=True)
    _HOME.mkdir()
for _place in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
    os.environ[_place] = str(_HOME)

import numpy as np  # noqa: E402
from PySide6.QtCore import QEventLoop, Qt, QTimer  # noqa: E402
from PySide6.QtGui import QImage  # noqa: E402
from PySide6.QtWidgets import QApplication, QWidget  # noqa: E402

from gpviz.app.application import make_application  # noqa: E402
from gpviz.app.experiments.window import ExperimentsWindow  # noqa: E402
from gpviz.app.lecture.lecture_keys import LectureCommand  # noqa: E402
from gpviz.app.main_window import MainWindow  # noqa: E402
from gpviz.app.pages.outlook.outlook_page import OutlookPage  # noqa: E402
from gpviz.app.preferences import Preferences  # noqa: E402
from gpviz.app.theme_manager import ThemeManager  # noqa: E402
from gpviz.experiments.figures.chart_kinds import ChartKind  # noqa: E402
from gpviz.experiments.plan import find_plan  # noqa: E402
from gpviz.lecture.lecture import shipped_lectures  # noqa: E402
from gpviz.runs.presets import find_comparison, find_preset  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "screenshots"
"""Shown by the guide, and so shipped with the program; the other folder is not."""
README_FOLDER = ROOT / "pictures"
WAIT_MS = 20
REST_SECONDS = 1.5
COLOURS = 256
COMMON_COLOURS = 128


def main() -> int:
    application = make_application(["gpviz"])
    FOLDER.mkdir(exist_ok=True)
    parts = sys.argv[1:] or ["readme", "runs", "pages", "others", "theory", "paper", "experiments"]
    if "readme" in parts:
        take_readme()
    if "runs" in parts:
        take_runs()
    window = open_window("light")
    if "pages" in parts:
        for page in ("neighbours", "rows"):
            take_page(window, page)
        take_outlook(window)
    if "others" in parts:
        take_others(window)
    if "theory" in parts:
        take_theory(window)
    if "paper" in parts:
        take_paper(window)
    if "experiments" in parts:
        take_experiments(window)
    window.end_services()
    shutil.rmtree(_HOME)
    application.processEvents()
    return 0


def take_runs() -> None:
    """The window itself, at moments worth seeing."""
    for name, preset, until in (
        ("stuck", "leaf-deletion", run_until_pause),
        ("rejected", "first-run", go_to_rejected),
    ):
        window = open_window("light")
        window.file_controller.show_run(find_preset(preset).request)
        until(window)
        wait_for(lambda window=window: window.is_idle)  # type: ignore[misc]
        take(window, name)
        window.close()
        window.deleteLater()


def take(widget: QWidget, name: str) -> None:
    QApplication.processEvents()
    image = widget.grab().toImage()
    path = FOLDER / f"{name}.png"
    with_few_colours(image).save(str(path), quality=0)  # as small as PNG makes it; nothing is lost
    print(path.name, f"{image.width()} x {image.height()}, {path.stat().st_size:,} bytes")


def with_few_colours(image: QImage) -> QImage:
    """The image in 256 colours, a third of the bytes: its most common ones, and those least like the others."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
    colours, places, counts = np.unique(pixels, return_inverse=True, return_counts=True)
    parts = colours.astype("<u4").view(np.uint8).reshape(-1, 4).astype(np.int32)
    chosen = list(np.argsort(-counts, kind="stable")[:COMMON_COLOURS])
    apart = np.stack([np.abs(parts - parts[one]).max(axis=1) for one in chosen])
    nearest, distance = apart.argmin(axis=0), apart.min(axis=0)
    while len(chosen) < COLOURS and distance.any():
        chosen.append(distance.argmax())
        apart = np.abs(parts - parts[chosen[-1]]).max(axis=1)
        nearest[apart < distance] = len(chosen) - 1
        distance = np.minimum(distance, apart)
    indices = np.ascontiguousarray(nearest[places].reshape(pixels.shape), np.uint8)
    small = QImage(indices.data, image.width(), image.height(), image.width(), QImage.Format.Format_Indexed8)
    small.setColorTable([int(colour) for colour in colours[chosen]])
    return small.copy()


def take_readme() -> None:
    """What the README shows of the command line: the commands that it gives make it."""
    README_FOLDER.mkdir(exist_ok=True)
    readme = (ROOT / "README.md").read_text("utf-8")
    for command in re.findall(r"`gpviz (\w[^`]* (?:stuck|quick)\.[^`]*)`", readme):
        print("gpviz", command)
        subprocess.run([sys.executable, "-m", "gpviz", *shlex.split(command)], cwd=_HOME, check=True)
    for name in ("stuck.gif", "quick.svg"):
        shutil.copy(_HOME / name, README_FOLDER)
        print(name, f"{(README_FOLDER / name).stat().st_size:,} bytes")


def take_page(window: MainWindow, name: str) -> None:
    """A page below the tree, of a tree that is not solved yet."""
    window.file_controller.show_run(find_preset("first-run").request)
    window.player.run_to(40)
    wait_for(lambda: window.player.cursor == 40)
    window.show_page(name)
    rest(window)
    page = window.views.drawer.page(name)
    wait_for(lambda: page is not None and not page.is_busy)
    take(window, name)


def take_outlook(window: MainWindow) -> None:
    """The outlook along a run that an improvement ends, at this very step."""
    window.file_controller.show_run(find_preset("decisive-improvement").request)
    window.player.run_to(100)
    wait_for(lambda: window.player.cursor == 100)
    window.player.go_to(66)
    window.show_page("outlook")
    rest(window)
    page = window.views.drawer.page("outlook")
    assert isinstance(page, OutlookPage)
    wait_for(lambda: not page.is_busy)
    take(window, "outlook")


def take_theory(window: MainWindow) -> None:
    """The curves with what the paper proves in them."""
    window.set_theory_shown(True)
    for preset, name in (("n-64", "stages"), ("sampled-to-zero", "stop-early")):
        window.file_controller.show_run(find_preset(preset).request)
        run_until_pause(window)
        window.show_page("curves")
        rest(window)
        take(window.views.drawer, name)
    window.set_theory_shown(False)


def take_others(window: MainWindow) -> None:
    """What stands beside the window."""
    windows = window.windows
    windows.open_lecture(shipped_lectures()[0].path)
    wait_for(lambda: bool(windows.lecture_editor.lecture.scenes))
    rest(window)
    take(window, "scenes")
    session = windows.lecture_mode
    session.start_lecture(windows.lecture_editor.lecture, 0)
    audience, scenes = session.audience, session.scene_player
    assert audience is not None
    assert scenes is not None
    audience.setWindowState(Qt.WindowState.WindowNoState)
    audience.resize(1280, 720)
    titles = [scene.title for scene in windows.lecture_editor.lecture.scenes]
    place = next(place for place, scene in enumerate(scenes.lecture.scenes) if scene.page == "proof")
    scenes.go_to_scene(place)
    print("scene:", titles[place])
    rest(window)
    take(audience, "lecture")
    session.perform(LectureCommand.PRESENTER)
    assert session.presenter is not None
    session.presenter.resize(1280, 720)
    rest(window)
    take(session.presenter, "presenter")
    session.stop()
    windows.show_comparison(find_comparison("leaf-or-subtree"))
    compare = windows.compare
    assert compare is not None
    compare.resize(1440, 900)
    compare.player.set_speed(math.inf)
    compare.player.play()
    wait_for(lambda: not compare.player.is_playing)
    compare.resize(1440, 900)  # by itself it is no larger than the screen that is not there
    rest(window)
    take(compare, "compare")
    compare.close()
    windows.exports.ask()
    dialog = windows.exports.dialog
    assert dialog is not None
    dialog.resize(1000, 660)
    rest(window)
    take(dialog, "export")
    dialog.reject()


def take_paper(window: MainWindow) -> None:
    """A statement of the paper, with what shows it."""
    window.windows.show_paper()
    paper = window.windows.paper
    assert paper is not None
    paper.resize(1280, 720)
    paper.open_at("theorem-sampling")
    rest(window)
    take(paper, "paper")
    paper.close()


def take_experiments(window: MainWindow) -> None:
    """A plan that comes with the program, in full."""
    windows = window.windows
    windows.show_plan(find_plan("table1"))
    experiments = windows.experiments
    assert experiments is not None
    experiments.start()
    wait_for(lambda: is_whole(experiments))
    experiments.results.cells.view.selectRow(0)
    experiments.results.charts.set_kind(ChartKind.ECDF)
    experiments.resize(1440, 900)
    rest(window)
    take(experiments, "experiments")
    experiments.close()


def is_whole(experiments: ExperimentsWindow) -> bool:
    shown = experiments.experiment
    return not experiments.is_running and shown is not None and shown.is_whole


def rest(window: MainWindow) -> None:
    """Until what is computed beside the window is there, and nothing moves any more."""
    end = monotonic() + REST_SECONDS
    wait_for(lambda: monotonic() > end and window.is_idle)


def open_window(theme: str) -> MainWindow:
    preferences = Preferences()
    preferences.set_flag("setup_panel", True)
    theme_manager = ThemeManager(preferences, theme)
    theme_manager.apply()
    window = MainWindow(preferences, theme_manager)
    window.setWindowState(Qt.WindowState.WindowNoState)  # the screen that is not there is a small one
    window.resize(1440, 900)
    window.show()
    window.views.curves.make()
    window.views.strip.make()
    return window


def run_until_pause(window: MainWindow) -> None:
    window.player.set_speed(math.inf)
    window.player.play()
    wait_for(lambda: not window.player.is_playing)


def go_to_rejected(window: MainWindow) -> None:
    """To the last insertion that would have made the error larger."""
    run_until_pause(window)
    history = window.player.run.history
    for iteration in range(len(history), 0, -1):
        step = history.step_at(iteration)
        if step.verdict == "worse" and step.operation == "INS":
            window.player.go_to(iteration)
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
