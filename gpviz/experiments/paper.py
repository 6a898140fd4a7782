"""The paper's two tables, and how far what was measured here is from them."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Final, Literal

from gpviz import assets
from gpviz.engine.config import RunConfig, leaf_limit
from gpviz.engine.words import Function
from gpviz.experiments.normal import chi_square_sf, fisher_exact, p_text, two_sided_p, z_of_p
from gpviz.experiments.totals import Sums, Totals

__all__ = [
    "PAPER_RUNS",
    "PaperCell",
    "PaperComparison",
    "TableVerdict",
    "compare",
    "paper_cell",
    "paper_cells",
    "table_verdict",
]

PAPER_RUNS: Final = 500
"""The runs of a cell of the paper."""

AGREES: Final = "agrees"
A_LITTLE_OFF: Final = "a little off"
DIFFERS: Final = "differs"
TOO_FEW: Final = "too few runs"

_ROUNDED_TO: Final = 0.1
"""The paper gives its means to one decimal place."""

_FEWEST: Final = 10
"""Of fewer solved runs the spread is known too badly to judge their mean."""

_FAR: Final = 2.0
_VERY_FAR: Final = 3.0
_CLEAR: Final = 0.001

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
    rounding, else None. Stuck runs are too few for such a formula: ``z_B`` is the z with the same two-sided
    p-value as Fisher's exact test of the two counts. Each is None where it is not defined.

    ``verdict`` begins with its ``grade``: all z within 2 agree, within 3 they are a little off, else they differ.
    Means of fewer than 10 solved runs are not judged.
    """

    cell: PaperCell
    z_T: float | None  # noqa: N815 - the paper's names
    z_S: float | None  # noqa: N815
    z_B: float | None  # noqa: N815
    verdict: str

    @property
    def grade(self) -> str:
        """The verdict in a word: agrees, a little off, differs, or too few runs."""
        return self.verdict.partition(":")[0]


@dataclass(frozen=True, slots=True)
class TableVerdict:
    """What the cells of a table say together about the mean of T.

    Only T is counted: S hangs together with it, and with a limit of n it is the same in all runs. ``outside`` are
    the cells whose z is beyond 2, ``expected_outside`` how many chance alone would put there. ``chi_square`` is
    the sum of the squares of z, with as many degrees of freedom as there are ``cells``. ``higher_in_paper`` counts
    the cells in which the paper's T is the larger.
    """

    cells: int
    outside: int
    expected_outside: float
    chi_square: float
    p_value: float | None
    sentence: str
    higher_in_paper: int = 0


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
    if config.is_sampled or config.accept_error or config.functions != (Function.AND, Function.OR):
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
    verdict = _verdict(far, has_means=iterations.count >= _FEWEST)
    return PaperComparison(cell, z_iterations, z_leaves, z_stuck, verdict)


_ROUGH: Final = ", a rough guide, as cells share their seeds"


def table_verdict(comparisons: Iterable[PaperComparison]) -> TableVerdict:
    """What all cells say together: are there more far from the paper than chance puts there?

    Cells of a plan share their seeds, and so, to a part, their luck; the sentence says that p is a rough guide.
    """
    judged = [comparison for comparison in comparisons if comparison.grade != TOO_FEW]
    zs = [comparison.z_T for comparison in judged if comparison.z_T is not None]
    if not zs:
        return TableVerdict(
            0, 0, 0.0, 0.0, None, "No cell has enough solved runs yet to stand beside the paper."
        )
    outside = sum(abs(z) > _FAR for z in zs)
    higher = sum(z < 0 for z in zs)
    expected = len(zs) * two_sided_p(_FAR)
    chi_square = sum(z * z for z in zs)
    p = chi_square_sf(chi_square, len(zs))
    conclusion = (
        "together they agree with the paper" if p >= 0.05
        else "together they are a little off" if p >= _CLEAR
        else "together they differ from the paper"
    )  # fmt: skip
    sentence = (
        f"In {outside} of {len(zs)} cells the mean T is more than {_FAR:g} standard errors from the paper's, where"
        f" chance alone gives about {expected:.1f}; the paper's is higher in {higher}; {conclusion} (chi-square"
        f" {chi_square:.1f}, {_freedom_words(len(zs))}, p {p_text(p)}"
        f"{_ROUGH if len(zs) > 1 else ''})."
    )
    return TableVerdict(len(zs), outside, expected, chi_square, p, sentence, higher)


def _z_of_means(ours: Sums, theirs: float, their_sd: float, their_count: int) -> float | None:
    mean, sd = ours.mean, ours.sd
    if mean is None or sd is None:
        return None
    if sd == 0 and their_sd == 0:
        return 0.0 if _is_within_rounding(mean, theirs) else None
    variance = sd**2 / ours.count + their_sd**2 / their_count + _ROUNDED_TO**2 / 12
    return (mean - theirs) / sqrt(variance)


def _is_within_rounding(mean: float, theirs: float) -> bool:
    return abs(mean - theirs) <= _ROUNDED_TO / 2 * (1 + 1e-9)


def _far_mean(name: str, z: float | None, ours: Sums, theirs: float) -> list[tuple[float, str]]:
    """How far off a mean is, and in which words, if it is."""
    mean = ours.mean
    if mean is None or ours.count < _FEWEST or (z is not None and abs(z) <= _FAR):
        return []
    side = "higher" if theirs > mean else "lower"
    words = f"{name} is {side} in the paper by {_percent(abs(theirs - mean) / mean)}"
    return [(_VERY_FAR + 1 if z is None else abs(z), words)]


def _far_share(z: float | None, ours: float, theirs: float) -> list[tuple[float, str]]:
    if z is None or abs(z) <= _FAR:
        return []
    often = "more" if theirs > ours else "less"
    return [
        (abs(z), f"runs get stuck {often} often in the paper, {_percent(theirs)} against {_percent(ours)}")
    ]


def _verdict(far: list[tuple[float, str]], *, has_means: bool) -> str:
    if not far:
        return AGREES if has_means else TOO_FEW
    grade = A_LITTLE_OFF if max(z for z, _ in far) <= _VERY_FAR else DIFFERS
    return f"{grade}: {'; '.join(words for _, words in far)}"


def _percent(share: float) -> str:
    """A share as a person reads it."""
    return f"{100 * share:.0f} %" if share >= 0.0995 or share == 0 else f"{100 * share:.1f} %"


def _freedom_words(count: int) -> str:
    return f"{count} degrees of freedom" if count > 1 else "1 degree of freedom"
