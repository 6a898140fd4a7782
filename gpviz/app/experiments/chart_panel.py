"""The charts of an experiment: a choice of them, what they show of the runs so far, and taking them away."""

import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QPushButton,
    QSizePolicy,
    QTabBar,
    QToolButton,
    QWidget,
)

from gpviz.app.dialogs.file_dialogs import ask_to_save
from gpviz.app.dialogs.message_dialogs import show_problem
from gpviz.app.experiments.experiment_files import ShownExperiment
from gpviz.app.plots.chart_view import ChartView
from gpviz.app.question import Question
from gpviz.app.theme import FONT_FAMILY, Theme, icon
from gpviz.app.timers import single_shot
from gpviz.app.widgets.fields import ChoiceBox, set_tip, small_button
from gpviz.app.widgets.layouts import column_in, row_in, row_of
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
    scene_chart,
)
from gpviz.experiments.figures.chart_values import (
    ChartInput,
    ValueReader,
    ValuesAnswer,
    ValuesRequest,
)
from gpviz.experiments.figures.figure import Figure
from gpviz.experiments.figures.figure_data import figure_csv
from gpviz.experiments.figures.figure_svg import figure_file
from gpviz.experiments.plan import Plan
from gpviz.files.file_io import write_file

_LEAST_REST_MS: Final = 1_000
"""The least time between two readings."""
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
        row_in(self, caption, self.box)


def _tool_button(name: str, tip: str) -> QToolButton:
    button = small_button("", "", name)
    set_tip(button, tip)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button


