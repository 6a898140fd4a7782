"""The report's section on how to make it again: commands, seeds, versions and times."""

import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np

from gpviz import __version__
from gpviz.experiments.plan import find_plan
from gpviz.experiments.report.html import Markup, code, command, element, paragraph, section, table
from gpviz.experiments.report.report_data import Results, store_path
from gpviz.experiments.report.report_text import duration
from gpviz.number_text import counted

_SHOWN_AS: Final = {
    "table1": "Table 1, the stuck trees, the curves of T",
    "table2": "Table 2, the drift",
    "figure2": "Figures 2 and 3",
    "insert-only": "Both readings of the empty tree",
}


def versions() -> dict[str, str]:
    """What the report was made with."""
    return {
        "gpviz": __version__,
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": np.__version__,
        "Platform": f"{platform.system()} {platform.release()}, {platform.machine()}",
    }


def reproduce_commands(results: Mapping[str, Results]) -> tuple[str, ...]:
    """What makes the whole report again, one after another in the same folder: runs there can only become more."""
    plain = "gpviz reproduce"
    runs = {name: each.plan.runs for name, each in results.items()}
    usual = {name: find_plan(name).runs for name in results}
    least = min(runs.values())
    given = f"{plain} --runs {least}"
    if runs == usual:
        return (plain,)
    if max(runs.values()) == least:
        return (given,)
    if all(count == max(usual[name], least) for name, count in runs.items()):
        return (plain, given)
    # More runs were begun, but not for all plans: those are done one by one.
    is_usual = all(count >= usual[name] for name, count in runs.items())
    before = f"{plain if is_usual else given} --out again"
    more = [
        f"gpviz experiment {name} --runs {count} --store {store_path(Path('again'), name).as_posix()} --resume"
        for name, count in runs.items()
        if count > (usual[name] if is_usual else least)
    ]
    return (before, *more, before)


def reproduction_section(results: Mapping[str, Results]) -> Markup:
    """The section on commands, seeds and versions."""
    heads = [
        element("th", words, scope="col", class_="words" if place < 2 else None)
        for place, words in enumerate(
            ("plan", "shown above as", "cells", "runs a cell", "seeds", "iterations", "time")
        )
    ]
    rows = [
        [
            element("th", name, scope="row", class_="words"),
            element("td", _SHOWN_AS[name], class_="words"),
            element("td", f"{len(each.plan.cells):,}"),
            element("td", f"{each.plan.runs:,}"),
            element("td", f"{each.plan.seed} to {each.plan.seed + each.plan.runs - 1}"),
            element("td", f"{each.iterations:,}"),
            element("td", duration(each.seconds)),
        ]
        for name, each in results.items()
    ]
    facts = [
        part
        for name, value in versions().items()
        for part in (element("dt", name), element("dd", value))
    ]  # fmt: skip
    return section(
        "again",
        "Make it again",
        paragraph("The whole report, with all its runs:"),
        command(*reproduce_commands(results)),
        paragraph("One part of it, as a table in the terminal, with a file of its runs to go on with:"),
        command(*(f"gpviz experiment {name} --runs {each.plan.runs}" for name, each in results.items())),
        paragraph(
            "A run with the same settings and the same seed is the same on every machine, so all numbers above"
            " come out the same to the last digit; only the times differ. Run i of a cell, counted from 0, has"
            " the plan's first seed plus i: every single run can be done again with ",
            code("gpviz run"),
            " or watched step by step in the window.",
        ),
        table(
            ("What was run. The time is that of the whole plan on the cores that were used.",),
            (heads,),
            rows,
            label="What was run",
        ),
        element("dl", *facts, class_="facts"),
        paragraph(
            "The folder of this report also has, for each plan, its runs (",
            code(".gpvizx"),
            ", which the experiments window opens), its cells (",
            code(".csv"),
            ") and its table for a document (",
            code(".tex"),
            f"). In all {counted(sum(each.runs for each in results.values()), 'run')}.",
        ),
    )
