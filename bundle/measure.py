"""Prints what a bundle is like: its size, the C library it needs, and how soon its window is there.

python bundle/measure.py dist/gpviz
"""

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

from tests.app.virtual_screen import VirtualScreen
from tests.patience import PATIENCE_SECONDS

_FILMS: Final = ("av", "av.libs")
_STARTS: Final = 7
_LOOK_SECONDS: Final = 0.002


def main(bundle: Path) -> None:
    whole, films = size_of(bundle), sum(size_of(bundle / "_internal" / name) for name in _FILMS)
    print(f"{bundle}: {whole / 1e6:.0f} MB, or {(whole - films) / 1e6:.0f} MB without films")
    if sys.platform == "linux":
        for name, version in newest_versions(bundle).items():
            print(f"needs {name} {version}")
        times = starts([str(bundle / "gpviz")], [str(Path(sys.executable).with_name("gpviz"))])
        own, installed = (median(column) for column in times)
        print(f"its window opens in {own:.2f} s, that of the installed program in {installed:.2f} s")
        print(f"(medians of {_STARTS} starts each, in turn)")


def size_of(folder: Path) -> int:
    """The bytes of all files below it; links count as nothing."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def newest_versions(bundle: Path) -> dict[str, str]:
    """The newest versions of the system's own libraries that any file of the bundle asks for."""
    files = [path for path in bundle.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
    told = subprocess.run(["objdump", "-p", *files], capture_output=True, text=True, check=True).stdout
    asked = {name: re.findall(rf" {name}_([\d.]+)$", told, re.MULTILINE) for name in ("GLIBC", "GLIBCXX")}
    return {
        name: max(versions, key=lambda version: [int(part) for part in version.split(".")])
        for name, versions in asked.items()
    }


def starts(*commands: Sequence[str]) -> list[list[float]]:
    """For each command the seconds from its start until its window is there."""
    with tempfile.TemporaryDirectory() as folder:
        screen = VirtualScreen(Path(folder), (1280, 800))
        try:
            rounds = [
                [_seconds_to_window(screen, command) for command in commands] for _ in range(_STARTS + 1)
            ]
        finally:
            screen.end()
    return [list(column) for column in zip(*rounds[1:], strict=True)]  # the first one reads the disk


def _seconds_to_window(screen: VirtualScreen, command: Sequence[str]) -> float:
    begun = time.monotonic()
    program = screen.start_command(*command)
    while not screen.xdotool("search", "--onlyvisible", "--name", "gpviz"):
        screen.assert_running(program, "the window")
        assert time.monotonic() < begun + PATIENCE_SECONDS, "there is no window"
        time.sleep(_LOOK_SECONDS)
    seconds = time.monotonic() - begun
    program.terminate()
    program.wait(PATIENCE_SECONDS)
    return seconds


if __name__ == "__main__":
    main(Path(sys.argv[1]))
