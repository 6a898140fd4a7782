"""The charts of an experiment: a choice of them, what they show of the runs so far, and taking them away."""

import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QTabBar,
    QToolButton,
    QWidget,
)

from gpviz.app.dialogs.file_dialogs import ask_to_save
from gpviz.app.dialogs.message_dialogs import show_problem
from gpviz.app.player.pacing import Throttle
from gpviz.app.plots.chart_view import ChartView
from gpviz.app.tasks import BackgroundTask
from gpviz.app.theme import FONT_FAMILY, Theme, icon
from gpviz.app.widgets.fields import ChoiceBox, set_tip
from gpviz.app.widgets.layouts import column_in, row_in
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.app.widgets.themed import Themed
from gpviz.app.widgets.widget_pictures import format_of, image_of, write_widget
from gpviz.engine.errors import GpvizError
from gpviz.experiments.figures.cell_groups import MEASURE_TITLES
from gpviz.experiments.figures.chart_kinds import (
    CHARTS,
    VALUE_MEASURES,
    ChartKind,
    chosen_cells,
    problem_of,
    scene_chart,
)
from gpviz.experiments.figures.chart_values import (
    ChartInput,
    Digest,
    ValueReader,
    ValuesAnswer,
    ValuesRequest,
)
from gpviz.experiments.figures.figure import Figure
from gpviz.experiments.figures.figure_data import figure_csv
from gpviz.experiments.figures.figure_svg import figure_file
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics.cell_statistics import CellSummary
from gpviz.experiments.totals import Totals
from gpviz.files.file_io import write_file

_DRAW_MS: Final = 1_000
"""The least time between two drawings, each of which takes several frames, and between two readings."""
_PATIENCE: Final = 10.0
"""After a reading, wait this many times as long as it took, so that reading never keeps the machine busy."""
_READING: Final = "Reading the runs …"

_KINDS: Final = tuple(ChartKind)
_SEARCH_TEXTS: Final = {
    True: ("&Stop", "Stop looking for decisive steps; those found stay."),
    False: ("&Find more", "Look for the decisive steps of more stuck runs."),
}
"""What the button says while something is being looked for, and otherwise."""
_CURVES: Final = (("solved", "solved by t"), ("unsolved", "not yet solved"))
_FILTERS: Final = {
    ".png": "PNG picture (*.png)",
    ".svg": "SVG picture (*.svg)",
    ".pdf": "PDF page (*.pdf)",
    ".csv": "CSV table of its values (*.csv)",
}
_SCALE: Final = 2.0
_UNFIT: Final = re.compile(r"[^\w.=+-]+")


