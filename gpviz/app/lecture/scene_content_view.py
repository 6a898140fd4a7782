"""What a scene shows beside the tree, as large as can be: a chart, a comparison, a statement, or a picture."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QImage, QImageReader, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QSizePolicy, QToolButton, QWidget

from gpviz.app.lanes.lane_curves import LaneCurves
from gpviz.app.lanes.lane_view import LaneView
from gpviz.app.lanes.recorded_lane import RecordedLane
from gpviz.app.lecture.hall_text import SceneText
from gpviz.app.player.shown_moment import Detail, ShownMoment
from gpviz.app.plots.chart_view import ChartView
from gpviz.app.tasks import BackgroundTask
from gpviz.app.theme import Theme, hall_theme, palette_of
from gpviz.app.timers import single_shot
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.themed import Themed
from gpviz.engine.interruption import ShouldStop
from gpviz.escaping import label_text
from gpviz.experiments.figures.figure import Figure
from gpviz.experiments.figures.figure_data import figure_of
from gpviz.lecture.scene_content import (
    SceneChart,
    SceneComparison,
    SceneContent,
    ScenePicture,
    SceneStatement,
    content_title,
)
from gpviz.paper_statements import Statement, statement, unbroken_formula

_MOST_MEGABYTES: Final = 136
"""What the largest picture that a lecture may have takes with 8 bytes a pixel."""
_SIGN: Final = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&])")
_SOON_MS: Final = 30
_PICTURES: Final = 2
_PREVIEW_SIZE: Final = QSize(1280, 720)
_CHART_TITLE: Final = 1.15
_CHART_NOTE: Final = 0.78
_MOST_NOTE: Final = 180
"""So many characters about a chart fit below it in type that can be read."""
_CANNOT: Final = "The picture cannot be shown; it is damaged."
_MOST_BESIDE: Final = 3
"""More trees than this stand in two rows, with the curves beside them."""


def decoded_picture(picture: ScenePicture, _should_stop: ShouldStop) -> QImage:
    """The picture in pixels, null if it is damaged or too large; it may take longer than a frame."""
    buffer = QBuffer()
    buffer.setData(QByteArray(picture.content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(picture.format.encode()))
    reader.setAllocationLimit(_MOST_MEGABYTES)
    reader.setAutoTransform(True)
    return reader.read()


class PictureView(Themed, QWidget):
    """A picture in its proportions, on white where it is transparent. It is decoded in the background."""

    changed = Signal()
    """The picture is there, or it is known that it cannot be shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: ScenePicture | None = None
        self._image = QImage()
        self._fitted = QPixmap()
        self.problem = ""
        """Why the picture is not to be seen; empty if it is."""
        self._background = BackgroundTask("gpviz picture", self)
        self._background.finished.connect(self._on_decoded)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_picture(self, picture: ScenePicture) -> None:
        """Show this, as soon as it is decoded."""
        self.setAccessibleName("Picture")
        self.setAccessibleDescription(label_text(picture.alt))
        before = self._picture
        if before is not None and (before.format, before.content) == (picture.format, picture.content):
            return
        self._picture = picture
        self.problem, self._image, self._fitted = "", QImage(), QPixmap()
        self._background.ask(partial(decoded_picture, picture))
        self.update()

    def shut_down(self) -> None:
        """Wait for nothing any more."""
        self._background.close()

    @Slot(object)
    def _on_decoded(self, image: QImage) -> None:
        self._image, self._fitted = image, QPixmap()
        self.problem = _CANNOT if image.isNull() else ""
        self.update()
        self.changed.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self.theme.colours.window))
            if self.problem:
                painter.setPen(QColor(self.theme.colours.text))
                painter.setFont(self.theme.font())
                centred = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
                painter.drawText(self.rect(), centred, self.problem)
            elif not self._image.isNull():
                box = self._box()
                if self._image.hasAlphaChannel():
                    painter.fillRect(box, QColor(Qt.GlobalColor.white))
                painter.drawPixmap(box, self._pixmap(box.size()))

    def _box(self) -> QRect:
        size = self._image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        box = QRect(0, 0, max(size.width(), 1), max(size.height(), 1))
        box.moveCenter(self.rect().center())
        return box

    def _pixmap(self, size: QSize) -> QPixmap:
        ratio = self.devicePixelRatioF()
        wanted = QSize(round(size.width() * ratio), round(size.height() * ratio))
        if self._fitted.size() != wanted:
            self._fitted = QPixmap.fromImage(
                self._image.scaled(
                    wanted, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
                )
            )
        return self._fitted


