"""The compiled loop gives the runs of the Python engine, in every field, and nothing depends on it."""

import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gpviz.engine import Function, Leaf, Node, Outcome, RlsGp, RunConfig, parse, search, tree_state
from gpviz.engine.compiled import runner as compiled_runner
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.engine.many_runs import NONE, OUTCOMES, ManyRuns, run_many
from gpviz.engine.step import Result, RunCounts
from gpviz.engine.tree import make_inner, nodes_of
from tests.engine.test_specification import seed_with

SETTINGS = 250
SEEDS = 40


@pytest.fixture(autouse=True)
def _with_kernel():
    assert compiled_runner.load(), compiled_runner.status()


def random_tree(draw: random.Random, n: int, leaves: int) -> Node:
    """A tree of any shape, with uids that follow no rule."""
    if leaves == 1:
        return Leaf(draw.randrange(1000), draw.randint(1, n))
    left = draw.randint(1, leaves - 1)
    function = Function.OR if draw.random() < 0.3 else Function.AND
    return make_inner(
        draw.randrange(1000), function, random_tree(draw, n, left), random_tree(draw, n, leaves - left)
    )


def random_case(draw: random.Random, n: int) -> tuple[RunConfig, Node | None, dict[str, Any]]:
    config = RunConfig(
        n=n,
        limit=draw.choice(["n", "n", "n+1", "2n", "inf", str(draw.randint(1, n + 2))]),
        deletion=draw.choice(["leaf", "subtree"]),
        functions=draw.choice([(Function.AND, Function.OR), (Function.AND, Function.OR), (Function.AND,)]),
        accept_error=draw.choice([0, 0, 0, 1, 3, 2**n]) if draw.random() < 0.5 else 0,
        empty_tree=draw.choice(["any", "insert-only"]),
    )
    most = config.max_leaves or 2 * n
    start = None if draw.random() < 0.3 else random_tree(draw, n, draw.choice([most, draw.randint(1, most)]))
    options = {
        "max_iterations": draw.choice([0, 1, 10, 30, 60]) if draw.random() < 0.95 else 600,
        "stop_when_stuck": draw.random() < 0.7,
        "counts": draw.random() < 0.8,
    }
    return config, start, options


def fields_of(runs: ManyRuns, row: int) -> dict[str, Any]:
    """All that is known of one of many runs."""
    assert runs.trees is not None
    fields = {
        "outcome": OUTCOMES[runs.outcomes[row]], "iterations": runs.iterations[row], "error": runs.errors[row],
        "leaves": runs.leaves[row], "ors": runs.ors[row], "accepted": runs.accepted[row],
        "improved": runs.improved[row], "ors_accepted": runs.ors_accepted[row],
        "stuck_since": runs.stuck_since[row], "tree": labels(runs.trees[row]),
    }  # fmt: skip
    if runs.offsets is not None:
        a, b = runs.offsets[row : row + 2]
        fields["improvements"] = [tuple(pair) for pair in runs.improvements[a:b].tolist()]  # type: ignore[index]
        fields["full_at"] = [tuple(pair) for pair in runs.full_at[a:b].tolist()]  # type: ignore[index]
        fields["full_iterations"] = runs.full_iterations[row]  # type: ignore[index]
        fields["duplicate_accepted"] = runs.duplicate_accepted[row]  # type: ignore[index]
    return fields


def fields_of_alone(
    result: Result, improvements: list[tuple[int, int]] | None, counts: RunCounts | None
) -> dict[str, Any]:
    """The same of a run of the Python engine."""
    fields = {
        name: getattr(result, name)
        for name in ("outcome", "iterations", "leaves", "ors", "accepted", "improved", "ors_accepted")
    }
    fields["error"] = NONE if result.error is None else result.error
    fields["stuck_since"] = NONE if result.stuck_since is None else result.stuck_since
    fields["tree"] = labels(result.tree)
    if counts is not None:
        fields["improvements"] = improvements
        fields["full_at"] = counts.full_at
        fields["full_iterations"] = counts.full_iterations
        fields["duplicate_accepted"] = counts.duplicate_accepted
    return fields


def labels(tree: Node | None) -> list[tuple[int, int | str]]:
    return [
        (node.uid, node.variable if isinstance(node, Leaf) else node.function.value)
        for node in nodes_of(tree)
    ]


