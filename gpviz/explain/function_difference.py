"""What a parent and its offspring compute, and how the two functions differ, in one sentence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from gpviz.engine import UNICODE, Node, TooComplexError
from gpviz.engine.prime_implicants import TooMany, masks_of, support, variables_in, without_absorbed
from gpviz.engine.target import target_for
from gpviz.engine.tree import required_by
from gpviz.explain.moment import Moment
from gpviz.explain.tree_text import function_text
from gpviz.number_text import number_text

_MOST_QUICK: Final = 16
"""Counting the rows of a function with no more prime implicants than that takes no time."""

_LARGEST_QUICK: Final = 2000
_MOST_NAMED: Final = 8


class DifferenceKind(StrEnum):
    """On which rows the offspring's function is true, compared with the parent's."""

    NONE = "none"  # one of the two trees is empty
    SAME = "same"
    FEWER = "fewer"
    MORE = "more"
    DIFFERENT = "different"  # on some more and on some fewer
    UNKNOWN = "unknown"  # it takes too long to find out


@dataclass(frozen=True, slots=True)
class Difference:
    """What became of a function; ``gained`` and ``lost`` are the variables it requires now, and no longer."""

    kind: DifferenceKind
    sentence: str
    gained: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()


class FunctionsText(NamedTuple):
    """What the trees of a step compute, and how the two differ in one sentence; at the start there is one tree."""

    formulas: tuple[str, ...]
    difference: str = ""


def functions_text(moment: Moment) -> FunctionsText:
    """The functions of a moment's parent and offspring; it may take long unless `is_difference_quick`."""
    step, parent, offspring = moment.step, moment.parent, moment.offspring
    if step is None:
        return FunctionsText((f"The tree computes {function_text(moment.tree)}",))
    name = "offspring" if step.is_accepted else "rejected offspring"
    return FunctionsText(
        (f"The parent computes {function_text(parent)}", f"The {name} computes {function_text(offspring)}"),
        difference(parent, offspring, moment.config.n).sentence,
    )


def difference(parent: Node | None, offspring: Node | None, n: int) -> Difference:
    """How the offspring's function differs from the parent's, both over n variables.

    It may take long unless `is_difference_quick`.
    """
    if parent is None or offspring is None:
        return Difference(DifferenceKind.NONE, _with_the_empty_tree(parent, offspring))
    if parent is offspring:
        return Difference(DifferenceKind.SAME, "The same function.")
    before, after = required_by(parent), required_by(offspring)
    gained, lost = after & ~before, before & ~after
    names = tuple(variables_in(gained)), tuple(variables_in(lost))
    try:
        comparison = _Comparison(parent, offspring, n)
    except TooComplexError:
        return Difference(DifferenceKind.UNKNOWN, _uncounted(gained, lost), *names)
    if comparison.kind is DifferenceKind.SAME:
        sentence = "The same function."
    elif comparison.kind is DifferenceKind.FEWER:
        sentence = _narrowed(comparison, gained)
    elif comparison.kind is DifferenceKind.MORE:
        sentence = _widened(comparison, lost)
    else:
        sentence = _moved(comparison, gained, lost)
    return Difference(comparison.kind, sentence, *names)


def is_difference_quick(*trees: Node | None) -> bool:
    """Whether the functions of these are written down and compared within a moment."""
    for tree in trees:
        if tree is not None and (
            tree.leaves > _LARGEST_QUICK
            or isinstance(tree.value, TooMany)
            or len(masks_of(tree.value)) > _MOST_QUICK
        ):
            return False
    return True


class _Comparison:
    """Two functions side by side; raises `TooComplexError` where only counting would tell how they differ."""

    def __init__(self, parent: Node, offspring: Node, n: int) -> None:
        self._trees = parent, offspring
        self._target = target_for(n)
        self.masks: tuple[set[int], set[int]] | None = None
        """The prime implicants of both, where they can be listed."""
        self.forgotten = 0
        if isinstance(parent.value, TooMany) or isinstance(offspring.value, TooMany):
            joint = self._target.joint(parent, offspring)
            is_less, is_more = joint.only_parent > 0, joint.only_offspring > 0
        else:
            self.masks = before, after = set(masks_of(parent.value)), set(masks_of(offspring.value))
            is_less, is_more = not _implies(before, after), not _implies(after, before)
            self.forgotten = support(parent.value) & ~support(offspring.value)
        self.kind = {
            (False, False): DifferenceKind.SAME,
            (True, False): DifferenceKind.FEWER,
            (False, True): DifferenceKind.MORE,
            (True, True): DifferenceKind.DIFFERENT,
        }[is_less, is_more]

    def counts(self, before_them: str = ": ") -> str:
        """The rows in numbers, such as ``: 12 instead of 24``; nothing where counting them takes too long."""
        try:
            old, new = (self._target.error(tree) + 1 for tree in self._trees)
        except TooComplexError:
            return ""
        if number_text(new) != number_text(old):
            return f"{before_them}{number_text(new)} instead of {number_text(old)}"
        if new == old:
            return f"{before_them}{number_text(new)}, as many as before"
        change = number_text(abs(new - old))  # rounded, the two look the same
        return f"{before_them}{change} {'more' if new > old else 'fewer'} than before"


