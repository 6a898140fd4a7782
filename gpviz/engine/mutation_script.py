"""Scripts: the mutations that a run carries out in its first iterations instead of drawing them.

A script is written as a person would dictate it, one entry a mutation: ``insert x1``, ``insert or x1 at 1``,
``insert and x2 at 4 right``, ``delete 3``, ``substitute 5 by x2``. Nodes count from 1, the root, in preorder. An
insertion is an AND at the root, on the left, unless it says otherwise; into the empty tree it puts the first leaf.
"""

import re
from collections.abc import Sequence
from typing import Final

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function, Operation, Side
from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.engine.mutation import Mutation, deletion, substitution
from gpviz.engine.tree import ROOT, Node

Script = tuple[Mutation, ...]

MAX_ENTRIES: Final = 10_000
MAX_TEXT_LENGTH: Final = 1_000_000
_LONGEST_ENTRY: Final = 100
_LARGEST_NODE: Final = 2**32
_DIGITS: Final = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_NUMBER: Final = r"([0-9]{1,10})"
_FORMS: Final = {
    "insert": (
        re.compile(rf"insert(?: (and|or))? x{_NUMBER}(?: at {_NUMBER})?(?: (left|right))?"),
        "'insert', 'and' or 'or', a variable, 'at' and the number of a node, and 'left' or 'right', as in"
        " 'insert or x1 at 4 right'",
    ),
    "delete": (re.compile(rf"delete {_NUMBER}"), "'delete' and the number of a node, as in 'delete 3'"),
    "substitute": (
        re.compile(rf"substitute {_NUMBER} by x{_NUMBER}"),
        "'substitute', the number of a leaf, 'by' and a variable, as in 'substitute 5 by x2'",
    ),
}
_BEGINNINGS: Final = "a mutation that begins with 'insert', 'delete' or 'substitute'"
_COMMENT: Final = re.compile(r"#[^\n]*")


def parse_script(source: str | Sequence[object]) -> Script:
    """The script in a text, whose entries are separated by semicolons or line breaks, or in a list of entries.

    In a text, what follows a ``#`` is a comment. Raises `GpvizError` with the number of the entry that is wrong.
    """
    if isinstance(source, str):
        if len(source) > MAX_TEXT_LENGTH:
            raise GpvizError(
                f"script: it has {len(source):,} characters, but at most {MAX_TEXT_LENGTH:,} are allowed."
            )
        entries = re.split(r"[;\n]", _COMMENT.sub("", source))
        source = [entry for entry in entries if entry.strip()]
    _check_length(len(source))
    return tuple(_parsed(number, entry) for number, entry in enumerate(source, start=1))


def parse_mutation(text: str) -> Mutation:
    """The mutation that an entry describes; raises `InvalidValueError` if it describes none."""
    plain = " ".join(text.lower().translate(_DIGITS).split())
    form, allowed = _FORMS.get(plain.partition(" ")[0], (None, _BEGINNINGS))
    found = None if form is None or len(text) > _LONGEST_ENTRY else form.fullmatch(plain)
    if found is None:
        raise InvalidValueError("mutation", text, allowed)
    if plain.startswith("insert"):
        function, variable, node, side = found.groups()
        mutation = Mutation(
            Operation.INS,
            int(node or ROOT),
            int(variable),
            Function(function or "and"),
            Side(side or "left"),
        )
    elif plain.startswith("delete"):
        mutation = deletion(int(found[1]))
    else:
        mutation = substitution(int(found[1]), int(found[2]))
    if not 1 <= mutation.node <= _LARGEST_NODE:
        raise InvalidValueError("node", mutation.node, f"from 1, the root, to {_LARGEST_NODE:,}")
    if not mutation.variable:
        raise InvalidValueError("variable", "x0", "x1 or a later one")
    return mutation


def format_mutation(mutation: Mutation, *, is_first_leaf: bool = False) -> str:
    """The entry that describes a mutation; for the first leaf of a tree it names only the variable."""
    operation, node, variable, function, side = mutation
    if operation is Operation.DEL:
        return f"delete {node}"
    if operation is Operation.SUB:
        return f"substitute {node} by x{variable}"
    if is_first_leaf and mutation == Mutation(Operation.INS, ROOT, variable, Function.AND, Side.LEFT):
        return f"insert x{variable}"
    where = " right" if side is Side.RIGHT else ""
    return f"insert {function.value} x{variable} at {node}{where}"


def format_script(script: Script, start: Node | None) -> list[str]:
    """The entries of a script that is carried out from this tree on."""
    return [
        format_mutation(mutation, is_first_leaf=start is None and not index)
        for index, mutation in enumerate(script)
    ]


def normal_form(mutation: Mutation) -> Mutation:
    """The mutation as a script has it, without what its operation does not use."""
    if mutation.operation is Operation.DEL:
        return deletion(mutation.node)
    if mutation.operation is Operation.SUB:
        return substitution(mutation.node, mutation.variable)
    return mutation


def check_script(script: Script, config: RunConfig) -> None:
    """Refuse, with a sentence, a script that no run with this configuration can carry out, as far as that is known
    without its trees."""
    _check_length(len(script))
    for number, mutation in enumerate(script, start=1):
        if mutation.variable > config.n:
            problem = InvalidValueError("variable", f"x{mutation.variable}", f"from x1 to x{config.n}")
            raise entry_error(number, mutation, problem)
        if mutation.operation is Operation.INS and mutation.function not in config.functions:
            raise entry_error(number, mutation, InvalidValueError("function", "or", "'and' in this run"))


def entry_error(number: int, mutation: Mutation, problem: GpvizError) -> GpvizError:
    """What is wrong with an entry, with its number and text."""
    return GpvizError(f"script, entry {number:,}, '{format_mutation(mutation)}': {problem}")


def _parsed(number: int, entry: object) -> Mutation:
    if not isinstance(entry, str):
        raise InvalidValueError(f"script, entry {number:,}", entry, _BEGINNINGS)
    try:
        return parse_mutation(entry)
    except InvalidValueError as problem:
        if problem.field == "mutation":
            raise InvalidValueError(f"script, entry {number:,}", entry.strip(), problem.allowed) from problem
        raise GpvizError(f"script, entry {number:,}, {shown(entry.strip())}: {problem}") from problem


def _check_length(entries: int) -> None:
    if entries > MAX_ENTRIES:
        raise GpvizError(f"script: it has {entries:,} entries, but at most {MAX_ENTRIES:,} are allowed.")
