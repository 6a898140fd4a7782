"""What the tests of `gpviz experiment` have in common."""

from pathlib import Path

import pytest

from gpviz.cli import experiment
from tests.experiments.inline_executor import InlineExecutor

PLAN = """
title = "A small one"
runs = 3
seed = 5
x = "n"
[config]
deletion = "leaf"
[grid]
limit = ["n", "2n"]
n = [2, 4]
"""


@pytest.fixture
def experiments_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Experiments are kept in a folder of the test, and runs are done in this process."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(experiment, "PoolExecutor", lambda jobs: InlineExecutor())
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def plan(tmp_path: Path) -> str:
    (tmp_path / "small.toml").write_text(PLAN)
    return "small.toml"
