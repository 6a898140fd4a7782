"""Finds the state of a tree: whether it can still become better, how, and if not, the proof.

The proof is a breadth-first search over the plateau, the trees that accepted mutations of equal error can reach.
Two facts about AND_n keep it small. Below the limit every tree with an error can be improved, by ANDing some
variable to its root; so only full trees matter, and between full trees only substitutions lead. And flattening
chains and renaming variables (`NormalForms`) changes neither which substitutions are neutral nor
whether some deletion is accepted, so each kind of tree is looked at once. When the search ends without finding a
better tree, there is none.

With subtree deletion, grouping does decide whether a deletion *improves*. But a tree with an OR is left in at most
two steps whatever its grouping, as deleting below an OR is always accepted there, and in a tree without ORs no
deletion improves.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from math import inf
from typing import Final

from gpviz.engine.config import Rules, RunConfig, check_tree, rules_of
from gpviz.engine.enums import Function, Operation, Side, State
from gpviz.engine.errors import TooComplexError
from gpviz.engine.interruption import Effort, ShouldStop, Stopped, checkpoint, stoppable
from gpviz.engine.mutation import Mutation, apply, deletion, error_after, mutation_sites, substitution
from gpviz.engine.prime_implicants import TooMany, masks_of, variables_in
from gpviz.engine.target import Conjunction, target_for
from gpviz.engine.tree import ROOT, Chain, Leaf, Node, chains_of, required_by, variables_of

DEFAULT_BUDGET: Final = 1_000_000
_MUTATIONS_BETWEEN_QUESTIONS: Final = 16
"""A search asks this often whether it should stop: one large tree may have a million mutations."""
_EFFORT_OF_CHAIN: Final = 20
_MOST_FORMS: Final = 100_000


@dataclass(frozen=True, slots=True)
class TreeState:
    """What a tree can still become, with the proof.

    ``plateau_trees`` counts the kinds of trees that were checked. ``way_out`` is a shortest sequence of accepted
    mutations that ends in a better tree, where there is one. ``error`` is None where there is no tree, and where
    counting it takes too long.
    """

    state: State
    error: int | None
    plateau_trees: int = 0
    way_out: tuple[Mutation, ...] = ()
    reason: str = ""

    @property
    def name(self) -> str:
        """SOLVED, CLIMBING, PLATEAU, STUCK or UNDECIDED."""
        return self.state.name


def tree_state(
    tree: Node | None,
    config: RunConfig | Rules,
    budget: int = DEFAULT_BUDGET,
    should_stop: ShouldStop | None = None,
    *,
    counts_error: bool = True,
) -> TreeState:
    """The state of a tree under the rules of a configuration, looking at no more than ``budget`` mutations.

    Below the limit the state is known without the error; ``counts_error=False`` leaves that out.

    ``should_stop`` is asked some hundred times a second; if it says so, the state is UNDECIDED. Raises
    `TooComplexError` for a full tree whose error takes too long to count, as nothing is known of it then.
    """
    rules = rules_of(config)
    check_tree(tree, rules)
    if tree is None:
        first = Mutation(Operation.INS, ROOT, 1, Function.AND, Side.LEFT)
        return TreeState(State.CLIMBING, None, 0, (first,), "Any first leaf is accepted.")
    with stoppable(should_stop):
        try:
            return _state_of_tree(tree, rules, budget, counts_error=counts_error)
        except Stopped:
            return TreeState(
                State.UNDECIDED, None, 0, (), ("The search stopped before the error was counted.")
            )


def _state_of_tree(tree: Node, rules: Rules, budget: int, *, counts_error: bool) -> TreeState:
    target = target_for(rules.n)
    if required_by(tree) == target.rows - 1:
        return TreeState(State.SOLVED, 0, reason="The tree computes the target.")
    if rules.max_leaves is None or tree.leaves < rules.max_leaves:
        way_out = (_improving_insertion(tree, rules),)
        reason = "The tree is below the limit, and ANDing one more variable to its root improves it."
        counted = _error_if_countable(tree, target) if counts_error else None
        return TreeState(State.CLIMBING, counted, 0, way_out, reason)
    error = target.error(tree)
    plateau = _Plateau(rules, target, error, budget, NormalForms())
    try:
        return plateau.examine_sampled(tree) if rules.is_sampled else plateau.explore(tree)
    except Stopped:
        return plateau.undecided()


def has_spare_leaf(tree: Node, config: RunConfig | Rules) -> bool:
    """A quick sign that a tree with an error can be improved: a leaf that may be substituted.

    If a variable is on two leaves that only ANDs separate from the root, one of the two can become a variable that
    the tree does not require yet, and the tree is then true on fewer rows. False says nothing.
    """
    required = 0
    is_twice = False
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, Leaf):
            bit = 1 << (node.variable - 1)
            is_twice = is_twice or bool(required & bit)
            required |= bit
        elif node.function is Function.AND:
            pending += (node.left, node.right)
    if not is_twice:
        return False
    value = tree.value
    if isinstance(value, TooMany):
        return False
    common = -1
    for mask in masks_of(value):
        common &= mask
    return common.bit_count() < config.n


@dataclass(slots=True)
class _Plateau:
    """The search over full trees of equal error: how many were ``checked``, and their normal forms."""

    rules: Rules
    target: Conjunction
    error: int
    budget: int
    forms: "NormalForms"
    mutations_seen: int = 0
    checked: int = 0
    seen_forms: set[int] = field(default_factory=set)

    def explore(self, start: Node) -> TreeState:
        self.seen_forms.add(self.forms.of(start))
        level: list[tuple[Node, tuple[Mutation, ...]]] = [(start, ())]
        while level:
            shrinking: tuple[Node, tuple[Mutation, ...]] | None = None
            next_level: list[tuple[Node, tuple[Mutation, ...]]] = []
            for tree, path in level:
                self.checked += 1
                for mutation, error in self._mutations(tree):
                    self._count_mutation()
                    if error is None or error > self.error:
                        continue
                    if error < self.error:
                        return self._escape((*path, mutation))
                    if mutation.operation is Operation.DEL:
                        shrinking = shrinking or (tree, (*path, mutation))
                    elif shrinking is None:
                        offspring = apply(tree, mutation, (-1, -1))
                        form = self.forms.of(offspring)
                        if form not in self.seen_forms:
                            self.seen_forms.add(form)
                            next_level.append((offspring, (*path, mutation)))
            if shrinking is not None:
                tree, path = shrinking
                smaller = apply(tree, path[-1], (-1, -1))
                growing = _improving_insertion(smaller, self.rules)
                return self._escape((*path, growing))
            level = next_level
        kinds = _count_of_kinds(self.checked)
        reason = f"No better tree can be reached: the plateau has {kinds}, and no way out."
        return TreeState(State.STUCK, self.error, self.checked, (), reason)

    def examine_sampled(self, tree: Node) -> TreeState:
        """The state of a full tree of a sampled run."""
        self.checked = 1
        for mutation, error in self._mutations(tree):
            self._count_mutation()
            if error is not None and error < self.error:
                return self._escape((mutation,))
        reason = "A sample of rows may accept any offspring, so no tree of a sampled run is stuck for good."
        return TreeState(State.UNDECIDED, self.error, 1, (), reason)

    def undecided(self) -> TreeState:
        """The state when the search was stopped or has used up its budget."""
        reason = f"The search stopped after {_count_of_kinds(self.checked)} on the plateau without an answer."
        return TreeState(State.UNDECIDED, self.error, self.checked, (), reason)

    def _count_mutation(self) -> None:
        """Count a mutation; raises `Stopped` if the budget is used up or nobody waits for the answer."""
        if self.mutations_seen % _MUTATIONS_BETWEEN_QUESTIONS == 0:
            checkpoint()
        self.mutations_seen += 1
        if self.mutations_seen > self.budget:
            raise Stopped

    def _escape(self, path: tuple[Mutation, ...]) -> TreeState:
        checked = self.checked
        if len(path) == 1:
            reason = "A single mutation can improve the tree."
            return TreeState(State.CLIMBING, self.error, checked, path, reason)
        reason = f"No single mutation improves the tree, but {len(path)} accepted in a row can."
        return TreeState(State.PLATEAU, self.error, checked, path, reason)

    def _mutations(self, tree: Node) -> Iterator[tuple[Mutation, int | None]]:
        """The deletions and substitutions of a full tree with the errors they lead to.

        Variables in no leaf are alike, so one of them stands for all.
        """
        used = variables_of(tree)
        variables = variables_in(used)
        unused = ~used & (self.target.rows - 1)
        if unused:
            variables.append((unused & -unused).bit_length())
        for site in mutation_sites(tree):
            is_leaf = isinstance(site.node, Leaf)
            if is_leaf or self.rules.has_subtree_deletion:
                mutation = deletion(site.number)
                yield mutation, error_after(tree, site, mutation, self.target)
            if is_leaf:
                for variable in variables:
                    mutation = substitution(site.number, variable)
                    yield mutation, error_after(tree, site, mutation, self.target)


def _improving_insertion(tree: Node, rules: Rules) -> Mutation:
    """An insertion at the root that improves a tree that is not the target.

    ANDing a variable takes away the true rows where it is 0, and there are some if the tree does not require it.
    """
    missing = ~required_by(tree) & ((1 << rules.n) - 1)
    return Mutation(Operation.INS, ROOT, (missing & -missing).bit_length(), Function.AND, Side.RIGHT)


def _error_if_countable(tree: Node, target: Conjunction) -> int | None:
    try:
        return target.error(tree)
    except (TooComplexError, Stopped):
        return None


def _count_of_kinds(count: int) -> str:
    return "1 kind of tree" if count == 1 else f"{count} kinds of trees"


def can_get_stuck(rules: Rules) -> bool:
    """Whether RLS-GP can come to a tree that never becomes better.

    With subtree deletion and a limit of at least n it cannot. A child of an OR can be deleted, as that makes the
    tree true on fewer rows, and then the limit allows an insertion; and a full tree of ANDs that is wrong lacks a
    variable, so it has another one twice, which can become the missing one.
    """
    limit = rules.max_leaves
    if limit is None or rules.is_sampled:
        return False
    return not rules.has_subtree_deletion or limit < rules.n


class StuckWatch:
    """Notices during a run that no better tree can be reached, without slowing it down.

    A tree is examined only after a long wait for an improvement, and again after ever longer waits.
    """

    FIRST_WAIT: Final = 256
    LONGEST_WAIT: Final = 65_536

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._can_get_stuck = can_get_stuck(rules)
        self.wait = self.FIRST_WAIT
        self.next_check: float = inf

    def improved(self, iteration: int) -> None:
        """Hear that the run has found a better tree."""
        if self._can_get_stuck:
            self.wait = self.FIRST_WAIT
            self.next_check = iteration + self.wait

    def is_stuck(self, iteration: int, tree: Node | None) -> bool:
        """Examine the tree of this iteration; whether it is proven to be stuck."""
        if not self._can_get_stuck:
            return False
        self.next_check = iteration + self.wait
        self.wait = min(2 * self.wait, self.LONGEST_WAIT)
        return tree_state(tree, self._rules).state is State.STUCK


class Plateaus:
    """Finds out which full trees are stuck, and searches each plateau only once.

    Neutral substitutions can be undone, so all trees of a plateau share its way out, or have none.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._target = target_for(rules.n)
        self._forms = NormalForms()
        self._is_stuck: dict[int, bool] = {}

    def is_stuck(self, tree: Node) -> bool:
        """Whether a full tree with an error is stuck, as `tree_state` would find."""
        if len(self._is_stuck) > _MOST_FORMS:
            self._forms = NormalForms()
            self._is_stuck.clear()
        form = self._forms.of(tree)
        known = self._is_stuck.get(form)
        if known is None:
            plateau = _Plateau(
                self._rules, self._target, self._target.error(tree), DEFAULT_BUDGET, self._forms
            )
            try:
                known = plateau.explore(tree).state is State.STUCK
            except Stopped:  # without an answer, be it that nobody waits for it
                checkpoint()
                known = False
            self._is_stuck.update(dict.fromkeys(plateau.seen_forms, known))
        return known


