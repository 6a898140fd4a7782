"""The source of the lecture on drift: how fast a conjunction is found."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Final

from gpviz.analysis.drift_bounds import drift_bound, stage_of
from gpviz.analysis.neighbourhood import neighbours_of, totals_of
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function, Operation, Verdict
from gpviz.engine.formula import UNICODE
from gpviz.engine.tree import ROOT
from gpviz.experiments.figures.chart_kinds import ChartKind
from gpviz.experiments.statistics.cell_statistics import CellSummary
from gpviz.experiments.statistics.growth import bounds_crossing, paper_bounds
from gpviz.lecture.lecture import Lecture, Scene, SceneCaption
from gpviz.lecture.scene_content import ComparedRun, SceneComparison, SceneStatement
from gpviz.number_text import number_text, rows_text
from gpviz.runs.history import History
from gpviz.runs.run_file import describe
from scripts.lectures.computed import chart, distinct, experiment, recorded, said, summaries

NAME: Final = "drift"
TITLE: Final = "Drift: how fast a conjunction is found"

# The runs, by their indexes in the lecture.
COLLECTED, STAGED, TIGHT = range(3)
_RUNS: Final = 20
"""How many runs a cell the charts have; enough to be seen, few enough to be done again by a test."""


@cache
def _history(run: int) -> History:
    small = RunConfig(n=16, limit="2n", seed=11)
    configs = {
        COLLECTED: small,
        STAGED: RunConfig(n=64, limit="2n", seed=24),
        TIGHT: small.replaced(limit="n"),
    }
    return recorded(configs[run])


def _first(run: int, variables: int) -> int:
    """The first iteration after which the tree has so many different variables."""
    history = _history(run)
    return next(each for each in range(1, len(history) + 1) if distinct(history, each) >= variables)


def _error(run: int, iteration: int) -> int:
    error = _history(run).error_at(iteration)
    assert error is not None
    return error


def _drift(run: int, iteration: int) -> tuple[Fraction, Fraction]:
    """The exact drift of a tree, and the least that the paper proves."""
    history = _history(run)
    tree = history.tree_at(iteration)
    assert tree is not None
    bound = drift_bound(tree, history.error_at(iteration), history.config)
    assert bound is not None
    return Fraction(totals_of(neighbours_of(tree, history.config)).drift), bound


def _entered(run: int) -> dict[int, int]:
    """The iteration after which the error first is in each of the stages it comes to."""
    history = _history(run)
    entered: dict[int, int] = {}
    for iteration in range(1, len(history)):
        entered.setdefault(stage_of(_error(run, iteration), history.config.n), iteration)
    return entered


def _full(run: int) -> int:
    """How many iterations had a full parent."""
    history = _history(run)
    changes = range(len(history))
    return sum(
        tree is not None and tree.leaves == history.config.max_leaves
        for tree in (history.tree_at(each) for each in changes)
    )


def _full_share(cell: CellSummary) -> str:
    assert cell.share_full is not None
    assert cell.share_full.mean is not None
    return f"{100 * cell.share_full.mean:.0f} %"


def _opening() -> Iterator[Scene]:
    run = _history(COLLECTED)
    n, last = run.config.n, len(run)
    yield Scene(
        title=TITLE,
        has_tree=False,
        panels=(),
        text=said("""\
# Drift

How fast a conjunction is found, and how one proves it

*After B. Doerr, A. Lissovoi and P. S. Oliveto, GECCO 2019*
"""),
        notes=said("""\
Time: 1 minute.
Today we ask how long a random search takes, and we answer with a proof.
All runs are real, and so are the charts: the notes name the plan that makes each of them again.
Ask: if each step is blind, what can one say about the time at all?"""),
    )
    yield Scene(
        title="The question",
        has_tree=False,
        panels=(),
        text=said("""\
## How many iterations?

- RLS-GP looks for x₁ ∧ x₂ ∧ … ∧ xₙ, with ∧ and ∨ at hand
- It keeps an offspring whose error is **not larger** and that has at most ℓ leaves
- The error counts the wrong rows among **all 2ⁿ**
- Deletion removes whole **subtrees**, so that no run gets stuck

**T**: the iterations until the error is zero. How does its mean grow with n?
"""),
        notes=said("""\
