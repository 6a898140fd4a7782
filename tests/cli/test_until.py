"""`gpviz run --until`."""

import json

import pytest

from gpviz.cli import main
from gpviz.engine import RlsGp, RunConfig
from gpviz.runs.run_file import load
from tests.cli.command_line import problem_of


def first_where(config: RunConfig, is_wanted) -> int:
    search = RlsGp(config)
    while not is_wanted(step := search.step()):
        pass
    return step.iteration


def test_a_run_stops_after_the_first_iteration_that_matches(capsys) -> None:
    expected = first_where(RunConfig(n=8, seed=3), lambda s: s.error is not None and s.error < 10)
    assert main(["run", "--n", "8", "--seed", "3", "--until", "error < 10"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == f"Stopped: iteration {expected} matches error < 10."


def test_the_json_object_tells_what_was_run_until(capsys) -> None:
    arguments = ["run", "--n", "8", "--seed", "3", "--json"]
    expected = first_where(RunConfig(n=8, seed=3), lambda s: s.verdict == "worse")
    assert main([*arguments, "--until", "verdict == worse"]) == 0
    stopped = json.loads(capsys.readouterr().out)
    assert (stopped["outcome"], stopped["iterations"]) == ("stopped", expected)
    assert stopped["until"] == "verdict == worse"
    assert stopped["until_matched"] is True
    assert main(arguments) == 0
    whole = json.loads(capsys.readouterr().out)
    assert whole["until"] is None
    assert set(whole) == set(stopped)


def test_a_run_that_never_matches_ends_as_ever_and_says_so(capsys) -> None:
    arguments = ["run", "--n", "4", "--seed", "1"]
    assert main(arguments) == 0
    plain = capsys.readouterr().out
    assert main([*arguments, "--until", "leaves > 100"]) == 0
    reported = capsys.readouterr().out
    assert main([*arguments, "--until", "leaves > 100", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["until_matched"] is False
    assert reported == f"{plain}\nNo iteration matched leaves > 100.\n"


def test_what_is_saved_ends_with_the_match(tmp_path, capsys) -> None:
    path = tmp_path / "run.gpviz"
    assert main(["run", "--n", "6", "--until", "iteration == 17", "--save", str(path)]) == 0
    assert load(path).iterations == 17
    assert "Stopped: iteration 17 matches" in capsys.readouterr().out


def test_the_start_tree_is_the_parent_of_the_first_step(capsys) -> None:
    start = ["--n", "6", "--start", "(x1 & x2) | (x3 & x4)"]
    assert main(["run", *start, "--json", "--until", "size_removed > 1"]) == 0
    assert json.loads(capsys.readouterr().out)["outcome"] == "stopped"


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        ("eror < 10", "gpviz: --until, column 1: 'eror' is not a field; perhaps you mean error."),
        ("error < 10 and verdict < 3", "gpviz: --until, column 24: verdict has no order"),
        ("", "gpviz: --until, column 1: the query is empty."),
        ("error <\n10 )", "gpviz: --until, column 12: this ')' closes nothing."),
    ],
)
def test_a_wrong_query_is_one_sentence_with_its_column(text: str, beginning: str, capsys) -> None:
    assert problem_of(capsys, "run", "--n", "4", "--until", text).startswith(beginning)
