"""The page of the truth table: a grid of its rows, what the step did to them and to the function, and one row to
look at."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from PySide6.QtCore import (
    QModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QLabel,
    QListView,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gpviz.app.pages.page import Page
from gpviz.app.pages.truth_table.grid import TruthTableGrid, TruthTableLegend
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import ElidedLabel, sentence, set_tip, show_sentence, small_button
from gpviz.app.widgets.layouts import NO_LIMIT, column_in, row_in, row_of, turn_to_shape
from gpviz.app.widgets.tables import Column, TableIndex, TableModel
from gpviz.app.widgets.themed import Themed
from gpviz.engine import UNICODE, Node, Verdict
from gpviz.escaping import tooltip_text
from gpviz.explain.moment import Moment, Overlay, moment_at
from gpviz.explain.step_text import VERDICT_SYMBOLS
from gpviz.explain.tree_text import FunctionsText, functions_text, is_difference_quick
from gpviz.explain.truth_table import (
    DrawnRows,
    RowTable,
    Witness,
    assignment_text,
    cell_text,
    class_counts,
    is_quick,
    sample_text,
    scope_text,
    summary_text,
    table_of,
    values_on,
    witness_text,
)
from gpviz.runs.history import History

_MOST_KEPT: Final = 12
_MARGIN: Final = 8
_GRID_SHARE: Final = 0.45
_UPRIGHT_GRID_SHARE: Final = 0.64
_LOW: Final = 12
"""In lines of text: on a lower page what the cells of a complete table are is said by the tooltip alone."""
_KEYS: Final = (
    "The target is true only in the top left cell. Click or use the arrow keys to choose a row; Esc "
    "clears the choice."
)
_NO_ROW: Final = "Point at a cell, or turn a switch: the tree shows its values on that row."


class _Switch(NamedTuple):
    """A variable and its value; without a chosen row all would be 1."""

    name: str
    is_on: bool
    is_chosen: bool


def _switches(n: int, mask: int | None) -> list[_Switch]:
    return [
        _Switch(UNICODE.variable(index + 1), mask is None or bool(mask >> index & 1), mask is not None)
        for index in range(n)
    ]


_SWITCH_COLUMN: Final[Column[_Switch]] = Column(
    "variable",
    lambda switch: f"{switch.name} = {int(switch.is_on)}",
    hint=lambda switch: (
        f"{switch.name} is {int(switch.is_on)}; click or press Space to make it {int(not switch.is_on)}."
    ),
)


class _Painter(QStyledItemDelegate):
    """Paints a switch as a pill: filled for 1, hollow for 0, with the value as text as well."""

    def __init__(self, view: "RowSwitches") -> None:
        super().__init__(view)
        self._view = view
        self.widest = "x₁ = 0"

    def sizeHint(self, option: QStyleOptionViewItem, index: TableIndex) -> QSize:
        metrics = QFontMetrics(self._view.theme.font(0.9))
        return QSize(
            metrics.horizontalAdvance(self.widest) + metrics.height(), round(metrics.height() * 1.5) + 2
        )

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: TableIndex) -> None:
        colours = self._view.theme.colours
        model: Any = index.model()
        options: Any = option  # the type hints leave out what its base class has
        switch: _Switch = model.row_at(index.row())
        is_on, is_chosen = switch.is_on, switch.is_chosen
        has_focus = bool(options.state & QStyle.StateFlag.State_HasFocus)
        is_pointed_at = bool(options.state & QStyle.StateFlag.State_MouseOver)
        pill = QRectF(options.rect).adjusted(2, 2, -2, -2)
        fill, text = (colours.accent, colours.accent_text) if is_on and is_chosen else ("", colours.text)
        if not is_chosen:
            text = colours.muted
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = colours.accent if has_focus or is_pointed_at or fill else colours.border
        if has_focus:
            painter.setPen(QPen(QColor(colours.text if fill else colours.accent), 2))
        else:
            painter.setPen(QPen(QColor(frame), 1))
        painter.setBrush(QColor(fill) if fill else QColor(colours.panel))
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
        painter.setFont(self._view.theme.font(0.9))
        painter.setPen(QColor(text))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, index.data())
        painter.restore()


class RowSwitches(Themed, QListView):
    """The switches, in as many lines as there is need for. Turning one tells the row that is then chosen."""

    row_switched = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mask: int | None = None
        self._switches = TableModel([_SWITCH_COLUMN], parent=self)
        self._painter = _Painter(self)
        self.setModel(self._switches)
        self.setItemDelegate(self._painter)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setStyleSheet("QListView { border: none; background: transparent; padding: 0px; }")
        self.setAccessibleName("Switches of the variables")
        set_tip(
            self,
            (
                "Choose a row by hand: click or press Space to flip a variable; the arrow keys move to "
                "another."
            ),
        )
        self.clicked.connect(self._on_clicked)

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.scheduleDelayedItemsLayout()
        self.updateGeometry()

    def set_row(self, n: int, mask: int | None) -> None:
        """Show the values that n variables have in this row."""
        self._painter.widest = f"{UNICODE.variable(n)} = 0"
        self._mask = mask
        show = self._switches.update_rows if n == self._switches.rowCount() else self._switches.show_rows
        show(_switches(n, mask))

    def turn(self, variable: int) -> None:
        """Turn the switch of a variable; if no row is chosen, all others are 1."""
        mask = (1 << self._switches.rowCount()) - 1 if self._mask is None else self._mask
        self.row_switched.emit(mask ^ (1 << (variable - 1)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.turn(index.row() + 1)
        elif event.key() == Qt.Key.Key_Escape and self._mask is not None:
            self.row_switched.emit(None)
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(200, 2 * self.sizeHintForRow(0) + 2 * self.frameWidth() + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHintForRow(0) + 2 * self.frameWidth() + 8)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.turn(index.row() + 1)


def _witness_column(drawn: DrawnRows) -> Column[Witness]:
    def row(witness: Witness) -> str:
        return assignment_text(drawn.mask_of(witness.number), drawn.n)

    def text(witness: Witness) -> str:
        verdict = Verdict.IMPROVED if witness.is_parent_wrong else Verdict.WORSE
        return f"{VERDICT_SYMBOLS[verdict]} {row(witness)}"

    def telling(witness: Witness) -> str:
        return f"Drawn row {witness.number + 1:,}: {row(witness)}; {witness_text(witness)}."

    return Column("witness", text, hint=telling, spoken=telling)


class WitnessList(QListView):
    """The witnesses; ▲ speaks for the offspring and ▼ against it. Going to one tells its row."""

    row_picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawn: DrawnRows | None = None
        self._witnesses: TableModel[Witness] = TableModel(parent=self)
        self.setModel(self._witnesses)
        self.setUniformItemSizes(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Rows that decided the verdict")
        set_tip(
            self,
            "The drawn rows on which parent and offspring differ: ▲ only the parent is wrong, "
            "▼ only the offspring is wrong.",
        )
        self.selectionModel().currentChanged.connect(self._tell)
        self.clicked.connect(self._tell)  # also if it is where the keyboard already is

    def set_drawn(self, drawn: DrawnRows | None) -> None:
        """List the witnesses of these rows, if there are any."""
        if drawn is not self._drawn:
            self._drawn = drawn
            if drawn is not None:
                self._witnesses.show_rows(drawn.witnesses, [_witness_column(drawn)])
        self.setVisible(drawn is not None and bool(drawn.witnesses))

    def sizeHint(self) -> QSize:
        return QSize(200, 2 * self._line() + 2 * self.frameWidth() + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self._line() + 2 * self.frameWidth() + 8)

    def _line(self) -> int:
        return max(self.sizeHintForRow(0), self.fontMetrics().height())

    @Slot(QModelIndex)
    def _tell(self, index: QModelIndex) -> None:
        if self._drawn is not None and index.isValid():
            self.row_picked.emit(self._drawn.mask_of(self._drawn.witnesses[index.row()].number))


class _Answer(NamedTuple):
    """What there is to show of a moment."""

    table: RowTable
    functions: FunctionsText


def _answer_for(moment: Moment) -> _Answer:
    return _Answer(table_of(moment), functions_text(moment))


class TruthTablePage(Page):
    """Shows the truth table and the functions of a moment, and on the tree the values of the chosen row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table: RowTable | None = None
        self._hovered: int | None = None
        self._picked: int | None = None
        self.shown_row: int | None = None
        """The row on which the tree shows its values."""
        self._question = self.question_about_moment(self._show, remembers=_MOST_KEPT)
        self._question.grown_late.connect(self._on_late)

        self.grid = TruthTableGrid()
        self.legend = TruthTableLegend()
        self.switches = RowSwitches()
        self.witnesses = WitnessList()
        self.summary = sentence("")
        self.summary.setAccessibleDescription("The truth table in words")
        self.difference = sentence("")
        self.difference.setAccessibleDescription("How the functions differ")
        self.formulas = tuple(_formula_line() for _ in range(2))
        """What parent and offspring compute."""
        self.scope = ElidedLabel("muted")
        self.sample = ElidedLabel("muted")
        self.readout = ElidedLabel()
        self.clear_button = small_button("✕", "Choose no row (Esc in the grid)", "Choose no row")
        self.clear_button.clicked.connect(self._on_cleared)
        self._lay_out()

        self.grid.row_hovered.connect(self._on_row_hovered)
        self.grid.row_picked.connect(self._on_row_picked)
        self.switches.row_switched.connect(self._on_row_picked)
        self.witnesses.row_picked.connect(self._on_row_picked)
        self._show_row()

    @property
    def chosen_row(self) -> int | None:
        """The row to look at: that under the mouse, or else the one picked last."""
        return self._picked if self._hovered is None else self._hovered

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.summary.setFont(theme.font(1.0, is_bold=True))
        self._fit_grid()

    def overlay_on(self, tree: Node | None) -> Overlay | None:
        """The value of each node on the chosen row."""
        if tree is None or self.shown_row is None:
            return None
        return Overlay(values=values_on(tree, self.shown_row))

    def let_go(self) -> None:
        """Nor the tables of its iterations."""
        super().let_go()
        self._question.forget()

    def show_moment(self, history: History, iteration: int) -> None:
        """Show the truth table of an iteration; a large one appears when it is made."""
        if history is not self.history:
            self._question.forget()
        super().show_moment(history, iteration)
        moment = moment_at(history, iteration)
        if is_quick(moment) and is_difference_quick(moment.parent, moment.tree, moment.offspring):
            self._question.cancel()
            self._show(_answer_for(moment))
        else:
            self._question.ask(history, iteration, lambda _: _answer_for(moment))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_grid()
        self._fit_scope()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_row()

    def hideEvent(self, event: QHideEvent) -> None:
        """What is not seen colours nothing."""
        super().hideEvent(event)
        self._hovered = None
        self._tell(None)

    def _lay_out(self) -> None:
        texts = QWidget()
        column_in(
            texts,
            self.summary,
            self.legend,
            self.difference,
            *self.formulas,
            self.scope,
            self.sample,
            row_of((self.readout, 1), self.clear_button, spacing=6),
            (row_of((self.switches, 3), (self.witnesses, 2), spacing=8), 1),
            spacing=4,
        )
        area = QScrollArea()
        area.setAccessibleName("About the rows")
        area.setProperty("role", "text")
        area.setWidgetResizable(True)
        area.setWidget(texts)
        area.setMinimumHeight(60)
        margins = (_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        self._layout = row_in(self, self.grid, (area, 1), spacing=14, margins=margins)

    def _fit_grid(self) -> None:
        """Square cells as large as there is space for them, while the text beside or below still have some."""
        space = self.contentsRect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        is_upright = turn_to_shape(self._layout, space.size())
        height = int(_UPRIGHT_GRID_SHARE * space.height()) if is_upright else space.height()
        most = space.width() if is_upright else int(_GRID_SHARE * space.width())
        width = self.grid.width_for(height)
        if is_upright and width > most:
            height = max(int(height * most / width), 1)
        self.grid.setMaximumHeight(height if is_upright else NO_LIMIT)
        self.grid.set_wanted_width(max(min(width, most), self.grid.minimumSizeHint().width()))

    def _fit_scope(self) -> None:
        is_low = self.height() < _LOW * self.fontMetrics().height()
        self.scope.setVisible(self.table is not None and not (is_low and self.table.grid.is_complete))
        for label in (self.scope, self.sample, self.readout):
            label.setWordWrap(not is_low)

    @Slot(object)
    def _show(self, answer: _Answer) -> None:
        table, functions = answer
        show_sentence(self.difference, functions.difference)
        self._show_formulas(functions.formulas)
        is_other_grid = self.table is None or table.grid != self.table.grid
        n = table.grid.n
        if self._picked is not None and self._picked.bit_length() > n:
            self._picked = None  # it was a row of a run with more variables
        self.table = table
        self.grid.set_table(table)
        if is_other_grid:
            self._fit_grid()
            _set(self.scope, scope_text(table))
            self._fit_scope()
            self.grid.setToolTip(tooltip_text(f"{scope_text(table)}\n{_KEYS}"))
        _set(self.summary, summary_text(table))
        drawn = table.drawn
        self.legend.set_counts(class_counts(table), has_drawn=drawn is not None and len(drawn.cells) > 0)
        self.witnesses.set_drawn(drawn)
        _set(self.sample, sample_text(table))
        self.sample.setVisible(bool(self.sample.text()))
        self._show_row()

    def _show_formulas(self, formulas: Sequence[str]) -> None:
        """Those of the parent and the offspring, or that of the only tree."""
        for line, text in zip(self.formulas, ("", *formulas)[-2:], strict=True):
            _set(line, text)
            line.setVisible(bool(text))

    def _show_row(self) -> None:
        row = self.chosen_row
        self.grid.set_marked(row)
        self.clear_button.setEnabled(self._picked is not None)
        table = self.table
        if table is not None:
            self.switches.set_row(table.grid.n, row)
        text = "" if table is None or row is None else cell_text(table, row)
        _set(self.readout, text or ("" if table is None else _NO_ROW))
        if table is not None:
            about = f"{summary_text(table)} {scope_text(table)}"
            self.grid.setAccessibleDescription(f"{text} {about}" if text else about)
        if self.isVisible():
            self._tell(row)

    def _tell(self, row: int | None) -> None:
        if row != self.shown_row:
            self.shown_row = row
            if self._context is not None:
                self._context.refresh_overlay()

    @Slot(object)
    def _on_row_hovered(self, mask: int | None) -> None:
        self._hovered = mask
        self._show_row()

    @Slot(object)
    def _on_row_picked(self, mask: int | None) -> None:
        self._hovered = None  # until the mouse moves on
        self._picked = mask
        self._show_row()

    @Slot()
    def _on_cleared(self) -> None:
        self._on_row_picked(None)

    def show_problem(self, problem: str) -> None:
        """Say why there is no table."""
        self.table = None
        self.tell_of(None)
        self.grid.set_table(None)
        self.legend.set_counts({}, has_drawn=False)
        self._show_formulas([""])
        for part in (self.difference, self.scope, self.sample, self.witnesses):
            part.hide()
        _set(self.summary, problem)
        self._show_row()

    @Slot()
    def _on_late(self) -> None:
        _set(self.summary, "Working out the table …")


def _formula_line() -> ElidedLabel:
    line = ElidedLabel()
    line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return line


def _set(label: QLabel, text: str) -> None:
    """Change a label only where it changes, as each change makes Qt lay out the page anew."""
    if label.text() != text:
        label.setText(text)
        if isinstance(label, ElidedLabel):
            set_tip(label, text)
