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
from PySide6.QtCore import Qt  # noqa: E402
from PySide6.QtGui import QImage  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import QApplication, QWidget  # noqa: E402

from gpviz.app.application import make_application  # noqa: E402
from gpviz.app.experiments.window import ExperimentsWindow  # noqa: E402
from gpviz.app.lecture.lecture_keys import LectureCommand  # noqa: E402
from gpviz.app.main_window import MainWindow  # noqa: E402
from gpviz.app.pages.outlook.outlook_page import OutlookPage  # noqa: E402
from gpviz.app.preferences import Preferences  # noqa: E402
from gpviz.app.theme_manager import ThemeManager  # noqa: E402
from gpviz.engine import Step  # noqa: E402
from gpviz.experiments.plan import find_plan  # noqa: E402
from gpviz.lecture.lecture import shipped_lectures  # noqa: E402
from gpviz.runs.presets import find_comparison, find_preset  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "screenshots"
"""Shown by the guide, and so shipped with the program; the other folder is not."""
README_FOLDER = ROOT / "pictures"
WAIT_MS = 20
REST_SECONDS = 4.0
SPEED = 4.0
SIZE = 1280, 720
"""Of every window in them: text stays readable where a web page shrinks them a little."""
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
        take_why(window)
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
        ("window", "first-run", go_to_improved),
        ("stuck", "leaf-deletion", run_until_pause),
        ("rejected", "first-run", go_to_rejected),
    ):
        window = open_window("light")
        window.file_controller.show_run(find_preset(preset).request)
        until(window)
        rest(window)
        take(window, name)
        window.close()
        window.deleteLater()


def take(widget: QWidget, name: str) -> None:
    if isinstance(widget, MainWindow):
        widget.views.title_line.show_message("")  # so that the settings of the run are seen
        widget.player.set_speed(SPEED)
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
    """A page beside the tree, of a step that improves it."""
    window.file_controller.show_run(find_preset("first-run").request)
    window.player.run_to(29)
    wait_for(lambda: window.player.cursor == 29)
    window.show_page(name)
    rest(window)
    page = window.views.drawer.page(name)
    wait_for(lambda: not page.is_busy)
    take(window, name)


def take_why(window: MainWindow) -> None:
    """Why a tree is stuck."""
    window.file_controller.show_run(find_preset("leaf-deletion").request)
    run_until_pause(window)
    window.show_page("proof")
    rest(window)
    take(window, "why")


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
    wait_for(lambda: not page.is_filling)
    take(window, "outlook")


def take_theory(window: MainWindow) -> None:
    """The curves with what the paper proves in them, as large as the window."""
    actions = window.actions_by_name
    window.show_page("curves")
    actions["theory"].setChecked(True)
    actions["fill_page"].setChecked(True)
    for preset, name in (("n-64", "stages"), ("sampled-to-zero", "stop-early")):
        window.file_controller.show_run(find_preset(preset).request)
        run_until_pause(window)
        rest(window)
        take(window, name)
    actions["fill_page"].setChecked(False)
    actions["theory"].setChecked(False)


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
    audience.resize(*SIZE)
    titles = [scene.title for scene in windows.lecture_editor.lecture.scenes]
    place = next(place for place, scene in enumerate(scenes.lecture.scenes) if scene.page == "proof")
    scenes.go_to_scene(place)
    print("scene:", titles[place])
    rest(window)
    take(audience, "lecture")
    session.perform(LectureCommand.PRESENTER)
    assert session.presenter is not None
    session.presenter.resize(*SIZE)
    rest(window)
    take(session.presenter, "presenter")
    session.stop()
    windows.show_comparison(find_comparison("leaf-or-subtree"))
    compare = windows.compare
    assert compare is not None
    compare.resize(*SIZE)
    compare.player.set_speed(math.inf)
    compare.player.play()
    wait_for(lambda: not compare.player.is_playing)
    compare.resize(*SIZE)  # by itself it is no larger than the screen that is not there
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
    paper.resize(*SIZE)
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
    experiments.plan_action.trigger()  # away with it: the table has the whole width
    experiments.resize(*SIZE)
    rest(window)
    take(experiments, "experiments")
    experiments.close()


def is_whole(experiments: ExperimentsWindow) -> bool:
    shown = experiments.experiment
    return not experiments.runner.is_running and shown is not None and shown.is_whole


def rest(window: MainWindow) -> None:
    """Until what is computed beside the window is there, and nothing moves any more."""
    end = monotonic() + REST_SECONDS
    wait_for(lambda: monotonic() > end and window.is_idle)


def open_window(theme: str) -> MainWindow:
    preferences = Preferences()
    theme_manager = ThemeManager(preferences, theme)
    theme_manager.apply()
    window = MainWindow(preferences, theme_manager)
    window.setWindowState(Qt.WindowState.WindowNoState)  # the screen that is not there is a small one
    window.resize(*SIZE)
    window.show()
    return window


def run_until_pause(window: MainWindow) -> None:
    window.player.set_speed(math.inf)
    window.player.play()
    wait_for(lambda: not window.player.is_playing)


def go_to_improved(window: MainWindow) -> None:
    """To the first improvement of a tree with an OR."""
    go_to_first(window, lambda step: step.verdict == "improved" and has_or(step))


def go_to_rejected(window: MainWindow) -> None:
    """To the first insertion into such a tree that would have made the error larger."""
    go_to_first(window, lambda step: step.verdict == "worse" and step.operation == "INS" and has_or(step))


def has_or(step: Step) -> bool:
    return step.tree is not None and step.tree.ors > 0


def go_to_first(window: MainWindow, is_wanted: Callable[[Step], bool]) -> None:
    run_until_pause(window)
    history = window.player.run.history
    steps = map(history.step_at, range(1, len(history) + 1))
    window.player.go_to(next(step.iteration for step in steps if is_wanted(step)))


def wait_for(is_so: Callable[[], bool]) -> None:
    while not is_so():
        QTest.qWait(WAIT_MS)
    QApplication.processEvents()


if __name__ == "__main__":
    sys.exit(main())
