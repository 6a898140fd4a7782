"""RLS-GP, the loop of Algorithm 1, one iteration at a time.

The random numbers of a run are part of its specification, so that another implementation can give the same
runs bit for bit:

1. Iteration t = 1, 2, ... owns a 64-bit word, its key, which is a function of the run's seed and t
   (`gpviz.engine.randomness`).
2. The mutation is read off a word w, at first the key. With F functions, B = 3 n F, and for a tree of
   k leaves: if w >= 2^64 - (2^64 mod 2 B k (2k - 1)), w is replaced by the words -1, -2, ... of the key's
   SplitMix64 sequence until one is smaller, so that every choice below is exactly uniform. Then
   w mod 3 is the operation (INS, DEL, SUB), (w div 3) mod n the variable less one, (w div 3 n) mod F the
   function (AND, OR). With r = w div B: INS takes node 1 + r mod (2k - 1) in preorder and puts the new leaf
   on the left if (r div (2k - 1)) mod 2 is 0; DEL takes node 1 + r mod (2k - 1) under subtree deletion and
   leaf 1 + r mod k, from the left, under leaf deletion; SUB takes leaf 1 + r mod k. On the empty tree the same is
   read with k = 1 and only operation, variable and function are used.
3. A sampled run draws its rows from the words 1, 2, ... of the key's sequence (`gpviz.engine.sampled_error`). The
   sampler `rows` does it as `gpviz.engine.randomness.columns` says. The sampler `counts` uses
   `gpviz.engine.randomness.binomial`: one number where parent and offspring compute the same or only the parent is
   looked at; otherwise first the rows on which just one of them is wrong, then how many of these are the
   offspring's, then on how many of the other rows both are wrong.
4. With u the largest uid of the start tree, or -1: an insertion in iteration t gives its inner node the uid
   u + 2t - 1 and its leaf u + 2t; so does planting its leaf.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from math import inf
from typing import Any, Final, Self

import gpviz.engine.compiled.runner as kernel
from gpviz.engine.config import RunConfig, check_tree, is_full
from gpviz.engine.enums import Function, Operation, Outcome, Side, Verdict
from gpviz.engine.errors import InvalidValueError, TooComplexError, whole_number
from gpviz.engine.forced_mutation import judge
from gpviz.engine.interruption import checkpoint
from gpviz.engine.mutation import Mutation, fresh_uids
from gpviz.engine.mutation_script import Script, check_script, entry_error
from gpviz.engine.prime_implicants import TooMany, conjoin, disjoin
from gpviz.engine.randomness import WORD, key_blocks, word
from gpviz.engine.sampled_error import make_sampler
from gpviz.engine.step import DRAW_NUMBERS, Result, RunCounts, Step, StepBuffer
from gpviz.engine.stuck import StuckWatch
from gpviz.engine.target import Conjunction, target_for
from gpviz.engine.tree import (
    ROOT,
    Leaf,
    Node,
    close,
    copy_path,
    largest_uid,
    make_insertion,
    make_leaf,
    svg_of,
    update_path,
)

DEFAULT_MAX_ITERATIONS: Final = 1_000_000
_NO_LIMIT: Final = 1 << 62
_PIECE: Final = 5_000
"""A run does at most this many iterations, some hundredths of a second, between two checkpoints."""
_IN_PYTHON: Final = 2_000
"""A run does this many iterations in Python first: handing it over takes as long as some hundred of them."""

# Going through an enumeration takes longer than an iteration, so it is done once.
_OPERATIONS: Final = tuple(Operation)
_FUNCTIONS: Final = tuple(Function)
_SIDES: Final = tuple(Side)
_VERDICTS: Final = tuple(Verdict)
_OUTCOMES: Final = tuple(Outcome)
_VERDICT: Final = Step._fields.index("verdict")
_CHANGING: Final = _VERDICTS[:2]
_UNCHANGED: Final = _VERDICTS.index(Verdict.UNCHANGED)

_PROGRESS_FIELDS: Final = (
    "iteration",
    "tree",
    "error",
    "accepted",
    "improved",
    "ors_accepted",
    "settled_since",
)
"""What `RlsGp.at` needs to go on with a run."""


class RlsGp:
    """A run of RLS-GP on AND_n, from the empty tree or from ``start``.

    With a script its first mutations are carried out as iterations 1, 2, ...; then the run draws its own. What an
    iteration draws does not depend on those before it, so that it is the same with and without a script.

    It is iterable: ``for step in search`` goes on from where the run is, and ends when it is solved. Copies and
    pickles go on from there as well, each on its own.

    ``settled_since`` is the last iteration that improved the error or changed the number of leaves. Since then a
    full tree has only gone through neutral substitutions, each of which can be undone by another; so if it is
    stuck now, it has been since.
    """

    def __init__(self, config: RunConfig, start: Node | None = None, script: Script = ()) -> None:
        check_tree(start, config)
        check_script(script, config)
        self.config = config
        self.start = start
        self.script = script
        self.target = target_for(config.n)
        self.sampler = make_sampler(config, self.target)
        self.first_uid = largest_uid(start) + 1
        self.iteration = 0
        self.tree = start
        self.error = None if start is None or self.sampler else self.target.error(start)
        self.accepted = 0
        self.improved = 0
        self.ors_accepted = 0
        self.settled_since = 0
        self._steps: Iterator[Step] | None = None
        self._buffer: StepBuffer | None = None  # where the steps under way are put
        self._silent_until = 0
        self._quiet_until = 0
        self._reported = 0  # how many improvements the watch over a quiet run has heard of
        self._improvements: list[tuple[int, int]] | None = None
        self._counts: RunCounts | None = None

    @classmethod
    def at(
        cls,
        config: RunConfig,
        start: Node | None,
        *,
        iteration: int,
        tree: Node | None,
        error: int | None,
        accepted: int,
        improved: int,
        ors_accepted: int,
        settled_since: int,
        script: Script = (),
    ) -> Self:
        """A run that has come from ``start`` to this iteration and goes on from there.

        The configuration may differ from the one of the iterations before, as long as it has the same variables
        and measures errors in the same way; then ``settled_since`` is no earlier than the change.
        """
        check_tree(tree, config)
        search = cls(config, script=script)  # a limit that is new need not hold for the start
        search.start = start
        search.first_uid = largest_uid(start) + 1
        search.iteration = iteration
        search.tree = tree
        search.error = error
        search.accepted = accepted
        search.improved = improved
        search.ors_accepted = ors_accepted
        search.settled_since = settled_since
        return search

    def __iter__(self) -> Iterator[Step]:
        while not self.config.is_solved(self.error):
            yield self.step()

    def __reduce__(self) -> tuple[object, ...]:
        progress = {name: getattr(self, name) for name in _PROGRESS_FIELDS}
        return (_at, (self.config, self.start, {**progress, "script": self.script}))

    def __repr__(self) -> str:
        tree = "the empty tree" if self.tree is None else f"{self.tree.leaves} leaves"
        error = "" if self.error is None else f", error {self.error}"
        return f"<RLS-GP on AND_{self.config.n} at iteration {self.iteration}: {tree}{error}>"

    def _repr_svg_(self) -> str:
        return svg_of(self)

    def force(self, mutation: Mutation) -> Step:
        """Do one iteration with this mutation; raises `GpvizError` if it could never be drawn for this tree."""
        iteration, parent = self.iteration + 1, self.tree
        step = judge(self.config, parent, mutation, iteration, fresh_uids(self.first_uid, iteration))
        self._steps = None  # what is under way knows nothing of this iteration
        self.iteration, self.tree, self.error = iteration, step.tree, step.error
        self.accepted += step.is_accepted
        if step.verdict is Verdict.IMPROVED:
            self.improved += 1
            self.settled_since = iteration
        if step.tree is not parent and parent is not None:
            if step.operation is Operation.INS and step.function is Function.OR:
                self.ors_accepted += 1
            if step.leaves != parent.leaves:
                self.settled_since = iteration
        return step

    def step(self) -> Step:
        """Do one iteration."""
        if self.iteration < len(self.script):
            return self._follow_script()
        steps = self._steps
        if steps is None or self._buffer is not None:
            return self._next(None)
        try:
            return next(steps)
        except BaseException:
            self._steps = None  # a generator ends with an error; the run stays where it was
            raise

    def advance(
        self, buffer: StepBuffer, count: int, on_step: Callable[[Step], bool], *, sees_all: bool
    ) -> None:
        """Do up to ``count`` iterations, recorded in the buffer, and stop after one for which ``on_step`` is true.

        ``on_step`` sees every step with ``sees_all``, and otherwise the few that change the tree.
        """
        goal = self.iteration + count
        while self.iteration < min(goal, len(self.script)):
            step = self._follow_script()
            buffer.add(step)
            if (sees_all or step.verdict in _CHANGING) and on_step(step):
                return
        self._silent_until = 0 if sees_all else goal
        while self.iteration < goal:
            step = self._next(buffer)
            if (sees_all or step[_VERDICT] in _CHANGING) and on_step(step):
                return

    def run(
        self,
        *,
        max_iterations: int = DEFAULT_MAX_ITERATIONS,
        stop_when_stuck: bool = False,
        on_step: Callable[[Step], object] | None = None,
        improvements: list[tuple[int, int]] | None = None,
        counts: RunCounts | None = None,
    ) -> Result:
        """Iterate until the error is at most ``accept_error``, or ``max_iterations`` are done in all.

        With ``stop_when_stuck`` the run also ends soon after no better tree can be reached any more, which is
        then proven. ``on_step`` sees every step; if it returns True the run stops after that step. Of each step
        that improved, ``improvements`` gets the iteration with the new error. ``counts`` must be new.
        """
        max_iterations = whole_number("max_iterations", max_iterations, 0, _NO_LIMIT)
        if self.config.is_solved(self.error):
            return self.result(Outcome.SOLVED)
        ended = self._run_script(max_iterations, on_step, improvements)
        if ended is not None:
            return self.result(ended)
        watch = StuckWatch(self.config.rules) if stop_when_stuck else None
        outcome = Outcome.STOPPED
        if watch is not None and watch.is_stuck(self.iteration, self.tree):
            outcome = Outcome.STUCK
        elif self.iteration < max_iterations:
            self._steps = None
            self._improvements = [] if improvements is None else improvements
            self._counts = counts
            try:
                if self.sampler is None and on_step is None:
                    outcome = self._run_quietly(max_iterations, watch)
                else:
                    outcome = self._run(max_iterations, watch, on_step)
            finally:
                self._improvements = self._counts = None
                if counts is not None and is_full(self.tree, self.config):
                    counts.full_iterations += self.iteration - counts.full_since
        return self.result(outcome)

    def result(self, outcome: Outcome) -> Result:
        """The result of the run as it is now, with the given outcome."""
        tree = self.tree
        return Result(
            outcome=outcome,
            iterations=self.iteration,
            error=self.error,
            n=self.config.n,
            leaves=0 if tree is None else tree.leaves,
            ors=0 if tree is None else tree.ors,
            accepted=self.accepted,
            improved=self.improved,
            ors_accepted=self.ors_accepted,
            stuck_since=self.settled_since if outcome is Outcome.STUCK else None,
            tree=tree,
        )

    def _follow_script(self) -> Step:
        """Do one iteration with the script's mutation."""
        mutation = self.script[self.iteration]
        try:
            return self.force(mutation)
        except InvalidValueError as problem:
            raise entry_error(self.iteration + 1, mutation, problem) from problem

    def _run_script(
        self,
        max_iterations: int,
        on_step: Callable[[Step], object] | None,
        improvements: list[tuple[int, int]] | None,
    ) -> Outcome | None:
        """Carry out the rest of the script; returns how the run ended, or None if it goes on.

        A stuck tree does not end it here.
        """
        while self.iteration < min(len(self.script), max_iterations):
            step = self._follow_script()
            if improvements is not None and step.verdict is Verdict.IMPROVED and step.error is not None:
                improvements.append((step.iteration, step.error))
            wants_stop = on_step is not None and on_step(step)
            if self.config.is_solved(step.error):
                return Outcome.SOLVED
            if wants_stop:
                return Outcome.STOPPED
        return None

    def _next(self, buffer: StepBuffer | None) -> Step:
        """The next step to report; all of them are recorded in the buffer, if there is one."""
        if self._steps is None or self._buffer is not buffer:
            if buffer is not None and buffer.last != self.iteration:
                raise ValueError(f"a buffer up to iteration {buffer.last} for a run at {self.iteration}")
            self._buffer = buffer
            self._steps = self._iterate(buffer=buffer)
        try:
            return next(self._steps)
        except BaseException:
            self._steps = None
            if buffer is not None:
                self._catch_up(buffer)
            raise

    def _catch_up(self, buffer: StepBuffer) -> None:
        """Go to the last iteration of the buffer; the tree is still that of the last step that was reported."""
        silent = buffer.last - self.iteration
        if silent:
            columns = buffer.columns
            self.iteration = buffer.last
            self.accepted += columns.verdicts[-silent:].count(_UNCHANGED)
            self.error = columns.parent_errors[-1]

    def _run(
        self,
        max_iterations: int,
        watch: StuckWatch | None,
        on_step: Callable[[Step], object] | None,
    ) -> Outcome:
        is_solved = self.config.is_solved
        is_sampled = self.sampler is not None
        improved = _VERDICTS[0]
        for step in self._iterate():
            iteration, verdict = step[0], step[_VERDICT]
            wants_stop = on_step is not None and on_step(step)
            if (verdict is improved or is_sampled) and is_solved(step.error):
                return Outcome.SOLVED
            if watch is not None:
                if verdict is improved:
                    watch.improved(iteration)
                elif iteration >= watch.next_check and watch.is_stuck(iteration, step.tree):
                    return Outcome.STUCK
            if wants_stop or iteration >= max_iterations:
                break
        return Outcome.STOPPED

    def _run_quietly(self, max_iterations: int, watch: StuckWatch | None) -> Outcome:
        """`_run` where nobody looks on: the watch does not see all improvements, but hears of the last one.

        A long run passes checkpoints, and goes on in the compiled loop where that is possible.
        """
        improvements = self._improvements
        assert improvements is not None
        self._reported = len(improvements)
        is_compilable = kernel.can_run(self.config, None)
        outcome = None
        while outcome is None:
            begun = self.iteration
            outcome = self._run_in_python(max_iterations, watch, improvements, is_compilable=is_compilable)
            if is_compilable:
                kernel.count_iterations(self.iteration - begun)
            if outcome is None:
                outcome = self._run_compiled(max_iterations, watch, improvements)
        return outcome

    def _run_in_python(
        self,
        max_iterations: int,
        watch: StuckWatch | None,
        improvements: list[tuple[int, int]],
        *,
        is_compilable: bool,
    ) -> Outcome | None:
        """How the run ended; None where the compiled loop should go on."""
        is_solved = self.config.is_solved
        begun = self.iteration
        due = _next_look(watch, max_iterations)
        self._quiet_until = min(due, begun + _PIECE)
        for step in self._iterate(is_quiet=True):
            iteration = step.iteration
            is_planting = step.parent_error is None
            if is_solved(step.error):
                return Outcome.SOLVED
            # In between there are only checkpoints: when the watch hears of an improvement decides when it looks.
            if iteration >= due or is_planting:
                if watch is not None:
                    if len(improvements) > self._reported:
                        self._reported = len(improvements)
                        watch.improved(improvements[-1][0])
                    if iteration >= watch.next_check and watch.is_stuck(iteration, step.tree):
                        return Outcome.STUCK
                if iteration >= max_iterations:
                    break
                due = _next_look(watch, max_iterations)
            checkpoint()
            self._quiet_until = min(due, iteration + _PIECE)
            if is_compilable and not is_planting and self._is_for_kernel(iteration - begun):
                return None
        return Outcome.STOPPED

    def _is_for_kernel(self, done: int) -> bool:
        """Whether the compiled loop should go on after so many iterations in Python."""
        if done < _IN_PYTHON or self.tree is None or self.tree.leaves > kernel.MOST_LEAVES // 2:
            return False
        return kernel.can_run(self.config, self.tree, self.first_uid) and kernel.is_worth_loading(done)

    def _run_compiled(
        self, max_iterations: int, watch: StuckWatch | None, improvements: list[tuple[int, int]]
    ) -> Outcome | None:
        """How the run ended; None where the tree has become too large for the compiled loop."""
        counts = RunCounts() if self._counts is None else self._counts
        if is_full(self.tree, self.config):
            counts.full_iterations += self.iteration - counts.full_since
        has_news = len(improvements) > self._reported
        progress = kernel.Progress(
            self.iteration, self.accepted, self.improved, self.ors_accepted, self.settled_since,
            inf if watch is None else watch.next_check, 0 if watch is None else watch.wait,
            improvements[-1][0] if has_news else 0, has_news, counts.duplicate_accepted, counts.full_iterations,
        )  # fmt: skip
        runs = kernel.CompiledRuns(
            self.config,
            self.tree,
            [self.config.seed],
            first_uid=self.first_uid,
            max_iterations=max_iterations,
            stop_when_stuck=watch is not None,
            keeps_events=True,
            keeps_trees=False,
            progress=progress,
        )
        try:
            while not (runs.is_done or runs.is_outgrown):
                runs.go_on()
        finally:
            progress, self.tree, self.error = runs.progress, runs.tree, runs.error
            self.iteration, self.accepted, self.improved, self.ors_accepted, self.settled_since = progress[:5]
            for iteration, error, full, was_full in runs.all_events():
                improvements.append((iteration, error))
                counts.full_at.append((full, bool(was_full)))
            self._reported = len(improvements) - progress.has_news
            if watch is not None:
                watch.next_check, watch.wait = progress.next_check, progress.wait
            counts.duplicate_accepted = progress.duplicate_accepted
            counts.full_iterations, counts.full_since = progress.full_iterations, progress.iteration
            runs.close()
        return _OUTCOMES[runs.out[0, 0]] if runs.is_done else None

    def _iterate(self, *, is_quiet: bool = False, buffer: StepBuffer | None = None) -> Iterator[Step]:
        """The iterations after the present one.

        A quiet run reports, once there is a tree, only an iteration with an acceptable error and the one at
        ``_quiet_until``. Nobody sees the trees in between, so they are changed in place. With a buffer all
        iterations are recorded there, and those before ``_silent_until`` that do not change the tree are not
        reported besides.

        This is the innermost loop of the program: it is one function, holds what it needs in local variables,
        and finds an offspring's Boolean function by climbing from the mutated node towards the root, which ends
        where a function stays what it was. An offspring is only built when it is accepted, or sampled.
        """
        config = self.config
        sampler = self.sampler
        target = self.target
        errors = target.errors
        first_uid = self.first_uid
        improvements = self._improvements
        counts = self._counts
        accept_error = config.accept_error
        limit = _NO_LIMIT if config.max_leaves is None else config.max_leaves
        is_subtree = config.has_subtree_deletion
        choices = _choices(config.n, len(config.functions))
        base = len(choices)
        INS, DEL, SUB = _OPERATIONS
        AND, OR = _FUNCTIONS
        IMPROVED, NEUTRAL, UNCHANGED, WORSE, TOO_LARGE = range(len(_VERDICTS))
        sides, verdicts = _SIDES, _VERDICTS
        iteration = self.iteration
        tree: Any = self.tree
        error: Any = self.error
        accepted, improved, ors_accepted = self.accepted, self.improved, self.ors_accepted
        settled_since = self.settled_since
        make_step: Any = tuple.__new__  # half the cost of a call with all the fields
        inserted: Any = None
        parent: Any = None
        old: Any = None
        replaced: Any = None

        blocks = key_blocks(config.seed, iteration + 1)
        keys = chain.from_iterable(blocks if sampler is None else map(sampler.prepare, blocks))
        while tree is None:
            iteration += 1
            step = self._plant(iteration, next(keys))
            tree, error, accepted, improved = self.tree, self.error, self.accepted, self.improved
            settled_since = self.settled_since
            if buffer is not None:
                buffer.add(step)
            if improvements is not None and error is not None:
                improvements.append((iteration, error))
                if counts is not None:
                    counts.full_at.append((0, False))
                    counts.full_since = iteration
            yield step
        leaves, size = tree.leaves, tree.size
        full_at: Any = None if counts is None else counts.full_at
        occurrences: Any = None  # on how many leaves each variable stands, where things are counted
        if counts is not None:
            counts.full_since = iteration
            occurrences = [0] * (config.n + 1)
            if leaves == 1:
                occurrences[tree.variable] = 1
            else:
                _count_leaves(occurrences, tree, 1)
        fair: Any = WORD - WORD % (2 * base * leaves * size)
        fairs = {leaves: fair}
        true_error_grew = False
        record: Any = None if buffer is None else buffer.numbers.extend
        change: Any = None if buffer is None else buffer.trees.append
        silent_until, quiet_until = self._silent_until, self._quiet_until if is_quiet else 0

        for key in keys:
            iteration += 1
            draw = key if key < fair else _fair_word(key, fair)
            operation, variable, function, drawn = choices[draw % base]
            before = tree
            draw //= base
            side = 0
            node = tree
            path: list[Any] = []  # from the root to the mutated node
            value: Any = None  # stays None where the offspring equals its parent, or is too large

            # Go to the chosen node, and find the function that replaces its own.
            if operation is INS:
                node_index = index = draw % size
                side = draw // size & 1
                new_leaves = leaves + 1
                if new_leaves <= limit:
                    while index:
                        left = node.left
                        after_left = 2 * left.leaves
                        if index < after_left:
                            index -= 1
                            path.append((node, node.right))
                            node = left
                        else:
                            index -= after_left
                            path.append((node, left))
                            node = node.right
                    old = node.value
                    if function is OR:
                        value = disjoin(old, 1 << (variable - 1))
                    elif type(old) is int:
                        value = old | 1 << (variable - 1)
                    else:
                        value = conjoin(old, 1 << (variable - 1))
                    inserted = value
            else:
                new_leaves = leaves
                if operation is DEL and is_subtree:
                    node_index = index = draw % size
                    while index:
                        left = node.left
                        after_left = 2 * left.leaves
                        if index < after_left:
                            index -= 1
                            path.append((node, node.right))
                            node = left
                        else:
                            index -= after_left
                            path.append((node, left))
                            node = node.right
                else:
                    index = draw % leaves
                    node_index = 2 * index
                    while node.leaves > 1:
                        left = node.left
                        if index < left.leaves:
                            node_index += 1
                            path.append((node, node.right))
                            node = left
                        else:
                            index -= left.leaves
                            path.append((node, left))
                            node = node.right
                replaced = node
                if operation is SUB:
                    if node.variable != variable:
                        value = 1 << (variable - 1)
                        old = None
                elif path:
                    new_leaves -= node.leaves
                    parent, node = path.pop()
                    value = node.value
                    old = parent.value

            if value is None:
                if sampler is not None:
                    error = sampler.error(key, tree)
                    true_error_grew = False
                parent_error = new_error = error
                if new_leaves > limit:
                    new_error = None
                    verdict = TOO_LARGE
                else:
                    verdict = UNCHANGED
                    accepted += 1
            else:
                # Climb until a function stays what it was, or up to the root.
                values: Any = ()
                is_new_function = value != old
                if is_new_function:
                    values = []
                    for ancestor, sibling in reversed(path):
                        other = sibling.value
                        if ancestor.function is AND:
                            if type(value) is int and type(other) is int:
                                value |= other
                            else:
                                value = conjoin(value, other)
                        else:
                            value = disjoin(value, other)
                        if value == ancestor.value:
                            is_new_function = False
                            break
                        values.append(value)

                # Judge, and build the offspring only where it may be accepted.
                parent_error = error
                new_error = None
                if sampler is None:
                    if not is_new_function:
                        new_error = error
                    else:
                        new_error = errors.get(value)
                        if new_error is None and type(value) is not TooMany:
                            new_error = target.error_of(value)
                if new_error is None or new_error <= error:
                    if operation is INS:
                        uid = first_uid + 2 * iteration - 2
                        node = make_insertion(uid, function, variable, node, not side, inserted, is_quiet)
                    elif operation is SUB:
                        node = make_leaf(node.uid, variable)
                    if is_quiet and new_error is not None:
                        offspring = update_path(path, node, values, new_leaves - leaves)
                    else:
                        offspring = copy_path(path, node, values, new_leaves - leaves)
                    if sampler is not None:
                        parent_error, new_error = sampler.errors(key, tree, offspring)
                        true_error_grew = False
                    elif new_error is None:
                        new_error = target.error(offspring)
                if new_error > parent_error:
                    verdict = WORSE
                    error = parent_error
                else:
                    if new_error == parent_error:
                        verdict = NEUTRAL
                    else:
                        verdict = IMPROVED
                        improved += 1
                        settled_since = iteration
                        if improvements is not None:
                            improvements.append((iteration, new_error))
                            if counts is not None:
                                if leaves == limit:
                                    full = counts.full_iterations + iteration - counts.full_since
                                    full_at.append((full, True))
                                else:
                                    full_at.append((counts.full_iterations, False))
                    accepted += 1
                    if function is OR and operation is INS:
                        ors_accepted += 1
                    if sampler is not None and is_new_function:
                        true_error_grew = _true_error_grew(tree, offspring, target)
                        if true_error_grew and counts is not None:
                            counts.true_error_grew += 1
                    if counts is not None:
                        if operation is not INS:
                            if replaced.leaves == 1:
                                occurrences[replaced.variable] -= 1
                            else:
                                _count_leaves(occurrences, replaced, -1)
                        if operation is not DEL:
                            if occurrences[variable]:
                                counts.duplicate_accepted += 1
                            occurrences[variable] += 1
                    tree = offspring
                    error = new_error
                    if new_leaves != leaves:
                        settled_since = iteration
                        if leaves == limit and counts is not None:
                            counts.full_iterations += iteration - counts.full_since
                        elif new_leaves == limit and counts is not None:
                            counts.full_since = iteration
                        leaves = new_leaves
                        size = 2 * leaves - 1
                        fair = fairs.get(leaves)
                        if fair is None:
                            fair = fairs[leaves] = WORD - WORD % (2 * base * leaves * size)
            if record is not None:
                record((
                    drawn, variable, node_index, side, verdict, new_error, parent_error, true_error_grew,
                ))  # fmt: skip
                if verdict <= NEUTRAL:
                    change(tree)
                elif iteration < silent_until:
                    continue
            elif iteration < quiet_until and error > accept_error:
                continue
            if is_quiet:
                close(tree)
            self.iteration = iteration
            self.tree = tree
            self.error = error
            self.accepted = accepted
            self.improved = improved
            self.ors_accepted = ors_accepted
            self.settled_since = settled_since
            yield make_step(Step, (
                iteration, operation, node_index + 1, variable, function, sides[side], verdicts[verdict],
                new_leaves, new_error, parent_error, error, tree, true_error_grew, before,
            ))  # fmt: skip
            silent_until = self._silent_until
            if is_quiet:
                quiet_until = self._quiet_until

    def _plant(self, iteration: int, key: int) -> Step:
        """An iteration on the empty tree: the drawn variable becomes the root."""
        choices = _choices(self.config.n, len(self.config.functions))
        fair = WORD - WORD % (2 * len(choices))
        draw = key if key < fair else _fair_word(key, fair)
        operation, variable, function, _ = choices[draw % len(choices)]
        verdict = Verdict.UNCHANGED
        self.accepted += 1
        tree: Node | None = None
        error: int | None = None
        if operation is Operation.INS or self.config.empty_tree == "any":
            verdict = Verdict.IMPROVED
            tree = Leaf(fresh_uids(self.first_uid, iteration)[1], variable)
            error = self.sampler.error(key, tree) if self.sampler else self.target.error(tree)
            self.improved += 1
            self.settled_since = iteration
        self.iteration, self.tree, self.error = iteration, tree, error
        leaves = 0 if tree is None else 1
        return Step(
            iteration, operation, ROOT, variable, function, Side.LEFT, verdict,
            leaves, error, None, error, tree, False, None,
        )  # fmt: skip