Time: 2 minutes.
Recall the algorithm in a minute: one tree, one mutation an iteration, and equal is good enough.
The rows are many, but we ask for iterations here, not for the time that an evaluation takes.
Let the audience guess: is it closer to n, to n², or to 2ⁿ?"""),
    )
    waits = {count: _first(COLLECTED, count) for count in range(1, n + 1)}
    early = waits[n // 2]
    yield Scene(
        title="A run collects its variables",
        run=COLLECTED,
        first=0,
        last=last,
        speed=16.0,
        panels=("caption", "curves", "theory"),
        captions=(
            SceneCaption(0, said("{n} variables, limit {limit}. Watch the curve of distinct variables.",
                                 n=n, limit=run.config.max_leaves)),
            SceneCaption(early, said("Iteration {early}: {some} of the {n} variables are there. "
                                     "The other {others} take longer.",
                                     early=early, some=n // 2, n=n, others=n - n // 2)),
        ),
        caption=said("Iteration {last}: all {n} variables. The last one alone took {wait} iterations.",
                     last=last, n=n, wait=waits[n] - waits[n - 1]),
        notes=said("""\
Time: 2 minutes. It plays by itself for about {seconds} seconds.
The curve rises fast and then slowly, as for anyone who collects cards.
The first {some} variables come within {early} iterations, the others need {rest} more.
A variable that is drawn need not stay: the offspring has to be accepted, too.""",
                   seconds=round(last / 16), some=n // 2, early=early, rest=last - early),
    )  # fmt: skip
    lower = next(bound.value for bound in paper_bounds(n, None) if bound.kind == "lower")
    yield Scene(
        title="A lower bound",
        has_tree=False,
        panels=(),
        content=SceneStatement("theorem-lower-bound"),
        notes=said("""\
Time: 1 minute.
Each iteration brings at most one variable, drawn at random.
For {n} variables the argument gives at least {lower} iterations on average. Our run took {last}.
The order n log n is a floor. The rest of the lecture is about the ceiling.""",
                   n=n, lower=round(lower), last=last),
    )  # fmt: skip


def _drift_scenes() -> Iterator[Scene]:
    run = _history(COLLECTED)
    n = run.config.n
    improving = [each for each in range(2, len(run) + 1) if run.step_at(each).verdict is Verdict.IMPROVED]
    fall = improving[0]
    step = run.step_at(fall)
    assert (step.operation, step.function, step.node) == (Operation.INS, Function.AND, ROOT)
    quick = next(each for each, after in pairwise(improving) if after - each > 8)
    yield Scene(
        title="The error halves",
        run=COLLECTED,
        first=fall - 1,
        last=quick,
        is_by_accepted=True,
        panels=("caption", "curves", "theory"),
        captions=(
            SceneCaption(fall - 1, said("A single variable is wrong on nearly every other row: {error} of {rows}.",
                                        error=_error(COLLECTED, fall - 1), rows=rows_text(n))),
            SceneCaption(fall, said("Iteration {t}: an ∧ at the root with {variable}, a root-and. "
                                    "Wrong on {error} rows.",
                                    t=fall, variable=UNICODE.variable(step.variable), error=step.error)),
        ),
        caption=said("Iteration {quick}: {count} variables, wrong on {error} rows. "
                     "Each new variable halved the error.",
                     quick=quick, count=distinct(run, quick), error=_error(COLLECTED, quick)),
        notes=said("""\
Time: 2 minutes. Each click goes to the next change of the tree.
A conjunction with one more variable is wrong on less than half as many rows.
So the error falls in proportion to itself: the larger it is, the more an iteration removes.
The first click is a root-and: an ∧ and a new leaf above the whole tree.
It works for any tree, however many ∨ it has.
Take a wrong row with k variables false: k root-ands mend it. A large error has many such rows.
Some clicks change the tree but not the error. Those steps are kept as well."""),
    )  # fmt: skip
    yield Scene(
        title="What drift is",
        has_tree=False,
        panels=(),
        text=said("""\
## Drift

The **drift** of a tree is what one iteration takes off its error, on average.

| if the drift at error x is at least | then T is at most about |
|---|---|
| δ, a constant | x / δ |
| δ x, in proportion to the error | (1 + ln x) / δ |
| δ x (1 + logₙ x), a little more | log log x · ln n / δ |

At the start x is about 2ⁿ. Its logarithm is about n, and the logarithm of that is small.
"""),
        notes=said("""\
