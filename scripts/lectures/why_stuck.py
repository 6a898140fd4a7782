"""The source of the lecture on why leaf-only deletion gets stuck."""

from typing import Final

from gpviz.engine.config import RunConfig
from gpviz.engine.search import RlsGp
from gpviz.lecture.lecture import Lecture, Scene, SceneCaption
from gpviz.runs.branches import Branches, changed_config, forked, settings_name
from gpviz.runs.history import History
from gpviz.runs.run_file import RunFile, describe, describe_branches

NAME: Final = "why-stuck"

# The runs, by their indexes in the lecture.
FIRST, BLOATED, LIMITED, STUCK, SAMPLED, DECIDED = range(6)
"""The last one is the beginning of the stuck run, so that a picture of all of it shows where it was decided."""
_STUCK_CONFIG: Final = RunConfig(n=4, limit="n", deletion="leaf", seed=7736)
RESCUED: Final = 1
"""The branch of the stuck run under the other rule."""

ALGORITHM: Final = """\
## Grow a formula by trial and error

**Goal:** a tree of ∧ and ∨ that computes x₁ ∧ x₂ ∧ … ∧ xₙ

**Error:** on how many rows of the truth table the tree is wrong

1. Start with the empty tree
2. Mutate it: **insert**, **delete** or **substitute**, equally likely
3. Keep the offspring if its error is **not larger** and its leaves are within the **limit**
4. Go on with step 2

*Insert* joins a new leaf to a node. *Delete* removes a leaf. *Substitute* gives a leaf a random label.
"""

TABLE_1: Final = """\
## Leaf-only deletion: some get stuck

| n | B, limit n | T, limit n | S, limit n | B, limit n+1 | T, limit n+1 | S, limit n+1 |
|--:|--:|--:|--:|--:|--:|--:|
| 4 | **0.008** | 46.3 | 4.0 | **0.002** | 40.9 | 4.4 |
| 8 | **0.002** | 151.8 | 8.0 | **0.004** | 113.8 | 8.6 |
| 16 | **0.008** | 469.9 | 16.0 | **0.010** | 345.8 | 16.8 |

**B**: share of runs that got stuck. **T**: mean iterations of the others. **S**: mean leaves at the end.

With limit 2n, and without a limit, none got stuck.

*From Table 1 of the paper, with 500 runs each*
"""

TABLE_2: Final = """\
## Subtree deletion: every run ends

| n | T, limit n | S, limit n | T, limit n+1 | S, limit n+1 | T, no limit | S, no limit |
|--:|--:|--:|--:|--:|--:|--:|
| 4 | 51.2 | 4.0 | 42.5 | 4.4 | 39.1 | 5.3 |
| 8 | 147.5 | 8.0 | 129.9 | 8.7 | 92.3 | 11.6 |
| 16 | 544.6 | 16.0 | 377.0 | 16.9 | 221.0 | 25.2 |

**T**: mean iterations. **S**: mean leaves at the end.

A tight limit costs time; a loose one costs leaves.

*From Table 2 of the paper, with 500 runs each*
"""

SUMMARY: Final = """\
## What to take home

- **Equal is good enough:** neutral steps are kept, and some bring in an ∨ that says nothing
- **No limit:** the tree bloats
- **A limit, and leaf-only deletion:** a full tree can be a trap for ever, as no leaf can go alone. \
So the expected time is infinite
- **Better is not safer:** an improvement can close the last way to the goal
- **A limit, and subtree deletion:** the useless half goes in one step, and the search goes on
- **A sample of the rows** is enough for a tree that is almost always right
"""

