"""Pages of runs, read as a table asks for them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpviz.experiments.store import Store
from gpviz.experiments.store_pages import RowPosition, RowsRequest, locate, read_pages, read_rows, read_run
from gpviz.experiments.store_query import RunQuery
from tests.experiments.stored_runs import add, many, plan, row, small_store


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_store(tmp_path)


def never() -> bool:
    return False


def request(path: Path, *rows: range, **changes: Any) -> RowsRequest:
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
