"""Contents of scenes for the tests of lecture mode."""

import numpy as np
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QColor, QImage

from gpviz.experiments.figures.figure import Axis, Figure, Kind, Panel, Series
from gpviz.experiments.figures.figure_data import figure_json
from gpviz.lecture.scene_content import ComparedRun, SceneChart, SceneComparison, ScenePicture, SceneStatement

STATEMENT = SceneStatement("theorem-1")
COMPARISON = SceneComparison((ComparedRun("Usual", 0), ComparedRun("Stuck", 1)))


def chart(title: str = "How T grows") -> SceneChart:
    xs = np.array([4.0, 8.0, 16.0])
    drawn = Series("limit n", 0, Kind.POINTS, xs, xs * np.log(xs))
    figure = Figure(title, (Panel(Axis("n"), Axis("T"), (drawn,)),), note="Means of 30 runs.")
    return SceneChart(figure=figure_json(figure), plan="growth", chart="figure", runs=30, seed=1)


def photo(name: str = "png", alt: str = "All red.", width: int = 40) -> ScenePicture:
    image = QImage(width, 3 * width // 4, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff0000"))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, name)  # type: ignore[call-overload]  # Qt takes text where the stubs want bytes
    return ScenePicture(format=name, content=bytes(buffer.data().data()), alt=alt)
