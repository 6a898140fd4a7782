"""The report as a whole: well formed, by itself, and with the numbers of the stores."""

import base64
import csv
import hashlib
import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from gpviz import __version__
from gpviz.experiments.plan import find_plan
from gpviz.experiments.report.page import report_page, reproduce_commands, write_report
from gpviz.experiments.report.results import PLANS, Results, open_store, results_of, store_path
from gpviz.experiments.report.tables import number, signed
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.store import Store
from gpviz.experiments.totals import Totals
from tests.experiments.report.made_up import RUNS, results_with
from tests.experiments.report.page_reader import Element, read_page


@pytest.fixture(scope="module")
def text(runs_folder: Path) -> str:
    report = write_report(runs_folder)
    assert set(report.findings) == {"table1", "table2", "insert-only"}
    return report.path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text: str) -> Element:
    return read_page(text)


class TestForm:
    def test_it_is_a_page_in_english_with_a_title(self, text, page):
        assert text.startswith("<!DOCTYPE html>\n")
        assert page.all("html")[0].attributes["lang"] == "en"
        assert page.all("title")[0].text

    def test_it_needs_nothing_but_itself(self, text, page):
        assert not re.search(r"https?://|//\w|@import|url\(", text)
        tags = {each.tag for each in page.every()}
        assert not tags & {"script", "link", "img", "iframe", "object", "embed", "image", "use"}
        assert not [each for each in page.every() if "src" in each.attributes or "style" in each.attributes]

    def test_its_policy_allows_its_own_style_and_nothing_else(self, text, page):
        style = page.all("style")[0].text
        policy = next(
            each.attributes["content"] for each in page.all("meta") if "http-equiv" in each.attributes
        )
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        assert policy is not None
        assert "default-src 'none'" in policy
        assert f"'sha256-{digest}'" in policy

    def test_identities_are_unique_and_links_lead_somewhere(self, page):
        names = [each.attributes["id"] for each in page.every() if "id" in each.attributes]
        assert len(names) == len(set(names))
        for link in page.all("a"):
            target = link.attributes["href"]
            assert target is not None
            assert target.removeprefix("#") in names
        for each in page.every():
            for name in (each.attributes.get("aria-labelledby") or "").split():
                assert name in names

    def test_headings_go_down_one_level_at_a_time(self, page):
        levels = [int(each.tag[1]) for each in page.every() if re.fullmatch("h[1-6]", each.tag)]
        assert levels.count(1) == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))

    def test_every_table_has_a_caption_and_every_heading_cell_a_scope(self, page):
        assert len(page.all("table")) >= 6
        for table in page.all("table"):
            assert table.all("caption")[0].text
            assert all(each.attributes.get("scope") for each in table.all("th"))

    def test_the_cells_of_every_table_fill_its_rows(self, page):
        for table in page.all("table"):
            for part in [*table.all("thead"), *table.all("tbody")]:
                widths = _widths(part)
                assert len(set(widths)) == 1, table.all("caption")[0].text

    def test_every_drawing_is_well_formed_and_described(self, text):
        drawings = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
        assert len(drawings) >= 9
        for drawing in drawings:
            root = ET.fromstring(drawing)
            assert root.get("role") == "img"
            assert root.findtext("title")
            assert root.findtext("desc")

    def test_the_colours_of_both_themes_and_rules_for_paper_are_there(self, text):
        assert "prefers-color-scheme: dark" in text
        assert "@media print" in text


def _widths(part: Element) -> list[int]:
    """How many columns each row of a part of a table has, with what reaches down from above."""
    reaching: dict[int, int] = {}
    widths: list[int] = []
    for number_of, row in enumerate(part.all("tr")):
        width = reaching.get(number_of, 0)
        for cell in row.all("th") + row.all("td"):
            span = int(cell.attributes.get("colspan") or 1)
            width += span
            for below in range(1, int(cell.attributes.get("rowspan") or 1)):
                reaching[number_of + below] = reaching.get(number_of + below, 0) + span
        widths.append(width)
    return widths


