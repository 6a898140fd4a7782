"""What all tests share: properties are checked on the same examples in every run, so no test needs luck."""

import os
import signal
import sys
from collections.abc import Callable, Generator
from functools import wraps
from itertools import count
from typing import Any

import pytest
from hypothesis import settings

collect_ignore = ["benchmarks"]
_FOLLOWED_EXAMPLES = 12

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # without a screen Qt would abort

# A shell in the background lets what it starts ignore Ctrl-C; some tests are about what it does.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "gpviz", derandomize=True, deadline=None, database=None, max_examples=100, print_blob=True
)
settings.load_profile("gpviz")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Following every line for coverage takes twice as long, so where much is done again and again little is.

    What makes very many draws is not followed, and of the examples of a property only the first ones are.
    """
    tracer = sys.gettrace()
    if tracer is None:
        return (yield)
    handle: Any = getattr(getattr(item, "obj", None), "hypothesis", None)
    if item.get_closest_marker("many_draws") is not None:
        sys.settrace(None)
    test = getattr(handle, "inner_test", None)
    if test is not None:
        handle.inner_test = _followed_at_first(test)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)
        if test is not None:
            handle.inner_test = test


def _followed_at_first(test: Callable[..., object]) -> Callable[..., object]:
    """A test that is called for each example; after some of them nobody follows its lines any more."""
    calls = count(1)

    @wraps(test)
    def followed(*values: object, **named: object) -> object:
        if next(calls) > _FOLLOWED_EXAMPLES:
            sys.settrace(None)
        return test(*values, **named)

    return followed
