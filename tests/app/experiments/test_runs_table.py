"""The table of all runs: what it lists, how it is filtered and sorted, and how a run gets to the main window."""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextDocument
from PySide6.QtWidgets import QApplication

from gpviz.app.experiments import runs_table, runs_view
from gpviz.app.experiments.runs_table import RunsTable
from gpviz.app.experiments.runs_view import COLUMNS
from gpviz.app.question import Question, close_questions
from gpviz.app.widgets.tables import UNKNOWN
from gpviz.cli.common_options import Parser, add_config_options, config_from
from gpviz.experiments import decisive_steps
from gpviz.experiments.decisive_steps import KnownDecisiveSteps
from gpviz.experiments.plan import Plan, plan_of
from gpviz.experiments.run_text import opened_run_text
from gpviz.experiments.store import Store, StoredRun
from gpviz.runs.presets import LaneSpec
from tests.experiments.figures.filled_stores import STUCK as STUCK_RUNS
from tests.experiments.figures.filled_stores import filled
from tests.experiments.stored_runs import add, many, plan, row, small_store

_RETURN, _CONTROL = Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier
_LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_store(tmp_path)


@pytest.fixture
def table(qtbot) -> Iterator[RunsTable]:
    made = RunsTable()
    qtbot.addWidget(made)
    made.resize(1000, 500)
    made.show()
    yield made
    close_questions(made)


@pytest.fixture
def show(qtbot, table) -> Callable[..., None]:
    def shown(path: Path, its_plan: Plan | None = None) -> None:
        table.show_store(path, its_plan or plan())
        settle(qtbot, table)

    return shown


@pytest.fixture
def listed(show, small) -> Path:
    """The file whose runs are in the table."""
    show(small)
    return small


def is_busy(table: RunsTable) -> bool:
    """Whether something is still being read or looked for."""
    return any(question.is_busy for question in table.findChildren(Question))


def go(qtbot, table: RunsTable, seed: str) -> None:
    table.seed_field.setText(seed)
    qtbot.keyClick(table.seed_field, _RETURN)
    settle(qtbot, table)


def settle(qtbot, table: RunsTable) -> None:
    """Wait until everything that was asked for has been read."""

    def is_settled() -> bool:
        QApplication.processEvents()
        return not is_busy(table)

    qtbot.waitUntil(is_settled)


def texts(table: RunsTable, name: str) -> list[str]:
    column = table.model.names.index(name)
    return [table.model.index(each, column).data() for each in range(table.model.rowCount())]


def choose(table: RunsTable, *rows: int) -> None:
    table.view.clearSelection()
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for each in rows:
        table.view.selectionModel().select(table.model.index(each, 0), flags)
    table.view.selectionModel().setCurrentIndex(
        table.model.index(rows[-1], 0), QItemSelectionModel.SelectionFlag.NoUpdate
    )


def double_click(qtbot, table: RunsTable, each: int) -> None:
    column = table.view.visualRect(table.model.index(each, 1)).center()
    qtbot.mouseClick(table.view.viewport(), _LEFT, pos=column)
    qtbot.mouseDClick(table.view.viewport(), _LEFT, pos=column)


def listen(signal) -> list[Any]:
    heard: list[Any] = []
    signal.connect(lambda *values: heard.append(values))
    return heard


def hint_at(table, row: int, column: int) -> str | None:
    """The text of a tooltip."""
    hint = table.model.index(row, column).data(Qt.ItemDataRole.ToolTipRole)
    if hint is None:
        return None
    document = QTextDocument()
    document.setHtml(hint)
    return document.toPlainText()


