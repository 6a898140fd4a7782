"""Plans: what they hold, what they refuse and in which words, and their files."""

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpviz.engine.errors import GpvizError
from gpviz.engine.step import PITFALLS
from gpviz.experiments.figures.cell_groups import groups_of
from gpviz.experiments.plan import (
    MAX_RUNS,
    MEASURES,
    PLAN_SETTINGS,
    Plan,
    find_plan,
    load_plan,
    parse_plan,
    plan_of,
    plan_text,
    shipped_plans,
)
from tests.systems import needs_any_name, needs_posix


def plan_with(**data):
    return plan_of("mine", {"config": {"n": 4}} | data)


def problem(text: str) -> str:
    with pytest.raises(GpvizError) as caught:
        parse_plan("mine", text)
    return str(caught.value)


class TestCells:
    def test_all_combinations_are_there_the_last_setting_changing_fastest(self):
        plan = plan_of("mine", {"grid": {"limit": ["n", "2n"], "n": [4, 8]}})
        assert [(cell.config.limit, cell.config.n) for cell in plan.cells] == [
            ("n", 4), ("n", 8), ("2n", 4), ("2n", 8),
        ]  # fmt: skip
        assert [cell.number for cell in plan.cells] == [0, 1, 2, 3]

    def test_run_i_has_the_seed_base_plus_i(self):
        cell = plan_with(seed=100, runs=3).cells[0]
        assert [cell.config_of(run).seed for run in range(3)] == [100, 101, 102]

    def test_the_largest_seed_leaves_space_for_every_run(self):
        plan = plan_with(seed=2**4095, runs=MAX_RUNS)
        assert plan.cells[0].config_of(MAX_RUNS - 1).seed == 2**4095 + MAX_RUNS - 1

    def test_functions_can_be_varied_as_lists_or_as_texts(self):
        for values in ([["and"], ["and", "or"]], ["and", "and,or"], ["AND", ["or", "and"]]):
            plan = plan_with(grid={"functions": values})
            assert plan.grid["functions"] == ("and", "and,or")
            assert [len(cell.config.functions) for cell in plan.cells] == [1, 2]

    def test_values_are_held_as_a_configuration_writes_them(self):
        plan = plan_of("mine", {"config": {"n": "4"}, "grid": {"limit": [4, " 2 N ", float("inf")]}})
        assert plan.settings == {"n": 4}
        assert plan.grid == {"limit": ("4", "2n", "inf")}

    def test_the_same_combination_twice_is_refused(self):
        for values in ([4, "4"], ["n", "n"], ["inf", float("inf")]):
            with pytest.raises(GpvizError, match="combinations 1 and 2 are the same; each may come once"):
                plan_with(grid={"limit": values})


class TestSameExperiment:
    def test_more_runs_are_the_same_experiment(self):
        assert plan_with(runs=5).is_same_experiment(plan_with(runs=50, title="more"))

    @pytest.mark.parametrize(
        "other",
        [{"seed": 2}, {"max_iterations": 7}, {"config": {"n": 5}}, {"grid": {"limit": ["2n", "n"]}}],
        ids=str,
    )
    def test_other_runs_are_another(self, other):
        assert not plan_with().is_same_experiment(plan_with(**other))


