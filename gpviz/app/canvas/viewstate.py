"""Checks what a file says about how a tree is shown, before anything is done with it."""

from collections.abc import Mapping
from math import isfinite
from typing import Any, Final

from gpviz.app.canvas.camera import LARGEST_SCALE, SMALLEST_SCALE
from gpviz.engine import GpvizError
from gpviz.layout.layouts import LAYOUTS

__all__ = ["checked_view_state"]

_LEAST_STRETCH: Final = 0.1
_MOST_STRETCH: Final = 10.0
_SWITCHES: Final = ("redundant", "ghosts", "reasons", "fitted")


def checked_view_state(state: Mapping[str, Any]) -> dict[str, Any]:
    """The known entries of a view's state; `GpvizError` names the one that is wrong."""
    checked = {}
    for name in _SWITCHES:
        if name in state:
            checked[name] = _accepted(name, state[name], isinstance(state[name], bool))
    if "layout" in state:
        layout = state["layout"]
        checked["layout"] = _accepted("layout", layout, isinstance(layout, str) and layout in LAYOUTS)
    if "collapsed" in state:
        uids = state["collapsed"]
        is_list = isinstance(uids, list | tuple)
        is_right = is_list and all(isinstance(uid, int) and not isinstance(uid, bool) for uid in uids)
        checked["collapsed"] = _accepted("collapsed", uids, is_right)
    if "camera" in state:
        camera = state["camera"]
        is_list = isinstance(camera, list | tuple) and len(camera) in (3, 5)
        is_right = is_list and all(
            isinstance(part, int | float) and not isinstance(part, bool) and isfinite(part) for part in camera
        )
        is_right = is_right and SMALLEST_SCALE <= camera[0] <= LARGEST_SCALE
        is_right = is_right and all(_LEAST_STRETCH <= part <= _MOST_STRETCH for part in camera[3:])
        checked["camera"] = _accepted("camera", camera, is_right)
    return checked


def _accepted(name: str, value: Any, is_right: bool) -> Any:
    if not is_right:
        raise GpvizError(f"The view's '{name}' cannot be read.")
    return value
