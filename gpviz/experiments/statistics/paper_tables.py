"""The paper's two tables, and how far what was measured here is from them."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, sqrt
from typing import Final, Literal

from gpviz import assets
from gpviz.engine.config import RunConfig, is_usual
from gpviz.engine.settings import SETTINGS, leaf_limit
from gpviz.experiments.statistics.probability import LEVEL, fisher_exact, two_sided_p, z_of_p
from gpviz.experiments.totals import Sums, Totals
from gpviz.number_text import with_sign

PAPER_RUNS: Final = 500
"""The runs of a cell of the paper."""

AGREES: Final = "agrees"
A_LITTLE_OFF: Final = "a little off"
DIFFERS: Final = "differs"
_SHORT_RUNS: Final = 4
_FIRST_LEAF_ITERATIONS: Final = 2.0
"""So much longer the first leaf takes if only an insertion, one operation of three, adds it: 3 instead of 1."""
FIRST_LEAF: Final = (
    "That T is lower than the paper's with n = 4 is known: all of the paper's means lie about 2 iterations higher"
    " there, as they would if only an insertion added the first leaf. The plan insert-only runs both readings."
)
TOO_FEW: Final = "too few runs"

_ROUNDED_TO: Final = 0.1
ROUNDING: Final = _ROUNDED_TO**2 / 12
"""The variance that comes with the paper's means by giving them with one decimal."""

FEWEST: Final = 50
"""The mean of fewer solved runs is not judged: T is skewed, so that chance alone would put too many far away."""

FAR: Final = 2.0
"""From so many standard errors on a difference is called one."""

VERY_FAR: Final = 3.0

Table = Literal["table1", "table2"]
_TABLES: Final[dict[str, Table]] = {"leaf": "table1", "subtree": "table2"}


@dataclass(frozen=True, slots=True)
class PaperCell:
    """A cell of the paper: of 500 runs the share stuck, and means and standard deviations of the solved ones.

    ``limit`` is n, n+1, 2n or inf. Table 2 has no B.
    """

    table: Table
    n: int
    limit: str
    B: float | None
    T: float
    T_sd: float
    S: float
    S_sd: float

    @property
    def stuck(self) -> int:
        """How many of its runs were stuck."""
        return round(PAPER_RUNS * (self.B or 0.0))

    @property
    def solved(self) -> int:
        """How many of its runs were solved."""
        return PAPER_RUNS - self.stuck


@dataclass(frozen=True, slots=True)
class PaperComparison:
    """A cell beside the paper's. A z is how many standard errors ours lies above the paper's, below if negative.

    ``z_T`` and ``z_S`` count the chance in both means, and that the paper's is rounded to 0.1, which is as good as
    one more error of variance 0.1^2 / 12. Where neither mean has any spread, z is 0 if they agree within that
    rounding, else None. A few runs that happen to be short are alike as well, and would look surer than they are;
    so each mean has its own variance or both the common one, whichever makes it less sure. With as many runs as
    the paper has there is hardly a difference. Stuck runs are too few for such a formula: ``z_B`` is the z with
    the same two-sided p-value as Fisher's exact test of the two counts. Each is None where it is not defined.

    ``verdict`` begins with its ``grade``: all z within 2 agree, within 3 they are a little off, else they differ.
    Means of fewer than 50 solved runs are not judged; then ``has_means`` is False. Runs that were stopped are
    remarked on: the longest are then missing from T, and some of them may have been stuck.
    """

    cell: PaperCell
    z_T: float | None  # noqa: N815 - the paper's names
    z_S: float | None  # noqa: N815
    z_B: float | None  # noqa: N815
    verdict: str
    has_means: bool = True
    is_as_printed: bool = True
    """Whether any operation adds the first leaf, as in the printed algorithm."""
    z_T_with_later_leaf: float | None = None  # noqa: N815
    """What ``z_T`` would be with 2 iterations more, which it takes if only an insertion adds that leaf."""

    @property
    def is_first_leaf_seen(self) -> bool:
        """Whether the first leaf explains a T lower than the paper's: with 2 iterations more it would agree.

        They can be seen only where runs are short: with the fewest variables.
        """
        is_closed = self.z_T_with_later_leaf is not None and abs(self.z_T_with_later_leaf) <= FAR
        return self.is_first_leaf_likely and is_closed

    @property
    def is_first_leaf_likely(self) -> bool:
        """Whether T is lower than the paper's where the first leaf is seen, even if by more than it explains."""
        is_lower = self.z_T is not None and self.z_T < -FAR and self.grade in (A_LITTLE_OFF, DIFFERS)
        return self.is_as_printed and is_lower and self.cell.n <= _SHORT_RUNS

    @property
    def grade(self) -> str:
        """The verdict in a word: agrees, a little off, differs, or too few runs."""
        return self.verdict.partition(":")[0]