class NormalForms:
    """Gives numbers to trees; two trees with the same number behave alike.

    Neither the order of children nor the names of the variables count. By default nor does the grouping of chains,
    which makes no difference to whether a full tree is stuck. It does make one to the chances of a tree, as
    insertions and subtree deletions at inner nodes distinguish x1 (x2 x3) from (x1 x2) x3; ``keeps_grouping`` is
    for those. A few trees that are alike get different numbers, as not every renaming is tried.
    """

    def __init__(self, *, keeps_grouping: bool = False) -> None:
        self._keeps_grouping = keeps_grouping
        self._numbers: dict[Hashable, int] = {}
        self._effort = Effort()

    def of(self, tree: Node) -> int:
        """The number of the tree's normal form."""
        chains = chains_of(tree, keeps_grouping=self._keeps_grouping)
        names: dict[int, int] = {}
        for chain in chains:
            names.update(dict.fromkeys(chain.variables, 0))
        kinds = 1
        while kinds < len(names):
            names = self._refined_names(chains, names)
            if len(set(names.values())) == kinds:
                break
            kinds = len(set(names.values()))
        return self._codes(chains, self._ranked(chains, names))[0]

    def _codes(self, chains: list[Chain], names: dict[int, int]) -> list[int]:
        """A number for every chain: two chains have the same one if all below them is the same up to the names."""
        codes = [0] * len(chains)
        for position in range(len(chains) - 1, -1, -1):
            chain = chains[position]
            self._effort.spend(_EFFORT_OF_CHAIN + 4 * len(chain.variables))
            variables = tuple(sorted(names[variable] for variable in chain.variables))
            below = tuple(sorted(codes[child] for child in chain.children))
            codes[position] = self._number((chain.function, variables, below))
        return codes

    def _refined_names(self, chains: list[Chain], names: dict[int, int]) -> dict[int, int]:
        """New names: variables that occur in different surroundings get different ones."""
        codes = self._codes(chains, names)
        around = [0] * len(chains)
        where: dict[int, list[int]] = {variable: [] for variable in names}
        for position, chain in enumerate(chains):
            above = 0 if chain.parent is None else around[chain.parent]
            around[position] = self._number(("around", above, codes[position]))
            for variable in chain.variables:
                where[variable].append(around[position])
        return {
            variable: self._number(("name", names[variable], tuple(sorted(surroundings))))
            for variable, surroundings in where.items()
        }

    def _ranked(self, chains: list[Chain], names: dict[int, int]) -> dict[int, int]:
        """Names 0, 1, ... in an order that follows from the structure, where that distinguishes the variables."""
        codes = self._codes(chains, names)
        first_seen: dict[int, int] = {}
        pending = [0]
        while pending:
            chain = chains[pending.pop()]
            for variable in sorted(chain.variables, key=lambda variable: names[variable]):
                first_seen.setdefault(variable, len(first_seen))
            pending += sorted(chain.children, key=lambda child: codes[child])
        order = sorted(names, key=lambda variable: (names[variable], first_seen[variable]))
        return {variable: rank for rank, variable in enumerate(order)}

    def _number(self, thing: Hashable) -> int:
        return self._numbers.setdefault(thing, len(self._numbers))


class StableForms(NormalForms):
    """Normal forms whose numbers, of 64 bits, are the same in every program, whatever other trees it has seen.

    They remember nothing. That two different kinds of trees have the same number is as good as impossible.
    """

    def _number(self, thing: Hashable) -> int:
        return int.from_bytes(blake2b(repr(thing).encode(), digest_size=8).digest(), "little")
