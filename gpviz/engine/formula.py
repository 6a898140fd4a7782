"""Reads and writes formulas: ``(x1 & x2) | x3`` to a tree and back, and the simplified form of a function."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gpviz.engine.enums import Function
from gpviz.engine.errors import FormulaError, InvalidValueError, shown, whole_number
from gpviz.engine.interruption import Effort
from gpviz.engine.prime_implicants import Implicants, TooMany, masks_of, variables_in
from gpviz.engine.tree import Leaf, Node, infix, make_inner
from gpviz.engine.true_row_count import Terms
from gpviz.number_text import SUBSCRIPTS

MAX_LENGTH: Final = 1_000_000
MAX_VARIABLE: Final = 1000

_PLAIN_DIGITS: Final = str.maketrans(SUBSCRIPTS, "0123456789")
_TOKEN: Final = re.compile(
    r"""\s*(?:
      (?P<variable> [xX] _? (?: \{\s*(?P<braced>[0-9]+)\s*\} | (?P<digits>[0-9]+ | [₀₁₂₃₄₅₆₇₈₉]+) ) )
    | (?P<and> && | & | \* | · | ∧ | \\land\b | \\wedge\b | (?i:and)\b )
    | (?P<or>  \|\| | \| | \+ | ∨ | \\lor\b | \\vee\b | (?i:or)\b )
    | (?P<open> \( )
    | (?P<close> \) )
    )""",
    re.VERBOSE,
)
_BINDS: Final = {Function.AND: 2, Function.OR: 1}
_EFFORT_OF_TOKEN: Final = 10


@dataclass(frozen=True, slots=True)
class Style:
    """How a formula is written."""

    conjunction: str
    disjunction: str
    before_index: str
    after_index: str
    has_subscripts: bool

    def variable(self, variable: int) -> str:
        """The name of a variable."""
        digits = str(variable)
        if self.has_subscripts:
            digits = "".join(SUBSCRIPTS[int(digit)] for digit in digits)
        return f"{self.before_index}{digits}{self.after_index}"

    def function(self, function: Function) -> str:
        """The symbol of a function."""
        return self.conjunction if function is Function.AND else self.disjunction


ASCII: Final = Style("&", "|", "x", "", has_subscripts=False)
UNICODE: Final = Style("∧", "∨", "x", "", has_subscripts=True)
LATEX: Final = Style(r"\land", r"\lor", "x_{", "}", has_subscripts=False)


def parse(text: str, n: int | None = None) -> Node:
    """The tree of a formula; AND binds tighter than OR, chains group to the left.

    With ``n`` given, a variable beyond ``x_n`` is refused. Raises `FormulaError` with the column.
    """
    if not isinstance(text, str):
        raise InvalidValueError("formula", text, "a text such as 'x1 & (x2 | x3)'")
    if n is not None:
        n = whole_number("n", n, 1, MAX_VARIABLE)
    if len(text) > MAX_LENGTH:
        raise InvalidValueError(
            "formula", f"{text[:20]}...", f"at most {MAX_LENGTH} characters long, not {len(text)}"
        )
    operands: list[Node] = []
    waiting: list[tuple[Function | None, int]] = []  # functions, and None for an open parenthesis
    next_uid = 0
    wants_operand = True
    position = 0
    end = len(text.rstrip())
    effort = Effort()
    while position < end:
        effort.spend(_EFFORT_OF_TOKEN)
        match = _TOKEN.match(text, position)
        if match is None:
            raise _unreadable(text, position)
        kind = _kind(match)
        column = match.start(kind) + 1
        position = match.end()
        if wants_operand and kind in ("and", "or", "close"):
            found = shown(text[column - 1 : position])
            raise FormulaError(f"expected a variable or '(' but found {found}", column)
        if not wants_operand and kind in ("variable", "open"):
            found = shown(text[column - 1 : position])
            raise FormulaError(f"expected '&', '|' or ')' but found {found}", column)
        if kind == "variable":
            operands.append(Leaf(next_uid, _variable(match, column, n)))
            next_uid += 1
            wants_operand = False
        elif kind == "open":
            waiting.append((None, column))
        elif kind == "close":
            while waiting and waiting[-1][0] is not None:
                _reduce(operands, waiting, next_uid)
                next_uid += 1
            if not waiting:
                raise FormulaError("this ')' closes nothing", column)
            waiting.pop()
        else:
            function = Function(kind)
            while waiting and _binds_first(waiting[-1][0], function):
                _reduce(operands, waiting, next_uid)
                next_uid += 1
            waiting.append((function, column))
            wants_operand = True
    if wants_operand:
        problem = "expected a variable or '(' but the formula ends"
        raise FormulaError(problem if end else "the formula is empty", end + 1)
    while waiting:
        if waiting[-1][0] is None:
            raise FormulaError("this '(' is never closed", waiting[-1][1])
        _reduce(operands, waiting, next_uid)
        next_uid += 1
    return operands.pop()


def format_formula(tree: Node | None, style: Style = ASCII) -> str:
    """The tree as text that parses back to an equal tree; the empty tree is the empty text."""
    return "" if tree is None else infix(tree, style.variable, style.function)


def simplified(tree: Node | None, style: Style = ASCII) -> str:
    """The tree's function in its simplest form.

    That is the OR of its prime implicants with the common variables in front. A function with too many of
    them is written as the tree reads once chains are flattened and repeats dropped.
    """
    if tree is None:
        return ""
    if isinstance(tree.value, TooMany):
        terms = Terms()
        return _format_term(terms, terms.of_tree(tree), style)
    return format_function(tree.value, style)


def format_function(function: Implicants, style: Style = ASCII) -> str:
    """A function as the variables all its prime implicants share, times the OR of the rest."""
    if isinstance(function, TooMany):
        raise ValueError("a function with too many prime implicants has no such form")
    masks = sorted(masks_of(function), key=lambda mask: (mask.bit_count(), variables_in(mask)))
    common = masks[0]
    for mask in masks:
        common &= mask
    names = [style.variable(variable) for variable in variables_in(common)]
    if len(masks) == 1:
        return _chain(names, Function.AND, style)
    parts = []
    for mask in masks:
        rest = [style.variable(variable) for variable in variables_in(mask & ~common)]
        product = _chain(rest, Function.AND, style)
        parts.append(product if len(rest) == 1 else f"({product})")
    choice = _chain(parts, Function.OR, style)
    return _chain([*names, f"({choice})"], Function.AND, style) if names else choice


def _chain(parts: Iterable[str], function: Function, style: Style) -> str:
    return f" {style.function(function)} ".join(parts)


def _format_term(terms: Terms, root: int, style: Style) -> str:
    pieces: list[str] = []
    pending: list[int | str] = [root]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        terms.effort.spend(1 + sum(terms.masks[child].bit_count() for child in terms.children[item]))
        function = terms.functions[item]
        if function is None:
            pieces.append(style.variable(terms.masks[item].bit_length()))
            continue
        children = sorted(
            terms.children[item],
            key=lambda child: (not terms.is_variable(child), variables_in(terms.masks[child]), child),
        )
        pending.append("" if item == root else ")")
        for position, child in enumerate(reversed(children)):
            pending += [f" {style.function(function)} ", child] if position else [child]
        pending.append("" if item == root else "(")
    return "".join(pieces)


def _kind(match: re.Match[str]) -> str:
    return next(kind for kind in ("variable", "and", "or", "open", "close") if match[kind])


def _unreadable(text: str, position: int) -> FormulaError:
    while text[position].isspace():
        position += 1
    word = re.match(r"\w+|.", text[position : position + 40], re.DOTALL)
    assert word is not None
    return FormulaError(
        f"{shown(word[0])} is not part of a formula; use x1, x2, ..., &, |, ( and )", position + 1
    )


def _variable(match: re.Match[str], column: int, n: int | None) -> int:
    digits = (match["braced"] or match["digits"]).translate(_PLAIN_DIGITS).lstrip("0")
    largest = MAX_VARIABLE if n is None else n
    if not digits or len(digits) > len(str(MAX_VARIABLE)) or int(digits) > largest:
        raise FormulaError(
            f"{shown(match['variable'])} is not a variable; they go from x1 to x{largest}", column
        )
    return int(digits)


def _binds_first(waiting: Function | None, function: Function) -> bool:
    return waiting is not None and _BINDS[waiting] >= _BINDS[function]


def _reduce(operands: list[Node], waiting: list[tuple[Function | None, int]], uid: int) -> None:
    function, _ = waiting.pop()
    assert function is not None
    right = operands.pop()
    left = operands.pop()
    operands.append(make_inner(uid, function, left, right))
