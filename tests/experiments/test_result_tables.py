"""What an experiment came to, as JSON, CSV and LaTeX."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from gpviz.engine import RunConfig
from gpviz.experiments.plan import Plan, plan_of
from gpviz.experiments.plan_runner import run_plan
from gpviz.experiments.result_tables import (
    CellSpreads,
    cells_data,
    csv_text,
    latex_tables,
    scaling_fits,
    spreads_of,
    write_runs_csv,
)
from gpviz.experiments.statistics.cell_statistics import CellSummary, summarise
from gpviz.experiments.statistics.exact_comparison import exact_cell, exact_cells
from gpviz.experiments.store import COLUMNS, Store
from gpviz.experiments.totals import Totals
from tests.experiments import stored_runs
from tests.experiments.inline_executor import InlineExecutor
from tests.export.tex import check_well_formed, compiled_pages

PAPER = plan_of(
    "paper",
    {
        "title": "Table 1: 100 % of {it} & \\more_",
        "runs": 6,
        "grid": {"deletion": ["leaf", "subtree"], "limit": ["n", "n+1", "inf"], "n": [4, 5]},
    },
)
SAMPLED = plan_of(
    "sampled",
    {
        "runs": 3,
        "x": "rows",
        "config": {"n": 6, "limit": "inf", "fitness": "sampled", "sampler": "counts"},
        "grid": {"accept_error": [0, 2], "rows": [10, 100]},
    },
)
CELL_KEYS = {
    "n", "limit", "deletion", "functions", "fitness", "rows", "sampler", "accept_error", "empty_tree", "seed",
    "runs", "solved", "stuck", "stopped", "failed", "stuck_share", "stuck_interval", "T_mean", "T_sd",
    "T_interval", "T_median", "T_quantiles", "S_mean", "S_sd", "S_interval", "S_median", "S_quantiles", "ors_mean",
    "ors_sd", "ors_accepted_mean", "ors_accepted_sd", "generalisation_error_mean", "expected_running_time",
    "expected_running_time_with_restarts", "final_generalisation_error_mean", "stage_means",
    "stage_standard_errors", "duplicate_accepted", "duplicate_accepted_interval", "or_accepted",
    "or_accepted_interval", "true_error_grew", "true_error_grew_interval", "no_pitfall", "no_pitfall_interval",
    "share_full", "share_full_interval",
}  # fmt: skip


class Done:
    """An experiment that is done, and what it came to."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.plan = plan
        self.path = folder / f"{plan.name}.gpvizx"
        with Store.create(self.path, plan) as store:
            assert run_plan(store, InlineExecutor(), lambda progress: False)
            self.summaries = summarise(plan, store.totals(), exact_cells(plan.cells)[0])
            self.spreads = spreads_of(store)
            self.iterations = [
                store.values(cell.number, "iterations", outcome="solved") for cell in plan.cells
            ]


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Done:
    return Done(tmp_path_factory.mktemp("paper"), PAPER)


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Done:
    return Done(tmp_path_factory.mktemp("sampled"), SAMPLED)


def nothing_done(plan: Plan) -> list[CellSummary]:
    return summarise(plan, [Totals() for _ in plan.cells])


def strict(data: Any) -> Any:
    """The data after a way through JSON that knows neither NaN nor infinity."""
    return json.loads(json.dumps(data, allow_nan=False))


def test_the_object_has_each_cells_configuration_and_what_its_runs_came_to(paper: Done) -> None:
    data = strict(cells_data(paper.plan, paper.summaries, 1.5, paper.spreads))
    assert (data["plan"], data["seconds"], data["is_complete"]) == ("paper", 1.5, True)
    assert len(data["cells"]) == 12
    for cell, planned, summary, values in zip(
        data["cells"], paper.plan.cells, paper.summaries, paper.iterations, strict=True
    ):
        assert set(cell) - {"paper", "z", "exact"} == CELL_KEYS
        assert RunConfig.from_dict({name: cell[name] for name in planned.config.as_dict()}) == planned.config
        assert cell["solved"] + cell["stuck"] + cell["stopped"] + cell["failed"] == cell["runs"] == 6
        assert cell["stuck_share"] == cell["stuck"] / 6
        assert cell["T_mean"] == pytest.approx(values.mean())
        assert cell["T_sd"] == pytest.approx(values.std(ddof=1))
        assert cell["T_quantiles"]["minimum"] == values.min()
        assert cell["T_median"] == cell["T_quantiles"]["median"]
        assert cell["ors_mean"] == summary.ors.mean


