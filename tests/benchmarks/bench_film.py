"""How long a film of a minute takes, and which part of it painting and encoding have. Needs no screen.

The goal is a film of 60 seconds and 720 lines in at most two minutes on two cores.
"""

import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from tests.benchmarks.amount import ignore_missing_screen

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

PRESET = "leaf-deletion"
PACE = 2.0
STEPS = 116
GOAL_SECONDS = 120.0
ENCODED_STEPS = 8


def main() -> int:
    from gpviz.app.application import make_application
    from gpviz.app.export.film import FilmPlan, film_frames
    from gpviz.app.export.video_encoder import encoding
    from gpviz.engine.search import RlsGp
    from gpviz.export.request import Subject
    from gpviz.runs.history import History
    from gpviz.runs.presets import find_preset
    from tests.export.requests import export, request_of

    ignore_missing_screen()
    application = make_application(["gpviz"])
    preset = find_preset(PRESET)
    search = RlsGp(preset.config, preset.start_tree)
    history = History(preset.config, preset.start_tree)
    for _ in range(STEPS):
        history.append(search.step())
    plan = FilmPlan(STEPS, PACE, 30)
    seconds = plan.frames / plan.rate
    subject = Subject(history=history)
    request = request_of("film", "film.mp4", history, last=STEPS - 1, pace=PACE)

    start = time.perf_counter()
    painted, last = 0, None
    for image in film_frames(request, subject):
        painted += image is not last
        last = image
    painting = time.perf_counter() - start

    with tempfile.TemporaryDirectory() as folder:
        frames = list(film_frames(replace(request, first=STEPS - ENCODED_STEPS), subject))
        start = time.perf_counter()
        with encoding(Path(folder) / "part.mp4", "mp4", 1280, 720, 30) as encoder:
            for image in frames:
                encoder.add(image)
        encoding_a_frame = (time.perf_counter() - start) / len(frames)

        path = Path(folder) / "film.mp4"
        start = time.perf_counter()
        export("film", path, history, last=STEPS - 1, pace=PACE)
        wall = time.perf_counter() - start
        size = path.stat().st_size

    is_met = wall <= GOAL_SECONDS * seconds / 60.0
    print(f"{PRESET}, {STEPS} steps, {plan.frames:,} frames at 1280 × 720, {size / 1e6:.1f} MB")
    print(f"  painting  {1000 * painting / painted:7.1f} ms a frame, {painted:,} of them painted")
    print(f"  encoding  {1000 * encoding_a_frame:7.1f} ms a frame")
    print(f"  film      {wall:7.1f} s for {seconds:.0f} s, {seconds / wall:.2f} times as fast")
    print(f"  goal      at most {GOAL_SECONDS:.0f} s a minute: {'met' if is_met else 'MISSED'}")
    application.processEvents()
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
