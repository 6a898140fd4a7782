"""The guide's page *In Python*: its examples do what they say, as a script and as the cells of a notebook."""

import ast
import asyncio
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.plan import find_plan
from gpviz.experiments.store import Store
from gpviz.guide_pages import load_pages
from tests.patience import PATIENCE_SECONDS

PAGE = next(page for page in load_pages() if page.name == "in-python").markdown
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
PICTURES = {"tree", "around", "step", "search", "result", "history"}
"""What stands alone in the last line of an example, to be shown."""
LAST = "import os, sys\nprint(os.getpid(), *sorted({'PySide6', 'pyqtgraph'} & set(sys.modules)))"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the experiment of which the page speaks, in which also Jupyter keeps what it keeps."""
    monkeypatch.chdir(tmp_path)
    for name in ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / "jupyter"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    plan = find_plan("quick")
    with Store.create("quick.gpvizx", plan) as store:
        for cell in plan.cells:
            store.add(run_chunk(Chunk(cell.number, cell.config, 0, 1, plan.max_iterations)))
    return tmp_path


def statements_of(example: str) -> Iterator[tuple[ast.stmt, str]]:
    """The statements of an example, each with the comment behind it."""
    lines = example.splitlines()
    for statement in ast.parse(example).body:
        assert statement.end_lineno is not None
        behind = lines[statement.end_lineno - 1].encode()[statement.end_col_offset :].decode()
        yield statement, behind.partition("#")[2].strip()


def test_every_example_gives_what_its_comments_say():
    names: dict[str, Any] = {}
    compared = 0
    for example in EXAMPLES:
        for statement, comment in statements_of(example):
            if not isinstance(statement, ast.Expr):
                exec(compile(ast.Module([statement], []), "in-python.md", "exec"), names)
                continue
            value = eval(compile(ast.Expression(statement.value), "in-python.md", "eval"), names)
            if comment:
                assert comment in (str(value), repr(value))
                compared += 1
    assert compared >= 15


def test_no_example_shows_what_nobody_would_see():
    """In a notebook only the last line of a cell is shown; the others have their values in comments."""
    for example in EXAMPLES:
        *others, _ = statements_of(example)
        assert all(comment for statement, comment in others if isinstance(statement, ast.Expr))


def test_a_notebook_with_the_examples_shows_pictures_and_a_page(folder: Path):
    cells = [nbformat.v4.new_code_cell(example.rstrip()) for example in (*EXAMPLES, LAST)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    client = NotebookClient(
        notebook,
        timeout=int(PATIENCE_SECONDS),
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    )
    asyncio.run(client.async_execute())
    *shown, last = [cell.outputs for cell in notebook.cells]
    pictured = set()
    for example, outputs in zip(EXAMPLES, shown, strict=True):
        kinds = {kind for output in outputs for kind in output.get("data", {})}
        line = example.rstrip().splitlines()[-1].partition("#")[0].strip()
        if line in PICTURES:
            assert "image/svg+xml" in kinds, line
            pictured.add(line)
        if line.startswith("interactive("):
            (output,) = outputs
            assert output.data["text/html"].startswith("<iframe ")
            pictured.add("page")
    assert pictured == {*PICTURES, "page"}
    process, *loaded = last[0].text.split()
    assert not loaded
    if os.name == "posix":  # elsewhere this asks nothing, but ends the process
        with pytest.raises(ProcessLookupError):
            os.kill(int(process), 0)
