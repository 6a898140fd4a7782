"""What all tests share: properties are checked on the same examples in every run, so no test needs luck."""

import gc
import os
import signal
from collections.abc import Iterator
from itertools import count
from typing import Final

import pytest
from hypothesis import HealthCheck, settings

collect_ignore = ["benchmarks"]

_MOST_NEW: Final = 10_000
_FULL_EVERY: Final = 500
_TESTS: Final = count(1)

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # without a screen Qt would abort
os.environ.pop("DBUS_SESSION_BUS_ADDRESS", None)  # what the desktop here prefers is no part of a test

# A shell in the background lets what it starts ignore Ctrl-C; some tests are about what it does.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same few examples every day; very many, and other ones each time, on request.
# On a busy machine it takes long to make them, which is no fault of theirs.
settings.register_profile(
    "gpviz",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=50,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", settings.get_profile("gpviz"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gpviz"))

# Python would collect garbage in whatever thread makes objects; where that deletes one of Qt's, it can wait for
# the window's thread for ever. So it is collected between tests, and not at all while thousands of them are found.
gc.disable()


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """Collects garbage when there are many new objects, and now and then among the old ones, too."""
    result = yield
    if next(_TESTS) % _FULL_EVERY == 0:
        gc.collect()
    elif gc.get_count()[0] > _MOST_NEW:
        gc.collect(1)
    return result
