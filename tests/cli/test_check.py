"""`gpviz check`."""

import json
from pathlib import Path

import pytest

from gpviz.cli import main
from gpviz.engine import RunConfig, Verdict, neighbourhood, parse

STUCK = "(x1 & x2) | (x2 & x1)"


def data_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main(["check", *arguments, "--json"]) == 0
    data: dict[str, object] = json.loads(capsys.readouterr().out)
    return data


def test_a_stuck_tree_is_proven_stuck(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, STUCK, "--n", "4", "--limit", "n", "--deletion", "leaf")
    assert (data["state"], data["error"], data["simplified"]) == ("STUCK", 3, "x1 & x2")
    assert data["plateau_trees"] == 1
    assert data["way_out"] == []
    assert data["expected_wait"] is None
    assert data["essential"] == []
    assert data["redundant"] == ["x1", "x2", "x2", "x1"]


def test_the_way_out_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, STUCK, "--n", "4", "--limit", "n", "--deletion", "subtree")
    assert data["state"] == "PLATEAU"
    way_out = data["way_out"]
    assert isinstance(way_out, list)
    assert [step["operation"] for step in way_out] == ["DEL", "INS"]
    assert way_out[0]["text"] == "DEL node 2 (&)"


def test_probabilities_drift_and_wait_are_the_engines(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, "x1 & (x2 | x3)", "--n", "5", "--limit", "4")
    around = neighbourhood(parse("x1 & (x2 | x3)"), RunConfig(n=5, limit=4))
    probabilities = data["probabilities"]
    assert isinstance(probabilities, dict)
    assert list(probabilities) == ["improved", "neutral", "unchanged", "worse", "too_large"]
    for verdict in Verdict:
        assert probabilities[verdict.value] == pytest.approx(float(around.probability(verdict)))
    assert data["drift"] == pytest.approx(float(around.drift))
    assert data["expected_wait"] == pytest.approx(float(around.expected_wait))


def test_without_n_the_largest_variable_counts(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, "x1 & x5")
    assert data["error"] == 7
    config = data["config"]
    assert isinstance(config, dict)
    assert config["n"] == 5


def test_the_text_has_state_tree_and_chances(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", STUCK, "--n", "4", "--limit", "n", "--deletion", "leaf"]) == 0
    text = capsys.readouterr().out
    for part in ("STUCK", "├─ ∧", "x₁ ∧ x₂", "too large", "for ever", "3 of 16 rows"):
        assert part in text


def test_a_solved_tree_waits_for_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "x1 & x2"]) == 0
    text = capsys.readouterr().out
    assert "SOLVED" in text
    assert "expected wait" not in text


def test_a_formula_can_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tree.txt").write_text("x1 ∧ x₂\n", encoding="utf-8")
    assert data_of(capsys, f"@{tmp_path / 'tree.txt'}")["formula"] == "x1 & x2"


def test_a_sampled_configuration_has_chances_that_sum_to_one(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, STUCK, "--n", "4", "--limit", "n", "--rows", "100")
    probabilities = data["probabilities"]
    assert isinstance(probabilities, dict)
    assert sum(probabilities.values()) == pytest.approx(1)
    assert data["state"] in ("UNDECIDED", "CLIMBING")


def test_two_hundred_variables_are_no_problem(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, "x1 & (x2 | x200)", "--n", "200")
    assert data["error"] == 3 * 2**197 - 1
