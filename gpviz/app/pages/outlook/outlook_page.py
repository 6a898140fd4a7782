"""The outlook page: how likely the run is to end stuck, seen from each iteration, and which steps decided it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QAction,
    QFontMetrics,
    QHelpEvent,
    QHideEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QSizePolicy,
    QToolTip,
    QWidget,
)

from gpviz.app.key_text import key_text
from gpviz.app.pages.outlook.outlook_painter import OutlookGeometry, paint_outlook
from gpviz.app.pages.page import Page, PageContext
from gpviz.app.pages.page_head import PAGE_MARGINS, PageHead
from gpviz.app.player.pacing import Throttle
from gpviz.app.question import Question
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import ElidedLabel, sentence
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.tables import RIGHT, ChoiceTable, Column
from gpviz.app.widgets.themed import Themed
from gpviz.explain.outlook_along_run import RunOutlook
from gpviz.explain.outlook_picture import DecisiveMark, OutlookPicture, outlook_picture, step_text
from gpviz.explain.outlook_text import chance_of, outlook_text
from gpviz.explain.step_text import tell
from gpviz.number_text import counted
from gpviz.runs.history import History

_REFRESH_MS: Final = 150
_FAST_MS: Final = 500
"""How often the page follows a run that is too fast to show each step."""
_MARGIN: Final = 4.0
_PADDING: Final = 10
_TEXTS_KEPT: Final = 512
_MOST_ROWS: Final = 8
"""So many are seen below the picture; the others can be scrolled to."""
_HEIGHT_FOR_LIST: Final = 19
_HEIGHT_FOR_NOTE: Final = 23
_HEIGHT_FOR_HEAD: Final = 14
"""In lines of type: less high, the page has no list, no note, or no headline."""
_HEADLINE: Final = "How the run may end"
_AIR: Final = "\N{NO-BREAK SPACE}" * 3
"""Before what would else touch the column before it."""
_NOT_LOOKED_AT: Final = "Dotted: not looked at."
_UNKNOWN: Final = "Looking at what may come of this tree …"
_RESTING: Final = "Waiting until the run pauses."


class OutlookChart(Themed, QWidget):
    """The picture; a click goes to an iteration, and the tooltip tells of it."""

    iteration_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture: OutlookPicture | None = None
        """What it shows."""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Outlook along the run")

    def show_picture(self, picture: OutlookPicture | None) -> None:
        """Show this; None for nothing."""
        self.picture = picture
        self.setAccessibleDescription("" if picture is None else picture.description())
        self.update()

    def geometry_now(self) -> OutlookGeometry | None:
        """Where everything is; None while there is nothing."""
        picture = self.picture
        return None if picture is None else OutlookGeometry.of(self._chart_rect(), picture, self.theme)

    def minimumSizeHint(self) -> QSize:
        line = QFontMetrics(self.theme.font()).height()
        return QSize(12 * line, 5 * line)

    def sizeHint(self) -> QSize:
        line = QFontMetrics(self.theme.font()).height()
        return QSize(32 * line, 16 * line)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.picture is not None:
            with QPainter(self) as painter:
                paint_outlook(painter, self._chart_rect(), self.picture, self.theme)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        geometry = self.geometry_now()
        is_held = Qt.MouseButton.LeftButton in (event.button(), event.buttons())
        if geometry is not None and is_held and event.position().x() <= geometry.plot.right() + geometry.line:
            self.iteration_chosen.emit(geometry.iteration_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.hint_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def hint_at(self, point: QPointF) -> str:
        """What is to be said of a point."""
        geometry = self.geometry_now()
        if geometry is None or self.picture is None:
            return ""
        if point.x() > geometry.plot.right() + geometry.line:
            now = self.picture.now
            return "Not known yet." if now is None else outlook_text(now)
        return self.picture.telling(geometry.iteration_at(point.x()))

    def _chart_rect(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)


class DecisiveTable(ChoiceTable):
    """The decisive steps of a run."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Decisive steps", parent)
        self._history: History | None = None
        self.setProperty("role", "plain")
        self.setAlternatingRowColors(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setToolTip("Choose a step to go there.")

    def show_marks(self, marks: Sequence[DecisiveMark], history: History, cursor: int) -> None:
        """List these steps of a run; the one at the cursor is marked."""
        if history is not self._history or len(marks) != self.listing.rowCount():
            self._history = history
            self.show_rows(marks, _columns(history), 1)
        else:
            self.listing.update_rows(marks)
        row = next((row for row, mark in enumerate(marks) if mark.step.iteration == cursor), None)
        if row is None:
            self.clearSelection()  # the arrow keys go on from the step marked last
        else:
            self.point_at(row)

    def let_go(self) -> None:
        """Keep nothing of a log that may be long."""
        self._history = None
        self.listing.show_rows((), ())

    def minimumSizeHint(self) -> QSize:
        return QSize(12 * self.verticalHeader().defaultSectionSize(), self.height_of_rows(2, 4))

    def sizeHint(self) -> QSize:
        return QSize(20 * self.verticalHeader().defaultSectionSize(), self.height_of_rows(2, _MOST_ROWS))

    def height_of_rows(self, fewest: int, most: int) -> int:
        """How high it is with all rows, or at least and at most so many of them."""
        rows = min(max(self.listing.rowCount(), fewest), most)
        head = self.horizontalHeader().sizeHint().height()
        return head + rows * self.verticalHeader().defaultSectionSize() + 2 * self.frameWidth() + _PADDING


def _columns(history: History) -> tuple[Column[DecisiveMark], ...]:
    """The columns for decisive steps of a run."""

    @lru_cache(_TEXTS_KEPT)
    def mutation(iteration: int) -> str:
        return step_text(history, iteration)

    def hint(mark: DecisiveMark) -> str:
        return f"{tell(history, mark.step.iteration)}\nClick, or press Enter, to go there."

    def font(mark: DecisiveMark, theme: Theme) -> object:
        return theme.font(is_bold=True) if mark.is_main else None

    return (
        Column(
            "iteration",
            lambda mark: f"{mark.step.iteration:,}",
            "t",
            "The iteration. The step that decided the run is bold.",
            align=RIGHT,
            hint=hint,
            font=font,
            spoken=lambda mark: (
                f"{'Decisive step, ' if mark.is_main else ''}iteration {mark.step.iteration:,}"
            ),
        ),
        Column(
            "mutation",
            lambda mark: f"{_AIR}{mutation(mark.step.iteration)}",
            f"{_AIR}Decisive step",
            "What the step did.",
            hint=hint,
            font=font,
            spoken=lambda mark: mutation(mark.step.iteration),
        ),
        Column(
            "before",
            lambda mark: chance_of(mark.step.before),
            "From",
            "The chance before the step.",
            align=RIGHT,
            font=font,
        ),
        Column(
            "after",
            lambda mark: chance_of(mark.step.after),
            "To",
            "The chance after the step.",
            align=RIGHT,
            font=font,
        ),
    )


class OutlookPage(Page):
    """The picture, what is known of the tree under the cursor, and the decisive steps.

    It fills in while somebody looks at it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_ahead_hidden = False
        self._problem = ""
        self._is_final = False
        self._first = 0  # where the stretch begins that is looked at before all others
        self._throttle = Throttle(_REFRESH_MS, self)
        self._throttle.passed.connect(self._refresh)
        self._fast_throttle = Throttle(_FAST_MS, self)
        self._fast_throttle.passed.connect(self._look)
        self._question = Question(self, self._on_job_done, self.show_problem)
        self.finder = OutlookFinder(parent=self)
        """What is known of the run; in a window, all its pages share it."""
        self.chart = OutlookChart()
        self.chart.iteration_chosen.connect(self._on_iteration_chosen)
        self.table = DecisiveTable()
        self.table.row_chosen.connect(self._on_row_chosen)
        self.note = sentence("muted")
        self.note.hide()
        self.status = ElidedLabel("muted")
        self.head = PageHead("Choose what to show.")
        self.head.show_text(_HEADLINE)
        self.whole_action = self.head.menu.addAction("Whole run")
        self.whole_action.setCheckable(True)
        self.whole_action.setChecked(True)
        self.whole_action.setToolTip(
            key_text("Show the outlook of the whole run, or only up to the iteration on show (Shift+O).")
        )
        self.whole_action.toggled.connect(self._look)
        parts = (self.head, (self.chart, 1), self.status, self.table, self.note)
        column_in(self, *parts, spacing=6, margins=PAGE_MARGINS)

    @property
    def picture(self) -> OutlookPicture | None:
        """What is shown."""
        return self.chart.picture

    @property
    def is_busy(self) -> bool:
        """Whether the outlook of the tree under the cursor is still to be found."""
        return self.is_filling and (self.picture is None or self.picture.now is None)

    @property
    def is_behind(self) -> bool:
        """Whether the picture is, or beside a fast run will soon be, that of another iteration."""
        return self.finder.is_resting or self.picture is None or self.picture.cursor != self.iteration

    @property
    def is_filling(self) -> bool:
        """Whether more of what is shown is going to be known."""
        return self._throttle.is_waiting or (self.isVisible() and not self._is_final)

    def connect_to(self, context: PageContext) -> None:
        """Steps that are chosen are gone to; what is known of trees is shared with the text of the step."""
        super().connect_to(context)
        self.finder = context.outlook_finder
        self.finder.problem_met.connect(self.show_problem)

    def remembered_switches(self) -> Mapping[str, QAction]:
        """Whether the whole run is shown."""
        return {"whole_outlook": self.whole_action}

    def let_go(self) -> None:
        """Keep nothing of a log that may be long."""
        super().let_go()
        self._question.cancel()
        self.finder.let_go()
        self.table.let_go()
        self.chart.show_picture(None)
        self.tell_of(None)

    def set_ahead_hidden(self, is_hidden: bool) -> None:
        """Show the run up to the cursor only, whatever is chosen."""
        if is_hidden != self._is_ahead_hidden:
            self._is_ahead_hidden = is_hidden
            self.whole_action.setEnabled(not is_hidden)
            self._look()

    def show_moment(self, history: History, iteration: int) -> None:
        """The cursor is here: tell of its tree first."""
        is_other = history is not self.history
        if is_other:
            self._problem = ""
        super().show_moment(history, iteration)
        if not self.isVisible():
            return
        if self.finder.is_resting and not is_other:
            self._fast_throttle.give(None)
            self.show_lag()
            return
        self._ask(is_other=is_other)
        if is_other:
            self._refresh()
        else:
            self._throttle.give(None)

    def show_problem(self, problem: str) -> None:
        """Say why the outlook stays unknown: some trees take too long to count."""
        self._problem = f"The outlook of this run cannot be found: {problem}"
        self._is_final = True
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._throttle.cancel()
        self._fast_throttle.cancel()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()

    def minimumSizeHint(self) -> QSize:
        """Space for the picture alone: a window on a small projector must not grow because of a list."""
        height = self.chart.minimumSizeHint().height() + self.status.sizeHint().height()
        return QSize(self.chart.minimumSizeHint().width(), height + 2 * _PADDING)

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Any height will do; a sentence that wraps must not ask for more."""
        return False

    def heightForWidth(self, _width: int) -> int:  # noqa: N802
        return -1

    def _divide(self) -> None:
        """In little space the picture has it all."""
        line = QFontMetrics(self.theme.font()).height()
        has_list = self.height() >= _HEIGHT_FOR_LIST * line
        self.head.setVisible(self.height() >= _HEIGHT_FOR_HEAD * line)
        self.table.setFixedHeight(self.table.height_of_rows(1, _MOST_ROWS if has_list else 1))
        self.table.setVisible(bool(self.table.rows) and has_list)
        self.note.setVisible(
            bool(self._problem) or (bool(self.note.text()) and self.height() >= _HEIGHT_FOR_NOTE * line)
        )

    @property
    def _last(self) -> int | None:
        """The last iteration that is shown; None for all."""
        return self.iteration if self._is_ahead_hidden or not self.whole_action.isChecked() else None

    @Slot()
    def _look(self) -> None:
        if self.history is not None and self.isVisible():
            self._ask(is_other=True)
            self._refresh()

    def _ask(self, *, is_other: bool) -> None:
        """Have the next piece of the outlook worked out, the tree at the cursor first.

        What is being worked out goes on if it is of use here, and this ``is_other`` neither run nor range.
        """
        history, finder = self.history, self.finder
        if history is None or self._problem:
            return
        run = finder.run_of(history)
        first = run.start_of(self.iteration)
        is_of_use = first == self._first or run.at(self.iteration) is not None
        self._first = first
        if finder.is_resting:
            self._question.cancel()
            self._is_final = False
        elif is_other or not is_of_use or not self._question.is_busy:
            job = run.next_job(self.iteration, self._last)
            if job is not None:
                self._question.ask(run, first, partial(finder.work, job))
            elif not self._is_final:
                self._question.cancel()
                finder.look_again()
            self._is_final = job is None

    @Slot(object)
    def _on_job_done(self, _answer: object) -> None:
        self._ask(is_other=False)
        self._throttle.give(None)

    @Slot()
    def _refresh(self) -> None:
        history = self.history
        if history is None:
            return
        run = self.finder.run_of(history)
        picture = outlook_picture(run, history, self.iteration, self._last, is_final=self._is_final)
        self.chart.show_picture(picture)
        self.table.show_marks(picture.marks, history, self.iteration)
        note = self._problem or picture.reason_for_no_steps()
        self.note.setText(note)
        self._divide()
        self.status.setText(self._status_text(picture, run))
        now = "" if picture.now is None else outlook_text(picture.now)
        self.head.show_text(_HEADLINE, now or _UNKNOWN)
        self.tell_of(self.iteration)

    def _status_text(self, picture: OutlookPicture, run: RunOutlook) -> str:
        """How much is known of the other trees, and how well."""
        if self.finder.is_resting and not picture.is_final:
            return _RESTING
        if not picture.is_final:
            done, of = run.progress()
            return f"{100 * done // max(of, 1)} % done …"
        if any(stretch.outlook is None for stretch in picture.stretches):
            return _NOT_LOOKED_AT
        if picture.estimated and picture.now is not None and picture.now.is_exact:
            return f"{picture.estimated:,} of {counted(len(picture.stretches), 'tree')} estimated."
        return ""

    @Slot(int)
    def _on_iteration_chosen(self, iteration: int) -> None:
        if self._context is not None:
            self._context.player.go_to(iteration)

    @Slot(int)
    def _on_row_chosen(self, row: int) -> None:
        self._on_iteration_chosen(self.table.rows[row].step.iteration)
