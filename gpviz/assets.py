"""Where the files that are not code are, such as presets, icons, fonts and the guide; and what themes hold."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

from gpviz.engine.errors import GpvizError

THEME_NAMES: Final = ("light", "dark", "projector", "contrast")
"""In the order in which they are offered."""

_PACKAGE: Final = Path(__file__).resolve().parent
# A wheel carries the resources inside the package; a checkout has them at its top.
_FOLDERS: Final = (_PACKAGE / "resources", _PACKAGE.parent / "resources")


def folder(name: str) -> Path:
    """The folder of this name among the resources."""
    for resources in _FOLDERS:
        if (resources / name).is_dir():
            return resources / name
    raise GpvizError(f"The folder '{name}' that belongs to gpviz is missing; please install gpviz again.")


def text(folder_name: str, name: str) -> str:
    """What a text file among the resources says."""
    try:
        return (folder(folder_name) / name).read_text(encoding="utf-8")
    except OSError as error:
        raise GpvizError(
            f"The file '{folder_name}/{name}' that belongs to gpviz is missing; please install gpviz again."
        ) from error


@cache
def theme_data(name: str) -> dict[str, Any]:
    """What the file of a theme says: its title, its colours by name, and how it scales type and lines."""
    return tomllib.loads((folder("themes") / f"{name}.toml").read_text(encoding="utf-8"))
