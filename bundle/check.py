"""Uses a bundle as a person would, in a bare Debian without Python; `scripts/bundle --check` calls it.

python bundle/check.py DEBIAN
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import gpviz
from tests.app.virtual_screen import VirtualScreen
from tests.patience import PATIENCE_SECONDS

_FOLDER: Final = "/opt/a folder/gpviz"
_PROGRAM: Final = f"{_FOLDER}/gpviz"
_HOME: Final = "/home/person"
_PERSON: Final = 1000
_BEGINNINGS: Final = {
    "png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "html": b"<!DOCTYPE html>",
    "gif": b"GIF8", "mp4": b"\0\0\0",
}  # fmt: skip


class Machine:
    """The bare Debian, with the bundle in a folder that the person at it may only read."""

    def __init__(self, root: Path, bundle: Path) -> None:
        self.within = ("/usr/sbin/chroot", f"--userspec={_PERSON}:{_PERSON}", str(root))
        self.home = root / _HOME.lstrip("/")
        for path in (self.home, root / _FOLDER.lstrip("/")):
            shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(bundle, root / _FOLDER.lstrip("/"), symlinks=True)
        self.home.mkdir()
        os.chown(self.home, _PERSON, _PERSON)

    def run(self, *command: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        """Run it to its end, which has to be this one."""
        places = {"HOME": _HOME, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            [*self.within, *command], env=places, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, f"{command}: {done.returncode}, {done.stdout}{done.stderr}"
        return done


class Window:
    """The program on a virtual screen."""

    def __init__(self, machine: Machine, screen: VirtualScreen, *arguments: str) -> None:
        self._screen = screen
        self._program = screen.start_command(_PROGRAM, *arguments)

    def wait_for(self, is_so: Callable[[], object], what: str) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_so():
            self._screen.assert_running(self._program, what)
            assert not self._windows("something went wrong"), f"something went wrong before {what}"
            assert time.monotonic() < end, f"waited in vain for {what}; the windows are {self._titles()}"
            time.sleep(0.1)

    def focus(self, title: str) -> None:
        """Turn to the window with this title as soon as it is there."""
        self.wait_for(lambda: self._windows(title), f"the window {title!r}")
        self._screen.xdotool("windowfocus", "--sync", self._windows(title)[-1])

    def _titles(self) -> list[str]:
        return [self._screen.xdotool("getwindowname", window).strip() for window in self._windows("gpviz")]

    def _windows(self, title: str) -> list[str]:
        return self._screen.xdotool("search", "--onlyvisible", "--name", title).split()

    def leave(self, title: str, key: str) -> None:
        """Close the window with this title; when it goes it takes the focus along, wherever that was."""
        self.press(key)
        self.wait_for(lambda: not self._windows(title), f"the end of the window {title!r}")

    def press(self, *keys: str) -> None:
        for key in keys:
            self._screen.xdotool("key", key)

    def type(self, text: str) -> None:
        self._screen.xdotool("type", text)

    def quit(self) -> None:
        assert not self._windows("something went wrong")
        self.press("ctrl+q")
        out, err = self._program.communicate(timeout=PATIENCE_SECONDS)
        assert (self._program.returncode, out, err) == (0, "", ""), (self._program.returncode, out, err)


@contextmanager
def said(what: str) -> Iterator[None]:
    print(f"  {what} ...", end=" ", flush=True)
    yield
    print("ok", flush=True)


def check_commands(machine: Machine) -> None:
    with said("there is no Python"):
        machine.run("sh", "-c", "command -v python python3", code=127)
    with said("gpviz --version"):
        assert machine.run(_PROGRAM, "--version").stdout == f"gpviz {gpviz.__version__}\n"
    with said("a run is the same as in the installed program"):
        words = ("run", "--n", "8", "--seed", "1")
        installed = subprocess.run(
            [sys.executable, "-m", "gpviz", *words], capture_output=True, text=True, check=True
        )
        assert machine.run(_PROGRAM, *words).stdout == installed.stdout
    with said("an experiment has workers"):
        store = machine.home / "quick.gpvizx"
        done = machine.run(
            _PROGRAM, *f"experiment quick --runs 20 --jobs 2 --store {_HOME}/quick.gpvizx".split()
        )
        assert runs_in(store) == 8 * 20
        assert "This bundle has no numba;" in done.stderr
    with said("there is no cluster"):
        done = machine.run(_PROGRAM, "experiment", "quick", "--cluster", "host:8786", code=2)
        assert "This bundle has no distributed;" in done.stderr
    for ending, beginning in _BEGINNINGS.items():
        with said(f"gpviz export to .{ending}"):
            span = ("--range", "0:3") if ending in ("gif", "mp4") else ()
            machine.run(_PROGRAM, "export", "--preset", "first-run", "--to", f"{_HOME}/x.{ending}", *span)
            assert (machine.home / f"x.{ending}").read_bytes().startswith(beginning)


def check_desktop_entry(machine: Machine) -> None:
    share = machine.home / ".local" / "share"
    with said("the desktop gets an entry in its menu, and opens files"):
        done = machine.run(f"{_FOLDER}/install-desktop-entry")
        assert not done.stderr, done.stderr
        entry = f"{_HOME}/.local/share/applications/gpviz.desktop"
        assert machine.run("desktop-file-validate", entry).stdout == ""
        assert f'Exec="{_PROGRAM}" %f' in (share / "applications" / "gpviz.desktop").read_text().splitlines()
        globs = (share / "mime" / "globs").read_text().splitlines()
        assert {"application/x-gpviz:*.gpviz", "application/x-gpviz-experiment:*.gpvizx"} <= set(globs)
        assert "application/x-gpviz=gpviz.desktop;" in (share / "applications" / "mimeinfo.cache").read_text()
    with said("and gives both up again"):
        machine.run(f"{_FOLDER}/install-desktop-entry", "--remove")
        assert not list(share.rglob("gpviz.*"))


def check_window(machine: Machine, screen: VirtualScreen) -> None:
    with said("the window opens, plays, and shows the guide"):
        window = Window(machine, screen)
        window.focus("^AND.* – gpviz$")
        window.press("space")
        time.sleep(2)  # it makes four steps a second, which nobody can see from outside
        window.press("F1")
        window.focus("Guide – gpviz")
        window.leave("Guide – gpviz", "ctrl+w")
    with said("it exports the run in a process of its own"):
        log = machine.home / "log.csv"
        window.focus("^AND.* – gpviz$")
        window.press("ctrl+e")
        window.focus("^Export")
        window.press("End", "alt+f", "ctrl+a")
        window.type(f"{_HOME}/log.csv")
        window.leave("^Export", "Return")
        window.wait_for(log.exists, "the log")
        assert len(log.read_text().splitlines()) > 2, "the run has not been played"
        window.focus("^AND.* – gpviz$")
        window.quit()
    with said("it gives a lecture"):
        window = Window(machine, screen, "--lecture", "why-stuck")
        window.focus("Lecture – gpviz")
        window.press("Right", "Right")
        window.leave("Lecture – gpviz", "Escape")
        window.focus("^AND.* – gpviz$")
        window.quit()
    with said("it runs an experiment"):
        window = Window(machine, screen, "--experiment", "quick")
        window.focus("Experiments – gpviz")
        window.press("ctrl+Return")

        def is_done() -> bool:
            return any(runs_in(store) == 8 * 100 for store in machine.home.rglob("quick-*.gpvizx"))

        window.wait_for(is_done, "the runs")
        window.leave("Experiments – gpviz", "ctrl+w")
        window.focus("^AND.* – gpviz$")
        window.quit()


def runs_in(store: Path) -> int:
    """How many runs have been kept."""
    with closing(sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True)) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM runs").fetchone()[0])


def main(root: Path) -> None:
    print(f"In the bare Debian {root}:")
    machine = Machine(root, Path("dist") / "gpviz")
    check_commands(machine)
    check_desktop_entry(machine)
    (machine.home / "gpviz").mkdir()
    (machine.home / "gpviz" / "gpviz.ini").write_text("[General]\nhint_seen=true\n")
    for path in (machine.home / "gpviz", machine.home / "gpviz" / "gpviz.ini"):
        os.chown(path, _PERSON, _PERSON)
    screen = VirtualScreen(Path(_HOME), (1280, 800), machine.within)
    try:
        check_window(machine, screen)
    finally:
        screen.end()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