def test_the_paper_stands_beside_the_cells_it_has_and_no_others(paper: Done) -> None:
    cells = cells_data(paper.plan, paper.summaries, 1.5)["cells"]
    assert ["paper" in cell for cell in cells] == [cell.config.n == 4 for cell in paper.plan.cells]
    first = cells[0]
    assert first["paper"]["table"] == "table1"
    assert [first["paper"][name] for name in ("B", "T", "T_sd", "S", "S_sd")] == [0.008, 46.3, 28.0, 4.0, 0.0]
    assert first["z"] == first["paper"]["z"] == first["paper"]["z_T"]
    compared = paper.summaries[0].paper
    assert compared is not None
    assert first["z"] == compared.z_T
    assert {"z_S", "z_B", "verdict"} <= set(first["paper"])


def test_exact_values_stand_beside_the_cells_that_are_small_enough(paper: Done) -> None:
    cells = strict(cells_data(paper.plan, paper.summaries, 1.5))["cells"]
    rows = list(csv.DictReader(io.StringIO(csv_text(paper.plan, paper.summaries), newline="")))
    for planned, cell, row in zip(paper.plan.cells, cells, rows, strict=True):
        value = exact_cell(planned.config)
        assert ("exact" in cell) is (value is not None)
        if value is None:
            assert row["exact_T"] == row["exact_z_T"] == row["exact_paper_z_T"] == ""
            continue
        reported = cell["exact"]
        assert (reported["B"], reported["T"], reported["T_sd"], reported["S"]) == (
            value.stuck,
            value.mean,
            value.sd,
            value.leaves,
        )
        assert (reported["ors"], reported["states"], reported["T_quantiles"]) == (
            value.ors,
            value.states,
            value.quantiles,
        )
        assert (float(row["exact_T"]), float(row["exact_z_T"])) == (reported["T"], reported["z_T"])
        assert (reported["paper_z_T"] is None) is ("paper" not in cell)
    assert float(rows[0]["exact_paper_z_T"]) == pytest.approx((46.3 - 45.7786) / 1.2995, rel=1e-2)


def test_what_is_not_defined_is_null() -> None:
    data = strict(cells_data(PAPER, nothing_done(PAPER), 0.0))
    assert not data["is_complete"]
    for cell in data["cells"]:
        for name in ("stuck_share", "stuck_interval", "T_mean", "T_sd", "T_median", "T_quantiles", "S_mean"):
            assert cell[name] is None
    assert data["cells"][0]["z"] is None


@pytest.mark.parametrize(
    ("outcomes", "in_json", "in_csv"),
    [((), None, ""), (("stopped",), None, ""), (("stuck",), "inf", "inf"), (("solved", "stuck"), "inf", "inf"),
     (("solved", "stopped"), 20.0, "20.0")],
)  # fmt: skip
def test_that_runs_got_stuck_is_another_thing_than_that_none_is_solved(
    outcomes: tuple[str, ...], in_json: float | str | None, in_csv: str
) -> None:
    plan = plan_of("one", {"runs": 2, "grid": {"n": [4]}})
    totals = Totals()
    for number, outcome in enumerate(outcomes):
        since = 7 if outcome == "stuck" else None
        run = stored_runs.row(number, outcome=outcome, iterations=10, stuck_since=since)
        totals.add(run, (), n=None)
    summaries = summarise(plan, [totals])
    (cell,) = strict(cells_data(plan, summaries, 0.0))["cells"]
    assert cell["expected_running_time"] == in_json
    (line,) = csv.DictReader(io.StringIO(csv_text(plan, summaries), newline=""))
    assert line["expected_running_time"] == in_csv


def test_growth_is_reported_where_the_plan_is_about_it(tmp_path: Path) -> None:
    grid = {"limit": ["2n", "inf"], "n": [2, 3, 4, 5, 6]}
    done = Done(tmp_path, plan_of("growth", {"runs": 5, "x": "n", "grid": grid}))
    fits = scaling_fits(done.plan, done.summaries)
    assert [text for text, _ in fits] == ["limit 2n", "limit inf"]
    reported = strict(cells_data(done.plan, done.summaries, 1.0))["scaling"]
    assert [(each["settings"], each["c"]) for each in reported] == [(text, fit.c) for text, fit in fits]
    assert scaling_fits(PAPER, nothing_done(PAPER)) == []
    assert scaling_fits(done.plan, nothing_done(done.plan)) == []


