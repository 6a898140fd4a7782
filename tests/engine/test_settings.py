"""The table of settings: it and the fields of a configuration are one, and every row says what is asked of it."""

from dataclasses import fields

import pytest

from gpviz.engine.config import DEFAULTS, RunConfig, is_usual
from gpviz.engine.settings import SETTINGS, Choice, Setting, WholeNumber, plain_text, setting

ROWS = pytest.mark.parametrize("row", SETTINGS, ids=[row.name for row in SETTINGS])
LATER = Setting(name="later_one", title="Later one", help="What it does.", kind=WholeNumber(0, 9))


def test_the_rows_are_the_fields_of_a_configuration_in_their_order():
    assert [row.name for row in SETTINGS] == [each.name for each in fields(RunConfig)]
    assert set(DEFAULTS) == {row.name for row in SETTINGS} - {"n"}


@ROWS
def test_every_value_reads_in_a_cell_as_a_phrase_and_as_a_difference(row):
    config = RunConfig(n=8, fitness="sampled", rows=1000)
    assert all(
        (row.cell_text(config), row.phrase_of(config), row.label_of(config), row.difference_of(config))
    )


@ROWS
def test_defaults_and_choices_are_allowed(row):
    config = RunConfig(n=8)
    assert row.kind.checked(row.name, row.value_of(config), config) == row.value_of(config)
    assert is_usual(row, config) == (row.name != "n")
    if isinstance(row.kind, Choice):
        for value, title in row.kind.choices:
            assert plain_text(row.kind.checked(row.name, value, config)) == value
            assert row.kind.title_of(value) == title


def test_what_a_row_leaves_out_follows_from_the_rest():
    assert (LATER.option, LATER.head, LATER.column_title) == ("--later-one", "later one", "Later one")
    assert (LATER.short_title, LATER.axis_title, LATER.table_help) == (
        "later one",
        "later one",
        "What it does.",
    )
    assert (LATER.label, LATER.branch_name) == ("later one {}", "later one {}")


@pytest.mark.parametrize(
    ("name", "changes", "text"),
    [
        ("n", {}, "8 variables"),
        ("limit", {"limit": "inf"}, "no size limit"),
        ("limit", {"limit": "9"}, "limit 9 leaves"),
        ("limit", {"limit": "2n"}, "limit 2n = 16 leaves"),
        ("fitness", {"fitness": "sampled", "rows": 1000}, "1,000 sampled rows"),
        ("rows", {}, "all rows"),
        ("seed", {"seed": 10**30}, "seed 10000000000000000…"),
    ],
)
def test_a_difference_says_what_a_run_does(name, changes, text):
    assert setting(name).difference_of(RunConfig(n=8).replaced(**changes)) == text


def test_what_is_for_sampled_runs_differs_only_between_two_of_them():
    complete, sampled = RunConfig(n=8), RunConfig(n=8, fitness="sampled", rows=10, sampler="counts")
    assert not setting("sampler").is_different(complete, sampled)
    assert setting("sampler").is_different(sampled, sampled.replaced(sampler="rows"))
