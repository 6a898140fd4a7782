"""One run of an experiment in a line: what became of it in a sentence, beside its curve."""

from math import log2
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import sentence, set_tip
from gpviz.app.widgets.layouts import row_in
from gpviz.app.widgets.themed import Themed
from gpviz.engine.config import RunConfig
from gpviz.experiments.decisive_steps import DecisiveStepFinding
from gpviz.experiments.run_row import RunRow, decode_path
from gpviz.experiments.run_text import decisive_step_sentence, run_sentence

_WIDTH: Final = 18
_LINES: Final = 3.2
"""The size of the curve, in lines of text."""
_MARGIN: Final = 5.0


class RunPreview(Themed, QWidget):
    """The line below the table of runs: a run in a sentence beside its curve; with no run a hint."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = sentence("", self)
        self.label.setAccessibleDescription("The chosen run")
        self.label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.curve = ErrorCurve(self)
        layout = row_in(self, spacing=12)
        layout.addWidget(self.label, 1)
        layout.addWidget(self.curve)
        self.follow_theme()

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type; there are as many lines as the curve is high."""
        self.setMinimumHeight(self.curve.sizeHint().height())

    def show_hint(self, text: str) -> None:
        """Show a sentence and no run."""
        self.label.setText(text)
        self.curve.show_path([], 0, 0)

    def show_run(
        self, name: str, row: RunRow, config: RunConfig, finding: DecisiveStepFinding | None = None
    ) -> None:
        """Show a run, read with its path, and what decided it where that is known."""
        why = "" if finding is None else f" {decisive_step_sentence(finding)}"
        self.label.setText(f"{name}. {run_sentence(row, config)}{why}")
        decided = None if finding is None else finding.iteration
        opened_at = row.notable_iteration if decided is None else decided
        self.curve.show_path(decode_path(row.path), row.iterations, opened_at)


class ErrorCurve(Themed, QWidget):
    """The error by iteration as steps, its logarithm upwards; a mark shows where the run is opened."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path: list[tuple[int, int]] = []
        self._iterations = 0
        self._decisive = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Error of the chosen run")
        set_tip(
            self,
            "How the error fell, on a logarithmic scale. The triangle marks where a double-click opens the run.",
        )

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours."""
        self.setFixedSize(self.sizeHint())
        self.update()

    def show_path(self, path: list[tuple[int, int]], iterations: int, decisive: int) -> None:
        """Show a run by its improvements; without any, nothing."""
        self._path, self._iterations, self._decisive = path, iterations, decisive
        self.update()

    def sizeHint(self) -> QSize:
        unit = self.theme.font_size * 1.33
        return QSize(round(_WIDTH * unit), round(_LINES * unit * 1.25))

    def points(self, area: QRectF) -> QPolygonF:
        """The corners of the steps within an area."""
        highest = max((_height(error) for _, error in self._path), default=0.0) or 1.0
        width = max(self._iterations, 1)
        points: list[QPointF] = []
        before: float | None = None
        for iteration, error in [*self._path, (self._iterations, self._path[-1][1])]:
            x = area.left() + area.width() * iteration / width
            y = area.bottom() - area.height() * _height(error) / highest
            if before is not None:
                points.append(QPointF(x, before))
            points.append(QPointF(x, y))
            before = y
        return QPolygonF(points)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._path:
            return
        colours, scale = self.theme.colours, self.theme.line_scale
        area = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN - 5 * scale)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours.border), scale))
            painter.drawLine(area.bottomLeft(), area.bottomRight())
            painter.setPen(QPen(QColor(colours.curve), 1.6 * scale))
            painter.drawPolyline(self.points(area))
            x = area.left() + area.width() * self._decisive / max(self._iterations, 1)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent))
            size = 5 * scale
            tip = QPointF(x, area.bottom() + 1)
            painter.drawPolygon(
                QPolygonF([tip, tip + QPointF(-size, size + 2), tip + QPointF(size, size + 2)])
            )


def _height(error: int) -> float:
    """How high an error is drawn; errors may have thousands of digits."""
    return log2(error + 1)
