"""What is typed becomes a plan, or a sentence at the field it is about."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.errors import GpvizError
from gpviz.experiments.plan import find_plan, parse_plan, shipped_plans
from gpviz.experiments.plan_draft import TYPED, PlanDraft, grouped, ungrouped

QUICK = find_plan("quick")
FIGURE = find_plan("figure2")


def _typed(plan=QUICK, **texts):
    draft = PlanDraft.of(plan)
    return replace(draft, texts={**draft.texts, **texts})


def _ticked(plan=QUICK, **ticks):
    draft = PlanDraft.of(plan)
    return replace(draft, ticks={**draft.ticks, **ticks})


@pytest.mark.parametrize("plan", shipped_plans(), ids=lambda plan: plan.name)
def test_a_shipped_plan_comes_back_as_it_was(plan):
    draft = PlanDraft.of(plan)
    assert draft.problems() == {}
    assert draft.plan() == plan
    assert list(draft.plan().grid) == list(plan.grid)


def test_a_plan_of_unusual_values_comes_back_as_it_was():
    text = 'x = "limit"\n[config]\nn = 5\nfunctions = ["or", "and"]\n[grid]\n'
    text += 'limit = [10, "1.5n", inf]\nempty_tree = ["any"]\n'
    plan = parse_plan("own", text)
    assert PlanDraft.of(plan).plan() == plan


def test_several_values_are_an_axis_and_one_is_fixed():
    plan = _typed(n="4, 8; 12", limit="2n").plan()
    assert plan.grid["n"] == (4, 8, 12)
    assert plan.grid["limit"] == ("2n",)
    plan = _typed(accept_error="0, 3").plan()
    assert next(iter(plan.grid)) == "accept_error"  # it changes slowest
    assert len(plan.cells) == 16


def test_both_choices_ticked_are_an_axis():
    plan = _ticked(functions=("and,or", "and")).plan()
    assert plan.grid["functions"] == ("and,or", "and")
    assert _ticked(functions=("and",)).plan().settings["functions"] == "and"


def test_a_plan_with_other_settings_has_another_name_but_more_runs_change_nothing():
    assert _typed(n="4").plan().name == "quick-changed"
    assert replace(PlanDraft.of(QUICK), runs="7", seed="5").plan().name == "quick"


def test_rows_belong_to_sampled_runs_only():
    draft = _ticked(FIGURE, fitness=("complete",))
    assert "rows" not in draft.axes()
    plan = draft.plan()
    assert plan.x == ""
    assert "rows" not in plan.grid
    missing = _ticked(fitness=("sampled",))
    assert missing.problems()["rows"].startswith("Rows s: nothing is given")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("n", "", "nothing is given"),
        ("n", "4, four", "'four' is not allowed"),
        ("n", "0", "a whole number from 1"),
        ("n", "4, 4", "comes twice"),
        ("n", "4, 04", "comes twice"),
        ("n", "1," * 3000, "too many values"),
        ("n", "9" * 200_000, "too many values"),
        ("limit", "m", "'m' is not allowed"),
        ("limit", "0", "'0' is not allowed"),
        ("limit", "4 8", "'4 8' is not allowed"),
        ("limit", " , ", "nothing is given"),
        ("accept_error", "-1", "from 0"),
    ],
)
def test_nonsense_gets_a_sentence_at_its_field(name, text, words):
    problems = _typed(**{name: text}).problems()
    assert list(problems) == [name]
    assert words in problems[name]
    assert problems[name].endswith(".")


@pytest.mark.parametrize(
    ("field", "text"), [("runs", "-1"), ("runs", str(10**12)), ("seed", "x"), ("max_iterations", "")]
)
def test_the_numbers_of_a_plan_are_checked(field, text):
    assert list(replace(PlanDraft.of(QUICK), **{field: text}).problems()) == [field]


def test_a_limit_may_be_called_none_and_fit_only_small_or_large_n():
    assert _typed(limit="none").plan().grid["limit"] == ("inf",)
    assert _typed(limit="n-3").plan().grid["limit"] == ("n-3",)
    assert _typed(limit="999999n").plan().cells[0].config.max_leaves == 3_999_996


def test_what_is_wrong_with_a_combination_is_reported_at_the_field_with_the_combination():
    draft = _typed(limit="n-5")
    assert draft.problems() == {}
    with pytest.raises(GpvizError) as problem:
        draft.plan()
    name, text = draft.field_of(problem.value)
    assert name == "limit"
    assert text.startswith("Size limit ℓ: 'n-5' is not allowed")
    assert "n = 4" in text


def test_what_is_wrong_with_all_is_reported_without_a_field():
    many = _typed(n=", ".join(map(str, range(1, 900))))
    assert "at most 2,000" in many.problems()[""]
    assert many.field_of(GpvizError("grid: combinations 1 and 2 are the same.")) == (
        "",
        "grid: combinations 1 and 2 are the same.",
    )
    too_many_runs = replace(PlanDraft.of(QUICK), runs=str(10**8))
    with pytest.raises(GpvizError) as problem:
        too_many_runs.plan()
    assert too_many_runs.field_of(problem.value)[0] == "runs"
    assert too_many_runs.field_of(GpvizError("n: it is missing."))[0] == "n"


@given(st.sampled_from(TYPED), st.text(max_size=30))
def test_no_text_whatever_is_more_than_a_sentence(name, text):
    draft = _typed(FIGURE, **{name: text})
    if not draft.problems():
        try:
            draft.plan()
        except GpvizError as problem:
            assert draft.field_of(problem)[1].endswith(".")


@given(st.integers(min_value=0, max_value=10**29))
def test_a_number_can_be_typed_with_its_thousands_apart(number):
    assert ungrouped(f"{number:,}") == ungrouped(f"{number:_}") == str(number)
    assert grouped(str(number)) == grouped(f"{number:_}") == f"{number:,}"


def test_rows_may_follow_n_and_stay_as_they_were_typed():
    draft = _typed(FIGURE, rows="n lg^2 n, n^1.5, 100", accept_error="2 lg n")
    assert draft.problems() == {}
    plan = draft.plan()
    assert plan.grid["rows"] == ("n lg^2 n", "n^1.5", 100)
    assert [cell.config.rows for cell in plan.cells] == [1593, 354, 100]
    assert {cell.config.accept_error for cell in plan.cells} == {12}
    assert PlanDraft.of(plan).plan() == plan


def test_what_is_no_expression_is_refused_at_its_field():
    problem = _typed(FIGURE, rows="n log n").problems()["rows"]
    assert problem.startswith("Rows s: 'n log n' is not allowed;")
    assert problem.endswith("or an expression in n such as 'n lg^2 n', 'n^1.5' or '2 lg n'.")
