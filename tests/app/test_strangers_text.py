"""Text of strangers in the windows: whatever a file says, every title, tip, box and menu shows it as text."""

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent, QTextDocument
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QToolTip,
    QWidget,
)

from gpviz.app.dialogs.crash_report import CrashReporter
from gpviz.app.dialogs.file_dialogs import may_replace
from gpviz.app.dialogs.message_dialogs import offer_lecture, says_yes, show_problem
from gpviz.app.lecture.lecture_keys import LectureCommand
from gpviz.app.main_window import MainWindow
from gpviz.app.pages.bookmarks import BookmarksPage
from gpviz.app.pages.branches import BranchesPage
from gpviz.app.preferences import Preferences
from gpviz.app.theme_manager import ThemeManager
from gpviz.experiments.plan import parse_plan
from gpviz.lecture.lecture import Scene, SceneCaption, save_lecture
from gpviz.lecture.scene_content import ComparedRun, SceneComparison, SceneContent
from gpviz.runs.run_file import Bookmark, RunFile, describe_branches, save
from tests.app.lecture.contents import chart, photo
from tests.app.lecture.lectures import lecture, run_file
from tests.experiments.stored_runs import plan, small_store
from tests.poison import MARKUP, POISON, is_harmless
from tests.runs.branching import branched_run
from tests.systems import needs_any_name

MARK = "<b>R&D</b>"
CAPTION = f"{MARKUP} \u202ecaption\u2069 \u200f"
"""What a caption may hold: no control characters."""
FILE_NAME = f"{POISON}.gpviz".replace("/", "").replace("\0", "")


def words_of(rich: str) -> str:
    """What Qt makes of a text where it may be markup."""
    if not GuiQt.mightBeRichText(rich):
        return rich
    document = QTextDocument()
    document.setHtml(rich)
    return document.toPlainText()


def check(where: object, text: str, medium: str) -> None:
    """See that a text does no harm in its medium: ``plain``, ``rich`` or ``menu``."""
    assert is_harmless(text), f"{where}: {text!r}"
    if not any(part in text for part in ("R&D", "R&&D", "R&amp;D", "<b>R")):
        return
    shown = words_of(text) if medium == "rich" else text.replace("&&", "&") if medium == "menu" else text
    assert MARK.replace("</b>", "") in shown.replace("</b>", ""), f"{where}: {text!r} is shown as {shown!r}"
    if medium == "menu":
        assert "R&D" not in text, f"{where}: {text!r}"


def check_action(action: QAction) -> None:
    check(action, action.text(), "menu")
    check(action, action.toolTip(), "rich")
    check(action, action.statusTip(), "plain")


def check_model(view: QWidget, model: QAbstractItemModel) -> None:
    for row in range(min(model.rowCount(QModelIndex()), 50)):
        for column in range(model.columnCount(QModelIndex())):
            index = model.index(row, column)
            check(view, str(index.data() or ""), "plain")
            check(view, str(index.data(Qt.ItemDataRole.AccessibleTextRole) or ""), "plain")
            check(view, str(index.data(Qt.ItemDataRole.ToolTipRole) or ""), "rich")


def check_widget(widget: QWidget) -> None:
    check(widget, widget.windowTitle(), "plain")
    check(widget, widget.toolTip(), "rich")
    for text in (widget.statusTip(), widget.accessibleName(), widget.accessibleDescription()):
        check(widget, text, "plain")
    if isinstance(widget, QLabel):
        check(widget, widget.text(), "plain" if widget.textFormat() is Qt.TextFormat.PlainText else "rich")
    elif isinstance(widget, QAbstractButton):
        check(widget, widget.text(), "menu")
    elif isinstance(widget, QComboBox):
        check_model(widget, widget.model())
    elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
        check_model(widget, widget.model())
    elif isinstance(widget, QMenu):
        check(widget, widget.title(), "menu")
    elif isinstance(widget, QTabBar):
        for place in range(widget.count()):
            check(widget, widget.tabText(place), "menu")
            check(widget, widget.tabToolTip(place), "rich")
    elif isinstance(widget, QPlainTextEdit | QTextEdit) and widget.isReadOnly():
        check(widget, widget.toPlainText(), "plain")
    if isinstance(widget, QMainWindow):
        check(widget, widget.statusBar().currentMessage(), "plain")


