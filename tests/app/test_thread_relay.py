"""What another thread tells is relayed into the thread that is to hear it."""

import threading
import weakref

from PySide6.QtCore import QObject, Signal

from gpviz.app.tasks import ThreadRelay


class Sender(QObject):
    notified = Signal()
    answered = Signal(int, object)


class Receiver:
    def __init__(self) -> None:
        self.heard: list[tuple[object, ...]] = []
        self.relay = ThreadRelay(self.hear)

    def hear(self, *arguments: object) -> None:
        self.heard.append((threading.current_thread(), *arguments))


def in_another_thread(act) -> None:
    thread = threading.Thread(target=act)
    thread.start()
    thread.join()


def test_what_another_thread_tells_is_heard_in_its_own(qtbot):
    receiver, sender = Receiver(), Sender()
    sender.notified.connect(receiver.relay.notify)
    sender.answered.connect(receiver.relay.deliver)

    def tell() -> None:
        sender.notified.emit()
        sender.answered.emit(7, "mail")

    in_another_thread(tell)
    assert not receiver.heard
    qtbot.waitUntil(lambda: len(receiver.heard) == 2)
    here = threading.current_thread()
    assert receiver.heard == [(here,), (here, 7, "mail")]


def test_it_keeps_nobody_alive_and_calls_nobody_then(qtbot):
    receiver, sender = Receiver(), Sender()
    relay, gone = receiver.relay, weakref.ref(receiver)
    sender.notified.connect(relay.notify)
    sender.answered.connect(relay.deliver)
    del receiver
    assert gone() is None
    sender.notified.emit()
    sender.answered.emit(1, None)
