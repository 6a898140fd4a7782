"""What another thread tells is relayed into the thread that is to hear it."""

import weakref

from PySide6.QtCore import QObject, Signal

from gpviz.app.tasks import ThreadRelay


class Sender(QObject):
    notified = Signal()
    answered = Signal(int, object)


class Receiver:
    def __init__(self) -> None:
        self.relay = ThreadRelay(self.hear)

    def hear(self, *_: object) -> None:
        raise AssertionError("it is gone")


def test_it_keeps_nobody_alive_and_calls_nobody_then(qtbot):
    receiver, sender = Receiver(), Sender()
    relay, gone = receiver.relay, weakref.ref(receiver)
    sender.notified.connect(relay.notify)
    sender.answered.connect(relay.deliver)
    del receiver
    assert gone() is None
    sender.notified.emit()
    sender.answered.emit(1, None)
