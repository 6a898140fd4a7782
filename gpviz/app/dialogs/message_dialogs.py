"""The small dialogs of the window, which are open beside it and stop nothing; and bringing a window up."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QMessageBox, QWidget

from gpviz import __version__
from gpviz.escaping import label_text
from gpviz.lecture.lecture import Lecture
from gpviz.runs.run_file import RunFile


def bring_up(window: QWidget) -> None:
    """Show a window in front of the others."""
    window.show()
    window.raise_()
    window.activateWindow()


def show_problem(parent: QWidget, problem: str) -> None:
    """Show what went wrong, in one sentence."""
    _problem_box(parent, problem).open()


def show_problem_and_wait(problem: str) -> None:
    """Show it without a window, and wait until the box is closed."""
    _problem_box(None, problem).exec()


def _problem_box(parent: QWidget | None, problem: str) -> QMessageBox:
    box = _box(parent, "gpviz")
    box.setIcon(QMessageBox.Icon.Warning)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(label_text(problem))
    return box


def says_yes(parent: QWidget | None, title: str, question: str) -> bool:
    """Ask a question, and wait for the answer."""
    buttons = QMessageBox.StandardButton
    return _answer(parent, title, question, "", buttons.Yes | buttons.No, buttons.Yes) == buttons.Yes


def ask_about_saving(parent: QWidget | None, title: str, text: str, more: str) -> QMessageBox.StandardButton:
    """Save, Discard or Cancel."""
    buttons = QMessageBox.StandardButton
    return _answer(parent, title, text, more, buttons.Save | buttons.Discard | buttons.Cancel, buttons.Save)


def _answer(
    parent: QWidget | None,
    title: str,
    text: str,
    more: str,
    buttons: QMessageBox.StandardButton,
    default: QMessageBox.StandardButton,
) -> QMessageBox.StandardButton:
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(label_text(text))
    box.setInformativeText(label_text(more))
    box.setStandardButtons(buttons)
    box.setDefaultButton(default)
    answer = QMessageBox.StandardButton(box.exec())
    box.deleteLater()
    return answer


def show_about(parent: QWidget) -> None:
    """Version and licence."""
    box = _box(parent, "About gpviz")
    box.setIconPixmap(parent.windowIcon().pixmap(64, 64))
    box.setText(f"<b>gpviz {__version__}</b><br>Watch genetic programming think.")
    box.setInformativeText(
        "RLS-GP evolves conjunctions by HVL-Prime mutations, exactly and reproducibly. Free software "
        "under the MIT licence. The fonts are Inter, STIX Two and DejaVu Sans; the window uses Qt for Python and "
        "pyqtgraph."
    )
    box.open()


def ask_iteration(parent: QWidget, current: int, most: int) -> int | None:
    """The iteration a person wants to go to; None for none."""
    title, label = "Go to iteration", f"Iteration, from 0 to {most:,}:"
    iteration, is_ok = QInputDialog.getInt(parent, title, label, current, 0, most)
    return iteration if is_ok else None


def offer_to_restore(
    parent: QWidget, run: RunFile, restore: Callable[[], None], discard: Callable[[], None]
) -> None:
    """Offer a run that was on show when the program ended without warning; it can also be left for later."""
    text = (
        f"The run with n = {run.config.n}, seed {run.config.seed}, {run.iterations:,} iterations and"
        f" {len(run.bookmarks):,} bookmarks was on show. It can be restored."
    )
    _offer(parent, "Restore the run?", text, restore, discard)


def offer_lecture(
    parent: QWidget, lecture: Lecture, restore: Callable[[], object], discard: Callable[[], object]
) -> None:
    """The same for a lecture with scenes that were not saved."""
    text = f"The lecture “{lecture.title}” with {len(lecture.scenes):,} scenes was not saved. It can be restored."
    _offer(parent, "Restore the lecture?", text, restore, discard)


def _offer(
    parent: QWidget, title: str, text: str, restore: Callable[[], object], discard: Callable[[], object]
) -> None:
    box = _box(parent, title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText("gpviz did not close properly last time.")
    box.setInformativeText(label_text(text))
    default = box.addButton("&Restore", QMessageBox.ButtonRole.AcceptRole)
    box.addButton("&Discard", QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(default)
    box.setEscapeButton(box.addButton("Ask &later", QMessageBox.ButtonRole.RejectRole))
    box.finished.connect(partial(_on_answered, box, restore, discard))
    box.open()


def _on_answered(
    box: QMessageBox, restore: Callable[[], object], discard: Callable[[], object], _code: int
) -> None:
    role = box.buttonRole(box.clickedButton())
    if role == QMessageBox.ButtonRole.AcceptRole:
        restore()
    elif role == QMessageBox.ButtonRole.DestructiveRole:
        discard()


def _box(parent: QWidget | None, title: str) -> QMessageBox:
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(title)
    return box
