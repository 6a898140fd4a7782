"""The files that are not code are found."""

from pathlib import Path

import pytest

from gpviz import assets
from gpviz.engine.errors import GpvizError


def test_the_resources_inside_an_installed_package_come_first(tmp_path, monkeypatch):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for place in (inside, outside):
        (place / "presets").mkdir(parents=True)
    monkeypatch.setattr(assets, "_FOLDERS", (inside, outside))
    assert assets.folder("presets") == inside / "presets"


def test_a_missing_folder_is_a_sentence():
    with pytest.raises(GpvizError, match=r"'no-such-folder' .* is missing; .*\.$"):
        assets.folder("no-such-folder")


def test_the_folder_does_not_depend_on_where_the_program_is_started(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert assets.folder("presets").is_absolute()
    assert assets.folder("presets").is_dir()
