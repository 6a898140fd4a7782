"""The neighbours page: what it shows of the tree under the cursor, what it says when asked, and when it works."""

import threading
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from gpviz.analysis import expected_wait, neighbourhood
from gpviz.app.pages.neighbours import neighbours_page
from gpviz.app.pages.neighbours.mutation_table import STUCK_AFTER, ordered
from gpviz.app.pages.neighbours.neighbours_page import NeighboursPage
from gpviz.app.pages.neighbours.probability_charts import (
    ChangeHistogram,
    VerdictBar,
    bin_text,
)
from gpviz.app.question import Question
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.engine import GpvizError, RunConfig, Side, Verdict, parse
from gpviz.engine.interruption import Stopped
from gpviz.engine.tree import nodes_of
from gpviz.explain.moment import preview_of
from gpviz.explain.next_iteration_odds import drift_figure, likely_verdict, odds_of
from gpviz.explain.outlook_text import unchanged_text, wait_figure, wait_text
from gpviz.runs.history import History
from tests.app.patient_work import Patient
from tests.patience import PATIENCE_SECONDS
from tests.runs.runs import recorded, run_with_changed_rules

CONFIG = RunConfig(n=5, limit="5", seed=2)
SAMPLED = CONFIG.replaced(fitness="sampled", rows=9)
TREE = parse("x1 & (x2 | x3) & x1")


@pytest.fixture
def page(shown_page):
    return shown_page(NeighboursPage)


def visit(qtbot, page, history, iteration=None):
    page.show_moment(history, len(history) if iteration is None else iteration)
    qtbot.waitUntil(lambda: not page.is_busy and page.odds is not None)


def visit_and_wait(qtbot, page, history, iteration=None):
    """Visit, and stay until the expected wait is known, too."""
    visit(qtbot, page, history, iteration)
    qtbot.waitUntil(lambda: page.wait.number.text() != "…")


def start(tree=TREE, config=CONFIG):
    return History(config, tree)


def texts(model, name):
    column = model.names.index(name)
    return [model.index(row, column).data() for row in range(model.rowCount())]


def said(page):
    """The line below the headline."""
    return page.head.line.text()


def previews(page):
    """A list that gets every mutation that is to be previewed on the tree."""
    said: list[Any] = []
    connect(page, preview=said.append)
    return said


def connect(page, **parts):
    """Let the page stand in a window that can do these things; what is known of outlooks there."""
    finder = OutlookFinder(parent=page)
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
    begun.clear()
    page.hide()
    qtbot.waitUntil(lambda: len(stopped) == 2)
    page.show()
    qtbot.waitUntil(begun.is_set)


def test_a_wait_that_takes_too_long_to_find_stays_unknown(qtbot, page, monkeypatch):
    monkeypatch.setattr(neighbours_page, "USUAL_SECONDS", 0.0)
    visit_and_wait(qtbot, page, start())
    assert page.wait.number.text() == "?"
    assert "finding out takes too long" in page.wait.accessibleDescription()


def test_only_a_stuck_tree_never_improves(qtbot, page):
    tree = parse("(x3 & x2) | (x2 & x3)")
    visit_and_wait(qtbot, page, start(tree, RunConfig(n=4, limit="4", deletion="leaf")))
    assert page.wait.number.text() == "never"
    assert said(page).endswith("No improvement can ever come: the tree is stuck.")
    visit_and_wait(qtbot, page, start(tree, RunConfig(n=4, limit="4", deletion="subtree")))
    assert float(page.wait.number.text()) > 10
    assert said(page).endswith(
        "No single mutation improves this tree: neutral steps have to change it first."
    )
    visit_and_wait(qtbot, page, start())
    assert said(page).endswith(
        f"It takes {page.wait.number.text()} iterations on average until the error falls."
    )


def test_a_solved_tree_waits_for_nothing(qtbot, page):
    visit_and_wait(qtbot, page, start(parse("x1 & x2"), RunConfig(n=2)))
    assert page.wait.number.text() == "–"
    assert said(page).endswith("Nothing is left to wait for: the tree is solved.")


def test_the_empty_tree_has_a_page_too(qtbot, page):
    visit_and_wait(qtbot, page, start(None))
    assert page.wait.number.text() == "1"
    assert page.drift.number.text() == "–"
    assert sorted(texts(page.model, "mutation")) == [
        "Plant x₁",
        "Plant x₂",
        "Plant x₃",
        "Plant x₄",
        "Plant x₅",
    ]
    assert page.histogram.bins == []
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


