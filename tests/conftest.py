"""What all tests share: properties are checked on the same examples in every run, so no test needs luck."""

import faulthandler
import gc
import os
import signal
from collections.abc import Generator, Iterator
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Final

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import none

from tests.export.browser import Browser, opened

collect_ignore = ["benchmarks"]

_MOST_NEW: Final = 20_000
_FULL_EVERY: Final = 500
_TESTS: Final = count(1)

_LONGEST_TEST_SECONDS: Final = 900
_WATCHED_AGAIN_SECONDS: Final = 60

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
    max_examples=25,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", settings.get_profile("gpviz"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gpviz"))

# Python would collect garbage in whatever thread makes objects; where that deletes one of Qt's, it can wait for
# the window's thread for ever. So it is collected between tests, and not at all while thousands of them are found.
gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Every other worker begins at the other end: what one of two has compiled, the other one reads."""
    here = Path(__file__).parent
    is_other = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 2 == 1
    if is_other and here in (session.config.rootpath / given for given in session.config.args):
        for path in sorted(here.glob("*/**/test_*.py"), reverse=True):
            with suppress(Exception):  # what is wrong with a module is reported when pytest imports it
                import_module(".".join(path.relative_to(here.parent).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Those in a browser come first: one process then does them all, and no other starts a browser of its own."""
    items.sort(key=lambda item: "session_browser" not in getattr(item, "fixturenames", ()))


@given(none())
def _try_nothing(_: None) -> None:
    """Has hypothesis make its random numbers; once they are frozen it would think that nobody else holds them."""


def pytest_collection_finish() -> None:
    """What was found stays to the end, and need not be looked through."""
    _try_nothing()
    gc.freeze()


class Watch:
    """Ends what hangs, and says where.

    On a slow machine a long test may take very long. pytest would begin to watch anew for each of thousands of
    tests, which takes longer than most of them.
    """

    def __init__(self) -> None:
        self._since = float("-inf")

    def go_on(self, config: pytest.Config) -> None:
        """Begin anew if some time has passed."""
        if monotonic() - self._since > _WATCHED_AGAIN_SECONDS:
            self._since = monotonic()
            output = config.stash[fault_handler_stderr_fd_key]
            faulthandler.dump_traceback_later(_LONGEST_TEST_SECONDS, exit=True, file=output)


_WATCH: Final = Watch()


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Collects garbage when there are many new objects, and now and then among the old ones, too."""
    _WATCH.go_on(item.config)
    result = yield
    if next(_TESTS) % _FULL_EVERY == 0:
        gc.collect()
    elif gc.get_count()[0] > _MOST_NEW:
        gc.collect(1)
    return result


def pytest_unconfigure() -> None:
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="session")
def session_browser() -> Iterator[Browser]:
    """One browser for all tests that look at a web page; starting it takes seconds."""
    with opened() as browser:
        yield browser