def check_everything() -> None:
    """Look at every text of every window, except where one is typed."""
    for window in QApplication.topLevelWidgets():
        for widget in (window, *window.findChildren(QWidget)):
            if not isinstance(widget, QLineEdit):
                check_widget(widget)
        for action in window.findChildren(QAction):
            check_action(action)


def poisoned_run() -> RunFile:
    branches, histories = branched_run()
    run = describe_branches(branches, histories, (Bookmark(3, POISON), Bookmark(5, MARKUP)))
    renamed = tuple(replace(branch, name=f"{number} {MARK}") for number, branch in enumerate(run.branches))
    return replace(run, name=MARK, branches=renamed)


@needs_any_name
def test_a_run_file(window, qtbot, tmp_path):
    path = tmp_path / FILE_NAME
    save(path, poisoned_run())
    with qtbot.waitSignal(window.file_controller.run_shown):
        window.file_controller.open(path)
    assert "R&D" in window.windowTitle()
    window.show_page("bookmarks")
    bookmarks = window.findChild(BookmarksPage).list.model()
    assert any(MARK in str(bookmarks.index(row, 0).data()) for row in range(2))
    check_everything()
    window.show_page("branches")
    check_everything()
    page = window.findChild(BranchesPage)
    page.list.select([each.id for each in window.branch_controller.branches][:2])
    page.compare_button.click()
    check_everything()
    window.file_controller.open(tmp_path / f"missing {MARK.replace('/', '')}.gpviz")
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None)
    check_everything()
    window.findChild(QMessageBox).close()


def test_a_bookmark_on_the_time_strip(window, monkeypatch):
    window.views.strip.set_bookmarks([Bookmark(0, POISON)])
    area, shown = window.views.strip.view.area, []
    monkeypatch.setattr(QToolTip, "showText", lambda _place, text, _widget: shown.append(text))
    place = QPoint(round(area.x_of(0)), 2)
    QApplication.sendEvent(area.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, place))
    check("time strip", shown[0], "rich")
    assert MARK in words_of(shown[0])


def test_the_recent_files_of_the_settings(qtbot, user_folder):
    folder = user_folder / "config" / "gpviz"
    folder.mkdir(parents=True)
    names = ("theme", "layout", "folder", "export", "pane_shares", "geometry", POISON)
    poisoned: dict[str, object] = dict.fromkeys(names, POISON)
    poisoned |= {
        "recent_files": [f"/x/{FILE_NAME}", MARKUP],
        "experiment_plans": f"/x/{MARK}.toml\n/y/\u202e",
    }
    (folder / "settings.json").write_text(json.dumps(poisoned))
    preferences = Preferences()
    made = MainWindow(preferences, ThemeManager(preferences, "light"))
    try:
        made.windows.show_experiments()
        check_everything()
    finally:
        made.end_services()
        made.close()
        made.deleteLater()


def poisoned_contents() -> list[SceneContent]:
    """What scenes hold, with such texts wherever there are any."""
    plain = chart(CAPTION)
    figure = json.loads(plain.figure)
    panel = figure["panels"][0]
    panel["x"]["title"] = panel["y"]["title"] = panel["series"][0]["label"] = figure["note"] = CAPTION
    poisoned = replace(plain, figure=json.dumps(figure), plan=MARKUP, chart=MARKUP)
    lanes = (ComparedRun(MARK, 0), ComparedRun(MARKUP[:60], 1))
    return [poisoned, replace(photo(), alt=CAPTION), SceneComparison(lanes)]


