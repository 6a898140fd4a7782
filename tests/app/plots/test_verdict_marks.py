"""The marks of the steps: nothing better than the rest is lost in a bin, and each verdict has its own sign."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtGui import QImage, QPainter

from gpviz.app.plots.verdict_marks import NO_MARKS, Marks, bin_of, bin_size, marks_between, paint_marks
from gpviz.app.theme import load_theme
from gpviz.engine import Verdict
from gpviz.runs.curve_series import VerdictCounts
from gpviz.runs.step_encoding import CODES, VERDICTS

LINE = 40
"""The height of a line of type, in pixels."""


def code_of(verdict: Verdict) -> int:
    return next(code for key, code in CODES.items() if key[3] is verdict)


def counted(verdicts: npt.NDArray[np.uint8]) -> VerdictCounts:
    """The counts of a run with these verdicts, given by their positions in `VERDICTS`."""
    counts = VerdictCounts()
    counts.take_in(np.array([code_of(verdict) for verdict in VERDICTS], dtype=np.uint8)[verdicts])
    return counts


verdicts_of_runs = st.lists(st.integers(0, len(VERDICTS) - 1), max_size=60).map(
    lambda found: np.array(found, dtype=np.uint8)
)


@example(np.full(7, 3, dtype=np.uint8), 1, 7, 5)  # the last bin is not whole
@given(verdicts_of_runs, st.integers(0, 65), st.integers(0, 65), st.sampled_from((1, 2, 5, 10)))
def test_each_bin_has_one_mark_for_the_best_in_it(verdicts, first, last, size):
    improved = np.flatnonzero(verdicts == 0) + 1
    marks = marks_between(counted(verdicts), first, last, size, improved)
    end = min(last, len(verdicts))
    expected = {}
    for iteration in range(max(first, 1), end + 1):
        start, stop = bin_of(iteration, size)
        inside = verdicts[start - 1 : min(stop, end)]
        best = int(inside.min())
        middle = (start + min(stop, end)) / 2
        expected[start] = (start + inside.argmin() if best == 0 else middle, best)
    assert list(zip(marks.x.tolist(), marks.verdicts.tolist(), strict=True)) == list(expected.values())


@pytest.mark.parametrize("iteration", [1, 2, 333_333, 777_777, 999_999, 1_000_000])
@pytest.mark.parametrize("size", [1_000, 20_000])
def test_one_improvement_among_a_million_iterations_is_marked_where_it_is(iteration, size):
    verdicts = np.full(1_000_000, VERDICTS.index(Verdict.WORSE), dtype=np.uint8)
    verdicts[iteration - 1] = VERDICTS.index(Verdict.IMPROVED)
    counts = counted(verdicts)
    marks = marks_between(counts, 1, 1_000_000, size, np.array([iteration]))
    assert len(marks.x) == 1_000_000 // size
    assert marks.x[marks.verdicts == 0].tolist() == [iteration]
    far_off = marks_between(counts, 1, 1_000_000, size, np.empty(0, dtype=np.int64))
    (found,) = far_off.x[far_off.verdicts == 0]
    assert bin_of(int(found), size) == bin_of(iteration, size)


def test_without_iterations_there_are_no_marks():
    assert marks_between(VerdictCounts(), 0, 10, 1, np.empty(0, dtype=np.int64)) == NO_MARKS


@pytest.mark.parametrize(
    ("least", "size"),
    [(0.01, 1), (1, 1), (1.5, 2), (2, 2), (2.1, 5), (6, 10), (10.5, 20), (400_000, 500_000)],
)
def test_bins_have_round_sizes(least, size):
    assert bin_size(least) == size


def mask_of(verdict: Verdict) -> npt.NDArray[np.bool_]:
    """Where the mark of a verdict has its colour."""
    theme = load_theme("light")
    image = QImage(2 * LINE, 2 * LINE, QImage.Format.Format_ARGB32)
    image.fill(0)
    with QPainter(image) as painter:
        place, number = np.array([float(LINE)]), np.array([VERDICTS.index(verdict)])
        paint_marks(painter, place, Marks(place, number), LINE, theme, LINE)
    colour = int(theme.colours.of_verdict(verdict).removeprefix("#"), 16) | 0xFF000000
    pixels = np.frombuffer(image.constBits(), dtype=np.uint32).reshape(2 * LINE, 2 * LINE)
    return pixels == colour


def test_every_verdict_has_a_sign_of_its_own_and_an_improvement_the_largest(qapp):
    masks = {verdict: mask_of(verdict) for verdict in VERDICTS}
    inked = {verdict: int(mask.sum()) for verdict, mask in masks.items()}
    assert inked[Verdict.IMPROVED] > 1.5 * max(
        count for verdict, count in inked.items() if verdict is not Verdict.IMPROVED
    )
    assert min(inked.values()) > 0
    assert len({mask.tobytes() for mask in masks.values()}) == len(VERDICTS)
    assert not masks[Verdict.TOO_LARGE][LINE, LINE], "the square is hollow"


def test_an_improvement_lies_over_its_neighbours(qapp):
    theme = load_theme("light")
    image = QImage(2 * LINE, 2 * LINE, QImage.Format.Format_ARGB32)
    with QPainter(image) as painter:
        places = np.array([LINE, LINE + 2.0])
        paint_marks(painter, places, Marks(places, np.array([0, 1])), LINE, theme, LINE)
    assert image.pixelColor(LINE + 1, LINE + 8).name() == theme.colours.of_verdict(Verdict.IMPROVED)
