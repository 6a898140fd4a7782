"""The words of the banner: what a step tried and what came of it, or that the tree is stuck or solved."""

from typing import Final

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.engine import UNICODE, Leaf, State, Verdict
from gpviz.explain.moment import Moment
from gpviz.explain.step_text import VERDICT_SYMBOLS, head_and_text, verdict_and_step, wrong_rows_text
from gpviz.number_text import counted, number_text, rows_text
from gpviz.picture.picture import Banner
from gpviz.picture.verdict_badge import OPEN_COLOUR, OPEN_SYMBOL, VERDICT_COLOURS

_FIRST_CUT: Final = 5
"""With so many variables the target is written with its first and its last one only."""


def banner_of(moment: Moment, analysis: Analysis | None, *, has_notes: bool = False) -> Banner | None:
    """What is to be said of a moment; nothing where there is a tree without its step.

    ``has_notes`` says that the leaves of a stuck tree tell why they stay.
    """
    step = moment.step
    if step is not None and moment.is_verdict_hidden:
        return Banner(*verdict_and_step(moment), OPEN_COLOUR, OPEN_SYMBOL)
    if analysis is not None and not moment.is_preview:
        if analysis.state.state is State.STUCK:
            return _stuck(moment, analysis, has_notes=has_notes)
        if analysis.state.state is State.SOLVED:
            more = f"{_step_before(moment)}It is right on all {rows_text(moment.config.n)} rows."
            return Banner("The tree computes the target.", "", "solved", more=more, state="SOLVED")
    if is_goal_reached(moment):
        return _good_enough(moment)
    if step is not None:
        head, text = verdict_and_step(moment)
        return Banner(head, text, VERDICT_COLOURS[step.verdict], VERDICT_SYMBOLS[step.verdict])
    return None if moment.iteration else Banner("The start", f"{_start(moment)}; {_goal(moment)}", "muted")


def is_goal_reached(moment: Moment) -> bool:
    """Whether a run that does not look for the target itself has found what it looks for."""
    config = moment.config
    error = moment.error if moment.step is None else moment.step.error
    is_told = not moment.is_preview and not moment.is_verdict_hidden
    is_easier = config.is_sampled or config.accept_error > 0
    return is_easier and is_told and moment.tree is not None and config.is_solved(error)


def _good_enough(moment: Moment) -> Banner:
    config, step = moment.config, moment.step
    error = moment.error if step is None else step.error
    if config.rows is None:
        wrong = counted(error or 0, "row", "no")
    else:
        number = number_text(error) if error else "none"
        wrong = f"{number} of the {counted(config.rows, 'sampled row')}"
    head = f"Good enough: {wrong} {'are' if (error or 0) > 1 else 'is'} wrong"
    if config.accept_error:
        head += f", and {number_text(config.accept_error)} may be"
    return Banner(f"{head}.", "", "solved", more=_step_before(moment).strip(), state="DONE")


def _start(moment: Moment) -> str:
    if moment.tree is None:
        return "the empty tree"
    leaves = counted(moment.tree.leaves, "leaf")
    error = moment.error
    return leaves if error is None else f"{leaves}, {wrong_rows_text(None, error, moment.config)}"


def _goal(moment: Moment) -> str:
    """The target, which nothing else in the picture names."""
    n = moment.config.n
    names = [UNICODE.variable(number) for number in range(1, n + 1)]
    product = names if n < _FIRST_CUT else [names[0], "…", names[-1]]
    return f"the target is {' ∧ '.join(product)}"


def _step_before(moment: Moment) -> str:
    """What the step tried, as a sentence before others."""
    return "" if moment.step is None else f"{head_and_text(*verdict_and_step(moment))}. "


def _stuck(moment: Moment, analysis: Analysis, *, has_notes: bool) -> Banner:
    more = []
    if moment.step is not None and moment.step.verdict is Verdict.IMPROVED:
        more.append("This step was the last improvement.")
    more.append(_proven(analysis))
    error, enough = analysis.state.error, analysis.rules.accept_error
    if error is not None and error <= enough:
        more.append(f"The run accepts an error of at most {number_text(enough)}.")
    if has_notes:
        more.append("Below each leaf: how many more rows are wrong if it is deleted or changed.")
    if moment.step is not None and moment.step.verdict is not Verdict.IMPROVED:
        more.append(_step_before(moment).strip())
    return Banner(_dead_end(analysis), "", "stuck", more=" ".join(more), state="STUCK")


def _proven(analysis: Analysis) -> str:
    """What was looked at to know it."""
    trees = analysis.state.plateau_trees
    if trees > 1:
        return f"Proved: it can become {number_text(trees)} trees up to symmetry, and none has a way out."
    assert analysis.tree is not None
    is_known = len(analysis.reasons) == analysis.tree.leaves
    if is_known and all(reason.substitution != 0 for reason in analysis.reasons.values()):
        return "Proved: nothing else can come of it."
    return "Proved: all that it can become is the same up to symmetry."


def _dead_end(analysis: Analysis) -> str:
    """Why no change helps. The tree is full, so every insertion is too large."""
    tree, reasons = analysis.tree, analysis.reasons
    assert tree is not None
    if len(reasons) < tree.leaves:
        return "A dead end: no accepted changes, however many, improve it."
    if isinstance(tree, Leaf):
        return "A dead end: every change makes it too large, or leads to trees just as stuck."
    if any(reason.substitution == 0 for reason in reasons.values()):
        return "A dead end: every change makes it worse or too large, or leads to trees just as stuck."
    return "A dead end: every change makes it worse or too large, or changes nothing."
