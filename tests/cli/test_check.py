"""`gpviz check`."""

import json
from pathlib import Path

import pytest

from gpviz.analysis import neighbourhood, waiting_time
from gpviz.cli import check, main
from gpviz.engine import RunConfig, Verdict, parse, true_row_count
from gpviz.engine.interruption import Deadline
from tests.engine.test_interruption import alternating, pairs

STUCK = "(x1 & x2) | (x2 & x1)"


@pytest.fixture(autouse=True)
def rough_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimated waits need not be accurate here."""
    monkeypatch.setattr(waiting_time, "_WANTED_ERROR", 0.5)


def data_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main(["check", *arguments, "--json"]) == 0
    data: dict[str, object] = json.loads(capsys.readouterr().out)
    return data


def test_a_stuck_tree_is_proven_stuck(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, STUCK, "--n", "4", "--limit", "n", "--deletion", "leaf")
    assert (data["state"], data["error"], data["simplified"]) == ("STUCK", 3, "x1 & x2")
    assert data["plateau_trees"] == 1
    assert data["way_out"] == []
    assert data["expected_wait"] is data["expected_wait_error"] is data["wait_if_unchanged"] is None
    assert (data["chance_to_leave"], data["expected_wait_is_exact"]) == (0, True)
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
    assert data["wait_if_unchanged"] == pytest.approx(float(around.wait_if_unchanged))


def test_the_expected_wait_is_that_of_runs_whatever_neutral_steps_do_meanwhile(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tree = ("x2 & (x1 | (x1 & x1))", "--n", "4", "--limit", "n", "--deletion", "subtree")
    data = data_of(capsys, *tree)
    assert data["expected_wait"] == pytest.approx(16.7812, rel=1e-5)
    assert data["expected_wait_is_exact"] is True
    assert data["expected_wait_error"] is None
    assert data["chance_to_leave"] == 1
    assert data["wait_if_unchanged"] is None


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        (
            ["x1", "--n", "2", "--limit", "2"],
            "expected wait  13.35 iterations, exactly\n  if unchanged   12 iterations",
        ),
        (["x1 | x1", "--n", "2", "--limit", "2"], "no single mutation improves this tree"),
    ],
)
def test_the_expected_wait_is_told_in_words(
    capsys: pytest.CaptureFixture[str], arguments: list[str], phrase: str
) -> None:
    assert main(["check", *arguments]) == 0
    assert phrase in capsys.readouterr().out


def test_without_n_the_largest_variable_counts(capsys: pytest.CaptureFixture[str]) -> None:
    config = data_of(capsys, "x1 & x2 & x3 & x4 & x5")["config"]
    assert isinstance(config, dict)
    assert config["n"] == 5


@pytest.mark.parametrize(("formula", "limit"), [("x1 & x2 & x1 & x2 & x1", "5"), ("x1 & x2", "2n")])
@pytest.mark.parametrize("options", [(), ("--n", "2")], ids=str)
def test_without_a_limit_a_tree_of_any_size_is_allowed(
    formula: str, limit: str, options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    config = data_of(capsys, formula, *options)["config"]
    assert isinstance(config, dict)
    assert config["limit"] == limit


def test_the_text_has_state_tree_and_chances(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", STUCK, "--n", "4", "--limit", "n", "--deletion", "leaf"]) == 0
    text = capsys.readouterr().out
    for part in ("STUCK", "├─ ∧", "x₁ ∧ x₂", "too large", "expected wait  never", "3 of 16 rows"):
        assert part in text


def test_a_solved_tree_waits_for_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "x1 & x2"]) == 0
    text = capsys.readouterr().out
    assert "SOLVED" in text
    assert "wait" not in text
    data = data_of(capsys, "x1 & x2")
    assert data["expected_wait"] is data["expected_wait_is_exact"] is data["chance_to_leave"] is None


def test_a_formula_can_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tree.txt").write_text("x1 ∧ x₂\n", encoding="utf-8")
    assert data_of(capsys, f"@{tmp_path / 'tree.txt'}")["formula"] == "x1 & x2"


def test_two_hundred_variables_are_no_problem(capsys: pytest.CaptureFixture[str]) -> None:
    data = data_of(capsys, "x1 & (x2 | x200)", "--n", "200", "--limit", "inf")
    assert data["error"] == 3 * 2**197 - 1


ALTERNATING = alternating(256, 50)


class Ticking:
    """A clock on which every look takes a tenth of a second, however fast the machine is."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks / 10


