"""Work for tests that goes on until it is told to stop."""

import threading

from gpviz.engine.interruption import ShouldStop


class Patient:
    """Work that goes on until it is told to stop, or is let go."""

    def __init__(self, answer: object = None) -> None:
        self.has_begun = threading.Event()
        self.may_end = threading.Event()
        self.was_stopped = False
        self._answer = answer

    def __call__(self, should_stop: ShouldStop) -> object:
        self.has_begun.set()
        while not self.may_end.wait(0.001):
            if should_stop():
                self.was_stopped = True
                break
        return self._answer
