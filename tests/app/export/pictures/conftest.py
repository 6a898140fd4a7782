"""The runs of which the tests take pictures."""

import pytest

from gpviz.engine.search import RlsGp
from gpviz.runs.history import History
from gpviz.runs.presets import find_preset


def history_of(name: str, iterations: int) -> History:
    preset = find_preset(name)
    search = RlsGp(preset.config, preset.start_tree)
    history = History(preset.config, preset.start_tree)
    for _ in range(iterations):
        history.append(search.step())
    return history


@pytest.fixture(scope="session")
def stuck_run() -> History:
    """On eight variables, stuck since iteration 81."""
    return history_of("leaf-deletion", 100)


@pytest.fixture(scope="session")
def sampled_run() -> History:
    """On samples of 50 variables."""
    return history_of("sampled-early-stop", 40)
