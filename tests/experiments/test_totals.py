"""What runs come to: exact sums, in any order, and nonsense from a stranger refused."""

import json
from collections import Counter
from fractions import Fraction
from statistics import mean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpviz.analysis.drift_bounds import stage_of
from gpviz.engine.config import RunConfig, is_full
from gpviz.engine.errors import GpvizError
from gpviz.engine.search import RlsGp
from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.totals import SUMMED, Drift, Sums, Totals

CONFIG = RunConfig(n=5, limit="n", deletion="leaf", seed=1)
RESULT = run_chunk(Chunk(0, CONFIG, 0, 60, 10**6))


def changed(*path: str, value: object) -> dict[str, object]:
    """Good totals with one thing in them replaced."""
    data = json.loads(json.dumps(RESULT.totals.as_dict()))
    position = data
    for name in path[:-1]:
        position = position[name]
    position[path[-1]] = value
    return data


class TestSums:
    @settings(max_examples=30)
    @given(st.lists(st.integers(0, 10**30), max_size=8))
    def test_mean_and_deviation_are_those_of_the_values(self, values):
        sums = Sums()
        for value in values:
            sums.add(value)
        assert sums.mean == (float(mean(map(Fraction, values))) if values else None)
        assert sums.sd == (pytest.approx(stdev(map(Fraction, values))) if len(values) > 1 else None)

    def test_no_digit_is_lost_beside_a_large_mean(self):
        sums = Sums()
        for value in (10**17, 10**17 + 2):
            sums.add(value)
        assert sums.sd == pytest.approx(2**0.5)

    def test_numbers_of_a_thousand_bits_have_a_deviation(self):
        sums = Sums()
        for value in (2**1000, 0):
            sums.add(value)
        assert sums.sd == pytest.approx(2.0**1000 / 2**0.5)


class TestTotals:
    def test_outcomes_are_counted_and_add_up(self):
        totals = RESULT.totals
        assert totals.runs == 60
        assert totals.runs == totals.solved + totals.stuck
        assert totals.stuck == sum(row.outcome == "stuck" for row in RESULT.rows) > 0
        assert totals.iterations == sum(row.iterations for row in RESULT.rows)

    @pytest.mark.parametrize("measure", SUMMED)
    def test_measures_are_those_of_the_solved_runs(self, measure):
        values = [getattr(row, measure) for row in RESULT.rows if row.outcome == "solved"]
        sums = RESULT.totals.solved_runs[measure]
        assert (sums.count, sums.total) == (len(values), sum(values))
        assert sums.squares == sum(value * value for value in values)

    def test_full_drift_and_stages_are_what_is_seen_step_by_step(self):
        full: dict[int, Drift] = {}
        below: dict[int, Drift] = {}
        spent: dict[int, list[int]] = {}
        for row in RESULT.rows:
            search = RlsGp(CONFIG.replaced(seed=CONFIG.seed + row.number))
            stages: Counter[int] = Counter()
            search.step()
            while search.iteration < row.iterations:
                parent, before = search.tree, search.error
                assert before is not None
                stages[stage_of(before, CONFIG.n)] += 1
                step = search.step()
                assert step.error is not None
                seen = full if is_full(parent, CONFIG) else below
                drift = seen.setdefault(before.bit_length() - 1, Drift())
                drift.iterations += 1
                drift.gain += (before - step.error) * 2**53 // before
            if row.outcome == "solved":
                for stage, count in stages.items():
                    spent.setdefault(stage, []).append(count)
        counts = RESULT.totals.counts
        assert counts.full_drift == full
        assert RESULT.totals.drift_below_limit == below
        assert all(0 <= drift.mean_gain < 1 for drift in RESULT.totals.drift.values())
        assert Drift().mean_gain == 0.0
        assert {stage: (sums.count, sums.total) for stage, sums in counts.stages.items()} == {
            stage: (len(values), sum(values)) for stage, values in spent.items()
        }
        assert counts.stages[0].squares == sum(value * value for value in spent[0])

    def test_pitfalls_and_full_iterations_are_those_of_the_runs(self):
        rows = RESULT.rows
        counts = RESULT.totals.counts
        assert counts.pitfalls == {
            "duplicate_accepted": sum(bool(row.duplicate_accepted) for row in rows),
            "or_accepted": sum(row.ors_accepted > 0 for row in rows),
            "true_error_grew": 0,
            "no_pitfall": sum(row.duplicate_accepted == row.ors_accepted == 0 for row in rows),
        }
        values = [row.full_iterations or 0 for row in rows]
        assert (counts.full.total, counts.full.squares) == (sum(values), sum(each**2 for each in values))
        assert counts.squares == sum(row.iterations**2 for row in rows)
        assert counts.products == sum(row.iterations * full for row, full in zip(rows, values, strict=True))

    def test_sampled_errors_say_nothing_about_drift(self):
        config = RunConfig(n=5, fitness="sampled", rows=30, sampler="counts", seed=1)
        totals = run_chunk(Chunk(0, config, 0, 5, 1000)).totals
        assert totals.drift == {}
        assert (totals.counts.stages, totals.counts.full_drift) == ({}, {})
        assert totals.wrong_rows.count == totals.solved

    def test_they_come_back_from_json(self):
        assert Totals.from_dict(json.loads(json.dumps(RESULT.totals.as_dict()))) == RESULT.totals
        assert Totals.from_dict(Totals().as_dict()) == Totals()

    @pytest.mark.parametrize(
        "data",
        [
            None, [], 5, "text", {}, {"runs": 1},
            changed("runs", value=None), changed("runs", value=61), changed("runs", value=True),
            changed("runs", value=60.0), changed("solved", value=-1), changed("solved", value="60"),
            changed("extra", value=1), changed("solved_runs", value=[]), changed("solved_runs", "ors", value=3),
            changed("solved_runs", "iterations", "squares", value=0), changed("runs", value=10**4000),
            changed("wrong_rows", "squares", value=10**4000), changed("drift", "2", "gain", value=2**90),
            changed("drift", value=[]), changed("drift", "x", value={"iterations": 1, "gain": 1}),
            changed("drift", "9999999999", value={"iterations": 1, "gain": 1}), changed("drift", "2", value=1),
            changed("drift", "2", value={"iterations": 1, "gain": 1.5}),
            changed("drift", value={str(level): {"iterations": 1, "gain": 1} for level in range(2000)}),
            changed("counts", value=None), changed("counts", value={}), changed("counts", "extra", value=1),
            changed("counts", "pitfalls", value=[]), changed("counts", "pitfalls", "no_pitfall", value=61),
            changed("counts", "pitfalls", "other", value=1), changed("counts", "full", value=3),
            changed("counts", "full", "count", value=59), changed("counts", "full", "total", value=10**9),
            changed("counts", "squares", value=0), changed("counts", "products", value=0),
            changed("counts", "squares", value=10**4000), changed("counts", "products", value=10**15),
            changed("counts", "stages", value=[]), changed("counts", "stages", "0", "count", value=61),
            changed("counts", "stages", "99", value={"count": 0, "total": 0, "squares": 0}),
            changed("counts", "full_drift", "9", value={"iterations": 1, "gain": 0}),
            changed("counts", "full_drift", "1", "iterations", value=10**6),
            changed("counts", "full_drift", "1", "gain", value=10**6 * 2**53),
        ],
        ids=lambda data: str(data)[:0],
    )  # fmt: skip
    def test_nonsense_gets_a_sentence(self, data):
        with pytest.raises(GpvizError, match="what its runs come to cannot be read"):
            Totals.from_dict(data)
