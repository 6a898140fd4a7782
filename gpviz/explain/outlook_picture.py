"""What a picture of the outlook along a run shows: its value from stretch to stretch, and the decisive steps.

Where no tree of the run can get stuck there is no chance to show, and the picture is about the iterations to go.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Final

from gpviz.analysis.outlook import Outlook
from gpviz.engine.stuck import can_get_stuck
from gpviz.explain.outlook_along_run import DECISIVE_RISE, DecisiveStep, RunOutlook
from gpviz.explain.outlook_text import (
    chance_name,
    chance_of,
    from_to_text,
    outlook_text,
    remaining_text,
    source_text,
)
from gpviz.explain.step_text import tell_briefly
from gpviz.number_text import counted
from gpviz.runs.history import History

_MOST_LABELS: Final = 12
"""So many decisive steps have a text beside them, where there is space; the others have a mark."""
_OTHER_RULES: Final = "other settings"


@dataclass(frozen=True, slots=True)
class Stretch:
    """The iterations from the one that brought a tree to the one that brings another; None is not known yet."""

    first: int
    last: int
    outlook: Outlook | None


@dataclass(frozen=True, slots=True)
class DecisiveMark:
    """A decisive step on the picture.

    ``is_main`` is the one that decided a stuck run. ``labels`` are what may stand beside it, each a few lines, the
    longest first.
    """

    step: DecisiveStep
    is_main: bool
    labels: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class OutlookPicture:
    """A picture of the outlook from the start to iteration ``last``, with a line at the cursor."""

    stretches: tuple[Stretch, ...]
    marks: tuple[DecisiveMark, ...]
    cursor: int
    last: int
    now: Outlook | None
    """The outlook of the tree under the cursor."""
    shows_chance: bool = True
    """Whether it shows the chance to end stuck; otherwise the iterations to go."""
    within: int | None = None
    """Of a run on samples, within how many iterations it may be done; the most of them, at the start."""
    is_final: bool = True
    """Whether no more is going to be known."""

    @property
    def first(self) -> int:
        """The iteration at which it begins."""
        return self.stretches[0].first if self.stretches else 0

    @property
    def names(self) -> tuple[str, ...]:
        """What it shows of the iterations, the longest name first."""
        if not self.shows_chance:
            return "iterations to go, on average", "iterations to go", "to go"
        if self.within is None:
            return "chance to end stuck", "P(stuck)"
        return (
            f"chance not to be done within {counted(self.within, 'iteration')}",
            "chance not to be done",
            "chance",
        )

    @property
    def known(self) -> int:
        """Of how many of the stretches something is known."""
        return sum(stretch.outlook is not None for stretch in self.stretches)

    @property
    def estimated(self) -> int:
        """Of how many of the stretches it is estimated."""
        return sum(stretch.outlook is not None and not stretch.outlook.is_exact for stretch in self.stretches)

    @property
    def main_mark(self) -> DecisiveMark | None:
        """The step that decided the run, if there is one."""
        return next((mark for mark in self.marks if mark.is_main), None)

    def stretch_at(self, iteration: int) -> Stretch | None:
        """The stretch of an iteration that is on the picture."""
        fitting = (stretch for stretch in reversed(self.stretches) if stretch.first <= iteration)
        return next(fitting, None) if iteration <= self.last else None

    def telling(self, iteration: int) -> str:
        """What it shows at an iteration, in a line."""
        stretch = self.stretch_at(iteration)
        if stretch is None:
            return ""
        where = f"t = {iteration:,}"
        known = stretch.outlook
        if known is None:
            return f"{where}: not known yet"
        if not self.shows_chance:
            return f"{where}: {remaining_text(known)}, {source_text(known)}"
        return f"{where}: {self.names[0]} {chance_of(known)}, {source_text(known)}"

    def description(self) -> str:
        """The picture in sentences, for those who do not see it."""
        here = "is not known yet." if self.now is None else f"is this: {outlook_text(self.now)}"
        sentences = [f"At iteration {self.cursor:,} of {self.last:,} the outlook {here}"]
        main = self.main_mark
        if main is not None:
            sentences.append(
                f"The decisive step is iteration {main.step.iteration:,}: {from_to_text(main.step)}."
            )
        elif self.marks:
            largest = (
                f"{mark.step.iteration:,} ({from_to_text(mark.step)})" for mark in _largest(self.marks, 3)
            )
            many = "s" if len(self.marks) > 1 else ""
            sentences.append(
                f"{counted(len(self.marks), 'decisive step')}; the largest rise{many}: {', '.join(largest)}."
            )
        if not self.is_final:
            sentences.append("More is being worked out.")
        return " ".join(sentences)

    def reason_for_no_steps(self) -> str:
        """Why there is no decisive step, in a sentence; nothing if there is one."""
        if self.marks:
            return ""
        if not self.shows_chance:
            return (
                "Under these rules no run gets stuck: sooner or later every one of them is solved."
                " The picture shows how many iterations are still to come, on average."
            )
        points = f"{100 * DECISIVE_RISE:.0f} points"
        name = "chance to end stuck" if self.within is None else "chance not to be done in time"
        if not self.is_final:
            return f"So far no step is known to raise the {name} by {points} or more."
        return f"No step raised the {name} by {points} or more."


def outlook_picture(
    run: RunOutlook, history: History, cursor: int, last: int | None = None, *, is_final: bool = True
) -> OutlookPicture:
    """What is known of a run by now, up to iteration ``last`` or all of it; ``is_final`` if no more is to come."""
    last = len(history) if last is None else min(last, len(history))
    stretches = _stretches(run, last)
    steps = [step for step in run.decisive_steps() if step.iteration <= last]
    end = stretches[-1].outlook if stretches else None
    main = (
        max(steps, key=lambda step: step.rise) if steps and end is not None and end.is_surely_stuck else None
    )
    largest = {step.iteration for step in nlargest(_MOST_LABELS, steps, key=lambda step: step.rise)}
    marks = tuple(
        DecisiveMark(
            step,
            step is main,
            _labels(step, history, is_main=step is main) if step.iteration in largest else (),
        )
        for step in steps
    )
    configs = [config for first, config in history.configs if first <= last + 1]
    outlooks = [stretch.outlook for stretch in stretches if stretch.outlook is not None]
    return OutlookPicture(
        stretches,
        marks,
        cursor,
        last,
        run.at(cursor),
        shows_chance=any(can_get_stuck(config.rules) or config.is_sampled for config in configs),
        within=max((each.within for each in outlooks if each.within is not None), default=None),
        is_final=is_final,
    )


def _stretches(run: RunOutlook, last: int) -> tuple[Stretch, ...]:
    """The run as far as it is shown; neighbours of which the same is known are one."""
    stretches: list[Stretch] = []
    end = run.starts[0]
    for first, stop, outlook in run.points():
        if first > last:
            break
        if first > end:
            stretches.append(Stretch(end, first, None))
        end = last if stop is None else min(stop, last)
        if stretches and stretches[-1].outlook == outlook:
            stretches[-1] = Stretch(stretches[-1].first, end, outlook)
        else:
            stretches.append(Stretch(first, end, outlook))
    if end < last or not stretches:
        stretches.append(Stretch(end, last, None))
    return tuple(stretches)


def step_text(history: History, iteration: int) -> str:
    """What the step of an iteration did, such as ``change x₅ to x₂, still 3 wrong rows``."""
    return _OTHER_RULES if _is_change_of_rules(history, iteration) else tell_briefly(history, iteration)


def _labels(step: DecisiveStep, history: History, *, is_main: bool) -> tuple[tuple[str, ...], ...]:
    number, chances = f"{step.iteration:,}", from_to_text(step)
    what, _, effect = step_text(history, step.iteration).partition(", ")
    short: tuple[tuple[str, ...], ...] = ((f"{number}: {chances}",), (number,))
    if not is_main or _is_change_of_rules(history, step.iteration):
        return (f"{number}: {what}: {chances}",), *short
    name = f"decisive step, t = {number}"
    return (f"{name}: {what}", f"{effect}, {chance_name(step.after)} {chances}"), (name, chances), *short


def _is_change_of_rules(history: History, iteration: int) -> bool:
    """Whether after this iteration the run goes on under other rules, as a branch may."""
    return not iteration or history.config_at(iteration).rules != history.rules_after(iteration)


def _largest(marks: Sequence[DecisiveMark], most: int) -> list[DecisiveMark]:
    return nlargest(most, marks, key=lambda mark: mark.step.rise)
