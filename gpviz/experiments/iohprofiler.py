"""Runs as IOHprofiler keeps them, for IOHanalyzer and IOHinspector to read.

Facts about the format, as IOHexperimenter writes it and the two programs read it:

- An algorithm has a folder. In it `IOHprofiler_f<id>_<name>.json` describes a function, with a scenario for each
  dimension, and `data_f<id>_<name>/IOHprofiler_f<id>_DIM<n>.dat` holds the runs of that dimension.
- A line `evaluations raw_y` begins each run; a line for every improvement follows, and one for the last of all.
- IOHinspector counts runs by their first evaluation, so every run has exactly one line for evaluation 1.
- IOHanalyzer takes files of this kind from version 0.3.3 on; older ones of its own want 1.0.0.
- Experiment attributes are texts. IOHinspector evaluates them as Python where it can, so none may be a name there.
- Numbers are read as floating-point ones, which hold every error, as n is at most 1000.

An evaluation is an iteration, the dimension is n, the function is AND_n, and what is minimised is the error. A
tree without a leaf has no error; it counts as wrong on every row.
"""

import json
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Final

from gpviz import __version__
from gpviz.engine.config import RunConfig, is_usual
from gpviz.engine.errors import GpvizError
from gpviz.engine.settings import SETTINGS, WholeNumber, plain_text, setting
from gpviz.experiments.plan import Cell, Plan
from gpviz.experiments.run_row import RunRow, decode_path
from gpviz.experiments.store import Store
from gpviz.experiments.store_file import damaged
from gpviz.files.file_io import file_mode, move_file, resolved_path, shown_path, write_error

FORMAT_VERSION: Final = "1.0.0"
_FUNCTION: Final = "AND"
_HEADER: Final = "evaluations raw_y\n"
_EXACT: Final = 2**53
_NAMED_OTHERWISE: Final = ("n", "limit", "deletion", "fitness", "seed")
_NAMES: Final = {"functions": "{} only", "rows": "{} rows"}
"""How settings read in the name of an algorithm where not by their names or values alone."""
_ATTRIBUTES: Final = {
    "deletion": "{} deletion",
    "fitness": "{} fitness",
    "rows": "{} rows",
    "sampler": "sampled {}",
}
"""How settings read as attributes where not as an equation."""


def check_ioh_folder(folder: Path) -> None:
    """Raise the `GpvizError` that writing there would raise, so that it is known before long work."""
    try:
        parent = resolved_path(folder).parent
        mode = file_mode(folder)
        if mode is not None and (not stat.S_ISDIR(mode) or any(folder.iterdir())):
            raise GpvizError(f"{shown_path(folder)}: it already exists; name a folder that is new or empty.")
        if not parent.is_dir():
            raise GpvizError(f"{shown_path(folder)}: its parent folder does not exist.")
        # Whether it can be written is known best from trying.
        draft = _draft(folder)
        draft.mkdir()
        draft.rmdir()
    except (OSError, ValueError) as error:
        raise write_error(folder, error) from error


def write_ioh(store: Store, folder: Path) -> None:
    """Write all runs of an experiment into a new or empty folder, with one folder for each algorithm in it.

    Where that fails raises `GpvizError`, and nothing is left behind.
    """
    check_ioh_folder(folder)
    draft = _draft(folder)
    try:
        draft.mkdir()
        for name, cells in _algorithms(store.plan).items():
            _write_algorithm(store, draft / name, cells)
        if folder.exists():  # it may be the one that somebody is in
            for each in draft.iterdir():
                move_file(each, folder / each.name)
        else:
            move_file(draft, folder)
    except OSError as error:
        raise write_error(folder, error) from error
    finally:
        with suppress(OSError):
            shutil.rmtree(draft)


def algorithm_name(config: RunConfig) -> str:
    """What a configuration is called beside others: all that n and the seed leave open, where it is not usual."""
    parts = [setting("limit").phrase_of(config), f"{config.deletion} deletion"]
    for row in SETTINGS:
        if (
            row.name in _NAMED_OTHERWISE
            or is_usual(row, config)
            or (row.is_for_sampled and not config.is_sampled)
        ):
            continue
        usual = f"{row.head} {{}}" if isinstance(row.kind, WholeNumber) else "{}"
        parts.append(_NAMES.get(row.name, usual).format(plain_text(row.value_of(config))))
    return f"RLS-GP, {', '.join(parts)}"


def _algorithms(plan: Plan) -> dict[str, list[Cell]]:
    """The cells by the folders they belong in; those that differ in n alone are one algorithm."""
    groups: dict[str, list[Cell]] = {}
    for cell in plan.cells:
        settings = cell.config.as_dict()
        del settings["n"], settings["seed"]
        groups.setdefault(repr(settings), []).append(cell)
    named: dict[str, list[Cell]] = {}
    for cells in groups.values():
        name = re.sub(r"[^a-z0-9.+]+", "-", algorithm_name(cells[0].config).lower()).strip("-")
        while name in named:
            name += "-2"
        named[name] = sorted(cells, key=lambda cell: cell.config.n)
    return named