def run_alone(config: RunConfig, start: Node | None, *, counts: bool, **options) -> dict[str, Any]:
    improvements: list[tuple[int, int]] = []
    counted = RunCounts()
    result = RlsGp(config, start).run(
        **options,
        improvements=improvements if counts else None,
        counts=counted if counts else None,
    )
    return fields_of_alone(result, improvements, counted if counts else None)


def test_ten_thousand_runs_are_those_of_the_python_engine():
    draw = random.Random(5)
    outcomes = set()
    for case in range(SETTINGS):
        n = 2 + case % 15
        config, start, options = random_case(draw, n)
        seeds = range(1000 * case, 1000 * case + SEEDS)
        many = run_many(config, start, seeds, keeps_trees=True, **options)
        assert len(many) == SEEDS
        for row, seed in enumerate(seeds):
            fields = run_alone(config.replaced(seed=seed), start, **options)
            assert fields_of(many, row) == fields, (config, start, options, seed)
            outcomes.add(fields["outcome"])
    assert len(outcomes) == 3


@pytest.mark.parametrize("deletion", ["leaf", "subtree"])
@pytest.mark.parametrize(("n", "limit"), [(4, "n"), (5, "n+1"), (7, "n"), (6, "5")])
def test_runs_end_stuck_in_the_same_iteration(monkeypatch, n, limit, deletion):
    config = RunConfig(n=n, limit=limit, deletion=deletion)
    options = {"max_iterations": 1900, "stop_when_stuck": True}
    many = run_many(config, None, range(25), keeps_trees=True, counts=True, **options)
    for seed in range(25):
        assert fields_of(many, seed) == run_alone(config.replaced(seed=seed), None, counts=True, **options)


def test_a_tree_that_can_only_be_substituted_is_not_taken_for_stuck():
    """There the plateau has to be searched: its way out begins with a neutral substitution."""
    start = parse("((x3 & x1) | (x1 & x2)) | ((x1 & x2) | (x1 & x3))")
    config = RunConfig(n=3, limit="8", deletion="leaf")
    assert tree_state(start, config).name == "PLATEAU"
    options = {"max_iterations": 1900, "stop_when_stuck": True}
    many = run_many(config, start, range(20), keeps_trees=True, counts=True, **options)
    assert (many.iterations > 0).all()
    for seed in range(20):
        assert fields_of(many, seed) == run_alone(config.replaced(seed=seed), start, counts=True, **options)


@pytest.mark.parametrize("start", [None, "x1", "x1 & x2 | x3 & x4 & x5"])
def test_a_word_that_would_be_unfair_is_replaced_alike(start):
    tree = None if start is None else parse(start)
    seeds = [seed_with(2**64 - above, iteration) for iteration in (1, 2, 40) for above in (1, 2, 9)]
    for n in (5, 7, 13):
        config = RunConfig(n=n, limit="inf", deletion="leaf")
        many = run_many(config, tree, seeds, max_iterations=45, keeps_trees=True, counts=True)
        for row, seed in enumerate(seeds):
            assert fields_of(many, row) == run_alone(
                config.replaced(seed=seed), tree, counts=True, max_iterations=45, stop_when_stuck=True
            )


def handed_over(monkeypatch) -> None:
    """From here on runs are handed over to the compiled loop after a few iterations."""
    monkeypatch.setattr(search, "_IN_PYTHON", 10)
    monkeypatch.setattr(search, "_PIECE", 7)


@pytest.mark.parametrize("is_watched", [False, True])
def test_a_run_that_is_handed_over_is_the_same(monkeypatch, is_watched):
    draw = random.Random(11)
    cases = [random_case(draw, 2 + number % 15)[:2] for number in range(60)]

    def ends() -> list[tuple[Any, ...]]:
        found = []
        for config, start in cases:
            search = RlsGp(config, start)
            improvements: list[tuple[int, int]] = []
            counts = RunCounts()
            result = search.run(
                max_iterations=900, stop_when_stuck=is_watched, improvements=improvements, counts=counts
            )
            found.append((fields_of_alone(result, improvements, counts), search.settled_since))
        return found

    monkeypatch.setenv("GPVIZ_NO_KERNEL", "1")
    alone = ends()
    monkeypatch.delenv("GPVIZ_NO_KERNEL")
    handed_over(monkeypatch)
    assert ends() == alone


