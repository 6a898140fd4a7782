"""Why an offspring was accepted or rejected, in sentences."""

from gpviz.engine import Operation, RunConfig, Step, TooComplexError, Verdict
from gpviz.engine.formula import UNICODE
from gpviz.engine.target import target_for
from gpviz.explain.moment import Moment
from gpviz.explain.step_text import is_on_sample, verdict_word
from gpviz.explain.tree_text import is_difference_quick
from gpviz.number_text import counted, number_text, rows_text


def reason_title(step: Step) -> str:
    """What the sentences are about."""
    if step.verdict is Verdict.UNCHANGED:
        return "Why nothing changed"
    return f"Why it was {'accepted' if step.is_accepted else 'rejected'}"


def reason_text(moment: Moment) -> str:
    """The comparison that decided a moment's step: of the errors, of the rows, or of the leaves with the limit."""
    step, config = moment.step, moment.config
    assert step is not None
    if step.verdict is Verdict.UNCHANGED:
        return _why_unchanged(moment, step)
    if step.verdict is Verdict.TOO_LARGE:
        return (
            f"The offspring would have {counted(step.offspring_leaves, 'leaf')}, and the limit is"
            f" {config.max_leaves:,}. It is rejected without a look at its error."
        )
    if step.parent_error is None or step.offspring_error is None:
        return "The tree was empty, and any first leaf is accepted."
    if is_on_sample(step, config):
        return f"{_compared(step, config)} {_judged_on_sample(step, config)}"
    return " ".join(filter(None, (_compared(step, config), _rows_text(moment), _judged(step))))


def _why_unchanged(moment: Moment, step: Step) -> str:
    if moment.parent is None:
        return f"The empty tree has nothing to {'delete' if step.operation is Operation.DEL else 'change'}."
    if step.operation is Operation.DEL:
        return "Deletion drew the root, which is never deleted: the offspring is the parent."
    return "The leaf got the variable that it had before: the offspring is the parent."


def _compared(step: Step, config: RunConfig) -> str:
    """Both errors, side by side."""
    before, after = step.parent_error or 0, step.offspring_error or 0
    parent, where = "The parent", ""
    if config.rows is not None:
        parent, where = "the parent", f"On this iteration's {counted(config.rows, 'row')} "
    if before == after:
        return f"{where}{parent} and the offspring are both wrong on {_rows(before)}."
    new = number_text(after) if after else "none"
    if new == number_text(before):  # rounded they look the same
        new = f"{number_text(abs(after - before))} {'more' if after > before else 'fewer'}"
    return f"{where}{parent} is wrong on {_rows(before)}, the offspring on {new}."


def _rows(count: int) -> str:
    return counted(count, "row", "no")


def _rows_text(moment: Moment) -> str:
    """Which of the rows that differ are right now, where they are counted within a moment."""
    parent, offspring = moment.parent, moment.offspring
    if parent is None or offspring is None or not is_difference_quick(parent, offspring):
        return ""
    try:
        joint = target_for(moment.config.n).joint(parent, offspring)
    except TooComplexError:
        return ""
    fixed, broken = joint.only_parent, joint.only_offspring
    if not fixed and not broken:
        return "They compute the same function."
    if fixed == broken:
        return f"The mutation corrects {_rows(fixed)} and breaks as many."
    broken_text = number_text(broken) if broken else "none"
    return f"The mutation corrects {_rows(fixed)} and breaks {broken_text}."


def _judged(step: Step) -> str:
    if step.verdict is Verdict.WORSE:
        return "A larger error is always rejected, and the tree stays as it was."
    if step.verdict is Verdict.NEUTRAL:
        return "An equal error is accepted, too: the tree changes and the error does not."
    if not step.offspring_error:
        return "It is right on every row: the tree computes the target."
    return "A smaller error is always accepted."


def _judged_on_sample(step: Step, config: RunConfig) -> str:
    """What the sample said, and where it misled."""
    looks = verdict_word(step.verdict, is_sampled=True)
    sentences = [
        f"It {looks}, so it is {'accepted' if step.is_accepted else 'rejected'}.",
        _pitfalls(step),
    ]
    if step.true_error_grew:
        sentences.append(f"On all {rows_text(config.n)} rows it is worse: the sample misled.")
    return " ".join(filter(None, sentences))


def _pitfalls(step: Step) -> str:
    """Which pitfalls of sampled runs a step fell for, but for a growing error, which has a sentence of its own."""
    names = [f"a copy of {UNICODE.variable(step.variable)}"] * step.duplicate_accepted
    names += ["an OR"] * step.or_accepted
    return f"Pitfall{'s' * (len(names) > 1)}: {' and '.join(names)}." if names else ""
