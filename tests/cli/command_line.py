"""Calling gpviz as a person does, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path


def gpviz(
    *arguments: str, folder: Path | None = None, text: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command and wait for it."""
    return subprocess.run(
        [sys.executable, "-m", "gpviz", *arguments],
        input=text,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        cwd=folder,
        check=False,
        timeout=120,
    )


def is_one_sentence(text: str) -> bool:
    """Whether a message is one line that begins with the program's name and ends with a full stop."""
    return text.startswith("gpviz: ") and text.endswith(".\n") and text.count("\n") == 1
