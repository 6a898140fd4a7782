"""Tries random inputs for as long as one likes: `python -m tests.fuzz.soak [MINUTES] [--seed N] [--part NAME]`.

Inputs are tried in a process of their own, many in each, so that an abort or a hang is a failure like any other.
What fails is made as short as it can be and told with its seed.
"""

import argparse
import faulthandler
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from tests.fuzz.inputs import DRAWN, Steps, draw

_ROOT: Final = Path(__file__).parents[2]
_BATCH: Final = {"window": 5, "commands": 60, "stores": 80}
_USUAL_BATCH: Final = 200
"""So many inputs of a part are tried before it is the next one's turn."""
_MOST_TRIES: Final = 80
_MOST_SECONDS: Final = 180
"""So often, and so long, a failing input is tried again to make it shorter."""


class Input(NamedTuple):
    """What is tried in one part of the program."""

    part: str
    seed: int
    steps: Steps


class Found(NamedTuple):
    """A failure: the input that shows it, and what was said."""

    input: Input
    report: str

    @property
    def kind(self) -> tuple[str, str]:
        """What reports of the same failure have in common: the part, and the last line but for its numbers."""
        lines = [line for line in self.report.splitlines() if line.strip() and not line.startswith("  ")]
        return self.input.part, re.sub(r"[0-9a-f]*[0-9][0-9a-f]*", "#", lines[-1][:200]) if lines else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; the result is the exit code."""
    parser = argparse.ArgumentParser(
        prog="scripts/soak",
        description="Try random inputs on every part of gpviz, and tell what fails with its seed.",
    )
    parser.add_argument(
        "minutes", metavar="MINUTES", nargs="?", type=float, default=10.0, help="how long (10)"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="the first seed (0)")
    parser.add_argument(
        "--part", choices=tuple(DRAWN), action="append", help="only this part; may be repeated"
    )
    parser.add_argument(
        "--inputs", metavar="N", type=int, help="so many of each part, however long that takes"
    )
    parser.add_argument("--try", dest="tried", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.tried is not None:
        _try_here([Input(*each) for each in json.loads(options.tried.read_text())])
        return 0
    return _soak(options.part or list(DRAWN), options.seed, options.inputs, 60 * options.minutes)


def _soak(parts: Sequence[str], first: int, most: int | None, seconds: float) -> int:
    """Try inputs of all parts in turn, so many or so long."""
    end = monotonic() + seconds
    counts, failures = Counter[str](), Counter[tuple[str, str]]()
    while left := [part for part in parts if (monotonic() < end if most is None else counts[part] < most)]:
        for part in left:
            size = _BATCH.get(part, _USUAL_BATCH)
            size = size if most is None else min(size, most - counts[part])
            seed = first + counts[part]
            found = try_inputs([drawn(part, each) for each in range(seed, seed + size)])
            counts[part] += size if found is None else found.input.seed - seed + 1
            if found is not None:
                failures[found.kind] += 1
                if failures[found.kind] == 1:
                    print(failure_text(shortened(found)), flush=True)
    for part in parts:
        kinds = {text: count for (where, text), count in failures.items() if where == part}
        print(f"{part:12} {counts[part]:>9,} inputs, {sum(kinds.values()):,} failed")
        for text, count in kinds.items():
            print(f"{count:>12,} x {text}")
    return 1 if failures else 0


def drawn(part: str, seed: int) -> Input:
    """The input that belongs to a seed."""
    return Input(part, seed, draw(part, seed))


def failure_text(found: Found) -> str:
    """What is to be known of a failure, and how to see it again."""
    part, seed, steps = found.input
    lines = "\n".join(f"  {json.dumps(step)[:300]}" for step in steps)
    again = f"scripts/soak --part {part} --seed {seed} --inputs 1"
    return f"\n{part} {seed} fails:\n{found.report}\nThe shortest input that shows it:\n{lines}\nAgain: {again}\n"


def shortened(found: Found) -> Found:
    """Leave out what is not needed: half of it, a quarter, and so on, as long as it fails in the same way."""
    size, tries, end = max(1, len(found.input.steps) // 2), 0, monotonic() + _MOST_SECONDS
    while tries < _MOST_TRIES and monotonic() < end:
        place, length = 0, len(found.input.steps)
        while place < len(found.input.steps) and tries < _MOST_TRIES and monotonic() < end:
            steps = found.input.steps
            again = try_inputs([found.input._replace(steps=steps[:place] + steps[place + size :])])
            tries += 1
            if again is not None and again.kind == found.kind:
                found = again
            else:
                place += size
        if size == 1 and length == len(found.input.steps):
            break
        size = max(1, size // 2)
    return found


def try_inputs(inputs: Sequence[Input]) -> Found | None:
    """Try these in another process, with a home of its own; the first that fails."""
    with tempfile.TemporaryDirectory(prefix="gpviz-soak-") as name:
        path = Path(name) / "inputs.json"
        path.write_text(json.dumps(inputs))
        environment = {
            key: value for key, value in os.environ.items() if key != "DBUS_SESSION_BUS_ADDRESS"
        } | {
            "QT_QPA_PLATFORM": "offscreen",
            "PYTHONPATH": str(_ROOT),
            "PYTHONFAULTHANDLER": "1",
            "HOME": name,
            "TMPDIR": name,
        }
        command = [sys.executable, "-m", "tests.fuzz.soak", "--try", str(path)]
        done = subprocess.run(command, capture_output=True, check=False, env=environment, cwd=_ROOT)
        if done.returncode == 0:
            return None
        begun = done.stdout.count(b"\n")
        report = done.stderr.decode(errors="replace")
        return Found(
            inputs[max(begun - 1, 0)], report if done.returncode == 1 else f"{report}\n{done.returncode}"
        )


def _try_here(inputs: Sequence[Input]) -> None:
    """Try the inputs in this process; each is told before it is tried, as an abort leaves no time to tell it."""
    # Whoever only starts processes needs none of the program.
    from tests.fuzz.trials import TRIALS
    from tests.fuzz.window_walk import HANG_SECONDS

    warnings.simplefilter("error")
    for part, seed, steps in inputs:
        print(part, seed, flush=True)
        faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
        with tempfile.TemporaryDirectory(prefix=f"{part}-") as folder:
            try:
                TRIALS[part](steps, Path(folder))
            except Exception:
                traceback.print_exc()
                sys.stderr.flush()
                os._exit(1)  # what is still on the screen is of no use any more
    faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    sys.exit(main())
