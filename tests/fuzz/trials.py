"""Gives an input to the program: it is understood, or refused in one sentence, and no file is changed by that."""

import io
import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import gpviz.cli
from gpviz.engine import GpvizError, RlsGp, RunConfig, format_formula, parse
from gpviz.engine.interruption import Deadline, Stopped, stoppable
from gpviz.engine.settings import SETTINGS
from gpviz.engine.stuck import tree_state
from gpviz.engine.tree import variables_of
from gpviz.experiments.figures.figure_data import check_charts
from gpviz.experiments.plan import load_plan, parse_plan, plan_text
from gpviz.experiments.result_tables import cells_data, csv_text, latex_tables, spreads_of
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.store import Store
from gpviz.experiments.store_file import is_store
from gpviz.experiments.store_query import ORDERS, RunQuery, count_runs, find_runs
from gpviz.explain.query import Finder, QueryWatch, completions, is_unfinished, parse_query, word_start
from gpviz.lecture.lecture import is_lecture_file, lecture_data_of, lecture_of, load_any, load_lecture
from gpviz.runs.history import History
from gpviz.runs.replay import Cancelled, replay_all
from gpviz.runs.run_file import Bookmark, data_of, describe, load, run_file_of, save
from gpviz.runs.step_columns import Snapshot
from tests.fuzz.damage import damaged, files_of, make_store
from tests.fuzz.inputs import Steps
from tests.fuzz.window_walk import Failure, read_preferences, walk

_LONGEST_SENTENCE: Final = 1000
_PATIENT_SECONDS: Final = 0.3


@cache
def _history() -> History:
    config = RunConfig(n=4, limit="6", deletion="leaf", seed=3)
    search, history = RlsGp(config), History(config)
    for _ in range(60):
        history.append(search.step())
    return history


# Asking


@contextmanager
def _refused_or_done() -> Iterator[None]:
    """What a person can put right is said in one sentence; anything else is a failure."""
    try:
        yield
    except GpvizError as problem:
        _check_sentence(str(problem))


def _check_sentence(text: str) -> None:
    if len(text) > _LONGEST_SENTENCE or not text.isprintable() or not text.endswith((".", "?", ")")):
        raise Failure(f"this is no sentence: {text[: 2 * _LONGEST_SENTENCE]!r}")


@contextmanager
def _unchanged(path: Path) -> Iterator[None]:
    before = path.read_bytes()
    yield
    if path.read_bytes() != before:
        raise Failure(f"{path.name} was changed by reading it")


def _same(what: str, one: object, other: object) -> None:
    if one != other:
        raise Failure(f"{what}: {one!r:.500} became {other!r:.500}")


def _bounded(work: Callable[[], object]) -> None:
    """Do this, and no longer than a moment: how long it takes is another test's matter."""
    with suppress(Stopped), stoppable(Deadline(_PATIENT_SECONDS)):
        work()


def _soon(*_: object) -> bool:
    """For what asks now and then whether to stop."""
    return True


def _joined(steps: Steps) -> str:
    return "".join(step[1] for step in steps if step[0] == "piece")


def _given_settings(steps: Steps) -> dict[str, Any]:
    return {step[1]: step[2] for step in steps if step[0] == "setting"}


# The trials


def _try_formula(steps: Steps, _folder: Path) -> None:
    text = _joined(steps)
    with _refused_or_done():
        tree = parse(text)
        again = parse(format_formula(tree))
        _same("the formula", format_formula(tree), format_formula(again))
        values = {"n": variables_of(tree).bit_length(), "limit": "inf"} | _given_settings(steps)
        config = RunConfig(**values)
        tree = parse(text, config.n)
        _bounded(lambda: tree_state(tree, config))


def _try_settings(steps: Steps, folder: Path) -> None:
    with _refused_or_done():
        config = RunConfig.from_dict(_given_settings(steps))
        _same("the settings", config, RunConfig.from_dict(config.as_dict()))
        for row in SETTINGS:
            row.phrase_of(config)
        search, history = RlsGp(config), History(config)
        _bounded(lambda: history.extend([search.step() for _ in range(20)]))
        path = folder / "run.gpviz"
        described = describe(history, [Bookmark(len(history), "here")])
        save(path, described)
        _same("the saved run", described, load(path))


