"""Lectures: scenes over runs, with captions and notes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.files.checked_text import check_line, check_text
from gpviz.lecture.scene_content import SceneComparison, SceneContent
from gpviz.page_list import scene_pages
from gpviz.runs.bookmarks import exact_number
from gpviz.runs.branches import MAX_BRANCHES, MAX_TOTAL_ITERATIONS
from gpviz.runs.history import MAX_ITERATIONS
from gpviz.runs.run_file import RunFile, SavedBranch

PANELS: Final = ("caption", "curves", "timeline", "legend", "theory")
"""What can stand beside the tree, in the order of their keys; theory is drawn in the curves."""

MAX_SCENES: Final = 500
MAX_RUNS: Final = 100
MAX_TITLE_LENGTH: Final = 200
MAX_CAPTION_LENGTH: Final = 1000
MAX_CAPTIONS: Final = 50
"""How many captions a scene may have before that of its last iteration."""
MAX_TEXT_LENGTH: Final = 20_000
MAX_SPEED: Final = 1_000_000.0


@dataclass(frozen=True, slots=True)
class SceneCaption:
    """Words that are said at a chosen iteration of a scene; where they may stand is the scene's to check."""

    iteration: int
    text: str

    def __post_init__(self) -> None:
        exact_number("iteration", self.iteration, MAX_ITERATIONS)
        check_text("text", self.text, MAX_CAPTION_LENGTH)
        if not self.text.strip():
            raise InvalidValueError("text", self.text, f"a text of 1 to {MAX_CAPTION_LENGTH} characters")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is shown until the lecture goes on; checked on creation as far as it can be alone.

    The scene opens at iteration ``first`` of a branch (by its place, 0 for the original) of a run of the lecture,
    and goes on to ``last``: by itself at ``speed`` iterations a second, or, where that is 0, click by click, each
    click going to the next iteration or, with ``is_by_accepted``, to the next one that changed the tree. ``text``
    is Markdown that is shown large; where ``has_tree`` is false, instead of the tree. The ``caption`` speaks of
    what is seen at ``last``, and is shown when that is reached. Before that ``captions`` are shown, each at its
    own iteration, by which every click stops; a scene that plays by itself shows each of them until the next.
    Where there is no caption each step is told in a sentence.

    ``content`` stands beside the tree, or instead of it: a chart, a statement of the paper, a picture, or runs
    side by side, of which the scene's own is one and says how far the scene goes.
    """

    title: str
    run: int = 0
    branch: int = 0
    first: int = 0
    last: int = 0
    is_by_accepted: bool = False
    speed: float = 0.0
    panels: tuple[str, ...] = ("caption",)
    page: str = ""
    has_tree: bool = True
    text: str = ""
    caption: str = ""
    notes: str = ""
    captions: tuple[SceneCaption, ...] = ()
    content: SceneContent | None = None

    def __post_init__(self) -> None:
        check_line("title", self.title, MAX_TITLE_LENGTH)
        exact_number("run", self.run, MAX_RUNS - 1)
        exact_number("branch", self.branch, MAX_BRANCHES - 1)
        exact_number("first", self.first, MAX_ITERATIONS)
        exact_number("last", self.last, MAX_ITERATIONS)
        if self.first > self.last:
            raise InvalidValueError(
                "first", self.first, f"at most {self.last}, the last iteration of the scene"
            )
        _check_switch("is_by_accepted", self.is_by_accepted)
        object.__setattr__(self, "speed", _checked_speed(self.speed))
        _check_panels(self.panels)
        _check_page(self.page)
        _check_switch("has_tree", self.has_tree)
        check_text("text", self.text, MAX_TEXT_LENGTH)
        check_text("caption", self.caption, MAX_CAPTION_LENGTH)
        check_text("notes", self.notes, MAX_TEXT_LENGTH)
        _check_captions(self.captions, self.first, self.last)
        if self.content is not None and not isinstance(self.content, SceneContent):
            raise InvalidValueError(
                "content", self.content, "a chart, a comparison, a statement or a picture"
            )

    def caption_at(self, iteration: int) -> str:
        """The caption that the scene wants at this iteration, empty for none."""
        if iteration >= self.last and self.caption:
            return self.caption
        said = [each for each in self.captions if each.iteration <= iteration]
        if said and (said[-1].iteration == iteration or self.speed > 0):
            return said[-1].text
        return ""

    @property
    def needs_run(self) -> bool:
        """Whether its run has to stay: it is shown, or the scene keeps a place in it to be shown later."""
        has_place = any((self.run, self.branch, self.first, self.last))
        return self.has_tree or has_place or isinstance(self.content, SceneComparison)

    @property
    def runs_needed(self) -> tuple[int, ...]:
        """The runs of the lecture that have to stay for it, by their places."""
        if not self.needs_run:
            return ()
        lanes = self.content.lanes if isinstance(self.content, SceneComparison) else ()
        return tuple(dict.fromkeys((self.run, *(lane.run for lane in lanes))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lecture:
    """Scenes in their order, and the runs they show; every place a scene speaks of exists."""

    title: str
    runs: tuple[RunFile, ...] = ()
    scenes: tuple[Scene, ...] = field(default=())

    def __post_init__(self) -> None:
        check_line("title", self.title, MAX_TITLE_LENGTH)
        check_count("runs", len(self.runs), MAX_RUNS)
        check_count("scenes", len(self.scenes), MAX_SCENES)
        total = sum(run.iterations + sum(branch.iterations for branch in run.branches) for run in self.runs)
        if total > MAX_TOTAL_ITERATIONS:
            raise GpvizError(
                f"runs: together they have {total:,} iterations, but at most {MAX_TOTAL_ITERATIONS:,} "
                "are allowed."
            )
        for index, scene in enumerate(self.scenes):
            _check_place(f"scenes[{index}]", scene, self.runs)


def captions_within(captions: tuple[SceneCaption, ...], first: int, last: int) -> tuple[SceneCaption, ...]:
    """Those that a scene with these iterations can have."""
    return tuple(each for each in captions if first <= each.iteration < last)


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedView:
    """What the window shows now: a run, a branch by its place, an iteration, and what stands beside the tree."""

    run_file: RunFile
    branch: int
    iteration: int
    panels: tuple[str, ...] = ("caption",)
    page: str = ""


def iterations_of_branch(run_file: RunFile, branch: int) -> int:
    """How many iterations there are of a branch, by its place, 0 for the original."""
    return run_file.branches[branch - 1].iterations if branch else run_file.iterations


def with_scene(lecture: Lecture, index: int, scene: Scene) -> Lecture:
    """The lecture with one more scene, which gets this place among the scenes."""
    exact_number("index", index, len(lecture.scenes))
    return _tidied(replace(lecture, scenes=(*lecture.scenes[:index], scene, *lecture.scenes[index:])))


def replaced(lecture: Lecture, index: int, scene: Scene) -> Lecture:
    """The lecture with this scene instead of the one that has this place."""
    _check_index("index", index, lecture)
    return _tidied(replace(lecture, scenes=(*lecture.scenes[:index], scene, *lecture.scenes[index + 1 :])))


def without_scene(lecture: Lecture, index: int) -> Lecture:
    """The lecture without the scene that has this place, and without its run if no other scene needs it."""
    _check_index("index", index, lecture)
    return _tidied(replace(lecture, scenes=lecture.scenes[:index] + lecture.scenes[index + 1 :]))


def moved(lecture: Lecture, index: int, to: int) -> Lecture:
    """The lecture with the scene that has place ``index`` at place ``to``, the others in their order."""
    _check_index("index", index, lecture)
    _check_index("to", to, lecture)
    scenes = list(lecture.scenes)
    scenes.insert(to, scenes.pop(index))
    return replace(lecture, scenes=tuple(scenes))


def with_run(lecture: Lecture, run_file: RunFile) -> tuple[Lecture, int]:
    """The lecture with this run among its runs, and the place the run has there.

    A run that goes on where one of the lecture ends takes its place; one the lecture already has is not added
    again. Runs that no scene needs are gone.
    """
    changed, (place,) = with_runs(lecture, (run_file,))
    return changed, place


def with_runs(lecture: Lecture, run_files: Sequence[RunFile]) -> tuple[Lecture, tuple[int, ...]]:
    """As `with_run` with several runs, and the places they have."""
    runs = list(lecture.runs)
    places = []
    for run_file in run_files:
        for index, run in enumerate(runs):
            if run == run_file or _goes_on(run_file, run):
                runs[index] = run_file
                break
            if _goes_on(run, run_file):
                break
        else:
            index = len(runs)
            runs.append(run_file)
        places.append(index)
    return _tidied_around(lecture, runs, places)


def _goes_on(longer: RunFile, shorter: RunFile) -> bool:
    """Whether one run has all that the other has, in the same places, and perhaps more of it."""
    if (longer.config, longer.start, longer.script) != (shorter.config, shorter.start, shorter.script):
        return False
    if len(longer.branches) < len(shorter.branches):
        return False
    return _is_as_long(longer, shorter) and all(
        _branch_goes_on(one, other) for one, other in zip(longer.branches, shorter.branches, strict=False)
    )


def _branch_goes_on(longer: SavedBranch, shorter: SavedBranch) -> bool:
    if (longer.parent, longer.fork, longer.config) != (shorter.parent, shorter.fork, shorter.config):
        return False
    in_both = tuple(each for each in longer.forced if each[0] <= shorter.iterations)
    return in_both == shorter.forced and _is_as_long(longer, shorter)


def _is_as_long(longer: RunFile | SavedBranch, shorter: RunFile | SavedBranch) -> bool:
    """At the same length the fingerprints must agree; a longer run is known by what determines it."""
    if longer.iterations == shorter.iterations:
        return longer.fingerprint == shorter.fingerprint
    return longer.iterations > shorter.iterations


def _tidied(lecture: Lecture) -> Lecture:
    return _tidied_around(lecture, lecture.runs, ())[0]


def _tidied_around(
    lecture: Lecture, runs: Sequence[RunFile], kept: Sequence[int]
) -> tuple[Lecture, tuple[int, ...]]:
    """The lecture with those of these runs that a scene needs, and the kept ones, and where those now are.

    The others go before anything is checked: an unneeded run must not be what makes them too many.
    """
    needed = {run for scene in lecture.scenes for run in scene.runs_needed} | set(kept)
    places = {old: new for new, old in enumerate(sorted(needed))}
    tidied = replace(
        lecture,
        runs=tuple(runs[old] for old in places),
        scenes=tuple(_with_places(scene, places) for scene in lecture.scenes),
    )
    return tidied, tuple(places[old] for old in kept)


def _with_places(scene: Scene, places: dict[int, int]) -> Scene:
    """The scene where the runs have these places instead."""
    if isinstance(scene.content, SceneComparison):
        lanes = tuple(replace(lane, run=places[lane.run]) for lane in scene.content.lanes)
        return replace(scene, run=places[scene.run], content=SceneComparison(lanes))
    return replace(scene, run=places.get(scene.run, 0))


def _check_place(name: str, scene: object, runs: tuple[RunFile, ...]) -> None:
    if not isinstance(scene, Scene):
        raise InvalidValueError(name, scene, "a scene")
    if not runs:
        if scene.needs_run:
            raise GpvizError(f"{name}.run: the scene shows run {scene.run}, but the lecture has no runs.")
        return
    exact_number(f"{name}.run", scene.run, len(runs) - 1)
    if isinstance(scene.content, SceneComparison):
        _check_lanes(name, scene, scene.content, runs)
    run = runs[scene.run]
    exact_number(f"{name}.branch", scene.branch, len(run.branches))
    most = iterations_of_branch(run, scene.branch)
    for field_name, iteration in (("first", scene.first), ("last", scene.last)):
        if iteration > most:
            where = "branch" if scene.branch else "run"
            raise InvalidValueError(
                f"{name}.{field_name}", iteration, f"at most {most}, the iterations of its {where}"
            )


def _check_lanes(name: str, scene: Scene, content: SceneComparison, runs: tuple[RunFile, ...]) -> None:
    for index, lane in enumerate(content.lanes):
        where = f"{name}.content.lanes[{index}]"
        exact_number(f"{where}.run", lane.run, len(runs) - 1)
        exact_number(f"{where}.branch", lane.branch, len(runs[lane.run].branches))
    if (scene.run, scene.branch) not in [(lane.run, lane.branch) for lane in content.lanes]:
        raise GpvizError(
            f"{name}.run: the scene goes along run {scene.run}, which is not one of those that it compares."
        )


def _check_index(field_name: str, index: int, lecture: Lecture) -> None:
    if not lecture.scenes:
        raise GpvizError("The lecture has no scenes.")
    exact_number(field_name, index, len(lecture.scenes) - 1)


def check_count(name: str, count: int, most: int) -> None:
    if count > most:
        raise GpvizError(f"{name}: there are {count:,}, but at most {most} are allowed.")


def _check_captions(captions: object, first: int, last: int) -> None:
    if not isinstance(captions, tuple):
        raise InvalidValueError("captions", captions, "a list of captions")
    check_count("captions", len(captions), MAX_CAPTIONS)
    before = -1
    for index, caption in enumerate(captions):
        if not isinstance(caption, SceneCaption):
            raise InvalidValueError(f"captions[{index}]", caption, "a caption with its iteration")
        name, iteration = f"captions[{index}].iteration", caption.iteration
        if first == last:
            raise GpvizError(f"{name}: the scene shows a single moment, which has the scene's own caption.")
        if not first <= iteration < last:
            allowed = f"from {first} to {last - 1}; the caption at the last iteration is the scene's own"
            raise InvalidValueError(name, iteration, allowed)
        if iteration <= before:
            raise InvalidValueError(name, iteration, f"above {before}, the iteration of the caption before")
        before = iteration


def _check_switch(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise InvalidValueError(name, value, "true or false")


def _checked_speed(speed: object) -> float:
    if isinstance(speed, bool) or not isinstance(speed, (int, float)) or not 0 <= speed <= MAX_SPEED:
        raise InvalidValueError("speed", speed, f"a number from 0 to {MAX_SPEED:,.0f}")
    return float(speed)


def _check_page(page: object) -> None:
    names = tuple(info.name for info in scene_pages())
    if not isinstance(page, str) or page not in ("", *names):
        raise InvalidValueError("page", page, f"{_listed(names)}, or empty for none")


def _check_panels(panels: object) -> None:
    if not isinstance(panels, tuple):
        raise InvalidValueError("panels", panels, f"some of {_listed(PANELS)}")
    for index, panel in enumerate(panels):
        if not isinstance(panel, str) or panel not in PANELS:
            raise InvalidValueError(f"panels[{index}]", panel, _listed(PANELS))
        if panel in panels[:index]:
            raise GpvizError(f"panels[{index}]: {panel!r} is there already; each panel may be named once.")


def _listed(words: tuple[str, ...]) -> str:
    return f"{', '.join(repr(word) for word in words[:-1])} or {words[-1]!r}"
