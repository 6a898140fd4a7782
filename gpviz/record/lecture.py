"""A lecture: a list of scenes over runs, each with what it shows, its caption, and notes for the speaker."""

from dataclasses import dataclass, field
from typing import Final

from gpviz.record.saved import RunFile

__all__ = ["PAGES", "PANELS", "Lecture", "Scene"]

PANELS: Final = ("caption", "curves", "timeline", "legend")
"""What can stand beside the tree, in the order of the keys that show and hide them."""

PAGES: Final = ("", "inside", "neighbours", "proof", "rows", "function")
"""The study page that can stand below the tree, or none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is shown until the lecture goes on.

    The scene opens at iteration ``first`` of a branch (by its place, 0 for the original) of a run of the lecture,
    and goes on to ``last``: by itself at ``speed`` iterations a second, or, where that is 0, click by click, each
    click going to the next iteration or, with ``is_by_accepted``, to the next one that changed the tree. ``text``
    is Markdown that is shown large; where ``has_tree`` is false, instead of the tree. Without a ``caption`` of its
    own the step is told in a sentence.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Lecture:
    """Scenes in their order, and the runs they show."""

    title: str
    runs: tuple[RunFile, ...] = ()
    scenes: tuple[Scene, ...] = field(default=())
