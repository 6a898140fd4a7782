"""Dialogs that choose what a scene shows beside the tree: a chart, a statement, a picture, or runs to compare."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from gpviz.app.lecture.scene_content_view import ContentPreview
from gpviz.app.question import Question, close_questions
from gpviz.app.widgets.fields import ChoiceField, TextBox, sentence, set_tip, show_sentence
from gpviz.app.widgets.focus_order import ReadingOrderFocus
from gpviz.app.widgets.layouts import WrappingScrollArea, column_in, column_of, row_of
from gpviz.engine.errors import GpvizError
from gpviz.escaping import label_text
from gpviz.experiments.figures.chart_kinds import CHARTS, ChartKind, chart_of_experiment, charts_of_experiment
from gpviz.files.file_io import read_file
from gpviz.lecture.lecture import Lecture, iterations_of_branch
from gpviz.lecture.scene_content import (
    MAX_LABEL_LENGTH,
    MAX_PICTURE_BYTES,
    ComparedRun,
    SceneChart,
    SceneComparison,
    SceneContent,
    ScenePicture,
    SceneStatement,
    format_of_picture,
)
from gpviz.paper_statements import find_statements
from gpviz.runs.presets import MAX_LANES, MIN_LANES
from gpviz.runs.settings_text import settings_text

_WIDTH: Final = 900
_HEIGHT: Final = 480


class ContentDialog(ReadingOrderFocus, QDialog):
    """Asks for a content, which is shown as the audience will see it; what is missing is said."""

    content_given = Signal(object)
    """A `SceneContent`."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(_WIDTH, _HEIGHT)
        self.preview = ContentPreview()
        self.problem = sentence("problem")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setDefault(True)
        self.chooser = QWidget()
        """Holds the controls of the dialog."""
        upper = row_of((self.chooser, 2), (self.preview, 3), spacing=12)
        self.setLayout(column_of((upper, 1), self.problem, self.buttons))

    def content(self) -> SceneContent | None:
        """What is chosen; None while it is being read. Raises `GpvizError` that says what is wrong or missing."""
        raise NotImplementedError

    @Slot()
    def refresh(self) -> None:
        """Show what is chosen, or say what is wrong."""
        content, problem = None, ""
        try:
            content = self.content()
        except GpvizError as error:
            problem = str(error)
        show_sentence(self.problem, problem)
        self.show_preview(content)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(content is not None)

    def show_preview(self, content: SceneContent | None) -> None:
        """Show what is chosen."""
        self.preview.show_content(content)

    def done(self, result: int) -> None:
        close_questions(self)
        self.preview.shut_down()
        super().done(result)

    @Slot()
    def _on_accepted(self) -> None:
        content = self.content()
        if content is not None:
            self.content_given.emit(content)
            self.accept()


class StatementDialog(ContentDialog):
    """Chooses a statement of the paper by its name, its title or its text."""

    def __init__(self, name: str = "", parent: QWidget | None = None) -> None:
        """The statement of this name is chosen first."""
        super().__init__("A statement of the paper", parent)
        self.search = QLineEdit()
        self.search.setAccessibleName("Search the statements")
        self.search.setPlaceholderText("search")
        self.search.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setAccessibleName("Statements")
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column_in(self.chooser, self.search, (self.list, 1))
        self._fill(name)
        self.search.textChanged.connect(self._on_searched)
        self.list.currentRowChanged.connect(self.refresh)
        self.list.itemDoubleClicked.connect(self._on_accepted)
        self.refresh()

    def content(self) -> SceneStatement:
        if not self.list.count():
            raise GpvizError(f"No statement contains all the words “{label_text(self.search.text())}”.")
        return SceneStatement(self._chosen_name())

    def _chosen_name(self) -> str:
        row = self.list.currentRow()
        return str(self.list.item(row).data(Qt.ItemDataRole.UserRole)) if row >= 0 else ""

    def _fill(self, name: str) -> None:
        self.list.clear()
        for each in find_statements(self.search.text()):
            item = QListWidgetItem(each.heading)
            item.setData(Qt.ItemDataRole.UserRole, each.id)
            self.list.addItem(item)
            if each.id == name:
                self.list.setCurrentItem(item)
        if self.list.count() and self.list.currentRow() < 0:
            self.list.setCurrentRow(0)

    @Slot()
    def _on_searched(self) -> None:
        name = self._chosen_name()
        with QSignalBlocker(self.list):
            self._fill(name)
        self.refresh()