NONSENSE = {
    "runs = -1": "runs: -1 is not allowed; it must be a whole number from 1 to 100000000",
    "runs = 1000000000000": "runs: 1000000000000 is not allowed",
    "runs = nan": "runs: nan is not allowed",
    "runs = 2026-11-16": "runs: datetime.date(2026, 11, 16) is not allowed",
    "seed = -1": "seed: -1 is not allowed; it must be a whole number from 0 to 2^4095",
    f"seed = {2**4096}": "seed: a number of 4097 bits is not allowed",
    f"seed = {'9' * 5000}": "a number or a date in it is larger than any that is allowed",
    "max_iterations = 0": "max_iterations: 0 is not allowed; it must be a whole number from 1 to 1000000000",
    "title = 5": "title: 5 is not allowed; it must be a text of at most 4,000 characters",
    f'title = "{"x" * 5000}"': "title: 'xxx",
    'title = "\\u0007"': "title: '\\x07' is not allowed",
    "x = 1": "x: 1 is not allowed; it must be 'n' or 'limit'",
    'x = "rows"': "x: 'rows' is not allowed; it must be 'n' or 'limit'",
    "measures = []": "measures: [] is not allowed; it must be a list of iterations, leaves",
    'measures = ["speed"]': "measures: 'speed' is not allowed",
    "config = 1": "config: 1 is not allowed; it must be an object with the keys n, limit",
    "config = {seed = 3}": "config: 'seed' is unknown; the keys are n, limit",
    "config = {n = 4}": "n: it is in both config and grid",
    "config = {deletion = 1}": "deletion: 1 is not allowed; it must be 'leaf' or 'subtree'",
    "config = {fitness = 'sampled'}": "rows: it is missing; a sampled run needs the number of rows",
    "config = {rows = 2026-11-16T01:02:03Z}": "is not allowed; it must be left out unless fitness is 'sampled'",
    "grid2 = 1": "'grid2' is unknown; the keys are title, explanation, runs",
    "runs = 1\nruns = 2": "it is not TOML; cannot overwrite a value",
    "runs = ": "it is not TOML; invalid value (at line 1",
    "date = 2026-13-45": "it is not TOML; expected newline",
    "a" + ".a" * 20000 + " = 1": "it is not a plan; line 1 has more than 500 dots",
    "a = " + "[" * 5000: "nested too deeply",
    "#" + "x" * 300_000: "it has 300,",
}
GRID = "\n[grid]\nn = [4, 8]\nlimit = ['n', 'inf']\n"


class TestNonsense:
    @pytest.mark.parametrize(("text", "sentence"), NONSENSE.items(), ids=[text[:40] for text in NONSENSE])
    def test_at_the_top_gets_a_sentence(self, text, sentence):
        said = problem(text + GRID)
        assert sentence in said
        assert said.endswith(".")
        assert len(said) < 400
        assert "\n" not in said

    @pytest.mark.parametrize(
        ("grid", "sentence"),
        {
            "n = []": "grid.n: [] is not allowed; it must be a list of at least one value",
            "n = [0]": "grid, at n = 0: n: 0 is not allowed; it must be a whole number from 1 to 1000",
            "n = [2026-11-16]": "n: datetime.date(2026, 11, 16) is not allowed",
            "n = [4]\nrows = [10]": "grid, at n = 4, rows = 10: rows: 10 is not allowed; it must be left out",
            "n = [4]\nlimit = [0]": "limit: 0 is not allowed; it must be from 1",
            'n = [4]\nlimit = ["banana"]': "limit: 'banana' is not allowed",
            "n = [4]\nfunctions = [[]]": "functions: [] is not allowed; it must be 'and,or' or 'and'",
            "n = [4]\nseed = [1]": "grid: 'seed' is unknown; the keys are n, limit",
            'limit = ["n"]': "n: it is missing; give the number of variables",
        }.items(),
        ids=lambda text: text[:30],
    )
    def test_in_the_grid_gets_a_sentence(self, grid, sentence):
        said = problem(f"[grid]\n{grid}")
        assert sentence in said
        assert "\n" not in said

    def test_too_many_combinations_are_counted(self):
        numbers = list(range(1, 1001))
        assert "it has 1,000,000 combinations; at most 2,000 are" in problem(
            f"[grid]\nn = {numbers}\naccept_error = {numbers}"
        )
        many = "\n".join(f"{name} = {numbers}" for name in PLAN_SETTINGS)
        assert "very many combinations" in problem(f"[grid]\n{many}")

    @pytest.mark.parametrize("name", [None, 5, b"x", "\ud800", "x" * 201])
    def test_a_name_that_is_none_gets_a_sentence(self, name):
        with pytest.raises(GpvizError, match=r"name: .* is not allowed"):
            plan_of(name, {"config": {"n": 4}})

    @given(
        st.dictionaries(
            st.sampled_from(["title", "runs", "seed", "x", "measures", "config", "grid", "other"]),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
                lambda inner: (
                    st.lists(inner, max_size=3)
                    | st.dictionaries(st.sampled_from(PLAN_SETTINGS), inner, max_size=3)
                ),
                max_leaves=8,
            ),
        )
    )
    def test_whatever_is_given_there_is_a_plan_or_a_sentence(self, data):
        try:
            plan = plan_of("mine", data)
        except GpvizError as error:
            assert str(error).endswith(".")
        else:
            assert parse_plan("mine", plan_text(plan)) == plan


