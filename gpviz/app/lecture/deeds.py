"""What each wish does: to the audience's window, and on the way through the run."""

from collections.abc import Callable
from functools import partial

from gpviz.app.lecture.audience import AudienceWindow
from gpviz.app.lecture.keys import Wish
from gpviz.app.lecture.spotlight import Pointing
from gpviz.app.lecture.ways import Way

__all__ = ["deeds_of", "steps_of"]


def deeds_of(window: AudienceWindow) -> dict[Wish, Callable[[], None]]:
    """By the wish, what to do; going through the run and leaving are not among them."""
    pointer = window.spotlight
    return {
        Wish.LASER: partial(window.toggle_pointing, Pointing.LASER),
        Wish.SPOTLIGHT: partial(window.toggle_pointing, Pointing.SPOTLIGHT),
        Wish.LARGER_POINTER: partial(pointer.change_size, 1),
        Wish.SMALLER_POINTER: partial(pointer.change_size, -1),
        Wish.POINTER_LEFT: partial(pointer.go_by, -1, 0),
        Wish.POINTER_RIGHT: partial(pointer.go_by, 1, 0),
        Wish.POINTER_UP: partial(pointer.go_by, 0, -1),
        Wish.POINTER_DOWN: partial(pointer.go_by, 0, 1),
        Wish.CAPTION: partial(window.toggle_panel, "caption"),
        Wish.CURVES: partial(window.toggle_panel, "curves"),
        Wish.TIMELINE: partial(window.toggle_panel, "timeline"),
        Wish.LEGEND: partial(window.toggle_panel, "legend"),
        Wish.PAGE: window.toggle_page,
        Wish.NEXT_PAGE: window.next_page,
        Wish.FIT: window.stage.canvas.fit,
        Wish.LARGER_TYPE: partial(window.change_type, 1),
        Wish.SMALLER_TYPE: partial(window.change_type, -1),
        Wish.NEXT_THEME: window.choose_next_theme,
    }


def steps_of(way: Way) -> dict[Wish, Callable[[], None]]:
    """By the wish, where to go."""
    return {
        Wish.NEXT: way.forward,
        Wish.BACK: way.back,
        Wish.HELD_NEXT: partial(way.forward, is_held=True),
        Wish.HELD_BACK: partial(way.back, is_held=True),
        Wish.NEXT_SCENE: way.next_scene,
        Wish.PREVIOUS_SCENE: way.previous_scene,
        Wish.FIRST: way.go_first,
        Wish.LAST: way.go_last,
        Wish.PLAY: way.toggle_playing,
        Wish.RESTART: way.restart_scene,
    }
