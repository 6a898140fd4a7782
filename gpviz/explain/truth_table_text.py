"""The truth table in words: how many rows are wrong, what the step did to them, and which row a cell is."""

from types import MappingProxyType
from typing import Final

from gpviz.engine import UNICODE, Verdict
from gpviz.engine.prime_implicants import variables_in
from gpviz.explain.truth_table import CellClass, RowTable, Witness, is_true_on
from gpviz.number_text import counted, number_text, rows_text

CLASS_WORDS: Final = MappingProxyType(
    {
        CellClass.RIGHT: "right",
        CellClass.WRONG: "wrong",
        CellClass.FIXED: "fixed",
        CellClass.BROKEN: "broken",
        CellClass.BLANK: "no tree yet",
    }
)
"""The classes as a person reads them."""

_MOST_NAMES: Final = 10
_FEW_NAMES: Final = 5
_LARGEST_EXACT_EXPECTATION: Final = 100


def summary_text(table: RowTable) -> str:
    """On how many rows the tree is wrong, and what the step fixed and broke."""
    if table.before is None:
        return "The tree is empty: it computes nothing, so no row is right or wrong."
    if table.counts is None:
        return "Counting the wrong rows takes too long; the grid shows some of them."
    error = number_text(table.error or 0) if table.error else "none"
    text = f"Wrong on {error} of {rows_text(table.grid.n)} rows"
    change = _rows_changed_text(table)
    return f"{text}; {change}." if change else f"{text}."


def class_counts(table: RowTable) -> dict[CellClass, int]:
    """The number of rows in each class that can occur, in the order of a legend."""
    if table.counts is None:
        return {}
    counts = {CellClass.WRONG: table.counts.wrong, CellClass.RIGHT: table.counts.right}
    if table.is_comparison:
        counts |= {CellClass.FIXED: table.counts.fixed, CellClass.BROKEN: table.counts.broken}
    return counts


def scope_text(table: RowTable) -> str:
    """Which rows the cells are."""
    grid = table.grid
    down, across = variables_text(grid.down.variables), variables_text(grid.across.variables)
    sides = f"{down} down, {across} across" if down else f"{across} across"
    text = f"{sides}; neighbours differ in one variable, and top left all are 1."
    fixed = variables_text(tuple(variables_in(grid.fixed)), most=_FEW_NAMES)
    return f"{fixed} are taken as 1. {_capital(text)}" if fixed else _capital(text)


def variables_text(variables: tuple[int, ...], most: int = _MOST_NAMES) -> str:
    """Variables in increasing order, with neighbours drawn together: x₁ … x₅, x₇."""
    runs: list[list[int]] = []
    for variable in variables:
        if runs and runs[-1][-1] == variable - 1:
            runs[-1].append(variable)
        else:
            runs.append([variable])
    parts: list[str] = []
    for run in runs:
        if len(run) > 2:
            parts.append(f"{UNICODE.variable(run[0])} … {UNICODE.variable(run[-1])}")
        else:
            parts += [UNICODE.variable(variable) for variable in run]
    if len(parts) > most:
        kept = parts[: most - 1]
        return f"{', '.join(kept)}, … {parts[-1]}"
    return ", ".join(parts)


def assignment_text(mask: int, n: int) -> str:
    """An assignment by its fewer values: ``x₂, x₅ = 0, the others 1``."""
    ones = mask.bit_count()
    if ones == n:
        return "all variables are 1"
    if not ones:
        return "all variables are 0"
    listed = mask if ones < n - ones else ((1 << n) - 1) & ~mask
    value, other = (1, 0) if listed == mask else (0, 1)
    return (
        f"{variables_text(tuple(variables_in(listed)))} = {value}, {_others(n - listed.bit_count())} {other}"
    )


def cell_text(table: RowTable, mask: int) -> str:
    """What there is to say of a row, with a cell or without."""
    n = table.grid.n
    text = f"{_capital(assignment_text(mask, n))}."
    tree = table.survivor
    if tree is None:
        return text
    wanted = mask == (1 << n) - 1
    is_true = is_true_on(tree, mask)
    text += f" Target {int(wanted)}, tree {int(is_true)}: {'right' if is_true == wanted else 'wrong'}"
    return f"{text}{_change(table, table.class_of(mask))}."


