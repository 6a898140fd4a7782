"""What can be done to a lecture in the making, as functions from one lecture to the next."""

from dataclasses import replace
from math import isfinite
from typing import Final

from gpviz.engine import GpvizError
from gpviz.record.lecture import MAX_TITLE_LENGTH, Lecture, Scene, replaced, with_run, with_scene
from gpviz.record.saved import RunFile

__all__ = ["bounded", "captured", "changed", "duplicated", "updated"]

_FASTEST: Final = 100_000.0
_COPY: Final = " (copy)"


def captured(
    lecture: Lecture,
    place: int,
    run_file: RunFile,
    branch: int,
    iteration: int,
    panels: tuple[str, ...],
    page: str,
    speed: float,
) -> Lecture:
    """With a new scene at a place, which shows this iteration."""
    lecture, run = with_run(lecture, run_file)
    scene = Scene(
        title=f"Iteration {iteration:,}" if iteration else "The start",
        run=run,
        branch=branch,
        first=iteration,
        last=iteration,
        panels=panels,
        page=page,
        speed=_possible(speed),
    )
    return with_scene(lecture, place, scene)


def updated(
    lecture: Lecture,
    index: int,
    run_file: RunFile,
    branch: int,
    iteration: int,
    panels: tuple[str, ...],
    page: str,
    speed: float | None,
) -> Lecture:
    """With a scene that shows this iteration instead; in the same run it ends where it did."""
    lecture, run = with_run(lecture, run_file)
    scene = lecture.scenes[index]
    is_same = (scene.run, scene.branch) == (run, branch)
    shown = replace(
        scene,
        run=run,
        branch=branch,
        first=iteration,
        last=max(iteration, scene.last) if is_same else iteration,
        panels=panels,
        page=page,
        has_tree=True,
        speed=scene.speed if speed is None else _possible(speed),
    )
    return replaced(lecture, index, shown)


def bounded(
    lecture: Lecture, index: int, run_file: RunFile, branch: int, iteration: int, *, is_last: bool
) -> Lecture:
    """With a scene that opens or ends at this iteration of its own run and branch."""
    lecture, run = with_run(lecture, run_file)
    scene = lecture.scenes[index]
    if (scene.run, scene.branch) != (run, branch):
        raise GpvizError(
            "The window shows another run or branch than the scene; show the scene in the window first."
        )
    first = min(scene.first, iteration) if is_last else iteration
    last = iteration if is_last else max(scene.last, iteration)
    return replaced(lecture, index, replace(scene, first=first, last=last))


def changed(lecture: Lecture, index: int, scene: Scene) -> Lecture:
    """With this scene at a place."""
    before = lecture.scenes[index]
    if (before.run, before.needs_run) != (scene.run, scene.needs_run):
        return replaced(lecture, index, scene)
    # The runs stay, so no other scene needs a look, which with hundreds of them would be felt while typing.
    return replace(lecture, scenes=(*lecture.scenes[:index], scene, *lecture.scenes[index + 1 :]))


def duplicated(lecture: Lecture, index: int) -> Lecture:
    """With a copy of a scene behind it."""
    scene = lecture.scenes[index]
    title = f"{scene.title[: MAX_TITLE_LENGTH - len(_COPY)]}{_COPY}"
    return with_scene(lecture, index + 1, replace(scene, title=title))


def _possible(speed: float) -> float:
    """As fast as it can is no speed that a file can tell."""
    return min(speed, _FASTEST) if isfinite(speed) else _FASTEST
