"""The neighbours page: what it shows of the tree under the cursor, what it says when asked, and when it works."""

import threading
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QToolTip

from gpviz.analysis import ExpectedWait, expected_wait, neighbourhood, waiting_time
from gpviz.app.pages.neighbours import neighbours_page
from gpviz.app.pages.neighbours.mutation_table import STUCK_AFTER, MutationModel, Sorting, ordered
from gpviz.app.pages.neighbours.neighbours_page import NeighboursPage
from gpviz.app.pages.neighbours.probability_charts import (
    ChangeHistogram,
    VerdictBar,
    _label,
    bin_text,
    fitting_text,
    lengths_of,
)
from gpviz.app.theme import load_theme, style_sheet
from gpviz.assets import THEME_NAMES
from gpviz.engine import GpvizError, Operation, RunConfig, Side, TooComplexError, Verdict, parse
from gpviz.engine.interruption import Stopped
from gpviz.engine.tree import nodes_of
from gpviz.escaping import tooltip_text
from gpviz.explain.moment import preview_of
from gpviz.explain.neighbour_outlooks import NeighbourOutlooks
from gpviz.explain.next_iteration_odds import Bin, bins_of, drift_figure, likely_verdict, odds_of
from gpviz.explain.outlook_along_run import KnownKinds
from gpviz.explain.outlook_text import unchanged_text, wait_figure, wait_text
from gpviz.runs.history import History
from gpviz.runs.presets import find_preset
from tests.app.page_window import PageWindow
from tests.runs.runs import recorded, run_with_changed_rules

CONFIG = RunConfig(n=5, limit="5", seed=2)
SAMPLED = CONFIG.replaced(fitness="sampled", rows=9)
TREE = parse("x1 & (x2 | x3) & x1")


@pytest.fixture
def page(qtbot):
    made = NeighboursPage()
    qtbot.addWidget(made)
    made.resize(1000, 230)
    made.show()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    yield made
    made.shut_down()


def visit(qtbot, page, history, iteration=None):
    page.show_moment(history, len(history) if iteration is None else iteration)
    qtbot.waitUntil(lambda: not page.is_busy and page.odds is not None)


def visit_and_wait(qtbot, page, history, iteration=None):
    """Visit, and stay until the expected wait is known, too."""
    visit(qtbot, page, history, iteration)
    qtbot.waitUntil(lambda: not page.is_wait_awaited)


def start(tree=TREE, config=CONFIG):
    return History(config, tree)


def texts(model, name):
    column = model.names.index(name)
    return [model.index(row, column).data() for row in range(model.rowCount())]


class Finder(QObject):
    """Works out the outlooks that it is asked for when it is told to."""

    outlook_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kinds = KnownKinds()
        self.source: NeighbourOutlooks | None = None

    def set_source(self, source: NeighbourOutlooks) -> None:
        self.source = source

    def drop_source(self, source: NeighbourOutlooks) -> None:
        self.source = None

    def work(self, *, most: int = 1000) -> None:
        for _ in range(most):
            job = None if self.source is None else self.source.next_job()
            if job is None:
                break
            job.work()
        self.outlook_changed.emit()


def previews(page):
    """A list that gets every mutation that is to be previewed on the tree."""
    said: list[Any] = []
    connect(page, preview=said.append)
    return said


def connect(page, **parts):
    """Let the page stand in a window that can do these things; what works out outlooks there."""
    finder = Finder()
    usual = {"preview": lambda _: None, "refresh_overlay": lambda: None, "outlook_finder": finder}
    page.connect_to(SimpleNamespace(**(usual | parts)))
    return finder


def heats(page):
    """A list that gets the heat of the nodes whenever it is to be laid over the tree anew."""
    said: list[Any] = []

    def refresh_overlay() -> None:
        overlay = page.overlay_on(None)
        said.append(None if overlay is None else overlay.heat)

    connect(page, refresh_overlay=refresh_overlay)
    return said


def test_the_page_shows_what_the_next_iteration_can_do(qtbot, page):
    _, _, history = recorded(CONFIG, 40)
    visit(qtbot, page, history)
    around = neighbourhood(history.tree_at(40), CONFIG)
    for verdict in Verdict:
        assert page.odds.probability(verdict) == around.probability(verdict)
    assert page.model.rowCount() == len([one for one in around.neighbours if one.mutation.side is Side.LEFT])
    assert page.drift.number.text() == drift_figure(page.odds)


def test_the_wait_so_far_is_shown_at_once(qtbot, page):
    _, _, history = recorded(CONFIG, 40)
    page.show_moment(history, 0)
    assert page.waited.number.text() == "–"
    visit(qtbot, page, history)
    last = max(i for i in range(1, 41) if history.step_at(i).verdict is Verdict.IMPROVED)
    assert page.waited.number.text() == str(40 - last)


