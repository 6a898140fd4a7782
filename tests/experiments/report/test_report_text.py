"""Numbers and commands as the report writes them."""

import shlex

import pytest

from gpviz.cli.common_options import Parser, add_config_options, config_from
from gpviz.engine.config import RunConfig
from gpviz.experiments.report.report_text import duration, listed, number, run_command, signed


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234.56, "1,234.6"), (-2.0, "\N{MINUS SIGN}2.0"), (-0.04, "0.0"), (None, "\N{EN DASH}")],
)
def test_numbers_have_a_true_minus_and_zero_has_none(value, text):
    assert number(value) == text


@pytest.mark.parametrize(("value", "text"), [(1.0, "+1.00"), (-1.0, "\N{MINUS SIGN}1.00"), (0.001, "0.00")])
def test_signed_numbers_always_have_their_sign_except_zero(value, text):
    assert signed(value) == text


def test_lists_are_words():
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.04, "0.0 s"), (9.99, "10 s"), (99, "99 s"), (150, "2 min"), (36000, "10.0 h")]
)
def test_times_are_as_exact_as_a_person_wants_them(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(
    "config",
    [
        RunConfig(n=4, limit="n+1", deletion="leaf", seed=124),
        RunConfig(n=4, limit="inf", empty_tree="insert-only", functions="and", seed=1),
        RunConfig(n=50, limit="inf", fitness="sampled", rows=1000, sampler="counts", accept_error=8, seed=7),
    ],
)
def test_the_command_of_a_run_gives_back_its_settings(config):
    parser = Parser()
    add_config_options(parser)
    options = parser.parse_args(shlex.split(run_command(config))[2:])
    assert config_from(options) == config
