"""How smooth the window is at full speed, what that costs the engine, and how long it takes to start.

Frames are the window's ticks, each of which takes in what the worker has made and paints what has changed: the
tree in some, as the column of trees says, the curves, the timeline or the words in others. The engine makes the
same iterations again alone, from an empty memory, right after the window has made them, so that a busy moment of
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
from typing import Any, NamedTuple

from tests.benchmarks.amount import IS_FULL, ignore_missing_screen

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SECONDS = 4.0 if IS_FULL else 2.0
ROUNDS = 3 if IS_FULL else 1
STARTS = 7 if IS_FULL else 3

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


def forget() -> None:
    """Empty the engine's memories, which a run that is made a second time would profit from."""
    import gpviz.engine

    for name, module in list(sys.modules.items()):
        if name.startswith(gpviz.engine.__name__):
            for entry in vars(module).values():
                if hasattr(entry, "cache_clear"):
                    entry.cache_clear()


def engine_alone(config: Any, rules: Any, iterations: int) -> float:
    """The seconds that steps and pause rules take with nothing beside them, not even a record."""
    from gpviz.engine import RlsGp
    from gpviz.runs.pause_rules import PauseWatch

    forget()
    search, watch = RlsGp(config), PauseWatch(rules, config)
    start = time.perf_counter()
    for _ in range(iterations):
        watch.reason(search.step())
    return time.perf_counter() - start


def without_window(config: Any, rules: Any) -> int:
    """How many iterations the worker makes and records in the time, with nothing to draw."""
    from gpviz.app.garbage_collection import GarbageCollection
    from gpviz.app.player.player import Player

    forget()
    player = Player.for_run(config)
    player.set_rules(rules)
    garbage_collection = GarbageCollection(player)
    made = full_speed(player)
    garbage_collection.close()
    player.close()
    return made


class Watched(NamedTuple):
    """What a window did in its time."""

    made: int
    frames_ms: list[float]
    trees: int


def with_window(config: Any, rules: Any, page: str = "") -> Watched:
    """A window at full speed, with this page beside the tree, or none."""
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication

    from gpviz.app.main_window import MainWindow
    from gpviz.app.preferences import Preferences
    from gpviz.app.theme_manager import ThemeManager

    forget()
    settings = Preferences()
    theme_manager = ThemeManager(settings, "light")
    theme_manager.apply()
    window = MainWindow(settings, theme_manager)
    window.setWindowState(Qt.WindowState.WindowNoState)  # the screen that is not there is a small one
    window.resize(1600, 1000)
    window.show()
    window.player.start_run(config)
    window.player.set_rules(rules)
    if page:
        window.show_page(page)
    QApplication.processEvents()
    canvas = window.views.canvas
    frames: list[float] = []
    trees: set[int] = set()

    def note_frame() -> None:
        frames.append(time.perf_counter())
        assert canvas.moment is not None
        trees.add(canvas.moment.iteration)

    window.player._painted.timeout.connect(note_frame)
    made = full_speed(window.player)
    window.player._painted.timeout.disconnect(note_frame)
    window.close()
    window.deleteLater()
    return Watched(made, [1000 * (after - before) for before, after in pairwise(frames)], len(trees))


def full_speed(player: Any) -> int:
    """How many iterations are recorded after the time."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(int(1000 * SECONDS), loop.quit)
    player.set_speed(math.inf)
    player.play()
    loop.exec()
    made = len(player.run.history)
    player.pause()
    return made


def one_round(config: Any, rules: Any) -> tuple[float, ...]:
    """Frames and trees a second, p50 and p99 of the frames in ms, speed and shares with and without the window."""
    made = without_window(config, rules)
    without = engine_alone(config, rules, made) / SECONDS
    watched = with_window(config, rules)
    share = engine_alone(config, rules, watched.made) / SECONDS
    frames = watched.frames_ms
    return (
        1000 * len(frames) / sum(frames),
        watched.trees / SECONDS,
        median(frames),
        quantiles(frames, n=100)[98],
        watched.made / SECONDS,
        share,
        without,
    )


def smoothness() -> None:
    from gpviz.app.application import SWITCH_SECONDS, make_application, warm_up
    from gpviz.engine import RunConfig
    from gpviz.runs.pause_rules import PauseRules

    sys.setswitchinterval(SWITCH_SECONDS)
    application = make_application(["gpviz"])
    warm_up().join()
    print(
        "the window at full speed, 1600 x 1000, canvas and curves on show; iterations a second with the window,"
    )
    print("and the share of that in what the engine makes alone; the same share of a worker without a window")
    print("(goals: 50 frames a second, 99 of 100 frames within 33 ms, half the speed of the engine alone)")
    print(f"{'run':>26} {'frames/s':>9} {'trees/s':>8} {'p50 ms':>7} {'p99 ms':>7} {'with':>9}", end="")
    print(f" {'share':>6} {'without':>8}  goals")
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
        rounds = [one_round(config, rules) for _ in range(ROUNDS)]
        frames, trees, p50, p99, speed, share, without = (
            median(column) for column in zip(*rounds, strict=True)
        )
        print(
            f"{name:>26} {frames:>9.1f} {trees:>8.1f} {p50:>7.1f} {p99:>7.1f}"
            f" {speed:>9.0f} {share:>6.2f} {without:>8.2f}"
            f"  {goal(frames >= 50)} {goal(p99 <= 33)} {goal(share >= 0.5)}",
            flush=True,
        )
    application.processEvents()


def pages() -> None:
    from gpviz.engine import RunConfig
    from gpviz.page_list import PAGES
    from gpviz.runs.pause_rules import PauseRules

    print("\nthe same with a page beside the tree, n = 16, limit 2n, in turn with none")
    print("(goal: at least four fifths of the frames a second)")
    print(f"{'page':>12} {'frames/s':>9} {'p99 ms':>7} {'of none':>10} {'speed of none':>16}  goal")
    config, rules = RunConfig(n=16, seed=1), PauseRules(stuck=False, solved=False)
    for page in (info.name for info in PAGES):
        rounds = [(with_window(config, rules), with_window(config, rules, page)) for _ in range(ROUNDS)]
        shown = [watched.frames_ms for _, watched in rounds]
        frames = median(1000 * len(one) / sum(one) for one in shown)
        p99 = median(quantiles(one, n=100)[98] for one in shown)
        share = median(
            len(other.frames_ms) / sum(other.frames_ms) * sum(one.frames_ms) / len(one.frames_ms)
            for one, other in rounds
        )
        speed = median(other.made / one.made for one, other in rounds)
        print(
            f"{page:>12} {frames:>9.1f} {p99:>7.1f} {share:>10.2f} {speed:>16.2f}  {goal(share >= 0.8)}",
            flush=True,
        )


def started(program: str) -> float:
    """The seconds from starting the interpreter until the window has been painted."""
    with tempfile.TemporaryDirectory() as home:
        places = {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
        start = time.monotonic()  # a clock that all processes share
        reported = subprocess.run(
            [sys.executable, "-c", program],
            check=True, env={**os.environ, **places}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        return float(reported.stdout) - start


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
        ignore_missing_screen()
        smoothness()
        if IS_FULL:
            pages()
        start_up()


if __name__ == "__main__":
    main()
