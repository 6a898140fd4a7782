"""When the window's own code fails: a dialog with a report to copy, and the program lives on."""

import platform
import sys
import traceback
from types import TracebackType

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QWidget

from gpviz import __version__
from gpviz.app.widgets.layouts import column_of
from gpviz.escaping import label_text, terminal_text


class CrashReporter(QObject):
    """Shows the first unexpected error; while its dialog is open, further ones are added to the report."""

    _error_met = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._error_met.connect(
            self._on_error_met
        )  # an error in another thread comes to the window's by itself
        self.dialog: _CrashDialog | None = None

    def install(self) -> None:
        """Catch every error that nobody else does."""
        self._previous_hook = sys.excepthook
        sys.excepthook = self.report

    def uninstall(self) -> None:
        sys.excepthook = self._previous_hook

    def report(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Show it to the user, and print it."""
        if issubclass(kind, KeyboardInterrupt):
            QGuiApplication.quit()
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        print("\n".join(map(terminal_text, text.splitlines())), file=sys.stderr)
        self._error_met.emit(text)

    @Slot(str)
    def _on_error_met(self, text: str) -> None:
        if self.dialog is not None:
            self.dialog.add(text)
            return
        self.dialog = _CrashDialog(text)
        self.dialog.finished.connect(self._on_finished)
        self.dialog.open()

    @Slot()
    def _on_finished(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None


class _CrashDialog(QDialog):
    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("gpviz: something went wrong")
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        explanation = QLabel(
            "Something went wrong in gpviz. Your run is still here: you can go on or save it. This report "
            "helps the developers fix the problem."
        )
        explanation.setWordWrap(True)
        self._others = 0
        self._report = QPlainTextEdit(f"{_machine()}\n\n{label_text(text)}")
        self._report.setReadOnly(True)
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPointSizeF(self.font().pointSizeF())
        self._report.setFont(fixed)
        self._report.setAccessibleName("Report")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("&Copy the report", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._on_copy)
        buttons.rejected.connect(self.reject)
        self.setLayout(column_of(explanation, self._report, buttons))
        self.resize(720, 420)

    def add(self, text: str) -> None:
        """One more error; a flood of them stays a short report."""
        self._others += 1
        if self._others <= 10:
            self._report.appendPlainText(f"\nAnd then:\n{label_text(text)}")

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._report.toPlainText())


def _machine() -> str:
    return (
        f"gpviz {__version__}, Python {platform.python_version()}, PySide6 {pyside_version},"
        f" {platform.system()} {platform.release()}"
    )