def test_the_expected_wait_is_the_true_one_and_beside_it_that_of_an_unchanged_tree(qtbot, page):
    config = RunConfig(n=4, limit="4", deletion="leaf")
    tree = parse("x1 & x2 & x3", 4)
    visit_and_wait(qtbot, page, start(tree, config))
    wait = expected_wait(tree, config)
    unchanged = neighbourhood(tree, config).wait_if_unchanged
    assert page.wait.number.text() == wait_figure(wait)
    assert page.wait.accessibleDescription() == f"{wait_text(wait)} {unchanged_text(unchanged)}"
    assert page.wait.number.text() != "24"
    assert "would take 24 iterations" in page.wait.accessibleDescription()


def test_the_wait_is_found_after_the_odds_and_only_once(qtbot, page, monkeypatch):
    asked = []

    def counted(tree, rules, *, should_stop):
        asked.append(tree)
        return ExpectedWait(12.0, is_exact=True, trees=1)

    monkeypatch.setattr(neighbours_page, "expected_wait", counted)
    first, other = start(), start(parse("x1 & x2"))
    for history in (first, other, first, other):
        visit_and_wait(qtbot, page, history)
        assert page.wait.number.text() == "12"
    assert asked == [first.tree_at(0), other.tree_at(0)]


def test_a_wait_that_nobody_wants_any_more_is_not_looked_for_on(qtbot, page, monkeypatch):
    stopped = []
    begun = threading.Event()

    def endless(tree, rules, *, should_stop):
        begun.set()
        while not should_stop():
            threading.Event().wait(0.001)
        stopped.append(tree)
        raise Stopped

    monkeypatch.setattr(neighbours_page, "expected_wait", endless)
    first = start()
    visit(qtbot, page, first)
    qtbot.waitUntil(begun.is_set)
    assert page.wait.number.text() == "…"
    assert "Working out how long" in page.wait.accessibleDescription()
    begun.clear()
    page.show_moment(start(parse("x1 & x2")), 0)
    qtbot.waitUntil(lambda: stopped == [first.tree_at(0)])
    qtbot.waitUntil(begun.is_set)
    page.hide()
    assert not page.is_wait_awaited
    qtbot.waitUntil(lambda: len(stopped) == 2)
    page.show()
    assert page.is_wait_awaited


def test_a_wait_that_takes_too_long_to_find_stays_unknown(qtbot, page, monkeypatch):
    monkeypatch.setattr(neighbours_page, "USUAL_SECONDS", 0.0)
    visit_and_wait(qtbot, page, start())
    assert page.wait.number.text() == "?"
    assert "finding out takes too long" in page.wait.accessibleDescription()


def test_a_wait_that_cannot_be_found_says_why(qtbot, page, monkeypatch):
    def too_complex(*_arguments, should_stop):
        raise TooComplexError("It takes too many case distinctions.")

    monkeypatch.setattr(neighbours_page, "expected_wait", too_complex)
    visit_and_wait(qtbot, page, start())
    assert page.wait.number.text() == "?"
    assert "too many case distinctions" in page.wait.accessibleDescription()


def test_only_a_stuck_tree_never_improves(qtbot, page):
    tree = parse("(x3 & x2) | (x2 & x3)")
    visit_and_wait(qtbot, page, start(tree, RunConfig(n=4, limit="4", deletion="leaf")))
    assert page.wait.number.text() == "never"
    assert page.note.isVisible()
    assert page.note.text() == "No improvement can ever come: the tree is stuck."
    visit_and_wait(qtbot, page, start(tree, RunConfig(n=4, limit="4", deletion="subtree")))
    assert float(page.wait.number.text()) > 10
    assert page.note.text() == "No single mutation improves this tree: neutral steps have to change it first."
    visit(qtbot, page, start())
    assert not page.note.isVisible()


def test_a_solved_tree_waits_for_nothing(qtbot, page):
    visit_and_wait(qtbot, page, start(parse("x1 & x2"), RunConfig(n=2)))
    assert page.wait.number.text() == "–"
    assert page.note.text() == "Nothing is left to wait for: the tree is solved."


def test_a_sampled_run_waits_until_an_offspring_looks_better(qtbot, page, monkeypatch):
    monkeypatch.setattr(waiting_time, "_WANTED_ERROR", 0.5)
    visit_and_wait(qtbot, page, start(config=SAMPLED))
    assert page.wait.number.text().startswith("≈ ")
    assert "until an offspring looks better" in page.wait.accessibleDescription()


def test_the_empty_tree_has_a_page_too(qtbot, page):
    visit_and_wait(qtbot, page, start(None))
    assert page.wait.number.text() == "1"
    assert page.drift.number.text() == "–"
    assert texts(page.model, "node") == ["–"] * 5
    assert page.histogram.bins == ()
    page.grab()


