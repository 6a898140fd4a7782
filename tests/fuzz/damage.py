"""Whole files of every kind, and what can be done to them."""

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.plan import Plan, plan_of
from gpviz.experiments.store import Store
from tests.fuzz.inputs import Steps

ROOT: Final = Path(__file__).parents[2]
_NEST: Final = "a place to be nested in"


@cache
def files_of(kind: str) -> tuple[Path, ...]:
    """Whole files of a kind, to be damaged."""
    folder, pattern = {
        "runs": ("tests/golden", "*.gpviz"),
        "lectures": ("resources/lectures", "*.gpviz"),
        "plans": ("resources/plans", "*.toml"),
    }[kind]
    return tuple(sorted((ROOT / folder).glob(pattern)))


@cache
def _plan() -> Plan:
    config = {"deletion": "leaf"}
    return plan_of("small", {"runs": 6, "config": config, "grid": {"limit": ["n", "2n"], "n": [3, 4]}})


@cache
def _whole_store() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "whole.gpvizx"
        with Store.create(path, _plan()) as store:
            for cell in _plan().cells:
                store.add(run_chunk(Chunk(cell.number, cell.config, 0, 6, 2000)))
        return path.read_bytes()


def make_store(path: Path) -> None:
    """A small experiment with all its runs."""
    path.write_bytes(_whole_store())


def damaged(content: bytes, steps: Steps) -> bytes:
    """The content with all that is done to it; what cannot be done any more is left out."""
    for kind, *rest in steps:
        if kind in ("set", "remove", "rename", "nest"):
            content = _with_other_place(content, kind, *rest)
        elif kind != "file":
            content = _with_other_bytes(content, kind, *rest)
    return content


def _with_other_bytes(content: bytes, kind: str, where: float, what: Any = None) -> bytes:
    place = int(where * len(content))
    before, after = content[:place], content[place:]
    if kind == "cut":
        return before
    if kind == "insert":
        return before + what.encode("utf-8", "surrogatepass") + after
    if kind == "drop":
        return before + after[what:]
    if kind == "overwrite":
        return before + bytes(what) + after[len(what) :]
    return before + bytes(byte ^ 1 << what for byte in after[:1]) + after[1:]


def _with_other_place(content: bytes, kind: str, place: int, what: Any = None) -> bytes:
    """A structured file with something else in one of its places."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return content
    places = list(_places(data))
    if not places:
        return content
    owner, key = places[place % len(places)]
    if kind == "remove":
        del owner[key]
    elif kind == "rename" and isinstance(owner, dict):
        owner[what] = owner.pop(key)
    else:
        owner[key] = _NEST if kind == "nest" else what
    with suppress(RecursionError):
        content = json.dumps(data, indent=2).encode()
    return content.replace(f'"{_NEST}"'.encode(), b"[" * what + b"]" * what) if kind == "nest" else content


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every value inside, as the container that has it and its key there."""
    waiting = [data]
    while waiting:
        owner = waiting.pop()
        keys = (
            list(owner) if isinstance(owner, dict) else range(len(owner)) if isinstance(owner, list) else ()
        )
        for key in keys:
            yield owner, key
            waiting.append(owner[key])
