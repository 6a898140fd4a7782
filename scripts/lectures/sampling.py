"""The source of the lecture on sampling: learning from few rows."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import log2
from typing import Final

from gpviz.analysis.neighbourhood import chance_of_growing_error
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Verdict
from gpviz.engine.formula import UNICODE, parse
from gpviz.engine.step import NO_PITFALL
from gpviz.engine.target import target_for
from gpviz.experiments.figures.chart_kinds import ChartKind
from gpviz.experiments.statistics.cell_statistics import CellSummary
from gpviz.explain.next_iteration_odds import odds_of
from gpviz.lecture.lecture import Lecture, Scene, SceneCaption
from gpviz.lecture.scene_content import SceneStatement
from gpviz.number_text import power_text, rows_text
from gpviz.runs.history import History
from gpviz.runs.run_file import describe
from scripts.lectures.computed import chart, distinct, experiment, recorded, said, summaries

NAME: Final = "sampling"
TITLE: Final = "Sampling: learning from few rows"

# The runs, by their indexes in the lecture.
CLEAN, PITFALLS, TO_ZERO = range(3)
_RUNS: Final = 60
"""How many runs a cell the charts have; enough to be seen, few enough to be done again by a test."""


@cache
def _history(run: int) -> History:
    usual = RunConfig(n=64, limit="inf", fitness="sampled", rows="n lg^2 n", accept_error="2 lg n", seed=4)
    configs = {
        CLEAN: usual,
        PITFALLS: usual.replaced(seed=30),
        TO_ZERO: usual.replaced(seed=28, accept_error=0),
    }
    return recorded(configs[run])


def _rows(run: int) -> int:
    rows = _history(run).config.rows
    assert rows is not None
    return rows


def _true_error(run: int, iteration: int) -> Fraction:
    """The generalisation error of a tree of a run."""
    history = _history(run)
    tree = history.tree_at(iteration)
    assert tree is not None
    return target_for(history.config.n).generalisation_error(tree)


def _expected(run: int, iteration: int) -> str:
    """On how many sampled rows the tree is wrong, on average."""
    return f"{float(_rows(run) * _true_error(run, iteration)):.1f}"


def _one_in(share: Fraction) -> str:
    return f"about 1 in {round(1 / share):,}"


def _percent(share: Fraction | float) -> str:
    percent = 100 * float(share)
    if percent >= 0.001:
        return f"{percent:.2g} %"
    digits, exponent = f"{percent:.0e}".split("e")
    return f"{digits} × {power_text(10, int(exponent))} %"


def _chance(variables: int) -> float:
    """The chance that a step from a conjunction of so many variables makes the true error grow."""
    config = _history(TO_ZERO).config
    conjunction = parse(" & ".join(f"x{each}" for each in range(1, variables + 1)), config.n)
    return float(chance_of_growing_error(conjunction, config.rules))


def _steps(run: int, pitfall: str) -> list[int]:
    """The iterations that fell for a pitfall."""
    history = _history(run)
    return [each for each in range(1, len(history) + 1) if getattr(history.step_at(each), pitfall)]


def _opening() -> Iterator[Scene]:
    run = _history(CLEAN)
    n, last, rows = run.config.n, len(run), _rows(CLEAN)
    yield Scene(
        title=TITLE,
        has_tree=False,
        panels=(),
        text=said("""\
# Sampling

How to learn a formula from few rows, and when to stop

*After B. Doerr, A. Lissovoi and P. S. Oliveto, GECCO 2019*
"""),
        notes=said("""\
Time: 1 minute.
So far a tree was judged on all rows. Today it is judged on a few of them, new ones in each iteration.
The runs are real, and the notes name the plan of every chart.
Ask: would you trust a poll of {rows} people? When would you not?""",
                   rows=rows),
    )  # fmt: skip
    yield Scene(
        title="Too many rows",
        has_tree=False,
        panels=(),
        text=said("""\
## Judge by a sample

- With n = {n} the truth table has **{all}** rows. Nobody can look at them all
- Each iteration draws **s = n lg² n = {rows}** rows at random, new ones every time
- Parent and offspring are judged on the same rows: the offspring stays if it **looks** no worse
- The run stops once its tree is wrong on at most **A = 2 lg n = {accepted}** of them

