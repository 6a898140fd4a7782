"""Experiments that are done once for all tests that show them."""

from pathlib import Path
from threading import Event

import pytest

from gpviz.engine.interruption import checkpoint
from gpviz.experiments import decisive_steps
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


@pytest.fixture
def may_go_on(monkeypatch) -> Event:
    """The decisive step of a stuck run is found at once, those of the others when this is set."""
    find, may_find = decisive_steps.find_decisive_step, Event()

    def one_at_once(config, since):
        while config.seed > 54 and not may_find.wait(0.002):
            checkpoint()
        return find(config, since)

    monkeypatch.setattr(decisive_steps, "find_decisive_step", one_at_once)
    return may_find


@pytest.fixture(scope="session")
def ors_store(tmp_path_factory, ors_plan) -> Path:  # noqa: F811
    return filled(tmp_path_factory.mktemp("stores") / "ors.gpvizx", ors_plan)
