"""The command line as a whole."""

import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO

import pytest

from gpviz import __version__
from gpviz.cli import main
from tests.cli.command_line import help_of


def test_the_help_lists_window_options_and_commands(capsys: pytest.CaptureFixture[str]) -> None:
    text = help_of(capsys)
    for command in ("run", "check", "exact", "outlook", "replay", "export", "experiment", "reproduce"):
        assert f"\n  {command} " in text
    for option in ("FILE", "--preset", "--experiment", "--play", "--theme"):
        assert option in text


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"gpviz {__version__}\n"


@pytest.mark.parametrize(
    "command", [[], ["run"], ["check"], ["exact"], ["outlook"], ["replay"], ["experiment"], ["reproduce"]]
)
def test_every_help_has_an_example(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = help_of(capsys, *command)
    assert "example" in text
    assert "gpviz " in text.split("example", 1)[1]


def test_help_does_not_load_what_only_a_window_or_an_experiment_needs() -> None:
    script = (
        "import sys; from gpviz.cli import main\n"
        "try: main(['run', '--help'])\n"
        "except SystemExit: pass\n"
        "slow = {'PySide6', 'pyqtgraph', 'networkx', 'gpviz.experiments.store'}"
        "\nprint(sorted(slow & set(sys.modules)))"
    )
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert finished.stdout.splitlines()[-1] == "[]"


def test_what_is_wrong_is_said_in_a_few_lines_however_much_is_given(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["run", "--n", "4", "x" * 3000]) == 2
    problem = capsys.readouterr().err
    assert problem.startswith("gpviz: unrecognized arguments: xxx")
    assert problem.endswith("...; 'gpviz run --help' lists what is allowed.\n")
    assert len(problem) < 400


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["run", "--preset", "first-run"], 0),
        (["check", "x1 & x2", "--n", "2"], 0),
        (["exact", "--n", "3"], 0),
        (["export", "--preset", "first-run", "--to", "run.csv"], 0),
        (["outlook", "x1", "--n", "2"], 0),
        (["experiment", "--list"], 0),
        (["run", "--preset", "nothing"], 2),
    ],
)
def test_commands_work_without_a_console(arguments, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert main(arguments) == code


def test_an_output_that_is_no_file_may_be_gone():
    class Gone(StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    with redirect_stdout(Gone()):
        assert main(["check", "x1 & x2", "--n", "2"]) == 0
