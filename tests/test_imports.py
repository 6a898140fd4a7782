"""Everything but the window works without the window's libraries, and without the ones that are slow to load."""

import subprocess
import sys

# A fresh interpreter, because the one that runs the tests may have loaded anything.
_IMPORT_EVERYTHING = """
import importlib, pkgutil, sys

def import_all(package):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        if module.name in sys.argv[1:] or module.name.endswith(".__main__"):
            continue
        imported = importlib.import_module(module.name)
        print(module.name)
        if module.ispkg:
            import_all(imported)

import_all(importlib.import_module("gpviz"))
print("loaded:", *sorted({"PySide6", "pyqtgraph", "networkx"} & set(sys.modules)))
"""


def loaded_by_all_modules_but(*packages: str) -> tuple[list[str], set[str]]:
    """The modules that were imported, and which of the libraries came with them."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _IMPORT_EVERYTHING, *packages],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *modules, loaded = done.stdout.splitlines()
    return modules, set(loaded.split()[1:])


def test_no_module_outside_the_window_loads_qt():
    modules, loaded = loaded_by_all_modules_but("gpviz.app")
    assert {"gpviz.picture.layout", "gpviz.engine.search"} <= set(modules)
    assert not loaded


def test_a_window_is_open_before_the_slow_libraries_are_loaded():
    done = subprocess.run(
        [sys.executable, "-c", "import sys, gpviz.app.application; print(*sys.modules)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert not {"pyqtgraph", "networkx"} & set(done.stdout.split())