@pytest.mark.parametrize(
    ("n", "seed", "stuck_since", "iterations"),
    [(4, 15034, 791, 1070), (6, 8189, 727, 1050), (6, 16436, 1128, 2098)],
)
@pytest.mark.parametrize("has_kernel", [False, True])
def test_a_late_improvement_does_not_bring_the_next_look_forward(
    monkeypatch, n, seed, stuck_since, iterations, has_kernel
):
    """Neither checkpoints nor handing over change when a run that waited long is looked at."""
    handed_over(monkeypatch)
    if not has_kernel:
        monkeypatch.setenv("GPVIZ_NO_KERNEL", "1")
    config = RunConfig(n=n, limit="n+1", deletion="leaf", seed=seed)
    result = RlsGp(config).run(stop_when_stuck=True)
    assert (result.stuck_since, result.iterations) == (stuck_since, iterations)
    runs = run_many(config, None, [seed])
    assert (runs.stuck_since[0], runs.iterations[0]) == (stuck_since, iterations)


def test_a_run_goes_on_by_steps_where_the_compiled_loop_ended(monkeypatch):
    handed_over(monkeypatch)
    one, other = (RlsGp(RunConfig(n=12, limit="n", deletion="leaf", seed=8)) for _ in range(2))
    one.run(max_iterations=100)
    for _ in range(100):
        other.step()
    assert [one.step() for _ in range(50)] == [other.step() for _ in range(50)]


def test_uids_that_are_too_large_for_it_stay_in_python(monkeypatch):
    handed_over(monkeypatch)
    start = Leaf(2**70, 1)  # which the run has come away from, and nothing is inserted
    search = RlsGp.at(
        RunConfig(n=12, limit="1", deletion="leaf"), start, iteration=5, tree=Leaf(3, 1), error=2047,
        accepted=5, improved=1, ors_accepted=0, settled_since=5,
    )  # fmt: skip
    assert search.run(max_iterations=100).iterations == 100


def test_a_tree_that_outgrows_the_compiled_loop_is_handed_back(monkeypatch):
    outgrown = []

    class Watched(compiled_runner.CompiledRuns):
        def close(self):
            outgrown.append(self.is_outgrown)
            super().close()

    monkeypatch.setattr(compiled_runner, "CompiledRuns", Watched)
    start = parse(" & ".join(["x1"] * 511))
    config = RunConfig(n=16, limit="inf", deletion="leaf", functions=(Function.AND,))
    options = {"max_iterations": 100, "stop_when_stuck": False}
    seeds = range(4)
    monkeypatch.setenv("GPVIZ_NO_KERNEL", "1")
    alone = [run_alone(config.replaced(seed=seed), start, counts=True, **options) for seed in seeds]
    monkeypatch.delenv("GPVIZ_NO_KERNEL")
    many = run_many(config, start, seeds, keeps_trees=True, counts=True, **options)
    assert [fields_of(many, row) for row in seeds] == alone
    assert any(outgrown)
    outgrown.clear()
    handed_over(monkeypatch)
    monkeypatch.setattr(compiled_runner, "MOST_LEAVES", 1024)  # a run is handed over with at most half of it
    assert [run_alone(config.replaced(seed=seed), start, counts=True, **options) for seed in seeds] == alone
    assert any(outgrown)


def test_a_wish_to_stop_is_heard_within_a_long_run():
    asked = iter([False] * 3 + [True] * 10)
    config = RunConfig(n=4, limit="3", deletion="leaf")
    with stoppable(lambda: next(asked)), pytest.raises(Stopped):
        run_many(config, None, [1], max_iterations=10**15, stop_when_stuck=False)


def test_a_run_that_is_stopped_stands_where_it_is(monkeypatch):
    handed_over(monkeypatch)
    asked = iter([False] * 6 + [True] * 10)
    search = RlsGp(RunConfig(n=4, limit="3", deletion="leaf"))
    with stoppable(lambda: next(asked)), pytest.raises(Stopped):
        search.run(max_iterations=10**15)
    assert search.iteration > 1000
    tree, iteration = search.tree, search.iteration
    again = RlsGp(search.config)
    assert again.run(max_iterations=iteration).tree == tree
    assert again.accepted == search.accepted


