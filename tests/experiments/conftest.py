"""What the tests of experiments have in common: no worker and no connection outlives its test."""

import multiprocessing
import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    """What nobody has closed would disturb the tests that come after: clients of a cluster draw random numbers."""
    yield
    assert not multiprocessing.active_children()
    if "distributed" in sys.modules:
        clients = sys.modules["distributed"].Client._instances
        assert [client.status for client in clients if client.status in ("running", "connecting")] == []