Time: 2 minutes.
The first line is additive drift, the second multiplicative drift, the third is the paper's own theorem.
A root-and with a given variable has a chance of about one in ℓ n, so δ is about one over ℓ n.
Then the second line gives ℓ n times n. The third gives ℓ n times log² n.
So a factor of log x in the drift is worth a factor of nearly n in the time."""),
    )
    here = quick
    drift, bound = _drift(COLLECTED, here)
    yield Scene(
        title="One step, exactly",
        run=COLLECTED,
        first=here,
        last=here,
        panels=("caption",),
        page="neighbours",
        caption=said("Iteration {here}: of {error} wrong rows the next step removes {drift}, on average. "
                     "Proven: {bound}.",
                     here=here, error=_error(COLLECTED, here), drift=f"{float(drift):.0f}",
                     bound=f"{float(bound):.2f}"),
        notes=said("""\
Time: 2 minutes.
The page goes through all mutations and adds up their chances, so this is no estimate.
What the paper proves is smaller by a factor of {ratio}: it counts only the root-ands, with their smallest chances.
The share of the root-ands stands beside it. In a tree without ∨ the other insertions help as well.""",
                   ratio=round(drift / bound)),
    )  # fmt: skip
    yield Scene(
        title="The drift theorem",
        has_tree=False,
        panels=(),
        content=SceneStatement("theorem-drift"),
        notes=said("""\
Time: 2 minutes.
The proof cuts the way into stages: from n⁸ to n⁴, from there to n², then to n, then to zero.
Within a stage the drift is multiplicative, with a larger factor the higher the stage is.
That makes up for the longer way, so each stage costs about the same."""),
    )


def _stage_scenes() -> Iterator[Scene]:
    run = _history(STAGED)
    n, last = run.config.n, len(run)
    entered = _entered(STAGED)
    by_stage = {
        stage: entered.get(stage - 1, last) - iteration for stage, iteration in sorted(entered.items())
    }
    top = max(by_stage)
    yield Scene(
        title="The stages of a run",
        run=STAGED,
        first=0,
        last=last,
        speed=60.0,
        panels=("caption", "curves", "theory"),
        captions=(
            SceneCaption(0, said("{n} variables: the error begins near {rows}. The lines are at n, n², n⁴ and n⁸.",
                                 n=n, rows=rows_text(n))),
            *(
                SceneCaption(entered[stage], said("Iteration {t}: the error falls below {line}.", t=entered[stage],
                                                  line=("n", "n²", "n⁴", "n⁸")[stage]))
                for stage in range(top - 1, -1, -1)
            ),
        ),
        caption=said("Solved in iteration {last}. From n⁸ down: {high}, {middle}, {low} iterations, and {end} "
                     "below n.",
                     last=last, high=by_stage[3], middle=by_stage[2], low=by_stage[1], end=by_stage[0]),
        notes=said("""\
Time: 2 minutes. It plays by itself for about {seconds} seconds.
Every line is the square of the one below, and yet the stages take similar times.
From n⁸ to n⁴ the error falls by a factor of {factor}, in {high} iterations.
The last stage is the slow one: below n only a few variables are missing, and the run waits for each of them.""",
                   seconds=round(last / 60), factor=number_text(n**4, 10**6), high=by_stage[3]),
    )  # fmt: skip
    yield Scene(
        title="The stages of many runs",
        has_tree=False,
        panels=(),
        content=chart("stages", _RUNS, ChartKind.STAGES, cell=1),
        notes=said("""\
Time: 2 minutes.
Plan: stages, with {runs} runs a cell.
The bars from n to n², n² to n⁴ and n⁴ to n⁸ are similar, though the error falls much further in a higher stage.
The stage above n⁸ is cut off by the first tree, which has an error of about {rows} and no more.
Below n there is one stage left, the longest of all.""",
                   runs=_RUNS, rows=f"2{_raised(n - 1)}"),
    )  # fmt: skip


def _raised(number: int) -> str:
    return str(number).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _full_scenes() -> Iterator[Scene]:
    loose, tight = _history(COLLECTED), _history(TIGHT)
    n = loose.config.n
    yield Scene(
        title="A full tree has no room",
        run=TIGHT,
        first=0,
        last=len(tight),
        speed=40.0,
        has_tree=False,
        panels=("caption",),
        content=SceneComparison((ComparedRun("limit n", TIGHT), ComparedRun("limit 2n", COLLECTED))),
        captions=(
            SceneCaption(0, said("One seed under both limits: {tight} leaves and {loose} leaves.",
                                 tight=tight.config.max_leaves, loose=loose.config.max_leaves)),
        ),
        caption=said("Solved in iteration {tight} with limit n, in {loose} with limit 2n.", tight=len(tight),
                     loose=len(loose)),
        notes=said("""\
