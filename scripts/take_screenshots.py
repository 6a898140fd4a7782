"""Takes the screenshots of the README and the guide: true runs in the real windows, at moments worth seeing."""

import math
import os
import shutil
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

from PySide6.QtCore import QEventLoop, Qt, QTimer  # noqa: E402
from PySide6.QtWidgets import QApplication, QWidget  # noqa: E402

from gpviz.app.application import make_application  # noqa: E402
from gpviz.app.experiments.window import ExperimentsWindow  # noqa: E402
from gpviz.app.lecture.lecture_keys import LectureCommand  # noqa: E402
from gpviz.app.main_window import MainWindow  # noqa: E402
from gpviz.app.pages.neighbours.neighbours_page import NeighboursPage  # noqa: E402
from gpviz.app.pages.outlook.outlook_page import OutlookPage  # noqa: E402
from gpviz.app.settings import Settings  # noqa: E402
from gpviz.app.theme_manager import ThemeManager  # noqa: E402
from gpviz.experiments.figures.kinds import ChartKind  # noqa: E402
from gpviz.experiments.plan import find_plan  # noqa: E402
from gpviz.run.comparisons import find_comparison  # noqa: E402
from gpviz.run.lecture import shipped_lectures  # noqa: E402
from gpviz.run.presets import find_preset  # noqa: E402

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "screenshots"
WAIT_MS = 20
REST_SECONDS = 1.5


def main() -> int:
    application = make_application(["gpviz"])
    FOLDER.mkdir(exist_ok=True)
    parts = sys.argv[1:] or ["runs", "pages", "others", "theory", "paper", "experiments"]
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
    for name, theme, preset, until in (
        ("stuck", "light", "leaf-deletion", run_until_pause),
        ("rejected", "light", "first-run", go_to_rejected),
        ("large", "dark", "n-64", run_until_pause),
        ("sampled", "projector", "sampled-to-zero", run_until_pause),
    ):
        window = open_window(theme)
        window.file_controller.show_run(find_preset(preset).request)
        until(window)
        wait_for(lambda window=window: window.is_idle)  # type: ignore[misc]
        take(window, name)
        window.close()
        window.deleteLater()


def take(widget: QWidget, name: str) -> None:
    QApplication.processEvents()
    picture = widget.grab()
    path = FOLDER / f"{name}.png"
    picture.save(str(path))
    print(path.name, f"{picture.width()} x {picture.height()}")


def take_page(window: MainWindow, name: str) -> None:
    """A page below the tree, of a tree that is not solved yet."""
    window.file_controller.show_run(find_preset("first-run").request)
    window.controller.run_to(40)
    wait_for(lambda: window.controller.cursor == 40)
    window.show_page(name)
    rest(window)
    page = window.views.page_tabs.page(name)
    wait_for(lambda: not isinstance(page, NeighboursPage) or not page.is_wait_awaited)
    take(window, name)


def take_outlook(window: MainWindow) -> None:
    """The outlook along a run that an improvement ends, at this very step."""
    window.file_controller.show_run(find_preset("decisive-improvement").request)
    window.controller.run_to(100)
    wait_for(lambda: window.controller.cursor == 100)
    window.controller.go_to(66)
    window.show_page("outlook")
    rest(window)
    page = window.views.page_tabs.page("outlook")
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
        take(window.views.page_tabs, name)
    window.set_theory_shown(False)


def take_others(window: MainWindow) -> None:
    """What stands beside the window."""
    windows = window.windows
    windows.open_lecture(shipped_lectures()[0].path)
    wait_for(lambda: bool(windows.lecture_editor.lecture.scenes))
    rest(window)
    take(window, "scenes")
    session = windows.session
    session.start_lecture(windows.lecture_editor.lecture, 0)
    audience, player = session.audience, session.player
    assert audience is not None
    assert player is not None
    audience.setWindowState(Qt.WindowState.WindowNoState)
    audience.resize(1280, 720)
    titles = [scene.title for scene in windows.lecture_editor.lecture.scenes]
    place = next(place for place, scene in enumerate(player.lecture.scenes) if scene.page == "proof")
    player.go_to_scene(place)
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
    compare.lanes.set_speed(math.inf)
    compare.lanes.play()
    wait_for(lambda: not compare.lanes.is_playing)
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
    """Two of the plans that come with the program, in full."""
    windows = window.windows
    for plan, chart, name in (
        ("table1", ChartKind.ECDF, "experiments"),
        ("scaling", ChartKind.SCALING, "scaling"),
    ):
        windows.show_plan(find_plan(plan))
        experiments = windows.experiments
        assert experiments is not None
        experiments.start()
        wait_for(lambda shown=experiments: is_whole(shown))  # type: ignore[misc]
        experiments.results.cells.view.selectRow(0)
        experiments.results.charts.set_kind(chart)
        experiments.resize(1440, 900)
        rest(window)
        take(experiments, name)
    experiments.close()


def is_whole(experiments: ExperimentsWindow) -> bool:
    snapshot = experiments.snapshot
    return not experiments.is_running and snapshot is not None and snapshot.is_whole


def rest(window: MainWindow) -> None:
    """Until what is computed beside the window is there, and nothing moves any more."""
    end = monotonic() + REST_SECONDS
    wait_for(lambda: monotonic() > end and window.is_idle)


def open_window(theme: str) -> MainWindow:
    settings = Settings()
    settings.set_flag("setup_panel", True)
    theme_manager = ThemeManager(settings, theme)
    theme_manager.apply()
    window = MainWindow(settings, theme_manager)
    window.setWindowState(Qt.WindowState.WindowNoState)  # the screen that is not there is a small one
    window.resize(1440, 900)
    window.show()
    window.views.curves.make()
    window.views.strip.make()
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
