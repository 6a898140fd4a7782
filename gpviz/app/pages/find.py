"""The page that finds iterations by a query, lists them, and lets a run go on until there is the next."""

from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QSize,
    QStringListModel,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
)
from PySide6.QtWidgets import (
    QCompleter,
    QLineEdit,
    QListView,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QTableView,
    QToolButton,
    QWidget,
)

from gpviz.app.key_text import key_text
from gpviz.app.pages.page import Page, PageContext
from gpviz.app.question import Question
from gpviz.app.tasks import Working
from gpviz.app.theme import Theme, icon
from gpviz.app.widgets.fields import change_text, mark_wrong, sentence, set_role
from gpviz.app.widgets.layouts import column_in, row_of
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.app.widgets.tables import RIGHT, Column, TableModel, set_up_rows
from gpviz.engine import GpvizError, Verdict
from gpviz.explain.query import (
    EXAMPLES,
    LONGEST_QUERY,
    Finder,
    Query,
    QueryError,
    QueryWatch,
    completions,
    is_unfinished,
    parse_query,
    word_start,
)
from gpviz.explain.query_fields import field_named
from gpviz.explain.step_text import VERDICT_SYMBOLS, tell, tell_briefly, verdict_word
from gpviz.number_text import counted
from gpviz.runs.history import History
from gpviz.runs.step_columns import Snapshot
from gpviz.runs.step_encoding import VERDICTS

_MOST_SHOWN: Final = 9
_TEXTS_KEPT: Final = 512
_NOTHING: Final = np.zeros(0, dtype=np.int64)
MOST_FOUND: Final = 100_000
_PORTION_S: Final = 0.2
"""What was found in so much time is shown, and the search goes on."""
_FIRST_PORTION_S: Final = 0.05
"""Where only the first is wanted, it is looked for in smaller portions, as somebody waits for it."""
_INVITATION: Final = "Write a field, a comparison and a value; join them with and, or, not."
_READY: Final = "Enter lists every match so far; Run until goes on to the next one."


class QueryField(QLineEdit):
    """A line for a query."""

    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaxLength(2 * LONGEST_QUERY)  # one that is too long gets a sentence, and is not cut
        self.setClearButtonEnabled(True)
        self._suggestions = QStringListModel(self)
        self._completer = QCompleter(self._suggestions, self)
        self.popup = QListView()
        self.popup.setUniformItemSizes(True)
        self._completer.setPopup(self.popup)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setMaxVisibleItems(_MOST_SHOWN)
        self._completer.setWidget(self)
        self._completer.activated.connect(self._on_suggestion_chosen)
        self.textEdited.connect(self._on_text_edited)

    @property
    def text_before_cursor(self) -> str:
        """What is left of the cursor."""
        return self.text()[: self.cursorPosition()]

    @property
    def word_before_cursor(self) -> str:
        """What is left of the cursor of the word it is in."""
        text = self.text_before_cursor
        return text[word_start(self.text(), len(text)) :]

    def offer(self) -> None:
        """Show what may stand at the cursor, if there is anything."""
        suggestions = completions(self.text(), len(self.text_before_cursor))
        popup = self.popup
        if not suggestions:
            popup.hide()
            return
        self._suggestions.setStringList(suggestions)
        area = self.cursorRect()
        width = popup.sizeHintForColumn(0) + popup.verticalScrollBar().sizeHint().width() + area.height()
        area.setWidth(width)
        self._completer.complete(area)
        popup.resize(popup.width(), popup.height() + 6)  # its padding

    def event(self, event: QEvent) -> bool:
        # Qt would take the Tab key to go on to the next field before any key is seen.
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Tab
            and self.popup.isVisible()
        ):
            row = max(self.popup.currentIndex().row(), 0)
            self.popup.hide()
            self._on_suggestion_chosen(self._suggestions.stringList()[row])
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        popup, key = self.popup, event.key()
        is_enter = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        is_for_list = key == Qt.Key.Key_Escape or (is_enter and popup.currentIndex().isValid())
        is_wish = key == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if popup.isVisible() and is_for_list:
            event.ignore()  # the list does what there is to do
        elif is_enter:
            popup.hide()
            self.entered.emit()
        elif is_wish or (key == Qt.Key.Key_Down and not popup.isVisible()):
            self.offer()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _on_text_edited(self) -> None:
        if self.word_before_cursor:
            self.offer()
        else:
            self.popup.hide()

    @Slot(str)
    def _on_suggestion_chosen(self, word: str) -> None:
        before = self.text_before_cursor.removesuffix(self.word_before_cursor) + word
        rest = self.text()[self.cursorPosition() :]
        gap = "" if rest.startswith(" ") else " "
        self.setText(f"{before}{gap}{rest}")
        self.setCursorPosition(len(before) + 1)


