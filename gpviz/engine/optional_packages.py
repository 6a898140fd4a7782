"""Packages that gpviz can do without: how to get one that is missing."""

import sys
from typing import Final, Literal, NamedTuple

ExtraName = Literal["cluster", "fast", "video"]


class _Extra(NamedTuple):
    package: str
    benefit: str


_EXTRAS: Final[dict[ExtraName, _Extra]] = {
    "cluster": _Extra("distributed", "experiments on other machines"),
    "fast": _Extra("numba", "faster runs"),
    "video": _Extra("PyAV", "films"),
}
"""By the names that `pyproject.toml` gives them."""


def is_bundle() -> bool:
    """Whether this is the program built by `scripts/bundle`: it has no Python of its own to install into."""
    return getattr(sys, "frozen", False)


def how_to_get(name: ExtraName) -> str:
    """What to install where the package of an extra is missing, in a sentence."""
    package, benefit = _EXTRAS[name]
    if is_bundle():
        return f"This bundle has no {package}; for {benefit}, install gpviz as a Python package."
    return f'For {benefit}, install {package}: pip install "gpviz[{name}]".'
