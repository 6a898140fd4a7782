"""Random inputs to every part of the program, the same in every run: none breaks it, and nothing is lost.

`scripts/soak` tries others, for as long as one likes.
"""

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


@pytest.mark.parametrize("counts", [COUNTS, {"window": 2}], ids=["files and texts", "events in windows"])
def test_random_inputs_break_nothing(counts):
    inputs = [drawn(part, seed) for part, count in counts.items() for seed in range(count)]
    found = try_inputs(inputs)
    assert found is None, failure_text(shortened(found))