def sample_text(table: RowTable) -> str:
    """What the iteration's own rows were; empty for a run on the complete truth table."""
    config, step, drawn = table.moment.config, table.moment.step, table.drawn
    if config.rows is None:
        return ""
    if step is None:
        return "No rows have been drawn yet."
    if drawn is None:
        return _counts_text(table)
    text = f"This iteration drew {counted(drawn.rows, 'row')}"
    if drawn.outside:
        inside = drawn.rows - drawn.outside
        text += f", {number_text(inside) if inside else 'none'} of them on this grid"
    if not table.is_comparison:
        return f"{text}."
    if step.verdict is Verdict.TOO_LARGE:
        return f"{text}, but the offspring was too large to be tried on them."
    if not drawn.only_parent + drawn.only_offspring:
        return f"{text}; parent and offspring agree on all of them."
    return f"{text}. {_decided(drawn.only_parent, drawn.only_offspring)}"


def witness_text(witness: Witness) -> str:
    """Which of the two is wrong on the row."""
    return "parent wrong" if witness.is_parent_wrong else "offspring wrong"


def _rows_changed_text(table: RowTable) -> str:
    """What became of the rows, as half a sentence."""
    moment, counts = table.moment, table.counts
    step = moment.step
    if counts is None or step is None:
        return ""
    if moment.parent is None:
        return "before this step there was no tree"
    if not counts.fixed and not counts.broken:
        return "this step changed no row" if step.is_accepted else "no row would differ"
    fixed = number_text(counts.fixed) if counts.fixed else "none"
    broken = number_text(counts.broken) if counts.broken else "none"
    if step.verdict is Verdict.TOO_LARGE:
        return f"the offspring, too large to be tried, would have fixed {fixed} and broken {broken}"
    if not step.is_accepted:
        return f"the rejected offspring would have fixed {fixed} and broken {broken}"
    return f"this step fixed {fixed} and broke {broken}"


def _change(table: RowTable, kind: CellClass) -> str:
    if kind not in (CellClass.FIXED, CellClass.BROKEN):
        return ""
    if table.is_offspring_shown:
        return f", {CLASS_WORDS[kind]} by this step"
    return f"; the rejected offspring would have {CLASS_WORDS[kind]} it"


def _decided(only_parent: int, only_offspring: int) -> str:
    """How the drawn rows on which the two differ decided."""
    total = only_parent + only_offspring
    if not only_offspring or not only_parent:
        wrong = "parent" if only_parent else "offspring"
        return f"{number_text(total)} decided: only the {wrong} is wrong on {'it' if total == 1 else 'them'}."
    return (
        f"{number_text(total)} decided: on {number_text(only_parent)} only the parent is wrong, "
        f"on {number_text(only_offspring)} only the offspring."
    )


def _counts_text(table: RowTable) -> str:
    """A run with the sampler `counts` has no rows to show, only how many to expect."""
    config, counts, step = table.moment.config, table.counts, table.moment.step
    assert config.rows is not None
    assert step is not None
    text = "This run draws only how many of its rows are wrong, not the rows themselves"
    if counts is None or not table.is_comparison:
        return f"{text}."
    rows = 1 << config.n
    fixed, broken = (_expected(config.rows * count / rows) for count in (counts.fixed, counts.broken))
    text += (
        f"; of {number_text(config.rows)}, about {fixed} would be wrong for the parent only "
        f"and {broken} for the offspring only"
    )
    if step.parent_error is None or step.offspring_error is None:
        return f"{text}."
    old, new = number_text(step.parent_error), number_text(step.offspring_error)
    return f"{text}. Drawn errors: parent {old}, offspring {new}."


def _expected(number: float) -> str:
    return f"{number:,.0f}" if number >= _LARGEST_EXACT_EXPECTATION else f"{number:.2g}"


def _others(number: int) -> str:
    return "the other" if number == 1 else "the others"


def _capital(text: str) -> str:
    return text if text[0] == "x" else text[0].upper() + text[1:]
