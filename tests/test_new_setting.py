"""A new setting is a field of the configuration with its default and a row of the table: everything else follows.

A copy of gpviz gets two settings, a number and a choice, by the very lines that somebody would write. What they
mean in the engine is left out, as every setting means something else.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE_SECONDS

_TOP = Path(__file__).parent.parent
_GOLDEN = Path(__file__).parent / "golden"

_FIELDS = """
    caution: int = 3
    mood: str = "calm"
"""
_ROWS = """
    Setting(
        name="caution",
        title="Caution c",
        help="How careful the search is.",
        kind=WholeNumber(0, 9),
        metavar="C",
        option_help="how careful the search is (3)",
    ),
    Setting(
        name="mood",
        title="Mood",
        help="How the search feels.",
        kind=Choice((("calm", "calm mood"), ("bold", "bold mood"))),
        metavar="M",
        option_help="calm (the default) or bold",
    ),
"""

_LOOK = '''
import contextlib, io, json, sys
from pathlib import Path

from gpviz.cli import main
from gpviz.engine import GpvizError, RunConfig

folder, golden = map(Path, sys.argv[1:])
found = {}


def printed(*words):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as problems:
        with contextlib.suppress(SystemExit):  # after the help
            main([str(word) for word in words])
    return out.getvalue() + problems.getvalue()


odd, usual = RunConfig(n=3, caution=5, mood="bold", seed=2), RunConfig(n=3, seed=2)

try:
    RunConfig(n=3, caution=10)
except GpvizError as problem:
    found["refusal"] = str(problem)

# The command line and run files.
options = ["--n", 3, "--seed", 2, "--caution", 5, "--mood", "bold"]
found["help"] = {command: printed(command, "--help") for command in ("run", "check")}
found["refused option"] = printed("run", *options, "--mood", "angry")
found["summary"] = printed("run", *options, "--save", folder / "odd.gpviz")
found["data"] = json.loads(printed("run", *options, "--json"))["config"]
found["file"] = json.loads((folder / "odd.gpviz").read_text())["config"]

from gpviz.runs.run_file import load

found["opened"] = load(folder / "odd.gpviz").config.as_dict()
found["old file"] = load(golden).config.as_dict()

# Words, branches, plans and what they come to.
from gpviz.experiments.iohprofiler import algorithm_name
from gpviz.experiments.run_text import option_arguments
from gpviz.runs.branches import changed_config, settings_name
from gpviz.runs.settings_text import differences, settings_text

found["differences"] = differences(usual, odd)
found["line"] = settings_text(odd)
found["algorithm"] = algorithm_name(odd)
found["options"] = option_arguments(odd)
found["branch"] = [changed_config(usual, {"caution": 5}).caution, settings_name({"caution": 5, "mood": "bold"}, 7)]

plan_file = folder / "plan.toml"
plan_file.write_text("""
runs = 2
x = "caution"
[config]
n = 2
mood = "bold"
[grid]
caution = [1, 2]
""")
tables = [folder / "cells.csv", folder / "runs.csv", folder / "cells.tex"]
found["experiment"] = printed(
    "experiment", plan_file, "--jobs", 1, "--store", folder / "kept.gpvizx",
    "--csv", tables[0], "--runs-csv", tables[1], "--latex", tables[2],
)
found["tables"] = {table.name: table.read_text() if table.exists() else "" for table in tables}

from gpviz.experiments.plan import load_plan, plan_text

plan = load_plan(plan_file)
found["plan"] = plan_text(plan)

from gpviz.experiments.figures.cell_groups import cell_label, x_axis_of

found["chart"] = [x_axis_of(plan).title, list(x_axis_of(plan).positions), cell_label(plan, 1)]

# The forms.
from PySide6.QtWidgets import QApplication, QLabel

application = QApplication([])

from gpviz.app.compare.lane_form import LaneForm
from gpviz.app.dialogs.new_run_dialog import NewRunDialog
from gpviz.app.experiments.cells_table import setting_column
from gpviz.app.experiments.plan_editor import PlanEditor
from gpviz.app.pages.branches import ForkForms
from gpviz.app.question import close_questions
from gpviz.runs.presets import LaneSpec

form = NewRunDialog(odd)
fields = {name: form.fields[name] for name in ("caution", "mood")}
found["new run"] = {
    "labels": [label.text() for label in form.findChildren(QLabel)],
    "tips": [field.toolTip() for field in fields.values()],
    "shown": {name: field.value() for name, field in fields.items()},
    "is read": form.request().run == odd,
}
fields["caution"].set_value("10")
found["new run"]["problem"] = form.grid.problem_label("caution").text()

lane = LaneForm(LaneSpec(label="One", config=odd), LaneSpec(label="Two", config=usual), "Change")
found["lane form"] = {"about": lane.about.text(), "shown": lane.fields["mood"].value()}
lane.fields["mood"].set_value("calm")
found["lane form"]["given"] = lane.lane().config.mood

editor = PlanEditor()
editor.set_plan(plan)
found["plan form"] = {
    "labels": [label.text() for label in editor.findChildren(QLabel)],
    "typed": editor.typed["caution"].text(),
    "ticked": editor.ticks["mood"].values(),
}
editor.typed["caution"].setText("1, 4, 5")
found["plan form"]["plan"] = plan_text(editor.plan())
editor.typed["caution"].setText("1, 10")
found["plan form"]["problem"] = editor.findChild(QLabel, "problem_caution").text()
close_questions(editor)

forks = ForkForms()
forks.show_iteration(odd, None, 7)
asked = []
forks.fork_requested.connect(asked.append)
found["fork form"] = [forks.changed["caution"].value(), forks.changes_button.isEnabled()]
forks.changed["caution"].set_value("7")
forks.changes_button.click()
found["fork form"] += asked
forks.changed["caution"].set_value("10")
found["fork form"] += [forks.problem.text(), forks.changed["caution"].property("role")]

column = setting_column("caution")
found["column"] = [column.head, column.tip.splitlines()[0]]
print(json.dumps(found))
'''


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What is to be seen of two settings in a gpviz that has them."""
    top = tmp_path_factory.mktemp("gpviz-with-two-more-settings")
    shutil.copytree(_TOP / "gpviz", top / "gpviz", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(_TOP / "resources", top / "resources", ignore=shutil.ignore_patterns("screenshots"))
    _insert(top / "gpviz/engine/config.py", "    seed: int = 0\n", _FIELDS)
    _insert(top / "gpviz/engine/settings.py", '    Setting(\n        name="seed",\n', _ROWS)
    done = subprocess.run(
        [sys.executable, "-c", _LOOK, str(top), str(_GOLDEN / "version-1.gpviz")],
        capture_output=True,
        text=True,
        check=False,
        cwd=top,
        env={**os.environ, "PYTHONPATH": str(top)},
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


def _insert(path: Path, before: str, lines: str) -> None:
    """Write lines into a module before some that are there once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, lines.lstrip("\n") + before), encoding="utf-8")


def test_a_wrong_value_is_refused_with_a_sentence(found):
    assert found["refusal"] == "caution: 10 is not allowed; it must be a whole number from 0 to 9."


@pytest.mark.parametrize("command", ["run", "check"])
def test_the_command_line_has_its_option(found, command):
    assert "--caution C" in found["help"][command]
    assert "how careful the search is (3)" in found["help"][command]
    assert "--mood M" in found["help"][command]


def test_the_option_reaches_the_run(found):
    assert (found["data"]["caution"], found["data"]["mood"]) == (5, "bold")
    assert "caution 5" in found["summary"]
    assert "bold mood" in found["summary"]
    assert found["refused option"] == "gpviz: mood: 'angry' is not allowed; it must be 'calm' or 'bold'.\n"


def test_a_run_file_keeps_it(found):
    assert (found["file"]["caution"], found["file"]["mood"]) == (5, "bold")
    assert (found["opened"]["caution"], found["opened"]["mood"]) == (5, "bold")


def test_an_old_file_opens_with_the_default(found):
    assert (found["old file"]["caution"], found["old file"]["mood"]) == (3, "calm")


def test_runs_are_told_apart_by_it(found):
    assert found["differences"] == ["caution 5", "bold mood"]
    assert found["line"].endswith(" · caution 5 · bold mood · seed 2")
    assert found["algorithm"].endswith(", caution 5, bold")
    assert found["options"][-4:] == ["--caution", "5", "--mood", "bold"]


def test_a_branch_may_change_it(found):
    assert found["branch"] == [5, "Caution c 5, mood bold from 7"]


def test_a_plan_sets_and_varies_it(found):
    assert 'mood = "bold"' in found["plan"]
    assert "caution = [1, 2]" in found["plan"]


def test_the_tables_of_an_experiment_have_it(found):
    assert "caution" in found["experiment"]
    for name in ("cells.csv", "runs.csv"):
        head, first, *_ = found["tables"][name].splitlines()
        row = dict(zip(head.split(","), first.replace('"and,or"', "").split(","), strict=True))
        assert (row["caution"], row["mood"]) == ("1", "bold")
    assert found["column"] == ["Caution", "How careful the search is."]


def test_a_chart_can_be_drawn_along_it(found):
    assert found["chart"] == ["caution", [1.0, 2.0], "caution 2"]


def test_the_dialog_of_a_new_run_has_a_field_for_it(found):
    form = found["new run"]
    assert {"Caution c", "Mood"} <= set(form["labels"])
    tips = ["How careful the search is.", "How the search feels."]
    assert all(tip in shown for tip, shown in zip(tips, form["tips"], strict=True))
    assert form["shown"] == {"caution": "5", "mood": "bold"}
    assert form["is read"]
    assert form["problem"] == "Caution c: 10 is not allowed; it must be a whole number from 0 to 9."


def test_the_form_of_a_compared_run_has_a_field_for_it(found):
    form = found["lane form"]
    assert "caution 5" in form["about"]
    assert (form["shown"], form["given"]) == ("bold", "calm")


def test_the_plan_form_has_a_field_for_several_values_of_it(found):
    form = found["plan form"]
    assert {"Caution c", "Mood"} <= set(form["labels"])
    assert (form["typed"], form["ticked"]) == ("1, 2", ["bold"])
    assert "caution = [1, 4, 5]" in form["plan"]
    assert form["problem"] == "Caution c: 10 is not allowed; it must be a whole number from 0 to 9."


def test_a_fork_may_change_it(found):
    shown, could_fork, asked, problem, role = found["fork form"]
    assert (shown, could_fork, asked) == ("5", False, {"caution": 7})
    assert problem == "Caution: 10 is not allowed; it must be a whole number from 0 to 9."
    assert role == "wrong"
