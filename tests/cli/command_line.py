"""Calling gpviz as a person does, and what it says."""

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from gpviz.cli import main


def help_of(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """The help of gpviz or of a command; where it is printed, the program ends."""
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    assert ended.value.code == 0
    return capsys.readouterr().out


@contextmanager
def ascii_output(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], str]]:
    """A standard output that can only show ASCII, and what was printed there."""
    written = io.BytesIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
        yield lambda: written.getvalue().decode("ascii")


def is_one_sentence(text: str) -> bool:
    """Whether a message is one line that begins with the program's name and ends with a full stop."""
    return text.startswith("gpviz: ") and text.endswith(".\n") and text.count("\n") == 1


def problem_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The sentence that a wrong command line gets; nothing else is printed."""
    capsys.readouterr()
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert is_one_sentence(err), err
    return err