**Generalisation error:** the chance of being wrong on a random row. That is what should be small
""", n=n, all=rows_text(n), rows=rows, accepted=run.config.accept_error),
        notes=said("""\
Time: 2 minutes.
The sampled error is a number of rows among the {rows}. The generalisation error is a share of all rows.
The first is what the search sees, the second is what we care about.
Note the threshold: the run stops while it still sees errors. We will find out why.""", rows=rows),
    )  # fmt: skip
    yield Scene(
        title="A run on few rows",
        run=CLEAN,
        first=0,
        last=last,
        speed=4.0,
        panels=("caption", "curves", "theory"),
        captions=(
            SceneCaption(0, said("{n} variables, {rows} rows an iteration. Watch both errors.", n=n, rows=rows)),
        ),
        caption=said("Iteration {last}: wrong on {error} of {rows} sampled rows: stop. Of all rows: {share}.",
                     last=last, error=run.error_at(last), rows=rows, share=_one_in(_true_error(CLEAN, last))),
        notes=said("""\
Time: 2 minutes. It plays by itself for about {seconds} seconds.
The tree has {leaves} leaves and {variables} of the {n} variables, and yet it is nearly always right.
The target is true on a single row, so a tree that is rarely true is rarely wrong.
The run took {last} iterations. To find the target on all rows takes more than {bound} on average.""",
                   seconds=round(last / 4), leaves=run.step_at(last).leaves, variables=distinct(run, last), n=n,
                   last=last, bound=round(1.5 * n * sum(1 / each for each in range(1, n)))),
    )  # fmt: skip


def _trust() -> Iterator[Scene]:
    run = _history(CLEAN)
    yield Scene(
        title="How far a sample is off",
        has_tree=False,
        panels=(),
        content=SceneStatement("lemma-sampled-error"),
        notes=said("""\
Time: 2 minutes.
This is a Chernoff bound in a form that fits both large and small errors.
While F s is large, the sampled error is right up to a factor. When F s is small, only up to a few lg n.
So a sample tells large errors apart, and cannot tell small ones from zero."""),
    )
    improving = [each for each in range(2, len(run) + 1) if run.step_at(each).verdict is Verdict.IMPROVED]
    yield Scene(
        title="Both errors of a run",
        run=CLEAN,
        first=improving[0],
        last=improving[-1],
        is_by_accepted=True,
        panels=("caption", "curves", "theory"),
        captions=(
            SceneCaption(improving[0], said("Expected: wrong on {expected} of {rows} sampled rows. Seen: {seen}.",
                                            expected=_expected(CLEAN, improving[0]), rows=_rows(CLEAN),
                                            seen=run.error_at(improving[0]))),
        ),
        caption=said("Iteration {t}: expected {expected}, seen {seen}. The band is the lemma's.", t=improving[-1],
                     expected=_expected(CLEAN, improving[-1]), seen=run.error_at(improving[-1])),
        notes=said("""\
Time: 2 minutes. Each click goes to the next change of the tree.
The points are what the samples show, the steps are what is true, and the band is what the lemma allows.
The sampled error moves although the tree stays: every iteration draws other rows.
Once the error is small, the band is wide in comparison."""),
    )  # fmt: skip
    here = improving[-1]
    tree = run.tree_at(here)
    odds = odds_of(tree, run.config)
    yield Scene(
        title="Looks better, is better",
        run=CLEAN,
        first=here,
        last=here,
        panels=("caption",),
        page="neighbours",
        caption=said("The next offspring looks better with probability {looks}, and is better with {is_so}.",
                     looks=_percent(odds.probability(Verdict.IMPROVED)), is_so=_percent(odds.totals.is_better)),
        notes=said("""\
Time: 2 minutes.
An offspring looks better if it is wrong on fewer of the sampled rows than its parent.
It is better if that holds on all rows. A misleading sample makes a worse tree look no worse.
Both chances are exact: the page goes through all mutations and all samples.
An offspring is kept if it does not look worse, so those that look equal matter as well."""),
    )  # fmt: skip


def _pitfalls() -> Iterator[Scene]:
    run, zero = _history(PITFALLS), _history(TO_ZERO)
    n = run.config.n
    yield Scene(
        title="The theorem",
        has_tree=False,
        panels=(),
        content=SceneStatement("theorem-sampling"),
        notes=said("""\