@pytest.fixture
def few_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that cannot be counted are found to be such sooner."""
    monkeypatch.setattr(true_row_count, "MAX_CASES", 1_000)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Ticking:
    ticking = Ticking()
    monkeypatch.setattr(check, "Deadline", lambda seconds: Deadline(seconds, ticking))
    return ticking


@pytest.mark.usefixtures("few_cases")
def test_what_is_left_out_is_null_and_has_a_sentence(
    clock: Ticking, capsys: pytest.CaptureFixture[str]
) -> None:
    data = data_of(capsys, ALTERNATING, "--n", "50", "--limit", "256")
    missing = {name for name, value in data.items() if value is None}
    assert {"error", "state", "reason", "idle_nodes", "probabilities", "drift", "expected_wait"} <= missing
    left_out = data["left_out"]
    assert isinstance(left_out, list)
    assert left_out[:2] == [
        f"Left out: {what}; counting rows exactly takes more than 20,000 case distinctions."
        for what in ("the error", "whether the tree can become better")
    ]
    assert len(left_out) == 5
    assert data["leaves"] == 256
    assert clock.looks < 204


def test_a_state_that_takes_longer_than_its_share_is_undecided(
    clock: Ticking, capsys: pytest.CaptureFixture[str]
) -> None:
    data = data_of(capsys, pairs(200, 50), "--n", "50", "--limit", "400")
    assert data["error"] is not None
    assert data["state"] == "UNDECIDED"
    left_out = data["left_out"]
    assert isinstance(left_out, list)
    assert left_out[0] == (
        "Left out: whether the tree can become better; 20 seconds were not enough (see --budget)."
    )


def test_what_was_found_is_printed_when_a_person_interrupts_the_rest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "neighbours_of", interrupted)
    assert main(["check", STUCK, "--n", "4", "--limit", "n", "--deletion", "leaf"]) == 130
    printed = capsys.readouterr()
    assert "  error      3 of 16 rows\n  state      STUCK. " in printed.out
    assert printed.err == "gpviz: interrupted.\n"


@pytest.mark.parametrize("budget", ["0", "-1", "soon", "nan", "inf", "1e9"])
def test_a_budget_is_a_number_of_seconds(budget: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "x1", "--budget", budget]) == 2
    assert capsys.readouterr().err == (
        f"gpviz: --budget: '{budget}' is not allowed; it must be more than 0 and at most 1,000,000 seconds.\n"
    )


def test_a_tree_with_an_error_that_the_run_accepts_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    stuck = (STUCK, "--n", "4", "--limit", "n", "--deletion", "leaf")
    data = data_of(capsys, *stuck, "--accept-error", "3")
    assert (data["state"], data["error"]) == ("SOLVED", 3)
    assert data["reason"] == "Its error is at most 3, which the run accepts."
    assert [data[name] for name in ("expected_wait", "wait_if_unchanged", "drift_bound")] == [None] * 3
    assert data_of(capsys, *stuck, "--accept-error", "2")["state"] == "STUCK"


def test_the_run_of_a_solved_tree_is_over_and_has_no_next_iteration(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["check", "x1 & x2", "--n", "3", "--limit", "n", "--accept-error", "3"]) == 0
    text = capsys.readouterr().out
    assert "\nWhat one more iteration would do, exactly:\n" in text
    assert "guarantees" not in text
    assert "wait" not in text
    assert main(["check", "x1 & x2", "--n", "3", "--limit", "n"]) == 0
    text = capsys.readouterr().out
    assert "\nWhat the next iteration does, exactly:\n" in text
    assert "guarantees" in text
    assert "expected wait" in text


@pytest.mark.usefixtures("few_cases")
def test_what_takes_the_error_is_not_looked_for_without_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def looked_for(*_arguments: object, **_options: object) -> None:
        raise AssertionError

    for name in ("neighbours_of", "expected_wait"):
        monkeypatch.setattr(check, name, looked_for)
    data = data_of(capsys, ALTERNATING, "--n", "50", "--limit", "inf")
    assert data["state"] == "CLIMBING"
    left_out = data["left_out"]
    assert isinstance(left_out, list)
    assert left_out[-2:] == [
        "Left out: what the next iteration does; it needs the error.",
        "Left out: the expected wait; it needs the error.",
    ]


def test_the_drift_stands_beside_its_guarantee_and_the_share_of_root_ands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = data_of(capsys, "x1", "--n", "2", "--limit", "3")
    assert (data["drift_exact"], data["drift_in_sample"]) == ("1/12", None)
    assert data["drift_bound"] == pytest.approx(1 / 216)
    assert data["drift_ratio"] == pytest.approx(18)
    assert data["root_and_share"] == 1
    assert data["leaves_removed_bound"] is data["leaves_removed_ratio"] is None
    assert main(["check", "x1", "--n", "2", "--limit", "3"]) == 0
    out = capsys.readouterr().out
    assert "(the paper guarantees at least 0.00463; this is 18 times that)" in out
    assert "root-ands" in out
    assert ", a root-and\n" in out
    assert "no guarantee" not in out


def test_the_leaves_that_a_full_tree_loses_stand_beside_their_guarantee(
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = data_of(capsys, "x1 & x1", "--n", "2", "--limit", "2")
    assert data["leaves_removed"] == pytest.approx(2 / 9)
    assert data["leaves_removed_bound"] == pytest.approx(1 / 9)
    assert data["leaves_removed_ratio"] == pytest.approx(2)
    assert data["drift_bound"] is data["drift_ratio"] is None
    assert main(["check", "x1 & x1", "--n", "2", "--limit", "2"]) == 0
    assert (
        "removes        0.222222 leaves an iteration (the paper guarantees at least 0.111"
        in capsys.readouterr().out
    )
    assert main(["check", STUCK, "--n", "4", "--limit", "n", "--deletion", "leaf"]) == 0
    assert "no guarantee   With leaf-only deletion nothing is guaranteed" in capsys.readouterr().out


def test_a_sampled_run_tells_what_looks_better_from_what_is(capsys: pytest.CaptureFixture[str]) -> None:
    formula = " & ".join(f"x{variable}" for variable in range(1, 11))
    arguments = ["--n", "50", "--rows", "2000", "--sampler", "counts", "--limit", "inf"]
    data = data_of(capsys, formula, *arguments)
    assert data["looks_better"] == pytest.approx(0.1747, rel=0.001)
    assert data["is_better"] == pytest.approx(2 / 15)
    assert data["chance_of_growing_error"] == pytest.approx(0.0625, rel=0.001)
    assert data["drift_in_sample"] == pytest.approx(0.0333, rel=0.001)
    assert data["drift_exact"] is None


def test_an_essential_leaf_that_is_not_needed_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    formula, arguments = "x1 & ((x1 & x2) | (x1 & x3))", ["--n", "5", "--limit", "5"]
    data = data_of(capsys, formula, *arguments)
    assert (data["essential"], data["essential_nodes"], data["idle_essential_nodes"]) == (["x1"], [2], [2])
    assert main(["check", formula, *arguments]) == 0
    out = capsys.readouterr().out.replace("x₁", "x1")
    assert "x1 is essential in the paper's sense, yet deleting it changes nothing" in out
    assert main(["check", "x1 & (x2 | x3)", *arguments]) == 0
    assert "yet deleting" not in capsys.readouterr().out
