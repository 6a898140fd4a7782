"""A folder with the runs of all plans of the report, few of each, done once for all its tests."""

from pathlib import Path

import pytest

from gpviz.experiments.plan_runner import run_plan
from gpviz.experiments.report.results import PLANS, open_store
from tests.experiments.inline_executor import InlineExecutor
from tests.experiments.report.made_up import RUNS


@pytest.fixture(scope="session")
def runs_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reproduction")
    for name in PLANS:
        with open_store(folder, name, RUNS) as store:
            assert run_plan(store, InlineExecutor(), lambda progress: False)
    return folder