Time: 2 minutes.
A logarithmic number of iterations. Compare that with the n log n that all rows need at least.
It does not find the target. It finds a tree that is almost always right, and small.
The proof names what could go wrong, and shows that it is rare."""),
    )
    copy = _steps(PITFALLS, "duplicate_accepted")[0]
    step = run.step_at(copy)
    yield Scene(
        title="First pitfall: a copy",
        run=PITFALLS,
        first=copy - 1,
        last=copy,
        panels=("caption",),
        caption=said("Iteration {t}: {variable} is there already. A copy changes nothing, so it is kept.", t=copy,
                     variable=UNICODE.variable(step.variable)),
        notes=said("""\
Time: 2 minutes. One click.
Here a variable that is drawn is in the tree already with a chance of {count} in {n}.
Over lg n iterations with about lg n variables that is about lg² n over n, the rate of the theorem.
A copy does no harm by itself. It opens the door to the next pitfall.""",
                   count=distinct(run, copy - 1), n=n),
    )  # fmt: skip
    inserted = _steps(PITFALLS, "or_accepted")[0]
    step = run.step_at(inserted)
    yield Scene(
        title="Second pitfall: an OR",
        run=PITFALLS,
        first=inserted - 1,
        last=inserted,
        panels=("caption",),
        caption=said("Iteration {t}: an ∨ with {variable}. True error before and after: {before}, {after}.",
                     t=inserted, variable=UNICODE.variable(step.variable),
                     before=_one_in(_true_error(PITFALLS, inserted - 1)),
                     after=_one_in(_true_error(PITFALLS, inserted))),
        notes=said("""\
Time: 1 minute. One click.
An ∨ that computes the same as before is neutral, and copies make that possible.
Any other ∨ makes the tree true more often, so it is worse. Only a sample without a witness lets it pass.
A witness is a row that only the offspring gets wrong."""),
    )  # fmt: skip
    worse = _steps(TO_ZERO, "true_error_grew")
    growth, most = max((_true_error(TO_ZERO, each) / _true_error(TO_ZERO, each - 1), each) for each in worse)
    step = zero.step_at(most)
    yield Scene(
        title="Third pitfall: the true error grows",
        run=TO_ZERO,
        first=most - 1,
        last=most,
        panels=("caption", "curves", "theory"),
        caption=said("Iteration {t}: both are wrong on {seen} sampled rows. "
                     "The true error grew by a factor of {growth}.",
                     t=most, seen=step.error, growth=f"{float(growth):.1f}"),
        notes=said("""\
Time: 2 minutes. One click.
This run goes on until it sees no error at all, instead of stopping at {accepted}.
It accepted {count} steps that made the true error grow, the first in iteration {first}.
With the threshold it would have stopped in iteration {stop}, before any of them.""",
                   accepted=_history(CLEAN).config.accept_error, count=len(worse), first=worse[0],
                   stop=_stop_of_threshold()),
    )  # fmt: skip


def _stop_of_threshold() -> int:
    """Where the run to zero would have stopped with the threshold."""
    zero, accepted = _history(TO_ZERO), _history(CLEAN).config.accept_error
    errors = ((each, zero.error_at(each)) for each in range(1, len(zero) + 1))
    return next(iteration for iteration, error in errors if error is not None and error <= accepted)


def _cliff() -> Iterator[Scene]:
    zero = _history(TO_ZERO)
    sizes = range(5, 13)
    rows = "\n".join(
        f"| {size} | {float(_rows(TO_ZERO) * Fraction(1, 2**size)):.1f} | {_percent(_chance(size))} |"
        for size in sizes
    )
    yield Scene(
        title="The cliff",
        has_tree=False,
        panels=(),
        text=said("""\
## Why stop early

| variables | expected sampled error | chance that the true error grows in the next step |
|--:|--:|--:|
{rows}

A conjunction, n = {n}, s = {s}. The run stops at A = {accepted}
""", rows=rows, n=zero.config.n, s=_rows(TO_ZERO), accepted=_history(CLEAN).config.accept_error),
        notes=said("""\
