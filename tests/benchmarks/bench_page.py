"""How large the web page of a long run is, how long it takes to open, and how smoothly it steps in a browser.

The browser has no window and no graphics card, so what it paints it paints on the processor. It steps one
iteration in every frame that it has; a screen gives it sixty a second. A bare page, which only counts, shows how
many of them the machine gives at the time. Its work is what the page itself does in a frame, of 16.7 ms.
"""

import tempfile
import time
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from gpviz.engine import RunConfig
from tests.export.browser import Browser, missing, opened
from tests.export.requests import export
from tests.runs.runs import history_after

ITERATIONS = 5_000
SECONDS = 3.0
SIZE = (1280, 720)
GOAL = 60
RUNS = {
    "n = 16, limit 2n": RunConfig(n=16, limit="2n", deletion="leaf", seed=1),
    "n = 64, limit 2n": RunConfig(n=64, limit="2n", seed=1),
    "n = 20, sampled": RunConfig(n=20, limit="2n", fitness="sampled", rows=100, sampler="counts", seed=1),
}

_STEPPING = """
return new Promise((done) => {
  const { player, run } = gpviz, frames = [], work = [];
  const first = performance.now();
  player.goTo(Math.floor(run.last / 2), true);
  const tick = (now) => {
    frames.push(now);
    const start = performance.now();
    player.goTo(player.cursor + 1, true);
    work.push(performance.now() - start);
    if (now - first < arguments[0]) requestAnimationFrame(tick);
    else done([frames, work]);
  };
  requestAnimationFrame(tick);
});
"""
_COUNTING = """
return new Promise((done) => {
  const frames = [], first = performance.now();
  const tick = (now) => {
    frames.push(now);
    document.getElementById("count").textContent = frames.length;
    if (now - first < arguments[0]) requestAnimationFrame(tick);
    else done(frames);
  };
  requestAnimationFrame(tick);
});
"""
_OPENING = """
return new Promise((done) => {
  const look = () => (window.gpviz ? requestAnimationFrame(() => done(performance.now())) : setTimeout(look, 5));
  look();
});
"""


def measured(browser: Browser, path: Path) -> dict[str, Any]:
    openings = []
    for _ in range(3):
        browser.open(path)
        openings.append(browser.run(_OPENING))
    frames, work = browser.run(_STEPPING, 1000 * SECONDS)
    gaps = sorted(after - before for before, after in pairwise(frames))
    return {
        "opening": median(openings),
        "frames": 1000 * len(gaps) / (frames[-1] - frames[0]),
        "late": gaps[int(0.99 * len(gaps))],
        "work": median(work),
    }


def main() -> None:
    reason = missing()
    if reason:
        print(f"No browser to measure in: {reason}.")
        return
    print(f"The web page of {ITERATIONS:,} iterations, {SIZE[0]} x {SIZE[1]}, one step in every frame")
    heads = (
        "run",
        "nodes",
        "written",
        "size",
        "opens",
        "frames/s",
        "99 % within",
        "its work",
        f"goal {GOAL}",
    )
    print("{:18} {:>6} {:>8} {:>8} {:>8} {:>9} {:>12} {:>9} {:>8}".format(*heads))
    with opened() as browser, tempfile.TemporaryDirectory() as folder:
        browser.set_size(*SIZE)
        for name, config in RUNS.items():
            history = history_after(config, ITERATIONS)
            path = Path(folder) / "page.html"
            start = time.perf_counter()
            export("page", path, history, title=name)
            seconds = time.perf_counter() - start
            found = measured(browser, path)
            tree = history.tree_at(ITERATIONS)
            nodes, size = 0 if tree is None else tree.size, path.stat().st_size / 1000
            is_met = "met" if found["frames"] >= 0.98 * GOAL else "MISSED"
            print(
                f"{name:18} {nodes:6,} {seconds:6.2f} s {size:5.0f} kB {found['opening']:5.0f} ms"
                f" {found['frames']:9.1f} {found['late']:9.1f} ms {found['work']:6.1f} ms {is_met:>8}"
            )
        path.write_text("<!DOCTYPE html><title>bare</title><p id='count'></p>")
        browser.open(path)
        frames = browser.run(_COUNTING, 1000 * SECONDS)
        print(f"{'a bare page':18} {1000 * (len(frames) - 1) / (frames[-1] - frames[0]):51.1f}")


if __name__ == "__main__":
    main()