def test_return_sorts_by_the_column_of_the_cursor(qtbot, page):
    visit(qtbot, page, start())
    page.table.setFocus()
    column = page.model.names.index("mutation")
    page.table.setCurrentIndex(page.model.index(0, column))
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert page.model.sorting[:2] == ("mutation", False)
    page.table.setCurrentIndex(page.model.index(0, column))
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert page.model.sorting[:2] == ("mutation", True)
    assert page.table.horizontalHeader().sortIndicatorSection() == column


def test_verdicts_and_operations_can_be_listed_alone(qtbot, page):
    visit(qtbot, page, start())
    page.list_verdict("improved")
    rows = [page.model.row_at(row) for row in range(page.model.rowCount())]
    assert rows
    assert {one.verdict for one in rows} == {Verdict.IMPROVED}
    assert said(page).startswith(f"{len(rows)} of {len(page.odds.neighbours)} mutations.")
    page.kind_actions["INS"].trigger()
    assert all(text.startswith("Insert ") for text in texts(page.model, "mutation"))
    page.list_verdict("")
    assert all(text.startswith("Insert ") for text in texts(page.model, "mutation"))
    page.kind_actions[""].trigger()
    assert page.model.rowCount() == len(page.odds.neighbours)


def test_a_click_on_the_bar_lists_that_verdict_and_another_click_all(qtbot, page):
    visit(qtbot, page, start())
    part = next(part for part in page.bar.parts() if part.verdict is Verdict.WORSE)
    qtbot.mouseClick(page.bar, Qt.MouseButton.LeftButton, pos=part.area.center().toPoint())
    assert page.verdict_actions["worse"].isChecked()
    assert page.model.sorting.verdict == "worse"
    label = next(label for label in page.bar.labels() if label.part.verdict is Verdict.WORSE)
    qtbot.mouseClick(page.bar, Qt.MouseButton.LeftButton, pos=label.area.center().toPoint())
    assert page.verdict_actions[""].isChecked()


def test_heat_is_told_while_it_is_wanted_and_seen(qtbot, page):
    said = heats(page)
    history = start()
    visit(qtbot, page, history)
    assert said == []
    page.heat_action.setChecked(True)
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
    page.heat_action.setChecked(False)
    assert said == [None]


def test_what_takes_long_is_said_to(qtbot, page, monkeypatch):
    may_end = threading.Event()

    def slow(tree, rules, *, should_stop):
        may_end.wait()
        return odds_of(tree, rules)

    monkeypatch.setattr(neighbours_page, "odds_of", slow)
    try:
        page.show_moment(start(parse("x1 & x4")), 0)
        qtbot.waitUntil(lambda: said(page) == "Listing all mutations of this tree …")
        assert page.model.rowCount() == 0
        assert page.wait.number.text() == "…"
    finally:
        may_end.set()
    qtbot.waitUntil(lambda: page.odds is not None)
    assert "exact chance" in said(page)


def lag_of(page):
    return next(
        (x.text() for x in page.findChildren(QLabel) if x.isVisible() and x.text().startswith("t = ")), ""
    )


def test_beside_a_fast_run_it_looks_seldom_names_the_iteration_and_at_a_pause_looks_at_once(
    qtbot, page, monkeypatch
):
    connect(page)
    _, _, history = recorded(CONFIG, 60)
    visit(qtbot, page, history, 10)
    with monkeypatch.context() as fast:
        fast.setattr(OutlookFinder, "is_resting", True)
        page.show_moment(history, 20)
        page.show_moment(history, 30)
        assert not page.is_busy  # it is too early to look at another one
        assert (page.tells_of, lag_of(page)) == (10, "t = 10 …")
        fast.setattr(neighbours_page, "_FAST_SECONDS", 0.0)
        page.show_moment(history, 40)
        fast.setattr(neighbours_page, "_FAST_SECONDS", 60.0)
        page.show_moment(history, 50)
        qtbot.waitUntil(lambda: lag_of(page) == "t = 40 …" and page.wait.number.text() != "…")
        assert page.tells_of == 40
        assert page.model.rowCount() == len(odds_of(history.tree_at(40), CONFIG).neighbours)
    page.show_moment(history, 60)
    assert page.is_busy
    visit(qtbot, page, history, 60)
    assert (page.tells_of, lag_of(page)) == (60, "")
    assert page.model.rowCount() == len(odds_of(history.tree_at(60), CONFIG).neighbours)


