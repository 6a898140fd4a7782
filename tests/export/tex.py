"""What the tests of LaTeX exports share: is it well formed everywhere, does it compile where there is LaTeX."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from gpviz.engine import Inner, Leaf, Node, RlsGp, RunConfig
from gpviz.engine.tree import nodes_of
from gpviz.runs.history import History

_NODE = re.compile(r"\\node\[gpviz (?:ghost )?(?:and|or|leaf)[^\]]*\] at \(n(\d+)\) \{(.*)\};")
_COORDINATE = re.compile(r"\\coordinate \(n(\d+)\) at \((-?[\d.]+),(-?[\d.]+)\);")


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
        if line.startswith((r"\node", r"\draw", r"\coordinate", r"\path")):
            assert line.endswith(";")


def labels_in(text: str) -> list[str]:
    """The labels of the nodes of a picture and of its ghosts, in preorder."""
    found = _NODE.findall(text)
    assert [int(number) for number, _ in found] == list(range(1, len(found) + 1))
    return [label for _, label in found]


def coordinates_in(text: str) -> list[tuple[float, float]]:
    """The places of the nodes of a picture, in preorder."""
    found = _COORDINATE.findall(text)
    assert [int(number) for number, _, _ in found] == list(range(1, len(found) + 1))
    return [(float(x), float(y)) for _, x, y in found]


def labels_of_tree(tree: Node | None) -> list[str]:
    """What the labels must be."""
    symbols = {"and": r"$\wedge$", "or": r"$\vee$"}
    labels = []
    for node in nodes_of(tree):
        assert isinstance(node, Inner | Leaf)
        labels.append(f"$x_{{{node.variable}}}$" if isinstance(node, Leaf) else symbols[node.function.value])
    return labels


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
