"""How smooth the window is at full speed, what that costs the engine, and how long it takes to start.

Frames are the window's ticks, each of which takes in what the worker has made and paints what has changed, with
curves and all panels on show. The engine is measured alone and with the window in turn, so that a busy moment of
the machine hits either. Needs no screen.
"""

import math
import os
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from statistics import median, quantiles
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SECONDS = 4.0
ROUNDS = 3
STARTS = 7

_OURS = """
import sys, time
import gpviz.app.application as program
from PySide6.QtCore import QTimer
show = program.MainWindow.show
def show_and_tell(self):
    show(self)
    self.repaint()
    print(time.monotonic(), flush=True)
    QTimer.singleShot(1000, self.close)
program.MainWindow.show = show_and_tell
sys.exit(program.run(theme="light"))
"""
_BARE = """
import sys, time
import pyqtgraph
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
application = QApplication(sys.argv)
window = QMainWindow()
plot = pyqtgraph.PlotWidget()
plot.plot([1, 2, 3])
window.setCentralWidget(plot)
window.resize(1200, 800)
window.show()
window.repaint()
print(time.monotonic(), flush=True)
QTimer.singleShot(0, window.close)
sys.exit(application.exec())
"""


def goal(is_met: bool) -> str:
    return "met" if is_met else "MISSED"


def engine_alone(config: Any, rules: Any) -> float:
    """Iterations a second of steps and pause rules with nothing beside them, not even a record."""
    from gpviz.engine import RlsGp
    from gpviz.record.pausing import PauseWatch

    search, watch = RlsGp(config), PauseWatch(rules, config)
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS / 2:
        for _ in range(200):
            watch.reason(search.step())
    return search.iteration / (time.perf_counter() - start)


def without_window(config: Any, rules: Any) -> float:
    """Iterations a second of the worker with its record, and nothing to draw."""
    from gpviz.app.housekeeping import Housekeeping
    from gpviz.app.loader import Loader
    from gpviz.app.run_controller import RunController

    controller = RunController(config)
    controller.set_rules(rules)
    loader = Loader()
    housekeeping = Housekeeping(controller, loader)
    speed = full_speed(controller)
    housekeeping.close()
    controller.close()
    return speed


def with_window(config: Any, rules: Any) -> tuple[float, list[float]]:
    """Iterations a second and the frame times in milliseconds of a window at full speed."""
    from PySide6.QtCore import Qt

    from gpviz.app.looks import Looks
    from gpviz.app.main_window import MainWindow
    from gpviz.app.settings import Settings

    settings = Settings()
    settings.set_flag("setup_panel", True)
    looks = Looks(settings, "light")
    looks.apply()
    window = MainWindow(settings, looks)
    window.setWindowState(Qt.WindowState.WindowNoState)  # the screen that is not there is a small one
    window.resize(1600, 1000)
    window.show()
    window.views.curves.make()
    window.controller.start_run(config)
    window.controller.set_rules(rules)
    frames: list[float] = []
    window.controller.frame_ended.connect(lambda: frames.append(time.perf_counter()))
    speed = full_speed(window.controller)
    window.close()
    window.deleteLater()
    return speed, [1000 * (after - before) for before, after in pairwise(frames)]


def full_speed(controller: Any) -> float:
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(int(1000 * SECONDS), loop.quit)
    controller.set_speed(math.inf)
    start = time.perf_counter()
    controller.play()
    loop.exec()
    speed = len(controller.history) / (time.perf_counter() - start)
    controller.pause()
    return speed


def smoothness() -> None:
    from gpviz.app.application import SWITCH_SECONDS, make_application, warm_up
    from gpviz.engine import RunConfig
    from gpviz.record.pausing import PauseRules

    sys.setswitchinterval(SWITCH_SECONDS)
    application = make_application(["gpviz"])
    warm_up().join()
    print(
        "the window at full speed, 1600 x 1000, canvas and curves on show; iterations a second of the engine"
    )
    print(
        "alone, of the worker that also records them, without a window, and of the same with it; shares of both"
    )
    print("(goals: 50 frames a second, 99 of 100 frames within 33 ms, half the speed of the engine alone)")
    print(f"{'run':>26} {'frames/s':>9} {'p50 ms':>7} {'p99 ms':>7} {'engine':>9}", end="")
    print(f" {'without':>9} {'with':>9} {'shares':>11}  goals")
    rules = PauseRules(stuck=False, solved=False)
    cases = {
        "n = 16, limit 2n": RunConfig(n=16, seed=1),
        "n = 8, stuck": RunConfig(n=8, limit="n+1", deletion="leaf", seed=69285),
        "n = 64, limit 2n": RunConfig(n=64, seed=2),
        "n = 50, 1000 sampled rows": RunConfig(
            n=50, limit="inf", fitness="sampled", rows=1000, sampler="counts", seed=7
        ),
    }
    for name, config in cases.items():
        rounds = [
            (engine_alone(config, rules), without_window(config, rules), *with_window(config, rules))
            for _ in range(ROUNDS)
        ]
        engine = median(entry[0] for entry in rounds)
        without = median(entry[1] for entry in rounds)
        speed = median(entry[2] for entry in rounds)
        share = median(entry[2] / entry[0] for entry in rounds)
        frames = median(1000 * len(entry[3]) / sum(entry[3]) for entry in rounds)
        p50 = median(median(entry[3]) for entry in rounds)
        p99 = median(quantiles(entry[3], n=100)[98] for entry in rounds)
        print(
            f"{name:>26} {frames:>9.1f} {p50:>7.1f} {p99:>7.1f} {engine:>9.0f} {without:>9.0f} {speed:>9.0f}"
            f" {share:>5.2f} {speed / without:>5.2f}  {goal(frames >= 50)} {goal(p99 <= 33)} {goal(share >= 0.5)}",
            flush=True,
        )
    application.processEvents()


def started(program: str) -> float:
    """The seconds from starting the interpreter until the window has been painted."""
    with tempfile.TemporaryDirectory() as home:
        places = {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
        start = time.monotonic()  # a clock that all processes share
        told = subprocess.run(
            [sys.executable, "-c", program],
            check=True, env={**os.environ, **places}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        return float(told.stdout) - start


def start_up() -> None:
    print("\nfrom the start of the interpreter to the first painted window (goal: at most 1.5 times)")
    pairs = [(started(_BARE), started(_OURS)) for _ in range(STARTS + 1)][1:]
    bare, ours = median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
    ratio = median(pair[1] / pair[0] for pair in pairs)
    print(
        f"  PySide6 and pyqtgraph {bare:.2f} s, gpviz {ours:.2f} s, ratio {ratio:.2f}  {goal(ratio <= 1.5)}"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            os.environ[name] = home
        smoothness()
        start_up()


if __name__ == "__main__":
    main()
