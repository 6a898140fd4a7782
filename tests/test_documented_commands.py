"""Every command in the README and the guide is run, in the order in which they stand on their page.

A page has a folder of its own, so that a command finds the files that earlier ones on its page have made, and no
others. Commands that open the window come last, as their section often does not: they are followed up to where a
screen would be needed. What would take long is made smaller, and nothing else: experiments do one run a cell, in
this process, and films are small and short. What needs a cluster is only parsed.
"""

import itertools
import json
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from gpviz import assets
from gpviz.cli import experiment, main, open_window, parse_arguments, reproduce
from gpviz.experiments.plan import find_plan
from tests.experiments.inline_executor import InlineExecutor

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = (ROOT / "README.md", *sorted(assets.folder("guide").glob("*.md")))

_SPAN: Final = re.compile(r"^```\w*\n.*?^```|`[^`]+`", re.DOTALL | re.MULTILINE)
_PLACEHOLDER: Final = re.compile(r"\b(COMMAND|FILE|NAME|PLAN|FORMULA|QUERY)\b|…|\.\.\.")
_FILE_OPTIONS: Final = ("--save", "--trace", "--to", "--store", "--csv", "--runs-csv", "--latex", "--ioh")
_FILMS: Final = (".mp4", ".gif")
_NO_SCREEN: Final = "There is no screen here"
_MADE_ELSEWHERE: Final = {"t1.gpvizx": ["experiment", "table1", "--store", "t1.gpvizx", "--runs", "1"]}
"""Results that a window opens, made by commands on other pages."""


class Command(NamedTuple):
    """A command as it stands on a page: its arguments, what is said of it, and what it is said to print."""

    arguments: list[str]
    sentence: str = ""
    printed: str = ""

    @property
    def is_of_window(self) -> bool:
        return not self.arguments or self.arguments[0].startswith("-") or "." in self.arguments[0]


def commands_in(markdown: str) -> Iterator[Command]:
    """The commands of a page that can be typed as they are; those with a placeholder cannot."""
    for found in _SPAN.finditer(markdown):
        text = found.group()
        if text.startswith("```"):
            yield from _in_block(text)
            continue
        code = " ".join(text.strip("`").replace("\\|", "|").split())
        line = markdown[: found.start()].rpartition("\n")[2]
        is_first_of_row = line == "| "
        rest = markdown[found.end() :].partition("\n")[0]
        if re.match(r"gpviz( |$)", code) and not _PLACEHOLDER.search(code):
            arguments = _before_pipe(shlex.split(code)[1:])
            if len(arguments) == 1 and arguments[0] in _NEED_MORE:
                continue  # the command is only mentioned
            yield Command(arguments, rest if is_first_of_row else "")


_NEED_MORE: Final = ("run", "check", "exact", "outlook", "replay", "export", "experiment")


def _in_block(text: str) -> Iterator[Command]:
    """The lines of a block that are commands; what follows one with a prompt is what it prints."""
    lines = text.splitlines()[1:-1]
    for number, line in enumerate(lines):
        code = line.removeprefix("$ ").partition("  #")[0]
        if not re.match(r"gpviz( |$)", code) or _PLACEHOLDER.search(code):
            continue
        printed = ""
        if line.startswith("$ "):
            following = lines[number + 1 :]
            ends = [index for index, each in enumerate(following) if each.startswith("$ ")]
            printed = "\n".join(following[: ends[0] if ends else None])
        yield Command(_before_pipe(shlex.split(code)[1:]), "", printed.strip())


def _before_pipe(arguments: list[str]) -> list[str]:
    """The arguments of gpviz itself."""
    return arguments[: arguments.index("|")] if "|" in arguments else arguments


class Tried(NamedTuple):
    code: int
    out: str
    err: str