class LabelledChoice(QWidget):
    """A label and a list to choose from."""

    def __init__(self, label: str, name: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = ChoiceBox()
        self.box.setAccessibleName(name)
        self.box.setToolTip(hint)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.box.setMinimumContentsLength(6)
        caption = QLabel(label)
        caption.setBuddy(self.box)
        row = row_in(self)
        row.addWidget(caption)
        row.addWidget(self.box)


class ChartOptions(QWidget):
    """Shows those choices that a chart has."""

    changed = Signal()
    scales_changed = Signal(bool, bool)
    search_toggled = Signal()
    """What is being looked for is not to be looked for any longer, or again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.measure = LabelledChoice("&Measure", "Measure", "Which measure of the runs to plot.")
        self.cells = LabelledChoice(
            "&Cells", "Cells drawn", "Which cells to plot, starting from the one chosen in the table."
        )
        self.curve = LabelledChoice(
            "C&urve", "Curve", "Plot the share of runs solved by iteration t, or the share not yet solved."
        )
        self.curve.box.set_choices(_CURVES)
        self.upper = QCheckBox("&Upper bounds")
        set_tip(
            self.upper,
            "Plot T beside all that is proven about it, with two upper bounds, which lie far above the"
            " measurements, and where they cross.",
        )
        self.log_x, self.log_y = (QCheckBox(f"log &{axis}") for axis in ("x", "y"))
        self.log_x.setAccessibleName("Logarithmic x axis")
        self.log_y.setAccessibleName("Logarithmic y axis")
        self.row = row_in(self, spacing=10, margins=(8, 2, 8, 2))
        for choice in (self.measure, self.curve, self.cells):
            self.row.addWidget(choice)
            choice.box.activated.connect(self.changed)
        self.row.addWidget(self.upper)
        self._has_choices = self._is_searched = False
        self.search_button = QPushButton()
        self.search_button.setAutoDefault(False)
        self.search_button.clicked.connect(self.search_toggled)
        self.row.addWidget(self.search_button)
        self.row.addStretch(1)
        self.upper.toggled.connect(self.changed)
        self.log_x.clicked.connect(self._on_scale_clicked)
        self.log_y.clicked.connect(self._on_scale_clicked)
        self.set_scales(is_log_x=False, is_log_y=False, has_x=True)

    def offer(
        self,
        *,
        measures: Sequence[tuple[str, str]],
        cells: Sequence[tuple[str, str]],
        has_curve: bool,
        has_upper: bool,
        is_searched: bool,
    ) -> None:
        """Show the choices of a chart."""
        for choice, offered in ((self.measure, measures), (self.cells, cells)):
            choice.setVisible(bool(offered))
            if offered:
                choice.box.set_choices(offered)
        self.curve.setVisible(has_curve)
        self.upper.setVisible(has_upper)
        self._is_searched = is_searched
        self._has_choices = bool(measures) or bool(cells) or has_curve or has_upper
        self.show_search(is_busy=False, is_complete=True)

    def show_search(self, *, is_busy: bool, is_complete: bool) -> None:
        """Show whether more is being looked for, and whether there is more."""
        text, tip = _SEARCH_TEXTS[is_busy]
        self.search_button.setText(text)
        self.search_button.setAccessibleName(tip)
        self.search_button.setToolTip(tip)
        has_more = self._is_searched and (is_busy or not is_complete)
        self.search_button.setVisible(has_more)
        self.setVisible(self._has_choices or has_more)

    def set_scales(self, *, is_log_x: bool, is_log_y: bool, has_x: bool, why_no_y: str = "") -> None:
        """Show which axes are logarithmic, and which can be; ``why_no_y`` says why the y axis cannot."""
        self.log_x.setChecked(is_log_x)
        self.log_x.setEnabled(has_x)
        self.log_x.setToolTip(
            "Use a logarithmic x axis." if has_x else "This chart's x axis has no numbers above 0."
        )
        self.log_y.setChecked(is_log_y and not why_no_y)
        self.log_y.setEnabled(not why_no_y)
        self.log_y.setToolTip(why_no_y or "Use a logarithmic y axis.")

    @Slot(bool)
    def _on_scale_clicked(self, _is_checked: bool) -> None:
        self.scales_changed.emit(self.log_x.isChecked(), self.log_y.isChecked())


def _tool_button(name: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setAccessibleName(name)
    set_tip(button, tip)
    button.setProperty("role", "small")
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button


class ChartExport(QObject):
    """The button, and the menu that a right click on the chart opens too."""

    reported = Signal(str)

    def __init__(self, view: ChartView, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view
        self._parent = parent
        self.button = _tool_button(
            "Export the chart", "Copy the chart as a picture, or save it as PNG, SVG or PDF."
        )
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setStyleSheet("QToolButton::menu-indicator { image: none; }")  # it does not fit
        self.menu = MacSafeMenu(self.button)
        self.copy_action = self.menu.addAction("&Copy picture")
        self.copy_action.triggered.connect(self.copy)
        self.save_action = self.menu.addAction("&Save picture as …")
        self.save_action.triggered.connect(self.save)
        self.button.setMenu(self.menu)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._on_menu_wanted)

    @Slot()
    def copy(self) -> None:
        """Put the chart on the clipboard."""
        QGuiApplication.clipboard().setImage(image_of(self._view, _SCALE))
        self.reported.emit("The chart is on the clipboard.")

    @Slot()
    def save(self) -> None:
        """Ask for a file and write the chart to it."""
        name = _UNFIT.sub("-", self._view.figure.title).strip("-") or "chart"
        proposal = Path.home() / f"{name[:80]}.png"
        path = ask_to_save(self._parent, "Save the chart", proposal, _FILTERS)
        if path is None:
            return
        try:
            self.write(path)
        except GpvizError as error:
            show_problem(self._parent, str(error))
        else:
            self.reported.emit(f"Saved {path.name} in {path.parent}.")

    def write(self, path: Path) -> None:
        """Write the chart as its suffix says; raises `GpvizError` where that cannot be."""
        if path.suffix.lower() == ".csv":
            write_file(path, figure_csv(self._view.figure).encode())
            return
        if format_of(path) != "svg":
            write_widget(path, self._view, _SCALE, self._view.figure.title)
            return
        text = figure_file(
            self._view.figure, self._view.width(), self._view.height(),
            asdict(self._view.theme.colours), FONT_FAMILY, self._view.plots.type_pixels,
        )  # fmt: skip
        write_file(path, text.encode())

    @Slot(QPoint)
    def _on_menu_wanted(self, position: QPoint) -> None:
        self.menu.popup(self._view.mapToGlobal(position))


class ChartPanel(Themed, QWidget):
    """Shows charts of an experiment while it runs and afterwards. It only reads the store."""

    chart_given = Signal(object)
    """The chart is to become a scene of the lecture; a `SceneChart`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plan: Plan | None = None
        self._path = Path()
        self._totals: list[Totals] = []
        self._summaries: list[CellSummary] = []
        self.cell = 0
        """The cell whose charts are shown, where a chart is about one."""
        self.selected_cells: tuple[int, ...] = ()
        self._scales: dict[ChartKind, tuple[bool, bool]] = {}
        self._choices: dict[tuple[tuple[str, str], ...], str] = {}
        """Which cells are drawn, by the choices there are: every cell is many curves, but few boxes."""
        self._digests: tuple[ValuesRequest | None, dict[int, Digest]] = (None, {})
        self._problem = ""
        self._is_search_stopped = False
        self._is_search_complete = False
        self._runs_read: list[int] = []
        self.reader = ValueReader()
        self._background = BackgroundTask("gpviz-charts", self)
        self._background.finished.connect(self._on_read)
        self._background.failed.connect(self._on_read_failed)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._read_if_due)
        self._drawing = Throttle(_DRAW_MS, self)
        self._drawing.passed.connect(self._on_draw_due)
        self.chooser = QTabBar()
        self.options = ChartOptions()
        self.view = ChartView()
        self.export = ChartExport(self.view, self)
        self.lecture_button = _tool_button(
            "Add the chart to the lecture", "Add the chart to the lecture, as a scene of its own."
        )
        self._build()
        self.setFocusProxy(self.chooser)
        self.follow_theme()

    # --- what comes in ---

    def show_results(
        self, plan: Plan, path: Path, totals: Sequence[Totals], summaries: Sequence[CellSummary]
    ) -> None:
        """Show the experiment in this file, and what its cells come to."""
        is_same = path == self._path and self._plan is not None and plan.is_same_experiment(self._plan)
        self._plan, self._path = plan, path
        if not is_same:
            self._background.cancel()
            self.cell = 0
            self.selected_cells = ()
            self._scales = {}
            self._digests = None, {}
            self._rest.stop()
        self._problem = ""
        self._totals, self._summaries = list(totals), list(summaries)
        self._offer_kinds()
        self._show_kind()
        self._read_now()

    def refresh(self, totals: Sequence[Totals], summaries: Sequence[CellSummary]) -> None:
        """Take in what the cells come to now; may be called as often as one likes."""
        self._totals, self._summaries = list(totals), list(summaries)
        self._drawing.give(None)

    @property
    def is_busy(self) -> bool:
        """Whether runs are being read."""
        return self._background.is_busy

    def show_cell(self, cell: int) -> None:
        """Show the charts of one cell about this one."""
        if self._plan is None or not 0 <= cell < len(self._plan.cells) or cell == self.cell:
            return
        self.cell = cell
        self._draw()
        self._read_now()

    def show_cells(self, cells: Sequence[int]) -> None:
        """Take these for the cells that are selected in the table."""
        if tuple(cells) == self.selected_cells:
            return
        self.selected_cells = tuple(cells)
        if self.options.cells.box.value() == "selected":
            self._draw()
            self._read_now()

    def apply_theme(self, theme: Theme) -> None:
        """The sign has the colour of the text."""
        self.export.button.setIcon(icon("export", theme))
        self.lecture_button.setIcon(icon("lecture", theme))

    def shut_down(self) -> None:
        """Read and draw nothing any more."""
        self._rest.stop()
        self._drawing.cancel()
        self.view.shut_down()
        self._background.close()

    @Slot()
    def add_to_lecture(self) -> None:
        """Give the chart away as it is on show now."""
        try:
            chart = scene_chart(self.view.figure, cast(Plan, self._plan), self.kind)
        except GpvizError as error:
            show_problem(self, str(error))
        else:
            self.chart_given.emit(chart)

    # --- the choice ---

    @property
    def kind(self) -> ChartKind:
        """The chart that is chosen."""
        return _KINDS[max(0, self.chooser.currentIndex())]

    def set_kind(self, kind: ChartKind) -> None:
        """Choose a chart; one that does not apply to the plan is not chosen."""
        if self.chooser.isTabEnabled(_KINDS.index(kind)):
            self.chooser.setCurrentIndex(_KINDS.index(kind))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()
        self._read_if_due()

    def _build(self) -> None:
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.chooser.setAccessibleName("Charts")
        self.chooser.setExpanding(False)
        self.chooser.setDrawBase(False)
        self.chooser.setUsesScrollButtons(True)
        self.chooser.setElideMode(Qt.TextElideMode.ElideNone)
        self.chooser.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for kind in _KINDS:
            at = self.chooser.addTab(CHARTS[kind].title)
            self.chooser.setTabToolTip(at, CHARTS[kind].tip)
        self.chooser.currentChanged.connect(self._on_kind_chosen)
        self.options.changed.connect(self._on_options_changed)
        self.options.scales_changed.connect(self._on_scales_changed)
        self.options.search_toggled.connect(self._on_search_toggled)
        head = QHBoxLayout()
        head.setContentsMargins(8, 0, 8, 0)
        head.addWidget(self.chooser, 1)
        head.addWidget(self.options.log_x)
        head.addWidget(self.options.log_y)
        self.lecture_button.clicked.connect(self.add_to_lecture)
        head.addWidget(self.lecture_button)
        head.addWidget(self.export.button)
        column = column_in(self, spacing=2)
        column.addLayout(head)
        column.addWidget(self.options)
        column.addWidget(self.view, 1)

    def _offer_kinds(self) -> None:
        reasons = []
        for at, kind in enumerate(_KINDS):
            problem = problem_of(kind, self._plan)
            self.chooser.setTabEnabled(at, not problem)
            self.chooser.setTabToolTip(at, problem or CHARTS[kind].tip)
            if problem:
                reasons.append(f"{CHARTS[kind].title}: {problem}")
        self.chooser.setAccessibleDescription(" ".join(reasons))

    def _show_kind(self) -> None:
        """Offer the options of the chosen chart, and draw it."""
        chart, plan = CHARTS[self.kind], self._plan
        if plan is None:
            return
        is_sampled = any(cell.config.is_sampled for cell in plan.cells)
        measures = [
            (measure, MEASURE_TITLES[measure])
            for measure in VALUE_MEASURES
            if is_sampled or measure != "final_generalisation_error"
        ]
        self.options.offer(
            measures=measures if chart.has_measure else (),
            cells=chart.cell_choices,
            has_curve=chart.has_curve,
            has_upper=chart.has_upper,
            is_searched=chart.is_searched,
        )
        if chart.cell_choices:
            box = self.options.cells.box
            box.setCurrentIndex(max(0, box.findData(self._choices.get(chart.cell_choices, ""))))
        self._draw()

    def _input(self) -> ChartInput:
        """What the chosen chart is made from, but what is read of the runs."""
        plan, chart, options = cast(Plan, self._plan), CHARTS[self.kind], self.options
        measure = options.measure.box.value() or "iterations"
        is_log_x, is_log_y = self._scales.get(self.kind) or chart.scales(plan, measure)
        cells: tuple[int, ...] = ()
        if chart.cell_choices:
            cells = chosen_cells(plan, options.cells.box.value(), self.cell, self.selected_cells)
        return ChartInput(
            plan=plan,
            totals=self._totals,
            summaries=self._summaries,
            cell=self.cell,
            cells=cells,
            measure=measure,
            is_log_x=is_log_x and chart.has_log_x(plan),
            is_log_y=is_log_y,
            is_survival=options.curve.box.value() == "unsolved",
            has_upper=options.upper.isChecked(),
        )

    # --- drawing ---

    def _draw(self) -> None:
        if self._plan is None:
            return  # without an experiment the chart is hidden
        chosen = self._input()
        why_no_y = ""
        if self.isVisible():
            figure = self._figure(chosen)
            why_no_y = figure.why_no_log_y
            self.view.show_figure(figure)
        self.options.set_scales(
            is_log_x=chosen.is_log_x,
            is_log_y=chosen.is_log_y,
            has_x=CHARTS[self.kind].has_log_x(self._plan),
            why_no_y=why_no_y,
        )
        self._show_search()

    def _show_search(self) -> None:
        self.options.show_search(
            is_busy=self._background.is_busy and not self._is_search_complete,
            is_complete=self._is_search_complete,
        )

    def _figure(self, chosen: ChartInput) -> Figure:
        chart = CHARTS[self.kind]
        if problem := self._problem or chart.problem(chosen.plan):
            return Figure(chart.title, empty=problem)
        if chart.request is None:
            return chart.build(chosen)
        known, digests = self._digests
        if known == chart.request(chosen):
            return chart.build(replace(chosen, digests=digests))
        if self._background.is_busy:
            return Figure(chart.title, empty=_READING)
        return chart.build(chosen)

    # --- reading ---

    def _request(self) -> ValuesRequest | None:
        """What the chosen chart needs of the store beside the totals."""
        request = CHARTS[self.kind].request
        return None if self._plan is None or request is None else request(self._input())

    def _read_now(self) -> None:
        """Read what a person waits for, instead of anything else."""
        self._is_search_stopped = self._is_search_complete = False
        request = self._request()
        if request is None:
            return
        if request == self._digests[0]:
            self._read_if_due()
            return
        self._ask(request)
        self._draw()

    @Slot()
    def _read_if_due(self) -> None:
        """Read what is new, but not all the time."""
        request = self._request()
        if request is None or self._background.is_busy or not self.isVisible():
            return
        if self._is_search_stopped and CHARTS[self.kind].is_searched:
            return
        has_news = self._runs_read != self._runs() or request != self._digests[0]
        if not self._rest.isActive() and (has_news or not self._is_search_complete):
            self._ask(request)

    def _ask(self, request: ValuesRequest) -> None:
        self._problem = ""
        self._runs_read = self._runs()
        self._background.ask(partial(self.reader.answer, self._path, request, self._runs_read))

    def _runs(self) -> list[int]:
        return [totals.runs for totals in self._totals]

    @Slot(object)
    def _on_read(self, answer: object) -> None:
        assert isinstance(answer, ValuesAnswer)
        if answer.path != self._path:
            return
        self._rest.start(max(_DRAW_MS, int(1000 * _PATIENCE * answer.seconds)))
        self._digests = answer.request, answer.digests
        self._problem = ""
        self._is_search_complete = answer.is_complete
        is_search_over = CHARTS[self.kind].is_searched and not self.isVisible()
        if not answer.is_complete and not is_search_over:
            self._ask(answer.request)
        self._draw()

    @Slot(str)
    def _on_read_failed(self, problem: str) -> None:
        self._problem = problem
        self._draw()

    # --- what a person does ---

    @Slot(object)
    def _on_draw_due(self, _nothing: Any) -> None:
        if self.isVisible():
            self._draw()
            self._read_if_due()

    @Slot(int)
    def _on_kind_chosen(self, _index: int) -> None:
        self._show_kind()
        self._read_now()

    @Slot()
    def _on_options_changed(self) -> None:
        if choices := CHARTS[self.kind].cell_choices:
            self._choices[choices] = self.options.cells.box.value()
        self._draw()
        self._read_now()

    @Slot()
    def _on_search_toggled(self) -> None:
        self._is_search_stopped = self._background.is_busy
        if self._is_search_stopped:
            self._background.cancel()
        elif (request := self._request()) is not None:
            self._ask(request)
        self._show_search()

    @Slot(bool, bool)
    def _on_scales_changed(self, is_log_x: bool, is_log_y: bool) -> None:
        self._scales[self.kind] = is_log_x, is_log_y
        self._draw()
        self._read_now()
