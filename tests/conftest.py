"""What all tests share: properties are checked on the same examples in every run, so no test needs luck."""

import os
import sys
from collections.abc import Generator

import pytest
from hypothesis import settings

collect_ignore = ["benchmarks"]

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # without a screen Qt would abort

settings.register_profile(
    "gpviz", derandomize=True, deadline=None, database=None, max_examples=100, print_blob=True
)
settings.load_profile("gpviz")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """What makes very many iterations is not followed line by line for coverage: it takes three times as long."""
    tracer = sys.gettrace()
    if tracer is None or item.get_closest_marker("many_draws") is None:
        return (yield)
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)