def test_a_run_that_is_stopped_when_it_is_handed_over_stands_where_it_was(monkeypatch):
    handed_over(monkeypatch)
    is_handed_over = []

    class Watched(compiled_runner.CompiledRuns):
        def __init__(self, *arguments, **options):
            is_handed_over.append(True)
            super().__init__(*arguments, **options)

    monkeypatch.setattr(compiled_runner, "CompiledRuns", Watched)
    search, other = (RlsGp(RunConfig(n=12, limit="n", deletion="leaf", seed=3)) for _ in range(2))
    with stoppable(lambda: bool(is_handed_over)), pytest.raises(Stopped):
        search.run()
    assert search.iteration > 0
    other.run(max_iterations=search.iteration)
    assert labels(search.tree) == labels(other.tree)
    assert search.result(Outcome.STOPPED) == other.result(Outcome.STOPPED)


def test_with_should_stop_the_finished_runs_are_kept():
    config = RunConfig(n=7, limit="n", deletion="leaf")
    runs = run_many(config, None, range(400), max_iterations=3000)
    assert runs.is_stuck.any()
    solved, stuck = runs.is_solved.argmax(), runs.is_stuck.argmax()
    asked = iter([False] * 3 + [True] * 10)
    with stoppable(lambda: next(asked)):
        runs = run_many(
            config,
            None,
            [int(solved), int(stuck)],
            max_iterations=10**15,
            stop_when_stuck=False,
            should_stop=lambda: False,
        )
    assert runs.is_solved.tolist() == [True]


def in_a_process(code: str, path: Path | None = None, **environment: str) -> str:
    variables = {**os.environ, **environment}
    if path is not None:
        variables["PYTHONPATH"] = os.pathsep.join([str(path), str(Path.cwd())])
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=variables
    )
    return done.stdout


RUNS = """
from gpviz.engine import RunConfig
from gpviz.engine.compiled import runner as compiled_runner
from gpviz.engine.many_runs import run_many
print(compiled_runner.load())
runs = run_many(RunConfig(n=5, limit="n", deletion="leaf"), None, range(20), max_iterations=500)
print(runs.iterations.tolist(), runs.errors.tolist())
print(compiled_runner.status())
"""


def expected_runs() -> str:
    runs = run_many(RunConfig(n=5, limit="n", deletion="leaf"), None, range(20), max_iterations=500)
    return f"{runs.iterations.tolist()} {runs.errors.tolist()}"


def test_it_can_be_switched_off():
    code = RUNS + "import sys; print('numba' in sys.modules)"
    said = in_a_process(code, GPVIZ_NO_KERNEL="1").splitlines()
    assert said == [
        "False", expected_runs(), "The compiled loop is switched off by GPVIZ_NO_KERNEL.", "False"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("raise ImportError('libLLVM is missing')", "numba cannot be loaded: libLLVM is missing"),
        ("def njit(*_, **__): raise ValueError('no such processor')", "numba fails: no such processor"),
    ],
)
def test_a_broken_numba_does_no_harm(tmp_path, content, reason):
    (tmp_path / "numba.py").write_text(content, encoding="utf-8")
    said = in_a_process(RUNS, tmp_path).splitlines()
    assert said == ["False", expected_runs(), f"The compiled loop is not in use; {reason}"]


def test_without_numba_it_says_how_to_get_it(tmp_path):
    code = "import sys; sys.modules['numba'] = None\n" + RUNS
    said = in_a_process(code).splitlines()
    assert said == ["False", expected_runs(), 'For faster runs, install numba: pip install "gpviz[fast]".']


def test_where_numba_does_not_compile_it_is_not_used():
    said = in_a_process(RUNS, NUMBA_DISABLE_JIT="1").splitlines()
    assert said == [
        "False", expected_runs(), "The compiled loop is not in use; numba fails: NUMBA_DISABLE_JIT is set."
    ]  # fmt: skip


@pytest.fixture
def unloaded(monkeypatch):
    """As if nothing had been loaded, nor tried, in this process."""
    for name, value in (("compiled", None), ("problem", None), ("compiler", None), ("iterations", 0)):
        monkeypatch.setattr(compiled_runner._State, name, value)
    monkeypatch.setattr(compiled_runner, "_is_cached", lambda: True)


