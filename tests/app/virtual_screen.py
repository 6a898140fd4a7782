"""A screen that nobody sees, with programs on it that keys drive as a person would."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

_ROOT: Final = Path(__file__).parents[2]

needs_virtual_screen = pytest.mark.skipif(
    shutil.which("Xvfb") is None or shutil.which("xdotool") is None,
    reason="needs Xvfb and xdotool, which scripts/test installs where it may",
)


class VirtualScreen:
    """An X server of its own, for programs that keep their files in a folder.

    Everything is started by the command ``within``, if there is one: it may take it into another system.
    """

    def __init__(self, folder: Path, size: tuple[int, int], within: Sequence[str] = ()) -> None:
        end, reported = os.pipe()
        self._within = within
        depth = f"{size[0]}x{size[1]}x24"
        # Without -noreset the server starts anew whenever its last client leaves, and turns away whoever comes
        # meanwhile: a program that starts while xdotool looks for its window.
        self._server = subprocess.Popen(
            [*within, "Xvfb", "-displayfd", str(reported), "-screen", "0", depth, "-nolisten", "tcp", "-noreset"],
            pass_fds=[reported], text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(reported)
        with os.fdopen(end) as line:
            number = line.readline().strip()
        self._environment = {
            "PATH": os.environ["PATH"],
            "DISPLAY": f":{number}",
            "QT_QPA_PLATFORM": "xcb",
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": str(_ROOT),
            **{name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR")},
        }
        self._programs: list[subprocess.Popen[str]] = []

    def start(self, program: str, *arguments: str) -> subprocess.Popen[str]:
        """Start a program in Python, which ends with the screen at the latest."""
        return self.start_command(sys.executable, "-c", program, *arguments)

    def start_command(self, *command: str) -> subprocess.Popen[str]:
        """Start a program, which ends with the screen at the latest."""
        started = subprocess.Popen(
            [*self._within, *command],
            env=self._environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self._programs.append(started)
        return started

    def xdotool(self, *arguments: str) -> str:
        done = subprocess.run(
            [*self._within, "xdotool", *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout

    def assert_running(self, program: subprocess.Popen[str], what: str) -> None:
        """Fail with the program's own words if it ended while one waited for something."""
        if program.poll() is not None:
            out, err = program.communicate()
            pytest.fail(f"the program ended with {program.returncode} while waiting for {what}: {out}{err}")

    def end(self) -> None:
        for process in (*self._programs, self._server):
            process.kill()
            process.wait()
        for program in self._programs:
            for stream in (program.stdin, program.stdout, program.stderr):
                assert stream is not None
                stream.close()