@dataclass(frozen=True, slots=True)
class TableVerdict:
    """What all values of all cells of a table say together, by Holm's method.

    Of the ``values`` that can be compared, T, S and B of each cell, ``inside`` are within 2 standard errors, and
    ``different`` are so far off that chance alone puts any as far away with a probability below 5 %. That method
    holds for values that depend on each other in whatever way, as those of cells with common seeds do.
    ``different_cells`` are the positions of the cells with such a value, and ``reasons`` are sentences.
    Without enough solved runs all is 0 or empty.
    """

    values: int
    inside: int
    different: int
    different_cells: frozenset[int]
    reasons: str


@lru_cache(maxsize=1)
def paper_cells() -> tuple[PaperCell, ...]:
    """All cells of both tables, in their order."""
    cells: list[PaperCell] = []
    for table in _TABLES.values():
        with (assets.folder("paper") / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            cells += [
                PaperCell(
                    table=table, n=int(row["n"]), limit=row["limit"], B=float(row["B"]) if "B" in row else None,
                    T=float(row["T"]), T_sd=float(row["T_sd"]), S=float(row["S"]), S_sd=float(row["S_sd"]),
                )
                for row in csv.DictReader(file)
            ]  # fmt: skip
    return tuple(cells)


def paper_cell(config: RunConfig) -> PaperCell | None:
    """The paper's cell for these settings, if it has one; limits are the same if they allow as many leaves.

    What is done with the empty tree may differ, as that is where algorithm and tables of the paper do not fit.
    """
    free = ("n", "limit", "deletion", "sampler", "empty_tree", "seed")
    if any(not is_usual(row, config) for row in SETTINGS if row.name not in free):
        return None
    table = _TABLES[config.deletion]
    for cell in paper_cells():
        if cell.table == table and cell.n == config.n and leaf_limit(cell.limit, cell.n) == config.max_leaves:
            return cell
    return None


def compare(config: RunConfig, totals: Totals) -> PaperComparison | None:
    """What the runs of a cell came to beside the paper's; None where the paper has no such cell."""
    cell = paper_cell(config)
    if cell is None:
        return None
    iterations, leaves = totals.solved_runs["iterations"], totals.solved_runs["leaves"]
    z_iterations = _z_of_means(iterations, cell.T, cell.T_sd, cell.solved)
    z_leaves = _z_of_means(leaves, cell.S, cell.S_sd, cell.solved)
    z_stuck = None
    if cell.B is not None and totals.runs:
        p = fisher_exact(totals.stuck, totals.runs, cell.stuck, PAPER_RUNS)
        sign = 1 if totals.stuck * PAPER_RUNS >= cell.stuck * totals.runs else -1
        z_stuck = sign * z_of_p(p) if p < 1 else 0.0
    far = [
        *_far_mean("T", z_iterations, iterations, cell.T),
        *_far_mean("S", z_leaves, leaves, cell.S),
        *_far_share(z_stuck, totals.stuck / totals.runs if totals.runs else 0.0, cell.B or 0.0),
    ]
    has_means = iterations.count >= FEWEST
    verdict = _verdict(far, has_means=has_means, stopped=totals.stopped)
    is_as_printed = config.empty_tree == "any"
    z_later = _z_of_means(iterations, cell.T - _FIRST_LEAF_ITERATIONS, cell.T_sd, cell.solved)
    return PaperComparison(cell, z_iterations, z_leaves, z_stuck, verdict, has_means, is_as_printed, z_later)


def table_verdict(comparisons: Iterable[PaperComparison]) -> TableVerdict:
    """What all cells say together: is any value further from the paper's than chance would put it?

    B counts however few runs there are, as its test is exact; to take only those that are far off would not do.
    """
    compared = list(comparisons)
    values = sorted(
        (
            (abs(z), z, name, position)
            for position, comparison in enumerate(compared)
            for name, z in (("T", comparison.z_T), ("S", comparison.z_S), ("B", comparison.z_B))
            if z is not None and (comparison.has_means or name == "B")
        ),
        key=lambda value: -value[0],
    )
    count = len(values)
    different = 0
    while different < count and two_sided_p(values[different][0]) * (count - different) < 1 - LEVEL:
        different += 1
    if not values or not (different or any(comparison.has_means for comparison in compared)):
        return TableVerdict(0, 0, 0, frozenset(), "")
    _, z, name, furthest = values[0]
    measures = [each for each in "TSB" if any(each == value[2] for value in values)]
    inside = sum(size <= FAR for size, *_ in values)
    reasons = (
        f"{inside} of {count} values ({_listed(measures)} of the cells) lie within {FAR:g} standard errors of the"
        f" paper's. The furthest is {name} for {_cell_text(compared[furthest].cell)}, with z = {with_sign(z, 2)};"
        f" {_chance_text(two_sided_p(z) * count, count)}."
    )
    if different > 1:
        reasons += f" By Holm's method {different} values are further off than chance explains."
    if any(comparison.is_first_leaf_seen for comparison in compared):
        reasons = f"{reasons} {FIRST_LEAF}"
    cells = frozenset(position for *_, position in values[:different])
    return TableVerdict(count, inside, different, cells, reasons)


def _chance_text(p: float, count: int) -> str:
    """How likely chance alone puts any of so many values so far away; ``p`` is a bound, and is rounded up."""
    if p >= 0.5:
        return f"among {count} values that is nothing unusual"
    digits = 3 if p < 0.1 else 2
    bound = max(1, ceil(p * 10**digits - 1e-9)) / 10**digits
    return f"chance alone puts one of {count} so far away with a probability of at most {bound:.{digits}f}"


def _cell_text(cell: PaperCell) -> str:
    deletion = "leaf-only" if cell.table == "table1" else "subtree"
    limit = "no limit" if cell.limit == "inf" else f"limit {cell.limit}"
    return f"n = {cell.n}, {limit}, {deletion} deletion"


def _listed(text: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(text[:-1]), text[-1])))


