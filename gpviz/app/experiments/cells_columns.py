"""The columns of the table of cells: their heads, what they say of a cell, and what they are sorted by."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from gpviz.experiments.figures.ticks import tick_text
from gpviz.experiments.setting_words import NONE, SETTING_HINTS, setting_head, setting_text
from gpviz.experiments.summary import CellSummary, Moments

__all__ = ["COLUMNS", "GRADES", "CellRow", "Column", "setting_column"]

GRADES: Final = {
    "agrees": ("✓", "improved", 0),
    "a little off": ("≈", "stuck", 1),
    "differs": ("✗", "problem", 2),
    "too few runs": ("…", "muted", 3),
}
"""For each grade of a cell beside the paper its sign, its colour, and its place in the order."""


class CellRow(NamedTuple):
    """What is known of a cell."""

    summary: CellSummary
    done: int
    median: float | None


class Column(NamedTuple):
    header: str
    hint: str
    text: Callable[[CellRow], str]
    key: Callable[[CellRow], Any]
    widest: str = ""


def _moments_text(moments: Moments, decimals: int) -> str:
    if moments.mean is None:
        return NONE
    mean = f"{moments.mean:,.{decimals}f}"
    return mean if moments.sd is None else f"{mean} ({moments.sd:,.{decimals}f})"


def _z_text(z: float | None) -> str:
    return "" if z is None else f"  z {z:+.1f}".replace("-", "−")


def _stuck_text(row: CellRow) -> str:
    share = row.summary.stuck_share
    if share is None:
        return NONE
    return f"{100 * share:.1f} % ({100 * row.summary.stuck_low:.1f} to {100 * row.summary.stuck_high:.1f})"


def _iterations_of_paper(row: CellRow) -> str:
    paper = row.summary.paper
    return NONE if paper is None else f"{paper.cell.T:.1f}{_z_text(paper.z_T)}"


def _leaves_of_paper(row: CellRow) -> str:
    paper = row.summary.paper
    return NONE if paper is None else f"{paper.cell.S:.1f}{_z_text(paper.z_S)}"


def _stuck_of_paper(row: CellRow) -> str:
    paper = row.summary.paper
    if paper is None or paper.cell.B is None:
        return NONE
    return f"{100 * paper.cell.B:.1f} %{_z_text(paper.z_B)}"


def _z_key(name: str) -> Callable[[CellRow], Any]:
    def key(row: CellRow) -> Any:
        return None if row.summary.paper is None else getattr(row.summary.paper, name)

    return key


def _verdict_text(row: CellRow) -> str:
    paper = row.summary.paper
    return NONE if paper is None else f"{GRADES[paper.grade][0]} {paper.grade}"


def _verdict_key(row: CellRow) -> Any:
    return None if row.summary.paper is None else GRADES[row.summary.paper.grade][2]


def _expected_text(row: CellRow) -> str:
    expected = row.summary.expected_running_time
    return NONE if expected is None else f"{expected:,.1f}"


def _error_text(row: CellRow) -> str:
    error = row.summary.generalisation_error
    return NONE if error is None else tick_text(float(f"{error:.2e}"))


_Z_HINT: Final = (
    "z says how many standard errors ours lies above the paper's, below if negative; chance alone keeps it between"
    " −2 and 2 in 95 of 100 cells."
)
COLUMNS: Final = {
    "progress": Column(
        "Runs", "How many runs are done, and how many there are to be.", lambda row: "", lambda row: row.done
    ),
    "verdict": Column(
        "Verdict", "Whether the cell agrees with the paper: ✓ all z within 2, ≈ within 3, ✗ beyond.",
        _verdict_text, _verdict_key, "≈ a little off",
    ),
    "stuck": Column(
        "B, stuck", "B, the share of runs proven to be stuck for ever, with its 95 % interval.", _stuck_text,
        lambda row: row.summary.stuck_share, "0.7 % (0.2 to 2.4)",
    ),
    "paper_B": Column(
        "Paper's B", f"The paper's share of stuck runs. {_Z_HINT}", _stuck_of_paper, _z_key("z_B"),
        "0.8 %  z −0.3",
    ),
    "T": Column(
        "T (sd)", "T, the iterations of solved runs: mean and standard deviation.",
        lambda row: _moments_text(row.summary.T, 1), lambda row: row.summary.T.mean, "146.7 (85.3)",
    ),
    "paper_T": Column(
        "Paper's T", f"The paper's mean of T. {_Z_HINT}", _iterations_of_paper, _z_key("z_T"), "151.8  z −0.3",
    ),
    "S": Column(
        "S (sd)", "S, the leaves of the final tree of solved runs: mean and standard deviation.",
        lambda row: _moments_text(row.summary.S, 2), lambda row: row.summary.S.mean, "12.7 (2.3)",
    ),
    "paper_S": Column(
        "Paper's S", f"The paper's mean of S. {_Z_HINT}", _leaves_of_paper, _z_key("z_S"), "12.7  z −0.3",
    ),
    "median": Column(
        "Median T", "Half of the solved runs took at most so many iterations.",
        lambda row: NONE if row.median is None else f"{row.median:,.1f}", lambda row: row.median,
    ),
    "expected": Column(
        "Expected time", "Iterations spent on all runs, also on those that were not solved, for each that was.",
        _expected_text, lambda row: row.summary.expected_running_time, "1,234.5",
    ),
    "ended": Column(
        "Ended", "Runs that were stopped at the plan's max_iterations, or whose tree became too complex.",
        lambda row: f"{row.summary.stopped + row.summary.failed:,}",
        lambda row: row.summary.stopped + row.summary.failed,
    ),
    "solved": Column(
        "Solved", "Runs that found a correct tree.", lambda row: f"{row.summary.solved:,}",
        lambda row: row.summary.solved, "10,000",
    ),
    "ors": Column(
        "ORs (sd)", "ORs in the final tree of solved runs: mean and standard deviation.",
        lambda row: _moments_text(row.summary.ors, 2), lambda row: row.summary.ors.mean, "0.22 (0.51)",
    ),
    "ors_accepted": Column(
        "ORs accepted", "ORs that were accepted on the way to a solution: mean and standard deviation.",
        lambda row: _moments_text(row.summary.ors_accepted, 2), lambda row: row.summary.ors_accepted.mean,
    ),
    "error": Column(
        "Gen. error", "The generalisation error: the share of all rows on which the result is wrong, on average.",
        _error_text, lambda row: row.summary.generalisation_error, "1.25·10⁻⁵",
    ),
}  # fmt: skip
"""In the order of the table: what one looks for first is in sight on a small screen, too."""


def setting_column(name: str) -> Column:
    def text(row: CellRow) -> str:
        return setting_text(name, row.summary.cell.config)

    def key(row: CellRow) -> Any:
        config = row.summary.cell.config
        value = getattr(config, name)
        if name == "limit":
            return float("inf") if config.max_leaves is None else config.max_leaves
        return value if isinstance(value, int) or value is None else str(value)

    return Column(setting_head(name), SETTING_HINTS[name], text, key)