def test_a_list_that_is_too_long_says_what_is_known(qtbot, page, monkeypatch):
    def short(tree, config, *, should_stop):
        return odds_of(tree, config, most_listed=15)

    monkeypatch.setattr(neighbours_page, "odds_of", short)
    page.heat_action.setChecked(True)
    heard = heats(page)
    visit(qtbot, page, start())
    assert "Too many to list: more than 15." in said(page)
    assert f"of all {page.odds.count} mutations" in said(page)
    assert not page.problem.isVisible()  # which is red, as if something had gone wrong
    assert page.bar.texts()[None].startswith("? not looked at")
    assert heard == []
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
    spoken = page.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "looks better"
    assert page.verdict_actions["improved"].text() == "▲ looks better"
    assert "looks better" in page.bar.texts()[Verdict.IMPROVED]
    assert "looks better, accepted" in hint_of(page.bar, Verdict.IMPROVED)
    assert page.hover_text(page.odds.tree.uid).endswith("look better")
    column = page.model.names.index("accepted")
    assert "looks equal" in page.model.index(0, column).data(Qt.ItemDataRole.ToolTipRole)
    page.table.sortByColumn(column, Qt.SortOrder.DescendingOrder)
    assert page.model.sorting.column == "accepted"
    visit(qtbot, page, start())
    assert "accepted" not in page.model.names
    assert page.verdict_actions["improved"].text() == "▲ improved"
    assert "improved" in page.bar.texts()[Verdict.IMPROVED]
    assert page.model.sorting.column == "change"


def test_bar_and_histogram_tell_the_exact_numbers(qtbot, page):
    visit(qtbot, page, start())
    assert str(page.odds.probability(Verdict.IMPROVED)) in hint_of(page.bar, Verdict.IMPROVED)
    zero = next(index for index, part in enumerate(page.histogram.bins) if not part.first)
    left, width = page.histogram.columns()
    assert page.histogram.hint_at(left + (zero + 0.5) * width).startswith("error unchanged: ")
    assert "too large are not evaluated" in page.histogram.hint_at(-20)


def hint_of(bar, verdict):
    """What the bar says where this verdict is."""
    return bar.hint_at(next(part.area.center() for part in bar.parts() if part.verdict is verdict))


@pytest.mark.parametrize("width", [900, 300, 150, 80])
def test_what_stands_below_the_bar_is_inside_and_does_not_touch(qtbot, width):
    bar = VerdictBar()
    qtbot.addWidget(bar)
    bar.resize(width, bar.sizeHint().height())
    bar.show_odds(odds_of(TREE, CONFIG))
    areas = [label.area for label in bar.labels()]
    assert len(areas) == len(bar.parts())
    assert areas[0].left() >= 0
    assert areas[-1].right() <= width
    assert all(one.right() < other.left() for one, other in pairwise(areas))
    bar.grab()


def test_figures_and_histogram_are_shown_on_request_and_to_an_audience(qtbot, page):
    visit(qtbot, page, start())
    page.resize(560, 600)
    assert not page.histogram.isVisible()
    page.details_action.setChecked(True)
    assert page.drift.isVisible()
    assert page.histogram.isVisible()
    page.details_action.setChecked(False)
    page.set_for_audience()
    assert page.drift.isVisible()


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


def test_a_part_of_the_mutations_marks_every_number_it_touches(qtbot):
    odds = odds_of(TREE, CONFIG, most_listed=40)
    bar, histogram = VerdictBar(), ChangeHistogram()
    for part in (bar, histogram):
        qtbot.addWidget(part)
        part.resize(900, 200)
        part.show_odds(odds)
    assert all("≥ " in text for verdict, text in bar.texts().items() if verdict is not None)
    assert ": ≥ " in hint_of(bar, Verdict.NEUTRAL)
    assert histogram.accessibleDescription().count("≥ ") == sum(
        1 for part in histogram.bins if part.probability
    )
    left, width = histogram.columns()
    zero = next(index for index, part in enumerate(histogram.bins) if not part.first)
    assert ": ≥ " in histogram.hint_at(left + (zero + 0.5) * width)
    histogram.grab()


def test_root_ands_can_be_listed_alone(qtbot, page):
    visit(qtbot, page, start(parse("x1 & x2"), RunConfig(n=4, limit=5)))
    page.kind_actions["root-and"].trigger()
    numbered = [f"Insert ∧ {name} above the whole tree" for name in ("x₁", "x₂", "x₃", "x₄")]
    assert sorted(texts(page.model, "mutation")) == numbered
    assert said(page).startswith("4 of 35 mutations.")
    hint = page.model.index(0, page.model.names.index("mutation")).data(Qt.ItemDataRole.ToolTipRole)
    assert "the whole tree and a new leaf below an ∧" in hint
    visit(qtbot, page, start(None, CONFIG))
    assert page.model.rowCount() == 0  # the first leaf comes without an AND
    page.kind_actions[""].trigger()
    assert page.model.rowCount() == 5


