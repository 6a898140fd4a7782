"""The colours of a picture: a name of a theme, or so many percent of it over the panel."""

from collections.abc import Mapping
from functools import lru_cache


def colour_of(name: str, colours: Mapping[str, str]) -> str:
    """The colour as ``#rrggbb``: ``improved`` of the theme, ``improved/20`` as 20 % of it over the panel."""
    plain, _, share = name.partition("/")
    return _mixed(colours[plain], colours["panel"], int(share)) if share else colours[plain]


@lru_cache(maxsize=1024)
def _mixed(colour: str, ground: str, percent: int) -> str:
    return "#" + "".join(
        f"{round((percent * one + (100 - percent) * other) / 100):02x}"
        for one, other in zip(bytes.fromhex(colour[1:]), bytes.fromhex(ground[1:]), strict=True)
    )
