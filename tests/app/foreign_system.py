"""gpviz on another system, as the environment tells: ``python -m tests.app.foreign_system RUN OTHER_RUN``.

It opens two files as macOS asks for them, the first before there is a window, and prints how large the type of its
windows is and what they say.
"""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFileOpenEvent, QFont, QFontMetricsF, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QWidget

from gpviz.app.application import make_application
from gpviz.app.dialogs.command_finder import CommandFinder
from gpviz.app.guide.window import GuideWindow
from gpviz.app.main_window import MainWindow
from gpviz.app.plots.linked_plots import PlotArea
from gpviz.app.preferences import Preferences
from gpviz.app.theme import Theme, words_font
from gpviz.app.theme_manager import ThemeManager
from gpviz.app.widgets.fields import NumberSpin
from gpviz.app.widgets.widget_pictures import svg_of, unseen, write_widget
from tests.patience import PATIENCE_SECONDS


def main(run: str, other: str) -> None:
    application = make_application(["gpviz"])
    preferences = Preferences()
    preferences.set_flag("reduced_motion", True)
    theme_manager = ThemeManager(preferences, "light")
    theme_manager.apply()
    QApplication.sendEvent(application, QFileOpenEvent(run))
    window = MainWindow(preferences, theme_manager)
    window.resize(1300, 800)
    application.open_files_in(window)
    window.show()
    wait_until(lambda: window.document.path == Path(run) and window.is_idle)
    window.player.go_first()
    window.player.go_next_accepted()
    wait_until(lambda: window.is_idle)
    window.windows.show_guide()
    window.find_command()
    guide, finder = window.findChild(GuideWindow), window.findChild(CommandFinder)
    assert guide is not None
    assert finder is not None
    facts: dict[str, object] = {
        "number": NumberSpin(9999, 1280).text(),
        "is left to right": application.isLeftToRight(),
        "type": [
            [type(part).__name__, QFontMetricsF(part.font()).height()]
            for shown in (window, guide, finder)
            for part in (shown, *shown.findChildren(QWidget))
        ],
        "titles of axes": [
            area.top.left.label.boundingRect().height() for area in window.findChildren(PlotArea)
        ],
        "lines of the guide": guide_lines(guide.browser.document()),
        "pixels": QFontMetricsF(pixel_font(window.theme)).height(),
        "picture": picture_of_words(window.theme),
    }
    window.document.add_bookmark(1, "mine")
    asked: list[str] = []
    QTimer.singleShot(0, lambda: asked.append(discard()))
    QApplication.sendEvent(application, QFileOpenEvent(other))
    wait_until(lambda: window.document.path == Path(other))
    facts["asked"] = asked
    window.close()
    print(json.dumps(facts))


def pixel_font(theme: Theme) -> QFont:
    """The theme's font by pixels, which are the same on every system."""
    font = words_font()
    font.setPixelSize(round(theme.font_size * 4 / 3))
    return font


def guide_lines(document: QTextDocument) -> list[float]:
    """How high the first line of each paragraph on show is; pictures are as large as there is room."""
    blocks = [document.findBlockByNumber(number) for number in range(document.blockCount())]
    return [
        block.layout().lineAt(0).height()
        for block in blocks
        if block.layout().lineCount() and "\ufffc" not in block.text()
    ]


def picture_of_words(theme: Theme) -> list[str]:
    """What an SVG says about the size of its page and its words, and a PDF about its page."""
    label = QLabel("Words")
    with unseen(label, theme, 400, 100):
        svg = svg_of(label, "")
        with TemporaryDirectory() as folder:
            path = Path(folder) / "words.pdf"
            write_widget(path, label, 1.0, "")
            page = path.read_bytes()
    found = re.findall(rb"<svg[^>]*|<text[^>]*", svg) + re.findall(rb"MediaBox[^\n]*", page)
    return [each.decode() for each in found]


def discard() -> str:
    """Answer the question on show; what it was."""
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    box.button(QMessageBox.StandardButton.Discard).click()
    return box.text()


def wait_until(happened: Callable[[], bool]) -> None:
    deadline = monotonic() + PATIENCE_SECONDS
    while not happened():
        assert monotonic() < deadline
        QTest.qWait(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