def as_text(value: object) -> str:
    return str(value).replace("∞", "inf")


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    axes = {
        "n": st.integers(1, 1000),
        "limit": st.integers(1, 10**9) | st.sampled_from(["inf", "2n", "1.5n", "n+1", "∞"]),
        "deletion": st.sampled_from(["leaf", "subtree"]),
        "functions": st.sampled_from(["and", ("and", "or")]),
        "accept_error": st.integers(0, 2**300),
        "rows": st.integers(1, 10**12),
        "empty_tree": st.sampled_from(["any", "insert-only"]),
    }
    names = draw(st.lists(st.sampled_from([name for name in axes if name != "n"]), unique=True))
    varied = draw(st.sets(st.sampled_from([*names, "n"]), max_size=3))
    fixed = {name: draw(axes[name]) for name in [*names, "n"] if name not in varied}
    if "rows" in names:
        fixed |= {"fitness": "sampled", "sampler": "counts"}
    grid = {
        name: draw(st.lists(axes[name], min_size=1, max_size=4, unique_by=as_text)) for name in sorted(varied)
    }
    return Plan(
        name=draw(st.text(st.characters(exclude_categories=("C", "Z")), max_size=20)),
        title=draw(st.text(st.characters(exclude_categories=("C",)), max_size=20)),
        explanation=draw(st.text(st.characters(exclude_categories=("C",)) | st.sampled_from("\n\t\"'\\"))),
        runs=draw(st.integers(1, 1000)),
        seed=draw(st.integers(0, 2**4095)),
        x=draw(st.sampled_from(["", *grid])),
        measures=draw(st.permutations(MEASURES))[: draw(st.integers(1, 6))],
        settings=fixed,
        grid=grid,
    )


class TestFiles:
    @settings(max_examples=25)
    @given(plans())
    def test_a_plan_comes_back_from_its_text(self, plan):
        assert parse_plan(plan.name, plan_text(plan)) == plan

    @settings(max_examples=25)
    @given(plans())
    def test_a_plan_comes_back_from_json(self, plan):
        assert plan_of(plan.name, json.loads(json.dumps(plan.as_dict()))) == plan

    def test_windows_editors_are_understood(self, tmp_path):
        path = tmp_path / "mine.toml"
        path.write_bytes(b"\xef\xbb\xbfruns = 3\r\n[config]\r\nn = 4\r\n")
        assert load_plan(path).runs == 3

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (b"runs = -1", "mine.toml: runs: -1 is not allowed"),
            (b"title = '\xff'", "mine.toml: byte 10 is not UTF-8"),
            (b"\0\1\2", "mine.toml: it is not TOML"),
            (b"#" * 10_000_000, "mine.toml: it is 10,000,000 bytes long, and 200,000 are allowed"),
            (b"", "mine.toml: n: it is missing"),
        ],
        ids=["value", "not UTF-8", "binary", "10 MB", "empty"],
    )
    def test_a_file_that_is_no_plan_gets_a_sentence_with_its_path(self, tmp_path, content, sentence):
        path = tmp_path / "mine.toml"
        path.write_bytes(content)
        with pytest.raises(GpvizError) as caught:
            load_plan(path)
        assert sentence in str(caught.value)

    @needs_posix
    def test_what_is_no_file_gets_a_sentence(self, tmp_path):
        os.mkfifo(tmp_path / "pipe.toml")
        for name in ("pipe.toml", "missing.toml", "."):
            with pytest.raises(GpvizError):
                load_plan(tmp_path / name)

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("05-first.toml", "first"),
            ("7-.toml", "plan"),
            pytest.param(b"\xff.toml", "\\udcff", marks=needs_any_name),
        ],
    )
    def test_the_name_is_that_of_the_file_and_can_be_shown(self, tmp_path, name, expected):
        path = tmp_path / os.fsdecode(name)
        path.write_text("[config]\nn = 4\n")
        assert load_plan(path).name == expected

    @pytest.mark.parametrize("name", ["", "nothing", "Table1", "\ud800", "a\0b"])
    def test_an_unknown_name_gets_a_sentence_with_the_known_ones(self, name):
        with pytest.raises(
            GpvizError, match=r"There is no plan .* choose one of quick, table1, table2, figure2"
        ):
            find_plan(name)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"config": {"limit": "inf"}}, set()),
        ({"grid": {"limit": ["inf", "n"]}}, {"share_full"}),
        ({"config": {"fitness": "sampled", "rows": 5, "limit": "inf"}}, {*PITFALLS, "no_pitfall"}),
        (
            {"config": {"fitness": "sampled", "rows": 5, "limit": "inf", "functions": "and"}},
            {"duplicate_accepted", "true_error_grew", "no_pitfall"},
        ),
        (
            {"config": {"limit": "inf"}, "measures": ["or_accepted", "share_full"]},
            {"or_accepted", "share_full"},
        ),
    ],
)
def test_a_plan_is_about_pitfalls_on_sampled_rows_and_full_trees_under_a_limit(data, expected):
    plan = plan_of("some", {**data, "config": {"n": 4, **data.get("config", {})}})
    asked = (*PITFALLS, "no_pitfall", "share_full")
    assert {measure for measure in asked if plan.is_about(measure)} == expected
    assert plan.is_about("iterations")


