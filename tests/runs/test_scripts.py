"""Runs with a script: they are saved, replayed and branched like any other."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpviz.engine import GpvizError, RlsGp, RunConfig, parse
from gpviz.engine.mutation_script import normal_form, parse_script
from gpviz.lecture.lecture import Lecture, Scene, with_run
from gpviz.runs.branches import Branches, forked, search_at
from gpviz.runs.history import History
from gpviz.runs.replay import replay_all
from gpviz.runs.run_file import data_of, describe, describe_branches, load, run_file_of, save
from tests.files.hostile import refusal

CONFIG = RunConfig(n=4, limit="8", deletion="leaf", seed=3)
ENTRIES = ["insert x1", "insert or x1 at 1 right", "insert and x2 at 2 right", "delete 4"]
SCRIPT = parse_script(ENTRIES)


def recorded(iterations: int, config: RunConfig = CONFIG) -> History:
    search, history = RlsGp(config, None, SCRIPT), History(config, None, SCRIPT)
    for _ in range(iterations):
        history.append(search.step())
    return history


@pytest.mark.parametrize("iterations", [0, 2, 4, 30])
def test_a_run_with_a_script_replays_as_it_was_saved_and_goes_on_with_it(tmp_path: Path, iterations: int):
    saved = describe(recorded(iterations))
    save(tmp_path / "a.gpviz", saved)
    data = json.loads((tmp_path / "a.gpviz").read_bytes())
    assert data["script"] == ENTRIES
    opened = load(tmp_path / "a.gpviz")
    assert opened == saved
    search, history = replay_all(opened)[0]
    history.extend([search.step() for _ in range(40 - iterations)])
    assert history.fingerprint() == recorded(40).fingerprint()


def test_a_search_made_from_the_history_goes_on_with_the_script():
    history, whole = recorded(2), recorded(20)
    search = search_at(history, 2)
    history.extend([search.step() for _ in range(18)])
    assert history.fingerprint() == whole.fingerprint()
    assert history.beginning(3).script_end == 4


def test_a_branch_keeps_what_the_script_did_and_draws_from_its_fork(tmp_path: Path):
    original = recorded(30)
    search, branch = forked(original, 2)
    branch.extend([search.step() for _ in range(28)])
    assert branch.script == SCRIPT
    assert branch.script_end == 2
    drawn = RlsGp(CONFIG, None, SCRIPT[:2])
    assert [normal_form(branch.step_at(each).mutation) for each in range(1, 31)] == [
        normal_form(drawn.step().mutation) for _ in range(30)
    ]
    branches, grown = Branches.of(CONFIG).grown(0, 2, name="Drawn")
    saved = describe_branches(branches, {0: original, grown.id: branch})
    save(tmp_path / "a.gpviz", saved)
    again = replay_all(load(tmp_path / "a.gpviz"))
    assert [each.history.script_end for each in again] == [4, 2]


def test_a_lecture_tells_runs_with_other_scripts_apart():
    long, short = describe(recorded(30)), describe(recorded(10))
    lecture = Lecture(title="A", runs=(short,), scenes=(Scene(title="One", run=0),))
    assert with_run(lecture, long)[0].runs == (long,)
    other = replace(long, script=SCRIPT[:2])
    assert with_run(lecture, other)[0].runs == (short, other)


@pytest.fixture(scope="module")
def valid() -> dict[str, Any]:
    return data_of(describe(recorded(3)))


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("insert x1", "script: 'insert x1' is not allowed; it must be a list."),
        ([{}], "script, entry 1: {} is not allowed; it must be a mutation that begins"),
        (["insert x1", "insert x1 " * 100_000], "script, entry 2: 'insert x1 insert x1"),
        (["insert x5"], "script, entry 1, 'insert and x5 at 1': variable: 'x5' is not allowed"),
        (["delete 1"] * 10_001, "script: it has 10,001 entries"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_no_script_is_one_sentence(tmp_path: Path, valid: dict[str, Any], script: Any, sentence: str):
    assert refusal(tmp_path / "a.gpviz", {**valid, "script": script}, load).startswith(sentence)


def test_a_script_that_cannot_be_carried_out_is_one_sentence(valid: dict[str, Any]):
    with pytest.raises(GpvizError, match=r"^script, entry 2, 'delete 3': node: 3 is not allowed"):
        replay_all(run_file_of({**valid, "script": ["insert x1", "delete 3"]}))


def test_a_script_may_begin_with_a_tree():
    start = parse("x1 | x2")
    script = parse_script("substitute 2 by x2; insert and x3")
    search, history = RlsGp(CONFIG, start, script), History(CONFIG, start, script)
    history.extend([search.step() for _ in range(5)])
    data = data_of(describe(history))
    assert data["script"] == ["substitute 2 by x2", "insert and x3 at 1"]