Time: 2 minutes.
The chances are exact, summed over all mutations and all samples.
Each further variable halves the expected sampled error, and with it the number of witnesses.
From {few} to {many} variables the chance goes from {low} to {high}. That is the cliff.
The threshold A stops the run before it.""",
                   few=sizes[1], many=sizes[-3], low=_percent(_chance(sizes[1])),
                   high=_percent(_chance(sizes[-3]))),
    )  # fmt: skip
    yield Scene(
        title="The cliff in a run",
        run=TO_ZERO,
        first=0,
        last=len(zero),
        speed=8.0,
        panels=("caption", "curves", "theory"),
        captions=(
            SceneCaption(0, said("The same rows, but no threshold: it goes on to error zero.")),
            SceneCaption(_stop_of_threshold(), said("Iteration {t}: here the threshold would have stopped it.",
                                                    t=_stop_of_threshold())),
        ),
        caption=said("Iteration {last}: no error seen. {variables} variables, wrong on {share} of all rows.",
                     last=len(zero), variables=distinct(zero, len(zero)),
                     share=_one_in(_true_error(TO_ZERO, len(zero)))),
        notes=said("""\
Time: 2 minutes. It plays by itself for about {seconds} seconds.
Going on costs {more} more iterations, and {worse} of its steps made the true error grow.
The result is still better: {end} against {stop}. The threshold is there for the proof, not for the best tree.
The paper's Figure 2 says the same: stopping at zero is slower and gives better trees.""",
                   seconds=round(len(zero) / 8), more=len(zero) - _stop_of_threshold(),
                   worse=len(_steps(TO_ZERO, "true_error_grew")), end=_one_in(_true_error(TO_ZERO, len(zero))),
                   stop=_one_in(_true_error(TO_ZERO, _stop_of_threshold()))),
    )  # fmt: skip


def _avoiding(cell: CellSummary) -> float:
    """The share of the runs of a cell without any pitfall."""
    assert cell.pitfalls is not None
    return cell.pitfalls[NO_PITFALL].share


def _closing() -> Iterator[Scene]:
    cells = summaries("theorem-sampling", _RUNS)
    plan, _ = experiment("theorem-sampling", _RUNS)
    smallest, largest = (cells[cell.config.n, cell.config.limit] for cell in (plan.cells[0], plan.cells[-1]))
    ratios = [each.T.mean / log2(each.cell.config.n) for each in cells.values() if each.T.mean is not None]
    yield Scene(
        title="The theorem in many runs",
        has_tree=False,
        panels=(),
        content=chart("theorem-sampling", _RUNS, ChartKind.SAMPLING),
        notes=said("""\
Time: 2 minutes.
Plan: theorem-sampling, with {runs} runs a cell.
On the left T over lg n: between {low} and {high} for every n. So T is of order log n.
On the right the pitfalls: they become as rare as lg² n over n. Copies are the most common.
For n = {small} {seldom} of the runs avoid all of them, for n = {large} {often} do.""",
                   runs=_RUNS, low=f"{min(ratios):.1f}", high=f"{max(ratios):.1f}", small=smallest.cell.config.n,
                   seldom=_percent(_avoiding(smallest)), large=largest.cell.config.n,
                   often=_percent(_avoiding(largest))),
    )  # fmt: skip
    yield Scene(
        title="Several runs hardly ever all fail",
        has_tree=False,
        panels=(),
        content=SceneStatement("corollary-runs"),
        notes=said("""\
Time: 1 minute.
A run that met a pitfall may still end well. One that met none most likely does.
Runs fail independently, so each further run multiplies the chance that all of them fail by a small factor.
The chart Best of λ shows it for any finished experiment."""),
    )
    yield Scene(
        title="Summary",
        has_tree=False,
        panels=(),
        text=said("""\
## What to take home

- **A few rows are enough** for a tree that is almost always right, in about log n iterations
- **Looks better** is not **is better**: the smaller the error, the more a sample misleads
- **Pitfalls:** a copy, an ∨, a growing true error. Each is rare, of order log² n / n
- **Stop early:** below the threshold a sample cannot tell good from bad
- **Several runs** make a good result as likely as you like
"""),
        notes=said("""\
Time: 1 minute.
The lesson is older than genetic programming: know how noisy your measurements are, and stop before the noise wins.
Hand out the file, and let everybody try other thresholds with the plan theorem-sampling."""),
    )


def built() -> Lecture:
    """The lecture with its runs and charts, which are done here and now."""
    scenes = (*_opening(), *_trust(), *_pitfalls(), *_cliff(), *_closing())
    return Lecture(title=TITLE, runs=tuple(describe(_history(run)) for run in range(3)), scenes=scenes)
