"""The words of the banner: what a step tried and what came of it, or that the tree is stuck or solved."""

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.engine import Leaf, State, Verdict
from gpviz.explain.moment import Moment
from gpviz.explain.step_text import VERDICT_SYMBOLS, head_and_text, verdict_and_step, wrong_rows_text
from gpviz.number_text import counted, number_text, rows_text
from gpviz.picture.picture import Banner
from gpviz.picture.verdict_badge import OPEN_COLOUR, OPEN_SYMBOL, VERDICT_COLOURS


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
    if step is not None:
        head, text = verdict_and_step(moment)
        return Banner(head, text, VERDICT_COLOURS[step.verdict], VERDICT_SYMBOLS[step.verdict])
    return None if moment.iteration else Banner("The start", _start(moment), "muted")


def _start(moment: Moment) -> str:
    if moment.tree is None:
        return "the empty tree"
    leaves = counted(moment.tree.leaves, "leaf")
    error = moment.error
    return leaves if error is None else f"{leaves}, {wrong_rows_text(None, error, moment.config)}"


def _step_before(moment: Moment) -> str:
    """What the step tried, as a sentence before others."""
    return "" if moment.step is None else f"{head_and_text(*verdict_and_step(moment))}. "


def _stuck(moment: Moment, analysis: Analysis, *, has_notes: bool) -> Banner:
    more = []
    if moment.step is not None and moment.step.verdict is Verdict.IMPROVED:
        more.append("It improved, and it was the last improvement.")
    trees = counted(analysis.state.plateau_trees, "tree")
    more.append(f"Proved: {trees} up to symmetry, and no way out.")
    error, enough = analysis.state.error, analysis.rules.accept_error
    if error is not None and error <= enough:
        more.append(f"The run accepts an error of at most {number_text(enough)}.")
    if has_notes:
        more.append("Below each leaf: what deleting it and what changing it costs, in more wrong rows.")
    if moment.step is not None and moment.step.verdict is not Verdict.IMPROVED:
        more.append(_step_before(moment).strip())
    return Banner(_dead_end(analysis), "", "stuck", more=" ".join(more), state="STUCK")


def _dead_end(analysis: Analysis) -> str:
    """Why no change leads on. The tree is full, so every insertion is too large."""
    tree, reasons = analysis.tree, analysis.reasons
    assert tree is not None
    if len(reasons) < tree.leaves:
        return "A dead end: no accepted changes, however many, improve it."
    if isinstance(tree, Leaf):
        return "A dead end: every change makes it too large, or leads to trees just as stuck."
    if any(reason.substitution == 0 for reason in reasons.values()):
        return "A dead end: every change makes it worse or too large, or leads to trees just as stuck."
    return "A dead end: every change makes it worse or too large, or changes nothing."