def test_the_csv_has_a_line_for_each_cell_whose_numbers_read_back_the_same(paper: Done) -> None:
    text = csv_text(paper.plan, paper.summaries, 1.5, paper.spreads)
    assert text.count("\r\n") == text.count("\n") == 13
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    cells = cells_data(paper.plan, paper.summaries, 1.5, paper.spreads)["cells"]
    for row, cell in zip(rows, cells, strict=True):
        for name in ("n", "runs", "stuck", "T_mean", "T_sd", "S_mean", "ors_mean"):
            assert float(row[name]) == cell[name]
        for name in ("expected_running_time", "expected_running_time_with_restarts"):
            assert row[name] == ("" if cell[name] is None else str(cell[name]))
        assert (cell["expected_running_time"] == "inf") == (cell["stuck"] > 0)
        assert (row["limit"], row["deletion"], row["functions"]) == (
            cell["limit"],
            cell["deletion"],
            "and,or",
        )
        assert float(row["T_q75"]) == cell["T_quantiles"]["q75"]
        assert float(row["stuck_high"]) == cell["stuck_interval"][1]
        assert row["rows"] == ""
        beside = cell.get("paper", {"T": "", "verdict": ""})
        assert (row["paper_T"], row["paper_verdict"]) == (str(beside["T"]), beside["verdict"])


def test_the_csv_has_the_same_columns_for_every_plan(paper: Done, sampled: Done) -> None:
    heads = {
        csv_text(done.plan, done.summaries, 0.0, spreads).partition("\r\n")[0]
        for done in (paper, sampled)
        for spreads in (done.spreads, None, [CellSpreads(None, None)] * len(done.summaries))
    }
    assert len(heads) == 1


def test_the_table_of_runs_has_every_run_with_its_own_seed(sampled: Done, tmp_path: Path) -> None:
    with Store.open(sampled.path) as store:
        write_runs_csv(store, tmp_path / "runs.csv")
        with (tmp_path / "runs.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == 12
        for position, row in enumerate(rows):
            cell, number = divmod(position, 3)
            kept = store.run(cell, number)
            assert row["seed"] == str(1 + number)
            assert row["rows"] == str(sampled.plan.cells[cell].config.rows)
            for name in COLUMNS:
                value = getattr(kept, name)
                assert row[name] == ("" if value is None else str(value))


def rows_in(latex: str) -> list[list[str]]:
    """The cells of the lines of a table."""
    lines = [line for line in latex.splitlines() if line.endswith(r"\\")]
    return [re.split(r"(?<!\\) & ", line.removesuffix(r" \\")) for line in lines]


def test_the_latex_table_has_the_papers_layout_with_its_values_below_ours(paper: Done) -> None:
    text = latex_tables(paper.plan, paper.summaries)
    check_well_formed(text)
    assert r"% The document needs \usepackage{booktabs}." in text.splitlines()
    leaf, subtree = text.split(r"\end{table}")[:2]
    rows = rows_in(leaf)
    assert rows[0][-2:] == [r"\multicolumn{3}{c}{$\ell = n$}", r"\multicolumn{3}{c}{$\ell = n+1$}"]
    assert rows[1] == ["$n$", "", *["$B$", r"$\overline{T}$", r"$\overline{S}$"] * 2]
    first = paper.summaries[0]
    assert rows[2][:2] == ["4", "ours"]
    assert rows[2][3] == f"{first.T.mean:.1f} ({first.T.sd:.1f})"
    assert rows[3] == ["", "paper", "0.008", "46.3 (28.0)", "4.0 (0.0)", "0.002", "40.9 (21.8)", "4.4 (0.5)"]
    assert rows[5] == ["", "paper", *[""] * 6]
    assert r"$\ell = \infty$" in leaf
    assert "$B$" not in subtree.partition(r"\caption")[0], "nothing is stuck there"


def test_the_latex_table_compiles_and_fits_the_page(paper: Done, sampled: Done, tmp_path: Path) -> None:
    tables = "".join(latex_tables(done.plan, done.summaries) for done in (paper, sampled))
    document = tmp_path / "document.tex"
    head = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
    document.write_text(f"{head}{tables}\\end{{document}}\n", encoding="ascii")
    assert compiled_pages(document) >= 1


def test_other_plans_get_a_line_for_each_cell_on_as_many_pages_as_it_takes(sampled: Done) -> None:
    text = latex_tables(sampled.plan, sampled.summaries)
    check_well_formed(text)
    rows = rows_in(text)
    assert rows[0][:2] == ["accept error", "rows"]
    assert [row[:2] for row in rows[1:]] == [["0", "10"], ["0", "100"], ["2", "10"], ["2", "100"]]
    long = plan_of("long", {"config": {"limit": "3n"}, "grid": {"n": list(range(2, 92))}})
    text = latex_tables(long, nothing_done(long))
    check_well_formed(text)
    assert text.count(r"\begin{tabular}") == 3
    assert "-- & -- & --" in text