class TestNumbers:
    @pytest.mark.parametrize("name", ["table1", "table2"])
    def test_the_cells_are_those_of_the_store(self, name, runs_folder, page):
        with Store.open(store_path(runs_folder, name)) as store:
            summaries = summarise(store.plan, store.totals())
        rows = [row.text for row in page.by_id(name).all("tbody") for row in row.all("tr")]
        ordered = sorted(summaries, key=lambda each: each.cell.config.n)
        assert len(rows) == len(ordered) == 16
        for row, summary in zip(rows, ordered, strict=True):
            paper = summary.paper
            assert paper is not None
            assert f"{number(summary.T.mean)} ({number(summary.T.sd)})" in row
            assert f"{number(paper.cell.T)} ({number(paper.cell.T_sd)})" in row
            assert signed(paper.z_T) in row
            assert f"{number(summary.S.mean)} (" in row
            if name == "table1":
                assert number(summary.stuck_share, 3) in row

    def test_only_the_table_with_b_tells_of_it(self, page):
        assert "Fisher" in page.by_id("table1").text
        assert "Fisher" not in page.by_id("table2").text

    def test_the_points_of_the_figures_are_those_of_the_store(self, runs_folder, page):
        with Store.open(store_path(runs_folder, "figure2")) as store:
            summaries = summarise(store.plan, store.totals())
        (body,) = page.by_id("figures").all("tbody")
        assert len(body.all("tr")) == len(summaries) == 44
        for row, summary in zip(body.all("tr"), summaries, strict=True):
            cells = [cell.text for cell in row.all("td")]
            assert cells[0] == f"{number(summary.T.mean)} ({number(summary.T.sd)})"
            assert cells[3] == f"{number(summary.ors.mean, 2)} ({number(summary.ors.sd, 2)})"

    def test_both_readings_are_those_of_the_store(self, runs_folder, page):
        with Store.open(store_path(runs_folder, "insert-only")) as store:
            summaries = summarise(store.plan, store.totals())
        rows = [row for body in page.by_id("differences").all("tbody")[:2] for row in body.all("tr")]
        assert len(rows) == 16
        for row, one, other in zip(rows, summaries[::2], summaries[1::2], strict=True):
            assert (one.cell.config.empty_tree, other.cell.config.empty_tree) == ("any", "insert-only")
            cells = [cell.text for cell in row.all("td")]
            assert cells[1].startswith(number(one.T.mean))
            assert cells[3].startswith(number(other.T.mean))

    def test_the_tables_for_other_programs_lie_beside_it(self, runs_folder, text):
        for name in PLANS:
            with (runs_folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
                assert len(list(csv.DictReader(file))) == len(find_plan(name).cells)
            assert "tabular" in (runs_folder / f"{name}.tex").read_text(encoding="utf-8")

    def test_commands_versions_and_seeds_are_reported(self, page):
        text = page.by_id("again").text
        assert __version__ in text
        assert f"gpviz reproduce --runs {RUNS}" in text
        assert f"1 to {RUNS}" in text

    def test_made_again_from_the_same_runs_it_is_the_same(self, runs_folder, text):
        assert write_report(runs_folder).path.read_text(encoding="utf-8") == text


def results_of_runs(runs: dict[str, int]) -> dict[str, Results]:
    found: dict[str, Results] = {}
    made_up = results_with("table1", count=10)
    for name, count in runs.items():
        plan = find_plan(name).replaced(runs=count)
        found[name] = Results(plan, made_up.totals, made_up.summaries, 1.0, made_up.values, made_up.stuck)
    return found


@pytest.mark.parametrize(
    ("runs", "commands"),
    [
        ((500, 500, 500, 4000), ("gpviz reproduce",)),
        ((50, 50, 50, 50), ("gpviz reproduce --runs 50",)),
        (
            (500, 40, 40, 60),
            (
                "gpviz reproduce --runs 40 --out again",
                "gpviz experiment table1 --runs 500 --store again/table1.gpvizx --resume",
                "gpviz experiment insert-only --runs 60 --store again/insert-only.gpvizx --resume",
                "gpviz reproduce --runs 40 --out again",
            ),
        ),
    ],
)
def test_the_commands_lead_to_as_many_runs(runs, commands):
    assert reproduce_commands(results_of_runs(dict(zip(PLANS, runs, strict=True)))) == commands


def empty_results(name: str) -> Results:
    plan = find_plan(name)
    totals = [Totals() for _ in plan.cells]
    return Results(
        plan,
        totals,
        summarise(plan, totals),
        0.0,
        lambda cell, column: np.empty(0, np.int64),
        lambda cell: [],
    )


def test_without_any_run_the_page_stands_and_claims_nothing():
    text = read_page(report_page({name: empty_results(name) for name in PLANS})).text
    assert text.count("Too few runs to compare with the paper") == 4  # on its card and in its section
    assert text.count("Too few runs to tell") == 2
    assert "straight lines" not in text


@pytest.mark.parametrize(
    ("limit", "part"),
    [("n+1", "its theorem covers neither n and n + 1"), ("2n", "1 run got stuck, 1 with limit 2n")],
)
def test_only_a_run_stuck_below_a_limit_of_the_theorem_contradicts_it(limit, part):
    results = {name: empty_results(name) for name in PLANS}
    stuck_cell = next(cell.number for cell in find_plan("table2").cells if cell.config.limit == limit)
    results["table2"].totals[stuck_cell].stuck = 1
    assert part in read_page(report_page(results)).by_id("table2").text


class TestStores:
    def test_a_new_store_has_as_many_runs_as_asked_for(self, tmp_path):
        with open_store(tmp_path, "table1", 7) as store:
            assert store.plan.runs == 7
        with open_store(tmp_path, "table2", None) as store:
            assert store.plan.runs == 500

    def test_results_read_the_solved_and_the_stuck_runs(self, runs_folder):
        with Store.open(store_path(runs_folder, "table1")) as store:
            results = results_of(store)
            assert results.runs == 16 * RUNS
            assert results.iterations == sum(
                int(store.values(cell.number, "iterations").sum()) for cell in store.plan.cells
            )
            for cell in store.plan.cells:
                assert len(results.values(cell.number, "iterations")) == results.totals[cell.number].solved
                assert len(results.stuck(cell.number)) == results.totals[cell.number].stuck
