"""Packages that gpviz can do without, and how to install one that is missing."""

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
"""By the names of the extras in `pyproject.toml`."""


def is_bundle() -> bool:
    """Whether this is the program built by `scripts/bundle`, which has no Python that one could install into."""
    return getattr(sys, "frozen", False)


def how_to_get(name: ExtraName) -> str:
    """A sentence on what to install where the package of an extra is missing."""
    package, benefit = _EXTRAS[name]
    if is_bundle():
        return f"This bundle has no {package}; for {benefit}, install gpviz as a Python package."
    return f'For {benefit}, install {package}: pip install "gpviz[{name}]".'
