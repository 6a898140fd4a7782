"""Runs are found in a store by their outcome, cell and order, page by page."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.experiments import store_query
from gpviz.experiments.chunk_worker import Chunk, ChunkResult, run_chunk
from gpviz.experiments.plan import plan_of
from gpviz.experiments.store import OUTCOMES, Store, StoredRun
from gpviz.experiments.store_query import (
    ORDERS,
    RowPosition,
    RowsRequest,
    RunQuery,
    count_runs,
    find_row,
    find_runs,
    locate,
    read_pages,
    read_rows,
    read_run,
)
from gpviz.experiments.totals import Totals
from tests.experiments.stored_runs import add, many, plan, row, small_store

GRID = {"limit": ["n", "2n"], "deletion": ["leaf", "subtree"]}
PLAN = plan_of("small", {"runs": 25, "seed": 1000, "config": {"n": 5}, "grid": GRID})
KEYS = {
    "largest": "leaves",
    "most_ors": "ors",
    "most_ors_accepted": "ors_accepted",
    "most_accepted": "accepted",
    "most_improved": "improved",
    "most_duplicates": "duplicate_accepted",
    "most_true_error_grew": "true_error_grew",
}


def with_stuck_runs(result: ChunkResult) -> ChunkResult:
    """The same, as if some were stuck, which is rare."""
    rows = [
        row._replace(outcome="stuck", stuck_since=7) if row.number % 6 == result.cell else row
        for row in result.rows
    ]
    totals = Totals()
    for each in rows:
        totals.add(each, (), n=None)
    return result._replace(rows=rows, totals=totals)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "small.gpvizx"
    with Store.create(path, PLAN) as store:
        for cell in PLAN.cells[:3]:
            store.add(with_stuck_runs(run_chunk(Chunk(cell.number, cell.config, 0, 25, 60))))
    return path


@pytest.fixture
def store(path):
    with Store.open(path) as store:
        yield store


def all_runs(store: Store) -> list[StoredRun]:
    return [StoredRun(cell, row) for cell in range(4) for row in store.rows(cell)]


def found(store: Store, **wanted) -> list[StoredRun]:
    return find_runs(store, RunQuery(**wanted), 0, 1000)


class TestOrders:
    def test_by_number_is_by_cell_and_number(self, store):
        assert found(store) == all_runs(store)
        assert found(store, is_descending=True) == all_runs(store)[::-1]

    @pytest.mark.parametrize("order", KEYS)
    def test_the_most_come_first_and_those_that_are_alike_by_cell_and_number(self, store, order):
        most_first = sorted(all_runs(store), key=lambda run: -getattr(run.row, KEYS[order]))
        assert found(store, order=order) == found(store, order=order, is_descending=True) == most_first
        assert found(store, order=order, is_descending=False) == sorted(
            all_runs(store), key=lambda run: getattr(run.row, KEYS[order])
        )

    @pytest.mark.parametrize(("order", "measure"), [("slowest", "iterations"), ("longest_wait", "wait")])
    def test_stuck_runs_would_go_on_for_ever_and_come_last_either_way(self, store, order, measure):
        def key(run: StoredRun) -> int:
            # Their waits are alike; their iterations are told, so they are in order.
            return 0 if run.row.outcome == "stuck" and order == "longest_wait" else getattr(run.row, measure)

        def is_stuck(run: StoredRun) -> bool:
            return run.row.outcome == "stuck"

        most = sorted(all_runs(store), key=lambda run: (is_stuck(run), -key(run)))
        fewest = sorted(all_runs(store), key=lambda run: (is_stuck(run), key(run)))
        assert most != sorted(all_runs(store), key=lambda run: -getattr(run.row, measure))
        assert found(store, order=order) == found(store, order=order, is_descending=True) == most
        assert found(store, order=order, is_descending=False) == fewest
        assert found(store, order=order, outcome="stuck") == [run for run in most if is_stuck(run)]

    def test_those_that_were_full_for_the_largest_share_come_first(self, store):
        def key(run: StoredRun) -> float:
            return (run.row.full_iterations or 0) / run.row.iterations

        assert found(store, order="most_full") == sorted(all_runs(store), key=lambda run: -key(run))
        assert found(store, order="most_full", is_descending=False) == sorted(all_runs(store), key=key)

    def test_stuck_runs_come_first_and_solved_ones_last(self, store):
        positions = ("stuck", "failed", "stopped", "solved")
        expected = sorted(all_runs(store), key=lambda run: positions.index(run.row.outcome))
        assert found(store, order="stuck_first") == expected


class TestFilters:
    @pytest.mark.parametrize("outcome", OUTCOMES)
    def test_by_outcome(self, store, outcome):
        expected = [run for run in all_runs(store) if run.row.outcome == outcome]
        assert found(store, outcome=outcome) == expected
        assert count_runs(store, RunQuery(outcome=outcome)) == len(expected)

    @pytest.mark.parametrize("cells", [(), (0,), (2, 0, 2), (3,), (99, -1), (1, 99)])
    def test_by_cells(self, store, cells):
        expected = [run for run in all_runs(store) if run.cell in cells]
        assert found(store, cells=cells) == expected
        assert count_runs(store, RunQuery(cells=cells)) == len(expected)

    @pytest.mark.parametrize("number", [0, 24, 25, -1, 2**70])
    def test_by_number_and_by_seed(self, store, number):
        expected = [run for run in all_runs(store) if run.row.number == number]
        for query in (RunQuery(number=number), RunQuery(seed=1000 + number)):
            assert find_runs(store, query, 0, 100) == expected
            assert count_runs(store, query) == len(expected)

    def test_all_together(self, store):
        runs = [run for run in all_runs(store) if run.cell in (0, 2) and run.row.outcome == "solved"]
        number = runs[0].row.number
        expected = [run for run in runs if run.row.number == number]
        query = RunQuery(cells=(0, 2), outcome="solved", number=number, seed=1000 + number, order="slowest")
        assert sorted(find_runs(store, query, 0, 9)) == expected
        assert count_runs(store, query) == len(expected)


class TestPages:
    @pytest.mark.parametrize("near", [0, 5_000])
    @pytest.mark.parametrize("order", ORDERS)
    def test_they_make_up_the_whole_whatever_their_size(self, store, monkeypatch, order, near):
        monkeypatch.setattr(store_query, "_NEAR", near)
        for query in (
            RunQuery(order=order), RunQuery(order=order, is_descending=False, cells=(0, 2)),
            RunQuery(order=order, outcome="stuck", cells=(0,)),
        ):  # fmt: skip
            whole = find_runs(store, query, 0, 1000)
            for size in (1, 7):
                pages = [
                    find_runs(store, query, offset, size) for offset in range(0, len(whole) + size, size)
                ]
                assert [run for page in pages for run in page] == whole

    @pytest.mark.parametrize(("offset", "limit"), [(-1, 10), (0, -1), (0, 10_001)])
    def test_a_page_that_cannot_be_gets_a_sentence(self, store, offset, limit):
        with pytest.raises(GpvizError, match="cannot be told"):
            find_runs(store, RunQuery(), offset, limit)


class TestRows:
    @pytest.mark.parametrize("order", ORDERS)
    @pytest.mark.parametrize("is_descending", [None, False, True])
    def test_a_run_stands_where_the_pages_have_it(self, store, order, is_descending):
        for more in ({}, {"cells": (0, 2)}, {"outcome": "stuck"}):
            query = RunQuery(order=order, is_descending=is_descending, **more)
            whole = find_runs(store, query, 0, 1000)
            rows = [find_row(store, query, run.cell, run.row.number) for run in whole[::7]]
            assert rows == list(range(0, len(whole), 7))


class TestNonsense:
    @pytest.mark.parametrize(
        "wanted", [{"order": "fastest; DROP TABLE runs"}, {"outcome": "lost"}, {"order": None}]
    )
    def test_gets_a_sentence(self, wanted):
        with pytest.raises(InvalidValueError, match="is not allowed; it must be"):
            RunQuery(**wanted)

    def test_runs_of_a_cell_that_is_not_there_get_a_sentence(self, path, tmp_path):
        copy = tmp_path / "copy.gpvizx"
        copy.write_bytes(path.read_bytes())
        with Store.open(copy, is_writable=True) as store:
            store.query("UPDATE runs SET cell = 77 WHERE cell = 2")
        with (
            Store.open(copy) as store,
            pytest.raises(GpvizError, match="it has runs of a cell that its plan does not"),
        ):
            found(store)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_store(tmp_path)


def never() -> bool:
    return False


def request(path: Path, rows: range, **changes: Any) -> RowsRequest:
    return RowsRequest(path=path, rows=rows, **({"query": RunQuery()} | changes))


def test_a_query_is_counted_and_its_first_page_read(tmp_path):
    answer = read_pages(request(many(tmp_path, 450), range(1)), never)
    assert answer.count == 450
    assert {number: len(page) for number, page in answer.pages.items()} == {0: 200}


def test_who_scrolls_gets_the_neighbouring_pages_too(tmp_path):
    answer = read_pages(request(many(tmp_path, 450), range(210, 211), known=450), never)
    assert {number: len(page) for number, page in answer.pages.items()} == {0: 200, 1: 200, 2: 50}
    assert [page[0].row.number for page in answer.pages.values()] == [0, 200, 400]


def test_what_nobody_waits_for_is_not_read(tmp_path):
    assert not read_pages(request(many(tmp_path, 450), range(1)), lambda: True).pages


def test_rows_that_are_not_there_are_not_read(tmp_path):
    assert not read_pages(request(many(tmp_path, 5), range(900, 901)), never).pages


def test_a_run_is_found_again_among_new_ones(tmp_path):
    path = many(tmp_path, 300)
    with Store.open(path, is_writable=True) as store:
        add(store, 1, [row(number) for number in range(100)])
    query = RunQuery(order="slowest")
    kept = (RowPosition((0, 150), 150), RowPosition((0, 99), 99), RowPosition((0, 250), 250))
    asked = request(path, range(150, 155), query=query, known=300, kept=kept, is_refresh=True)
    answer = read_pages(asked, never)
    assert answer.moved == {(0, 150): 250, (0, 99): 198, (0, 250): 350}
    assert list(answer.pages) == [1]
    assert answer.count == 400


def test_without_news_a_refresh_reads_no_page(tmp_path):
    asked = request(many(tmp_path, 5), range(5), known=5, is_refresh=True)
    assert not read_pages(asked, never).pages


def test_rows_and_single_runs_can_be_read(small):
    rows = read_rows(small, RunQuery(), [range(1, 3), range(7, 8)], never)
    assert [(run.cell, run.row.number) for run in rows] == [(0, 1), (0, 2), (1, 2)]
    assert read_run(small, (1, 2), never)[1].outcome == "stuck"


def test_a_number_is_located_in_the_cells_that_have_it(tmp_path):
    with Store.create(tmp_path / "gaps.gpvizx", plan()) as store:
        add(store, 0, [row(1), row(4)])
        add(store, 2, [row(0), row(4)])
    path = tmp_path / "gaps.gpvizx"
    every = RunQuery()
    assert locate(path, every, 4, None, never) == (every, ((0, 4), 1), 4, 1, 2)
    assert locate(path, every, 4, (0, 4), never) == (every, ((2, 4), 3), 4, 2, 2)
    assert locate(path, every, 4, (2, 4), never) == (every, ((0, 4), 1), 4, 1, 2)
    assert locate(path, every, 4, (3, 4), never).found == ((0, 4), 1)
    one = RunQuery(cells=(2,), outcome="stuck", order="slowest")
    assert locate(path, one, 4, None, never) == (replace(one, outcome=None), ((2, 4), 1), 2, 1, 1)
    assert locate(path, every, 2, None, never).found is None


def test_nothing_more_is_read_where_nobody_waits(small):
    assert read_rows(small, RunQuery(), [range(2), range(4, 6)], lambda: True) == []