@pytest.mark.usefixtures("unloaded")
def test_without_a_folder_for_what_is_compiled_it_is_compiled_all_the_same(monkeypatch):
    asked = []

    def compiled(*, uses_cache: bool, is_anew: bool = False) -> str:
        asked.append((uses_cache, is_anew))
        if uses_cache:
            raise RuntimeError("cannot cache function 'advance': no locator available")
        return "compiled"

    monkeypatch.setattr(compiled_runner, "_Compiled", compiled)
    assert compiled_runner.load()
    assert asked == [(True, False), (True, True), (False, False)]


@pytest.mark.usefixtures("unloaded")
def test_it_is_loaded_once_there_is_enough_to_do(monkeypatch):
    monkeypatch.setattr(compiled_runner, "_Compiled", lambda *, uses_cache: "compiled")
    compiled_runner.count_iterations(compiled_runner.LOAD_AFTER - 1)
    assert not compiled_runner.is_worth_loading()
    assert compiled_runner.status() == "The compiled loop has not been needed yet."
    assert compiled_runner.is_worth_loading(1)
    assert compiled_runner.status() == "The compiled loop is in use."


def test_what_was_compiled_before_is_found_and_loaded():
    code = "from gpviz.engine.compiled.runner import *; print(is_worth_loading(LOAD_AFTER))"
    assert in_a_process(code) == "True\n"


@pytest.mark.usefixtures("unloaded")
def test_it_is_compiled_by_another_process_and_only_where_there_is_more_to_do(monkeypatch):
    answers = iter([None, None, 0])
    started = []

    def start() -> SimpleNamespace:
        started.append(True)
        return SimpleNamespace(poll=lambda: next(answers))

    monkeypatch.setattr(compiled_runner, "_Compiled", lambda *, uses_cache: "compiled")
    monkeypatch.setattr(compiled_runner, "_is_cached", lambda: False)
    monkeypatch.setattr(compiled_runner, "_start_compiler", start)
    assert not compiled_runner.is_worth_loading(compiled_runner.COMPILE_AFTER - 1)
    assert not started
    assert not compiled_runner.is_worth_loading(compiled_runner.COMPILE_AFTER)
    assert not compiled_runner.is_worth_loading(compiled_runner.COMPILE_AFTER)
    assert compiled_runner.is_worth_loading(compiled_runner.COMPILE_AFTER)
    assert len(started) == 1


def test_the_process_that_compiles_finds_the_program_and_loads_nothing_from_where_it_is(
    tmp_path, monkeypatch
):
    (tmp_path / "numba.py").write_text("open('seen', 'w')", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(Path.cwd()), *(path for path in sys.path if path)])
    monkeypatch.chdir(tmp_path)
    assert compiled_runner._start_compiler().wait() == 0
    assert not (tmp_path / "seen").exists()


def test_a_process_that_never_finishes_compiling_holds_nobody_up(tmp_path, monkeypatch):
    monkeypatch.setattr(compiled_runner, "_lock_path", lambda: tmp_path / "lock")
    monkeypatch.setattr(compiled_runner, "_MOST_WAITS", 2)
    with compiled_runner._one_process_at_a_time(), compiled_runner._one_process_at_a_time():
        pass


def test_threads_do_runs_at_the_same_time():
    config = RunConfig(n=8, limit="n", deletion="leaf")
    pieces = [range(first, first + 300) for first in range(0, 1200, 300)]
    alone = [run_many(config, None, piece).iterations.tolist() for piece in pieces]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda piece: run_many(config, None, piece).iterations.tolist(), pieces))
    assert together == alone


@pytest.mark.usefixtures("unloaded")
def test_a_thread_that_keeps_a_window_alive_does_not_load_it(monkeypatch):
    monkeypatch.setattr(compiled_runner, "_Compiled", lambda *, uses_cache: "compiled")
    monkeypatch.setattr(compiled_runner, "_local", SimpleNamespace())
    compiled_runner.keep_out_of_this_thread()
    assert not compiled_runner.is_worth_loading(compiled_runner.COMPILE_AFTER)
    assert compiled_runner.load()  # another thread does
    assert compiled_runner.is_worth_loading()


def test_importing_the_engine_does_not_load_it():
    code = "import sys, gpviz.engine, gpviz.engine.many_runs; print('numba' in sys.modules)"
    assert in_a_process(code) == "False\n"
