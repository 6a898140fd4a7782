"""How smooth the comparison's window is at full speed, with two and with four runs, and how fair it is to them.

Frames are its ticks, each of which takes in what the workers have made and paints what has changed. Needs no
screen.
"""

import math
import os
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from statistics import median, quantiles
from typing import Any, NamedTuple

from tests.benchmarks.amount import ignore_missing_screen

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SECONDS = 4.0
WARM_SECONDS = 1.5


class Measured(NamedTuple):
    """The seconds between frames, the iterations of each lane, and how many each makes in a second."""

    gaps: list[float]
    lengths: list[int]
    rate: float


def wait(seconds: float) -> None:
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(round(1000 * seconds), loop.quit)
    loop.exec()


def measure(count: int, config_of: Callable[[int], Any]) -> Measured:
    from gpviz.app.compare.window import CompareWindow
    from gpviz.runs.presets import LaneSpec

    window = CompareWindow()
    window.resize(1280, 800)
    window.show()
    window.compare([LaneSpec(label=f"Run {seed}", config=config_of(seed)) for seed in range(count)])
    frames: list[float] = []
    window.player.set_speed(math.inf)
    window.player.play()
    wait(WARM_SECONDS)
    window.player.moment_changed.connect(lambda: frames.append(time.perf_counter()))
    before = window.player.cursor
    wait(SECONDS)
    made = window.player.cursor - before
    lengths = [len(run.history) for run in window.player.runs]
    is_over = window.player.has_ended
    window.close()
    window.deleteLater()
    assert not is_over, "the runs have ended too soon to measure anything"
    return Measured([after - before for before, after in pairwise(frames)], lengths, made / SECONDS)


def main() -> None:
    from PySide6.QtWidgets import QApplication

    from gpviz.app.application import SWITCH_SECONDS
    from gpviz.app.theme import load_fonts
    from gpviz.engine import RunConfig

    ignore_missing_screen()
    application = QApplication([])
    application.setStyle("Fusion")
    load_fonts()
    sys.setswitchinterval(SWITCH_SECONDS)
    cases = {
        # Too small a limit for the target, and samples on which no tree is right: these runs go on and on.
        "5 leaves": lambda seed: RunConfig(
            n=6, limit="5", fitness="sampled", rows=2000, sampler="counts", seed=seed
        ),
        "large": lambda seed: RunConfig(n=250, limit="inf", seed=seed),
    }
    print("runs  trees         frames/s  median ms  95 % ms  longest ms  iterations/s of each  apart")
    for name, config_of in cases.items():
        for count in (2, 4):
            gaps, lengths, rate = measure(count, config_of)
            milliseconds = sorted(1000 * gap for gap in gaps)
            late = quantiles(milliseconds, n=20)[-1]
            print(
                f"{count:4}  {name:12}  {len(gaps) / sum(gaps):8.1f}  {median(milliseconds):9.1f}  {late:7.1f}"
                f"  {milliseconds[-1]:10.1f}  {rate:20,.0f}  {max(lengths) - min(lengths):5,}",
                flush=True,
            )


if __name__ == "__main__":
    main()