def result_columns(history: History) -> tuple[Column[int], ...]:
    """Iterations of a history: their numbers, their verdicts, and what happened in a line."""

    @lru_cache(_TEXTS_KEPT)
    def telling(iteration: int) -> str:
        try:
            return tell_briefly(history, iteration)
        except GpvizError as problem:
            return str(problem)

    def verdict(iteration: int) -> Verdict:
        return VERDICTS[int(history.verdicts(iteration, iteration + 1)[0])]

    def verdict_name(iteration: int) -> str:
        return verdict_word(verdict(iteration), is_sampled=history.config_at(int(iteration)).is_sampled)

    def hint(iteration: int) -> str:
        return f"{tell(history, int(iteration))}\nEnter or a double click goes there."

    return (
        Column("iteration", lambda one: f"t = {one:,}", "Iteration", align=RIGHT, hint=hint),
        Column(
            "symbol",
            lambda one: VERDICT_SYMBOLS[verdict(one)],
            "Symbol",
            hint=hint,
            colour=lambda one, theme: QColor(theme.colours.of_verdict(verdict(one))),
        ),
        Column("verdict", verdict_name, "Verdict", hint=hint),
        Column("telling", lambda one: telling(int(one)), "What happened", hint=hint),
    )


def _example_hint(example: tuple[str, str]) -> str:
    return f"{example[1]}.\nClick or press Enter to use this query."


EXAMPLE_COLUMNS: Final[tuple[Column[tuple[str, str]], ...]] = (
    Column("query", lambda example: example[0], hint=_example_hint),
    Column("about", lambda example: example[1], hint=_example_hint),
)


