"""Where the package of an extra is missing, one sentence says how to get it."""

import sys
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from gpviz.engine.optional_packages import ExtraName, how_to_get

NAMES = get_args(ExtraName)


def test_every_extra_is_one_of_the_project():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(NAMES) <= project["project"]["optional-dependencies"].keys()


@pytest.mark.parametrize("name", NAMES)
def test_it_is_installed_by_its_name(name):
    assert how_to_get(name).endswith(f'pip install "gpviz[{name}]".')


@pytest.mark.parametrize("name", NAMES)
def test_in_a_bundle_nobody_is_asked_to_install_into_it(name, monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    sentence = how_to_get(name)
    assert sentence.startswith("This bundle has no ")
    assert ", install gpviz as a Python package." in sentence
    assert "pip" not in sentence