class ChartDialog(ContentDialog):
    """Chooses one of the charts of an experiment in a file, which is read in the background."""

    def __init__(self, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(f"A chart of {path.name}", parent)
        self._path = path
        self._chart: SceneChart | None = None
        self.kind = ChoiceField([])
        self.kind.setAccessibleName("Chart")
        self.about = sentence("muted")
        label = QLabel("C&hart")
        label.setBuddy(self.kind)
        column_in(self.chooser, label, self.kind, self.about, None)
        self._kinds = Question(self, self._show_kinds, self._show_problem)
        self._charts = Question(self, self._show_chart, self._show_problem)
        self.kind.currentIndexChanged.connect(self._on_chosen)
        self.refresh()
        self.about.setText("Reading the experiment …")
        self._kinds.ask(path, None, lambda _: charts_of_experiment(path))

    def content(self) -> SceneChart | None:
        return self._chart

    def _show_kinds(self, kinds: list[ChartKind]) -> None:
        self.kind.set_choices([(kind.value, CHARTS[kind].title) for kind in kinds])
        self._on_chosen()

    def _show_chart(self, chart: SceneChart) -> None:
        self._chart = chart
        self.about.setText(
            f"{CHARTS[ChartKind(chart.chart)].tip} Choose cells, measures and scales in the experiments "
            "window, and add the chart from there."
        )
        self.refresh()

    def _show_problem(self, problem: str) -> None:
        self.about.setText("")
        self.refresh()
        show_sentence(self.problem, problem)

    @Slot()
    def _on_chosen(self) -> None:
        value = self.kind.value()
        self._chart = None
        self.refresh()
        if value:
            self.about.setText("Reading the runs …")
            path, kind = self._path, ChartKind(value)
            self._charts.ask(path, kind, lambda stop: chart_of_experiment(path, kind, should_stop=stop))


def read_picture(path: Path) -> ScenePicture:
    """The picture in a file, not yet described; raises a `GpvizError` that names the file."""
    content = read_file(path, MAX_PICTURE_BYTES)
    try:
        return ScenePicture(format=format_of_picture(content), content=content, alt="A picture")
    except GpvizError as error:
        raise GpvizError(f"{path.name}: {str(error).removeprefix('content: ')}") from error


class PictureDialog(ContentDialog):
    """Asks for a description of a picture."""

    def __init__(self, picture: ScenePicture, parent: QWidget | None = None) -> None:
        super().__init__("A picture", parent)
        self._picture = picture
        self.alt = TextBox(4)
        self.alt.setAccessibleName("Description of the picture")
        self.alt.setPlaceholderText("what it shows")
        set_tip(self.alt, "Screen readers say this instead of the picture.")
        label = QLabel("&Description, for people who cannot see it")
        label.setWordWrap(True)
        label.setBuddy(self.alt)
        column_in(self.chooser, label, self.alt, None)
        self.alt.textChanged.connect(self.refresh)
        self.refresh()

    def show_preview(self, content: SceneContent | None) -> None:
        """Show the picture also while it is not described."""
        self.preview.show_content(content or self._picture)

    def content(self) -> ScenePicture:
        alt = self.alt.toPlainText()
        if not alt.strip():
            raise GpvizError("Describe the picture in a few words.")
        return replace(self._picture, alt=alt)


class ComparisonDialog(ContentDialog):
    """Chooses two to four runs of a lecture, and what each is called."""

    def __init__(
        self, lecture: Lecture, chosen: SceneComparison | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__("Runs side by side", parent)
        self.preview.hide()  # the runs are replayed only when the lecture is given
        self.rows: list[tuple[QCheckBox, QLineEdit, tuple[int, int]]] = []
        """For each branch whether it is chosen, what it is called, and the indexes of its run and itself."""
        names = {(lane.run, lane.branch): lane.label for lane in (chosen.lanes if chosen else ())}
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(1, 2)
        for row, (branch, text, label) in enumerate(_runs_of(lecture)):
            box = QCheckBox(text)
            box.setChecked(branch in names)
            field = QLineEdit(names.get(branch, label))
            field.setMaxLength(MAX_LABEL_LENGTH)
            field.setAccessibleName(f"Name of {text}")
            field.setToolTip("What the audience reads above its tree.")
            grid.addWidget(box, row, 0)
            grid.addWidget(field, row, 1)
            box.toggled.connect(self.refresh)
            field.textChanged.connect(self.refresh)
            self.rows.append((box, field, branch))
        grid.setRowStretch(len(self.rows), 1)
        column_in(self.chooser, WrappingScrollArea(inside))
        self.refresh()

    def content(self) -> SceneComparison:
        lanes = [ComparedRun(field.text(), *branch) for box, field, branch in self.rows if box.isChecked()]
        if len(lanes) < MIN_LANES:
            raise GpvizError(f"Choose {MIN_LANES} to {MAX_LANES} runs.")
        if len(lanes) > MAX_LANES:
            raise GpvizError(f"{len(lanes)} runs are chosen; at most {MAX_LANES} fit side by side.")
        return SceneComparison(tuple(lanes))


def _runs_of(lecture: Lecture) -> Sequence[tuple[tuple[int, int], str, str]]:
    """The run and number of every branch of a lecture, a description of it, and a label for the audience."""
    found = []
    for number, run in enumerate(lecture.runs):
        others = [(other.config, other.start) for other in lecture.runs if other is not run]
        label = ", ".join(settings_text(run.config, run.start, others).split(" · ")[:2])
        for branch in range(len(run.branches) + 1):
            iterations = iterations_of_branch(run, branch)
            name = f", {run.branches[branch - 1].name}" if branch else ""
            text = f"Run {number + 1}{name}: {settings_text(run.config)} ({iterations:,} iterations)"
            own = run.branches[branch - 1].name if branch else label
            found.append(((number, branch), label_text(text), own[:MAX_LABEL_LENGTH]))
    return found