def _with_the_empty_tree(parent: Node | None, offspring: Node | None) -> str:
    if offspring is not None:
        return "Now computes something: the tree before was empty."
    if parent is not None:
        return "Now computes nothing: the tree is empty."
    return "The tree is still empty, and computes nothing."


def _uncounted(gained: int, lost: int) -> str:
    """What is known without counting."""
    if gained and lost:
        return f"Now requires {_names(gained)} instead of {_names(lost)}."
    if gained:
        return f"Now requires {_names(gained)}."
    if lost:
        return f"No longer requires {_names(lost)}."
    return "The difference takes too long to count."


def _narrowed(comparison: _Comparison, gained: int) -> str:
    """True on fewer rows."""
    masks = comparison.masks
    if gained:
        if comparison.forgotten:
            return f"Now requires {_names(gained)}, and {_forgotten(comparison.forgotten)}."
        if masks is not None and masks[1] == _minimal(mask | gained for mask in masks[0]):
            return f"Now also requires {_names(gained)}."
        return f"Now requires {_names(gained)}, and is true on fewer rows{comparison.counts()}."
    if masks is not None and masks[1] < masks[0] and len(masks[0] - masks[1]) == 1:
        (gone,) = masks[0] - masks[1]
        return f"No longer true wherever {_are_one(gone)}."
    if comparison.forgotten:
        return f"True on fewer rows{comparison.counts(', ')}: {_forgotten(comparison.forgotten)}."
    return f"True on fewer rows{comparison.counts()}."


def _widened(comparison: _Comparison, lost: int) -> str:
    """True on more rows."""
    masks = comparison.masks
    new = 0
    if masks is not None and len(masks[1] - masks[0]) == 1:
        (new,) = masks[1] - masks[0]
    if not lost:
        if new:
            return f"Now also true where {_are_one(new)}."
        if comparison.forgotten:
            return f"True on more rows{comparison.counts(', ')}: {_forgotten(comparison.forgotten)}."
        return f"True on more rows{comparison.counts()}."
    if masks is not None and masks[1] == _minimal(mask & ~lost for mask in masks[0]):
        return f"No longer requires {_names(lost)}."
    if new:
        return f"No longer requires {_names(lost)}: now also true where {_are_one(new)}."
    return f"No longer requires {_names(lost)}, and is true on more rows{comparison.counts()}."


def _moved(comparison: _Comparison, gained: int, lost: int) -> str:
    """True on some more rows, and on some fewer."""
    if gained and lost:
        return f"Now requires {_names(gained)} instead of {_names(lost)}."
    if gained:
        return f"Now requires {_names(gained)}, and is true on other rows{comparison.counts()}."
    if lost:
        return f"No longer requires {_names(lost)}, and is true on other rows{comparison.counts()}."
    return f"A different function, true on other rows{comparison.counts()}."


def _forgotten(mask: int) -> str:
    return f"{_names(mask)} {'is' if mask.bit_count() == 1 else 'are'} no longer needed"


def _are_one(mask: int) -> str:
    return f"{_names(mask)} {'is' if mask.bit_count() == 1 else 'are'} 1"


def _names(mask: int) -> str:
    """The variables as one says them: x₁, x₂ and x₃."""
    variables = variables_in(mask)
    names = [UNICODE.variable(variable) for variable in variables[:_MOST_NAMED]]
    if len(variables) > _MOST_NAMED:
        return f"{', '.join(names)} and {len(variables) - _MOST_NAMED:,} more"
    return _joined(names)


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _minimal(masks: Iterable[int]) -> set[int]:
    return set(without_absorbed(masks))


def _implies(narrow: set[int], wide: set[int]) -> bool:
    """Whether the OR of the one set of conjunctions is true on no other rows than that of the other."""
    return narrow <= wide or all(any(mask & each == mask for mask in wide) for each in narrow)