def test_a_lecture(own_window, qtbot, tmp_path):
    window = own_window
    scene = Scene(
        title=MARKUP, first=0, last=3, caption=CAPTION, captions=(SceneCaption(1, CAPTION),), notes=CAPTION,
        panels=("caption",),
    )  # fmt: skip
    words = Scene(title=MARK, has_tree=False, text=CAPTION, notes=CAPTION)
    path = tmp_path / "talk.gpviz"
    held = tuple(Scene(title=MARK, has_tree=False, content=content) for content in poisoned_contents())
    save_lecture(path, lecture(scene, words, *held, runs=(poisoned_run(), run_file()), title=MARKUP))
    editor = window.windows.lecture_editor
    with qtbot.waitSignal(editor.opened):
        window.file_controller.open(path)
    check_everything()
    window.windows.give(editor.lecture)
    session = window.windows.lecture_mode
    qtbot.waitUntil(lambda: session.audience is not None and session.audience.caption.isVisible())
    for _ in range(5 + len(held)):
        check_everything()
        check("caption", session.audience.caption.text, "plain")
        session.perform(LectureCommand.NEXT)
        qtbot.waitUntil(lambda: not session.scene_player.is_waiting)
    session.stop()
    offer_lecture(window, editor.lecture, lambda: None, lambda: None)
    check_everything()
    window.findChild(QMessageBox).close()


def poisoned_store(folder: Path) -> Path:
    """An experiment whose name, which only its file tells, and whose plan hold whatever they may."""
    path = small_store(folder)
    connection = sqlite3.connect(path)
    data = {**plan().as_dict(), "title": f"{MARK} {MARKUP}", "explanation": f"{MARKUP}\n{MARK}"}
    connection.execute("UPDATE experiment SET name = ?, plan = ?", (f"{MARK}\u2028\x1c", json.dumps(data)))
    connection.commit()
    connection.close()
    return path.rename(folder / FILE_NAME.replace(".gpviz", ".gpvizx"))


@needs_any_name
def test_an_experiment(window, qtbot, tmp_path, user_folder):
    kept = user_folder / "data" / "gpviz" / "experiments"
    kept.mkdir(parents=True)
    path = poisoned_store(kept)
    window.windows.show_experiments()
    experiments = window.windows.experiments
    experiments.open_store(path)
    qtbot.waitUntil(lambda: experiments.experiment is not None)
    qtbot.waitUntil(lambda: bool(experiments.recent.actions()))
    assert "R&D" in experiments.windowTitle()
    check_everything()
    experiments.launch.set_path(path)
    experiments.editor.set_plan(parse_plan(MARK, f"title = {json.dumps(MARKUP)}\n[grid]\nn = [2]\n"))
    check_everything()


@pytest.mark.parametrize("text", [POISON, MARKUP, FILE_NAME])
def test_boxes_and_sentences(window, monkeypatch, text):
    show_problem(window, text)
    window._show_message(text)
    asked: list[tuple[str, Qt.TextFormat]] = []

    def answer(box: QMessageBox) -> QMessageBox.StandardButton:
        check_everything()
        asked.append((box.text(), box.textFormat()))
        return QMessageBox.StandardButton.Yes

    monkeypatch.setattr(QMessageBox, "exec", answer)
    assert says_yes(window, "Replace the file?", f"{text} already exists.")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "exists", lambda _: True)
        assert may_replace(window, Path(FILE_NAME))
    assert [kind for _, kind in asked] == [Qt.TextFormat.PlainText] * 2
    check_everything()
    window.findChild(QMessageBox).close()


def test_the_bar_of_exports(window):
    bar = window.windows.exports.bar
    bar.show_progress(f"{POISON}: starting", 0, 0, 2)
    check_everything()
    bar.show_result(f"{MARKUP} is written.")
    check_everything()
    bar.clear()


def test_the_report_of_a_crash(qtbot, capsys):
    reporter = CrashReporter()
    reporter.report(ValueError, ValueError(POISON), None)
    assert reporter.dialog is not None
    qtbot.addWidget(reporter.dialog)
    assert is_harmless(capsys.readouterr().err)
    check_everything()
