"""How far an experiment is: a live picture on a terminal, and a plain line now and then elsewhere."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Self, TextIO

if TYPE_CHECKING:
    from gpviz.experiments.plan_runner import Progress

_LIVE_S: Final = 0.1
_PLAIN_S: Final = 5.0
_LEAST_LINES: Final = 3
_WIDEST_BAR: Final = 40
_LONGEST_LABEL: Final = 40

_HIDE, _SHOW = "\x1b[?25l", "\x1b[?25h"
_DONE, _BUSY, _DIM, _PLAIN = "\x1b[32m", "\x1b[36m", "\x1b[2m", "\x1b[0m"


class Bar:
    """The runs of some cells, drawn as one bar."""

    def __init__(self, label: str, cells: Sequence[int], total: int) -> None:
        self.label = label
        self.cells = tuple(cells)
        self.total = total

    def done(self, done_by_cell: Sequence[int]) -> int:
        """How many of its runs are done."""
        return sum(done_by_cell[cell] for cell in self.cells)


def bars_of(labels: Sequence[str], groups: Sequence[str], runs: int) -> tuple[list[Bar], list[Bar]]:
    """A bar for each cell, by the cells' labels, and one for each group of cells, by the groups' names."""
    single = [Bar(label, [cell], runs) for cell, label in enumerate(labels)]
    members: dict[str, list[int]] = {}
    for cell, group in enumerate(groups):
        members.setdefault(group, []).append(cell)
    return single, [Bar(group, cells, runs * len(cells)) for group, cells in members.items()]


def display_for(
    labels: Sequence[str], groups: Sequence[str], runs: int, *, is_quiet: bool = False
) -> "LiveDisplay | PlainDisplay":
    """What suits the standard error: a live picture where that is a terminal; one that is quiet shows nothing."""
    stream = None if is_quiet else sys.stderr
    if stream is not None and stream.isatty() and _understands_signs():
        return LiveDisplay(stream, *bars_of(labels, groups, runs))
    return PlainDisplay(stream)


def say(line: str, *, is_quiet: bool = False) -> None:
    """Tell something on the standard error, as long as somebody can and wants to read it."""
    if not is_quiet:
        _Writer(sys.stderr).write(f"{line}\n")


def _understands_signs() -> bool:
    """Whether the terminal moves its cursor when told to."""
    if sys.platform == "win32":
        return bool(os.environ.get("WT_SESSION") or os.environ.get("TERM") or os.environ.get("ANSICON"))
    return os.environ.get("TERM", "dumb") != "dumb"


class _Writer:
    """Writes to a stream for as long as there is one: where the terminal has gone, the runs go on all the same."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._stream = None


class PlainDisplay:
    """A line at the start, one every few seconds and one at the end, each as long as it likes."""

    def __init__(self, stream: TextIO | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._writer = _Writer(stream)
        self._clock = clock
        self._next = clock() + _PLAIN_S
        self._last: Progress | None = None
        self._is_told = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_problem: object) -> None:
        if self._last is not None and not self._is_told:
            self._say(_facts(self._last, ", "))

    def say(self, line: str) -> None:
        """Tell something once."""
        self._say(line)

    def show(self, progress: "Progress") -> None:
        """Tell how far it is, unless that was told just now."""
        for note in progress.notes:
            self._say(note)
        self._last, self._is_told = progress, False
        if self._clock() >= self._next:
            self._next = self._clock() + _PLAIN_S
            self._say(_facts(progress, ", "))
            self._is_told = True

    def _say(self, line: str) -> None:
        self._writer.write(f"{line}\n")