Time: 2 minutes. It plays by itself for about {seconds} seconds.
The drift argument needs room for a root-and. A full tree has none.
With limit n the tree was full in {full} of {tight} iterations, with limit 2n in {seldom} of {loose}.
A full tree must first lose a leaf, so the question is whether it always can.""",
                   seconds=round(len(tight) / 40), full=_full(TIGHT), tight=len(tight), seldom=_full(COLLECTED),
                   loose=len(loose)),
    )  # fmt: skip
    shares = summaries("full-trees", _RUNS // 2)
    yield Scene(
        title="How often the tree is full",
        has_tree=False,
        panels=(),
        content=chart("full-trees", _RUNS // 2, ChartKind.FIGURE),
        notes=said("""\
Time: 2 minutes.
Plan: full-trees, with {runs} runs a cell.
For n = {n} the tree is full in {tight} of the iterations with limit n, and in {loose} with limit 2n.
With limit n the share grows with n. With 1.5 n and 2n it stays small.
That is why the theorem needs ℓ = (1 + c) n. It does not cover limits n and n + 1.""",
                   runs=_RUNS // 2, n=n, tight=_full_share(shares[n, "n"]),
                   loose=_full_share(shares[n, "2n"])),
    )  # fmt: skip
    yield Scene(
        title="The theorem",
        has_tree=False,
        panels=(),
        content=SceneStatement("theorem-complete"),
        notes=said("""\
Time: 2 minutes.
A full tree that is not the target has leaves that can go: copies of variables, or a whole branch of an ∨.
With ℓ well above n there are so many of them that an iteration removes a constant number of leaves on average.
So in a constant share of the iterations the tree is not full, and their drift is enough."""),
    )


def _closing() -> Iterator[Scene]:
    plan, _ = experiment("full-trees", _RUNS // 2)
    measured = summaries("full-trees", _RUNS // 2)
    n = _history(COLLECTED).config.n
    bounds = {bound.name: bound.value for bound in paper_bounds(n, 2 * n)}
    mean = measured[n, "2n"].T.mean
    assert mean is not None
    yield Scene(
        title="Bounds and reality",
        has_tree=False,
        panels=(),
        content=chart("full-trees", _RUNS // 2, ChartKind.SCALING, cell=plan.cells[-1].number, has_upper=True),
        notes=said("""\
Time: 2 minutes.
Plan: full-trees, with {runs} runs a cell.
For n = {n} and ℓ = 2n the runs take {mean} iterations, and the floor is {lower}.
The paper's ceiling is {upper}. The ordinary theorem on multiplicative drift gives {plain}, which is less here.
Its order is worse, though, and from n = {crossing} on the paper's is the smaller one.
The runs themselves look like n log n, which the paper does not prove.""",
                   runs=_RUNS // 2, n=n, mean=round(mean), lower=round(bounds["coupon collecting"]),
                   upper=round(bounds["super-multiplicative drift"]), plain=round(bounds["multiplicative drift"]),
                   crossing=bounds_crossing()),
    )  # fmt: skip
    yield Scene(
        title="Summary",
        has_tree=False,
        panels=(),
        text=said("""\
## What to take home

- **Drift** turns one step into a bound on the whole run
- **A lower bound** of order n log n comes from collecting variables
- **Root-ands** help every tree that is not full, and help more the larger the error is
- **Super-multiplicative drift:** squaring the error costs one more stage, not twice the time
- **Full trees** need a way to lose leaves: subtree deletion, and a limit well above n
"""),
        notes=said("""\
Time: 1 minute.
The open question of the paper: what can be proven without a limit? Runs are fast there, too.
Hand out the file. Everybody can open the runs and look at the drift of any tree in them."""),
    )


def built() -> Lecture:
    """The lecture with its runs and charts, which are done here and now."""
    scenes = (*_opening(), *_drift_scenes(), *_stage_scenes(), *_full_scenes(), *_closing())
    return Lecture(title=TITLE, runs=tuple(describe(_history(run)) for run in range(3)), scenes=scenes)
