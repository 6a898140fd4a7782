"""What the program of a bundle does at its start, before it is like any other gpviz."""

import os
import runpy
import subprocess
import sys

import pytest

from gpviz.experiments.store import Store
from tests.bundled_program import make_bundled_program


def test_workers_of_an_experiment_are_the_program_itself(tmp_path):
    store = tmp_path / "quick.gpvizx"
    done = subprocess.run(
        [make_bundled_program(tmp_path), *f"experiment quick --runs 1 --jobs 1 --store {store}".split()],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with Store.open(store) as kept:
        assert [totals.runs for totals in kept.totals()] == [1] * 8


@pytest.mark.parametrize("before", [None, "/opt/lib"])
def test_what_it_starts_finds_the_libraries_of_the_system(monkeypatch, before):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "argv", ["gpviz", "--version"])
    for name in ("LD_LIBRARY_PATH", "QT_PLUGIN_PATH", "QML2_IMPORT_PATH"):
        monkeypatch.setenv(name, "/bundle")
    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG", raising=False)
    if before is not None:
        monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before)
    with pytest.raises(SystemExit):
        runpy.run_module("gpviz", run_name="__main__")
    assert os.environ.get("LD_LIBRARY_PATH") == before
    assert not {"LD_LIBRARY_PATH_ORIG", "QT_PLUGIN_PATH", "QML2_IMPORT_PATH"} & os.environ.keys()
