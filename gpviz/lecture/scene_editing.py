"""Changes of scenes: what they show, where they begin and end, what they hold. Each gives a new lecture."""

from dataclasses import replace
from typing import Final

from gpviz.engine import GpvizError
from gpviz.lecture.lecture import (
    MAX_TITLE_LENGTH,
    CapturedView,
    Lecture,
    Scene,
    captions_within,
    iterations_of_branch,
    replaced,
    with_run,
    with_scene,
)
from gpviz.lecture.scene_content import SceneComparison, SceneContent

_COPY: Final = " (copy)"
_LEAST_SPEED: Final = 4.0
_COMPARISON_SECONDS: Final = 20.0
"""How long a comparison plays at first, in iterations a second at least and in seconds at most."""


def captured(lecture: Lecture, index: int, view: CapturedView) -> Lecture:
    """The lecture with a new scene at this index that shows this view."""
    lecture, run = with_run(lecture, view.run_file)
    scene = Scene(
        title=f"Iteration {view.iteration:,}" if view.iteration else "The start",
        run=run,
        branch=view.branch,
        first=view.iteration,
        last=view.iteration,
        panels=view.panels,
        page=view.page,
    )
    return with_scene(lecture, index, scene)


def updated(lecture: Lecture, index: int, view: CapturedView) -> Lecture:
    """The lecture with a scene that shows this view instead; its speed stays, and in the same run its end."""
    lecture, run = with_run(lecture, view.run_file)
    scene = lecture.scenes[index]
    is_same = (scene.run, scene.branch) == (run, view.branch)
    last = max(view.iteration, scene.last) if is_same else view.iteration
    shown = replace(
        scene,
        run=run,
        branch=view.branch,
        first=view.iteration,
        last=last,
        captions=captions_within(scene.captions, view.iteration, last),
        panels=view.panels,
        page=view.page,
        has_tree=True,
        content=None if isinstance(scene.content, SceneComparison) else scene.content,
    )
    return replaced(lecture, index, shown)


def bounded(lecture: Lecture, index: int, view: CapturedView, *, is_last: bool) -> Lecture:
    """The lecture with a scene that opens or ends at the iteration of this view, of the same run and branch.

    Captions outside its new range are dropped.
    """
    lecture, run = with_run(lecture, view.run_file)
    scene = lecture.scenes[index]
    if (scene.run, scene.branch) != (run, view.branch):
        raise GpvizError(
            "The window shows another run or branch than the scene; show the scene in the window first."
        )
    first = min(scene.first, view.iteration) if is_last else view.iteration
    last = view.iteration if is_last else max(scene.last, view.iteration)
    captions = captions_within(scene.captions, first, last)
    return replaced(lecture, index, replace(scene, first=first, last=last, captions=captions))


def with_content(lecture: Lecture, index: int, content: SceneContent | None) -> Lecture:
    """The lecture with a scene that holds this content, or none; runs to compare are shown instead of its tree."""
    scene = lecture.scenes[index]
    if isinstance(content, SceneComparison):
        scene = replace(_along(lecture, scene, content), has_tree=False)
    elif content is None and isinstance(scene.content, SceneComparison):
        scene = replace(scene, has_tree=True)
    return replaced(lecture, index, replace(scene, content=content))


def with_content_scene(lecture: Lecture, index: int, title: str, content: SceneContent) -> Lecture:
    """The lecture with a new scene at this index that shows this content without a tree."""
    scene = Scene(title=shortened(title), has_tree=False)
    if isinstance(content, SceneComparison):
        scene = _along(lecture, scene, content)
        scene = replace(scene, speed=max(_LEAST_SPEED, scene.last / _COMPARISON_SECONDS))
    return with_scene(lecture, index, replace(scene, content=content))


def _along(lecture: Lecture, scene: Scene, content: SceneComparison) -> Scene:
    """The scene, going along the longest of the runs that it compares unless it goes along one of them already."""
    lengths = [iterations_of_branch(lecture.runs[lane.run], lane.branch) for lane in content.lanes]
    longest = content.lanes[lengths.index(max(lengths))]
    if (scene.run, scene.branch) in [(lane.run, lane.branch) for lane in content.lanes] and scene.last:
        return scene
    return replace(
        scene,
        run=longest.run,
        branch=longest.branch,
        first=0,
        last=max(lengths),
        captions=(),
        content=content,
    )


def shortened(title: str) -> str:
    """A title made printable and short enough for a scene."""
    line = " ".join("".join(each if each.isprintable() else " " for each in title).split())
    return line[:MAX_TITLE_LENGTH].strip() or "Scene"


def duplicated(lecture: Lecture, index: int) -> Lecture:
    """The lecture with a copy of a scene behind it."""
    scene = lecture.scenes[index]
    title = f"{scene.title[: MAX_TITLE_LENGTH - len(_COPY)]}{_COPY}"
    return with_scene(lecture, index + 1, replace(scene, title=title))