def _write_algorithm(store: Store, folder: Path, cells: list[Cell]) -> None:
    data = folder / f"data_f1_{_FUNCTION}"
    data.mkdir(parents=True)
    scenarios = []
    for cell in cells:
        path = data / f"IOHprofiler_f1_DIM{cell.config.n}.dat"
        runs = list(_write_runs(store, cell, path))
        if runs:  # a scenario of no runs is more than readers expect
            scenarios.append((cell.config.n, f"{data.name}/{path.name}", runs))
        else:
            path.unlink()
    if not scenarios:
        shutil.rmtree(folder)
        return
    with (folder / f"IOHprofiler_f1_{_FUNCTION}.json").open("x", encoding="utf-8", newline="\n") as file:
        file.writelines(_description(cells[0].config, scenarios))


def _write_runs(store: Store, cell: Cell, path: Path) -> Iterator[str]:
    """Write the runs of a cell, and give for each what the description says of it."""
    is_sampled = cell.config.is_sampled
    worst = cell.config.rows if is_sampled and cell.config.rows is not None else 2**cell.config.n
    with path.open("x", encoding="ascii", newline="\n") as file:
        for row, improvements in _runs(store, cell.number):
            points = _points(row, improvements, worst)
            lines = (f"{evaluations} {_number(error)}\n" for evaluations, error in points)
            file.writelines(chain([_HEADER], lines))
            evaluations, error = min(points, key=lambda point: point[1])
            best = f'{{"evals": {evaluations}, "y": {_number(error)}, "x": []}}'
            seed = cell.config.seed + row.number
            yield f'{{"instance": 1, "evals": {points[-1][0]}, "best": {best}, "seed": {seed}}}'


def _runs(store: Store, cell: int) -> Iterator[tuple[RunRow, bytes]]:
    """All runs of a cell, each with its improvements."""
    paths = store.paths(cell)
    for row in store.rows(cell):
        number, improvements = next(paths, (-1, b""))
        if number != row.number:
            raise damaged(store.path, f"the improvements of run {row.number} of cell {cell + 1} are missing")
        yield row, improvements


def _points(row: RunRow, improvements: bytes, worst: int) -> list[tuple[int, int]]:
    """The evaluations of a run to be written, with their errors: the first, the improvements and the last.

    A run that gets stuck ends there, not where that was noticed: as if it were restarted.
    """
    points = decode_path(improvements)
    if not points or points[0][0] > 1:
        points.insert(0, (1, worst))
    last = row.iterations if row.stuck_since is None else row.stuck_since
    if last > points[-1][0]:
        points.append((last, worst if row.error is None else row.error))
    return points


def _number(value: int) -> str:
    return str(value) if value <= _EXACT else repr(float(value))


def _description(config: RunConfig, scenarios: list[tuple[int, str, list[str]]]) -> Iterator[str]:
    """The file that describes the runs, piece by piece, with a line for each run."""
    head = {
        "version": FORMAT_VERSION,
        "suite": "gpviz",
        "function_id": 1,
        "function_name": _FUNCTION,
        "maximization": False,
        "algorithm": {"name": algorithm_name(config), "info": f"gpviz {__version__}"},
        "experiment_attributes": [{name: value} for name, value in _attributes(config).items()],
        "run_attributes": ["seed"],
        "attributes": ["evaluations", "raw_y"],
    }
    yield json.dumps(head, indent=1)[:-2]
    yield ',\n "scenarios": ['
    for number, (dimension, path, runs) in enumerate(scenarios):
        yield f'{"," * bool(number)}\n  {{"dimension": {dimension}, "path": {json.dumps(path)}, "runs": [\n   '
        yield ",\n   ".join(runs)
        yield "\n  ]}"
    yield "\n ]\n}\n"


def _attributes(config: RunConfig) -> dict[str, str]:
    """The settings as texts that remain texts, also for a reader that evaluates them."""
    texts = {
        row.name: _ATTRIBUTES.get(row.name, f"{row.head} = {{}}").format(plain_text(row.value_of(config)))
        for row in sorted(SETTINGS, key=lambda row: row.is_for_sampled)
        if row.name not in ("n", "seed") and (config.is_sampled or not row.is_for_sampled)
    }
    texts |= {
        "limit": f"{config.limit} leaves" if config.limit.isdecimal() else f"limit {config.limit}",
        "functions": " ".join(function.value for function in config.functions),
        "empty_tree": f"{config.empty_tree} operation" if config.empty_tree == "any" else config.empty_tree,
    }
    return texts


def _draft(folder: Path) -> Path:
    return resolved_path(folder).parent / f".gpviz-{secrets.token_hex(8)}.tmp"