class TestShipped:
    def test_the_promised_plans_are_there(self):
        names = [plan.name for plan in shipped_plans()]
        assert names[:6] == ["quick", "table1", "table2", "figure2", "figure3", "scaling"]

    @pytest.mark.parametrize("plan", shipped_plans(), ids=lambda plan: plan.name)
    def test_each_says_what_it_is_and_comes_back_from_its_text(self, plan):
        assert plan.title
        assert plan.explanation
        assert "\n" not in plan.explanation
        assert parse_plan(plan.name, plan_text(plan)) == plan

    @pytest.mark.parametrize(("name", "deletion"), [("table1", "leaf"), ("table2", "subtree")])
    def test_the_tables_are_those_of_the_paper(self, name, deletion):
        plan = find_plan(name)
        assert plan.runs == 500
        assert {(cell.config.n, cell.config.limit) for cell in plan.cells} == {
            (n, limit) for n in (4, 8, 12, 16) for limit in ("n", "n+1", "2n", "inf")
        }
        assert {(cell.config.deletion, cell.config.fitness) for cell in plan.cells} == {
            (deletion, "complete")
        }

    @pytest.mark.parametrize(
        ("name", "measures"), [("figure2", ("iterations", "leaves")), ("figure3", ("ors_accepted", "ors"))]
    )
    def test_the_figures_are_those_of_the_paper(self, name, measures):
        plan = find_plan(name)
        assert (plan.runs, plan.x, plan.measures) == (500, "rows", measures)
        configs = [cell.config for cell in plan.cells]
        assert {(config.n, config.limit, config.deletion, config.fitness) for config in configs} == {
            (50, "inf", "subtree", "sampled")
        }
        assert {config.accept_error for config in configs} == {0, 8, 16, 32}
        rows = sorted({config.rows or 0 for config in configs})
        assert (rows[0], rows[-1]) == (10, 10**6)
        assert "it does not state its range of rows, and 10 to a million is a choice." in plan.explanation
        assert len(configs) == 4 * len(rows)


_COUPLED = """
runs = 2
x = "n"
[config]
fitness = "sampled"
accept_error = "2 LG  n"
limit = "inf"
[grid]
n = [16, 64]
rows = ["n lg^2 n", "n^1.5", 100]
"""


def test_expressions_in_n_are_kept_as_written_and_resolved_in_each_cell() -> None:
    plan = parse_plan("coupled", _COUPLED)
    assert [(cell.config.n, cell.config.rows, cell.config.accept_error) for cell in plan.cells] == [
        (16, 256, 8),
        (16, 64, 8),
        (16, 100, 8),
        (64, 2304, 12),
        (64, 512, 12),
        (64, 100, 12),
    ]
    assert plan.settings["accept_error"] == "2 lg n"
    assert plan.grid["rows"] == ("n lg^2 n", "n^1.5", 100)
    assert parse_plan("coupled", plan_text(plan)) == plan
    assert plan.varied_settings == ("n", "rows")
    assert plan.table_settings == ("n", "rows", "accept_error")


def test_cells_whose_rows_follow_n_are_one_series() -> None:
    groups = groups_of(parse_plan("coupled", _COUPLED))
    assert [(group.label, [cell.config.n for cell in group.cells]) for group in groups] == [
        ("n lg² n rows", [16, 64]),
        ("n^1.5 rows", [16, 64]),
        ("100 rows", [16, 64]),
    ]


def test_an_expression_that_fails_for_one_n_is_refused_with_that_n() -> None:
    with pytest.raises(
        GpvizError, match=r"grid, at n = 1, .*rows: 'lg n' is not allowed.*for n = 1 it comes to 0"
    ):
        parse_plan(
            "coupled",
            _COUPLED.replace("16, 64", "1, 64").replace("n^1.5", "lg n").replace('"n lg^2 n", ', ""),
        )