def _next_look(watch: StuckWatch | None, max_iterations: int) -> int:
    """The next iteration that a quiet run has to report."""
    return max_iterations if watch is None else int(min(watch.next_check, max_iterations))


def _at(config: RunConfig, start: Node | None, progress: dict[str, Any]) -> RlsGp:
    return RlsGp.at(config, start, **progress)


def _count_leaves(occurrences: list[int], subtree: Any, each: int) -> None:
    """Add ``each`` to the count of a leaf's variable, for all leaves of a subtree; its nodes may be open."""
    pending = [subtree]
    while pending:
        node = pending.pop()
        if node.leaves > 1:
            pending += (node.left, node.right)
        else:
            occurrences[node.variable] += each


def _true_error_grew(tree: Node, offspring: Node, target: Conjunction) -> bool:
    """Whether the offspring has the larger error on all rows; False where that takes too long to count."""
    try:
        return target.error(offspring) > target.error(tree)
    except TooComplexError:  # RLS-GP itself need not know, so it goes on
        return False


@lru_cache(maxsize=64)
def _choices(n: int, functions: int) -> list[tuple[Operation, int, Function, int]]:
    """What Algorithm 2 draws in its first line, in the order of the specification above."""
    return [
        (operation, variable, function, DRAW_NUMBERS[operation, function])
        for function in _FUNCTIONS[:functions]
        for variable in range(1, n + 1)
        for operation in _OPERATIONS
    ]


def _fair_word(key: int, fair: int) -> int:
    """The first word below ``fair`` in the sequence key, word -1, word -2, ..."""
    drawn, index = key, 0
    while drawn >= fair:
        index -= 1
        drawn = word(key, index)
    return drawn
