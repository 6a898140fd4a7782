"""Calling `gpviz experiment` in this process, with workers that do what a test wants of them."""

import json
import signal
from typing import Any

import pytest

from gpviz.cli import experiment, main
from gpviz.engine import GpvizError
from gpviz.experiments.chunk_worker import ChunkResult
from tests.cli import command_line
from tests.experiments.inline_executor import InlineExecutor


class Interrupting(InlineExecutor):
    """Has the program interrupted after its second chunk."""

    signal = signal.SIGINT

    def __init__(self) -> None:
        super().__init__()
        self.done = 0

    def wait(self, timeout_s: float) -> list[ChunkResult]:
        results = super().wait(timeout_s)
        self.done += 1
        if self.done == 2:
            signal.raise_signal(self.signal)
        return results


class Failing(InlineExecutor):
    """Fails after so many chunks."""

    most = 2

    def __init__(self) -> None:
        super().__init__()
        self.done = 0

    def wait(self, timeout_s: float) -> list[ChunkResult]:
        self.done += 1
        if self.done > self.most:
            raise GpvizError("The workers fail.")
        return super().wait(timeout_s)


def with_executor(monkeypatch: pytest.MonkeyPatch, kind: type[InlineExecutor]) -> None:
    monkeypatch.setattr(experiment, "PoolExecutor", lambda jobs: kind())


def run(*arguments: str) -> int:
    return main(["experiment", *arguments])


def data_of(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    capsys.readouterr()
    assert run(*arguments, "--json") == code
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def problem_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The sentence that a wrong command line gets."""
    return command_line.problem_of(capsys, "experiment", *arguments)