class ComparisonView(Themed, QWidget):
    """Shows all of them at one iteration."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_motion_reduced = False
        self.trees: list[LaneView] = []
        self.curves = LaneCurves()
        self._upper = QWidget()
        self._grid = QGridLayout(self._upper)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._box = column_in(self, (self._upper, 3), (self.curves, 2))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Comparison")
        for button in self.curves.findChildren(QToolButton):
            button.setMaximumSize(0, 0)  # nobody in a hall can press it
        self.follow_theme()

    def show_lanes(self, lanes: Sequence[RecordedLane]) -> None:
        """Show these runs, at their start."""
        while len(self.trees) > len(lanes):
            tree = self.trees.pop()
            tree.shut_down()
            tree.hide()
            tree.deleteLater()
        for lane in lanes[len(self.trees) :]:
            tree = LaneView(len(self.trees), lane, lane.label, is_in_hall=True)
            tree.canvas.set_reduced_motion(self._is_motion_reduced)
            self.trees.append(tree)
        is_square = len(lanes) > _MOST_BESIDE
        columns = 2 if is_square else len(lanes)
        direction = QBoxLayout.Direction
        self._box.setDirection(direction.LeftToRight if is_square else direction.TopToBottom)
        self.curves.show_leaves(not is_square)
        for index, (tree, lane) in enumerate(zip(self.trees, lanes, strict=True)):
            self._grid.addWidget(tree, *divmod(index, columns))
            tree.set_run(lane, lane.label)
        for column in range(_MOST_BESIDE):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        # Where they stand in a narrow column the letters have to do.
        self.curves.show_runs(lanes, ["" if is_square else label_text(lane.label) for lane in lanes])
        labels = ", ".join(label_text(lane.label) for lane in lanes)
        self.setAccessibleDescription(f"Runs side by side: {labels}.")

    def show_iteration(self, iteration: int, duration_ms: int = 0, *, is_hurried: bool = False) -> None:
        """Show all of them at this iteration; one that ends before, at its end.

        Where iterations come too fast to read what each of them did, only the trees are shown.
        """
        detail = Detail.TREE if is_hurried else Detail.STEP
        for tree in self.trees:
            history = tree.run.history
            shown = ShownMoment(history, min(iteration, len(history)), detail=detail)
            tree.view.show(replace(shown, duration_ms=duration_ms, is_hurried=is_hurried))
        self.curves.show_cursor(iteration)

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Jump instead of moving."""
        self._is_motion_reduced = is_reduced
        for tree in self.trees:
            tree.canvas.set_reduced_motion(is_reduced)

    def apply_theme(self, theme: Theme) -> None:
        self._grid.setSpacing(round(theme.font_size))
        self._box.setSpacing(round(0.5 * theme.font_size))

    def shut_down(self) -> None:
        """End everything that moves."""
        self.curves.shut_down()
        for tree in self.trees:
            tree.shut_down()


class _HallChart(ChartView):
    """A chart whose title and sentence are as large as the rest of it."""

    def apply_theme(self, theme: Theme) -> None:
        self.title.setPalette(palette_of(theme))
        self.title.setFont(theme.font(_CHART_TITLE, is_bold=True))
        self.note.setFont(theme.font(_CHART_NOTE))
        super().apply_theme(theme)


def _with_short_note(figure: Figure) -> Figure:
    """The figure with no more said about it than can be read from the last row."""
    note = next((note for note in (figure.note, figure.short_note) if len(note) <= _MOST_NOTE), "")
    return replace(figure, note=note, short_note="")


_VIEWS: Final[dict[type, type[QWidget]]] = {
    SceneChart: _HallChart,
    SceneComparison: ComparisonView,
    ScenePicture: PictureView,
    SceneStatement: SceneText,
}