class RowsView(QTableView):
    """A list of whole rows with neither grid nor heads, whose Return key chooses."""

    row_chosen = Signal(int)

    def __init__(self, name: str, model: TableModel[Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        set_up_rows(self, name, has_several=False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setMinimumSectionSize(8)
        self.verticalHeader().setMinimumSectionSize(1)

    def set_widths(self, widest: tuple[str, ...]) -> None:
        """Make rows as high as the type, and the first columns as wide as these texts."""
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(round(metrics.height() * 1.3))
        for column, text in enumerate(widest):
            self.setColumnWidth(column, metrics.horizontalAdvance(text) + 2 * metrics.averageCharWidth())

    def minimumSizeHint(self) -> QSize:
        row = self.verticalHeader().defaultSectionSize()
        return QSize(super().minimumSizeHint().width(), 2 * row + 2 * self.frameWidth() + 8)

    def sizeHint(self) -> QSize:
        row = self.verticalHeader().defaultSectionSize()
        return QSize(super().sizeHint().width(), 6 * row + 2 * self.frameWidth() + 8)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.choose(self.currentIndex())
        elif event.key() == Qt.Key.Key_Space:
            event.ignore()  # the key plays the run
        else:
            super().keyPressEvent(event)

    @Slot(QModelIndex)
    def choose(self, index: QModelIndex) -> None:
        """Choose the row of a cell."""
        self.row_chosen.emit(index.row())


class _Found(NamedTuple):
    """The iterations found so far, and the last one that was looked at."""

    iterations: npt.NDArray[np.int64] = _NOTHING
    searched_to: int = 0


class _Search:
    """Looks for a query in what is recorded now; stopped, it goes on from there when it is called again."""

    def __init__(self, query: Query, history: History) -> None:
        self.query = query
        self.length = len(history)
        self._snapshot = Snapshot(history)
        self._found = _Found()

    def __call__(self, working: Working) -> _Found:
        finder = Finder(self.query, self._snapshot, self._found.searched_to + 1)
        while not (finder.is_done or len(self._found.iterations) >= MOST_FOUND or working()):
            found = np.concatenate((self._found.iterations, finder.go_on(working, _PORTION_S)))
            self._found = _Found(found[:MOST_FOUND], finder.searched_to)
            working.report(self._found)
        return self._found


class FindPage(Page):
    """A field for a query, what it finds, and ways to go there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._search: _Search | None = None
        self._is_running_until = False
        self._found = _Found()
        self._matches = Question(self, self._show_found, self.show_problem)
        self._matches.progressed.connect(self._show_found)
        # Its asker is no widget: whoever looks at another page meanwhile still wants to go there.
        self._first_match = Question(QObject(self), self._go_to_first, self._say_message)
        self._results: TableModel[int] = TableModel(parent=self)
        self._build()
        self.setFocusProxy(self.field)
        self._connect()
        self._refresh()

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self._results.apply_theme(theme)
        self._refresh_widths()
        self.examples.set_widths((max((query for query, _ in EXAMPLES), key=len),))
        self.previous_button.setIcon(icon("up-dark" if theme.is_dark else "up-light", theme))
        self.next_button.setIcon(icon("down-dark" if theme.is_dark else "down-light", theme))
        side = round(self.fontMetrics().height() * 0.7)
        for button in (self.previous_button, self.next_button):
            button.setIconSize(QSize(side, side))

    def connect_to(self, context: PageContext) -> None:
        """The run goes to what is found."""
        super().connect_to(context)
        context.player.run_changed.connect(self._first_match.cancel)

    def let_go(self) -> None:
        """Nor what was found in it."""
        super().let_go()
        self._forget()

    def show_moment(self, history: History, iteration: int) -> None:
        """The cursor is at this iteration; what was found in another history is forgotten."""
        is_other = history is not self.history
        super().show_moment(history, iteration)
        if is_other:
            self._forget()
        if self._is_running_until and not self.context.player.is_playing:
            self._is_running_until = False
            self.find_matches()  # with the one that the run has come to
        self._refresh()

    @property
    def is_searching(self) -> bool:
        """Whether more may be found."""
        return self._matches.is_busy

    def found(self) -> npt.NDArray[np.int64]:
        """The iterations found so far."""
        return self._found.iterations

    def show_problem(self, problem: str) -> None:
        """Say why nothing more is found."""
        self._refresh()
        self._say(problem, "problem")

    @Slot()
    def find_matches(self) -> None:
        """Look for what the field asks for in all that is recorded."""
        query = self._query()
        if query is None or self.history is None:
            return
        self._clear_found()
        self._search = _Search(query, self.history)
        self._refresh_widths()
        self.lists.setCurrentWidget(self.results)
        self._matches.ask(self._search, None, self._search)
        self._refresh()

    @Slot()
    def run_until(self) -> None:
        """Go to the next iteration of which the query is true, making it if it is not recorded yet."""
        query = self._query()
        if query is None:
            return
        player = self.context.player
        player.settle()
        self.context.focus_tree()
        finder = Finder(query, Snapshot(player.run.history), player.cursor + 1)
        self._first_match.ask(finder, None, partial(_first_found, finder))

    def _build(self) -> None:
        self.field = QueryField()
        self.field.setPlaceholderText(f"such as  {EXAMPLES[0][0]}")
        self.field.setAccessibleName("Query")
        self.field.setToolTip(key_text("What to look for. Ctrl+Space or Down suggests what to write."))
        self.field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.examples_button = QToolButton()
        self.examples_button.setText("Examples")
        self.examples_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = MacSafeMenu(self.examples_button)
        for query, about in EXAMPLES:
            menu.addAction(f"{about}:  {query}").triggered.connect(partial(self._use, query))
        self.examples_button.setMenu(menu)
        self.find_button = QPushButton("Find")
        self.find_button.setProperty("role", "primary")
        self.until_button = QPushButton("Run until")
        self.previous_button, self.next_button = QToolButton(), QToolButton()
        for button, name, tip in (
            (self.examples_button, "Examples of queries", "Choose an example."),
            (
                self.until_button,
                "Run until the query matches",
                "Run on until the next iteration that matches.",
            ),
            (self.previous_button, "Previous match", "Go to the last match before this iteration."),
            (self.next_button, "Next match", "Go to the first match after this iteration."),
        ):
            button.setAccessibleName(name)
            button.setToolTip(tip)
        self.message = sentence("")
        self.results = RowsView("Iterations found", self._results)
        self.results.doubleClicked.connect(self.results.choose)
        self.examples = RowsView("Examples of queries", TableModel(EXAMPLE_COLUMNS, EXAMPLES, self))
        self.examples.clicked.connect(self.examples.choose)

        line = row_of(
            (self.field, 1),
            self.find_button,
            self.until_button,
            self.examples_button,
            self.previous_button,
            self.next_button,
            spacing=6,
        )
        self.lists = QStackedLayout()
        self.lists.addWidget(self.examples)
        self.lists.addWidget(self.results)
        column_in(self, line, self.message, (self.lists, 1), spacing=4, margins=(8, 6, 8, 6))

    def _connect(self) -> None:
        self.field.textChanged.connect(self._refresh_message)
        self.field.cursorPositionChanged.connect(self._refresh_message)
        self.field.entered.connect(self.find_matches)
        self.find_button.clicked.connect(self._on_find_clicked)
        self.until_button.clicked.connect(self.run_until)
        self.previous_button.clicked.connect(partial(self._go_beside, is_next=False))
        self.next_button.clicked.connect(partial(self._go_beside, is_next=True))
        self.results.row_chosen.connect(self._go_to)
        self.examples.row_chosen.connect(self._on_example_row)

    def _query(self) -> Query | None:
        """The query in the field; if there is none, the message says why."""
        try:
            return parse_query(self.field.text())
        except QueryError as problem:
            self._say(str(problem), "problem", is_wrong=True)
            self.field.setFocus()
            return None

    @Slot(object)
    def _show_found(self, found: _Found) -> None:
        self._found = found
        self._results.add_rows(found.iterations)
        self._refresh()

    @Slot(object)
    def _go_to_first(self, answer: tuple[Query, int | None]) -> None:
        query, iteration = answer
        player = self.context.player
        if iteration is None:
            self._is_running_until = True
            player.run_until(lambda: QueryWatch(query, player.run.config))
        else:
            player.go_to(iteration)
            self._say_message(f"Iteration {iteration:,} is the next match of {query.text}.")

    def _say_message(self, message: str) -> None:
        self.context.show_message(message)

    def _refresh_widths(self) -> None:
        largest = 0 if self._search is None else self._search.length
        self.results.set_widths((f"t = {largest:,}", VERDICT_SYMBOLS[Verdict.IMPROVED], "unchanged"))

    def _forget(self) -> None:
        self._matches.cancel()
        self._search = None
        self._clear_found()
        self.lists.setCurrentWidget(self.examples)

    def _clear_found(self) -> None:
        self._found = _Found()
        self._results.show_rows(self.found(), () if self.history is None else result_columns(self.history))

    def _row_beside(self, *, is_next: bool) -> int:
        """The row of the first match after this iteration, or of the last one before it; there may be none."""
        if is_next:
            return int(np.searchsorted(self.found(), self.iteration, side="right"))
        return int(np.searchsorted(self.found(), self.iteration)) - 1

    @Slot()
    def _on_find_clicked(self) -> None:
        if self.is_searching:
            self._matches.cancel()
            self._refresh()
        else:
            self.find_matches()

    @Slot(int)
    def _on_example_row(self, row: int) -> None:
        self._use(EXAMPLES[row][0])

    def _use(self, query: str, _is_checked: bool = False) -> None:
        self.field.setText(query)
        self.field.setFocus()

    def _go_beside(self, _is_checked: bool = False, *, is_next: bool) -> None:
        self._go_to(self._row_beside(is_next=is_next))

    @Slot(int)
    def _go_to(self, row: int) -> None:
        self.iteration = int(self.found()[row])
        self._refresh()
        self.context.player.go_to(self.iteration)

    def _refresh(self) -> None:
        """Mark the iteration on show, if it is one of those found, and say what was found."""
        found = self.found()
        row = int(np.searchsorted(found, self.iteration))
        if row == len(found) or found[row] != self.iteration:
            self.results.clearSelection()
        elif self.results.currentIndex().row() != row or not self.results.selectionModel().hasSelection():
            self.results.setCurrentIndex(self._results.index(row, 0))
        self._refresh_message()
        self._refresh_buttons()

    @Slot()
    def _refresh_message(self) -> None:
        """Say what is wrong with the query, what is missing, or what was found."""
        text = self.field.text()
        search = self._search
        if search is not None and " ".join(text.split()) == search.query.text:
            self._say(self._findings(search), "muted")
            return
        if not text.strip():
            self._say(_INVITATION, "muted")
            return
        hint = _READY
        try:
            parse_query(text)
        except QueryError as problem:
            if not is_unfinished(text, problem):
                self._say(f"Column {problem.column}: {problem.problem}.", "problem", is_wrong=True)
                return
            hint = f"{problem.problem[0].upper()}{problem.problem[1:]}."
        named = field_named(self.field.word_before_cursor)
        self._say(hint if named is None else f"{named.name}: {named.about}.", "muted")

    def _findings(self, search: _Search) -> str:
        count, searched_to, length = len(self.found()), self._found.searched_to, search.length
        matches = counted(count, "match") if count else "No match"
        if self.is_searching:
            return f"Searching … {matches} in {searched_to:,} of {length:,} iterations."
        if count >= MOST_FOUND:
            last = int(self.found()[-1])
            return f"The first {count:,} matches, up to iteration {last:,}; more may follow."
        if searched_to < length:
            return f"{matches} in the first {searched_to:,} of {length:,} iterations; more may follow."
        now = 0 if self.history is None else len(self.history)
        if now > length:
            return f"{matches} in the first {length:,} iterations; Enter searches all {now:,}."
        return f"{matches} in {counted(length, 'iteration')}."

    def _say(self, text: str, role: str, *, is_wrong: bool = False) -> None:
        mark_wrong(self.field, is_wrong=is_wrong)
        change_text(self.message, text)
        set_role(self.message, role)

    def _refresh_buttons(self) -> None:
        is_searching = self.is_searching
        text = "Stop" if is_searching else "Find"
        self.find_button.setText(text)
        self.find_button.setAccessibleName("Stop searching" if is_searching else "Find all matches")
        self.find_button.setToolTip(
            "Stop the search." if is_searching else "List every iteration so far that matches (Enter)."
        )
        self.next_button.setEnabled(self._row_beside(is_next=True) < len(self.found()))
        self.previous_button.setEnabled(self._row_beside(is_next=False) >= 0)


def _first_found(finder: Finder, working: Working) -> tuple[Query, int | None]:
    """The first iteration that the query asks for, among those that are recorded."""
    while not finder.is_done and not working():
        found = finder.go_on(working, _FIRST_PORTION_S)
        if len(found):
            return finder.query, int(found[0])
    return finder.query, None