class LiveDisplay:
    """Bars on a terminal, redrawn in place; notes go by above them.

    There is a bar for each cell; where the screen is too low for that, one for each group of them, and where it
    is still too low, those that are at work come first. At the end the cursor is as it was.
    """

    def __init__(
        self,
        stream: TextIO,
        cells: Sequence[Bar],
        groups: Sequence[Bar],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._writer = _Writer(stream)
        self._cells = cells
        self._groups = groups
        self._clock = clock
        self._next = clock()
        self._height = 0
        self._last: Progress | None = None
        self._has_colour = not os.environ.get("NO_COLOR")
        self._blocks = _blocks_for(stream)

    def __enter__(self) -> Self:
        self._writer.write(_HIDE)
        return self

    def __exit__(self, *_problem: object) -> None:
        if self._last is not None:
            self._draw(self._last, ())
        self._writer.write(f"{_SHOW}\n")

    def say(self, line: str) -> None:
        """Tell something once, above the bars."""
        self._write([line], [])

    def show(self, progress: "Progress") -> None:
        """Draw how far it is, unless that was done just now."""
        self._last = progress
        now = self._clock()
        if now >= self._next or progress.notes:
            self._next = now + _LIVE_S
            self._draw(progress, progress.notes)

    def _draw(self, progress: "Progress", notes: Sequence[str]) -> None:
        self._write(notes, self._lines(progress))

    def _write(self, above: Sequence[str], lines: Sequence[str]) -> None:
        """Take the old picture away, write some lines that stay, and the new picture."""
        text = f"\x1b[{self._height}A\r\x1b[J" if self._height else ""
        text += "".join(f"{line}\n" for line in [*above, *lines])
        self._writer.write(text)
        self._height = len(lines)

    def _lines(self, progress: "Progress") -> list[str]:
        size = shutil.get_terminal_size()
        width = max(size.columns - 1, 10)
        most = max(size.lines - 4, _LEAST_LINES)
        bars, hidden = self._chosen(progress.done_by_cell, most)
        label = min(max((len(bar.label) for bar in bars), default=0), _LONGEST_LABEL, width // 2)
        count = max((len(f"{bar.total:,}") for bar in bars), default=0)
        length = min(_WIDEST_BAR, width - label - 2 * count - 9)
        lines = [self._bar_line(bar, progress.done_by_cell, label, count, length, width) for bar in bars]
        if hidden:
            lines.append(f"  and {hidden:,} more"[:width])
        separator = " · " if len(self._blocks) > 2 else ", "
        facts = _facts(progress, separator)
        length = min(_WIDEST_BAR, width - len(facts) - 4)
        drawn = f"  {self._drawn(progress.done, progress.total, length)}" if length >= 5 else ""
        return [*lines, f"{drawn}  {facts[: width - 2]}"]

    def _chosen(self, done_by_cell: Sequence[int], most: int) -> tuple[Sequence[Bar], int]:
        """The bars that there is room for, in their order, and how many there is no room for."""
        bars = self._cells if len(self._cells) <= most or len(self._groups) < 2 else self._groups
        if len(bars) <= most:
            return bars, 0

        def weight(number: int) -> tuple[int, int]:
            done = bars[number].done(done_by_cell)
            is_waiting, is_done = done == 0, done >= bars[number].total
            return (2 if is_done else 1 if is_waiting else 0, number)

        shown = sorted(sorted(range(len(bars)), key=weight)[: most - 1])
        return [bars[number] for number in shown], len(bars) - len(shown)

    def _bar_line(
        self, bar: Bar, done_by_cell: Sequence[int], label: int, count: int, length: int, width: int
    ) -> str:
        done = bar.done(done_by_cell)
        name = bar.label if len(bar.label) <= label else f"{bar.label[: label - 3]}..."
        numbers = f"{done:>{count},} / {bar.total:>{count},}"
        if length < 5:
            return f"  {name:<{label}}  {numbers}"[:width]
        return f"  {name:<{label}}  {self._drawn(done, bar.total, length)}  {numbers}"

    def _drawn(self, done: int, total: int, length: int) -> str:
        """A bar of that many characters."""
        parts, full, empty = self._blocks[:-2], self._blocks[-2], self._blocks[-1]
        steps = len(parts) + 1
        filled = steps * length * done // total if total else 0
        whole, rest = divmod(filled, steps)
        begun = full * whole + (parts[rest - 1] if rest else "")
        left = empty * (length - len(begun))
        if not self._has_colour:
            return begun + left
        colour = _DONE if done >= total else _BUSY
        return f"{colour}{begun}{_PLAIN}{_DIM}{left}{_PLAIN}"


def _blocks_for(stream: TextIO) -> str:
    """What bars are made of, thinnest first, then the full block and the empty one."""
    blocks = "▏▎▍▌▋▊▉█░"
    try:
        blocks.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return "#."
    return blocks


def _facts(progress: "Progress", separator: str) -> str:
    """How many runs are done, how fast they go, and how long the rest takes."""
    percent = 100 * progress.done // progress.total if progress.total else 100
    facts = [f"{progress.done:,} of {progress.total:,} runs ({percent} %)"]
    if progress.rate > 0:
        facts.append(
            f"{progress.rate:,.0f} a second" if progress.rate >= 10 else f"{progress.rate:.2g} a second"
        )
    if progress.done < progress.total:
        if progress.seconds_left is not None:
            facts.append(f"{duration(progress.seconds_left)} left")
    else:
        facts.append(duration(progress.seconds))
    return separator.join(facts)


def duration(seconds: float) -> str:
    """A time in words a person reads."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    if whole < 86_400:
        return f"{whole // 3600} h {whole % 3600 // 60:02} min"
    return f"{whole // 86_400:,} d {whole % 86_400 // 3600:02} h"
