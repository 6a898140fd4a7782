"""A bell that another thread rings."""

import threading
import weakref

from PySide6.QtCore import QObject, Signal

from gpviz.app.tasks import ThreadRelay


class Visitor(QObject):
    came = Signal()
    brought = Signal(int, object)


class House:
    def __init__(self) -> None:
        self.heard: list[tuple[object, ...]] = []
        self.bell = ThreadRelay(self.open)

    def open(self, *things: object) -> None:
        self.heard.append((threading.current_thread(), *things))


def in_another_thread(act) -> None:
    thread = threading.Thread(target=act)
    thread.start()
    thread.join()


def test_what_another_thread_tells_is_heard_in_its_own(qtbot):
    house, visitor = House(), Visitor()
    visitor.came.connect(house.bell.ring)
    visitor.brought.connect(house.bell.deliver)

    def visit() -> None:
        visitor.came.emit()
        visitor.brought.emit(7, "mail")

    in_another_thread(visit)
    assert not house.heard
    qtbot.waitUntil(lambda: len(house.heard) == 2)
    here = threading.current_thread()
    assert house.heard == [(here,), (here, 7, "mail")]


def test_it_keeps_nobody_alive_and_rings_for_nobody_then(qtbot):
    house, visitor = House(), Visitor()
    bell, gone = house.bell, weakref.ref(house)
    visitor.came.connect(bell.ring)
    visitor.brought.connect(bell.deliver)
    del house
    assert gone() is None
    visitor.came.emit()
    visitor.brought.emit(1, None)


def test_it_has_no_signals_of_its_own_to_connect_to():
    own = ThreadRelay(House().open).metaObject()
    names = [own.method(index).name() for index in range(own.methodOffset(), own.methodCount())]
    assert sorted(bytes(name.data()) for name in names) == [b"deliver", b"ring"]
