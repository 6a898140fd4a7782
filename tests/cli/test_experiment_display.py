"""How `gpviz experiment` shows how far it is."""

import io
import re
import sys
from typing import Any

import pytest

from gpviz.cli.experiment_display import LiveDisplay, PlainDisplay, bars_of, display_for, duration, say
from gpviz.experiments.plan_runner import Progress

LABELS = ["limit n, n 4", "limit n, n 8", "limit 2n, n 4", "limit 2n, n 8"]
GROUPS = ["limit n", "limit n", "limit 2n", "limit 2n"]


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """What a terminal would show of what is written to it."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self._encoding = encoding
        self.lines = [""]
        self.row = 0
        self.is_cursor_shown = True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        text.encode(self._encoding)
        for sign, plain in re.findall(r"(\x1b\[[?\d]*[A-Za-z]|\r|\n)|([^\x1b\r\n]+)", text):
            self._obey(sign, plain)
        return super().write(text)

    def _obey(self, sign: str, plain: str) -> None:
        if plain:
            self.lines[self.row] += plain
        elif sign == "\n":
            self.row += 1
            self.lines += [""] * (self.row + 1 - len(self.lines))
        elif sign.endswith("A"):
            self.row -= int(sign[2:-1])
            assert self.row >= 0
        elif sign == "\x1b[J":
            self.lines[self.row :] = [""]
        elif sign in ("\x1b[?25l", "\x1b[?25h"):
            self.is_cursor_shown = sign.endswith("h")
        else:
            assert sign == "\r" or sign.endswith("m")


def at(*done: int, notes: tuple[str, ...] = (), runs: int = 10, left: float | None = 75.0) -> Progress:
    total = runs * len(done)
    return Progress(sum(done), total, done, 2.0, 25.0, left if sum(done) < total else 0.0, notes)


def live(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, columns: int = 80, lines: int = 24, **changes: Any
) -> tuple[LiveDisplay, Clock]:
    clock = Clock()
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(lines))
    bars = bars_of(changes.get("labels", LABELS), changes.get("groups", GROUPS), 10)
    return LiveDisplay(terminal, *bars, clock=clock), clock


def test_every_cell_has_a_bar_and_all_runs_together_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    display, clock = live(terminal, monkeypatch)
    with display:
        display.say("A title.")
        display.show(at(0, 0, 0, 0))
        clock.now = 1.0
        display.show(at(10, 5, 0, 0))
        assert not terminal.is_cursor_shown
        assert terminal.lines[:5] == [
            "A title.",
            f"  limit n, n 4   {'█' * 40}  10 / 10",
            f"  limit n, n 8   {'█' * 20}{'░' * 20}   5 / 10",
            f"  limit 2n, n 4  {'░' * 40}   0 / 10",
            f"  limit 2n, n 8  {'░' * 40}   0 / 10",
        ]
        assert terminal.lines[5].endswith("  15 of 40 runs (37 %) · 25 a second · 1 min 15 s left")
    assert terminal.is_cursor_shown


def test_notes_go_by_above_the_bars_and_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    display, _ = live(terminal, monkeypatch)
    with display:
        display.show(at(1, 0, 0, 0))
        display.show(at(1, 1, 0, 0, notes=("A worker ended.",)))
        display.show(at(1, 1, 1, 0, notes=("Another, too.",)))
        assert terminal.lines[:2] == ["A worker ended.", "Another, too."]
        assert len(terminal.lines) == 2 + 5 + 1


def test_it_is_drawn_a_few_times_a_second_and_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    display, clock = live(terminal, monkeypatch)
    with display:
        display.show(at(1, 0, 0, 0))
        length = len(terminal.getvalue())
        clock.now = 0.05
        display.show(at(2, 0, 0, 0))
        assert len(terminal.getvalue()) == length
    assert terminal.lines[0].endswith(" 2 / 10")


@pytest.mark.parametrize("columns", [20, 30, 45, 60, 79, 120])
def test_no_line_is_wider_than_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    labels = ["a setting with a very long name indeed, and another such setting", *LABELS[1:]]
    display, _ = live(terminal, monkeypatch, columns, labels=labels)
    with display:
        display.show(at(10, 5, 1, 0))
    assert max(map(len, terminal.lines)) < columns


def test_a_low_terminal_shows_groups_of_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    display, _ = live(terminal, monkeypatch, lines=7)
    with display:
        display.show(at(10, 5, 0, 0))
        assert [line.split("  ")[1] for line in terminal.lines[:2]] == ["limit n", "limit 2n"]
        assert terminal.lines[0].endswith("15 / 20")
        assert len(terminal.lines) == 4


def test_where_groups_are_too_many_those_at_work_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    names = [f"n {n}" for n in range(30)]
    display, _ = live(terminal, monkeypatch, lines=10, labels=names, groups=[""] * 30)
    done = [10] * 20 + [0] * 10
    done[7] = done[25] = 3
    with display:
        display.show(at(*done))
        assert [line.split("  ")[1].strip() for line in terminal.lines[:5]] == [
            "n 7",
            "n 20",
            "n 21",
            "n 22",
            "n 25",
        ]
        assert terminal.lines[5] == "  and 25 more"


def test_colours_are_left_out_where_nobody_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def written(no_colour: str) -> str:
        monkeypatch.setenv("NO_COLOR", no_colour)
        terminal = Terminal()
        display, _ = live(terminal, monkeypatch)
        with display:
            display.show(at(1, 2, 3, 10))
        return terminal.getvalue()

    assert "\x1b[36m" in written("")
    assert not re.search(r"\x1b\[\d+m", written("1"))


def test_a_terminal_without_blocks_gets_plain_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal("ascii")
    display, _ = live(terminal, monkeypatch)
    with display:
        display.show(at(5, 0, 0, 0))
    assert f"{'#' * 20}{'.' * 20}" in terminal.lines[0]


def test_the_cursor_comes_back_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    display, _ = live(terminal, monkeypatch)

    def interrupted() -> None:
        with display:
            display.show(at(1, 0, 0, 0))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert terminal.is_cursor_shown


def test_elsewhere_there_is_a_line_every_few_seconds_and_one_at_the_end() -> None:
    stream, clock = io.StringIO(), Clock()
    with PlainDisplay(stream, clock) as display:
        display.say("A title.")
        for second in range(12):
            clock.now = float(second)
            display.show(at(second, 0, runs=100, left=None, notes=("A note.",) if second == 7 else ()))
    lines = stream.getvalue().splitlines()
    assert lines == [
        "A title.",
        "5 of 200 runs (2 %), 25 a second",
        "A note.",
        "10 of 200 runs (5 %), 25 a second",
        "11 of 200 runs (5 %), 25 a second",
    ]
    assert "\x1b" not in stream.getvalue()


def test_a_line_is_not_told_twice_at_the_end() -> None:
    stream, clock = io.StringIO(), Clock()
    with PlainDisplay(stream, clock) as display:
        clock.now = 6.0
        display.show(at(10, 10))
    assert stream.getvalue() == "20 of 20 runs (100 %), 25 a second, 2.0 s\n"


def test_a_program_without_an_error_stream_shows_nothing() -> None:
    with PlainDisplay(None) as display:
        display.say("Nobody hears it.")
        display.show(at(10, 10))


def test_the_display_suits_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    for platform, term, expected in (
        ("linux", "xterm", LiveDisplay),
        ("linux", "dumb", PlainDisplay),
        ("win32", "", PlainDisplay),
        ("win32", "xterm", LiveDisplay),
    ):
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setenv("TERM", term)
        assert type(display_for(LABELS, GROUPS, 10)) is expected
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert type(display_for(LABELS, GROUPS, 10)) is PlainDisplay


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (59.6, "1 min 00 s"),
        (125, "2 min 05 s"),
        (3600, "1 h 00 min"),
        (86_399, "23 h 59 min"),
        (90_000, "1 d 01 h"),
    ],
)
def test_times_are_told_as_people_say_them(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_a_slow_rate_keeps_its_digits() -> None:
    stream = io.StringIO()
    with PlainDisplay(stream, Clock()) as display:
        display.show(Progress(1, 0, (1,), 2.0, 0.25, None, ()))
    assert stream.getvalue() == "1 of 0 runs (100 %), 0.25 a second, 2.0 s\n"


def test_the_runs_go_on_where_the_terminal_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(Terminal):
        def flush(self) -> None:
            raise OSError(5, "Input/output error")

    display, clock = live(Gone(), monkeypatch)
    with display, PlainDisplay(Gone()) as plain:
        for now in range(3):
            clock.now = now
            display.show(at(1, 0, 0, 0))
            plain.say("Nobody hears it.")
    for stream in (Gone(), None):
        monkeypatch.setattr(sys, "stderr", stream)
        say("Nobody hears this either.")
