"""The export dialog: what it offers, what it refuses, and that the keyboard is enough."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFileDialog,
    QMessageBox,
)

from gpviz.app.export.dialog import ExportDialog
from gpviz.export.registry import KINDS, kind_named
from gpviz.export.request import Every
from tests.app.export.conftest import CURSOR, LENGTH

YES, NO = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No


@pytest.fixture
def opened(qtbot, history, folder):
    """Open the dialog, with what was chosen the last time."""

    def open_with(kind=None, **choices) -> ExportDialog:
        dialog = ExportDialog(
            history,
            CURSOR,
            {"folder": str(folder), **choices},
            kind=None if kind is None else kind_named(kind),
            name="n6",
            title="My run",
        )
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return open_with


def choose(dialog, kind: str) -> None:
    dialog.kinds_list.setCurrentRow(KINDS.index(kind_named(kind)))


def shown_rows(dialog) -> set[str]:
    return {part for part, row in dialog.rows.items() if row.isVisibleTo(dialog)}


ROWS = [
    ("tree", "png", {"at", "bare", "theme", "size", "scale"}),
    ("tree", "tex", {"at", "bare", "fragment"}),
    ("curves", "pdf", {"range", "theory", "theme", "size"}),
    ("film", "gif", {"range", "every", "pace", "theme", "size"}),
    ("slides", "tex", {"range", "every", "title"}),
    ("page", "html", {"range", "every", "title"}),
    ("log", "jsonl", {"range", "formulas"}),
]


def test_only_what_is_of_use_is_asked(opened, subtests):
    dialog = opened()
    for kind, suffix, rows in ROWS:
        with subtests.test(kind, suffix=suffix):
            choose(dialog, kind)
            dialog.format_field.setCurrentIndex(dialog.format_field.findData(suffix))
            assert shown_rows(dialog) == rows | {"format", "file"}
            assert dialog.path().suffix == f".{suffix}"
            assert dialog.problem() == ""


def test_at_first_it_is_the_tree_on_show(opened, folder):
    dialog = opened()
    request = dialog.request()
    assert (request.kind.name, request.at, request.theme) == ("tree", CURSOR, "light")
    assert request.path == folder / f"n6-tree-{CURSOR}.png"
    assert (request.width, request.height, request.scale) == (1280, 720, 1.0)
    assert "A picture of 1,280 × 720 pixels." in dialog.amount_label.text()
    assert str(folder) in dialog.amount_label.text()


def test_choices_come_back_the_next_time(opened):
    first = opened("film")
    first.choice_fields["every"].choose("accepted")
    first.choice_fields["pace"].choose("5")
    first.choice_fields["theme"].choose("projector")
    first.size_choice.numbers[0].setValue(800)
    first.size_choice.numbers[1].setValue(600)
    first.format_field.setCurrentIndex(1)
    second = opened(**first.choices())
    assert second.choices() == first.choices()
    request = second.request()
    assert (request.kind.name, request.every, request.pace) == ("film", Every.ACCEPTED, 5.0)
    assert (request.theme, request.width, request.height) == ("projector", 800, 600)
    assert second.size_choice.field.currentText() == "Another one"
    assert request.path.suffix == ".gif"


def test_the_iteration_is_this_one_the_last_one_or_another(opened):
    dialog = opened("table")
    for text, expected in [("The last one, 120", LENGTH), ("This one, 42", CURSOR), ("Another one", CURSOR)]:
        dialog.at_choice.field.set_value(text)
        assert dialog.request().at == expected
    dialog.at_choice.numbers[0].setValue(7)
    assert dialog.at_choice.field.value() == "Another one"
    assert dialog.path().name == "n6-table-7.png"
    dialog.at_choice.numbers[0].setValue(CURSOR)
    assert dialog.at_choice.field.value() == "This one, 42"


def test_the_range_is_the_run_or_up_to_here_or_typed(opened):
    dialog = opened("log")

    def ends():
        return dialog.request().first, dialog.request().last

    assert ends() == (0, LENGTH)
    assert "121 rows." in dialog.amount_label.text()
    dialog.range_choice.field.setCurrentIndex(1)
    assert ends() == (0, CURSOR)
    dialog.range_choice.numbers[0].setValue(5)
    assert (dialog.range_choice.field.value(), ends()) == ("From … to …", (5, CURSOR))
    dialog.range_choice.field.setCurrentIndex(0)
    assert ends() == (0, LENGTH)
    dialog.range_choice.field.setCurrentIndex(2)
    assert ends() == (0, LENGTH)


def test_tikz_is_a_document_or_a_fragment(opened):
    dialog = opened("tree", **{"format.tree": "tex"})
    assert "A complete document." in dialog.amount_label.text()
    dialog.boxes["fragment"].click()
    assert "TikZ to include." in dialog.amount_label.text()
    assert dialog.request().is_fragment
    assert opened(**dialog.choices()).boxes["fragment"].isChecked()


# --- what is wrong ---


def says(dialog, sentence) -> bool:
    is_shown = sentence in dialog.problem_label.text() and not dialog.problem_label.isHidden()
    return is_shown and dialog.amount_label.isHidden() and not dialog.export_button.isEnabled()


def typed(dialog, text: str) -> None:
    dialog.file_field.setText(text)
    dialog.file_field.textEdited.emit(text)


def test_a_range_that_goes_backwards_is_reported_at_once(opened):
    dialog = opened("log")
    dialog.range_choice.numbers[0].setValue(9)
    dialog.range_choice.numbers[1].setValue(8)
    assert says(
        dialog, "Iterations: '9:8' is not allowed; it must be from an iteration to the same or a later"
    )
    dialog.accept()
    assert dialog.isVisible()
    dialog.range_choice.numbers[1].setValue(9)
    assert dialog.export_button.isEnabled()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "File: enter a name."),
        ("  ", "File: enter a name."),
        (
            "a.doc",
            "File: 'a.doc' is not allowed; it must be a file that ends in .png or .svg or .pdf or .tex",
        ),
        ("/", "File: '' is not allowed; it must be a file that ends in .png"),
    ],
)
def test_a_file_that_cannot_be_is_reported_at_once(opened, text, sentence):
    dialog = opened()
    typed(dialog, text)
    assert says(dialog, sentence)
    typed(dialog, "good.png")
    assert not dialog.problem()


@pytest.mark.parametrize(
    "text", ["no/where/a.png", "~nobody-of-this-name/a.png", "folder.png", "x" * 300 + ".png"]
)
def test_a_file_that_cannot_be_written_keeps_the_dialog_open_and_is_reported(opened, folder, text):
    (folder / "folder.png").mkdir()
    dialog = opened()
    typed(dialog, text)
    dialog.accept()
    assert dialog.isVisible()
    assert "it cannot be written; " in dialog.problem_label.text()
    typed(dialog, "good.png")
    assert dialog.problem_label.text() == ""


# --- the file ---


def test_a_known_ending_chooses_the_format_and_the_other_way_round(opened, folder):
    dialog = opened()
    typed(dialog, "talk.pdf")
    assert dialog.format_field.value() == "pdf"
    dialog.format_field.setCurrentIndex(dialog.format_field.findData("svg"))
    assert dialog.path() == folder / "talk.svg"
    choose(dialog, "page")
    assert dialog.path() == folder / "talk.html"


@pytest.mark.parametrize(("answer", "is_closed"), [(YES, True), (NO, False)])
def test_an_existing_file_is_asked_about(opened, folder, question, answer, is_closed):
    question.answer = answer
    (folder / "a.png").touch()
    dialog = opened()
    typed(dialog, "a.png")
    dialog.accept()
    assert question.asked == ["a.png already exists. Replace it?"]
    assert dialog.isHidden() is is_closed


def test_what_the_file_dialog_has_asked_about_is_not_asked_again(opened, folder, monkeypatch):
    (folder / "b.pdf").touch()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(folder / "b.pdf"), ""))
    monkeypatch.setattr(QMessageBox, "exec", lambda _: pytest.fail("asked twice"))
    dialog = opened()
    dialog.browse_button.click()
    assert dialog.format_field.value() == "pdf"
    dialog.accept()
    assert dialog.isHidden()
    assert dialog.request().path == folder / "b.pdf"


# --- the keyboard, and reading ---


def test_the_keyboard_is_enough(opened, qtbot, folder):
    dialog = opened()
    dialog.kinds_list.setFocus()
    for _ in KINDS[1:]:
        qtbot.keyClick(dialog.kinds_list, Qt.Key.Key_Down)
    assert dialog.kind().name == "log"
    qtbot.keyClick(dialog.kinds_list, Qt.Key.Key_F)
    assert dialog.kind().name == "film"
    qtbot.keyClick(dialog.choice_fields["pace"], Qt.Key.Key_Down)
    assert dialog.request().pace == 2.0
    dialog.file_field.selectAll()
    qtbot.keyClicks(dialog.file_field, "mine")
    qtbot.keyClick(dialog.file_field, Qt.Key.Key_Return)
    assert dialog.isHidden()
    assert dialog.result() == ExportDialog.DialogCode.Accepted
    assert dialog.request().path == folder / "mine.mp4"
