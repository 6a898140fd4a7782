"""How likely the algorithm is to go the way of a script, and what that proves."""

from fractions import Fraction

import pytest

from gpviz.analysis import neighbourhood
from gpviz.engine import Node, RlsGp, RunConfig, Verdict, format_formula, parse
from gpviz.engine.interruption import Deadline
from gpviz.engine.mutation_script import Script, parse_script
from gpviz.explain import mutation_script_text
from gpviz.explain.mutation_script_text import (
    ScriptOdds,
    conclusion_text,
    probability_text,
    script_step_text,
)
from gpviz.runs.history import History
from gpviz.runs.presets import find_preset

PRESET = find_preset("theorem-1-played")


def played(
    config: RunConfig, script: Script | str, iterations: int | None = None, start: Node | None = None
) -> History:
    script = parse_script(script) if isinstance(script, str) else script
    search, history = RlsGp(config, start, script), History(config, start, script)
    history.extend([search.step() for _ in range(len(script) if iterations is None else iterations)])
    return history


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (Fraction(1), "1"),
        (Fraction(1, 4), "1/4 = 0.25"),
        (Fraction(1, 96), "1/96 ≈ 0.0104"),
        (Fraction(2, 3), "2/3 ≈ 0.667"),
        (Fraction(1, 4608), "1/4,608 ≈ 2.2 × 10⁻⁴"),
        (Fraction(1, 26444493477642240), "3.8 × 10⁻¹⁷"),
        (Fraction(1, 10**400), "1.0 × 10⁻⁴⁰⁰"),
    ],
)
def test_a_probability_is_a_fraction_and_digits_as_far_as_each_can_be_read(probability: Fraction, text: str):
    assert probability_text(probability) == text


def test_the_product_of_theorem_1_is_what_its_steps_multiply_to():
    odds = ScriptOdds(played(PRESET.config, PRESET.script))
    steps = range(1, len(PRESET.script) + 1)
    expected = [Fraction(1, each) for each in (4, 24, 48, 120, 336, 432, 528, 624)]
    assert [odds.at(step)[0] for step in steps] == expected
    product = odds.at(len(PRESET.script))[1]
    assert product == Fraction(1, 26_444_493_477_642_240)
    assert conclusion_text(product, is_stuck=True) == (
        "The product is positive, so E[T] is infinite: some runs come to this tree, and from there none is ever"
        " solved."
    )


def test_each_step_is_shown_with_its_probability_and_the_product():
    history = played(PRESET.config, "insert x1; insert or x1; substitute 2 by x2; insert and x1")
    odds = ScriptOdds(history)
    assert script_step_text(odds, 0) == script_step_text(odds, 5) == ""
    assert script_step_text(odds, 1) == (
        "Script, 1 of 4: the algorithm makes this tree with probability 1/4 = 0.25."
    )
    assert script_step_text(odds, 2) == (
        "Script, 2 of 4: the algorithm makes this tree with probability 1/24 ≈ 0.0417; all 2 steps with "
        "1/96 ≈ 0.0104."
    )
    # The third is rejected.
    kept = 1 - sum(
        Fraction(neighbourhood(parse("x1 | x1"), PRESET.config).probability(verdict))
        for verdict in (Verdict.IMPROVED, Verdict.NEUTRAL)
    )
    assert odds.at(3) == (kept, kept / 96)
    assert f"the algorithm keeps this tree with probability {probability_text(kept)}" in script_step_text(
        odds, 3
    )


def test_of_large_trees_no_probabilities_are_known():
    start = parse(" & ".join(["x1", "x2"] * 110))
    config = RunConfig(n=100, limit="inf", deletion="leaf")
    odds = ScriptOdds(played(config, "insert and x3; substitute 2 by x3", start=start))
    assert odds.at(1) == odds.at(2) == (None, None)


def test_a_recorded_run_makes_the_same_trees_as_a_script():
    config = RunConfig(n=4, limit="8", deletion="subtree", seed=4, empty_tree="insert-only")
    search, history = RlsGp(config), History(config)
    history.extend([search.step() for _ in range(60)])
    again = RlsGp(config.replaced(seed=99), None, history.recorded_script(60))
    for iteration in range(1, 61):
        assert format_formula(again.step().tree) == format_formula(history.tree_at(iteration))


def test_of_a_long_script_only_a_moment_is_looked_at_and_more_when_asked_again(monkeypatch):
    history = played(PRESET.config, "insert x1\n" + "insert or x1\n" * 9)
    seconds = [0.0]
    looked_at: list[int] = []

    def probability(_parent, _tree, _rules):
        looked_at.append(1)
        seconds[0] += 0.04
        return Fraction(1, 2)

    monkeypatch.setattr(mutation_script_text, "_probability", probability)
    monkeypatch.setattr(mutation_script_text, "Deadline", lambda most: Deadline(most, lambda: seconds[0]))
    odds = ScriptOdds(history)
    assert odds.at(10) == (Fraction(1, 2), None)
    assert len(looked_at) == 4
    assert script_step_text(odds, 10).endswith("with probability 1/2 = 0.5.")
    for _ in range(2):
        found = odds.at(10)
    assert found == (Fraction(1, 2), Fraction(1, 1024))
    assert len(looked_at) == 10