def test_choosing_a_row_tells_the_mutation_and_nothing_chosen_tells_none(qtbot, page):
    history = start()
    visit(qtbot, page, history)
    said = previews(page)
    page.table.selectRow(3)
    one = page.model.row_at(3)
    assert said == [one.mutation]
    step = preview_of(history, 0, one.mutation).step
    assert step is not None
    assert step.verdict is one.verdict
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Escape)
    assert said == [one.mutation, None]
    page.table.selectRow(1)
    page.clear_choice()
    assert said[-1] is None


def test_every_row_previews_as_it_says(qtbot, page):
    history = start()
    visit(qtbot, page, history)
    for row in range(page.model.rowCount()):
        one = page.model.row_at(row)
        step = preview_of(history, 0, one.mutation).step
        assert step is not None
        assert step.verdict is one.verdict
        assert step.offspring_error == one.error


def test_another_iteration_ends_the_choice_and_the_same_one_keeps_it(qtbot, page):
    _, _, history = recorded(CONFIG, 60)
    same = next(i for i in range(20, 60) if history.tree_at(i) is history.tree_at(i + 1))
    visit(qtbot, page, history, same)
    page.table.selectRow(2)
    said = previews(page)
    page.show_moment(history, same)
    assert said == []
    page.show_moment(history, same + 1)
    assert not page.is_busy
    assert said == [None]
    assert not page.table.currentIndex().isValid()
    page.show_moment(history, 1)
    page.table.selectRow(0)  # of the tree before, while the new one is looked at
    assert page.is_busy
    assert said == [None]


def test_headers_sort_up_and_down_and_the_choice_stays(qtbot, page):
    visit(qtbot, page, start())
    page.table.selectRow(4)
    chosen = page.model.row_at(4).mutation
    said = previews(page)
    for name in page.model.names:
        column = page.model.names.index(name)
        for order in (Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder):
            page.table.sortByColumn(column, order)
            listed = ordered(page.odds, page.model.sorting).indexes
            assert len(listed) == len(page.odds.neighbours)
            assert page.model.row_at(page.table.currentIndex().row()).mutation == chosen
    assert said == []


def test_sorting_by_error_puts_the_best_first_and_what_is_not_evaluated_last():
    odds = odds_of(TREE, CONFIG.replaced(limit="4"))
    for is_descending in (False, True):
        places = ordered(odds, Sorting("change", is_descending)).indexes
        changes = [odds.neighbours[place].error_change for place in places]
        known = [change for change in changes if change is not None]
        assert changes == sorted(known, reverse=is_descending) + [None] * (len(changes) - len(known))
    places = ordered(odds, Sorting("probability")).indexes
    chances = [odds.neighbours[place].probability for place in places]
    assert chances == sorted(chances)


def test_return_sorts_by_the_column_of_the_cursor(qtbot, page):
    visit(qtbot, page, start())
    page.table.setFocus()
    column = page.model.names.index("variable")
    page.table.setCurrentIndex(page.model.index(0, column))
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert page.model.sorting[:2] == ("variable", False)
    page.table.setCurrentIndex(page.model.index(0, column))
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert page.model.sorting[:2] == ("variable", True)
    assert page.table.horizontalHeader().sortIndicatorSection() == column