class TestListing:
    def test_all_runs_are_listed_with_the_settings_that_vary(self, table, listed):
        assert table.model.names[:4] == ("limit", "n", "seed", "outcome")
        assert texts(table, "limit") == ["n"] * 10 + ["2n"] * 10
        assert texts(table, "n") == (["4"] * 5 + ["8"] * 5) * 2
        assert texts(table, "seed") == ["10", "11", "12", "13", "14"] * 4
        assert table.count_label.text() == "20 runs"

    def test_a_run_is_shown_column_by_column(self, table, listed):
        run = table.model.row_at(7)
        assert dict(zip(table.model.names, table.model.row_texts(run), strict=True)) == {
            "limit": "n", "n": "8", "seed": "12", "outcome": "stuck", "iterations": "998", "leaves": "6",
            "ors": "0", "ors_accepted": "2", "error": "3", "generalisation": "0.01172", "stuck_since": "17",
            "wait": "for ever, from 17", "share_full": "0 %", "decided": "?",
        }  # fmt: skip
        assert texts(table, "wait")[6] == "21 from 3"

    def test_numbers_that_need_explaining_have_it_in_a_hint(self, table, listed):
        columns = [table.model.names.index(name) for name in ("iterations", "wait", "leaves")]
        hints = [[hint_at(table, each, column) for column in columns] for each in (6, 7)]
        assert hints == [
            [None, "21 iterations from iteration 3 to the next improvement.", None],
            [
                "Stuck since iteration 17, and proven to be so after 998; it would go on for ever.",
                "No improvement can come after iteration 17."
                " Before, the longest wait was 22 iterations, from 3.",
                None,
            ],
        ]

    def test_a_plan_of_one_cell_has_no_columns_for_settings_and_no_cell_to_choose(
        self, show, table, tmp_path
    ):
        single = plan(grid={"n": [4]})
        with Store.create(tmp_path / "one.gpvizx", single) as store:
            add(store, 0, [row(0)])
        show(tmp_path / "one.gpvizx", single)
        assert table.model.names == tuple(name for name in COLUMNS if single.is_about(name))
        assert not table.cell_field.isEnabled()
        assert table.count_label.text() == "1 run"

    def test_a_file_that_has_gone_gets_a_sentence(self, qtbot, table, listed):
        listed.unlink()
        table.order_field.setCurrentIndex(2)
        qtbot.waitUntil(lambda: "there is no such file" in table.problem_label.text())
        assert table.model.rowCount() == 0


class TestOpening:
    def test_a_double_click_opens_a_stuck_run_where_it_became_stuck(self, qtbot, table, listed):
        heard = listen(table.run_requested)
        assert not table.open_button.isEnabled()
        choose(table, 7)
        qtbot.mouseClick(table.open_button, _LEFT)
        double_click(qtbot, table, 7)
        (request,), (again,) = heard
        assert again == request
        assert (request.run, request.iteration) == (plan().cells[1].config.replaced(seed=12), 17)
        assert (request.title, request.explanation) == opened_run_text(
            plan(), StoredRun(1, row(2, stuck_since=17))
        )

    def test_return_opens_the_current_run_at_its_longest_wait(self, qtbot, table, listed):
        heard = listen(table.run_requested)
        choose(table, 4)
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            qtbot.keyClick(table.view, key)
        config = plan().cells[0].config.replaced(seed=14)
        assert [(request.run, request.iteration) for (request,) in heard] == [(config, 3)] * 2


