"""Where the files that are not code are: presets, icons, fonts, themes, the guide."""

from pathlib import Path
from typing import Final

from gpviz.engine.errors import GpvizError

__all__ = ["THEME_NAMES", "folder"]

THEME_NAMES: Final = ("light", "dark", "projector")

_PACKAGE: Final = Path(__file__).resolve().parent
# A wheel carries the resources inside the package; a checkout has them at its top.
_PLACES: Final = (_PACKAGE / "resources", _PACKAGE.parent / "resources")


def folder(name: str) -> Path:
    """The folder of this name among the resources."""
    for place in _PLACES:
        if (place / name).is_dir():
            return place / name
    raise GpvizError(f"The folder '{name}' that belongs to gpviz is missing; please install gpviz again.")
