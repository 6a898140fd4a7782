"""`gpviz export`."""

import errno
import json
import os
import signal
import sys
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from gpviz.cli import export, main, progress
from gpviz.engine import GpvizError, RunConfig
from gpviz.export import registry
from gpviz.export.request import Every, iterations_of
from gpviz.runs.history import History
from gpviz.runs.run_file import Bookmark, describe, describe_branches, load, save
from tests.cli.command_line import is_one_sentence, problem_of
from tests.export.fake_writers import Call, Calls, fake_writers
from tests.runs.branching import branched_run
from tests.runs.runs import recorded

LENGTH = 120


@pytest.fixture
def run_file(tmp_path: Path) -> Path:
    path = tmp_path / "talk.gpviz"
    _, _, history = recorded(RunConfig(n=6, seed=5), LENGTH)
    save(path, describe(history, (Bookmark(3, "here"),)))
    return path


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    import_module("gpviz.cli.run")  # which has to find what it needs as it is
    return fake_writers(monkeypatch)


@pytest.fixture(autouse=True)
def _platform(monkeypatch: pytest.MonkeyPatch, qapp: object) -> None:
    """What is painted finds an application, and leaves the platform as it was."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")


def written(calls: Calls, run_file: Path, name: str, *options: str) -> Call:
    """Which writer an export has come to, and with what."""
    target = run_file.parent / name
    assert main(["export", str(run_file), "--to", str(target), *options]) == 0
    call = calls.only
    assert call.request.path == target
    assert call.subject.history.fingerprint() == load(run_file).fingerprint
    return call


LOOKS = {"theme": "light", "width": 1280, "height": 720, "scale": 1.0}


@pytest.mark.parametrize(
    ("name", "options", "writer", "kind", "fields"),
    [
        ("a.png", "", "write_picture", "tree", {**LOOKS, "at": LENGTH, "is_bare": False}),
        ("a.SVG", "--at 0", "write_svg", "tree", {**LOOKS, "at": 0}),
        (
            "a.png",
            "--at 7 --theme dark --size 640x480 --scale 2.5 --bare",
            "write_picture",
            "tree",
            {"at": 7, "theme": "dark", "width": 640, "height": 480, "scale": 2.5, "is_bare": True},
        ),
        ("a.tex", "--at 9", "write_tikz", "tree", {"at": 9, "is_fragment": False, "is_bare": False}),
        ("a.tex", "--fragment", "write_tikz", "tree", {"at": LENGTH, "is_fragment": True}),
        ("a.tex", "--range 1:3", "write_slides", "slides", {"first": 1, "last": 3, "title": ""}),
        (
            "a.tex",
            "--what slides --range 2:3 --title Hello",
            "write_slides",
            "slides",
            {"first": 2, "last": 3, "title": "Hello"},
        ),
        (
            "a.png",
            "--what curves --range 5:",
            "write_picture",
            "curves",
            {**LOOKS, "first": 5, "last": LENGTH, "has_theory": False},
        ),
        ("a.svg", "--what curves --theory", "write_picture", "curves", {**LOOKS, "has_theory": True}),
        ("a.csv", "--what curves --range :9", "write_curve_table", "curves", {"first": 0, "last": 9}),
        ("a.png", "--what table --at 4", "write_picture", "table", {**LOOKS, "at": 4}),
        (
            "a.mp4",
            "--range 0:2 --pace 0.5 --size 320x240 --theme projector",
            "write_film",
            "film",
            {"first": 0, "last": 2, "pace": 0.5, "theme": "projector", "width": 320, "height": 240},
        ),
        ("a.gif", "--range 3:3", "write_film", "film", {**LOOKS, "first": 3, "last": 3, "pace": 1.0}),
        ("a.html", "", "write_page", "page", {"first": 0, "last": LENGTH, "title": ""}),
        ("a.csv", "", "write_log", "log", {"first": 0, "last": LENGTH}),
        ("a.jsonl", "--range 2:8", "write_log", "log", {"first": 2, "last": 8}),
    ],
)
def test_every_writer_is_reached_with_what_was_asked_for(
    calls, run_file, name, options, writer, kind, fields
):
    found, request, subject = written(calls, run_file, name, *options.split())
    assert (found, request.kind.name) == (writer, kind)
    assert {field: getattr(request, field) for field in fields} == fields
    assert subject.bookmarks == (Bookmark(3, "here"),)
    assert (subject.analysis, subject.generalisation, subject.stuck_since) == (None, None, None)


def test_accepted_means_what_it_means_in_the_summary_and_the_log(calls, run_file):
    _, request, subject = written(calls, run_file, "a.mp4", "--every", "accepted")
    history = subject.history
    steps = [history.step_at(iteration) for iteration in range(1, len(history) + 1)]
    accepted = [step.iteration for step in steps if step.is_accepted]
    assert iterations_of(request, history) == [0, *accepted]
    changed = replace(request, every=Every.CHANGED)
    assert set(iterations_of(changed, history)) < {0, *accepted}


REFUSED = [
    ("a.mp4", "--what curves", "--to: 'a.mp4' is not allowed; it must be a file that ends in .png or .svg"),
    ("a.doc", "", "--to: 'a.doc' is not allowed"),
    ("a.png", "--what forest", "--what: 'forest' is not allowed; it must be one of tree, curves"),
    ("a.png", "--at 121", "--at: 121 is not allowed; it must be a whole number from 0 to 120"),
    ("a.csv", "--range 9:8", "--range: '9:8' is not allowed; it must be from an iteration to the same or a later"),
    ("a.csv", "--range 0:121", "--range: '0:121' is not allowed; it must be within 0:120"),
    ("a.csv", "--range 5", "--range: '5' is not allowed; it must be two iterations with a colon"),
    ("a.mp4", "--every third", "--every: 'third' is not allowed; it must be one of all, accepted, changed,"),
    ("a.png", "--theme pink", "--theme: 'pink' is not allowed; it must be one of light, dark, projector,"),
    ("a.png", "--size big", "--size: 'big' is not allowed; it must be width x height"),
    ("a.png", "--size 0x5", "--size: '0x5' is not allowed; it must be a width from 320 to 7680 and a height"),
    ("a.png", "--size 4000x4000 --scale 4", "--size: '4000x4000' times 4 is too large"),
    ("a.mp4", "--size 1281x720", "--size: '1281x720' is not allowed; it must be even in width and height"),
    ("a.png", "--scale 0", "--scale: 0.0 is not allowed; it must be a number from 0.25 to 8"),
    ("a.mp4", "--pace 0", "--pace: 0.0 is not allowed; it must be a number from 0.05 to 30"),
    ("a.png", "--range 1:2", "--range: it has no effect on the tree as .png; it is for the curves as"),
    ("a.csv", "--every accepted", "it is for the film as .mp4 or .gif, the slides as .tex, the page as .html."),
    ("a.csv", "--branch 4", "--branch: '4' is not allowed; it must be one of the branches of the file: 0 '"),
    ("none/a.csv", "", "a.csv: it cannot be written; there is no such file or folder"),
    (f"{'a' * 300}.csv", "", "a.csv: it cannot be written; "),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options", "sentence"), REFUSED)
def test_what_cannot_be_is_refused_in_a_sentence_and_nothing_is_written(
    calls, run_file, capsys, name, options, sentence
):
    before = sorted(run_file.parent.iterdir())
    target = run_file.parent / name
    err = problem_of(capsys, "export", str(run_file), "--to", str(target), *options.split())
    assert sentence.casefold() in err.casefold()
    assert not calls.made
    assert sorted(run_file.parent.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--to", "a.png"], "There is nothing to export; name a FILE.gpviz or a --preset."),
        (
            ["x.gpviz", "--preset", "first-run", "--to", "a.png"],
            "--preset: it cannot be combined with a file",
        ),
        (["--preset", "first-run", "--branch", "1", "--to", "a.png"], "--branch: it cannot be combined"),
        (["--preset", "second-run", "--to", "a.png"], "There is no preset 'second-run'"),
        (["missing.gpviz", "--to", "a.png"], "missing.gpviz: it cannot be read"),
        (["a.gpviz"], "--to"),
    ],
)
def test_a_run_is_needed_and_only_one(tmp_path, monkeypatch, capsys, calls, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    assert sentence in problem_of(capsys, "export", *arguments)
    assert not list(tmp_path.iterdir())


def test_an_existing_file_is_kept_without_force(calls, run_file, capsys):
    target = run_file.parent / "a.csv"
    target.write_text("precious")
    assert main(["export", str(run_file), "--to", str(target)]) == 2
    assert "a.csv already exists; --force replaces it." in capsys.readouterr().err
    assert target.read_text() == "precious"
    assert main(["export", str(run_file), "--to", str(target), "--force"]) == 0
    assert target.read_text() == "content"


def test_the_run_file_itself_is_never_the_target(calls, run_file, capsys):
    table = run_file.rename(run_file.with_suffix(".csv"))
    assert main(["export", str(table), "--to", str(table), "--force"]) == 2
    assert "it names the run file itself" in capsys.readouterr().err


@pytest.mark.parametrize(("branch", "length"), [("0", 120), ("1", 100), ("Branch at 60", 90), (None, 80)])
def test_a_branch_is_chosen_by_name_or_number_and_else_the_one_on_show(calls, tmp_path, branch, length):
    branches, histories = branched_run()
    save(tmp_path / "b.gpviz", describe_branches(branches, histories, shown=3))
    options = [] if branch is None else ["--branch", branch]
    target = str(tmp_path / "a.jsonl")
    assert main(["export", str(tmp_path / "b.gpviz"), "--to", target, *options]) == 0
    assert len(calls.only.subject.history) == length


def test_a_preset_is_run_until_its_end(calls, tmp_path, capsys):
    assert main(["export", "--preset", "first-run", "--to", str(tmp_path / "a.html")]) == 0
    _, request, subject = calls.only
    assert subject.history.error_at(request.last) == 0
    assert (request.first, request.last) == (0, len(subject.history))
    assert request.title


@pytest.mark.parametrize(("range_", "length"), [([], 99), (["--range", "0:20"], 20)])
def test_a_picture_of_a_range_tells_of_an_iteration_and_is_of_all_of_the_range(
    calls, tmp_path, range_, length
):
    target = str(tmp_path / "a.png")
    asked = ["--preset", "first-run", "--what", "outlook", "--to", target, "--at", "12", *range_]
    assert main(["export", *asked]) == 0
    assert (calls.only.request.at, len(calls.only.subject.history)) == (12, length)


def test_an_iteration_after_the_end_of_a_preset_is_refused(calls, tmp_path, capsys):
    assert "--at: 999999 is not allowed; it must be a whole number from 0 to " in problem_of(
        capsys, "export", "--preset", "first-run", "--to", str(tmp_path / "a.png"), "--at", "999999"
    )
    assert not list(tmp_path.iterdir())


def test_curves_of_a_stuck_run_come_with_its_moment(calls, tmp_path):
    stuck = ["run", "--n", "4", "--limit", "n", "--deletion", "leaf", "--start", "(x1 & x2) | (x2 & x1)"]
    assert main([*stuck, "--save", str(tmp_path / "t.gpviz")]) == 0
    curves = [str(tmp_path / "t.gpviz"), "--what", "curves"]
    assert main(["export", *curves, "--to", str(tmp_path / "a.png")]) == 0
    assert calls.only.subject.stuck_since == 0


TOO_LONG = [
    ("a.gif", "--pace 0.1", "--range: 0:120 has 121 steps, too many for the longest film, 5 minutes"),
    ("a.gif", "--pace 0.1", "choose a shorter range, or fewer of its steps (--every), or a higher --pace."),
    ("a.tex", "--what slides", "--range: 0:120 has 121 steps, and the slides can have 50; choose"),
    ("a.html", "", "--range: 0:120 has 121 steps, and the page can have 60; choose"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options", "sentence"), TOO_LONG)
def test_what_is_too_long_is_refused_with_ways_out(
    calls, run_file, capsys, monkeypatch, name, options, sentence
):
    most = {"slides": 50, "page": 60}
    kinds = [
        replace(kind, formats=tuple(replace(form, most_steps=most[kind.name]) for form in kind.formats))
        if kind.name in most
        else kind
        for kind in registry.KINDS
    ]
    monkeypatch.setattr(registry, "KINDS", tuple(kinds))
    assert sentence in problem_of(
        capsys, "export", str(run_file), "--to", str(run_file.parent / name), *options.split()
    )
    assert not calls.made


FAILURES = [
    (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), "a.csv: it cannot be written; the disk is full."),
    (ImportError("No module named 'imageio_ffmpeg'"), "The log cannot be written here (No module named"),
    (MemoryError(), "there is not enough memory"),
    (GpvizError("A sentence of the writer."), "A sentence of the writer."),
]  # fmt: skip


@pytest.mark.parametrize(("failure", "sentence"), FAILURES, ids=["disk", "extra", "memory", "own"])
def test_what_a_writer_meets_is_one_sentence(calls, run_file, capsys, failure, sentence):
    calls.failure = failure
    assert sentence in problem_of(capsys, "export", str(run_file), "--to", str(run_file.parent / "a.csv"))


def test_a_missing_extra_is_told_with_how_to_get_it(calls, run_file, capsys):
    calls.failure = ImportError("No module named 'imageio_ffmpeg'")
    assert main(["export", str(run_file), "--to", str(run_file.parent / "a.mp4"), "--range", "0:1"]) == 2
    assert 'pip install "gpviz[video]"' in capsys.readouterr().err


def test_without_qt_pictures_are_refused_in_a_sentence(calls, run_file, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "PySide6.QtWidgets", None)
    assert main(["export", str(run_file), "--to", str(run_file.parent / "a.png")]) == 2
    assert "Qt, which paints pictures and films, cannot be loaded" in capsys.readouterr().err
    assert main(["export", str(run_file), "--to", str(run_file.parent / "a.csv")]) == 0


def test_ctrl_c_while_writing_gives_up(calls, run_file, capsys):
    calls.during = partial(signal.raise_signal, signal.SIGINT)
    target = run_file.parent / "a.csv"
    assert main(["export", str(run_file), "--to", str(target)]) == 130
    assert is_one_sentence(capsys.readouterr().err)
    assert not target.exists()


def test_ctrl_c_ends_the_run_of_a_preset(calls, tmp_path, monkeypatch):
    append = History.append

    def append_and_interrupt(history, step):
        append(history, step)
        if step.iteration == 20:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(History, "append", append_and_interrupt)
    assert main(["export", "--preset", "first-run", "--to", str(tmp_path / "a.csv")]) == 130
    assert not list(tmp_path.iterdir())


def test_the_window_is_told_how_far_it_is_in_lines_of_json(calls, run_file, capsys, monkeypatch):
    monkeypatch.setattr(os, "nice", lambda _: 0)
    target = str(run_file.parent / "a.csv")
    assert main(["export", str(run_file), "--to", target, "--progress-json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[-1] == {"phase": "write", "done": 1, "total": 2}


def test_on_a_terminal_it_is_told_in_a_line_that_goes_again(calls, run_file, capsys, monkeypatch):
    monkeypatch.setattr(progress, "_LIVE_S", 0.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["export", str(run_file), "--to", str(run_file.parent / "a.csv")]) == 0
    err = capsys.readouterr().err
    assert "\rwriting, 50 % (1 of 2)" in err
    assert err.endswith(" \r")


@pytest.mark.parametrize(
    ("name", "options", "beginning"),
    [
        ("a.png", "--size 320x180 --at 5", b"\x89PNG"),
        ("a.svg", "--size 320x180 --at 5", b"<?xml"),
        ("a.pdf", "--size 320x180 --what curves", b"%PDF"),
        ("a.png", "--size 320x180 --what table", b"\x89PNG"),
        ("a.gif", "--size 320x180 --range 0:1 --pace 30", b"GIF8"),
        ("a.tex", "--at 5", b"%"),
        ("a.tex", "--range 0:3", b"%"),
        ("a.csv", "--what curves", b"iteration,"),
        ("a.csv", "--what outlook --range 0:1", b"iteration,stuck,"),
        ("a.csv", "", b"iteration,"),
        ("a.jsonl", "", b"{"),
        ("a.html", "--range 0:9", b"<!"),
    ],
)
def test_the_true_writers_write(run_file, name, options, beginning):
    if name.endswith("gif"):
        pytest.importorskip("av")
    target = run_file.parent / name
    assert main(["export", str(run_file), "--to", str(target), *options.split()]) == 0
    assert target.read_bytes().startswith(beginning)
    assert sorted(path.name for path in run_file.parent.iterdir()) == sorted([name, "talk.gpviz"])


@pytest.mark.parametrize("is_job", [True, False])
def test_an_export_whose_window_was_killed_takes_its_folder_away(
    run_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_job: bool
) -> None:
    folder = tmp_path / (".gpviz-0123456789abcdef.tmp" if is_job else "mine")
    folder.mkdir()
    copy = folder / "run.gpviz"
    copy.write_bytes(run_file.read_bytes())

    def nobody_reads(*_: object, **__: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(export, "print", nobody_reads, raising=False)
    monkeypatch.setattr("gpviz.cli.terminal.forget_output", lambda: None)
    monkeypatch.setattr(os, "nice", lambda _: None)
    assert main(["export", str(copy), "--to", str(folder / "log.csv"), "--progress-json"]) == 0
    assert folder.exists() is not is_job