class TestDecisiveSteps:
    WHY = "decided it: that step raises the chance to end stuck from 26 % to 100 %, though it improves the error"

    @pytest.fixture
    def stuck(self, monkeypatch, show, tmp_path) -> Path:
        """Of the runs of its second cell the first and the last are stuck; nothing is known of them yet."""
        monkeypatch.setattr(decisive_steps, "DECISIVE_STEPS", KnownDecisiveSteps())
        path = filled(tmp_path / "stuck.gpvizx", plan_of("stuck", STUCK_RUNS))
        show(path, plan_of("stuck", STUCK_RUNS))
        return path

    def test_they_are_looked_for_when_somebody_asks(self, qtbot, stuck, table):
        table.show_cell(1)
        settle(qtbot, table)
        assert texts(table, "decided") == ["?", *["–"] * 11, "?"]
        column = table.model.names.index("decided")
        assert hint_at(table, 0, column) == "Nobody has looked for it yet; the button Decisive steps does."
        assert hint_at(table, 1, column) is None
        qtbot.mouseClick(table.decisive_steps_button, _LEFT)
        assert table.decisive_steps_button.text() == "Stop"
        settle(qtbot, table)
        assert table.decisive_steps_button.text() == "Decisive steps"
        assert texts(table, "decided") == ["43", *["–"] * 11, "16"]
        assert self.WHY in str(hint_at(table, 0, column))

    def test_looking_for_them_shows_how_far_it_is_and_can_be_stopped(self, qtbot, stuck, may_go_on, table):
        table.show_cell(1)
        settle(qtbot, table)
        table.find_decisive_steps()
        qtbot.waitUntil(lambda: "decisive steps: 1 of 2 found" in table.count_label.text())
        qtbot.keyClick(table.view, Qt.Key.Key_Escape)
        assert not is_busy(table)
        assert table.count_label.text() == "13 runs"
        assert texts(table, "decided")[-1] == "?"
        may_go_on.set()
        table.find_decisive_steps()
        settle(qtbot, table)
        assert texts(table, "decided")[-1] == "16"

    def test_no_more_than_a_few_are_looked_for_at_a_time(self, qtbot, monkeypatch, stuck, table):
        monkeypatch.setattr(runs_table, "MOST_LOOKED_AT", 1)
        table.show_cell(1)
        settle(qtbot, table)
        table.find_decisive_steps()
        settle(qtbot, table)
        assert table.count_label.text() == "13 runs; 1 decisive step found, 1 to go"
        table.find_decisive_steps()
        settle(qtbot, table)
        assert "?" not in texts(table, "decided")

    def test_the_chosen_run_shows_what_decided_it_and_opens_there(self, qtbot, stuck, table):
        table.show_cell(1)
        settle(qtbot, table)
        heard = listen(table.run_requested)
        choose(table, 0)
        settle(qtbot, table)
        assert self.WHY in table.preview.label.text()
        assert texts(table, "decided")[0] == "43"
        double_click(qtbot, table, 0)
        double_click(qtbot, table, 1)
        requests = [request for (request,) in heard]
        assert [request.seeks_decisive_step for request in requests] == [True, False]
        assert requests[0].iteration == 62, "where it got stuck, until the decisive step is found"

    def test_a_run_that_is_not_as_the_file_says_has_none(self, qtbot, table, listed):
        choose(table, 7)
        settle(qtbot, table)
        assert texts(table, "decided")[7] == "–"
        hint = hint_at(table, 7, table.model.names.index("decided"))
        assert hint == "The run is not stuck in iteration 17 when it is made again."

    def test_where_no_run_can_get_stuck_nobody_looks_for_them(self, show, table, tmp_path):
        subtree = plan(config={"deletion": "subtree"})
        with Store.create(tmp_path / "subtree.gpvizx", subtree) as store:
            add(store, 0, [row(0)])
        show(tmp_path / "subtree.gpvizx", subtree)
        assert "decided" not in table.model.names
        assert not table.decisive_steps_button.isVisible()


class TestComparing:
    def test_two_to_four_runs_can_be_compared(self, table, listed):
        for count in range(1, 6):
            choose(table, *range(count))
            assert table.compare_button.isEnabled() == (2 <= count <= 4)

    def test_runs_are_called_by_their_seeds_and_by_what_differs(self, qtbot, table, listed):
        heard = listen(table.comparison_requested)
        choose(table, 0)
        table.compare_chosen()
        assert not heard, "one run alone is not compared"
        choose(table, 7, 11)
        qtbot.keyClick(table.view, Qt.Key.Key_K, _CONTROL)
        cells = plan().cells
        ((comparison,),) = heard
        assert comparison.lanes == (
            LaneSpec(label="seed 12 · limit n · n = 8", config=cells[1].config.replaced(seed=12)),
            LaneSpec(label="seed 11 · limit 2n · n = 4", config=cells[2].config.replaced(seed=11)),
        )


