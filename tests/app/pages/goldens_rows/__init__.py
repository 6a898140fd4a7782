"""The golden pictures of the truth table, and what is on them.

``python -m tests.app.pages.goldens_rows`` paints them anew; then look at what changed.
"""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage, QPainter

from gpviz.app.pages.truth_table.grid import TruthTableGrid
from gpviz.app.theme import load_theme
from gpviz.engine import Mutation, Operation, RunConfig, parse
from gpviz.engine.enums import Function, Side
from gpviz.explain.moment import preview_of
from gpviz.explain.truth_table import RowTable, table_of
from gpviz.runs.history import History

FOLDER: Final = Path(__file__).parent
SIZE: Final = (240, 220)


def _tried(config: RunConfig, formula: str, variable: int, function: Function, node: int = 1) -> RowTable:
    mutation = Mutation(Operation.INS, node, variable, function, Side.RIGHT)
    return table_of(preview_of(History(config, parse(formula)), 0, mutation))


def _small() -> RowTable:
    return _tried(RunConfig(n=6, limit="inf"), "(x1 & x2 & x3) | (x4 & x5)", 6, Function.AND, 7)


def _broken() -> RowTable:
    return _tried(RunConfig(n=5, limit="inf"), "x1 & x2 & x3", 4, Function.OR)


def _large() -> RowTable:
    formula = "(x1 & x2 & x9) | (x3 & x4 & x5 & x16) | (x10 & x13 & x2)"
    return _tried(RunConfig(n=16, limit="inf"), formula, 7, Function.AND, 2)


def _few() -> RowTable:
    formula = " & ".join(f"x{number}" for number in range(1, 19) if number not in (3, 5, 12))
    return _tried(RunConfig(n=18, limit="inf"), formula, 12, Function.AND)


def _sampled() -> RowTable:
    config = RunConfig(n=4, limit="inf", fitness="sampled", rows=12, seed=3)
    return _tried(config, "(x1 & x2) | x3", 4, Function.AND)


PICTURES: Final = {
    "small": ("light", _small, 0b011011),
    "broken-projector": ("projector", _broken, None),
    "large": ("light", _large, None),
    "few-dark": ("dark", _few, 2**18 - 1 - 2**6 - 2**11),
    "sampled": ("light", _sampled, None),
}
"""For each picture its theme, its table and the row that is marked."""


def rendered(name: str) -> QImage:
    """A picture as it is painted now."""
    theme_name, make, row = PICTURES[name]
    theme = load_theme(theme_name)
    grid = TruthTableGrid()
    grid.set_theme(theme)
    grid.set_table(make())
    grid.set_marked(row)
    grid.resize(*SIZE)
    grid.ensurePolished()
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.colours.window))
    painter = QPainter(image)
    grid.render(painter, QPoint(), renderFlags=TruthTableGrid.RenderFlag.DrawChildren)
    painter.end()
    grid.deleteLater()
    return image