def _z_of_means(ours: Sums, theirs: float, their_sd: float, their_count: int) -> float | None:
    mean, sd = ours.mean, ours.sd
    if mean is None or sd is None:
        return None
    if sd == 0 and their_sd == 0:
        return 0.0 if _is_within_rounding(mean, theirs) else None
    own = sd**2 / ours.count + their_sd**2 / their_count
    squares = (ours.count - 1) * sd**2 + (their_count - 1) * their_sd**2
    common = squares / (ours.count + their_count - 2) * (1 / ours.count + 1 / their_count)
    return (mean - theirs) / sqrt(max(own, common) + ROUNDING)


def _is_within_rounding(mean: float, theirs: float) -> bool:
    return abs(mean - theirs) <= _ROUNDED_TO / 2 * (1 + 1e-9)


def _far_mean(name: str, z: float | None, ours: Sums, theirs: float) -> list[tuple[float, str]]:
    """How far our mean is from the paper's, with a text that says so; nothing if they agree."""
    mean = ours.mean
    if mean is None or ours.count < FEWEST or (z is not None and abs(z) <= FAR):
        return []
    side = "higher" if theirs > mean else "lower"
    text = f"{name} is {side} in the paper by {_percent(abs(theirs - mean) / mean)}"
    return [(VERY_FAR + 1 if z is None else abs(z), text)]


def _far_share(z: float | None, ours: float, theirs: float) -> list[tuple[float, str]]:
    if z is None or abs(z) <= FAR:
        return []
    often = "more" if theirs > ours else "less"
    return [
        (abs(z), f"runs get stuck {often} often in the paper, {_percent(theirs)} against {_percent(ours)}")
    ]


def _verdict(far: list[tuple[float, str]], *, has_means: bool, stopped: int) -> str:
    if not far:
        grade = AGREES if has_means else TOO_FEW
    else:
        grade = A_LITTLE_OFF if max(z for z, _ in far) <= VERY_FAR else DIFFERS
    remarks = [text for _, text in far]
    if stopped:
        were = "run was" if stopped == 1 else "runs were"
        remarks.append(f"{stopped:,} {were} stopped at max_iterations, so T and B are too low here")
    return f"{grade}: {'; '.join(remarks)}" if remarks else grade


def _percent(share: float) -> str:
    """A share as a person reads it."""
    return f"{100 * share:.0f} %" if share >= 0.0995 or share == 0 else f"{100 * share:.1f} %"
