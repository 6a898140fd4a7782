"""An export is an entry of the registry and what writes it: all that offers, checks and runs it follows."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from PySide6.QtWidgets import QLabel

from gpviz.app.export import jobs
from gpviz.app.theme import load_theme
from gpviz.app.widgets.widget_pictures import unseen
from gpviz.cli import main
from gpviz.explain.tree_text import position_text
from gpviz.export import registry
from gpviz.export.request import ExportFormat, ExportKind, ExportRequest, OnProgress, Subject, iterations_of
from gpviz.files.file_io import write_file
from gpviz.runs.run_file import describe, save


def write_captions(request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None) -> None:
    iterations = iterations_of(request, subject.history)
    if on_progress is not None:
        on_progress(len(iterations), len(iterations))
    lines = [request.title, *(position_text(subject.history, iteration) for iteration in iterations)]
    write_file(request.path, "\n".join(lines).encode())


@contextmanager
def caption_widget(request: ExportRequest, subject: Subject) -> Iterator[QLabel]:
    label = QLabel(position_text(subject.history, request.at))
    with unseen(label, load_theme(request.theme), request.width, request.height):
        yield label


TOY = ExportKind(
    name="captions",
    title="Toy captions",
    description="What is said below the tree.",
    icon="export",
    usual_for=("txt",),
    picture=f"{__name__}:caption_widget",
    formats=(
        ExportFormat(
            ending="txt",
            title="Plain text",
            writer=f"{__name__}:write_captions",
            options=frozenset({"range", "every", "title"}),
            amount=lambda request, steps: f"{steps} captions.",
            most_steps=200,
        ),
        ExportFormat(
            ending="png",
            title="PNG picture",
            writer="gpviz.app.export.pictures:write_picture",
            options=frozenset({"at", "theme", "size", "scale"}),
            amount=lambda request, steps: "A picture of a caption.",
            is_painted=True,
            is_quick=lambda request, subject: True,
        ),
    ),
)

IN_A_PROCESS = f"""
from gpviz.export import registry
from {__name__} import TOY
registry.KINDS += (TOY,)
from gpviz.cli import main
raise SystemExit(main())
"""


@pytest.fixture(autouse=True)
def _toy(monkeypatch):
    monkeypatch.setattr(registry, "KINDS", (*registry.KINDS, TOY))
    monkeypatch.setattr(jobs, "export_command", lambda: ("-c", IN_A_PROCESS, "export"))


@pytest.fixture
def run_file(tmp_path, history):
    path = tmp_path / "talk.gpviz"
    save(path, describe(history))
    return path


def captions(history, title, first, last):
    return "\n".join([title, *(position_text(history, at) for at in range(first, last + 1))])


def test_the_dialog_offers_it_and_writes_it(exports, heard, history, folder, qtbot):
    exports.ask()
    dialog = exports.dialog
    exports.ask()
    assert exports.dialog is dialog
    names = [dialog.kinds_list.item(row).text() for row in range(dialog.kinds_list.count())]
    assert names[-1] == "Toy captions"
    dialog.kinds_list.setCurrentRow(len(names) - 1)
    assert dialog.format_field.currentText() == "Plain text"
    shown = {part for part, row in dialog.rows.items() if row.isVisibleTo(dialog)}
    assert shown == {"format", "range", "every", "title", "file"}
    assert "121 captions." in dialog.amount_label.text()
    dialog.range_choice.numbers[1].setValue(7)
    dialog.title_field.setText("Mine")
    dialog.file_field.setText(str(folder / "mine.txt"))
    dialog.accept()
    qtbot.waitUntil(lambda: not exports.is_busy)
    assert (heard.problems, heard.reported) == ([], [f"{folder / 'mine.txt'} is written."])
    assert (folder / "mine.txt").read_text() == captions(history, "Mine", 0, 7)
    exports.ask()
    assert exports.dialog.kind() is TOY
    assert exports.dialog.path().parent == folder
    exports.dialog.reject()
    assert exports.dialog is None


def test_the_command_line_offers_it_and_writes_it(run_file, history, capsys):
    with pytest.raises(SystemExit):
        main(["export", "--help"])
    assert "\n  captions What is said below the tree. .png, or .txt\n" in capsys.readouterr().out
    target = run_file.parent / "mine.txt"
    assert main(["export", str(run_file), "--to", str(target), "--range", "3:9", "--title", "talk"]) == 0
    assert capsys.readouterr().out.endswith("mine.txt is written: the captions of iterations 3 to 9.\n")
    assert target.read_text() == captions(history, "talk", 3, 9)
