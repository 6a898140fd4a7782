"""The golden pictures of the canvas: what is on them, and how two pictures are compared."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage, QPainter

from gpviz.analysis.redundant_leaves import analyse
from gpviz.app.canvas.stage import Stage
from gpviz.app.theme import load_theme
from gpviz.engine import Function, Operation, RunConfig, Side, Verdict
from gpviz.explain.moment import Overlay
from tests.app.canvas.pictures import previewed, shown, stepped

FOLDER: Final = Path(__file__).parent / "golden"
SIZE: Final = (480, 320)
_STRONG: Final = 48
"""Of 255: a pixel that differs by more looks different."""


def _and_or(stage: Stage) -> None:
    stage.show_picture(shown("((x1 & x12) | x3) & (x128 | (x5 & x1))"))


def _rejected_insertion(stage: Stage) -> None:
    picture = stepped(
        "(x1 & x2) | x3", Operation.INS, Verdict.WORSE, 1, variable=4, function=Function.OR, side=Side.LEFT
    )
    stage.show_picture(picture)
    stage.set_legend_shown(False)


def _stuck(stage: Stage) -> None:
    config = RunConfig(n=4, limit="4", deletion="leaf")
    picture = shown("(x1 & x2) | (x2 & x1)", config)
    stage.show_picture(picture)
    stage.show_analysis(analyse(picture.tree, config))
    stage.set_caption("computes x₁ ∧ x₂")
    stage.set_legend_shown(False)


def _laid_over(stage: Stage) -> None:
    stage.show_picture(shown("((x1 & x12) | x3) & (x128 | (x5 & x1))"))
    stage.canvas.set_overlay(_OVERLAYS[stage.theme.name])
    stage.set_legend_shown(False)


def _hidden_verdict(stage: Stage) -> None:
    picture = stepped("(x1 & x2) | x3", Operation.SUB, Verdict.IMPROVED, 4, variable=4)
    stage.show_picture(previewed(picture, is_hidden=True))
    stage.set_legend_shown(False)


def _side_by_side(stage: Stage) -> None:
    stage.canvas.set_side_by_side(True)
    stage.show_picture(previewed(stepped("(x1 & x2) | x3", Operation.INS, Verdict.WORSE, 2, variable=4)))
    stage.set_legend_shown(False)


# Uids: x1 0, x12 1, ∧ 2, x3 3, ∨ 4, x128 5, x5 6, x1 7, ∧ 8, ∨ 9, ∧ 10.
_OVERLAYS: Final = {
    "light": Overlay(
        {0: 0.001, 3: 0.004, 4: 0.008, 7: 0.012, 10: 0.006}, title="heat: up to 1.2 % improve here"
    ),
    "dark": Overlay(
        values={uid: uid not in (1, 2, 5) for uid in range(11)}, pulsing=4, title="row 5: the tree says 1"
    ),
}

PICTURES: Final[dict[str, tuple[str, Callable[[Stage], None]]]] = {
    "and-or": ("light", _and_or),
    "rejected-insertion": ("light", _rejected_insertion),
    "stuck": ("projector", _stuck),
    "stuck-dark": ("dark", _stuck),
    "heat": ("light", _laid_over),
    "values-dark": ("dark", _laid_over),
    "hidden-verdict": ("projector", _hidden_verdict),
    "side-by-side": ("light", _side_by_side),
}
"""For each picture its theme and what is shown on it."""


def rendered(name: str) -> QImage:
    """A picture as it is painted now."""
    theme, fill = PICTURES[name]
    stage = Stage()
    stage.set_theme(load_theme(theme))
    fill(stage)
    stage.resize(*SIZE)
    stage.ensurePolished()
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    stage.render(painter, QPoint())
    painter.end()
    stage.shut_down()
    stage.deleteLater()
    return image


def difference_of(one: QImage, other: QImage) -> tuple[float, float]:
    """The mean difference of two pictures of the same size, and the share of pixels that look different."""
    difference = np.abs(_pixels(one) - _pixels(other))
    return float(difference.mean()), float((difference.max(axis=2) > _STRONG).mean())


def _pixels(image: QImage) -> npt.NDArray[np.int16]:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows.reshape(image.height(), image.width(), 4)[:, :, :3].astype(np.int16)