def test_a_click_on_a_header_sorts(qtbot, page):
    visit(qtbot, page, start())
    header = page.table.horizontalHeader()
    column = page.model.names.index("node")
    place = QPoint(header.sectionViewportPosition(column) + 5, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert page.model.sorting.column == "node"


def test_verdicts_and_operations_can_be_listed_alone(qtbot, page):
    visit(qtbot, page, start())
    page.verdict_field.set_value("improved")
    rows = [page.model.row_at(row) for row in range(page.model.rowCount())]
    assert rows
    assert {one.verdict for one in rows} == {Verdict.IMPROVED}
    assert page.count.text() == f"{len(rows)} of {len(page.odds.neighbours)}"
    page.operation_field.set_value("INS")
    assert set(texts(page.model, "operation")) == {"INS"}
    page.verdict_field.set_value("")
    assert set(texts(page.model, "operation")) == {"INS"}
    page.operation_field.set_value("")
    assert page.model.rowCount() == len(page.odds.neighbours)


def test_a_filter_that_hides_the_chosen_row_ends_the_choice(qtbot, page):
    visit(qtbot, page, start())
    page.table.selectRow(0)
    said = previews(page)
    assert page.model.row_at(0).verdict is Verdict.IMPROVED
    page.verdict_field.set_value("worse")
    assert said == [None]


def test_a_click_on_the_bar_lists_that_verdict_and_another_click_all(qtbot, page):
    visit(qtbot, page, start())
    middle = page.bar.part_of(Verdict.WORSE).center().toPoint()
    qtbot.mouseClick(page.bar, Qt.MouseButton.LeftButton, pos=middle)
    assert page.verdict_field.value() == "worse"
    assert page.model.sorting.verdict is Verdict.WORSE
    page.grab()
    qtbot.mouseClick(page.bar, Qt.MouseButton.LeftButton, pos=middle)
    assert page.verdict_field.value() == ""
    qtbot.mouseClick(page.bar, Qt.MouseButton.RightButton, pos=middle)
    assert page.verdict_field.value() == ""


def test_heat_is_told_while_it_is_wanted_and_seen(qtbot, page):
    said = heats(page)
    history = start()
    visit(qtbot, page, history)
    assert said == []
    page.heat_box.setChecked(True)
    assert set(said[-1]) == {node.uid for node in nodes_of(TREE)}
    assert sum(said[-1].values()) == pytest.approx(float(page.odds.probability(Verdict.IMPROVED)))
    first = said.pop()
    page.show_moment(start(parse("x2 & x4")), 0)
    assert said.pop() is None
    qtbot.waitUntil(lambda: page.odds is not None)
    assert said.pop() not in (None, first)
    page.hide()
    assert said.pop() is None
    page.show()
    assert said.pop() is not None
    page.heat_box.setChecked(False)
    assert said == [None]


def test_a_node_tells_its_share(qtbot, page):
    assert page.hover_text(0) == ""
    visit(qtbot, page, start())
    assert page.hover_text(TREE.uid) == page.odds.share_text(TREE.uid) != ""


def test_a_tree_seen_before_is_shown_at_once(qtbot, page):
    first, second = start(), start(parse("x4 | x5"))
    visit(qtbot, page, first)
    visit(qtbot, page, second)
    page.show_moment(first, 0)
    assert not page.is_busy
    assert page.odds.tree is TREE


def test_the_same_tree_under_other_settings_is_looked_at_anew(qtbot, page):
    visit(qtbot, page, start())
    free = page.odds.probability(Verdict.TOO_LARGE)
    visit(qtbot, page, start(config=CONFIG.replaced(limit="4")))
    assert free == 0
    assert page.odds.probability(Verdict.TOO_LARGE) == Fraction(1, 3)


def test_trees_that_come_faster_than_they_are_looked_at_wait_for_calm(qtbot, monkeypatch):
    now, looked_at = [10.0], []

    def costly(tree, rules, *, should_stop):
        looked_at.append(tree)
        now[0] += 0.1
        return odds_of(tree, rules)

    monkeypatch.setattr(neighbours_page, "odds_of", costly)
    page = NeighboursPage(clock=lambda: now[0])
    qtbot.addWidget(page)
    histories = [start(parse(f"x1 & x{variable}")) for variable in (3, 4, 5)]
    visit(qtbot, page, histories[0])
    for history in histories[1:]:
        page.show_moment(history, 0)
        assert page.is_busy
    qtbot.waitUntil(lambda: page.odds is not None)
    assert looked_at == [histories[0].start, histories[2].start]
    page.shut_down()


def test_a_wish_that_is_overtaken_is_never_shown(qtbot, page):
    last = start(parse("x1 & x5"))
    for variable in (2, 3, 4):
        page.show_moment(start(parse(f"x1 & x{variable}")), 0)
    visit(qtbot, page, last)
    assert page.odds.tree is last.start


def test_what_takes_long_is_said_to(qtbot, page, monkeypatch):
    may_end = threading.Event()

    def slow(tree, rules, *, should_stop):
        may_end.wait()
        return odds_of(tree, rules)

    monkeypatch.setattr(neighbours_page, "odds_of", slow)
    try:
        page.show_moment(start(parse("x1 & x4")), 0)
        qtbot.waitUntil(lambda: page.note.text() == "Listing all mutations of this tree …")
        assert page.model.rowCount() == 0
        assert page.wait.number.text() == "…"
    finally:
        may_end.set()
    qtbot.waitUntil(lambda: page.odds is not None)
    assert not page.note.isVisible()


def test_hiding_ends_the_work_and_showing_begins_it_anew(qtbot, page):
    history = start()
    page.show_moment(history, 0)
    page.hide()
    assert not page.is_busy
    page.show()
    visit(qtbot, page, history)


def test_a_list_that_is_too_long_says_what_is_known(qtbot, page, monkeypatch):
    def short(tree, config, *, should_stop):
        return odds_of(tree, config, most_listed=15)

    monkeypatch.setattr(neighbours_page, "odds_of", short)
    page.heat_box.setChecked(True)
    said = heats(page)
    visit(qtbot, page, start())
    assert "Too many to list: more than 15." in page.note.text()
    assert f"of all {page.odds.count} mutations" in page.note.text()
    assert not page.problem.isVisible()  # which is red, as if something had gone wrong
    assert page.bar.texts()[None].startswith("? not looked at")
    assert said == []
    page.grab()


def test_a_failure_is_told(qtbot, page, monkeypatch):
    def fails(*_args, **_options):
        raise GpvizError("tree: it uses x9.")

    monkeypatch.setattr(neighbours_page, "odds_of", fails)
    page.show_moment(start(), 0)
    qtbot.waitUntil(lambda: page.problem.isVisible())
    assert page.problem.text().endswith("tree: it uses x9.")


def test_a_sampled_run_shows_the_chance_of_acceptance(qtbot, page):
    visit(qtbot, page, start(config=SAMPLED))
    assert "accepted" in page.model.names
    one = page.model.row_at(0)
    assert likely_verdict(one) is Verdict.IMPROVED
    assert texts(page.model, "verdict")[0] == "▲ looks better"
    assert page.verdict_field.itemText(1) == "▲ looks better"
    assert "looks better" in page.bar.texts()[Verdict.IMPROVED]
    assert page.bar.hint_at(page.bar.part_of(Verdict.IMPROVED).center()).startswith("looks better, accepted")
    assert page.hover_text(page.odds.tree.uid).endswith("look better")
    column = page.model.names.index("accepted")
    assert "looks equal" in page.model.index(0, column).data(Qt.ItemDataRole.ToolTipRole)
    page.table.sortByColumn(column, Qt.SortOrder.DescendingOrder)
    assert page.model.sorting.column == "accepted"
    visit(qtbot, page, start())
    assert "accepted" not in page.model.names
    assert page.verdict_field.itemText(1) == "▲ improved"
    assert "improved" in page.bar.texts()[Verdict.IMPROVED]
    assert page.model.sorting.column == "change"


def test_cells_say_what_is_drawn_and_what_becomes_of_it(qtbot):
    model = MutationModel()
    odds = odds_of(TREE, CONFIG)
    model.show_odds(odds)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.sort(model.names.index("operation"))
    rows = {name: texts(model, name) for name in model.names}
    first = next(row for row, text in enumerate(rows["operation"]) if text == "INS")
    assert rows["node"][first] == "⇑ root-and"
    assert rows["node"][rows["operation"].index("DEL")] == "∧ · 1"
    assert rows["variable"][first] == "x₁"
    assert rows["function"][first] == "∧"
    assert rows["side"][first] == "either"
    assert rows["probability"][first] == "0.48 %"
    removal = rows["operation"].index("DEL")
    assert (rows["variable"][removal], rows["function"][removal], rows["side"][removal]) == ("–", "–", "–")
    assert {text[0] for text in rows["verdict"]} <= set("▲≈=▼✕")
    assert any(text.startswith("−") for text in rows["change"])
    hint = Qt.ItemDataRole.ToolTipRole
    assert model.index(first, model.names.index("probability")).data(hint) == tooltip_text("1/210 = 0.4762 %")
    assert "share a row" in model.index(first, model.names.index("side")).data(hint)
    assert "error would be" in model.index(first, model.names.index("change")).data(hint)
    assert model.index(first, 0).data(hint) is None
    assert isinstance(
        model.index(first, model.names.index("verdict")).data(Qt.ItemDataRole.DecorationRole), QColor
    )
    assert model.headerData(0, Qt.Orientation.Vertical) is None
    assert "Return" in model.headerData(0, Qt.Orientation.Horizontal, hint)
    assert model.row_of_mutation(odds.neighbours[5].mutation) is not None
    model.sort(99)
    assert model.sorting.column == "operation"
    model.show_odds(None)
    assert model.rowCount() == 0
    assert model.row_at(0) is None
    assert model.row_of_mutation(odds.neighbours[5].mutation) is None
    model.set_filter(None, Operation.DEL)
    assert model.sorting.operation is Operation.DEL


def test_every_positive_share_has_a_visible_length():
    lengths = lengths_of([1e-12, 0.5, 0.0, 0.3, 0.2], 400)
    assert sum(lengths) == pytest.approx(400)
    assert lengths[2] == 0
    assert lengths[0] == 5
    assert lengths[1] > lengths[3] > lengths[4]
    assert lengths_of([0.0, 0.0], 100) == [0.0, 0.0]
    assert lengths_of([0.5, 0.5], 6) == [3, 3]


def ask_for_hint(widget, point):
    event = QHelpEvent(QEvent.Type.ToolTip, point, widget.mapToGlobal(point))
    QApplication.sendEvent(widget, event)


def test_bar_and_histogram_tell_the_exact_numbers(qtbot, page):
    bar, histogram = VerdictBar(), ChangeHistogram()
    for part in (bar, histogram):
        qtbot.addWidget(part)
    assert bar.hint_at(QPointF(1, 1)) == ""
    bar.grab()
    histogram.grab()
    visit(qtbot, page, start())
    exact = page.bar.hint_at(page.bar.part_of(Verdict.IMPROVED).center())
    assert str(page.odds.probability(Verdict.IMPROVED)) in exact
    assert "exact probability" in page.bar.hint_at(QPointF(-5, -5))
    zero = next(place for place, part in enumerate(page.histogram.bins) if not part.first)
    left, width = page.histogram.columns()
    assert page.histogram.hint_at(left + (zero + 0.5) * width).startswith("error unchanged: ")
    assert "too large are not evaluated" in page.histogram.hint_at(-20)
    for part in (page.bar, page.histogram):
        ask_for_hint(part, QPoint(part.width() // 2, 5))
        assert QToolTip.isVisible()
    QToolTip.hideText()


def test_bins_are_told_in_words():
    assert bin_text(Bin(10, 29, 0.1)) == "error +10 to +29"
    assert bin_text(Bin(-29, -10, 0.1)) == "error −10 to −29"
    assert bin_text(Bin(-1, -1, 0.1)) == "error −1"


@pytest.mark.parametrize("name", THEME_NAMES)
def test_the_page_fits_a_wide_and_low_place_in_every_theme(qtbot, qapp, page, name):
    theme = load_theme(name)
    qapp.setFont(theme.font())
    qapp.setStyleSheet(style_sheet(theme))
    page.set_theme(theme)
    visit(qtbot, page, start())
    for width, height in ((1000, 230), (640, 170)):
        page.resize(width, height)
        assert page.minimumSizeHint().width() <= 640
        assert page.minimumSizeHint().height() <= 150
        assert not page.grab().isNull()
    assert not page.count.isVisible()


def test_the_caption_of_the_chart_is_a_shorter_one_in_little_room(qtbot):
    chart = ChangeHistogram()
    qtbot.addWidget(chart)
    captions = []
    for width in (500, 150, 90, 20):
        chart.resize(width, 100)
        captions.append(chart.caption())
    assert captions[0] == "probability of each error change"
    assert captions[-1] == ""
    assert [len(caption) for caption in captions] == sorted(map(len, captions), reverse=True)


def test_little_room_leaves_the_words_out_of_the_legend(qtbot):
    bar = VerdictBar()
    qtbot.addWidget(bar)
    bar.show_odds(odds_of(TREE, CONFIG))
    assert sum(map(len, bar.texts(is_short=True).values())) < sum(map(len, bar.texts().values()))
    assert bar.heightForWidth(150) >= bar.heightForWidth(900)
    assert bar.hasHeightForWidth()
    assert bar.sizeHint().height() >= bar.minimumSizeHint().height()


def test_a_narrow_bar_has_its_chance_without_decimals_or_not_at_all(qapp):
    metrics = QFontMetricsF(load_theme("light").font())
    exact, rounded = (metrics.horizontalAdvance(text) for text in ("12.5 %", "12 %"))
    assert fitting_text(0.125, metrics, exact) == "12.5 %"
    assert fitting_text(0.125, metrics, exact - 1) == "12 %"
    assert fitting_text(0.125, metrics, rounded - 1) == ""
    assert fitting_text(0.031, metrics, metrics.horizontalAdvance("3.1 %") - 1) == ""


def test_what_is_listed_is_judged_by_the_rules_of_the_iteration_and_so_is_its_preview(qtbot, page):
    history = run_with_changed_rules()
    counts = []
    for iteration in (200, 199, 200):
        visit(qtbot, page, history, iteration)
        assert page.odds.rules == history.rules_after(iteration)
        counts.append(page.model.rowCount())
        for neighbour in page.odds.neighbours:
            step = preview_of(history, iteration, neighbour.mutation).step
            assert step is not None
            assert (step.verdict, step.offspring_error) == (neighbour.verdict, neighbour.error)
    assert counts[0] == counts[2] > counts[1]  # whole subtrees can be deleted too


def test_in_a_tall_column_the_list_is_below_the_odds(page, qtbot):
    page.resize(560, 620)
    qtbot.waitUntil(lambda: page.table.mapTo(page, QPoint()).y() > page.bar.mapTo(page, QPoint()).y() + 100)
    page.resize(1000, 230)
    qtbot.waitUntil(lambda: page.table.mapTo(page, QPoint()).x() > page.bar.mapTo(page, QPoint()).x() + 100)


def test_the_histogram_has_true_values_under_its_bars():
    labels = [_label(part) for part in bins_of({-8: 0.2, 0: 0.5, 8: 0.2, 16: 0.05, 2**20: 0.05})]
    assert labels == ["−8", "0", "+8", "+16", "+2²⁰"]
    assert _label(Bin(-1, -1, 0.0)) == "none"
    assert _label(Bin(10, 29, 0.1)) == "+10…+29"
    assert _label(Bin(-29, -10, 0.1)) == "−29…−10"
    assert _label(Bin(65_000, 65_000, 0.1)) == "+6.5·10⁴"
    assert _label(Bin(65_535, 65_535, 0.1)) == "+6.6·10⁴"


def test_a_part_of_the_mutations_marks_every_number_it_touches(qtbot):
    odds = odds_of(TREE, CONFIG, most_listed=40)
    bar, histogram = VerdictBar(), ChangeHistogram()
    for part in (bar, histogram):
        qtbot.addWidget(part)
        part.resize(900, 200)
        part.show_odds(odds)
    assert all("≥ " in text for verdict, text in bar.texts().items() if verdict is not None)
    assert ": ≥ " in bar.hint_at(bar.part_of(Verdict.NEUTRAL).center())
    assert histogram.accessibleDescription().count("≥ ") == sum(
        1 for part in histogram.bins if part.probability
    )
    left, width = histogram.columns()
    zero = next(place for place, part in enumerate(histogram.bins) if not part.first)
    assert ": ≥ " in histogram.hint_at(left + (zero + 0.5) * width)
    histogram.grab()


def test_root_ands_are_marked_and_can_be_listed_alone(qtbot, page):
    visit(qtbot, page, start(parse("x1 & x2"), RunConfig(n=4, limit=5)))
    page.operation_field.set_value("root-and")
    assert texts(page.model, "node") == ["⇑ root-and"] * 4
    assert texts(page.model, "function") == ["∧"] * 4
    assert page.count.text() == "4 of 35"
    hint = page.model.index(0, page.model.names.index("node")).data(Qt.ItemDataRole.ToolTipRole)
    assert "the whole tree and a new leaf below an ∧" in hint
    visit(qtbot, page, start(None, CONFIG))
    assert page.model.rowCount() == 0  # the first leaf comes without an AND
    page.operation_field.set_value("")
    assert page.model.rowCount() == 5


def figures(page):
    return {figure.caption.text(): figure.number.text() for figure in page.facts if figure.isVisible()}


def test_the_drift_stands_beside_what_is_guaranteed_and_what_root_ands_give(qtbot, page):
    visit(qtbot, page, start(parse("x1"), RunConfig(n=2, limit=3)))
    # Error 1; INS of ∧ x2 on either side improves, always at the root: 1/12 against 1 / (36 · 3 · 2).
    assert figures(page) == {
        "drift guaranteed": "0.00463",
        "times that": "18 ×",
        "from root-ands": "100 %",
    }
    assert "factor of 2" in page.facts[0].toolTip()
    visit(qtbot, page, start(parse("x1 & x1"), RunConfig(n=2, limit=2)))
    # Either leaf of three nodes can go.
    assert figures(page) == {"leaves removed": "0.222", "leaves guaranteed": "0.111", "times that": "2 ×"}
    visit(qtbot, page, start(None, CONFIG))
    assert figures(page) == {}


def test_a_sampled_run_tells_what_looks_better_from_what_is_and_counts_in_sampled_rows(qtbot, page):
    conjunction = parse(" & ".join(f"x{variable}" for variable in range(1, 11)), 50)
    config = RunConfig(n=50, limit="inf", fitness="sampled", rows=2000, sampler="counts")
    visit(qtbot, page, start(conjunction, config))
    assert figures(page) == {"looks better": "17.5 %", "is better": "13.3 %", "accepts truly worse": "6.3 %"}
    assert page.drift.caption.text() == "drift in sampled rows"
    assert page.drift.number.text() == "+0.0333"
    assert texts(page.model, "change")[0] == "−0.977"  # 2^39 of 2^50 rows
    hint = page.model.index(0, page.model.names.index("change")).data(Qt.ItemDataRole.ToolTipRole)
    assert "−549,755,813,888" in hint
    assert page.histogram.caption().endswith("in sampled rows")
    first = page.histogram.bins[0]
    assert bin_text(first, page.odds.row_share) == "expected error in the sample −0.977"
    assert _label(first, page.odds.row_share) == "−0.977"
    visit(qtbot, page, start())
    assert page.drift.caption.text() == "drift in rows"


@pytest.mark.parametrize(
    ("preset", "steps", "labels"),
    [("first-run", 10, ["−8", "0", "+8"]), ("theorem-1", 0, ["none", "0", "+8", "+16"])],
)
def test_the_bars_of_presets_have_their_true_changes_below_them(preset, steps, labels):
    request = find_preset(preset).request
    _, _, history = recorded(request.run, steps, parse(request.start) if request.start else None)
    odds = odds_of(history.tree_at(steps), history.rules_after(steps))
    shown = [_label(part) for part in bins_of(odds.changes)]
    assert shown[: len(labels)] == labels


TRAP = parse("(x1 & x2) | (x1 & x1)")
TRAP_CONFIG = RunConfig(n=3, limit="4", deletion="leaf", seed=45)
"""A full tree with nine accepted moves, of which the four that improve it are fatal."""


class TestOutlooks:
    @pytest.fixture
    def finder(self, page):
        return connect(page)

    @pytest.fixture
    def trap(self, page, finder, qtbot):
        """The page with the outlooks of a small tree, which are all known."""
        visit(qtbot, page, start(TRAP, TRAP_CONFIG))
        page.outlook_box.setChecked(True)
        finder.work()
        return page

    def test_they_are_shown_only_where_they_are_wanted(self, page, finder, qtbot):
        visit(qtbot, page, start(TRAP, TRAP_CONFIG))
        for is_wanted in (False, True, False):
            page.outlook_box.setChecked(is_wanted)
            assert (STUCK_AFTER in page.model.names) == is_wanted
            assert page.summary.isHidden() != is_wanted
            assert finder.source is page.outlooks
            assert (page.outlooks is None) != is_wanted

    def test_every_move_has_its_chance_and_the_summary_is_told(self, trap):
        outlooks = trap.outlooks
        assert texts(trap.model, STUCK_AFTER) == [outlooks.text(one) for one in trap.model.listed()]
        assert texts(trap.model, STUCK_AFTER).count("100 % † fatal ▲") == 4
        assert trap.summary.text() == outlooks.summary()
        assert "4 of 9 accepted moves are fatal" in trap.summary.text()
        assert not trap.summary.isHidden()

    def test_a_fatal_move_that_improves_stands_out_most(self, trap):
        column = trap.model.names.index(STUCK_AFTER)
        row = texts(trap.model, STUCK_AFTER).index("100 % † fatal ▲")
        index = trap.model.index(row, column)
        assert index.data(Qt.ItemDataRole.BackgroundRole) == QColor(trap.model.theme.colours.stuck)
        assert index.data(Qt.ItemDataRole.FontRole).bold()
        assert "though it improves the error" in index.data(Qt.ItemDataRole.ToolTipRole)

    def test_fatal_moves_can_be_listed_alone(self, trap):
        all_rows = trap.model.rowCount()
        trap.verdict_field.set_value("fatal")
        assert texts(trap.model, STUCK_AFTER) == ["100 % † fatal ▲"] * 4
        trap.outlook_box.setChecked(False)
        assert trap.model.rowCount() == all_rows
        assert trap.verdict_field.findData("fatal") < 0

    def test_fatal_moves_are_listed_as_they_become_known(self, page, finder, qtbot):
        visit(qtbot, page, start(TRAP, TRAP_CONFIG))
        page.outlook_box.setChecked(True)
        page.verdict_field.set_value("fatal")
        assert not page.model.rowCount()
        finder.work()
        qtbot.waitUntil(lambda: page.model.rowCount() == 4)

    def test_the_list_can_be_sorted_by_them_and_unknown_ones_come_last(self, trap):
        trap.model.sort(trap.model.names.index(STUCK_AFTER), Qt.SortOrder.DescendingOrder)
        shown = texts(trap.model, STUCK_AFTER)
        assert shown[:4] == ["100 % † fatal ▲"] * 4
        assert set(shown[9:]) == {"–"}

    def test_a_list_that_is_sorted_by_them_is_sorted_again_as_they_come_in(self, page, finder, qtbot):
        visit(qtbot, page, start(TRAP, TRAP_CONFIG))
        page.outlook_box.setChecked(True)
        page.model.sort(page.model.names.index(STUCK_AFTER), Qt.SortOrder.DescendingOrder)
        finder.work()
        qtbot.waitUntil(lambda: texts(page.model, STUCK_AFTER)[:4] == ["100 % † fatal ▲"] * 4)

    def test_nobody_works_for_a_page_that_is_not_on_show_or_for_the_tree_before(self, trap, finder, qtbot):
        before = finder.source
        visit(qtbot, trap, start(parse("x1 & x2"), TRAP_CONFIG))
        assert finder.source is trap.outlooks is not before
        trap.hide()
        assert finder.source is None
        trap.show()
        assert finder.source is trap.outlooks is not None

    def test_a_run_that_cannot_get_stuck_has_none(self, trap, finder, qtbot):
        visit(qtbot, trap, start(TRAP, TRAP_CONFIG.replaced(deletion="subtree")))
        assert STUCK_AFTER not in trap.model.names
        assert not trap.outlook_box.isEnabled()
        assert "only for rules under which a run can get stuck" in trap.outlook_box.toolTip()
        assert finder.source is None
        visit(qtbot, trap, start(TRAP, TRAP_CONFIG))
        assert STUCK_AFTER in trap.model.names
        assert trap.outlook_box.isEnabled()

    @pytest.mark.parametrize("name", THEME_NAMES)
    def test_no_column_that_is_shown_is_cut(self, trap, name, qapp):
        trap.set_theme(load_theme(name))
        for width in (480, 700, 1000):
            trap.resize(width, 600)
            QApplication.processEvents()
            table = trap.table
            assert not table.isColumnHidden(trap.model.names.index(STUCK_AFTER))
            assert table.horizontalHeader().length() <= table.viewport().width() + 1

    def test_before_an_audience_they_are_not_offered(self, page):
        assert page.outlook_box.isHidden()


def test_in_a_window_the_outlooks_are_worked_out_in_the_background(qtbot, qapp):
    window = PageWindow(TRAP_CONFIG, "(x1 & x2) | (x1 & x1)")
    qtbot.addWidget(window)
    window.show()
    page = window.shown_page("neighbours")
    page.outlook_box.setChecked(True)
    qtbot.waitUntil(lambda: page.summary.text().endswith("Now 34 %, after the next step 34 % on average."))
    window.end()
