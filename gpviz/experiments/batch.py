"""One run after another, as a worker does them: what is kept of each, and what they come to together."""

from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Final, NamedTuple

from gpviz.engine.config import MAX_N, RunConfig
from gpviz.engine.errors import GpvizError, TooComplexError
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Step
from gpviz.engine.target import target_for
from gpviz.experiments.totals import Totals

__all__ = ["FAILED", "Chunk", "ChunkResult", "RunRow", "decode_path", "encode_path", "run_chunk", "run_one"]

FAILED: Final = "failed"
"""The outcome of a run whose tree became too complex to be evaluated."""

_MAX_BITS: Final = MAX_N + 64
"""More bits than any number of a path has."""


class RunRow(NamedTuple):
    """What is kept of a run.

    Its seed is the cell's and ``number`` together. ``outcome`` is solved, stuck, stopped (at the plan's
    ``max_iterations``) or failed. ``error`` is the final one as the run measured it, ``wrong_rows`` says on how
    many rows of the complete truth table the final tree is wrong, None if that is not known. The longest time
    without an improvement began after iteration ``wait_from`` and took ``wait`` iterations. ``path`` are the
    improvements, as `decode_path` reads them.
    """

    number: int
    outcome: str
    iterations: int
    leaves: int
    ors: int
    ors_accepted: int
    accepted: int
    improved: int
    error: int | None
    wrong_rows: int | None
    stuck_since: int | None
    wait_from: int
    wait: int
    path: bytes

    @property
    def decisive_iteration(self) -> int:
        """Where to look: the iteration in which it became stuck, or in which its longest wait began."""
        return self.stuck_since if self.stuck_since is not None else self.wait_from


class Chunk(NamedTuple):
    """Runs ``first`` to ``first + runs - 1`` of a cell, the work of one worker for a while."""

    cell: int
    config: RunConfig
    first: int
    runs: int
    max_iterations: int


class ChunkResult(NamedTuple):
    """What came of a chunk, and how long it took."""

    cell: int
    rows: list[RunRow]
    totals: Totals
    seconds: float


def run_chunk(chunk: Chunk, is_cancelled: Callable[[], bool] | None = None) -> ChunkResult:
    """Do the runs of a chunk; when cancelled, fewer of them."""
    start = perf_counter()
    totals = Totals()
    rows: list[RunRow] = []
    base = chunk.config.seed
    for number in range(chunk.first, chunk.first + chunk.runs):
        if is_cancelled is not None and is_cancelled():
            break
        row, improvements = _run(chunk.config.replaced(seed=base + number), number, chunk.max_iterations)
        totals.add(row, improvements, is_exact=not chunk.config.is_sampled)
        rows.append(row)
    return ChunkResult(chunk.cell, rows, totals, perf_counter() - start)


def run_one(config: RunConfig, number: int, max_iterations: int) -> RunRow:
    """Do one run, whose seed is in the configuration."""
    return _run(config, number, max_iterations)[0]


def _run(config: RunConfig, number: int, max_iterations: int) -> tuple[RunRow, list[int]]:
    improvements: list[int] = []
    search = RlsGp(config)
    outcome = FAILED
    stuck_since = None
    try:
        result = search.run(max_iterations=max_iterations, stop_when_stuck=True, improvements=improvements)
        outcome, stuck_since = result.outcome.value, result.stuck_since
    except TooComplexError:
        search = _up_to_failure(config, max_iterations, improvements)
    tree, error = search.tree, search.error
    wrong_rows = error
    if config.is_sampled or outcome == FAILED:
        try:
            wrong_rows = None if tree is None else target_for(config.n).error(tree)
        except TooComplexError:
            wrong_rows = None
    wait_from, wait = _longest_wait(improvements, search.iteration)
    return (
        RunRow(
            number, outcome, search.iteration, 0 if tree is None else tree.leaves, 0 if tree is None else tree.ors,
            search.ors_accepted, search.accepted, search.improved, error, wrong_rows, stuck_since,
            wait_from, wait, encode_path(improvements),
        ),
        improvements,
    )  # fmt: skip


def _up_to_failure(config: RunConfig, max_iterations: int, improvements: list[int]) -> RlsGp:
    """The run again, as it stands before the iteration that fails: while nobody looks on, it does not say."""
    improvements.clear()
    search = RlsGp(config)
    with suppress(TooComplexError):
        search.run(
            max_iterations=max_iterations, stop_when_stuck=True, on_step=_look_on, improvements=improvements
        )
    return search


def _look_on(step: Step) -> bool:
    return False


def _longest_wait(improvements: list[int], last: int) -> tuple[int, int]:
    """The iteration after which the longest time without an improvement began, and how long it was."""
    start = wait = before = 0
    for iteration in improvements[::2]:
        if iteration - before > wait:
            start, wait = before, iteration - before
        before = iteration
    if last - before > wait:
        start, wait = before, last - before
    return start, wait


def encode_path(improvements: list[int]) -> bytes:
    """Iterations and errors, as `RlsGp.run` tells them, in few bytes: seven bits each, lowest first.

    Of an iteration it is the distance from the one before.
    """
    content = bytearray()
    before = 0
    for position in range(0, len(improvements), 2):
        iteration = improvements[position]
        for number in (iteration - before, improvements[position + 1]):
            while number > 127:
                content.append(number & 127 | 128)
                number >>= 7
            content.append(number)
        before = iteration
    return bytes(content)


def decode_path(content: bytes) -> list[tuple[int, int]]:
    """The iterations that improved, each with the error it brought; raises `GpvizError` if it is no path."""
    numbers: list[int] = []
    number = shift = 0
    for byte in content:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
        elif shift > _MAX_BITS:
            break
    if shift or len(numbers) % 2:
        raise GpvizError("The improvements of this run cannot be read; the file is damaged.")
    path: list[tuple[int, int]] = []
    iteration = 0
    for wait, error in zip(numbers[::2], numbers[1::2], strict=True):
        iteration += wait
        path.append((iteration, error))
    return path
