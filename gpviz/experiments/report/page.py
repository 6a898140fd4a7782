"""Puts the report together and writes it, with tables for other programs beside it."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from gpviz import assets
from gpviz.engine.errors import GpvizError
from gpviz.experiments.report.distribution_section import spread_section
from gpviz.experiments.report.findings import Finding, table_finding
from gpviz.experiments.report.gap_to_paper_section import gap_finding, gap_section
from gpviz.experiments.report.html import Markup, code, element, paragraph, section
from gpviz.experiments.report.paper_tables_section import distance_figure, table_section
from gpviz.experiments.report.report_data import PLANS, Results, results_of, store_path
from gpviz.experiments.report.report_text import duration
from gpviz.experiments.report.reproduction_section import reproduce_commands, reproduction_section
from gpviz.experiments.report.sampled_rows_section import sampled_section
from gpviz.experiments.report.stuck_trees_section import stuck_section
from gpviz.experiments.result_tables import csv_text, latex_tables, spreads_of
from gpviz.experiments.statistics.growth import is_covered
from gpviz.experiments.store import Store
from gpviz.export.web_page import colour_variables, content_hash
from gpviz.files.file_io import write_file
from gpviz.number_text import counted

REPORT: Final = "report.html"

_TITLE: Final = "The experiments of the RLS-GP paper, repeated"
_CONTENTS: Final = (
    ("glance", "At a glance"),
    ("table1", "Table 1"),
    ("stuck", "Figure 1"),
    ("table2", "Table 2"),
    ("figures", "Figures 2 and 3"),
    ("differences", "Where paper and algorithm differ"),
    ("distributions", "Behind the means"),
    ("again", "Make it again"),
)


class Report(NamedTuple):
    """What was written, and what it says: a finding for each part, by its name."""

    path: Path
    findings: dict[str, Finding]


def write_report(folder: Path) -> Report:
    """Write the report on the stores in a folder, whose plans are all done, and the tables, into that folder."""
    with ExitStack() as stack:
        results: dict[str, Results] = {}
        for name in PLANS:
            store = stack.enter_context(Store.open(store_path(folder, name)))
            results[name] = results_of(store)
            spreads = spreads_of(store)
            plan, summaries, seconds = store.plan, results[name].summaries, results[name].seconds
            write_file(folder / f"{name}.csv", csv_text(plan, summaries, seconds, spreads).encode())
            write_file(folder / f"{name}.tex", latex_tables(plan, summaries).encode())
        path = folder / REPORT
        write_file(path, report_page(results).encode())
        return Report(path, _findings(results))


def report_page(results: Mapping[str, Results]) -> str:
    """The whole page, which needs nothing but itself."""
    style = f"{_colour_rules()}\n{_css()}"
    policy = f"default-src 'none'; style-src '{content_hash(style)}'; base-uri 'none'; form-action 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", _TITLE),
        element("style", Markup(style)),
    )
    body = element("body", *_body(results))
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _body(results: Mapping[str, Results]) -> list[Markup]:
    tables = (results["table1"], results["table2"])
    runs = sum(each.runs for each in results.values())
    iterations = sum(each.iterations for each in results.values())
    seconds = sum(each.seconds for each in results.values())
    header = element(
        "header",
        element(
            "h1", "The experiments of the ", element("span", "RLS-GP", class_="whole"), " paper, repeated"
        ),
        paragraph(
            "RLS-GP evolves conjunctions from ANDs and ORs by small random changes to a tree. B. Doerr, A."
            " Lissovoi and P. S. Oliveto studied it in ",
            element(
                "cite",
                "Evolving Boolean Functions with Conjunctions and Disjunctions via Genetic Programming",
            ),
            f" (GECCO 2019). This report repeats their experiments with gpviz: {counted(runs, 'run')},"
            f" {counted(iterations, 'iteration')}, {duration(seconds)}.",
            class_="lead",
        ),
        element(
            "nav",
            element(
                "ul", *(element("li", element("a", words, href=f"#{name}")) for name, words in _CONTENTS)
            ),
            aria_label="Contents",
        ),
    )
    main = element(
        "main",
        _overview(results),
        table_section(
            "table1",
            "Table 1: leaf-only deletion",
            "Deletion takes a single leaf, as in the original HVL-Prime. B is the share of runs that got stuck;"
            " T and S are the iterations and the leaves of the others. The error is counted on the complete"
            " truth table.",
            results["table1"],
        ),
        stuck_section(results["table1"]),
        table_section(
            "table2",
            "Table 2: subtree deletion",
            "Deletion takes a whole subtree, as the paper proposes. " + _never_stuck(results["table2"]),
            results["table2"],
        ),
        sampled_section(results["figure2"]),
        gap_section(results["insert-only"]),
        spread_section(*tables),
        reproduction_section(results),
        id="content",
    )
    footer = element("footer", paragraph("Made by ", code(" && ".join(reproduce_commands(results))), "."))
    return [element("a", "Skip to the content", class_="skip", href="#content"), header, main, footer]


def _never_stuck(results: Results) -> str:
    """Whether runs got stuck, beside what the theorem says, which is not about all limits."""
    stuck = sum(totals.stuck for totals in results.totals)
    covered = sum(
        totals.stuck
        for cell, totals in zip(results.plan.cells, results.totals, strict=True)
        if is_covered(cell.config)
    )
    found = f"{counted(stuck, 'run')}" if stuck else f"None of our {counted(results.runs, 'run')}"
    if covered:
        return f"{found} got stuck, {covered:,} with limit 2n, where the paper proves a finite expected time."
    return (
        f"{found} got stuck. The paper proves a finite expected time for limits of (1 + c) n with a constant c >"
        " 0, here 2n; its theorem covers neither n and n + 1 nor runs without a limit."
    )


def _overview(results: Mapping[str, Results]) -> Markup:
    """The findings on cards, and the distances of all cells."""
    titles = {"table1": "Table 1", "table2": "Table 2", "insert-only": "The gap at n = 4"}
    cards = [
        element(
            "li",
            element("h3", titles[name]),
            paragraph(finding.word, class_="word"),
            paragraph(finding.sentence),
            class_=finding.kind,
        )
        for name, finding in _findings(results).items()
    ]
    return section(
        "glance",
        "At a glance",
        element("ul", *cards, class_="cards"),
        distance_figure(
            (("table 1, leaf-only", results["table1"]), ("table 2, subtree", results["table2"])),
        ),
    )


def _findings(results: Mapping[str, Results]) -> dict[str, Finding]:
    return {
        "table1": table_finding(results["table1"].summaries),
        "table2": table_finding(results["table2"].summaries),
        "insert-only": gap_finding(results["insert-only"]),
    }


def _css() -> str:
    try:
        return (assets.folder("report") / "report.css").read_text(encoding="utf-8")
    except OSError as error:
        raise GpvizError(
            "The file 'report/report.css' that belongs to gpviz is missing; please install gpviz again."
        ) from error


def _colour_rules() -> str:
    """The colours of the light and the dark theme; paper is always light."""
    light, dark = colour_variables("light"), colour_variables("dark")
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ color-scheme: dark; {dark} }} }}"
    )
