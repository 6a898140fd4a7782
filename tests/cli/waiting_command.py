"""Does a command of gpviz, and waits in the middle of it to be interrupted, in a process of its own.

`python -m tests.cli.waiting_command PLACE CALLS WORK ARGUMENTS...` tells on its output that it waits, at the call
of the function PLACE with this number. If WORK, which was under way, comes to its end nevertheless, it tells that;
what is called only after the interruption may end.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any, Final
from unittest.mock import patch

from gpviz.cli import main
from gpviz.engine.interruption import Stopped
from gpviz.runs.replay import Cancelled

WAITING: Final = "It waits to be interrupted."
ENDED: Final = "It has gone on to the end."


class _Wait:
    def __init__(self, place: str, calls: int, work: str) -> None:
        self._calls_left = calls
        self._is_interrupted = False
        self._reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer)  # a signal ends the wait
        self._wrap(place, self._waiting)
        self._wrap(work, self._watched)

    def _wrap(self, name: str, wrapper: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
        patcher = patch(name)
        original, _ = patcher.get_original()
        patch(name, wrapper(original)).start()

    def _waiting(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def wait_and_work(*arguments: Any, **options: Any) -> Any:
            self._calls_left -= 1
            if not self._calls_left:
                print(WAITING, flush=True)
                os.read(self._reader, 1)
                self._is_interrupted = True
            return work(*arguments, **options)

        return wait_and_work

    def _watched(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def work_and_tell(*arguments: Any, **options: Any) -> Any:
            was_under_way, is_given_up = not self._is_interrupted, False
            try:
                return work(*arguments, **options)
            except (Stopped, Cancelled):
                is_given_up = True
                raise
            finally:
                if was_under_way and self._is_interrupted and not is_given_up:
                    print(ENDED, flush=True)

        return work_and_tell


if __name__ == "__main__":
    _, where, number, what, *words = sys.argv
    _Wait(where, int(number), what)
    sys.exit(main(words))
