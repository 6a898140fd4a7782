"""Does a step with a given mutation, chosen by hand or by a script, and judges its offspring as RLS-GP would."""

from contextlib import suppress
from enum import StrEnum
from typing import Any, TypeVar

from gpviz.engine.config import Rules, RunConfig
from gpviz.engine.enums import Function, Operation, Side, Verdict
from gpviz.engine.errors import InvalidValueError, TooComplexError, read_number
from gpviz.engine.mutation import Mutation, apply, is_unchanged, leaves_after
from gpviz.engine.randomness import key_of
from gpviz.engine.sampled_error import make_sampler
from gpviz.engine.step import Step
from gpviz.engine.target import target_for
from gpviz.engine.tree import ROOT, Inner, Leaf, Node, node_at

_Member = TypeVar("_Member", bound=StrEnum)


def check_mutation(config: RunConfig | Rules, tree: Node | None, mutation: Mutation) -> None:
    """Raise `InvalidValueError` for a mutation that HVL-Prime can never draw for this tree."""
    operation, number, variable, function, _ = mutation
    # The empty tree is planted by any operation.
    uses_variable = operation is not Operation.DEL or tree is None
    if uses_variable and not 1 <= variable <= config.n:
        raise InvalidValueError("variable", variable, f"from 1 to {config.n}")
    if operation is Operation.INS and function not in config.functions:
        allowed = " or ".join(Function(each).value.upper() for each in config.functions)
        raise InvalidValueError("function", function.value.upper(), f"{allowed}, as this run has no other")
    if tree is None:
        if number != ROOT:
            raise InvalidValueError("node", number, f"{ROOT}, as the tree is empty")
        return
    if not 1 <= number <= tree.size:
        raise InvalidValueError("node", number, f"from 1 to {tree.size}")
    is_inner = isinstance(node_at(tree, number), Inner)
    if is_inner and operation is Operation.SUB:
        raise InvalidValueError("node", number, "a leaf, as SUB replaces leaves only")
    if is_inner and operation is Operation.DEL and not config.has_subtree_deletion:
        raise InvalidValueError("node", number, "a leaf, as deletion is leaf-only in this run")


def judge(
    config: RunConfig, tree: Node | None, mutation: Mutation, iteration: int, uids: tuple[int, int]
) -> Step:
    """The step of this iteration, had it drawn this mutation for this tree; a sampled run judges it on its rows.

    An insertion gives ``uids`` to its new inner node and its new leaf. Raises `InvalidValueError` for a mutation
    that can never be drawn.
    """
    mutation = _plain(mutation)
    check_mutation(config, tree, mutation)
    if tree is None:
        return _planted(config, mutation, iteration, uids)
    target, sampler = target_for(config.n), make_sampler(config, target_for(config.n))
    key = key_of(config.seed, iteration)
    leaves = leaves_after(tree, mutation)
    is_too_large = config.max_leaves is not None and leaves > config.max_leaves
    is_worse_in_truth = False
    survivor = tree
    if is_too_large or is_unchanged(tree, mutation):
        parent_error = target.error(tree) if sampler is None else sampler.error(key, tree)
        offspring_error = None if is_too_large else parent_error
        verdict = Verdict.TOO_LARGE if is_too_large else Verdict.UNCHANGED
    else:
        offspring = apply(tree, mutation, uids)
        if sampler is None:
            parent_error, offspring_error = target.error(tree), target.error(offspring)
        else:
            parent_error, offspring_error = sampler.errors(key, tree, offspring)
        verdict = _verdict(offspring_error - parent_error)
        if verdict.is_accepted:
            survivor = offspring
            if sampler is not None and offspring.value != tree.value:
                with suppress(TooComplexError):  # RLS-GP itself need not know
                    is_worse_in_truth = target.error(offspring) > target.error(tree)
    error = offspring_error if verdict.is_accepted else parent_error
    return Step(
        iteration,
        *mutation,
        verdict,
        leaves,
        offspring_error,
        parent_error,
        error,
        survivor,
        is_worse_in_truth,
        tree,
    )


def _plain(mutation: Mutation) -> Mutation:
    """A mutation that somebody has made by hand, with plain ints and members of the enumerations in it."""
    operation, node, variable, function, side = mutation
    return Mutation(
        _member("operation", operation, Operation),
        _number("node", node),
        _number("variable", variable),
        _member("function", function, Function),
        _member("side", side, Side),
    )


def _number(field: str, value: object) -> int:
    number = None if isinstance(value, str) else read_number(value)
    if number is None:
        raise InvalidValueError(field, value, "a whole number")
    return number


def _member(field: str, value: Any, members: type[_Member]) -> _Member:
    try:
        return members(value)
    except ValueError:
        raise InvalidValueError(field, value, " or ".join(f"'{member}'" for member in members)) from None


def _verdict(change: int) -> Verdict:
    if change:
        return Verdict.WORSE if change > 0 else Verdict.IMPROVED
    return Verdict.NEUTRAL


def _planted(config: RunConfig, mutation: Mutation, iteration: int, uids: tuple[int, int]) -> Step:
    """An iteration on the empty tree."""
    if mutation.operation is not Operation.INS and config.empty_tree != "any":
        return Step(iteration, *mutation, Verdict.UNCHANGED, 0, None, None, None, None, False, None)
    tree = Leaf(uids[1], mutation.variable)
    sampler = make_sampler(config, target_for(config.n))
    key = key_of(config.seed, iteration)
    error = target_for(config.n).error(tree) if sampler is None else sampler.error(key, tree)
    return Step(iteration, *mutation, Verdict.IMPROVED, 1, error, None, error, tree, False, None)
