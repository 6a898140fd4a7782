"""What charts read of single runs."""

import numpy as np
import pytest

from gpviz.experiments.figures.chart_values import MOST_STEPS, ValueReader, ValuesRequest, thinned
from gpviz.experiments.statistics.cell_statistics import spread_of
from gpviz.experiments.store import Store
from tests.experiments.figures.filled_stores import read, totals_of, values_of


def test_a_histogram_counts_every_solved_run_once(leaf_store):
    values = values_of(leaf_store, 1)
    for is_log in (False, True):
        bins = read(leaf_store, ValuesRequest("bins", "iterations", (1,), is_log))[1]
        assert bins.counts.sum() == len(values)
        assert bins.left_out == 0
        assert bins.mean == pytest.approx(values.mean())
        assert bins.spread == spread_of(values)


def test_zeros_that_a_logarithmic_axis_does_not_have_are_counted_apart(leaf_store):
    values = values_of(leaf_store, 3, "ors")
    bins = read(leaf_store, ValuesRequest("bins", "ors", (3,), is_log=True)).get(3)
    assert bins is not None
    assert bins.left_out == (values == 0).sum() > 0
    assert bins.counts.sum() == (values > 0).sum() > 0


def test_the_generalisation_error_is_a_share_of_all_rows(sampled_store):
    for is_log in (False, True):
        bins = read(sampled_store, ValuesRequest("bins", "final_generalisation_error", (3,), is_log))[3]
        wrong = values_of(sampled_store, 3, "wrong_rows") / 2**12
        assert bins.mean == pytest.approx(wrong.mean())
        assert bins.counts.sum() + bins.left_out == len(wrong)


def test_steps_end_at_the_share_of_solved_runs(leaf_store):
    steps = read(leaf_store, ValuesRequest("steps", "iterations", (0, 1)))
    for cell, totals in enumerate(totals_of(leaf_store)[:2]):
        assert steps[cell].share[-1] == pytest.approx(totals.solved / totals.runs)


def test_steps_of_very_many_runs_are_thinned_and_keep_their_ends_and_values():
    t = np.cumsum(np.random.default_rng(1).integers(1, 9, 300_000)).astype(float)
    share = np.arange(1, len(t) + 1) / len(t)
    thin_t, thin_share = thinned(t, share)
    assert len(thin_t) <= MOST_STEPS
    assert (thin_t[0], thin_t[-1], thin_share[-1]) == (t[0], t[-1], 1.0)
    positions = np.searchsorted(t, thin_t)
    assert (share[positions] == thin_share).all()
    assert np.diff(thin_share).max() < 0.0025


def test_what_was_read_is_read_again_only_when_there_are_more_runs(leaf_store, monkeypatch):
    reader, request = ValueReader(), ValuesRequest("spread", "iterations", (0, 1))
    asked = []
    plain = Store.values

    def values(store, cell, column, *, outcome=None):
        asked.append(cell)
        return plain(store, cell, column, outcome=outcome)

    monkeypatch.setattr(Store, "values", values)
    reader.read(leaf_store, request, [30, 30, 30, 30], lambda: False)
    reader.read(leaf_store, request, [30, 30, 30, 30], lambda: False)
    assert asked == [0, 1]
    reader.read(leaf_store, request, [30, 31, 30, 30], lambda: False)
    assert asked == [0, 1, 1]
    assert reader.read(leaf_store, request, None, lambda: True) == {}, "it stops when nobody waits"


def test_a_reading_that_is_given_up_within_a_cell_is_not_remembered(sampled_store):
    reader, request = ValueReader(), ValuesRequest("spread", "final_generalisation_error", (3,))
    asked = []

    def should_stop() -> bool:
        asked.append(True)
        return len(asked) > 3

    assert reader.read(sampled_store, request, None, should_stop) == {}
    assert reader.read(sampled_store, request, None, lambda: False) == read(sampled_store, request)


def test_what_takes_long_to_read_is_read_bit_by_bit(leaf_store):
    reader = ValueReader()
    reader.enough_s = 0.0  # one cell after another
    request = ValuesRequest("spread", "iterations", (0, 1))
    assert list(reader.read(leaf_store, request, None, lambda: False)) == [0]
    is_complete = [reader.is_complete]
    assert list(reader.read(leaf_store, request, None, lambda: False)) == [0, 1]
    is_complete.append(reader.is_complete)
    assert is_complete == [False, True]
