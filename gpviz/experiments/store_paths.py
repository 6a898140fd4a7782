"""Where experiments are kept that nobody gave a name, and how one of them is taken up again."""

import os
import re
import secrets
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError, shown
from gpviz.engine.interruption import ShouldStop
from gpviz.experiments.plan import Plan
from gpviz.experiments.store import Store
from gpviz.files.file_io import error_reason, shown_path

SUFFIX: Final = ".gpvizx"
_LONGEST_NAME: Final = 60
_MOST_LISTED: Final = 10


def stores_folder() -> Path:
    """The folder for experiments among a person's own data; it may not be there yet."""
    return _data_folder() / "gpviz" / "experiments"


def _data_folder() -> Path:
    given = os.environ.get("XDG_DATA_HOME", "")
    if given and Path(given).is_absolute():
        return Path(given)
    local = os.environ.get("LOCALAPPDATA", "")
    if sys.platform == "win32" and local:
        return Path(local)
    try:
        home = Path.home()
    except RuntimeError as error:
        raise GpvizError("Your data folder is unknown; set XDG_DATA_HOME.") from error
    return home / ("Library/Application Support" if sys.platform == "darwin" else ".local/share")


def new_store_path(plan: Plan) -> Path:
    """A name for the file of a new experiment, which no other has; the folder is made if it is not there."""
    folder = stores_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_writable = os.access(folder, os.W_OK)
    except OSError as error:
        raise GpvizError(f"{shown_path(folder)}: it cannot be created; {error_reason(error)}.") from error
    if not is_writable:
        raise GpvizError(f"{shown_path(folder)}: nothing can be written there.")
    name = re.sub(r"[^a-z0-9]+", "-", plan.name.lower()).strip("-")[:_LONGEST_NAME] or "plan"
    while True:
        # The time is for people; only what is drawn keeps two programs apart that start in the same second.
        path = folder / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}{SUFFIX}"
        if not path.exists():
            return path


def recent_stores() -> list[Path]:
    """The experiments that are kept there, the one that was written last first."""
    try:
        found = [(_written(path), path) for path in stores_folder().glob(f"*{SUFFIX}")]
    except OSError:  # what cannot be looked into holds nothing to be shown
        return []
    return [path for _, path in sorted(found, reverse=True)]


@dataclass(frozen=True, slots=True)
class KeptExperiment:
    """An experiment that is kept there: enough to offer it."""

    path: Path
    name: str
    title: str
    done: int
    total: int

    @property
    def is_whole(self) -> bool:
        """Whether all of its runs are done."""
        return self.done >= self.total


def kept_experiments(should_stop: ShouldStop = lambda: False) -> list[KeptExperiment]:
    """The last experiments that are kept there, newest first; files that cannot be read are left out."""
    found: list[KeptExperiment] = []
    for path in recent_stores()[:_MOST_LISTED]:
        if should_stop():
            break
        with suppress(GpvizError), Store.open(path) as store:  # it is a list of offers, not of complaints
            plan, done = store.plan, sum(totals.runs for totals in store.totals())
            found.append(KeptExperiment(path, plan.name, plan.title or plan.name, done, plan.total_runs))
    return found


def _written(path: Path) -> float:
    """When it was last written; the newest runs may still be in the log beside it."""
    latest = 0.0
    for each in (path, path.with_name(f"{path.name}-wal")):
        with suppress(OSError):
            latest = max(latest, each.stat().st_mtime)
    return latest


def unfinished_store(plan: Plan, *, or_more: bool = False) -> Path | None:
    """The newest experiment kept there that this plan goes on with: runs of it are still to be done.

    One that is to have more runs than the plan counts only where that is said.
    """
    for path in recent_stores():
        with suppress(GpvizError), Store.open(path) as store:  # what is no experiment is passed over
            theirs = store.plan
            wanted = as_many_runs(theirs, plan) if or_more else plan
            if (
                theirs.is_same_experiment(plan)
                and theirs.runs <= wanted.runs
                and not is_complete(store, wanted)
            ):
                return path
    return None


def as_many_runs(theirs: Plan, plan: Plan) -> Plan:
    """The plan, with the runs that an experiment of it is to have where those are more."""
    has_more = theirs.runs > plan.runs and theirs.is_same_experiment(plan)
    return plan.replaced(runs=theirs.runs) if has_more else plan


def is_complete(store: Store, plan: Plan | None = None) -> bool:
    """Whether all runs of the plan, its own if none is given, are there."""
    wanted = (plan or store.plan).runs
    return all(totals.runs >= wanted for totals in store.totals())


def resume_store(path: Path, plan: Plan) -> Store:
    """Open an experiment to go on with it; raises `GpvizError` if it is another than the plan's.

    The plan may ask for more runs than there were to be, not for fewer.
    """
    store = Store.open(path, is_writable=True)
    try:
        difference = first_difference(store.plan, plan)
        if difference:
            raise GpvizError(f"{shown_path(path)}: it is another experiment; {difference}.")
        if plan.runs < store.plan.runs:
            raise GpvizError(
                f"{shown_path(path)}: it has {store.plan.runs:,} runs a cell and the plan only "
                f"{plan.runs:,}; the number can grow, not shrink."
            )
        if plan.runs > store.plan.runs:
            store.extend(plan)
    except BaseException:
        store.close()
        raise
    return store


def first_difference(theirs: Plan, ours: Plan) -> str:
    """What first makes an experiment another one; empty if nothing does."""
    for number, (there, here) in enumerate(zip(theirs.cells, ours.cells, strict=False), 1):
        for name, value in _settings(there.config).items():
            other = _settings(here.config)[name]
            if value != other:
                position = "" if name == "seed" else f" in cell {number}"
                return f"{name}{position} is {_shown(value)} there and {_shown(other)} in the plan"
    if len(theirs.cells) != len(ours.cells):
        return f"it has {len(theirs.cells):,} cells and the plan has {len(ours.cells):,}"
    if theirs.max_iterations != ours.max_iterations:
        return f"max_iterations is {theirs.max_iterations:,} there and {ours.max_iterations:,} in the plan"
    return ""


def _settings(config: RunConfig) -> dict[str, object]:
    """The settings, the seed last: who changes more than that has most likely taken another plan."""
    data = config.as_dict()
    data["seed"] = data.pop("seed")
    return data


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return value if isinstance(value, str) else shown(value)
