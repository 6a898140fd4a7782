"""All windows for those who do not see or do not use a mouse: each is opened, and what is in it is walked."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QKeySequence, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QMainWindow,
    QMenu,
    QWidget,
)

from gpviz import assets
from gpviz.app.dialogs.crash_report import CrashReporter
from gpviz.app.main_window import MainWindow
from gpviz.app.settings import Settings
from gpviz.app.theme_manager import ThemeManager
from gpviz.app.widgets.panes import focus_order, panes_of
from gpviz.experiments.chunks import Chunk, run_chunk
from gpviz.experiments.plan import Plan
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import new_store_path
from gpviz.page_list import PAGES

PLAN = Plan(name="tiny", title="Tiny", runs=4, x="n", settings={"limit": "2n"}, grid={"n": (2, 3)})
LONGEST_LINE = 80
"""Tooltips with longer lines wrap."""
MARKUP = re.compile(r"</?(p|b|i|br|span|table|h\d|sub|sup|div)\b[^>]*>")


@pytest.fixture
def window(qtbot) -> Iterator[MainWindow]:
    settings = Settings()
    settings.set_flag("hint_seen", True)
    settings.set_flag("setup_panel", True)
    theme_manager = ThemeManager(settings, "light")
    theme_manager.apply()
    made = MainWindow(settings, theme_manager)
    made.resize(1500, 900)
    made.controller.run_to(60)
    qtbot.waitUntil(lambda: len(made.controller.history) >= 60 and made.controller.is_settled)
    show(made, qtbot)
    yield made
    made.end_services()
    made.close()
    made.deleteLater()


def show(widget: QWidget, qtbot) -> None:
    widget.show()
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)


def pages(window: MainWindow, qtbot) -> Iterator[QWidget]:
    for info in PAGES:
        window.show_page(info.name)
        page = window.views.workbench.page(info.name)
        qtbot.waitUntil(lambda page=page: not getattr(page, "is_busy", False))
        yield window


def compare(window: MainWindow, qtbot) -> Iterator[QWidget]:
    window.windows.show_compare()
    compare = window.windows.compare
    assert compare is not None
    qtbot.waitUntil(compare.isActiveWindow)
    yield compare
    compare.add_button.click()
    form = compare.findChild(QDialog)
    assert form is not None
    qtbot.waitUntil(form.isVisible)
    yield form
    form.close()
    compare.close()


def experiments(window: MainWindow, qtbot) -> Iterator[QWidget]:
    window.windows.show_experiments()
    experiments = window.windows.experiments
    assert experiments is not None
    qtbot.waitUntil(experiments.isActiveWindow)
    yield experiments
    path = new_store_path(PLAN)
    with Store.create(path, PLAN) as store:
        for cell in PLAN.cells:
            store.add(run_chunk(Chunk(cell.number, cell.config, 0, 4, 10**6)))
    experiments.open_store(path)
    qtbot.waitUntil(lambda: experiments.stack.currentWidget() is experiments.results)
    for view in (experiments.results.charts, experiments.results.runs):
        experiments.results.go_to(view)
        yield experiments
    experiments.close()


def guide(window: MainWindow, qtbot) -> Iterator[QWidget]:
    window.windows.show_guide()
    guide = window.windows._guide
    assert guide is not None
    qtbot.waitUntil(guide.isActiveWindow)
    yield guide
    guide.close()


def export(window: MainWindow, qtbot) -> Iterator[QWidget]:
    window.windows.ask_export()
    dialog = window.windows.exports.dialog
    assert dialog is not None
    qtbot.waitUntil(dialog.isActiveWindow)
    for row in range(dialog.kinds_list.count()):
        dialog.kinds_list.setCurrentRow(row)
        yield dialog
    dialog.reject()


def lecture(window: MainWindow, qtbot) -> Iterator[QWidget]:
    editor = window.windows.lecture_editor
    with qtbot.waitSignal(editor.opened):
        window.file_controller.open(assets.folder("lectures") / "why-stuck.gpviz")
    yield window
    window.windows.rehearse()
    session = window.windows.session
    qtbot.waitUntil(lambda: session.presenter is not None and session.presenter.isVisible())
    assert session.audience is not None
    assert session.presenter is not None
    yield from (session.audience, session.presenter)
    session.stop()


def dialogs(window: MainWindow, qtbot) -> Iterator[QWidget]:
    window.show_keys()
    window._show_problem("The file <b> is not there.")
    for dialog in window.findChildren(QDialog):
        qtbot.waitUntil(dialog.isVisible)
        yield dialog
        dialog.close()
    window.show_first_hint()
    yield window
    window._hint.finish()  # type: ignore[union-attr]
    reporter = CrashReporter()
    reporter.report(ValueError, ValueError("all of it"), None)
    assert reporter.dialog is not None
    yield reporter.dialog
    reporter.dialog.close()


WINDOWS = (pages, compare, experiments, guide, export, lecture, dialogs)
every_window = pytest.mark.parametrize("opened", WINDOWS, ids=lambda each: each.__name__)


def parts_of(root: QWidget) -> list[QWidget]:
    return [root, *root.findChildren(QWidget)]


def name_of(widget: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def description_of(widget: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Description)


def seen_text(label: QLabel) -> str:
    """What is read off a label."""
    text = label.text()
    if label.textFormat() != Qt.TextFormat.PlainText and MARKUP.search(text):
        document = QTextDocument()
        document.setHtml(text)
        text = document.toPlainText()
    return text if label.buddy() is None else text.replace("&", "")


@every_window
def test_what_is_read_off_a_label_is_heard_of_it(window, qtbot, opened):
    mute = set()
    for shown in opened(window, qtbot):
        for label in shown.findChildren(QLabel):
            text = " ".join(seen_text(label).split())
            heard = " ".join(f"{name_of(label)} {description_of(label)}".split())
            if text not in heard:
                mute.add((text, heard))
    assert not mute


@every_window
def test_nobody_hears_markup(window, qtbot, opened):
    marked = set()
    for shown in opened(window, qtbot):
        for part in parts_of(shown):
            told = f"{name_of(part)} {description_of(part)}"
            if MARKUP.search(told) and told != "The file <b> is not there. ":
                marked.add((type(part).__name__, told))
    assert not marked


@every_window
def test_long_tooltips_wrap(window, qtbot, opened):
    long = set()
    for shown in opened(window, qtbot):
        for part in parts_of(shown):
            tip = part.toolTip()
            if not tip.startswith("<p") and max(map(len, tip.split("\n"))) > LONGEST_LINE:
                long.add((type(part).__name__, tip))
    assert not long


@every_window
def test_all_that_has_the_keyboard_has_a_name(window, qtbot, opened):
    nameless = set()
    for shown in opened(window, qtbot):
        nameless |= {type(part).__name__ for part in focus_order(shown) if not name_of(part)}
    assert not nameless


@every_window
def test_all_choices_have_a_label(window, qtbot, opened):
    """A screen reader says what is chosen, and the label for what it is; on Linux the name is not asked for."""
    lonely = set()
    for shown in opened(window, qtbot):
        labelled = {label.buddy() for label in shown.findChildren(QLabel)}
        lonely |= {box.accessibleName() for box in shown.findChildren(QComboBox) if box not in labelled}
    assert not lonely


@every_window
def test_no_letter_means_two_things_in_a_menu(window, qtbot, opened):
    twice = set()
    for shown in opened(window, qtbot):
        menus: list[QWidget] = [*shown.findChildren(QMenu)]
        if isinstance(shown, QMainWindow):
            menus.append(shown.menuBar())
        for menu in menus:
            if isinstance(menu, QMenu):
                menu.aboutToShow.emit()
            texts = [action.text().replace("&&", "") for action in menu.actions()]
            letters = Counter(letter.upper() for text in texts for letter in re.findall("&(.)", text))
            twice |= {(letter, *texts) for letter, count in letters.items() if count > 1}
    assert not twice


def focus() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def press(keys: str) -> None:
    combination = QKeySequence(keys)[0]  # type: ignore[index]
    QTest.keyClick(focus(), combination.key(), combination.keyboardModifiers())


def walk(keys: str) -> list[QWidget]:
    """What has the keyboard when this key is pressed again and again, until it has come round."""
    first = last = focus()
    visited = [first]
    for _ in range(500):
        press(keys)
        here = focus()
        if here is first:
            return visited
        if here is not last:
            visited.append(here)
        last = here
    raise AssertionError(f"{keys} never comes back to {first}; it is at {last}")


def area_of(widget: QWidget) -> QRect:
    return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())


def jumps(order: Sequence[QWidget], parts: Sequence[QWidget]) -> list[tuple[QWidget, QWidget]]:
    """Where an order goes back within a part: up, without going on to the right, or to the left in a line."""
    found = []
    for one, other in pairwise(order):
        is_within = any(part.isAncestorOf(one) and part.isAncestorOf(other) for part in parts)
        here, there = area_of(one), area_of(other)
        is_above = there.bottom() < here.top() and there.left() < here.right()
        is_left = there.right() < here.left() and here.top() < there.bottom() and there.top() < here.bottom()
        if is_within and (is_above or is_left):
            found.append((one, other))
    return found


WALKED = [each for each in WINDOWS if each is not dialogs]


@pytest.mark.parametrize("opened", WALKED, ids=lambda each: each.__name__)
def test_tab_goes_through_everything_as_the_eye_does(window, qtbot, opened):
    for shown in opened(window, qtbot):
        if shown is window.windows.session.audience:
            continue  # Tab is a key like the others there
        show(shown, qtbot)
        order = focus_order(shown)
        order[0].setFocus()
        there = walk("Tab")
        # Of several buttons that are one choice, Tab goes to the one that is chosen.
        assert {part for part in order if part.focusPolicy() & Qt.FocusPolicy.TabFocus} <= set(there)
        assert jumps(there, panes_of(shown)) == []
        back = walk("Shift+Tab")
        assert set(back) == set(there)


@pytest.mark.parametrize("opened", WALKED, ids=lambda each: each.__name__)
def test_f6_goes_round_the_panes(window, qtbot, opened):
    for shown in opened(window, qtbot):
        if shown is window.windows.session.audience or (isinstance(shown, QDialog) and opened is compare):
            continue
        show(shown, qtbot)
        panes = panes_of(shown)
        assert len(panes) > 1
        focus_order(panes[0])[0].setFocus()
        for keys in ("F6", "Shift+F6"):
            visited = walk(keys)
            assert len(visited) == len(panes)
            assert all(sum(pane is here or pane.isAncestorOf(here) for here in visited) for pane in panes)
