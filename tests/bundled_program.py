"""A program like that of a bundle: it takes the arguments of gpviz, not those of Python, and says it is frozen."""

import shlex
import sys
from pathlib import Path
from typing import Final

import pytest

_PROGRAM: Final = """
import runpy, sys
sys.frozen = True
sys.executable = {path!r}
import multiprocessing, multiprocessing.spawn
# The rest is what PyInstaller does before the program begins: by itself Python knows frozen programs only on
# Windows, and starts the process that tracks what processes share with -c.
multiprocessing.freeze_support = multiprocessing.spawn.freeze_support
if "-c" in sys.argv[1:]:
    exec(sys.argv[sys.argv.index("-c", 1) + 1])
    sys.exit()
runpy.run_module("gpviz", run_name="__main__", alter_sys=True)
"""


def make_bundled_program(folder: Path) -> Path:
    """The program, in this folder."""
    if sys.platform == "win32":
        pytest.skip("Windows starts no shell scripts")
    path = folder / "gpviz"
    python = f"exec {shlex.quote(sys.executable)} -c {shlex.quote(_PROGRAM.format(path=str(path)))}"
    root = shlex.quote(str(Path(__file__).parents[1]))
    path.write_text(f'#!/bin/sh\nPYTHONPATH={root} {python} "$@"\n')
    path.chmod(0o755)
    return path
