"""Runs in a batch: each is the engine's own, and chunks come to the same in any split."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpviz.engine import true_row_count
from gpviz.engine.compiled import runner as compiled_runner
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Verdict
from gpviz.engine.errors import GpvizError, TooComplexError
from gpviz.engine.interruption import Deadline, stoppable
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Step
from gpviz.engine.target import target_for
from gpviz.experiments import chunk_worker
from gpviz.experiments.chunk_worker import Chunk, ChunkResult, longest_wait, run_chunk, run_one
from gpviz.experiments.run_row import FAILED, RunRow, decode_path, encode_path
from gpviz.experiments.totals import Totals
from tests.engine.strategies import few_implicants

MOST = 10**6
CONFIGS = [
    RunConfig(n=4, limit="n", deletion="leaf"),
    RunConfig(n=5, limit="n", deletion="leaf", empty_tree="insert-only"),
    RunConfig(n=8, limit="n+1", deletion="subtree"),
    RunConfig(n=12, limit="inf", deletion="leaf"),
    RunConfig(n=6, limit="2n", functions="and"),  # type: ignore[arg-type]
    RunConfig(n=6, limit="2n", accept_error=3),
    RunConfig(n=20, limit="inf", fitness="sampled", rows=200, sampler="counts", accept_error=2),
    RunConfig(n=6, limit="n", deletion="leaf", fitness="sampled", rows=20, sampler="rows"),
    RunConfig(n=1, limit="1"),
    RunConfig(n=6, limit="3", deletion="leaf"),  # all of these get stuck
    RunConfig(n=6, limit="3", deletion="subtree"),
]


def name_of(config: RunConfig) -> str:
    return f"{config.n}-{config.limit}-{config.deletion}-{config.fitness}-{config.accept_error}"


def totals_of(result: ChunkResult, config: RunConfig) -> Totals:
    """What the runs come to by their rows and paths, which say all but how full the trees were."""
    totals = Totals()
    for row in result.rows:
        totals.add(row, decode_path(row.path), n=None if config.is_sampled else config.n)
    totals.counts.full_drift = result.totals.counts.full_drift
    return totals


class Watched:
    """A run step by step, and what is to be kept of it, found the slow way."""

    def __init__(self, config: RunConfig, most: int) -> None:
        self.improvements: list[tuple[int, int]] = []
        self.wait = self.wait_from = self.last = 0
        search = RlsGp(config)
        search.run(max_iterations=most, on_step=self.see)
        self.look_at_wait(search.iteration)

    def see(self, step: Step) -> bool:
        if step.verdict is Verdict.IMPROVED:
            assert step.error is not None
            self.improvements.append((step.iteration, step.error))
            self.look_at_wait(step.iteration)
            self.last = step.iteration
        return False

    def look_at_wait(self, iteration: int) -> None:
        if iteration - self.last > self.wait:
            self.wait, self.wait_from = iteration - self.last, self.last


@pytest.mark.parametrize("config", CONFIGS, ids=name_of)
class TestRun:
    def test_what_runs_come_to_follows_from_their_rows(self, config):
        chunk = Chunk(0, config, 0, 30, MOST)
        result = run_chunk(chunk)
        assert totals_of(result, chunk.config) == result.totals

    def test_it_is_the_run_of_the_engine(self, config):
        for seed in range(12):
            own = config.replaced(seed=seed)
            row = run_one(own, 7, MOST)
            # With somebody who looks on, the engine goes another way.
            result = RlsGp(own).run(max_iterations=MOST, stop_when_stuck=True, on_step=lambda step: False)
            assert row[:9] == (
                7, result.outcome.value, result.iterations, result.leaves, result.ors, result.ors_accepted,
                result.accepted, result.improved, result.error,
            )  # fmt: skip
            assert row.stuck_since == result.stuck_since
            assert result.tree is not None
            assert row.wrong_rows == target_for(own.n).error(result.tree)

    def test_its_path_and_its_longest_wait_are_those_seen_step_by_step(self, config):
        for seed in range(6):
            own = config.replaced(seed=seed)
            row = run_one(own, 0, MOST)
            seen = Watched(own, row.iterations)
            assert decode_path(row.path) == seen.improvements
            assert (row.wait_from, row.wait) == (seen.wait_from, seen.wait)


@pytest.mark.parametrize(
    ("iterations", "last", "expected"),
    [
        ([], 0, (0, 0)),
        ([], 7, (0, 7)),
        ([3, 7, 9], 9, (3, 4)),
        ([3, 7], 11, (3, 4)),
        ([3, 7], 12, (7, 5)),
    ],
)
def test_of_waits_that_are_as_long_the_first_is_the_longest(iterations, last, expected):
    improvements = [(iteration, 1) for iteration in iterations]
    assert longest_wait(improvements, last) == expected


class TestOutcomes:
    STUCK = RunConfig(n=4, limit="n", deletion="leaf")

    def stuck_run(self) -> tuple[RunConfig, RunRow]:
        for seed in range(2000):
            config = self.STUCK.replaced(seed=seed)
            row = run_one(config, seed, MOST)
            if row.outcome == "stuck":
                return config, row
        raise AssertionError("none is stuck")

    def test_the_notable_iteration_of_a_stuck_run_is_where_it_became_stuck(self):
        config, row = self.stuck_run()
        assert row.notable_iteration == row.stuck_since
        search = RlsGp(config)
        search.run(max_iterations=row.notable_iteration)
        assert search.run(max_iterations=row.iterations + 5000).outcome.value == "stopped"
        assert row.notable_iteration <= row.iterations
        search = RlsGp(config)
        search.run(max_iterations=row.notable_iteration - 1)
        assert search.settled_since < row.notable_iteration

    def test_the_notable_iteration_of_another_is_where_its_longest_wait_began(self):
        row = run_one(RunConfig(n=8, seed=3), 0, MOST)
        assert row.outcome == "solved"
        assert row.notable_iteration == row.wait_from
        assert row.wait > 1

    def test_a_run_ends_at_the_most_iterations(self):
        row = run_one(RunConfig(n=30, seed=1), 0, 50)
        assert (row.outcome, row.iterations) == ("stopped", 50)
        assert row.wait_from + row.wait <= 50

    def test_a_run_that_never_had_a_tree_has_no_error(self):
        config = RunConfig(n=4, empty_tree="insert-only")
        rows = [run_one(config.replaced(seed=seed), 0, 1) for seed in range(20)]
        empty = [row for row in rows if not row.leaves]
        assert empty
        assert all(row.error is None and row.wrong_rows is None and row.path == b"" for row in empty)

    def test_a_run_whose_tree_becomes_too_complex_is_kept_as_it_stood(self, monkeypatch):
        config = RunConfig(n=8, limit="3n", seed=3)
        monkeypatch.setattr(true_row_count, "MAX_CASES", 0)
        with few_implicants(1, products=1):
            row = run_one(config, 3, MOST)
            search = RlsGp(config)
            reported: list[Step] = []
            with pytest.raises(TooComplexError):
                search.run(max_iterations=MOST, on_step=reported.append)
        assert row.outcome == FAILED
        assert row.iterations == reported[-1].iteration == len(reported)
        assert row.error == reported[-1].error
        assert (row.accepted, row.improved, row.stuck_since) == (search.accepted, search.improved, None)
        assert decode_path(row.path)[-1][1] == row.error

    def test_a_chunk_goes_on_after_a_failed_run(self, monkeypatch):
        chunk = Chunk(2, RunConfig(n=8, limit="3n", seed=0), 0, 6, MOST)
        monkeypatch.setattr(true_row_count, "MAX_CASES", 0)
        monkeypatch.setenv("GPVIZ_NO_KERNEL", "1")  # the compiled loop has truth tables, and never fails
        with few_implicants(1, products=1):
            result = run_chunk(chunk)
        assert result.totals.runs == len(result.rows) == 6
        assert result.totals.failed == sum(row.outcome == FAILED for row in result.rows) > 0
        assert totals_of(result, chunk.config) == result.totals

    def test_a_proof_that_is_too_complex_fails_the_run_and_does_not_last_for_ever(self, monkeypatch):
        def give_up(*_: Any) -> bool:
            raise TooComplexError("too many cases.")

        monkeypatch.setattr("gpviz.engine.stuck.StuckWatch.is_stuck", give_up)
        row = run_one(RunConfig(n=4, limit="n", deletion="leaf"), 0, 10**9)
        assert (row.outcome, row.iterations, row.error) == (FAILED, 0, None)


class TestChunk:
    CONFIG = RunConfig(n=5, limit="n", deletion="leaf", seed=40)

    def test_run_i_has_the_cells_seed_plus_i(self):
        result = run_chunk(Chunk(3, self.CONFIG, 10, 4, MOST))
        assert result.cell == 3
        assert result.rows == [
            run_one(self.CONFIG.replaced(seed=40 + number), number, MOST) for number in range(10, 14)
        ]
        assert result.seconds > 0

    @pytest.mark.parametrize("config", [CONFIG, RunConfig(n=9, limit="2n", accept_error=3)], ids=name_of)
    def test_the_compiled_loop_does_the_same_runs(self, config, monkeypatch):
        chunk = Chunk(0, config, 5, 60, MOST)
        assert compiled_runner.load()
        compiled = run_chunk(chunk)
        monkeypatch.setenv("GPVIZ_NO_KERNEL", "1")
        alone = run_chunk(chunk)
        assert compiled.rows == alone.rows
        assert compiled.totals.as_dict() == alone.totals.as_dict()

    @pytest.mark.parametrize("has_kernel", [True, False])
    def test_stopped_it_keeps_the_runs_that_are_done(self, has_kernel, monkeypatch):
        if has_kernel:
            assert compiled_runner.load()
        else:
            monkeypatch.setenv("GPVIZ_NO_KERNEL", "1")
        with stoppable(Deadline(0.3)):
            result = run_chunk(Chunk(0, self.CONFIG, 0, MOST, MOST))
        assert 0 < result.totals.runs < MOST
        assert [row.number for row in result.rows] == list(range(result.totals.runs))

    @settings(max_examples=12)
    @given(st.lists(st.integers(1, 15), max_size=4), st.randoms(use_true_random=False))
    def test_any_split_in_any_order_comes_to_the_same(self, cuts, random):
        whole = run_chunk(Chunk(0, self.CONFIG, 0, 16, MOST))
        ends = [0, *sorted(set(cuts)), 16]
        parts = [
            run_chunk(Chunk(0, self.CONFIG, first, last - first, MOST)) for first, last in pairwise(ends)
        ]
        random.shuffle(parts)
        totals = Totals()
        for part in parts:
            totals.merge(part.totals)
        assert totals.as_dict() == whole.totals.as_dict()
        assert sorted(row for part in parts for row in part.rows) == whole.rows


class TestPath:
    @settings(max_examples=30)
    @given(st.lists(st.tuples(st.integers(1, 10**9), st.integers(0, 2**1000)), max_size=10))
    def test_it_comes_back(self, improvements):
        path = sorted(improvements, key=lambda improvement: improvement[0])
        assert decode_path(encode_path(path)) == path

    def test_small_numbers_take_a_byte_each(self):
        assert encode_path([(1, 7), (100, 3)]) == bytes([1, 7, 99, 3])

    @pytest.mark.parametrize(
        "content", [b"\x01", b"\x80", b"\x01\x02\x03", b"\xff" * 1000, b"\x01\xff" * 500 + b"\xff"]
    )
    def test_what_is_no_path_gets_a_sentence(self, content):
        with pytest.raises(GpvizError, match="cannot be read"):
            decode_path(content)


def test_of_very_many_improvements_on_sampled_rows_the_first_are_kept(monkeypatch):
    config = RunConfig(n=6, limit="n", deletion="leaf", fitness="sampled", rows=20, sampler="rows", seed=3)
    whole = run_one(config, 0, 5000)
    assert len(decode_path(whole.path)) > 5
    monkeypatch.setattr(chunk_worker, "MOST_IMPROVEMENTS", 5)
    cut = run_one(config, 0, 5000)
    assert decode_path(cut.path) == decode_path(whole.path)[:5]
    assert cut._replace(path=b"") == whole._replace(path=b""), "the longest wait is that of the whole run"
