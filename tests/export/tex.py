"""What the tests of LaTeX share: is it well formed everywhere, does it compile where there is LaTeX."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from gpviz.engine import Node, RlsGp, RunConfig
from gpviz.runs.history import History

_NODE = re.compile(r"^\\node\[.*?\] at \(.*?\) \{(.*)\};$", re.MULTILINE)


def check_well_formed(text: str) -> None:
    """Every brace and every environment that is opened is closed, in the right order, and all is plain ASCII."""
    code = re.sub(r"(?<!\\)%.*", "", text)
    code.encode("ascii")
    depth = 0
    for sign in re.findall(r"(?<!\\)(?:\\\\)*([{}])", code):
        depth += 1 if sign == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert len(re.findall(r"(?<!\\)\$", code)) % 2 == 0
    opened: list[str] = []
    for what, name in re.findall(r"\\(begin|end)\{(\w+)\}", code):
        if what == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert not opened
    for line in code.splitlines():
        if line.startswith((r"\node", r"\path")):
            assert line.endswith(";")


def texts_in(text: str) -> list[str]:
    """The contents of the nodes of a picture, in their order."""
    return _NODE.findall(text)


def history_of(config: RunConfig, iterations: int, start: Node | None = None) -> History:
    """A run of so many iterations."""
    search, history = RlsGp(config, start), History(config, start)
    for _ in range(iterations):
        history.append(search.step())
    return history


def compiled_pages(path: Path) -> int:
    """How many pages LaTeX makes of a file; a test that needs it is skipped where there is none."""
    if shutil.which("pdflatex") is None:
        pytest.skip("there is no LaTeX here")
    finished = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", path.name],
        cwd=path.parent,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout[-2000:]
    assert "Overfull" not in finished.stdout
    pages = re.search(r"\((\d+) pages?", finished.stdout.replace("\n", ""))
    assert pages is not None
    return int(pages[1])
