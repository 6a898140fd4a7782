"""Loads the compiled loop of `RlsGp.run` where numba is installed, and does runs with it.

They are exactly those of the Python engine, several times as fast, for up to `MOST_VARIABLES` variables on the
complete truth table. Loading the loop takes about a second, and compiling it the first time about ten; so it is
loaded when somebody asks for it, or once a process has done so much work that it is worth while (`LOAD_AFTER`,
`COMPILE_AFTER`). Without numba, or with GPVIZ_NO_KERNEL set to anything, the Python engine does everything.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from time import sleep
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.engine.config import Rules, RunConfig
from gpviz.engine.enums import Function
from gpviz.engine.interruption import checkpoint
from gpviz.engine.optional_packages import how_to_get
from gpviz.engine.randomness import roots_of
from gpviz.engine.stuck import Plateaus, StuckWatch, can_get_stuck
from gpviz.engine.tree import Leaf, Node, make_inner, nodes_of

MOST_VARIABLES: Final = 16
MOST_LEAVES: Final = 512
"""The largest tree that its buffers hold; a run whose tree becomes larger is handed back."""
LOAD_AFTER: Final = 100_000
"""A process loads it after so many iterations in Python that the compiled loop could have done."""
COMPILE_AFTER: Final = 300_000
"""The same where it has to be compiled first."""

_SWITCH: Final = "GPVIZ_NO_KERNEL"
_MOST_ITERATIONS: Final = 1 << 60
_QUOTA: Final = 200_000
"""The units of work between two checkpoints, about 10 ms."""
_EVENTS: Final = 1 << 14
_NODES: Final = 2 * MOST_LEAVES
"""The buffers hold this many nodes, and as many truth tables: half of them for the offspring."""
_WAIT_S: Final = 0.02
_MOST_WAITS: Final = 3_000
"""How often it is checked, for a minute, whether another process has compiled it."""

Numbers = npt.NDArray[np.int64]

_lock: Final = threading.Lock()
_local: Final = threading.local()


class _State:
    """The compiled loop of this process, or why there is none."""

    compiled: Any = None
    problem: str | None = None
    compiler: "subprocess.Popen[bytes] | None" = None
    iterations = 0


def status() -> str:
    """Whether the compiled loop is in use, and if not, why, in a sentence."""
    if os.environ.get(_SWITCH):
        return f"The compiled loop is switched off by {_SWITCH}."
    if _State.compiled is not None:
        return "The compiled loop is in use."
    if _State.problem is not None:
        return _State.problem
    if _State.compiler is not None:
        return "The compiled loop is being compiled."
    return how_to_get("fast") if is_missing() else "The compiled loop has not been needed yet."


def is_missing() -> bool:
    """Whether numba is not installed."""
    try:
        return find_spec("numba") is None
    except ValueError:  # it is loaded, and says nothing about itself
        return False


def is_loaded() -> bool:
    """Whether runs can be done with it right now."""
    return _State.compiled is not None and not os.environ.get(_SWITCH)


def load() -> bool:
    """Load it, unless that has been tried before; False if it cannot be loaded, and `status` says why."""
    if os.environ.get(_SWITCH):
        return False
    with _lock:
        if _State.compiled is None and _State.problem is None:
            _load()
    return _State.compiled is not None


def keep_out_of_this_thread() -> None:
    """Never load it in this thread unasked: a window must not freeze for a second."""
    _local.is_kept_out = True


def count_iterations(iterations: int) -> None:
    """Count iterations done in Python that the compiled loop could have done."""
    _State.iterations += iterations


def is_worth_loading(iterations: int = 0) -> bool:
    """Whether it can be used now; loads it if that pays after the counted iterations and so many more."""
    if is_loaded():
        return True
    done = _State.iterations + iterations
    if done < LOAD_AFTER or _State.problem is not None or getattr(_local, "is_kept_out", False):
        return False
    return _is_compiled(may_begin=done >= COMPILE_AFTER) and load()


def _is_compiled(*, may_begin: bool) -> bool:
    """Whether it only needs to be loaded; if not, and ``may_begin``, another process starts to compile it."""
    if os.environ.get(_SWITCH):
        return False
    with _lock:
        if _State.compiler is None and not _is_cached():
            if is_missing():
                _State.problem = how_to_get("fast")
                return False
            if not may_begin:
                return False
            try:
                _State.compiler = _start_compiler()
            except OSError:
                return True  # so it is compiled here
        return _State.compiler is None or _State.compiler.poll() is not None


def _is_cached() -> bool:
    """Whether it has been compiled before and kept in the usual folder; another one is not looked at."""
    return any(Path(__file__).parent.glob("__pycache__/loop.advance-*.nbi"))


def _start_compiler() -> "subprocess.Popen[bytes]":
    """Compile it in a process of its own: that takes long, cannot be interrupted, and would make a window slow."""
    return subprocess.Popen(
        # Without -P it would also load modules from the directory it is started in, which may be anybody's.
        [sys.executable, "-P", "-c", f"from {__name__} import load; load()"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _load() -> None:
    try:
        import numba  # noqa: F401  # it takes half a second
    except ModuleNotFoundError:
        _State.problem = how_to_get("fast")
        return
    except Exception as problem:  # whatever is wrong with it, gpviz goes on without
        _State.problem = f"The compiled loop is not in use; numba cannot be loaded: {_first_line(problem)}"
        return
    reason = ""
    # What was kept may be damaged; and there may be no folder to keep anything in.
    for options in ({"uses_cache": True}, {"uses_cache": True, "is_anew": True}, {"uses_cache": False}):
        try:
            with _one_process_at_a_time():
                _State.compiled = _Compiled(**options)
        except Exception as problem:
            reason = _first_line(problem)
        else:
            return
    _State.problem = f"The compiled loop is not in use; numba fails: {reason}"


def _first_line(problem: Exception) -> str:
    lines = str(problem).strip().splitlines()
    return lines[0] if lines else type(problem).__name__


@contextmanager
def _one_process_at_a_time() -> Iterator[None]:
    """The first process compiles, and the others find what it kept; where files cannot be locked, each compiles.

    So does a process that has waited for a minute: the first one may have been suspended.
    """
    try:
        import fcntl  # not on Windows

        file = _lock_path().open("a")
    except (ImportError, OSError):
        yield
        return
    with file:
        for _ in range(_MOST_WAITS):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                sleep(_WAIT_S)
            except OSError:
                break
        yield


def _lock_path() -> Path:
    return Path(__file__).parent / "__pycache__" / "loop.lock"


class _Compiled:
    """The compiled functions; making it compiles them, or loads them from the cache."""

    def __init__(self, *, uses_cache: bool, is_anew: bool = False) -> None:
        from numba import njit

        from gpviz.engine.compiled import loop

        self.names: Any = loop
        self.advance, self.flatten = (
            self._made(njit, getattr(loop, name), signature, uses_cache=uses_cache, is_anew=is_anew)
            for name, signature in loop.SIGNATURES.items()
        )

    @staticmethod
    def _made(njit: Any, function: Any, signature: str, *, uses_cache: bool, is_anew: bool) -> Any:
        options = {"nogil": True, "error_model": "numpy", "cache": uses_cache}
        if is_anew:
            njit(**options)(function)._cache.flush()
        made = njit(signature, **options)(function)
        if made is function:  # in Python it would be slow, and its numbers would not wrap around
            raise RuntimeError("NUMBA_DISABLE_JIT is set.")
        return made


def can_run(config: RunConfig, start: Node | None, first_uid: int = 0) -> bool:
    """Whether the compiled loop, once it is loaded, can do runs of this configuration from this tree.

    ``first_uid`` is the first uid for insertions, if that is not the next one after the tree's.
    """
    if config.is_sampled or config.n > MOST_VARIABLES or first_uid > _MOST_ITERATIONS:
        return False
    if start is None:
        return True
    return start.leaves <= MOST_LEAVES and max(abs(node.uid) for node in nodes_of(start)) < _MOST_ITERATIONS


class _Buffers:
    """The arrays in which a thread does runs of n variables."""

    def __init__(self, names: Any, n: int) -> None:
        words = max(1, (1 << n) // 64)
        self.nodes = np.zeros((_NODES, names.NODE_COLUMNS), np.int64)
        self.tables = np.empty((_NODES, words), np.uint64)
        self.scratch = np.zeros((names.SCRATCH_ROWS, _NODES), np.int64)
        self.state = np.zeros(names.STATES, np.int64)
        self.flat = np.zeros((_NODES, 2), np.int64)
        self.events = np.zeros((_EVENTS, names.EVENT_COLUMNS), np.int64)
        rows = min(1 << n, 64)
        lows = [
            sum(1 << row for row in range(rows) if row & mask == mask) for mask in range(64)
        ]  # fmt: skip
        self.lows = np.array(lows, np.uint64)


def _take_buffers(names: Any, n: int) -> _Buffers:
    """Buffers that nobody else uses before they are given back."""
    all_buffers: dict[int, _Buffers] = _local.__dict__.setdefault("all_buffers", {})
    return all_buffers.pop(n, None) or _Buffers(names, n)


def _plateaus(rules: Rules) -> Plateaus:
    """The plateaus under these rules that this thread has searched."""
    if getattr(_local, "rules", None) != rules:
        _local.rules, _local.plateaus = rules, Plateaus(rules)
    known: Plateaus = _local.plateaus
    return known


def _flat(tree: Node | None) -> Numbers:
    """The uids and labels of a tree in preorder: of a leaf its variable, of an AND 0, of an OR -1."""
    rows = [
        (node.uid, node.variable if isinstance(node, Leaf) else -int(node.function is Function.OR))
        for node in nodes_of(tree)
    ]
    return np.array(rows, np.int64).reshape(-1, 2)


def _unflat(rows: list[list[int]]) -> Node | None:
    stack: list[Node] = []
    for uid, label in reversed(rows):
        if label > 0:
            stack.append(Leaf(uid, label))
        else:
            left, right = stack.pop(), stack.pop()
            stack.append(make_inner(uid, Function.OR if label else Function.AND, left, right))
    return stack[0] if stack else None


class Progress(NamedTuple):
    """How far a run has come: what `RlsGp` has counted, what its `StuckWatch` knows, and its `RunCounts`."""

    iteration: int
    accepted: int
    improved: int
    ors_accepted: int
    settled_since: int
    next_check: float
    wait: int
    last_improved: int
    has_news: bool
    duplicate_accepted: int
    full_iterations: int


_PROGRESS_STATES: Final = (
    "ITERATION", "ACCEPTED", "IMPROVED", "ACCEPTED_ORS", "SETTLED", "NEXT_CHECK", "WAIT", "LAST_IMPROVED",
    "HAS_NEWS", "DUPLICATES", "FULL_ITERATIONS",
)  # fmt: skip
"""The entries of the loop's state that become the fields of `Progress`, in order."""


