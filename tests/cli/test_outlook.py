"""`gpviz outlook`."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from gpviz.analysis import outlook
from gpviz.analysis.outlook import Outlook
from gpviz.cli import main
from gpviz.cli import outlook as command
from gpviz.engine import RunConfig, parse
from gpviz.explain.outlook_along_run import Job, RunOutlook
from gpviz.export.run_tables import OUTLOOK_COLUMNS
from gpviz.runs.run_file import describe, save
from tests.cli.command_line import problem_of
from tests.runs.runs import recorded

STUCK = "(x1 & x2) | (x2 & x1)"
RULES = ["--n", "4", "--limit", "n", "--deletion", "leaf"]
LARGE = ["--n", "8", "--limit", "n+1", "--deletion", "leaf"]
KEYS = ["stuck", "stuck_error", "remaining", "remaining_error", "is_exact", "continuations", "given_up"]
DECIDED = RunConfig(n=3, limit="4", deletion="leaf", seed=45)
"""An improvement in iteration 8 makes this run stuck; the neutral step before it was dangerous already."""


def data_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["outlook", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def decided(tmp_path: Path) -> Path:
    path = tmp_path / "decided.gpviz"
    save(path, describe(recorded(DECIDED, 40)[2]))
    return path


def test_a_tree_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["outlook", "x1 | x1", *RULES]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "From here 2 % of the runs end stuck; the others are solved after about 47 more iterations on average. "
        "This is exact.",
        "",
        "  stuck  2.147 %",
        "  to go  47.0 iterations on average",
        "  known  exact",
    ]


def test_a_chance_is_a_lower_bound_where_continuations_were_given_up(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Outlook(stuck=0.21, stuck_error=0.01, remaining=9.0, continuations=600, given_up=3)
    monkeypatch.setattr(command, "outlook", lambda *_, **__: known)
    assert main(["outlook", "x1", *LARGE]) == 0
    assert "  stuck  ≥ 21.0 % ± 1.0 %\n" in capsys.readouterr().out


def test_json_has_exactly_the_engines_values(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, "x1 | x1", *RULES)
    assert list(data) == KEYS
    seen = outlook(parse("x1 | x1"), RunConfig(n=4, limit="n", deletion="leaf"))
    assert data == {name: getattr(seen, name) for name in KEYS}
    assert data["is_exact"]
    assert data_of(capsys, STUCK, *RULES)["stuck"] == 1.0


def test_with_sampled_rows_there_are_further_keys(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, "x1", "--n", "3", "--rows", "4", "--within", "3")
    assert list(data) == [*KEYS, "within", "final_generalisation_error", "final_generalisation_error_error"]
    assert data["within"] == 3
    main(["outlook", "x1", "--n", "3", "--rows", "4", "--within", "3"])
    assert "  not done  " in capsys.readouterr().out


def test_an_estimate_is_never_told_as_certain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["outlook", "x1 & x2 & x3 & x4 & x5 & x6", *LARGE, "--error", "0.1"]) == 0
    assert "\n  stuck  < 3 %\n" in capsys.readouterr().out


def test_a_run_that_was_solved_ends_with_no_chance(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = RunConfig(n=2, fitness="sampled", rows=1, seed=2)
    steps = recorded(config, 40)[1]
    end = next(step.iteration for step in steps if step.error == 0)
    save(tmp_path / "solved.gpviz", describe(recorded(config, end)[2]))
    assert main(["outlook", str(tmp_path / "solved.gpviz")]) == 0
    assert "\n  at the end    none, as the run is solved\n" in capsys.readouterr().out


def test_of_a_run_the_decisive_steps_are_listed(decided: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["outlook", str(decided)]) == 0
    text = capsys.readouterr().out
    assert "  at the end    100 % (exact)\n" in text
    assert "decisive steps:\n" in text
    assert "The decisive step is iteration 8: it raises the chance to end stuck from " in text
    steps = data_of(capsys, str(decided))
    assert steps[-1]["iteration"] == 8
    assert steps[-1]["verdict"] == "improved"
    assert steps[-1]["after"]["stuck"] == 1.0
    assert steps[-1]["rise"] == 1.0 - steps[-1]["before"]["stuck"]


def test_only_a_stuck_run_has_a_step_that_decided_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "open.gpviz"
    save(path, describe(recorded(DECIDED, 7)[2]))
    assert main(["outlook", str(path)]) == 0
    text = capsys.readouterr().out
    assert "The largest rise is in iteration 7: the step raises the chance to end stuck from " in text
    assert "The decisive step" not in text


def test_the_values_of_all_trees_go_to_a_table(
    decided: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["outlook", str(decided), "--csv", str(tmp_path / "values.csv")]) == 0
    lines = (tmp_path / "values.csv").read_text().splitlines()
    assert lines[0] == ",".join(OUTLOOK_COLUMNS)
    assert [line.split(",")[0] for line in lines[1:]] == [
        str(change) for change in recorded(DECIDED, 40)[2].changes().iterations
    ]
    assert all(line.split(",")[1] for line in lines[1:])


def interrupts_itself(known: Outlook) -> None:
    signal.raise_signal(signal.SIGINT)


def test_interrupted_it_prints_what_is_known(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: Any, **options: Any) -> Outlook:
        return outlook(*arguments, **{**options, "on_progress": interrupts_itself})

    monkeypatch.setattr(command, "outlook", interrupted)
    assert main(["outlook", "x1 & (x2 | x3)", *LARGE, "--error", "0.001", "--json"]) == 130
    printed = capsys.readouterr()
    assert json.loads(printed.out)["continuations"] == 100
    assert printed.err == "gpviz: interrupted; this is what is known so far.\n"


def test_a_run_that_is_interrupted_tells_what_is_known(
    decided: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class InterruptedRun(RunOutlook):
        def decisive_job(self, near: int | None = None) -> Job | None:
            if len(self.points()) == 2:
                signal.raise_signal(signal.SIGINT)
            return super().decisive_job(near)

    monkeypatch.setattr(command, "RunOutlook", InterruptedRun)
    assert main(["outlook", str(decided)]) == 130
    printed = capsys.readouterr()
    assert "at the start" in printed.out
    assert printed.err == "gpviz: interrupted; this is what is known so far.\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["x1", "--error", "0"], ["--error", "'0'", "from 0.001 to 0.2"]),
        (["x1", "--budget", "x"], ["--budget", "'x'", "seconds"]),
        (["x1", "--n", "3", "--within", "5"], ["--within", "--rows"]),
        (["x1", "--n", "3", "--rows", "5", "--within", "0"], ["--within: 0 ", "whole number"]),
        (["x1", "--csv", "o.csv"], ["--csv", "run files"]),
        (["run.gpviz", "--n", "3"], ["--n", "run file"]),
        (["missing.gpviz"], ["missing.gpviz"]),
        (["x1 &"], ["column 5"]),
        (["x1 & (x2 | x3)", *LARGE, "--budget", "1e-9"], ["--budget", "longer"]),
    ],
)
def test_what_is_wrong_is_one_sentence(
    arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    problem = problem_of(capsys, "outlook", *arguments)
    assert all(word in problem for word in words)
