"""Experiments that are done once for all tests that show them."""

from pathlib import Path

import pytest

from tests.experiments.figures.conftest import (  # noqa: F401 - pytest looks for them here
    leaf,
    leaf_store,
    ors_plan,
    sampled,
    sampled_store,
    stuck,
    stuck_store,
)
from tests.experiments.figures.filled_stores import filled


@pytest.fixture(scope="session")
def ors_store(tmp_path_factory, ors_plan) -> Path:  # noqa: F811
    return filled(tmp_path_factory.mktemp("stores") / "ors.gpvizx", ors_plan)