class Session:
    """Does commands in the current folder, as small as they may be."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def problem(self, command: Command) -> str:
        """What is wrong with it, or with what is said of it; empty if nothing is."""
        arguments = command.arguments
        if "--cluster" in arguments:
            parse_arguments(arguments)
            return ""
        if command.is_of_window:
            return self._window_problem(arguments)
        tried = self._tried(_made_small(arguments))
        if tried.code:
            return f"exit code {tried.code}: {tried.err}"
        missing = [name for name in _files_of(arguments) if not Path(name).exists()]
        if missing:
            return f"{missing} is not there"
        if command.printed and tried.out.strip() != command.printed:
            return f"it prints:\n{tried.out}"
        return self._contradiction(command, tried)

    def _tried(self, arguments: list[str]) -> Tried:
        self._capsys.readouterr()
        try:
            code = main(arguments)
        except SystemExit as end:  # the help and the version end so
            code = 0 if end.code is None else int(end.code)
        return Tried(code, *self._capsys.readouterr())

    def _window_problem(self, arguments: list[str]) -> str:
        if arguments and arguments[0] in _MADE_ELSEWHERE and not Path(arguments[0]).exists():
            self._tried(_MADE_ELSEWHERE[arguments[0]])
        tried = self._tried(arguments)
        if "--version" in arguments:
            return "" if tried.code == 0 else tried.err
        return "" if _NO_SCREEN in tried.err else tried.err or "it opens no window"

    def _contradiction(self, command: Command, tried: Tried) -> str:
        """Where what is said of a command, or what it says itself, is not so."""
        arguments = command.arguments
        if "--until" in arguments:
            data = json.loads(self._tried([*arguments, "--json"]).out)
            if not data["until_matched"]:
                return "no iteration matches"
        if arguments[0] == "replay" and "--at" not in arguments and "verified" not in tried.out:
            return tried.out
        if arguments[0] == "experiment" and (reported := re.search(r"([\d,]+) runs", command.sentence)):
            total = find_plan(arguments[1]).total_runs
            if f"{total:,}" != reported[1]:
                return f"it does {total:,} runs"
        return ""


def _made_small(arguments: list[str]) -> list[str]:
    if arguments[0] in ("experiment", "reproduce"):
        return [*arguments, "--runs", "1"]
    if any(word.endswith(_FILMS) for word in arguments):
        first, _, last = arguments[arguments.index("--range") + 1].partition(":")
        few = f"{first}:{min(int(last), int(first) + 4)}"
        return [*arguments, "--range", few, "--size", "320x180"]
    return arguments


def _files_of(arguments: list[str]) -> Iterator[str]:
    """The files that a command is to write."""
    for option, value in itertools.pairwise(arguments):
        if option in _FILE_OPTIONS and value != "-":
            yield value
    for index, option in enumerate(arguments):
        if option == "--chart":
            yield arguments[index + 2]


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Session:
    """In a folder of the test; experiments are kept there, and nothing opens a window."""
    monkeypatch.chdir(tmp_path)
    (plan,) = re.findall(
        r"```toml\n(.*?)```", (assets.folder("guide") / "files.md").read_text("utf-8"), re.DOTALL
    )
    Path("my.toml").write_text(plan, encoding="utf-8")  # the reader's own: the one that the guide shows
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(experiment, "PoolExecutor", lambda jobs: InlineExecutor())
    monkeypatch.setattr(reproduce, "PoolExecutor", lambda jobs: InlineExecutor())
    monkeypatch.setattr(open_window, "screen_problem", lambda *_: _NO_SCREEN)
    return Session(capsys)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
@pytest.mark.usefixtures("qapp")
def test_every_command_on_a_page_does_what_it_says(page: Path, session: Session) -> None:
    markdown = page.read_text(encoding="utf-8")
    commands = sorted(commands_in(markdown), key=lambda command: command.is_of_window)
    problems = {
        shlex.join(["gpviz", *command.arguments]): problem
        for command in commands
        if (problem := session.problem(command))
    }
    assert problems == {}


@pytest.mark.parametrize(
    ("markdown", "problem"),
    [
        (
            '| `gpviz run --n 8 --until "leaves > 8 and ors > 1"` | up to it |',
            "no iteration matches",
        ),
        (
            "`gpviz run --n 8 --save talk.gpviz`, then `gpviz export talk.gpviz --to tree.tex --at 120`",
            "--at: 120 is not allowed",
        ),
        ("`gpviz replay talk.gpviz`", "it cannot be read"),
        ("`gpviz --preset no-such-preset`", "no-such-preset"),
        ("`gpviz run --no-such-option`", "--no-such-option"),
        ("| `gpviz experiment quick` | 8,001 runs |", "it does 800 runs"),
        ("```text\n$ gpviz exact --n 2\nIt is so.\n```", "it prints:"),
        ("```sh\ngpviz run --n 0  # a run\n```", "n: 0 is not allowed"),
    ],
)
def test_a_command_that_does_not_do_what_it_says_is_found(
    markdown: str, problem: str, session: Session
) -> None:
    *earlier, last = [session.problem(command) for command in commands_in(markdown)]
    assert not any(earlier)
    assert problem in last


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_every_script_that_is_named_is_there(page: Path) -> None:
    for name in re.findall(r"\bscripts/[a-z_]+\b", page.read_text(encoding="utf-8")):
        assert os.access(ROOT / name, os.X_OK), name