class ChartPanel(Themed, QWidget):
    """Shows charts of an experiment while it runs and afterwards. It only reads the store."""

    chart_given = Signal(object)
    """The chart is to become a scene of the lecture; a `SceneChart`."""
    reported = Signal(str)
    """The chart is saved or on the clipboard."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._experiment: ShownExperiment | None = None
        self.cell = 0
        """The cell whose charts are shown, where a chart is about one."""
        self.selected_cells: tuple[int, ...] = ()
        self._scales: dict[ChartKind, tuple[bool, bool]] = {}
        self._choices: dict[tuple[tuple[str, str], ...], str] = {}
        """Which cells are drawn, by the choices there are: every cell is many curves, but few boxes."""
        self._answer: ValuesAnswer | None = None
        self._runs_read: tuple[int, ...] = ()
        self._problem = ""
        self._is_search_stopped = False
        self.reader = ValueReader()
        self._reading = Question(self, self._on_read, self._on_read_failed)
        self._rest = single_shot(self, self._read_if_due)
        self.chooser = QTabBar()
        self.options = QWidget()
        self.measure = LabelledChoice("&Measure", "Measure", "Which measure of the runs to plot.")
        self.curve = LabelledChoice(
            "C&urve", "Curve", "Plot the share of runs solved by iteration t, or the share not yet solved."
        )
        self.curve.box.set_choices(_CURVES)
        self.cells = LabelledChoice(
            "&Cells", "Cells drawn", "Which cells to plot, starting from the one chosen in the table."
        )
        self.upper = QCheckBox("&Upper bounds")
        set_tip(
            self.upper,
            "Plot T beside all that is proven about it, with two upper bounds, which lie far above the"
            " measurements, and where they cross.",
        )
        self.search_button = QPushButton()
        self.search_button.setAutoDefault(False)
        self.log_x, self.log_y = (QCheckBox(f"log &{axis}") for axis in ("x", "y"))
        self.log_x.setAccessibleName("Logarithmic x axis")
        self.log_y.setAccessibleName("Logarithmic y axis")
        self.view = ChartView()
        self.lecture_button = _tool_button(
            "Add the chart to the lecture", "Add the chart to the lecture, as a scene of its own."
        )
        self.export_button = _tool_button(
            "Export the chart", "Copy the chart as a picture, or save it as PNG, SVG or PDF."
        )
        self.menu = MacSafeMenu(self.export_button)
        self.copy_action = self.menu.addAction("&Copy picture")
        self.save_action = self.menu.addAction("&Save picture as …")
        self._build()
        self._connect()
        self.setFocusProxy(self.chooser)
        self.follow_theme()

    # --- what comes in ---

    def show_experiment(self, experiment: ShownExperiment) -> None:
        """Show the experiment as it stands."""
        before, self._experiment = self._experiment, experiment
        is_same = before is not None and experiment.plan.is_same_experiment(before.plan)
        if before is None or before.path != experiment.path or not is_same:
            self._reading.cancel()
            self.cell = 0
            self.selected_cells = ()
            self._scales = {}
            self._answer = None
            self._rest.stop()
        self._problem = ""
        self._offer_kinds(experiment.plan)
        self._show_kind()
        self._read_now()

    def refresh(self, experiment: ShownExperiment) -> None:
        """Take in what the cells come to now."""
        self._experiment = experiment
        self._draw()
        self._read_if_due()

    def show_cell(self, cell: int) -> None:
        """Show the charts of one cell about this one."""
        if self._experiment is not None and cell != self.cell:
            self.cell = cell
            self._read_now()

    def show_cells(self, cells: Sequence[int]) -> None:
        """Take these for the cells that are selected in the table."""
        if tuple(cells) == self.selected_cells:
            return
        self.selected_cells = tuple(cells)
        if self.cells.box.value() == "selected":
            self._read_now()

    def apply_theme(self, theme: Theme) -> None:
        """The sign has the colour of the text."""
        self.export_button.setIcon(icon("export", theme))
        self.lecture_button.setIcon(icon("lecture", theme))

    # --- taking it away ---

    @Slot()
    def add_to_lecture(self) -> None:
        """Give the chart away as it is on show now."""
        assert self._experiment is not None
        try:
            chart = scene_chart(self.view.figure, self._experiment.plan, self.kind)
        except GpvizError as error:
            show_problem(self, str(error))
        else:
            self.chart_given.emit(chart)

    @Slot()
    def copy_picture(self) -> None:
        """Put the chart on the clipboard."""
        QGuiApplication.clipboard().setImage(image_of(self.view, _SCALE))
        self.reported.emit("The chart is on the clipboard.")

    @Slot()
    def save_picture(self) -> None:
        """Ask for a file and write the chart to it."""
        name = _UNFIT.sub("-", self.view.figure.title).strip("-") or "chart"
        proposal = Path.home() / f"{name[:80]}.png"
        path = ask_to_save(self, "Save the chart", proposal, _FILTERS)
        if path is None:
            return
        try:
            self._write(path)
        except GpvizError as error:
            show_problem(self, str(error))
        else:
            self.reported.emit(f"Saved {path.name} in {path.parent}.")

    def _write(self, path: Path) -> None:
        """Write the chart as its suffix says; raises `GpvizError` where that cannot be."""
        view = self.view
        if path.suffix.lower() == ".csv":
            write_file(path, figure_csv(view.figure).encode())
        elif format_of(path) != "svg":
            write_widget(path, view, _SCALE, view.figure.title)
        else:
            colours, pixels = asdict(view.theme.colours), view.plots.type_pixels
            text = figure_file(view.figure, view.width(), view.height(), colours, FONT_FAMILY, pixels)
            write_file(path, text.encode())

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
        self.export_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export_button.setStyleSheet("QToolButton::menu-indicator { image: none; }")  # it does not fit
        self.export_button.setMenu(self.menu)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.view.addActions(self.menu.actions())
        options = self.measure, self.curve, self.cells, self.upper, self.search_button
        row_in(self.options, *options, None, spacing=10, margins=(8, 2, 8, 2))
        head = row_of((self.chooser, 1), self.log_x, self.log_y, self.lecture_button, self.export_button)
        head.setContentsMargins(8, 0, 8, 0)
        column_in(self, head, self.options, (self.view, 1), spacing=2)

    def _connect(self) -> None:
        self.chooser.currentChanged.connect(self._on_kind_chosen)
        for choice in (self.measure, self.curve, self.cells):
            choice.box.activated.connect(self._on_options_changed)
        self.upper.toggled.connect(self._on_options_changed)
        self.search_button.clicked.connect(self._on_search_toggled)
        for scale in (self.log_x, self.log_y):
            scale.clicked.connect(self._on_scales_changed)
        self.lecture_button.clicked.connect(self.add_to_lecture)
        self.copy_action.triggered.connect(self.copy_picture)
        self.save_action.triggered.connect(self.save_picture)

    def _offer_kinds(self, plan: Plan) -> None:
        reasons = []
        for at, kind in enumerate(_KINDS):
            problem = CHARTS[kind].problem(plan)
            self.chooser.setTabEnabled(at, not problem)
            self.chooser.setTabToolTip(at, problem or CHARTS[kind].tip)
            if problem:
                reasons.append(f"{CHARTS[kind].title}: {problem}")
        self.chooser.setAccessibleDescription(" ".join(reasons))

    def _show_kind(self) -> None:
        """Offer the options of the chosen chart."""
        if self._experiment is None:
            return
        chart = CHARTS[self.kind]
        is_sampled = any(cell.config.is_sampled for cell in self._experiment.plan.cells)
        if chart.has_measure:
            self.measure.box.set_choices(
                (measure, MEASURE_TITLES[measure])
                for measure in VALUE_MEASURES
                if is_sampled or measure != "final_generalisation_error"
            )
        if chart.cell_choices:
            box = self.cells.box
            box.set_choices(chart.cell_choices)
            box.setCurrentIndex(max(0, box.findData(self._choices.get(chart.cell_choices, ""))))
        self.measure.setVisible(chart.has_measure)
        self.cells.setVisible(bool(chart.cell_choices))
        self.curve.setVisible(chart.has_curve)
        self.upper.setVisible(chart.has_upper)

    def _input(self, experiment: ShownExperiment) -> ChartInput:
        """What the chosen chart is made from, but what is read of the runs."""
        plan, chart = experiment.plan, CHARTS[self.kind]
        measure = self.measure.box.value() or "iterations"
        is_log_x, is_log_y = self._scales.get(self.kind) or chart.scales(plan, measure)
        cells: tuple[int, ...] = ()
        if chart.cell_choices:
            cells = chosen_cells(plan, self.cells.box.value(), self.cell, self.selected_cells)
        return ChartInput(
            plan=plan,
            totals=experiment.totals,
            summaries=experiment.summaries,
            cell=self.cell,
            cells=cells,
            measure=measure,
            is_log_x=is_log_x and chart.has_log_x(plan),
            is_log_y=is_log_y,
            is_survival=self.curve.box.value() == "unsolved",
            has_upper=self.upper.isChecked(),
        )

    # --- drawing ---

    def _draw(self) -> None:
        if self._experiment is None:
            return  # without an experiment the chart is hidden
        chosen, why_no_y = self._input(self._experiment), ""
        if self.isVisible():
            figure = self._figure(chosen)
            why_no_y = figure.why_no_log_y
            self.view.show_figure(figure)
        has_x = CHARTS[self.kind].has_log_x(chosen.plan)
        self.log_x.setChecked(chosen.is_log_x)
        self.log_x.setEnabled(has_x)
        self.log_x.setToolTip(
            "Use a logarithmic x axis." if has_x else "This chart's x axis has no numbers above 0."
        )
        self.log_y.setChecked(chosen.is_log_y and not why_no_y)
        self.log_y.setEnabled(not why_no_y)
        self.log_y.setToolTip(why_no_y or "Use a logarithmic y axis.")
        self._show_search()

    def _show_search(self) -> None:
        """Show whether more is being looked for, and whether there is more."""
        chart, is_complete = CHARTS[self.kind], self._is_complete(self._request())
        text, tip = _SEARCH_TEXTS[self._reading.is_busy and not is_complete]
        self.search_button.setText(text)
        self.search_button.setAccessibleName(tip)
        self.search_button.setToolTip(tip)
        has_more = chart.is_searched and not is_complete
        self.search_button.setVisible(has_more)
        has_choices = chart.has_measure or bool(chart.cell_choices) or chart.has_curve or chart.has_upper
        self.options.setVisible(has_choices or has_more)

    def _figure(self, chosen: ChartInput) -> Figure:
        chart = CHARTS[self.kind]
        if problem := self._problem or chart.problem(chosen.plan):
            return Figure(chart.title, empty=problem)
        if chart.request is None:
            return chart.build(chosen)
        if self._answer is not None and self._answer.request == chart.request(chosen):
            return chart.build(replace(chosen, digests=self._answer.digests))
        if self._reading.is_busy:
            return Figure(chart.title, empty=_READING)
        return chart.build(chosen)

    # --- reading ---

    def _request(self) -> ValuesRequest | None:
        """What the chosen chart needs of the store beside the totals."""
        request = CHARTS[self.kind].request
        return None if self._experiment is None or request is None else request(self._input(self._experiment))

    def _is_complete(self, request: ValuesRequest | None) -> bool:
        """Whether all of what is needed was read, as far as it was there."""
        return self._answer is not None and self._answer.request == request and self._answer.is_complete

    def _read_now(self) -> None:
        """Read what a person waits for, instead of anything else, and draw what is known of it."""
        self._is_search_stopped = False
        request = self._request()
        if request is None or (self._answer is not None and self._answer.request == request):
            self._read_if_due()
        else:
            self._ask(request)
        self._draw()

    @Slot()
    def _read_if_due(self) -> None:
        """Read what is new, but not all the time."""
        request = self._request()
        if request is None or self._reading.is_busy or self._rest.isActive() or not self.isVisible():
            return
        if self._is_search_stopped and CHARTS[self.kind].is_searched:
            return
        assert self._experiment is not None
        if self._runs_read != self._experiment.done_by_cell or not self._is_complete(request):
            self._ask(request)

    def _ask(self, request: ValuesRequest) -> None:
        assert self._experiment is not None
        path, runs = self._experiment.path, self._experiment.done_by_cell
        self._problem = ""
        self._runs_read = runs
        self._reading.ask(path, request, partial(self.reader.answer, path, request, runs))

    def _on_read(self, answer: ValuesAnswer) -> None:
        self._rest.start(max(_LEAST_REST_MS, int(1000 * _PATIENCE * answer.seconds)))
        self._answer = answer
        is_search_over = CHARTS[self.kind].is_searched and not self.isVisible()
        if not answer.is_complete and not is_search_over:
            self._ask(answer.request)
        self._draw()

    def _on_read_failed(self, problem: str) -> None:
        self._problem = problem
        self._draw()

    # --- what a person does ---

    @Slot()
    def _on_kind_chosen(self) -> None:
        self._show_kind()
        self._read_now()

    @Slot()
    def _on_options_changed(self) -> None:
        if choices := CHARTS[self.kind].cell_choices:
            self._choices[choices] = self.cells.box.value()
        self._read_now()

    @Slot()
    def _on_search_toggled(self) -> None:
        self._is_search_stopped = self._reading.is_busy
        if self._is_search_stopped:
            self._reading.cancel()
        elif (request := self._request()) is not None:
            self._ask(request)
        self._show_search()

    @Slot()
    def _on_scales_changed(self) -> None:
        self._scales[self.kind] = self.log_x.isChecked(), self.log_y.isChecked()
        self._read_now()
