"""The settings of a run in one line, and what two runs do differently."""

import pytest

from gpviz.engine import RunConfig
from gpviz.runs.settings_text import differences, settings_text

CONFIG = RunConfig(n=8, limit="n+1", deletion="leaf", seed=3)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"n": 9, "limit": 9}, ("9 variables",)),
        ({"limit": "inf"}, ("no size limit",)),
        ({"limit": "2n"}, ("limit 2n = 16 leaves",)),
        ({"limit": 12}, ("limit 12 leaves",)),
        ({"deletion": "subtree", "seed": 4}, ("subtree deletion", "seed 4")),
        ({"functions": "and"}, ("∧ only",)),
        ({"fitness": "sampled", "rows": 2000}, ("2,000 sampled rows",)),
        ({"accept_error": 3}, ("stops at error 3",)),
        ({"empty_tree": "insert-only"}, ("first leaf by INS only",)),
        ({"seed": 10**30}, ("seed 10000000000000000…",)),
    ],
)
def test_what_differs_is_told_in_words(changes, words):
    assert differences(CONFIG, CONFIG.replaced(**changes)) == words


def test_another_start_and_another_sampler_are_told_too():
    sampled = CONFIG.replaced(fitness="sampled", rows=100)
    assert differences(sampled, sampled.replaced(sampler="counts")) == ("draws counts",)
    assert differences(sampled, CONFIG) == ("all rows",)
    assert differences(CONFIG, CONFIG, ("", "x1")) == ("starts from a given tree",)
    assert differences(CONFIG, CONFIG, ("x2", "x1")) == ("another start",)
    assert differences(CONFIG, CONFIG, ("x1", "")) == ("starts empty",)


def test_the_settings_of_a_run_are_one_line():
    assert settings_text(CONFIG) == "AND₈ · limit n+1 = 9 leaves · leaf deletion · seed 3"
    assert settings_text(CONFIG.replaced(functions="and"), "x1") == (
        "AND₈ · limit n+1 = 9 leaves · leaf deletion · ∧ only · starts from a given tree · seed 3"
    )


def test_what_is_different_in_other_runs_comes_first():
    other = CONFIG.replaced(seed=4), ""
    assert settings_text(CONFIG, "", [other]) == "seed 3 · AND₈ · limit n+1 = 9 leaves · leaf deletion"
    larger = CONFIG.replaced(n=9), "x1"
    words = settings_text(CONFIG, "", [other, larger]).split(" · ")
    assert words == ["AND₈", "seed 3", "limit n+1 = 9 leaves", "starts empty", "leaf deletion"]
    assert settings_text(CONFIG, "x1", [(CONFIG, "x2")]).startswith("starts from a given tree · AND₈")
    assert settings_text(CONFIG, "x1", [(CONFIG, "x1")]) == settings_text(CONFIG, "x1")


@pytest.mark.parametrize(
    ("config", "text"),
    [
        (RunConfig(n=12, limit="20", seed=1), "AND₁₂ · limit 20 leaves · subtree deletion · seed 1"),
        (RunConfig(n=6, limit="1"), "AND₆ · limit 1 leaf · subtree deletion · seed 0"),
        (
            RunConfig(
                n=50, limit="inf", fitness="sampled", rows=1000, sampler="counts", accept_error=3, seed=7
            ),
            "AND₅₀ · no size limit · subtree deletion · 1,000 sampled rows · draws counts · stops at error 3"
            " · seed 7",
        ),
    ],
)
def test_what_is_unusual_is_said_and_what_is_usual_is_not(config, text):
    assert settings_text(config) == text
