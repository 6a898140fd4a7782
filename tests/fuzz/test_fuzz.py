"""Random inputs to every part of the program, the same in every run: none breaks it, and nothing is lost.

`scripts/soak` tries others, for as long as one likes.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.inputs import DRAWN
from tests.fuzz.soak import drawn, failure_text, shortened, try_inputs

COUNTS = {
    "formulas": 60,
    "settings": 60,
    "queries": 100,
    "runs": 60,
    "lectures": 30,
    "plans": 60,
    "stores": 30,
    "commands": 30,
    "preferences": 20,
}


def test_every_part_is_tried():
    assert {*COUNTS, "window"} == set(DRAWN)


def test_a_seed_means_the_same_inputs_in_every_process():
    reported = (
        "from tests.fuzz.inputs import *; print([draw(part, seed) for part in DRAWN for seed in range(9)])"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", reported],
            capture_output=True,
            check=True,
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8:backslashreplace"},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


@pytest.mark.parametrize("counts", [COUNTS, {"window": 1}], ids=["files and texts", "events in windows"])
def test_random_inputs_break_nothing(counts):
    inputs = [drawn(part, seed) for part, count in counts.items() for seed in range(count)]
    found = try_inputs(inputs)
    assert found is None, failure_text(shortened(found))
