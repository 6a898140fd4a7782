"""Where the worker leaves what it has made."""

import threading

from gpviz.app.player import worker as mailbox_module
from gpviz.app.player.worker import Batch, Mailbox
from gpviz.engine import RunConfig
from gpviz.runs.step_encoding import Encoder
from tests.runs.runs import steps_of

STEPS = steps_of(RunConfig(n=4, seed=1), 10)


def batch(count: int = 3) -> Batch:
    return Batch(1, [Encoder(None).encode(STEPS[:count])] if count else [])


def test_only_the_first_batch_finds_the_mailbox_empty():
    box = Mailbox()
    assert [box.put(batch()) for _ in range(3)] == [True, False, False]
    box.take_all()
    assert box.put(batch())


def test_too_many_steps_leave_no_space_until_they_are_taken(monkeypatch):
    monkeypatch.setattr(mailbox_module, "_MOST_IN_MAILBOX", 10)
    box = Mailbox()
    had_room = []
    for count in (9, 1):
        box.put(batch(count))
        had_room.append(box.has_space)
    box.take_all()
    assert (had_room, box.has_space) == ([True, False], True)


def test_nothing_is_lost_between_two_threads():
    box = Mailbox()
    taken: list[Batch] = []

    def send() -> None:
        for number in range(2000):
            box.put(Batch(number))

    thread = threading.Thread(target=send)
    thread.start()
    while thread.is_alive():
        taken += box.take_all()
    thread.join()
    taken += box.take_all()
    assert [each.run_id for each in taken] == list(range(2000))
