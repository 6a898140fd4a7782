"""`gpviz exact`."""

import json
import signal
from typing import Any

import pytest

from gpviz.analysis import exact
from gpviz.cli import exact as command
from gpviz.cli import main
from gpviz.engine import RunConfig
from gpviz.engine.interruption import Stopped
from tests.cli.command_line import problem_of


def test_it_prints_how_runs_end_and_the_papers_values_below(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exact", "--n", "4", "--limit", "n", "--deletion", "leaf"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == [
        "A Markov chain of 102 states, solved exactly from the empty tree.",
        "",
        "  stuck       0.4931 %",
        "  iterations  45.7786 on average, sd 28.9861",
        "  solved      5 % of the others by 13, 25 % by 25, 50 % by 39, 75 % by 59, 95 % by 102",
        "  leaves      4",
        "  ORs         none",
        "",
        "The paper's values, from 500 runs; z is how many standard errors they lie above the exact ones:",
        "  stuck       0.8 %, z = +1.00",
        "  iterations  46.3 on average, sd 28.0, z = +0.40",
        "  leaves      4.0 on average, sd 0.0, z = 0.00",
    ]


def test_where_no_run_is_solved_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exact", "--n", "3", "--limit", "2"]) == 0
    assert capsys.readouterr().out.endswith("\n\n  stuck   100 %\n  solved  never\n")


def test_json_has_the_engines_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exact", "--n", "3", "--limit", "n+1", "--deletion", "leaf", "--json"]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    cell = exact(RunConfig(n=3, limit="n+1", deletion="leaf"))
    names = ("stuck", "mean", "sd", "leaves", "leaves_sd", "ors", "states", "quantiles")
    assert {name: data[name] for name in names} == {name: getattr(cell, name) for name in names}
    assert data["paper"] is None
    assert data["config"]["limit"] == "n+1"


@pytest.mark.parametrize(
    ("options", "allowed"),
    [(["--n", "8", "--limit", "n+1"], "at most 7 leaves"), (["--n", "4", "--rows", "5"], "left out")],
)
def test_what_is_too_large_is_one_sentence_with_what_is_allowed(
    options: list[str], allowed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"it must be {allowed}" in problem_of(capsys, "exact", *options)


@pytest.mark.parametrize(
    ("progress", "known"),
    [
        ([], "gpviz: interrupted before the states were counted.\n"),
        (
            [(3, 1200)],
            "gpviz: interrupted: the chain has 1,200 states, 3 of them solved; the empty tree comes last.\n",
        ),
    ],
)
def test_interrupted_it_says_what_is_known(
    progress: list[tuple[int, int]],
    known: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupted(_config: RunConfig, *, should_stop: Any, on_progress: Any) -> None:
        for each in progress:
            on_progress(*each)
        signal.raise_signal(signal.SIGINT)
        assert should_stop()
        raise Stopped

    monkeypatch.setattr(command, "exact", interrupted)
    assert main(["exact", "--n", "4", "--limit", "n"]) == 130
    assert capsys.readouterr() == ("", known)