SCENES: Final = (
    Scene(
        title="Why leaf-only deletion gets stuck",
        has_tree=False,
        panels=(),
        text="""\
# Why leaf-only deletion gets stuck

A search that grows formulas, a rule that traps it, and the small change that sets it free

*After B. Doerr, A. Lissovoi and P. S. Oliveto, GECCO 2019*
""",
        notes="""\
Time: 1 minute.
Welcome. Today we watch a very simple program that learns a formula by changing it at random.
Every tree you will see comes from a real run, and you can repeat each run at home with the same seed.
Ask: if a search accepts every step that does no harm, can it still end up in a dead end?""",
    ),
    Scene(
        title="The algorithm",
        has_tree=False,
        panels=(),
        text=ALGORITHM,
        notes="""\
Time: 3 minutes.
The search is called RLS-GP, its mutation HVL-Prime. It keeps one tree and tries one change at a time.
Stress the words "not larger": a change that makes no difference is kept.
Both the strength and the trouble of the search come from there.
Delete removes single leaves, as in the original operator. Later we will change exactly this rule.""",
    ),
    Scene(
        title="A step that is kept",
        run=FIRST,
        first=1,
        last=2,
        panels=("caption",),
        caption="x₁ alone was wrong on 31 of 64 rows. Iteration 2 joins x₃ to it by ∧: wrong on 15, so kept.",
        notes="""\
Time: 2 minutes. One click to iteration 2.
There are 6 variables, so the truth table has 64 rows, and the goal is true on a single one of them.
Let the audience count: x₁ is true on half of the rows, which is 32, and only one of those is right.
Each new variable that is joined by ∧ roughly halves the error.""",
    ),
    Scene(
        title="A step that is rejected",
        run=FIRST,
        first=3,
        last=3,
        panels=("caption",),
        caption="Iteration 3 tries to delete x₃. x₁ alone would be wrong on 31 rows instead of 15: rejected.",
        notes="""\
Time: 1 minute.
The offspring is evaluated and discarded, and the tree stays as it was.
The search learns nothing from it: it remembers its tree, but not what it tried. It may try the same again.
The whole run needs 125 iterations for the 6 variables. Play it later if there is time.""",
    ),
    Scene(
        title="Bloat",
        run=BLOATED,
        first=0,
        last=179,
        speed=20.0,
        panels=("caption", "curves"),
        captions=(
            SceneCaption(0, "A tree may have as many leaves as it likes. Watch the curve of the leaves."),
        ),
        caption="No limit: solved in iteration 179 with 30 leaves and 7 ∨. 12 leaves and no ∨ would do.",
        notes="""\
Time: 2 minutes. It plays by itself for about nine seconds.
Now there are 12 variables. Point at the curve of the leaves: it climbs long after the error is small.
Leaves that change nothing are free of charge, so they pile up. This is called bloat.
Leaves with a double purple frame are redundant: some part of the tree with the leaf in it could go without loss.
Without loss means that the error does not grow.
The final tree has 19 of them, and each could even go alone. Soon we meet a tree where none can.""",
    ),
    Scene(
        title="A limit",
        run=LIMITED,
        first=76,
        last=301,
        speed=25.0,
        panels=("caption", "curves"),
        captions=(
            SceneCaption(76, "The same seed, but at most 12 leaves: offspring with more are rejected."),
        ),
        caption="Limit 12: 51 offspring were too large, the first in iteration 77. Solved in 301, with 12 leaves.",
        notes="""\
Time: 2 minutes. It plays by itself for about nine seconds.
The same seed as before, but a tree may have at most 12 leaves, and iteration 77 is the first to ask for more.
The cure works: the final tree has not one leaf too many. The price is time, 301 iterations instead of 179.
This run was lucky. The next one is not.""",
    ),
    Scene(
        title="The stuck tree",
        run=STUCK,
        first=25,
        last=81,
        is_by_accepted=True,
        panels=("caption",),
        captions=(
            SceneCaption(25, "A single leaf, x₂, wrong on 7 of 16 rows. Watch how an ∨ comes in."),
            SceneCaption(
                26, "Iteration 26: x₂ ∨ x₂ computes the same as x₂. Not worse is good enough: accepted."
            ),
            SceneCaption(34, "Iteration 34: 5 rows wrong, and all 4 leaves are used. The ∨ is still there."),
        ),
        caption="Iteration 81: the tree says x₂ ∧ x₃ twice, 3 of 16 rows wrong, all 4 leaves used. It is stuck.",
        notes="""\
Time: 3 minutes. Ten clicks, each to the next change of the tree.
4 variables, limit 4, and only single leaves can be deleted. The ∨ comes in as a neutral step, and nobody minds.
Step 81 is an improvement, from 5 wrong rows to 3, and yet it is the last one. We will see when the trap closed.
All 4 leaves are redundant: each could go without loss, but only together with the leaf beside it.
It is the first tree of the paper's Figure 1. Ask: what would you delete here?""",
    ),
    Scene(
        title="Waiting does not help",
        run=STUCK,
        first=81,
        last=500,
        speed=60.0,
        panels=("caption", "curves"),
        captions=(SceneCaption(81, "The same tree, and all the time in the world. Watch the error."),),
        caption="From iteration 82 to 500: 419 offspring, and none of them changed the tree.",
        notes="""\
Time: 1 minute. It plays by itself for about seven seconds.
Let it run in silence. The error stays at 3.
How do we know that it will not get out tomorrow? We can prove it.""",
    ),
    Scene(
        title="The proof",
        run=STUCK,
        first=82,
        last=82,
        panels=("caption",),
        page="proof",
        caption="All 132 mutations: 112 make the tree too large, 16 make it worse, 4 change nothing. No way out.",
        notes="""\
Time: 3 minutes. Iteration 82 is one of those that change nothing.
A proof by going through all cases: 112 insertions, 16 substitutions and 4 deletions.
Of the substitutions, 12 make it worse, and 4 replace a variable by itself.
Each redundant leaf is removable only together with its sibling: the half with it could go without loss.
In general gpviz walks over all trees that can be reached without loss. Here that plateau is 1 kind of tree.""",
    ),
    Scene(
        title="Each leaf says why it cannot go alone",
        run=STUCK,
        first=85,
        last=86,
        panels=("caption",),
        caption="Delete any leaf: 4 more rows wrong. Give any leaf another label: at least 2 more."
        " None can go alone.",
        notes="""\
Time: 2 minutes. One click, from the label tried in iteration 85 to the deletion tried in iteration 86.
All 4 leaves are redundant, and still each says that deleting it costs 4 rows. That is no contradiction.
A leaf can go without loss together with the leaf beside it, but leaf-only deletion takes one leaf at a time.
The error of 3 becomes 5 or 7. Without its x₃ the left side is x₂ alone, and the ∨ lets every row with x₂ through.
Half of the tree is useless, and no single step gets rid of it.""",
    ),
    Scene(
        title="Good news?",
        run=DECIDED,
        first=32,
        last=34,
        is_by_accepted=True,
        panels=("caption",),
        captions=(
            SceneCaption(32, "Back to iteration 32: 7 of 16 rows wrong. The next change is an improvement."),
        ),
        caption="Iteration 34 joins x₄ to a leaf: 5 rows wrong instead of 7. Is that good news?",
        notes="""\
Time: 1 minute. One click to the improvement.
We go back in the same run, to long before it was stuck.
Ask for a show of hands: who thinks that this step is good news?
Nearly everybody does, and so does the algorithm. Do not say anything yet.""",
    ),
    Scene(
        title="The step that decided it",
        run=DECIDED,
        first=34,
        last=34,
        panels=("caption",),
        page="outlook",
        caption="Iteration 34: the chance to end stuck rises from 9 % to 100 %,"
        " 47 iterations before the tree is stuck.",
        notes="""\
Time: 2 minutes.
The line shows the chance to end stuck from each iteration, and it is exact.
It begins below 1 %, the ∨ of iteration 26 makes it 2 %, iteration 28 makes it 9 %, and this improvement 100 %.
From here the error can still fall to 3, as it does in iteration 81, but never to 0.
Averaged over all that an iteration can do, the chance stays what it is, so a rise is the work of this very step.
The algorithm sees errors only. That is what makes a local optimum a trap.""",
    ),
    Scene(
        title="Subtree deletion sets it free",
        run=STUCK,
        branch=RESCUED,
        first=500,
        last=548,
        is_by_accepted=True,
        panels=("caption",),
        captions=(
            SceneCaption(
                500, "From here on a new rule: a whole subtree may be deleted. All else is as before."
            ),
            SceneCaption(
                503, "Iteration 503 deletes x₂ ∧ x₃, half of the tree. Still 3 rows wrong: accepted."
            ),
        ),
        caption="One new rule: iteration 503 deleted half of the tree, still 3 rows wrong."
        " Solved in iteration 548.",
        notes="""\
Time: 3 minutes. Eleven clicks, each to the next change of the tree.
Say the new rule before the first click.
Nothing else has changed: the same seed, the same limit of 4, and the same stuck tree at iteration 500.
Now an inner node can be drawn for deletion, too, so two redundant leaves can go together.
Of 135 mutations 2 get out, with a chance of 2 in 21 per iteration.
After 3 iterations one of them is drawn, and with the room gained 45 more are enough.""",
    ),
    Scene(
        title="How often it gets stuck",
        has_tree=False,
        panels=(),
        text=TABLE_1,
        notes="""\
Time: 2 minutes.
The numbers are the paper's own. A share of 0.008 of 500 runs is 4 runs.
Rare, you may say. But any chance at all of never ending makes the expected time infinite.
And nobody tells you which of your runs it is.""",
    ),
    Scene(
        title="With subtree deletion",
        has_tree=False,
        panels=(),
        text=TABLE_2,
        notes="""\
Time: 2 minutes.
There is no column B any more: no run got stuck.
Read the row of n = 16 from left to right: 544.6 iterations with limit n, 221.0 without a limit.
The price is size: 25.2 leaves instead of 16.0.""",
    ),
    Scene(
        title="Sampling and generalisation",
        run=SAMPLED,
        first=0,
        last=84,
        speed=7.0,
        panels=("caption", "curves"),
        captions=(SceneCaption(0, "50 variables: every iteration looks at 2,000 random rows, not at all."),),
        caption="Iteration 84: no error on 2,000 sampled rows. Of all rows the tree is wrong on about 1 in 910.",
        notes="""\
Time: 3 minutes. It plays by itself for about twelve seconds.
With 50 variables there are 2⁵⁰ rows, too many to look at. Each iteration draws 2,000 of them anew.
The generalisation error is the chance of being wrong on a random row, here about 0.0011.
A sample can deceive: 2 accepted steps, in iterations 73 and 75, made the true error larger.
The tree has 13 leaves and is nowhere near the goal as a formula, and yet it is nearly always right.""",
    ),
    Scene(
        title="Summary",
        has_tree=False,
        panels=(),
        text=SUMMARY,
        notes="""\
Time: 2 minutes.
The lesson is larger than this problem: what a search can reach depends on its steps as much as on its goal.
Hand out the file. Everybody can go back to the stuck tree and try other rules from there.""",
    ),
)


