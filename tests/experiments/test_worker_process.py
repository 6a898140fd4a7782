"""A process of the pool, as far as that can be seen without one."""

import atexit
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

import gpviz
from gpviz.experiments import chunk_worker
from tests.experiments.test_pool import chunk_of


def test_a_worker_stops_when_asked_and_then_ends_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ignored: list[int] = []
    last: list[tuple[Callable[[int], None], int]] = []
    monkeypatch.setattr(chunk_worker, "_shared", {})
    monkeypatch.setattr(signal, "signal", lambda number, handler: ignored.append(number))
    monkeypatch.setattr(os, "nice", lambda niceness: None)
    monkeypatch.setattr(atexit, "register", lambda function, code: last.append((function, code)))
    chunk_worker.begin(flag := SimpleNamespace(value=0), 5)
    assert signal.SIGINT in ignored
    assert last == [(os._exit, 0)], "taking apart all that was remembered takes its time"
    assert len(chunk_worker.work(chunk_of(runs=3)).rows) == 3
    flag.value = 1
    assert chunk_worker.work(chunk_of(runs=3)).rows == []


@pytest.mark.parametrize("module", ["gpviz.experiments.chunk_worker", "gpviz.__main__"])
def test_a_worker_loads_nothing_but_what_runs_need(module: str) -> None:
    """Each loads the main module, too, as it may define what is done."""
    rooms = "{name.split('.')[1] for name in sys.modules if name.startswith('gpviz.')}"
    finished = subprocess.run(
        [sys.executable, "-c", f"import sys, {module}; print(*sorted({rooms}))"],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(gpviz.__file__).parents[1],
    )
    assert set(finished.stdout.split()) <= {
        *("engine", "analysis", "experiments", "escaping", "number_text", "__main__", "cli")
    }
