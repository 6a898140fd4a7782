"""Killed at any moment and begun again, an experiment comes to what it would have come to in one go."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from time import perf_counter_ns
from typing import IO

from gpviz.experiments.plan_runner import run_plan
from gpviz.experiments.store import Store
from tests.experiments.test_plan_runner import Shuffled, small_plan, tables, undisturbed
from tests.patience import PATIENCE_SECONDS
from tests.systems import needs_posix

pytestmark = needs_posix
ROOT = Path(__file__).parents[2]

# Python and numpy are started once; each sitting is a copy of that process, which is then killed.
SITTINGS = """
import os, signal, sys
from pathlib import Path
from gpviz.experiments.plan_runner import run_plan
from tests.experiments.inline_executor import InlineExecutor
from gpviz.experiments.store import Store

def tell(progress):
    global left
    print(progress.done, flush=True)
    left -= 1
    if not left:
        signal.pause()
    return False

for line in sys.stdin:
    pid = os.fork()
    if not pid:
        left = int(line)
        print(os.getpid(), flush=True)
        with Store.open(Path(sys.argv[1]), is_writable=True) as store:
            is_finished = run_plan(store, InlineExecutor(), tell)
        os._exit(0 if is_finished else 1)
    print("ended", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""

POOL = """
if __name__ == "__main__":  # the workers read this as well, and need nothing of it
    import signal, sys
    from pathlib import Path
    from gpviz.experiments.pool import PoolExecutor
    from gpviz.experiments.plan_runner import run_plan
    from gpviz.experiments.store import Store

    def tell(progress):
        print(progress.done, flush=True)
        if progress.done >= int(sys.argv[2]):
            signal.pause()  # the one who kills it is late

    with Store.open(Path(sys.argv[1]), is_writable=True) as store, PoolExecutor(2) as executor:
        run_plan(store, executor, tell)
"""


def start(script: Path, text: str, store: Path, *more: str) -> "subprocess.Popen[str]":
    script.write_text(text, encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, script, store, *more],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def sit(process: "subprocess.Popen[str]", chance: random.Random, *, is_killed: bool) -> int:
    """One sitting, killed some microseconds after some of its chunks; how it ended.

    One that is to be killed waits for that after three chunks, however fast the machine is.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("4\n" if is_killed else "-1\n")
    process.stdin.flush()
    pid = int(process.stdout.readline())
    if is_killed:
        read_some(process.stdout, chance.randint(0, 3))  # the first line comes before any chunk
        until = perf_counter_ns() + chance.randint(0, 6_000_000)
        while perf_counter_ns() < until:
            pass
        os.kill(pid, signal.SIGKILL)
    while not (line := process.stdout.readline()).startswith("ended"):
        pass
    return int(line.split()[1])


def read_some(lines: IO[str], count: int) -> None:
    for _ in range(count):
        lines.readline()


def test_killed_again_and_again_it_is_what_it_would_have_been_in_one_go(tmp_path):
    plan = small_plan(400)
    path = tmp_path / "a.gpvizx"
    Store.create(path, plan).close()
    chance = random.Random(20)
    counts: list[int] = []
    with start(tmp_path / "sittings.py", SITTINGS, path) as process:
        for _ in range(25):
            assert sit(process, chance, is_killed=True) == -signal.SIGKILL
            with Store.open(path) as store:
                totals = [each.runs for each in store.totals()]
            kept = tables(path)
            # What the totals speak of is there, run by run and path by path.
            assert [sum(row[0] == cell for row in kept["runs"]) for cell in range(4)] == totals
            assert [row[:2] for row in kept["runs"]] == [row[:2] for row in kept["paths"]]
            counts.append(sum(totals))
        assert sit(process, chance, is_killed=False) == 0
        assert process.stdin is not None
        process.stdin.close()
    assert counts == sorted(counts)
    assert len(set(counts)) > 10
    assert counts[-1] < plan.total_runs
    assert tables(path) == undisturbed(tmp_path, plan)


def test_killed_while_a_pool_is_at_work_it_is_what_it_would_have_been_in_one_go(tmp_path):
    plan = small_plan(300)
    path = tmp_path / "a.gpvizx"
    Store.create(path, plan).close()
    chance = random.Random(4)
    before = 0
    for _ in range(2):
        until = before + chance.randint(1, 150)
        with start(tmp_path / "pool.py", POOL, path, str(until + 50)) as process:
            assert process.stdout is not None
            while int(process.stdout.readline()) < until:
                pass
            process.kill()
            process.communicate(timeout=PATIENCE_SECONDS)  # the workers end as well, or this would not
        with Store.open(path) as store:
            before = sum(totals.runs for totals in store.totals())
        assert until <= before < plan.total_runs
    with Store.open(path, is_writable=True) as store:
        assert run_plan(store, Shuffled(), lambda _: False)
    assert tables(path) == undisturbed(tmp_path, plan)