class SceneContentView(Themed, QWidget):
    """Shows one content at a time; the view of each kind is made when it is first wanted."""

    changed = Signal()
    """Something else is to be seen than before."""

    def __init__(self, parent: QWidget | None = None, *, has_curves: bool = True) -> None:
        """Without curves, a comparison shows only its trees."""
        super().__init__(parent)
        self.content: SceneContent | None = None
        """What is on show, None for nothing."""
        self._views: dict[type, QWidget] = {}
        self._is_motion_reduced = False
        self._has_curves = has_curves
        self._column = column_in(self)
        self.setAccessibleName("Content of the scene")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.follow_theme()

    @property
    def view(self) -> QWidget | None:
        """What shows it."""
        return self._views.get(type(self.content))

    def show_content(self, content: SceneContent | None) -> None:
        """Show this, or nothing."""
        if content is not None and content != self.content:
            self._show(content)
        self.content = content
        shown = self.view
        for view in self._views.values():
            view.setVisible(view is shown)
        self.changed.emit()

    def show_lanes(self, lanes: Sequence[RecordedLane], iteration: int) -> None:
        """The runs of the comparison on show are these, at this iteration."""
        view = self.view
        if isinstance(view, ComparisonView):
            view.show_lanes(lanes)
            self.show_iteration(iteration)

    def show_iteration(self, iteration: int, duration_ms: int = 0, *, is_hurried: bool = False) -> None:
        """Show the comparison, if there is one on show, at this iteration; in a hurry only its trees."""
        view = self.view
        if isinstance(view, ComparisonView):
            view.show_iteration(iteration, duration_ms, is_hurried=is_hurried)
            self.changed.emit()

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Jump instead of moving."""
        self._is_motion_reduced = is_reduced
        comparison = self._views.get(SceneComparison)
        if isinstance(comparison, ComparisonView):
            comparison.set_reduced_motion(is_reduced)

    def shut_down(self) -> None:
        """End what moves, or is done in the background."""
        for view in self._views.values():
            if isinstance(view, PictureView | ChartView | ComparisonView):
                view.shut_down()

    def _show(self, content: SceneContent) -> None:
        view = self._views.get(type(content)) or self._made(type(content))
        if isinstance(view, ChartView) and isinstance(content, SceneChart):
            view.show_figure(_with_short_note(figure_of(content.figure)))
        elif isinstance(view, PictureView) and isinstance(content, ScenePicture):
            view.show_picture(content)
        elif isinstance(view, SceneText) and isinstance(content, SceneStatement):
            shown = statement(content.name)
            view.setAccessibleName(shown.heading)
            view.setAccessibleDescription(f"{shown.text} {shown.assumptions}")
            view.show_text(statement_markdown(shown))

    def _made(self, kind: type) -> QWidget:
        view = self._views[kind] = _VIEWS[kind]()
        view.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys are the speaker's
        view.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._column.addWidget(view)
        if isinstance(view, PictureView):
            view.changed.connect(self.changed)
        if isinstance(view, ComparisonView):
            view.set_reduced_motion(self._is_motion_reduced)
            view.curves.setVisible(self._has_curves)
        return view


def statement_markdown(shown: Statement) -> str:
    """The statement as a slide."""
    parts = [f"### {_escaped(shown.name)}", f"## {_escaped(shown.title)}", _escaped(shown.text)]
    if shown.formula:
        parts.append(f"**{_escaped(unbroken_formula(shown.formula))}**")
    parts.append(f"*Assumed:* {_escaped(shown.assumptions)}")
    return "\n\n".join(parts)


def _escaped(text: str) -> str:
    return _SIGN.sub(r"\\\1", text)


class ContentPreview(Themed, QWidget):
    """A content as the audience will see it, painted small."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._full = SceneContentView(self, has_curves=False)  # they would be too small to read
        self._full.hide()  # it is painted, and not seen itself
        self._full.set_reduced_motion(True)
        self._full.resize(_PREVIEW_SIZE)
        self._full.changed.connect(self._on_changed)
        self._pixmap = QPixmap()
        self._pictures_due = 0
        self._soon = single_shot(self, self._take, _SOON_MS)
        self.setMinimumSize(80, 45)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Preview of the content")

    def show_content(
        self, content: SceneContent | None, lanes: Sequence[RecordedLane] = (), iteration: int = 0
    ) -> None:
        """Show this, or nothing; a comparison with these runs at this iteration."""
        self.setAccessibleDescription("" if content is None else label_text(content_title(content)))
        self._full.show_content(content)
        self._full.show_lanes(lanes, iteration)

    def apply_theme(self, theme: Theme) -> None:
        size = _PREVIEW_SIZE
        self._full.set_theme(hall_theme(theme.name, size.width(), size.height()))
        self._on_changed()

    def shut_down(self) -> None:
        """End what is done in the background."""
        self._soon.stop()
        self._full.shut_down()

    @Slot()
    def _on_changed(self) -> None:
        """Take a new picture, and another one once the first has laid everything out."""
        self._pixmap = QPixmap()
        self.update()
        self._pictures_due = _PICTURES
        self._soon.start()

    @Slot()
    def _take(self) -> None:
        if self._full.content is not None:
            self._pixmap = self._full.grab()
        self.update()
        self._pictures_due -= 1
        if self._pictures_due > 0:
            self._soon.start()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._pixmap.isNull():
            return
        size = _PREVIEW_SIZE.scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        box = QRect(0, 0, size.width(), size.height())
        box.moveCenter(self.rect().center())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(box, self._pixmap)
