"""How a command shows how far it is, and how it is interrupted."""

import io
import re
import signal
import sys
from typing import TypeVar

import pytest

from gpviz.cli import Interrupted
from gpviz.cli.progress import Job
from gpviz.engine.interruption import checkpoint

Stream = TypeVar("Stream", bound=io.StringIO)


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """Shows what a terminal would of what is written to it."""

    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        """What is to be read; a carriage return lets the next characters replace the first ones of the line."""
        shown = []
        for line in self.getvalue().split("\n"):
            text = ""
            for part in line.split("\r"):
                text = part + text[len(part) :]
            shown.append(text.rstrip())
        return shown


def error_stream(monkeypatch: pytest.MonkeyPatch, stream: Stream) -> Stream:
    """Make this the standard error; pytest has put its own there by now."""
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_a_terminal_has_one_line_that_is_written_anew_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = error_stream(monkeypatch, Terminal())
    clock = Clock()
    with Job(clock=clock) as job:
        job.say("A title.")
        job.show("a rather long line")
        job.show("short")
        assert terminal.lines == ["A title.", "short"]
        clock.now = 2.0
        job.count_iterations(1000, "error 3")
        assert terminal.lines[-1] == "iteration 1,000, error 3, 500 iterations a second"
    assert terminal.lines == ["A title.", ""]


def test_lines_that_stay_stand_above_it(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = error_stream(monkeypatch, Terminal())
    with Job(has_plain_lines=True) as job:
        job.show("1 of 4 runs")
        job.say("A worker ended.")
        job.show("2 of 4 runs")
        assert terminal.lines == ["A worker ended.", "2 of 4 runs"]
        job.update("4 of 4 runs")
        job.keep()
    assert terminal.lines == ["A worker ended.", "4 of 4 runs", ""]


def test_it_is_written_a_few_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = error_stream(monkeypatch, Terminal())
    clock = Clock()
    with Job(clock=clock) as job:
        for tick in range(100):
            clock.now = tick / 100
            job.update(f"step {tick}")
    assert 5 <= len(re.findall("step", terminal.getvalue())) <= 10


@pytest.mark.parametrize("columns", [20, 80])
def test_it_is_never_wider_than_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = error_stream(monkeypatch, Terminal())
    monkeypatch.setenv("COLUMNS", str(columns))
    Job().show("x" * 200)
    assert len(terminal.lines[0]) < columns


def test_elsewhere_there_is_a_line_every_few_seconds_and_one_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pipe = error_stream(monkeypatch, io.StringIO())
    clock = Clock()
    with Job(has_plain_lines=True, clock=clock) as job:
        job.say("A title.")
        for second in range(12):
            clock.now = float(second)
            job.update(f"{second} done")
        job.keep()
        job.keep()
    assert pipe.getvalue() == "A title.\n5 done\n10 done\n11 done\n"


def test_elsewhere_most_commands_show_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = error_stream(monkeypatch, io.StringIO())
    clock = Clock()
    with Job(clock=clock) as job:
        clock.now = 60.0
        job.show("something")
        job.update("something")
        job.keep()
    assert pipe.getvalue() == ""


def test_a_quiet_command_says_only_what_is_urgent(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = error_stream(monkeypatch, Terminal())
    with Job(is_quiet=True, has_plain_lines=True) as job:
        job.say("A title.")
        job.show("something")
        job.say("All is lost.", is_urgent=True)
    assert terminal.getvalue() == "All is lost.\n"


@pytest.mark.parametrize("is_there", [True, False])
def test_the_work_goes_on_where_the_terminal_has_gone(
    is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone(Terminal):
        def flush(self) -> None:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stderr", Gone() if is_there else None)
    with Job(has_plain_lines=True) as job:
        for _ in range(3):
            job.show("Nobody sees it.")
            job.say("Nobody reads it.")


class TestInterruption:
    @pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
    def test_it_ends_what_is_under_way_with_a_sentence(self, number: signal.Signals, code: int) -> None:
        def work() -> None:
            with job.interruptible("nothing was written"):
                signal.raise_signal(number)
                checkpoint()

        with Job() as job, pytest.raises(Interrupted, match="nothing was written") as ended:
            work()
        assert ended.value.exit_code == job.exit_code == code

    def test_what_begins_afterwards_is_finished_unless_there_is_another(self) -> None:
        with Job() as job:
            signal.raise_signal(signal.SIGINT)
            with job.interruptible("never"):
                checkpoint()
                assert not job.should_stop()
            assert job.is_interrupted
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)

    def test_afterwards_signals_do_what_they_did_before(self) -> None:
        before = signal.getsignal(signal.SIGINT)
        with Job():
            assert signal.getsignal(signal.SIGINT) is not before
        assert signal.getsignal(signal.SIGINT) is before