def _try_query(steps: Steps, _folder: Path) -> None:
    text = _joined(steps)
    for cursor in {0, len(text) // 2, len(text)}:
        completions(text, cursor)
        word_start(text, cursor)
    try:
        query = parse_query(text)
    except GpvizError as problem:
        _check_sentence(str(problem))
        is_unfinished(text, problem)  # type: ignore[arg-type]  # a query is refused as a QueryError
        return
    _same("the query", query.condition, parse_query(query.text).condition)
    history = _history()
    found = set(Finder(query, Snapshot(history)).go_on().tolist())
    watch = QueryWatch(query, history.config)
    watched = {
        iteration
        for iteration in range(1, len(history) + 1)
        if watch.reason(history.step_at(iteration)) is not None
    }
    _same(f"what matches {query.text}", found, watched)


def _try_run_file(steps: Steps, folder: Path) -> None:
    path = _damaged_file("runs", steps, folder / "damaged.gpviz")
    with _unchanged(path), _refused_or_done():
        is_lecture_file(path)
        is_store(path)
        run_file = load(path)
        _same("the run file", run_file, run_file_of(data_of(run_file)))
        with suppress(Cancelled, Stopped), stoppable(Deadline(_PATIENT_SECONDS)):
            replay_all(run_file, _soon)


def _try_lecture_file(steps: Steps, folder: Path) -> None:
    path = _damaged_file("lectures", steps, folder / "damaged.gpviz")
    with _unchanged(path):
        is_lecture_file(path)
        with _refused_or_done():
            load_any(path)
        with _refused_or_done():
            lecture = load_lecture(path)
            _same("the lecture", lecture, lecture_of(lecture_data_of(lecture)))
            check_charts(lecture)


def _try_plan_file(steps: Steps, folder: Path) -> None:
    path = _damaged_file("plans", steps, folder / "damaged.toml")
    with _unchanged(path), _refused_or_done():
        plan = load_plan(path)
        _same("the plan", plan, parse_plan(plan.name, plan_text(plan)))
        for cell in plan.cells[:50]:
            cell.config_of(0)


def _damaged_file(kind: str, steps: Steps, path: Path) -> Path:
    number = next((step[1] for step in steps if step[0] == "file"), 0)
    files = files_of(kind)
    path.write_bytes(damaged(files[number % len(files)].read_bytes(), steps))
    return path


def _try_store(steps: Steps, folder: Path) -> None:
    path = folder / "damaged.gpvizx"
    make_store(path)
    for step in steps:
        if step[0] == "value":
            with suppress(sqlite3.Error, OverflowError):
                _set_value(path, *step[1:])
    bytewise = [step for step in steps if step[0] != "value"]
    path.write_bytes(damaged(path.read_bytes(), bytewise))
    is_store(path)
    with _unchanged(path):
        for read in (_read_rows, _read_pages, _read_tables):
            with _refused_or_done(), Store.open(path) as store:
                read(store)


def _set_value(path: Path, index: int, row: int, value: Any) -> None:
    """Write a value where a stranger could."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        columns = [
            (table, name)
            for table in sorted(tables)
            for _, name, *_ in connection.execute(f'PRAGMA table_info("{table}")')
        ]
        table, column = columns[index % len(columns)]
        (count,) = connection.execute(f'SELECT COUNT(*) FROM "{table}"').fetchone()
        (key,) = connection.execute(
            f'SELECT rowid FROM "{table}" LIMIT 1 OFFSET ?', (row % max(count, 1),)
        ).fetchone() or (0,)
        connection.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', (value, key))
    finally:
        connection.close()


def _read_rows(store: Store) -> None:
    for cell, _ in enumerate(store.plan.cells[:50]):
        store.missing(cell)
        store.values(cell, "iterations")
        for row in store.rows(cell):
            store.run(cell, row.number)
        list(store.paths(cell))


def _read_pages(store: Store) -> None:
    for order in ORDERS:
        query = RunQuery(order=order)
        count_runs(store, query)
        find_runs(store, query, 2, 10)


def _read_tables(store: Store) -> None:
    summaries, spreads = summarise(store.plan, store.totals()), spreads_of(store)
    json.dumps(cells_data(store.plan, summaries, store.seconds, spreads))
    csv_text(store.plan, summaries, store.seconds, spreads)
    latex_tables(store.plan, summaries)


def _try_command(steps: Steps, folder: Path) -> None:
    """The command line, in a folder with a whole and a damaged file; none of them is changed."""
    shutil.copy(files_of("runs")[0], folder / "run.gpviz")
    (folder / "damaged.gpviz").write_text('{"format": "gpviz-run"')
    arguments = [step[1] for step in steps if step[0] == "word"]
    if not arguments:
        return
    if arguments[0] == "run":
        arguments += ["--max-iterations", "30"]
    elif arguments[0] in ("check", "outlook"):
        arguments += ["--budget", "0.2"]
    elif arguments[0] == "exact":
        arguments += ["--limit", "4"]  # larger ones take seconds
    elif arguments[0] not in ("replay", "export"):
        arguments += ["missing.gpviz"]  # else the window would open
    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        try:
            code = gpviz.cli.main(
                [str(folder / word) if re.search(r"gpviz|out(\.|$)", word) else word for word in arguments]
            )
        except SystemExit as end:
            code = 0 if end.code is None else end.code  # type: ignore[assignment]
    if code == 2:
        for line in errors.getvalue().splitlines():
            _check_sentence(line)
    elif code != 0:
        raise Failure(f"exit code {code}: {errors.getvalue()}")
    _check_plain("output", out.getvalue())
    _check_plain("errors", errors.getvalue())


def _check_plain(where: str, text: str) -> None:
    """Nothing of a stranger's text may command a terminal."""
    bad = sorted({character for character in text if not character.isprintable() and character not in "\n\t"})
    if bad:
        raise Failure(f"{bad} in the {where}: {text[:500]!r}")


TRIALS: Final[Mapping[str, Callable[[Steps, Path], None]]] = {
    "formulas": _try_formula,
    "settings": _try_settings,
    "queries": _try_query,
    "runs": _try_run_file,
    "lectures": _try_lecture_file,
    "plans": _try_plan_file,
    "stores": _try_store,
    "commands": _try_command,
    "preferences": read_preferences,
    "window": walk,
}
"""How an input of each part is tried, with an empty folder for its files."""
