"""How the window is put together: no signal of ours has so many listeners that nobody knows who acts on it."""

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtCore import SIGNAL, QMetaMethod, QObject
from shiboken6 import isValid

from gpviz import page_list
from gpviz.app.main_window import MainWindow
from tests.app.main_windows import let_go, open_window

MOST_LISTENERS = 5


def living() -> list[QObject]:
    """Every Qt object that Python knows of and that is still there."""
    gc.unfreeze()  # what is frozen is not listed
    # By its type: a weak reference says that it is of the class of what it is to, and is valid for ever.
    return [thing for thing in gc.get_objects() if issubclass(type(thing), QObject) and isValid(thing)]


@pytest.fixture
def others(qapp) -> list[QObject]:
    """What other tests left behind, with listeners of their own; held, so that no new thing takes its place."""
    return living()


@pytest.fixture
def window(others, qtbot) -> Iterator[MainWindow]:
    """With every page made, and every other window open."""
    made = open_window()
    for info in page_list.PAGES:
        made.show_page(info.name)
    windows = made.windows
    for show in (windows.show_compare, windows.show_experiments, windows.show_paper, windows.show_guide):
        show()
    windows.toggle_lecture()
    yield made
    let_go(made)


def own_signals(thing: QObject) -> Iterator[str]:
    """The signatures of the signals that classes of gpviz have added to those of Qt."""
    own = {each.__name__ for each in type(thing).__mro__ if each.__module__.startswith("gpviz")}
    description = thing.metaObject()
    while description.className() in own:
        for index in range(description.methodOffset(), description.methodCount()):
            method = description.method(index)
            if method.methodType() is QMetaMethod.MethodType.Signal:
                yield bytes(method.methodSignature().data()).decode()
        description = description.superClass()


def test_no_signal_has_many_listeners(window, others):
    known = {id(thing) for thing in others}
    counted = [
        (thing.receivers(SIGNAL(signal)), type(thing).__name__, signal)
        for thing in living()
        if id(thing) not in known
        for signal in own_signals(thing)
    ]
    assert (MOST_LISTENERS, "Player", "moment_changed(PyObject)") in counted
    assert [each for each in counted if each[0] > MOST_LISTENERS] == []