def test_nodes_that_would_be_called_the_same_have_their_numbers(qtbot, page):
    visit(qtbot, page, start(parse("x1 & (x2 | x3) & x1")))
    listed = texts(page.model, "mutation")
    assert len(set(listed)) == len(listed)
    assert "Delete x₂" in listed
    assert "Delete x₁" not in listed


def figures(page):
    return {figure.caption.text(): figure.number.text() for figure in page.facts if figure.isVisible()}


def test_the_drift_stands_beside_what_is_guaranteed_and_what_root_ands_give(qtbot, page):
    page.details_action.setChecked(True)
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
    page.details_action.setChecked(True)
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
    visit(qtbot, page, start())
    assert page.drift.caption.text() == "drift in rows"


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
        page.outlook_action.setChecked(True)
        qtbot.waitUntil(lambda: page.outlooks.next_job() is None)
        qtbot.waitUntil(lambda: "on average" in page.summary.text())
        return page

    def test_every_move_has_its_chance_and_the_summary_is_told(self, trap):
        outlooks = trap.outlooks
        assert texts(trap.model, STUCK_AFTER) == [outlooks.text(one) for one in trap.model.listed()]
        assert texts(trap.model, STUCK_AFTER).count("100 % † fatal ▲") == 4
        assert trap.summary.text() == outlooks.summary()
        assert "4 of 9 accepted moves are fatal" in trap.summary.text()
        assert not trap.summary.isHidden()

    def test_fatal_moves_can_be_listed_alone(self, trap):
        all_rows = trap.model.rowCount()
        trap.list_verdict("fatal")
        assert texts(trap.model, STUCK_AFTER) == ["100 % † fatal ▲"] * 4
        trap.outlook_action.setChecked(False)
        assert trap.model.rowCount() == all_rows
        assert not trap.verdict_actions["fatal"].isVisible()

    def test_a_list_that_is_sorted_by_them_is_sorted_again_as_they_come_in(self, page, finder, qtbot):
        visit(qtbot, page, start(TRAP, TRAP_CONFIG))
        page.outlook_action.setChecked(True)
        page.model.sort(page.model.names.index(STUCK_AFTER), Qt.SortOrder.DescendingOrder)
        qtbot.waitUntil(lambda: texts(page.model, STUCK_AFTER)[:4] == ["100 % † fatal ▲"] * 4)

    def test_nobody_works_for_a_page_that_is_not_on_show_or_beside_a_fast_run(
        self, page, finder, qtbot, monkeypatch
    ):
        patient = Patient()
        monkeypatch.setattr(OutlookFinder, "work", lambda _finder, _job, working: patient(working))
        history = start(TRAP, TRAP_CONFIG)
        visit(qtbot, page, history)
        page.outlook_action.setChecked(True)
        assert patient.has_begun.wait(PATIENCE_SECONDS)
        page.hide()
        qtbot.waitUntil(lambda: patient.was_stopped)
        patient.has_begun.clear()
        page.show()
        assert patient.has_begun.wait(PATIENCE_SECONDS)
        monkeypatch.setattr(OutlookFinder, "is_resting", True)
        page.show_moment(history, 0)
        # What was begun may have been stopped before, and begun anew.
        qtbot.waitUntil(lambda: not any(question.is_busy for question in page.findChildren(Question)))
        patient.has_begun.clear()
        monkeypatch.setattr(OutlookFinder, "is_resting", False)
        page.show_moment(history, 0)
        assert patient.has_begun.wait(PATIENCE_SECONDS)

    def test_a_run_that_cannot_get_stuck_has_none(self, trap, finder, qtbot):
        visit(qtbot, trap, start(TRAP, TRAP_CONFIG.replaced(deletion="subtree")))
        assert STUCK_AFTER not in trap.model.names
        assert not trap.outlook_action.isEnabled()
        assert "only for rules under which a run can get stuck" in trap.outlook_action.toolTip()
        assert trap.outlooks is None
        visit(qtbot, trap, start(TRAP, TRAP_CONFIG))
        assert STUCK_AFTER in trap.model.names
        assert trap.outlook_action.isEnabled()
