"""Presets: runs worth seeing, each ready to start, with a few words on what there is to see."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from gpviz import assets
from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError, shown

__all__ = ["Preset", "find_preset", "load_presets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A configuration with a name; ``start`` is a formula, or empty for the empty tree."""

    name: str
    title: str
    explanation: str
    config: RunConfig
    start: str = ""


def load_presets() -> tuple[Preset, ...]:
    """All presets, in the order in which they are offered, which is that of their file names."""
    return tuple(_read(path) for path in sorted(assets.folder("presets").glob("*.toml")))


def find_preset(name: str) -> Preset:
    """The preset of this name."""
    presets = load_presets()
    for preset in presets:
        if preset.name == name:
            return preset
    names = ", ".join(preset.name for preset in presets)
    raise GpvizError(f"There is no preset {shown(name)}; there are {names}.")


def _read(path: Path) -> Preset:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    config = RunConfig.from_dict(data.pop("config"))
    return Preset(name=re.sub(r"^\d+-", "", path.stem), config=config, **data)