class CompiledRuns:
    """Runs from one tree, one for each seed, done piece by piece; the compiled loop must be loaded.

    With a ``progress`` there is one run, which goes on from there. ``out`` gets a row for each run.
    """

    def __init__(
        self,
        config: RunConfig,
        tree: Node | None,
        seeds: Sequence[int],
        *,
        first_uid: int,
        max_iterations: int,
        stop_when_stuck: bool,
        keeps_events: bool,
        keeps_trees: bool,
        progress: Progress | None = None,
    ) -> None:
        self._compiled = _State.compiled
        names = self._names = self._compiled.names
        self._n = config.n
        self._buffers = _take_buffers(names, config.n)
        self._rules = np.zeros(names.RULES, np.int64)
        limit = names.NEVER if config.max_leaves is None else config.max_leaves
        watches = stop_when_stuck and can_get_stuck(config.rules)
        for number, value in (
            (names.VARIABLES, config.n),
            (names.BASE, 3 * config.n * len(config.functions)),
            (names.LIMIT, limit),
            (names.IS_SUBTREE, config.has_subtree_deletion),
            (names.PLANTS_ANY, config.empty_tree == "any"),
            (names.ACCEPT_ERROR, min(config.accept_error, 1 << config.n)),
            (names.MAX_ITERATIONS, min(max_iterations, _MOST_ITERATIONS)),
            (names.CAN_GET_STUCK, watches),
            (names.FIRST_WAIT, StuckWatch.FIRST_WAIT),
            (names.LONGEST_WAIT, StuckWatch.LONGEST_WAIT),
            (names.KEEPS_EVENTS, keeps_events),
            (names.RETURNS_TREES, keeps_trees),
            (names.FIRST_UID, first_uid),
        ):
            self._rules[number] = value
        self._roots = roots_of(seeds)
        self._start = _flat(tree)
        self._plateaus = _plateaus(config.rules) if watches else None
        self.out = np.zeros((len(seeds), names.OUT_COLUMNS), np.int64)
        self._events: list[Numbers] = []
        self.trees: list[Node | None] = []
        self.is_outgrown = False
        """Whether the tree has become too large; then the run under way has to go on in Python."""
        state = self._buffers.state
        state[:] = 0
        state[names.PHASE] = names.PHASE_BEGIN
        if progress is not None:
            self._set_progress(progress)
            self._advance(0)  # so that the tree is there, even if it is stopped before it goes on

    @property
    def finished(self) -> int:
        """How many runs are over."""
        return int(self._buffers.state[self._names.RUN])

    @property
    def is_done(self) -> bool:
        return self.finished == len(self._roots)

    @property
    def tree(self) -> Node | None:
        """The tree of the run under way, or of the last run if that is over."""
        buffers = self._buffers
        root = int(buffers.state[self._names.ROOT])
        count = self._compiled.flatten(buffers.nodes, buffers.scratch, root, buffers.flat)
        return _unflat(buffers.flat[:count].tolist())

    @property
    def progress(self) -> Progress:
        """How far the run under way has come."""
        state = self._buffers.state.tolist()
        progress = Progress._make(state[getattr(self._names, name)] for name in _PROGRESS_STATES)
        return progress._replace(
            has_news=bool(progress.has_news), full_iterations=progress.full_iterations + self._full_lately
        )

    @property
    def error(self) -> int | None:
        """The error of the run under way, or of the last run; None for the empty tree."""
        error = int(self._buffers.state[self._names.ERROR])
        return None if error < 0 else error

    @property
    def _full_lately(self) -> int:
        """How many iterations ago the tree became full; 0 if it is not."""
        names, buffers = self._names, self._buffers
        root = buffers.state[names.ROOT]
        if root < 0 or buffers.nodes[root, names.LEAVES] != self._rules[names.LIMIT]:
            return 0
        return int(buffers.state[names.ITERATION] - buffers.state[names.FULL_SINCE])

    def go_on(self) -> None:
        """Do a piece of the work, of about 10 ms, after a checkpoint."""
        checkpoint()
        names, buffers = self._names, self._buffers
        reason = self._advance(_QUOTA)
        if reason == names.ASKS_IF_STUCK:
            tree = self.tree
            assert self._plateaus is not None
            assert tree is not None
            buffers.state[names.ANSWER] = self._plateaus.is_stuck(tree)
        elif reason == names.TREE_OUTGROWS:
            self.is_outgrown = True
        elif reason == names.RUN_IS_OVER:
            self.trees.append(self.tree)
        elif reason == names.OUT_OF_EVENTS:
            self._keep_events()

    def _advance(self, quota: int) -> int:
        buffers = self._buffers
        reason: int = self._compiled.advance(
            buffers.nodes, buffers.tables, buffers.lows, buffers.scratch, buffers.state, self._rules, self._roots,
            self.out, buffers.events, self._start, quota,
        )  # fmt: skip
        return reason

    def take_events(self, runs: int) -> list[Numbers]:
        """The improvements of this many runs, from the first on."""
        self._keep_events()
        wanted = int(self.out[:runs, -1].sum())
        taken = []
        for events in self._events:
            taken.append(events[:wanted])
            wanted -= len(taken[-1])
        return taken

    def all_events(self) -> list[list[int]]:
        """All improvements, also those of the run under way: iteration, error, and an entry of ``full_at``."""
        self._keep_events()
        return [event for events in self._events for event in events.tolist()]

    def close(self) -> None:
        _local.all_buffers[self._n] = self._buffers

    def _keep_events(self) -> None:
        buffers, names = self._buffers, self._names
        count = int(buffers.state[names.EVENTS])
        if count:
            self._events.append(buffers.events[:count].copy())
            buffers.state[names.EVENTS] = 0

    def _set_progress(self, progress: Progress) -> None:
        names, state = self._names, self._buffers.state
        state[names.PHASE] = names.PHASE_LOOP
        for name, value in zip(_PROGRESS_STATES, progress, strict=True):
            state[getattr(names, name)] = min(value, names.NEVER)
