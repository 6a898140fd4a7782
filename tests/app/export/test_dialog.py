"""The export dialog: what it offers, what it refuses, and that the keyboard is enough."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFileDialog,
    QLabel,
    QMessageBox,
    QSpinBox,
    QWidget,
)

from gpviz.app.export.dialog import ExportDialog
from gpviz.app.theme import load_theme, palette_of, style_sheet
from gpviz.app.widgets.fields import ChoiceBox
from gpviz.app.widgets.themed import set_program_theme
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


def shown_rows(dialog) -> set[str]:
    return {part for part, row in dialog.rows.items() if row.isVisibleTo(dialog)}


ROWS = [
    ("tree", "png", {"at", "bare", "theme", "size", "scale"}),
    ("tree", "svg", {"at", "bare", "theme", "size"}),
    ("tree", "tex", {"at", "bare", "fragment"}),
    ("curves", "pdf", {"range", "theory", "theme", "size"}),
    ("curves", "csv", {"range"}),
    ("outlook", "svg", {"at", "range", "theme", "size"}),
    ("outlook", "csv", {"range"}),
    ("table", "png", {"at", "theme", "size", "scale"}),
    ("film", "gif", {"range", "every", "pace", "theme", "size"}),
    ("slides", "tex", {"range", "every", "title"}),
    ("page", "html", {"range", "title"}),
    ("log", "jsonl", {"range", "formulas"}),
]


def test_only_what_is_of_use_is_asked(opened, subtests):
    dialog = opened()
    for kind, suffix, rows in ROWS:
        with subtests.test(kind, suffix=suffix):
            dialog.kinds_list.choose(kind_named(kind))
            dialog.format_field.setCurrentIndex(dialog.format_field.findData(suffix))
            assert shown_rows(dialog) == rows | {"format", "file"}
            assert dialog.path().suffix == f".{suffix}"
            assert dialog.problem() == ""


def test_the_formats_are_those_of_the_kind(opened):
    dialog = opened()
    field = dialog.format_field
    for kind in KINDS:
        dialog.kinds_list.choose(kind)
        assert [field.itemData(index) for index in range(field.count())] == list(kind.by_ending)


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
    first.width_number.setValue(800)
    first.height_number.setValue(600)
    first.format_field.setCurrentIndex(1)
    second = opened(**first.choices())
    assert second.choices() == first.choices()
    request = second.request()
    assert (request.kind.name, request.every, request.pace) == ("film", Every.ACCEPTED, 5.0)
    assert (request.theme, request.width, request.height) == ("projector", 800, 600)
    assert second.size_field.currentText() == "Another one"
    assert request.path.suffix == ".gif"


def test_the_iteration_is_this_one_the_last_one_or_another(opened):
    dialog = opened("table")
    for text, expected in [("last", LENGTH), ("this", CURSOR), ("other", CURSOR)]:
        dialog.at_field.setCurrentIndex(dialog.at_field.findData(text))
        assert dialog.request().at == expected
    dialog.at_number.setValue(7)
    assert dialog.at_field.value() == "other"
    assert dialog.path().name == "n6-table-7.png"
    dialog.at_number.setValue(CURSOR)
    assert dialog.at_field.value() == "this"


def test_the_range_is_the_run_or_up_to_here_or_typed(opened):
    dialog = opened("log")

    def ends():
        return dialog.request().first, dialog.request().last

    assert ends() == (0, LENGTH)
    assert "121 rows." in dialog.amount_label.text()
    dialog.span_field.setCurrentIndex(1)
    assert ends() == (0, CURSOR)
    dialog.first_number.setValue(5)
    assert (dialog.span_field.value(), ends()) == ("from to", (5, CURSOR))
    dialog.span_field.setCurrentIndex(0)
    assert ends() == (0, LENGTH)
    dialog.span_field.setCurrentIndex(2)
    assert ends() == (0, LENGTH)


def test_how_much_it_will_be_is_said(opened, history):
    dialog = opened("film")
    assert "121 steps, a film of about 2 min 3 s." in dialog.amount_label.text()
    dialog.choice_fields["pace"].setCurrentIndex(dialog.choice_fields["pace"].findData("10"))
    assert "a film of about 14 s." in dialog.amount_label.text()
    dialog.choice_fields["every"].setCurrentIndex(dialog.choice_fields["every"].findData("improved"))
    steps = 1 + sum(history.step_at(it).verdict.value == "improved" for it in range(1, LENGTH + 1))
    assert f"{steps} steps, " in dialog.amount_label.text()
    dialog.kinds_list.choose(kind_named("slides"))
    assert f"{steps} frames." in dialog.amount_label.text()
    dialog.kinds_list.choose(kind_named("page"))
    assert "121 iterations to step through." in dialog.amount_label.text()


def test_a_film_of_hours_is_measured_in_hours(opened, monkeypatch):
    monkeypatch.setattr("gpviz.app.export.dialog.check_steps", lambda *_: None)
    monkeypatch.setattr("gpviz.app.export.dialog.number_of_iterations", lambda *_: 8_000)
    assert "8,000 steps, a film of about 2 h 13 min." in opened("film").amount_label.text()


def test_tikz_is_a_document_or_a_fragment(opened):
    dialog = opened("tree", **{"format.tree": "tex"})
    assert "A complete document." in dialog.amount_label.text()
    dialog.boxes["fragment"].click()
    assert "TikZ to include." in dialog.amount_label.text()
    assert dialog.request().is_fragment
    assert opened(**dialog.choices()).boxes["fragment"].isChecked()


def test_a_vector_has_no_number_of_pixels(opened):
    assert "sharp at any size" in opened("tree", **{"format.tree": "svg"}).amount_label.text()


# --- what is wrong ---


def says(dialog, sentence) -> bool:
    is_shown = sentence in dialog.problem_label.text() and not dialog.problem_label.isHidden()
    return is_shown and dialog.amount_label.isHidden() and not dialog.export_button.isEnabled()


def typed(dialog, text: str) -> None:
    dialog.file_field.setText(text)
    dialog.file_field.textEdited.emit(text)


def test_a_range_that_goes_backwards_is_reported_at_once(opened):
    dialog = opened("log")
    dialog.first_number.setValue(9)
    dialog.last_number.setValue(8)
    assert says(
        dialog, "Iterations: '9:8' is not allowed; it must be from an iteration to the same or a later"
    )
    dialog.accept()
    assert dialog.isVisible()
    dialog.last_number.setValue(9)
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
        ("no/where/a.png", "is not allowed; it must be in a folder that exists."),
        ("/", "File: '' is not allowed; it must be a file that ends in .png"),
        ("~nobody-of-this-name/a.png", "is not allowed; it must be in a folder that exists."),
        ("folder.png", "File: 'folder.png' is a folder; it must be the name of a file."),
        ("x" * 300 + ".png", "cannot be used; File name too long."),
    ],
)
def test_a_file_that_cannot_be_is_reported_at_once(opened, folder, text, sentence):
    (folder / "folder.png").mkdir()
    dialog = opened()
    typed(dialog, text)
    assert says(dialog, sentence)
    typed(dialog, "good.png")
    assert not dialog.problem()


def test_a_write_protected_folder_is_reported_at_once(opened, monkeypatch):
    dialog = opened()
    monkeypatch.setattr("os.access", lambda *_: False)
    typed(dialog, "a.png")
    assert says(dialog, "is write-protected; choose another folder.")


def test_an_odd_size_for_a_film_and_too_large_a_picture_are_reported(opened):
    dialog = opened("film")
    dialog.width_number.setValue(1281)
    assert says(dialog, "Size: '1281x720' is not allowed; it must be even in width and height")
    dialog.kinds_list.choose(kind_named("tree"))
    assert dialog.problem() == ""
    dialog.size_field.setCurrentIndex(3)
    dialog.choice_fields["scale"].setCurrentIndex(3)
    assert says(dialog, "Size: '3840x2160' times 4 is too large")


def test_too_long_a_film_is_reported(opened, monkeypatch):
    monkeypatch.setattr("gpviz.export.options.number_of_iterations", lambda *_: 2_000)
    assert says(
        opened("film"), "Iterations: 0:120 has 2,000 steps, too many for the longest film, 30 minutes"
    )


# --- the file ---


def test_a_name_without_an_ending_gets_that_of_the_format(opened, folder):
    dialog = opened()
    typed(dialog, "talk")
    assert dialog.path() == folder / "talk.png"
    assert dialog.problem() == ""


def test_a_known_ending_chooses_the_format_and_the_other_way_round(opened, folder):
    dialog = opened()
    typed(dialog, "talk.pdf")
    assert dialog.format_field.value() == "pdf"
    dialog.format_field.setCurrentIndex(dialog.format_field.findData("svg"))
    assert dialog.path() == folder / "talk.svg"
    dialog.kinds_list.choose(kind_named("page"))
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


def test_an_ending_that_was_added_is_asked_about(opened, folder, question, monkeypatch):
    (folder / "b.png").touch()
    question.answer = NO
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(folder / "b"), ""))
    dialog = opened()
    dialog.browse_button.click()
    dialog.accept()
    assert question.asked
    assert dialog.isVisible()


def test_to_browse_and_think_better_of_it_changes_nothing(opened, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    dialog = opened()
    before = dialog.path()
    dialog.browse_button.click()
    assert dialog.path() == before


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


def test_escape_leaves(opened, qtbot):
    dialog = opened()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.result() == ExportDialog.DialogCode.Rejected


def test_every_field_can_be_reached_and_says_what_it_is(opened):
    dialog = opened("film")
    for field in dialog.findChildren(QWidget):
        if isinstance(field, ChoiceBox | QSpinBox | QAbstractButton) or field in (
            dialog.file_field,
            dialog.title_field,
            dialog.kinds_list,
        ):
            if isinstance(field, QAbstractButton) and not field.text():
                continue  # a part of another one
            assert field.focusPolicy() & Qt.FocusPolicy.TabFocus, field
            assert field.accessibleName() or (isinstance(field, QAbstractButton) and field.text()), field
            assert field.toolTip() or field is dialog.kinds_list, field


def test_no_two_letters_of_the_same_dialog_are_alike(opened):
    dialog = opened()
    for kind in KINDS:
        dialog.kinds_list.choose(kind)
        labels = [*dialog.findChildren(QLabel), *dialog.findChildren(QAbstractButton)]
        texts = [label.text() for label in labels if label.isVisibleTo(dialog) and "&" in label.text()]
        letters = [text[text.index("&") + 1].lower() for text in texts]
        assert sorted(set(letters)) == sorted(letters), (kind, texts)


def test_the_wheel_changes_no_field_on_its_way(opened, qtbot):
    dialog = opened("film")
    dialog.kinds_list.setFocus()
    for field in (dialog.choice_fields["pace"], dialog.last_number):
        point = QPointF(5, 5)
        event = QWheelEvent(
            point, field.mapToGlobal(point), QPoint(), QPoint(0, -120),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(field, event)
    assert (dialog.request().pace, dialog.request().last) == (1.0, LENGTH)


@pytest.mark.parametrize("kind", ["tree", "film"])
def test_texts_much_longer_than_ours_fit_a_screen_of_a_lecture_hall(qapp, qtbot, history, kind):
    theme = load_theme("projector")
    qapp.setPalette(palette_of(theme))
    qapp.setFont(theme.font())
    qapp.setStyleSheet(style_sheet(theme))
    set_program_theme(theme)
    dialog = ExportDialog(history, CURSOR, {}, kind=kind_named(kind))
    qtbot.addWidget(dialog)
    widened: list[Any] = [*dialog.findChildren(QLabel), *dialog.findChildren(QAbstractButton)]
    for label in widened:
        if label.text():
            label.setText(label.text() + "n" * round(0.4 * len(label.text())))
    for field in dialog.findChildren(ChoiceBox):
        for index in range(field.count()):
            text = field.itemText(index)
            field.setItemText(index, text + "n" * round(0.4 * len(text)))
    dialog.show()
    dialog.resize(round(0.92 * 1280), round(0.92 * 720))
    qapp.processEvents()
    for label in widened:
        if (
            label.isVisibleTo(dialog)
            and label.text()
            and not (isinstance(label, QLabel) and label.wordWrap())
        ):
            assert label.width() >= label.sizeHint().width(), label.text()
    for part in [*dialog.findChildren(ChoiceBox), *dialog.findChildren(QSpinBox)]:
        if part.isVisibleTo(dialog):
            assert part.width() >= part.minimumSizeHint().width(), part.accessibleName()
            right = part.mapTo(dialog, QPoint(part.width(), 0)).x()
            assert right <= dialog.width(), part.accessibleName()
    assert dialog.kinds_list.verticalScrollBar().maximum() == 0


def test_the_dialog_opens_within_the_screen(opened):
    dialog = opened("film")
    screen = dialog.screen().availableGeometry()
    assert dialog.width() <= screen.width()
    assert dialog.height() <= screen.height()


def test_without_a_folder_to_remember_it_is_the_home(qtbot, history):
    dialog = ExportDialog(history, CURSOR, {"folder": "/nowhere/at/all"})
    qtbot.addWidget(dialog)
    assert dialog.path().parent == Path.home()
