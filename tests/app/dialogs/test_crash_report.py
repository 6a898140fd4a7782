"""When the window's own code fails: it is shown once, can be copied, and the program goes on."""

import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QPushButton

from gpviz import __version__
from gpviz.app.dialogs.crash_report import CrashReporter

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise\\(\\)", extend=True)


@pytest.fixture
def reporter(qapp):
    made = CrashReporter()
    yield made
    if made.dialog is not None:
        made.dialog.close()


def report(reporter: CrashReporter, problem: BaseException) -> None:
    """What Python does with an error that nobody caught."""
    try:
        raise problem
    except BaseException as caught:
        reporter.report(type(caught), caught, caught.__traceback__)


def is_open(reporter: CrashReporter) -> bool:
    return reporter.dialog is not None


def text_of(reporter: CrashReporter) -> str:
    assert reporter.dialog is not None
    field = reporter.dialog.findChild(QPlainTextEdit)
    assert field is not None
    assert field.isReadOnly()
    return field.toPlainText()


def button(reporter: CrashReporter, text: str) -> QPushButton:
    assert reporter.dialog is not None
    (found,) = (b for b in reporter.dialog.findChildren(QPushButton) if text in b.text().replace("&", ""))
    return found


def test_an_error_opens_a_dialog_with_a_report(reporter, capsys):
    report(reporter, ValueError("the reason"))
    assert reporter.dialog is not None
    assert reporter.dialog.isVisible()
    text = text_of(reporter)
    assert "ValueError: the reason" in text
    assert Path(__file__).name in text
    assert f"gpviz {__version__}, Python {sys.version_info.major}." in text
    assert "ValueError: the reason" in capsys.readouterr().err


def test_further_errors_are_added_to_the_same_dialog_and_a_flood_stays_short(reporter, qapp):
    for number in range(200):
        report(reporter, ValueError(f"number {number}."))
    text = text_of(reporter)
    assert (
        text.index("number 0.") < text.index("And then:") < text.index("number 1.") < text.index("number 10.")
    )
    assert text.count("And then:") == 10
    assert sum(widget.isVisible() for widget in qapp.topLevelWidgets()) == 1


def test_the_report_can_be_copied(reporter):
    QGuiApplication.clipboard().clear()
    report(reporter, ValueError("the reason"))
    button(reporter, "Copy").click()
    assert QGuiApplication.clipboard().text() == text_of(reporter)
    assert reporter.dialog is not None
    assert reporter.dialog.isVisible()


def test_an_error_in_another_thread_is_shown_in_the_windows_thread(reporter, qtbot):
    thread = threading.Thread(target=report, args=(reporter, ValueError("from afar")))
    thread.start()
    thread.join()
    assert not is_open(reporter)  # it is on its way
    qtbot.waitUntil(lambda: is_open(reporter))
    assert "from afar" in text_of(reporter)
    assert reporter.dialog is not None
    assert reporter.dialog.thread() is reporter.thread()


def test_ctrl_c_in_the_terminal_ends_the_program_without_a_dialog(reporter, monkeypatch, capsys):
    quits = []
    monkeypatch.setattr(QGuiApplication, "quit", lambda: quits.append(1))
    report(reporter, KeyboardInterrupt())
    assert quits == [1]
    assert reporter.dialog is None
    assert capsys.readouterr().err == ""


class Sender(QObject):
    sent = Signal()

    @Slot()
    def fail(self) -> None:
        raise ValueError("in a slot")


@pytest.mark.qt_no_exception_capture
def test_an_error_in_a_slot_is_reported_and_the_program_goes_on(reporter, monkeypatch, capsys):
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    reporter.install()
    try:
        sender = Sender()
        sender.sent.connect(sender.fail)
        sender.sent.emit()
        sender.sent.emit()
    finally:
        reporter.uninstall()
    assert text_of(reporter).count("ValueError: in a slot") == 2
