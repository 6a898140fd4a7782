"""The sign of a lane: before its end a run is searching, from its end on the sign says how it ended."""

from types import SimpleNamespace

import pytest

from gpviz.app.lanes.lane_state import StateChip, state_words
from gpviz.app.player.played_run import Ending


def words_at(cursor: int, ending: Ending | None) -> tuple[str, str]:
    return state_words(SimpleNamespace(ending=ending), cursor)


@pytest.mark.parametrize(
    ("cursor", "ending", "expected"),
    [
        (0, None, ("", "start")),
        (7, None, ("", "searching")),
        (7, Ending("solved", 8), ("", "searching")),
        (8, Ending("solved", 8), ("solved", "solved in iteration 8")),
        (0, Ending("solved", 0), ("solved", "solved from the start")),
        (1234, Ending("stuck", 1234), ("stuck", "stuck since iteration 1,234")),
        (0, Ending("stuck", 0), ("stuck", "stuck from the start")),
        (9, Ending("full", 9), ("full", "ends with iteration 9")),
        (9, Ending("failed", 9, "Too large."), ("failed", "cannot go on after iteration 9")),
    ],
)
def test_the_state_of_a_run_in_words(cursor, ending, expected):
    assert words_at(cursor, ending) == expected


def test_the_sign_is_told_to_those_who_do_not_see_it(qtbot):
    chip = StateChip()
    qtbot.addWidget(chip)
    assert (chip.accessibleName(), chip.toolTip()) == ("State: start", "Start.")
    chip.show_state("solved", "solved in iteration 8")
    assert chip.accessibleName() == "State: solved in iteration 8"
    assert chip.toolTip() == "Solved in iteration 8."
    assert chip.words() == "✓ solved in 8"