def built() -> Lecture:
    """The lecture with its runs, which are done here and now."""
    first = RunConfig(n=6, limit="2n", deletion="leaf", seed=1)
    bloated = RunConfig(n=12, limit="inf", deletion="leaf", seed=50)
    sampled = RunConfig(
        n=50, limit="inf", deletion="subtree", fitness="sampled", rows=2000, accept_error=0, seed=7
    )
    runs = (
        describe(_run(first, 125)),
        describe(_run(bloated, 179)),
        describe(_run(bloated.replaced(limit="n"), 301)),
        _stuck_and_rescued(),
        describe(_run(sampled, 84)),
        describe(_run(_STUCK_CONFIG, 100)),
    )
    return Lecture(title="Why leaf-only deletion gets stuck", runs=runs, scenes=SCENES)


def _run(config: RunConfig, iterations: int) -> History:
    search, history = RlsGp(config), History(config)
    for _ in range(iterations):
        history.append(search.step())
    return history


def _stuck_and_rescued() -> RunFile:
    config = _STUCK_CONFIG
    stuck = _run(config, 500)
    changes = {"deletion": "subtree"}
    changed = changed_config(config, changes)
    search, rescued = forked(stuck, len(stuck), changed)
    while search.error:
        rescued.append(search.step())
    branches, branch = Branches.of(config).grown(
        0, len(stuck), name=settings_name(changes, len(stuck)), config=changed
    )
    return describe_branches(branches, {0: stuck, branch.id: rescued})