class TestFiltersAndOrder:
    def test_only_one_outcome_is_listed(self, qtbot, table, listed):
        table.outcome_field.set_value("stuck")
        settle(qtbot, table)
        assert texts(table, "seed") == ["12"]
        table.outcome_field.set_value("failed")
        settle(qtbot, table)
        assert table.model.rowCount() == 0
        assert table.view.note == "No run matches."

    def test_only_one_cell_is_listed(self, qtbot, table, listed):
        table.show_cell(1)
        settle(qtbot, table)
        assert table.cell_field.currentText() == "limit n · n = 8"
        assert texts(table, "n") == ["8"] * 5
        table.show_cell(None)
        settle(qtbot, table)
        assert table.model.rowCount() == 20

    def test_a_click_on_a_head_sorts_and_another_turns_it_round(self, qtbot, table, listed):
        header = table.view.horizontalHeader()
        column = table.model.names.index("iterations")
        at = QPoint(header.sectionViewportPosition(column) + 8, header.height() // 2)
        qtbot.mouseClick(header.viewport(), _LEFT, pos=at)
        settle(qtbot, table)
        assert texts(table, "iterations")[0] == "1,000"
        assert table.order_field.value() == "slowest"
        assert header.sortIndicatorSection() == column
        qtbot.mouseClick(header.viewport(), _LEFT, pos=at)
        settle(qtbot, table)
        assert texts(table, "iterations")[0] == "996"
        table.order_field.set_value("longest_wait")
        settle(qtbot, table)
        assert texts(table, "wait")[0] == "24 from 3"


class TestGoingToASeed:
    def test_which_one_it_is_of_how_many_is_said_until_another_is_chosen(self, qtbot, table, listed):
        table.seed_field.setText("13")
        for turn in (1, 2, 3, 4, 1):
            qtbot.mouseClick(table.go_button, _LEFT)
            settle(qtbot, table)
            assert table.count_label.text() == f"{turn} of 4 runs with seed 13"
            assert table.view.currentIndex().row() == 5 * turn - 2
        choose(table, 0)
        assert table.count_label.text() == "20 runs"

    def test_the_keyboard_stays_where_it_goes_on_to_the_next_one(self, qtbot, table, listed):
        table.activateWindow()
        qtbot.keyClick(table.view, Qt.Key.Key_G, _CONTROL)
        go(qtbot, table, "13")
        assert table.focusWidget() is table.seed_field
        table.show_cell(2)
        settle(qtbot, table)
        go(qtbot, table, "13")
        assert table.focusWidget() is table.view
        assert table.count_label.text() == "seed 13"

    def test_the_order_stays_as_it_is(self, qtbot, table, listed):
        table.order_field.set_value("stuck_first")
        rows = []
        for _ in range(4):  # the first time while the runs are still being sorted
            go(qtbot, table, "12")
            rows.append(table.view.currentIndex().row())
        assert table.order_field.value() == table.model.query.order == "stuck_first"
        assert rows == [at for at, seed in enumerate(texts(table, "seed")) if seed == "12"]

    def test_runs_that_have_come_meanwhile_are_counted_in(self, qtbot, table, listed):
        table.order_field.set_value("slowest")
        settle(qtbot, table)
        with Store.open(listed, is_writable=True) as store:
            store.extend(plan(7))
            add(store, 0, [row(5, iterations=5000), row(6, iterations=4000)])
        go(qtbot, table, "12")
        assert table.model.rowCount() == 22
        assert [run.row.number for run in table.view.chosen_runs()] == [2]

    def test_an_outcome_that_none_has_is_taken_away_and_that_is_said(self, qtbot, table, listed):
        table.show_cell(2)
        table.outcome_field.set_value("stuck")
        settle(qtbot, table)
        go(qtbot, table, "11")
        assert (table.outcome, table.cell) == (None, 2)
        assert table.view.currentIndex().row() == 1
        assert table.count_label.text() == "seed 11; it is not stuck, so all outcomes are listed"

    def test_runs_that_are_not_done_yet_are_counted_out(self, qtbot, show, table, tmp_path):
        with Store.create(tmp_path / "gaps.gpvizx", plan()) as store:
            add(store, 0, [row(1), row(4)])
            add(store, 2, [row(0), row(3)])
        show(tmp_path / "gaps.gpvizx")
        go(qtbot, table, "13")
        assert table.view.currentIndex().row() == 3
        go(qtbot, table, "12")
        assert "No finished run has this seed" in table.problem_label.text()

    def test_a_seed_of_another_experiment_gets_a_sentence(self, qtbot, table, listed):
        go(qtbot, table, "15")
        assert "from 10 to 14" in table.problem_label.text()
        assert not table.view.currentIndex().isValid()


class TestCopying:
    def test_chosen_rows_are_copied_as_text_with_heads(self, qtbot, table, listed):
        choose(table, 7, 8)
        table.view.setFocus()
        qtbot.keyClick(table.view, Qt.Key.Key_C, _CONTROL)
        lines = QGuiApplication.clipboard().text().splitlines()
        assert lines[0].split("\t")[:4] == ["Limit", "n", "Seed", "Outcome"]
        assert [line.split("\t")[2:4] for line in lines[1:]] == [["12", "stuck"], ["13", "solved"]]

    def test_rows_that_were_never_looked_at_are_copied_too(self, qtbot, show, table, tmp_path):
        show(many(tmp_path, 1000), plan(1000))
        table.view.selectAll()
        table.copy_chosen()
        settle(qtbot, table)
        lines = QGuiApplication.clipboard().text().splitlines()
        assert len(lines) == 1001
        assert lines[-1].split("\t")[2] == "1009"

    def test_too_many_rows_get_a_sentence(self, show, table, small, monkeypatch):
        monkeypatch.setattr(runs_table, "MOST_COPIED", 19)
        show(small)
        table.view.selectAll()
        table.copy_chosen()
        assert "20 rows are selected; at most 19" in table.problem_label.text()

    def test_the_command_line_does_the_same_run(self, show, table, tmp_path):
        odd = plan_of(
            "odd",
            {
                "runs": 2, "seed": 5,
                "config": {
                    "functions": "and", "fitness": "sampled", "sampler": "counts", "n": 6, "accept_error": 1,
                },
                "grid": {"rows": [10, 20], "limit": ["inf", "n+1"], "empty_tree": ["insert-only", "any"]},
            },
        )  # fmt: skip
        with Store.create(tmp_path / "odd.gpvizx", odd) as store:
            for cell in odd.cells:
                add(store, cell.number, [row(0, outcome="stopped"), row(1)])
        show(tmp_path / "odd.gpvizx", odd)
        table.view.selectAll()
        table.copy_command()
        parser = Parser()
        add_config_options(parser)
        parser.add_argument("--max-iterations")
        lines = QGuiApplication.clipboard().text().splitlines()
        configs = [config_from(parser.parse_args(line.split()[2:], argparse.Namespace())) for line in lines]
        assert configs == [cell.config_of(number) for cell in odd.cells for number in range(2)]
        assert ["--max-iterations" in line for line in lines] == [True, False] * 8

    def test_before_the_first_experiment_nothing_can_be_done(self, table):
        entries = {action.text().partition("\t")[0]: action.isEnabled() for action in table.view.actions()}
        assert set(entries) == {
            "&Open in the main window", "&Compare", "Copy &rows", "Copy &seed", "Copy command &line", "Sort &by",
        }  # fmt: skip
        assert not any(entries.values())
        table.decisive_steps_button.click()
        table.seed_field.setText("7")
        table.go_button.click()
        table.compare_chosen()
        assert not is_busy(table)

    def test_the_menu_opens_compares_and_copies(self, table, listed):
        choose(table, 7)
        entries = {action.text().partition("\t")[0]: action for action in table.view.actions()}
        assert {text: action.isEnabled() for text, action in entries.items()} == {
            "&Open in the main window": True, "&Compare": False, "Copy &rows": True, "Copy &seed": True,
            "Copy command &line": True, "Sort &by": True,
        }  # fmt: skip
        sort_menu = entries["Sort &by"].menu()
        sort_menu.aboutToShow.emit()
        by_text = {action.text(): action for action in sort_menu.actions()}
        by_text["Iterations"].trigger()
        assert table.order_field.value() == "slowest"
        heard = listen(table.run_requested)
        entries["Copy &seed"].trigger()
        assert QGuiApplication.clipboard().text() == "12"
        entries["Copy command &line"].trigger()
        assert QGuiApplication.clipboard().text() == "gpviz run --n 8 --limit n --deletion leaf --seed 12"
        entries["&Open in the main window"].trigger()
        assert len(heard) == 1


class TestManyRuns:
    def test_rows_show_three_dots_until_they_are_read(self, qtbot, show, table, tmp_path):
        show(many(tmp_path, 1000), plan(1000))
        assert table.model.rowCount() == 1000
        index = table.model.index(900, table.model.names.index("seed"))
        assert index.data() == UNKNOWN
        settle(qtbot, table)
        assert index.data() == "910"

    def test_whoever_scrolls_sees_all_rows_in_the_end(self, qtbot, show, table, tmp_path):
        with Store.create(tmp_path / "many.gpvizx", plan(2100)) as store:
            add(store, 0, [row(number, iterations=100) for number in range(2100)])
        show(tmp_path / "many.gpvizx", plan(2100))
        bar, height = table.view.verticalScrollBar(), table.view.verticalHeader().defaultSectionSize()
        for first in (500, 1000, 1995):  # half of the last are read apart from the others
            bar.setValue(first * height)
            QApplication.processEvents()

        def is_all_known() -> bool:
            return None not in map(table.model.run_if_known, table.view.seen_rows())

        qtbot.waitUntil(is_all_known)

    def test_choosing_all_and_typing_letters_read_nothing(self, qtbot, show, table, tmp_path):
        show(many(tmp_path, 1000), plan(1000))
        table.view.selectAll()
        qtbot.keyClicks(table.view, "xyz")
        settle(qtbot, table)
        assert len(table.model.rows.pages) == 1
        assert table.preview.label.text() == "1,000 runs are chosen; up to 4 can be compared."
        qtbot.keyClick(table.view, Qt.Key.Key_Escape)
        assert not table.view.chosen_rows()

    def test_more_rows_than_a_table_can_have_are_said(self, qtbot, show, table, small, monkeypatch):
        monkeypatch.setattr(runs_view, "MOST_ROWS", 12)
        monkeypatch.setattr(runs_table, "MOST_ROWS", 12)
        show(small)
        assert table.model.rowCount() == 12
        assert "the first 12 are listed" in table.count_label.text()
        for _ in range(3):
            go(qtbot, table, "14")
        assert "choose its cell first" in table.problem_label.text()


class TestNewRuns:
    def test_new_runs_are_listed_and_what_is_chosen_and_seen_stays(self, qtbot, show, table, tmp_path):
        path = many(tmp_path, 340)
        show(path, plan(340))
        table.order_field.set_value("slowest")
        settle(qtbot, table)
        table.view.verticalScrollBar().setValue(100 * table.view.verticalHeader().defaultSectionSize())
        choose(table, 105, 107)
        keys = [(run.cell, run.row.number) for run in table.view.chosen_runs()]
        top = table.model.row_at(100)
        with Store.open(path, is_writable=True) as store:
            add(store, 2, [row(number) for number in range(30)])
        table.refresh()
        settle(qtbot, table)
        assert table.model.rowCount() == 370
        assert [(run.cell, run.row.number) for run in table.view.chosen_runs()] == keys
        assert [each.start for each in table.view.chosen_rows()] == [135, 137]
        assert table.view.currentIndex().row() == 137
        assert table.view.seen_rows().start == 130
        assert table.model.row_at(130) == top

    def test_what_is_copied_stands_in_the_rows_that_are_chosen(self, qtbot, show, table, tmp_path):
        path = many(tmp_path, 300)
        show(path, plan(300))
        table.order_field.set_value("slowest")
        settle(qtbot, table)
        choose(table, *range(12))  # too many to be looked for one by one
        with Store.open(path, is_writable=True) as store:
            add(store, 1, [row(0, iterations=10**6)])
        table.refresh()
        settle(qtbot, table)
        table.copy_chosen()
        settle(qtbot, table)
        column = table.model.names.index("iterations")
        copied = [line.split("\t")[column] for line in QGuiApplication.clipboard().text().splitlines()[1:]]
        assert copied == texts(table, "iterations")[:12]
        assert copied[0] == "1,000,000"

    def test_the_first_runs_appear(self, qtbot, show, table, tmp_path):
        Store.create(tmp_path / "empty.gpvizx", plan()).close()
        show(tmp_path / "empty.gpvizx")
        assert table.view.note == "There are no runs yet."
        with Store.open(tmp_path / "empty.gpvizx", is_writable=True) as store:
            add(store, 0, [row(0)])
        table.refresh()
        settle(qtbot, table)
        assert texts(table, "seed") == ["10"]
        assert "Double-click a run" in table.preview.label.text()


class TestPreview:
    def test_the_chosen_run_gets_a_sentence(self, qtbot, table, listed):
        choose(table, 7)
        settle(qtbot, table)
        text = table.preview.label.text()
        assert text.startswith("Seed 12 · limit n · n = 8. Stuck since iteration 17 with 6 leaves")
        assert not table.preview.grab().isNull()
