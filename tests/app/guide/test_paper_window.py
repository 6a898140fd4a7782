"""The Paper page, as a lecturer uses it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from gpviz.app.guide.paper_window import PaperWindow
from gpviz.paper_statements import load_statements, statement


@pytest.fixture
def paper(qtbot):
    window = PaperWindow()
    qtbot.addWidget(window)
    window.resize(1280, 720)
    window.open_at()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def listed(window: PaperWindow) -> list[str]:
    return [
        item.data(Qt.ItemDataRole.UserRole)
        for row in range(window.list.count())
        if (item := window.list.item(row)).flags()
    ]


def test_it_opens_with_the_first_statement_and_lists_all_in_order(paper):
    assert paper.card.statement is load_statements()[0]
    assert listed(paper) == [each.id for each in load_statements()]
    assert not paper.back_button.isEnabled()


def test_a_statement_is_shown_whole(paper):
    paper.open_at("theorem-sampling")
    each, card = statement("theorem-sampling"), paper.card
    assert "Theorem" in [label.text() for label in card.findChildren(QLabel) if label.isVisible()]
    assert card.section.text() == "Section 4: Sampled rows"
    for label, text in (
        (card.title, each.title),
        (card.formula, each.formula),
        (card.text, each.text),
        (card.assumptions, each.assumptions),
        (card.reality, each.reality),
    ):
        assert label.text().replace("\N{NO-BREAK SPACE}", " ") == text
        assert label.isVisible()
    assert each.measured_by in card.measured_by.text()
    assert paper.windowTitle().startswith("Theorem: A logarithmic number of iterations")


def test_the_keys_of_a_clicker_go_through_the_statements(paper):
    QTest.keyClick(paper, Qt.Key.Key_PageDown)
    assert paper.card.statement is load_statements()[1]
    QTest.keyClick(paper, Qt.Key.Key_PageUp)
    QTest.keyClick(paper, Qt.Key.Key_PageUp)
    assert paper.card.statement is load_statements()[0]
    paper.open_at("figure-3")
    assert not paper.forward_button.isEnabled()
    QTest.keyClick(paper, Qt.Key.Key_PageDown)
    assert paper.card.statement is load_statements()[-1]


def test_a_search_lists_what_it_finds_and_shows_the_first(paper, qtbot):
    qtbot.keyClicks(paper.search_field, "figure trees")
    assert listed(paper)[0] == "figure-1"
    assert paper.card.statement is statement("figure-1")
    paper.search_field.setText("no such words")
    assert listed(paper) == []
    assert paper.nothing.isVisible()
    QTest.keyClick(paper, Qt.Key.Key_Escape)
    assert len(listed(paper)) == len(load_statements())
    assert paper.card.statement is statement("figure-1")
    QTest.keyClick(paper, Qt.Key.Key_Escape)
    assert not paper.isVisible()


def test_who_goes_on_without_the_list_hears_the_statement(paper, monkeypatch):
    said: list[str] = []
    monkeypatch.setattr(paper.announcer, "say", said.append)
    QTest.keyClick(paper.list, Qt.Key.Key_PageDown)
    assert said == []
    paper.card.buttons[0].setFocus()
    QTest.keyClick(paper, Qt.Key.Key_PageDown)
    assert said == [load_statements()[2].heading]


def test_full_screen_leaves_all_space_to_the_statement(paper):
    QTest.keyClick(paper, Qt.Key.Key_F11, Qt.KeyboardModifier.ShiftModifier)
    assert paper.isFullScreen()
    assert not paper.left.isVisible()
    QTest.keyClick(paper, Qt.Key.Key_Escape)
    assert not paper.isFullScreen()
    assert paper.left.isVisible()


def test_a_button_asks_for_what_it_names_by_mouse_and_keyboard(paper, qtbot):
    paper.open_at("theorem-1")
    asked: list[object] = []
    paper.show_asked.connect(asked.append)
    shows = statement("theorem-1").shows
    assert [button.accessibleName() for button in paper.card.buttons] == [
        f"Show: {show.label}" for show in shows
    ]
    first, second = paper.card.buttons[:2]
    assert first.accessibleDescription() == (
        "Opens the run of the preset theorem-1-played at iteration 8, with By hand beside the tree"
    )
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    second.setFocus()
    QTest.keyClick(second, Qt.Key.Key_Return)
    QTest.keyClick(second, Qt.Key.Key_Space)
    assert asked == [shows[0], shows[1], shows[1]]
