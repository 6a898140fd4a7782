"""The dialog that finds and runs what is listed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gpviz.app.dialogs.command_finder import CommandFinder, Entry, found

KEY = Qt.Key


@pytest.fixture
def done():
    return []


@pytest.fixture
def entries(done):
    def entry(text: str, section: str, **more) -> Entry:
        return Entry(text=text, section=section, run=lambda: done.append(text), **more)

    return [
        entry("Step forward", "Play", place="Play", keys="Right", tip="Show the next iteration"),
        entry(
            "Step back", "Play", place="Play", keys="Left", is_possible=False, problem="It is at its start."
        ),
        entry("Shade redundant leaves", "View", keys="R", is_on=True, tip="Leaves that could be removed"),
        entry("Radial", "View", place="View › Layout"),
        Entry(text="Choose a node", section="View", keys="Alt+arrows"),
        entry("Theorem 1, played", "Stuck or not", tip="Copies of x₁ joined by ORs"),
    ]


@pytest.fixture
def finder(entries, qtbot):
    made = CommandFinder("Find a command", entries)
    qtbot.addWidget(made)
    made.show()
    return made


def texts(finder: CommandFinder) -> list[str]:
    return [row if isinstance(row, str) else row.text for row in finder.rows]


def press(finder: CommandFinder, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(finder.search_field, key)


def test_everything_is_listed_by_section_before_anything_is_typed(finder, entries):
    expected = ["Play", *texts_of(entries[:2]), "View", *texts_of(entries[2:5]), "Stuck or not"]
    assert texts(finder) == [*expected, "Theorem 1, played"]


def texts_of(entries: list[Entry]) -> list[str]:
    return [entry.text for entry in entries]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("forward step", "Step forward"),  # in any order
        ("SHADE lea", "Shade redundant leaves"),  # beginnings of words
        ("removed", "Shade redundant leaves"),  # what it does
        ("layout radial", "Radial"),  # where it is
        ("r", "Shade redundant leaves"),  # its key before words that begin so
        ("→", "Step forward"),  # a key as it looks
        ("right", "Step forward"),
        ("x1", "Theorem 1, played"),  # as it can be typed
        ("redundnat", "Shade redundant leaves"),  # a slip of the finger
        ("please step back", "Step back"),  # one word too many
    ],
)
def test_the_best_comes_first_whatever_is_typed(entries, query, best):
    assert found(entries, query)[0].text == best


def test_what_is_in_the_text_comes_before_what_is_in_the_explanation(entries):
    assert texts_of(found(entries, "leaves"))[0] == "Shade redundant leaves"
    other = Entry(text="Fold", section="View", tip="Leaves are folded")
    assert texts_of(found([other, *entries], "leaves")) == ["Shade redundant leaves", "Fold"]


def test_nothing_is_found_by_what_is_like_nothing(finder):
    finder.search_field.setText("zzzz")
    assert finder.rows == []
    assert finder.current is None
    assert finder.explanation.text() == "Nothing matches; try another word."
    press(finder, KEY.Key_Down, KEY.Key_Return)
    assert finder.isVisible()


def test_enter_closes_it_and_then_runs_the_chosen_one(finder, done, qtbot):
    press(finder, KEY.Key_Down, KEY.Key_Down, KEY.Key_Return)
    assert not finder.isVisible()
    assert done == []  # while the list is busy with the key it must not go
    qtbot.waitUntil(lambda: done == ["Shade redundant leaves"])


def test_the_arrows_pass_over_headings_and_stop_at_the_ends(finder):
    press(finder, KEY.Key_Up)
    assert finder.current is not None
    assert finder.current.text == "Step forward"
    press(finder, KEY.Key_PageDown, KEY.Key_Down)
    assert finder.current.text == "Theorem 1, played"


def test_a_click_runs_what_it_hits(finder, done, qtbot):
    index = finder.listing.index(texts(finder).index("Radial"), 0)
    QTest.mouseClick(
        finder.list.viewport(), Qt.MouseButton.LeftButton, pos=finder.list.visualRect(index).center()
    )
    qtbot.waitUntil(lambda: done == ["Radial"])


def test_what_cannot_be_done_says_why_and_does_nothing(finder, done):
    finder.search_field.setText("back")
    assert finder.current is not None
    assert finder.current.note == "not now"
    assert finder.explanation.text() == "Not now. It is at its start."
    press(finder, KEY.Key_Return)
    assert done == []
    assert finder.isVisible()


def test_keys_that_are_no_commands_are_found_and_not_run(finder):
    finder.search_field.setText("node")
    assert [row.keys for row in finder.rows if isinstance(row, Entry)] == ["Alt+arrows"]
    press(finder, KEY.Key_Return)
    assert finder.isVisible()


def test_escape_closes_it(finder, done):
    press(finder, KEY.Key_Escape)
    assert not finder.isVisible()
    assert done == []


def test_a_screen_reader_hears_what_enter_would_run(finder):
    finder.search_field.setText("shade")
    assert finder.search_field.accessibleDescription() == "Shade redundant leaves, on, R"
