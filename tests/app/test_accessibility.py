"""All windows for those who do not see or do not use a mouse: each is opened, and what is in it is walked."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAction, QTextDocument
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QGraphicsScene,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QTableView,
    QToolBar,
    QWidget,
)
from shiboken6 import isValid

from gpviz import assets
from gpviz.app import announcements
from gpviz.app.compare.window import CompareWindow
from gpviz.app.dialogs.crash_report import CrashReporter
from gpviz.app.guide.window import GuideWindow
from gpviz.app.main_window import MainWindow
from gpviz.app.widgets.focus_order import focus_order, panes_of
from gpviz.app.widgets.layouts import WrappingScrollArea
from gpviz.engine import RunConfig
from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.plan import Plan
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import new_store_path
from gpviz.explain.step_text import VERDICT_WORDS, tell
from gpviz.page_list import PAGES
from gpviz.runs.pause_rules import PauseRules
from gpviz.runs.presets import find_preset
from gpviz.runs.show_request import ShowRequest
from tests.app.canvas.pictures import card_text
from tests.app.main_windows import let_go, open_window, press

PLAN = Plan(name="tiny", title="Tiny", runs=4, x="n", settings={"limit": "2n"}, grid={"n": (2, 3)})
LONGEST_LINE = 80
"""Tooltips with longer lines wrap."""
MARKUP = re.compile(r"</?(p|b|i|br|span|table|h\d|sub|sup|div)\b[^>]*>")


@pytest.fixture
def dressed(qtbot) -> Iterator[MainWindow]:
    """A window in its theme, as people see it."""
    made = open_window(is_themed=True)
    made.resize(1500, 900)
    go_to_60(made, qtbot)
    show(made, qtbot)
    yield made
    let_go(made)


@pytest.fixture
def window(window, qtbot) -> MainWindow:
    window.resize(1500, 900)
    go_to_60(window, qtbot)
    return window


def go_to_60(window: MainWindow, qtbot) -> None:
    window.player.run_to(60)
    qtbot.waitUntil(lambda: len(window.player.run.history) >= 60 and window.player.is_settled)


def show(widget: QWidget, qtbot) -> None:
    widget.show()
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)


def pages(window: MainWindow, qtbot) -> Iterator[QWidget]:
    for info in PAGES:
        window.show_page(info.name)
        page = window.views.drawer.page(info.name)
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
    (guide,) = window.findChildren(GuideWindow)
    qtbot.waitUntil(guide.isActiveWindow)
    yield guide
    guide.close()


def paper(window: MainWindow, qtbot) -> Iterator[QWidget]:
    window.windows.show_paper()
    paper = window.windows.paper
    assert paper is not None
    qtbot.waitUntil(paper.isActiveWindow)
    yield paper
    paper.close()


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
    window.windows.rehearse(0)
    session = window.windows.lecture_mode
    qtbot.waitUntil(lambda: session.presenter is not None and session.presenter.isVisible())
    assert session.audience is not None
    assert session.presenter is not None
    yield from (session.audience, session.presenter)
    session.stop()


def dialogs(window: MainWindow, qtbot) -> Iterator[QWidget]:
    window.find_command()
    window.show_gallery()
    window.player.problem_met.emit("The file <b> is not there.")
    for dialog in window.findChildren(QDialog):
        qtbot.waitUntil(dialog.isVisible)
        yield dialog
        dialog.close()
    reporter = CrashReporter()
    reporter.report(ValueError, ValueError("all of it"), None)
    assert reporter.dialog is not None
    yield reporter.dialog
    reporter.dialog.close()


WINDOWS = (pages, dialogs, compare, experiments, guide, paper, export, lecture)


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


def labels_not_heard(shown: QWidget) -> set[tuple[str, ...]]:
    """What is read off a label is heard of it; the shapes of a legend are only seen."""
    pairs = {
        (" ".join(seen_text(label).split()), " ".join(f"{name_of(label)} {description_of(label)}".split()))
        for label in shown.findChildren(QLabel)
    }
    return {
        (text, heard)
        for text, heard in pairs
        if not all(part.strip() in heard for part in re.split("[■□▲▼]", text))
    }


def markup_heard(shown: QWidget) -> set[tuple[str, ...]]:
    """Nobody hears markup."""
    texts = {(type(part).__name__, f"{name_of(part)} {description_of(part)}") for part in parts_of(shown)}
    return {each for each in texts if MARKUP.search(each[1]) and each[1] != "The file <b> is not there. "}


def tooltips_not_wrapped(shown: QWidget) -> set[tuple[str, ...]]:
    """Long tooltips wrap."""
    tips = {(type(part).__name__, part.toolTip()) for part in parts_of(shown)}
    return {
        each
        for each in tips
        if not each[1].startswith("<p") and max(map(len, each[1].split("\n"))) > LONGEST_LINE
    }


def nameless(shown: QWidget) -> set[tuple[str, ...]]:
    """All that has the keyboard has a name."""
    return {(type(part).__name__,) for part in focus_order(shown) if not name_of(part)}


def choices_without_label(shown: QWidget) -> set[tuple[str, ...]]:
    """A screen reader says what is chosen, and the label for what it is; on Linux the name is not asked for."""
    labelled = {label.buddy() for label in shown.findChildren(QLabel)}
    return {(box.accessibleName(),) for box in shown.findChildren(QComboBox) if box not in labelled}


def letters_used_twice(shown: QWidget) -> set[tuple[str, ...]]:
    """No letter means two things in a menu."""
    menus: list[QWidget] = [*shown.findChildren(QMenu)]
    if isinstance(shown, QMainWindow):
        menus.append(shown.menuBar())
    twice = set()
    for menu in menus:
        if isinstance(menu, QMenu):
            menu.aboutToShow.emit()
        texts = [action.text().replace("&&", "") for action in menu.actions()]
        letters = Counter(letter.upper() for text in texts for letter in re.findall("&(.)", text))
        twice |= {(letter, *texts) for letter, count in letters.items() if count > 1}
    return twice


def moved_on_macos(shown: QWidget) -> set[tuple[str, ...]]:
    """By its text macOS would take an action for one of those that every program has, and move it elsewhere."""
    allowed = {"quit": QAction.MenuRole.QuitRole, "about": QAction.MenuRole.AboutRole}
    return {
        (action.objectName(), action.text(), action.menuRole().name)
        for action in (*shown.actions(), *shown.findChildren(QAction))
        if action.text()
        and action.menuRole() != allowed.get(action.objectName(), QAction.MenuRole.NoRole)
        and not isinstance(
            action.parent(), QToolBar | QLineEdit | QGraphicsScene
        )  # not ours, and in no menu bar
    }


def empty_menus(shown: QWidget) -> set[tuple[str, ...]]:
    """macOS leaves out a menu that is empty before somebody opens it."""
    bars = [shown.menuBar()] if isinstance(shown, QMainWindow) else []
    menus = [menu for bar in bars for top in bar.actions() for menu in _with_submenus(top.menu())]
    return {(menu.title(),) for menu in menus if menu.isEmpty() and menu.isEnabled()}


def _with_submenus(menu: QMenu) -> list[QMenu]:
    below = [action.menu() for action in menu.actions() if action.menu() is not None]
    return [menu, *(each for submenu in below for each in _with_submenus(submenu))]


FAULTS = (
    empty_menus,  # before another test opens them
    moved_on_macos,
    labels_not_heard,
    markup_heard,
    tooltips_not_wrapped,
    nameless,
    choices_without_label,
    letters_used_twice,
)


def focus() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


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


def check_tab_goes_through_everything_as_the_eye_does(shown: QWidget) -> None:
    order = focus_order(shown)
    order[0].setFocus()
    there = walk("Tab")
    # Of several buttons that are one choice, Tab goes to the one that is chosen.
    assert {part for part in order if part.focusPolicy() & Qt.FocusPolicy.TabFocus} <= set(there)
    panes = panes_of(shown)
    assert jumps(there, panes) == []
    around = [pane for part in there for pane in panes if pane is part or pane.isAncestorOf(part)]
    passed = [pane for pane, _ in groupby(around)]
    assert len(passed) == len(set(passed)), "a pane is left and entered again"
    if not isinstance(shown, MainWindow):  # where Tab goes in the order of what one does
        assert jumps(passed, [shown]) == []
    back = walk("Shift+Tab")
    assert set(back) == set(there)


def check_f6_goes_round_the_panes(shown: QWidget) -> None:
    panes = panes_of(shown)
    assert len(panes) > 1
    focus_order(panes[0])[0].setFocus()
    for keys in ("F6", "Shift+F6"):
        visited = walk(keys)
        assert len(visited) == len(panes)
        assert all(sum(pane is here or pane.isAncestorOf(here) for here in visited) for pane in panes)


@pytest.mark.parametrize("windows", [WINDOWS[:1], WINDOWS[1:]], ids=["pages", "other windows"])
def test_everything_is_heard_named_called_by_its_letter_and_reached_by_keys(
    dressed, qtbot, subtests, windows
):
    """One test for all of it, as the windows take longer to open than to look at."""
    for opened in windows:
        found: dict[str, set[tuple[str, ...]]] = {faults.__name__: set() for faults in FAULTS}
        for index, shown in enumerate(opened(dressed, qtbot)):
            for faults in FAULTS:
                found[faults.__name__] |= faults(shown)
            if opened is dialogs or shown is dressed.windows.lecture_mode.audience:
                continue  # Tab is a key like the others for an audience
            show(shown, qtbot)
            with subtests.test("Tab goes through everything as the eye does", at=(opened.__name__, index)):
                check_tab_goes_through_everything_as_the_eye_does(shown)
            if not is_form(shown, opened):
                with subtests.test("F6 goes round the panes", at=(opened.__name__, index)):
                    check_f6_goes_round_the_panes(shown)
        with subtests.test("heard, named and called by its letter", window=opened.__name__):
            assert not any(found.values()), found


def is_form(shown: QWidget, opened: Callable[..., Iterator[QWidget]]) -> bool:
    """Whether it is the form for another run of a comparison, which has no panes."""
    return isinstance(shown, QDialog) and opened is compare


def test_ctrl_w_closes_every_window(dressed, qtbot, subtests):
    for opened in WINDOWS:
        if opened in (pages, dialogs):
            continue
        with subtests.test(opened.__name__):
            shown = next(each for each in opened(dressed, qtbot) if each is not dressed)
            show(shown, qtbot)
            shown.setFocus()
            press("Ctrl+W")
            qtbot.waitUntil(lambda shown=shown: not isValid(shown) or not shown.isVisible())
    show(dressed, qtbot)
    dressed.setFocus()
    press("Ctrl+W")
    assert not dressed.isVisible()


def ring_of(widget: QWidget) -> set[str]:
    """The colours at the edge of a widget."""
    image = widget.grab().toImage()
    return {image.pixelColor(x, image.height() // 2).name() for x in range(6)}


def test_it_is_seen_what_has_the_keyboard(dressed):
    accent, views = dressed.theme.colours.accent, dressed.views
    assert views.canvas.hasFocus()  # from the start
    assert accent not in ring_of(views.canvas)  # until the focus is moved by a key
    for name in ("canvas", "proof", "branches"):
        if name == "canvas":
            widget = views.canvas
            views.transport.slider.setFocus()
            widget.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            dressed.show_page(name)
            page = views.drawer.page(name)
            widget = page.findChild(WrappingScrollArea if name == "proof" else QTableView)
            widget.setFocus()
        assert accent in ring_of(widget), name
        views.transport.slider.setFocus()
        assert accent not in ring_of(widget), name


def test_esc_closes_the_comparison_where_nothing_else_wants_it(window, qtbot):
    shown = next(compare(window, qtbot))
    assert isinstance(shown, CompareWindow)
    canvas = shown.views[0].canvas
    canvas.setFocus()
    shown.player.step_forward()
    qtbot.waitUntil(lambda: canvas.moment is not None and canvas.moment.tree is not None)
    press("Alt+Up")
    assert canvas.selected_uid is not None
    press("Esc")
    assert shown.isVisible()
    qtbot.waitUntil(lambda: canvas.selected_uid is None)
    press("Esc")
    qtbot.waitUntil(lambda: window.windows.compare is None)


def test_a_plan_that_is_shown_is_started_by_return(window, qtbot):
    window.windows.show_plan(PLAN)
    experiments = window.windows.experiments
    qtbot.waitUntil(experiments.isActiveWindow)
    assert focus() is experiments.launch.start_button
    started = []
    experiments.runner.run = lambda open_store, _jobs: started.append(open_store.args[-1])
    press("Return")
    assert started == [PLAN]


@pytest.fixture
def heard(window, qtbot, monkeypatch) -> list[str]:
    """What screen readers hear from now on."""
    texts: list[str] = []
    monkeypatch.setattr(announcements, "announce", lambda _window, text: texts.append(text))
    window.player.step_back()
    qtbot.waitUntil(lambda: any(f"Iteration {window.player.cursor}." in text for text in texts))
    texts.clear()
    return texts


class TestAnnouncements:
    def test_a_step_is_announced_with_the_state_of_its_tree(self, window, qtbot, heard):
        window.file_controller.show_run(find_preset("figure-1-first-tree").request)
        qtbot.waitUntil(lambda: any(text.endswith("Stuck.") for text in heard))
        history = window.player.run.history
        press("Right")
        qtbot.waitUntil(lambda: any(text.startswith("Iteration 1. ") for text in heard))
        assert heard[-1] == f"Iteration 1. {tell(history, 1)} Stuck."

    def test_what_a_step_did_to_the_outlook_is_announced_when_it_is_known(self, window, qtbot, heard):
        window.file_controller.show_run(
            ShowRequest(run=RunConfig(n=3, limit="4", deletion="leaf", seed=45), iteration=8)
        )
        qtbot.waitUntil(lambda: any("raises the chance to end stuck" in text for text in heard))

    def test_of_many_steps_the_last_is_announced(self, window, qtbot, heard):
        for _ in range(8):
            press("Left")
        assert heard == []
        cursor = window.player.cursor
        qtbot.waitUntil(lambda: bool(heard))
        assert len(heard) == 1
        assert heard[0].startswith(f"Iteration {cursor}. ")

    def test_while_a_run_plays_nothing_is_announced_and_why_it_pauses_is(self, window, qtbot, heard):
        window.player.set_speed(math.inf)
        window.player.set_rules(PauseRules(iteration=window.player.cursor + 40))
        window.player.play()
        qtbot.waitUntil(lambda: not window.player.is_playing)
        qtbot.waitUntil(lambda: bool(heard))
        assert len(heard) == 1
        assert heard[0].startswith("Paused. ")

    def test_a_pause_that_is_over_before_it_was_announced_is_not_announced_later(self, window, qtbot, heard):
        window.player.paused_by.emit("The tree is stuck.")
        window.player.set_speed(1.0)
        window.player.play()
        window.player.pause()
        qtbot.waitUntil(lambda: bool(heard))
        assert heard[0].startswith(f"Iteration {window.player.cursor}. ")
        window.player.paused_by.emit("The tree is stuck.")
        press("Left")
        qtbot.waitUntil(lambda: len(heard) > 1)
        assert heard[1].startswith(f"Iteration {window.player.cursor}. ")

    def test_guesses_are_announced_and_the_verdict_is_not_before(self, window, qtbot, heard):
        press("Q")
        press("Right")
        qtbot.waitUntil(lambda: any("Accepted or rejected?" in text for text in heard))
        assert not any(word in " ".join(heard) for word in VERDICT_WORDS.values())
        press("Y")
        qtbot.waitUntil(lambda: any("Right" in text or "Wrong" in text for text in heard))

    def test_messages_and_problems_are_announced(self, window, qtbot, heard):
        press("B")
        qtbot.waitUntil(lambda: heard == [f"Iteration {window.player.cursor} is bookmarked."])
        window.player.problem_met.emit("It cannot go on.")
        qtbot.waitUntil(lambda: heard[-1] == "It cannot go on.")
        for box in window.findChildren(QDialog):
            box.close()

    def test_it_reaches_qt(self, window, monkeypatch):
        events: list[QAccessibleAnnouncementEvent] = []
        monkeypatch.setattr(QAccessible, "updateAccessibility", events.append)
        announcements.announce(window, "Iteration 81, improved.")
        assert [event.message() for event in events] == ["Iteration 81, improved."]


def test_the_card_of_the_chosen_node_is_the_description_of_the_tree(window, qtbot):
    canvas = window.views.canvas
    canvas.setFocus()
    for keys in ("Alt+Up", "Alt+Down"):
        before = canvas.accessibleDescription()
        press(keys)
        qtbot.waitUntil(lambda before=before: before != canvas.accessibleDescription() == card_text(canvas))
    press("Esc")
    qtbot.waitUntil(lambda: canvas.accessibleDescription().startswith("Iteration "))


def test_the_row_under_the_cursor_is_in_the_description_of_the_truth_table(window, qtbot):
    window.show_page("rows")
    page = window.views.drawer.page("rows")
    qtbot.waitUntil(lambda: page.table is not None)
    page.grid.setFocus()
    texts = set()
    for keys in ("Home", "Right", "Down"):
        press(keys)
        assert page.grid.accessibleDescription().startswith(page.readout.text())
        texts.add(page.grid.accessibleDescription())
    assert len(texts) == 3


def test_a_label_that_changes_is_heard_as_it_is_then(window, qtbot):
    window.show_page("rows")
    page = window.views.drawer.page("rows")
    qtbot.waitUntil(lambda: page.table is not None)
    label = page.readout
    page.grid.setFocus()
    press("Home")
    before = name_of(label)
    press("Right")
    assert name_of(label) == label.text() != before
