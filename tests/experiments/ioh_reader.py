"""Reads a folder of IOHprofiler data as its format is described, and knows nothing of how gpviz writes it.

The description: a JSON file for each algorithm and function, `IOHprofiler_f<id>[_<name>].json`, names its data
files, one for each dimension. In a data file a line with the names of the columns separates the runs. Columns are
separated by a single space or tab, one of them throughout the file. Every record is complete, evaluations count up
from the first one, and a run ends with its last evaluation, whether or not that was an improvement. What the JSON
file says of a run has to agree with its records.
"""

import json
import math
import re
from pathlib import Path
from typing import Any, Final, NamedTuple

_REQUIRED: Final = {
    "dataset": {
        "version", "suite", "function_id", "function_name", "maximization", "algorithm", "attributes", "scenarios"
    },
    "algorithm": {"name", "info"},
    "scenario": {"dimension", "path", "runs"},
    "run": {"instance", "evals", "best"},
    "best": {"evals", "y", "x"},
}  # fmt: skip
_META_NAME: Final = re.compile(r"IOHprofiler_f(?P<id>[^_]+)(_(?P<name>.+))?\.json")
_DATA_NAME: Final = re.compile(r"IOHprofiler_f(?P<id>[^_]+)_DIM(?P<dimension>\d+)\.dat")


class IohRun(NamedTuple):
    """A run: what the JSON file says of it, and its records, evaluations and the value there."""

    meta: dict[str, Any]
    points: list[tuple[int, float]]


def read_ioh(folder: Path) -> dict[str, dict[int, list[IohRun]]]:
    """All runs below a folder, by algorithm and dimension; raises `ValueError` where the format is not kept."""
    found: dict[str, dict[int, list[IohRun]]] = {}
    left = {path for path in folder.rglob("*") if path.is_file()}
    for path in sorted(folder.rglob("*.json")):
        left.remove(path)
        data = _checked("dataset", json.loads(path.read_text(encoding="utf-8")))
        named = _META_NAME.fullmatch(path.name)
        _require(
            named is not None
            and (named["id"], named["name"] or data["function_name"])
            == (str(data["function_id"]), data["function_name"]),
            f"{path.name} does not name its function",
        )
        name = _checked("algorithm", data["algorithm"])["name"]
        _require(name not in found, f"{name} is there twice")
        found[name] = {}
        for scenario in data["scenarios"]:
            _checked("scenario", scenario)
            file = path.parent / scenario["path"]
            named = _DATA_NAME.fullmatch(file.name)
            _require(
                named is not None and named["id"] == str(data["function_id"])
                and int(named["dimension"]) == scenario["dimension"],
                f"{file.name} does not name its function and dimension",
            )  # fmt: skip
            left.remove(file)
            found[name][scenario["dimension"]] = _read_runs(file, scenario["runs"], data)
    _require(not left, f"nothing tells of {left}")
    return found


def _read_runs(file: Path, metas: list[dict[str, Any]], data: dict[str, Any]) -> list[IohRun]:
    names = data["attributes"]
    content = file.read_text(encoding="ascii")
    _require(content.endswith("\n"), f"the last record of {file.name} is incomplete")
    separator = "\t" if "\t" in content else " "
    runs: list[list[tuple[int, float]]] = []
    evaluations, value = names.index("evaluations"), names.index("raw_y")
    for line in content.splitlines():
        fields = line.split(separator)
        if fields == names:
            runs.append([])
            continue
        _require(bool(runs) and len(fields) == len(names), f"{line!r} is no record of {names}")
        runs[-1].append((int(fields[evaluations]), float(fields[value])))
    _require(len(runs) == len(metas), f"{file.name} has {len(runs)} runs, and its description {len(metas)}")
    best_of = max if data["maximization"] else min
    for meta, points in zip(metas, runs, strict=True):
        best = _checked("best", _checked("run", meta)["best"])
        counts = [count for count, _ in points]
        _require(counts[:1] == [1] and counts == sorted(set(counts)), f"{counts} do not count up from 1")
        _require(meta["evals"] == counts[-1], f"{meta} ends at {counts[-1]}")
        _require(all(math.isfinite(y) for _, y in points), f"{points} are no values")
        y = best_of(y for _, y in points)
        first = next(point for point in points if point[1] == y)
        _require((best["evals"], best["y"]) == first, f"{meta} has its best value {first}")
    return [IohRun(meta, points) for meta, points in zip(metas, runs, strict=True)]


def _checked(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    missing = _REQUIRED[kind] - set(data)
    _require(not missing, f"the {kind} lacks {missing}")
    return data


def _require(is_so: bool, problem: str) -> None:
    if not is_so:
        raise ValueError(problem)
