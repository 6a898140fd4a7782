"""Pictures of the truth table: the grid as the page has it, and what there is to say of it."""

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel

from gpviz.app.theme import load_theme
from gpviz.assets import THEME_NAMES
from gpviz.explain.moment import moment_at
from gpviz.explain.truth_table import CellClass, scope_text, summary_text, table_of
from tests.app.export.pictures.reading import painted, shown
from tests.export.requests import export


def test_a_png_has_the_asked_size(tmp_path, stuck_run):
    path = tmp_path / "table.png"
    export("table", path, stuck_run, at=60, width=640, height=400, scale=2)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (1280, 800)


@pytest.mark.parametrize("theme_name", THEME_NAMES)
def test_every_cell_has_the_colour_of_its_class(qapp, stuck_run, theme_name):
    colours = load_theme(theme_name).colours
    table = table_of(moment_at(stuck_run, 60))
    image = painted("table", stuck_run, at=60, theme=theme_name, width=900, height=600)
    with shown("table", stuck_run, at=60, theme=theme_name, width=900, height=600) as sheet:
        corner = sheet.grid.pos()
        places = {
            (row, column): sheet.grid.rect_of(row, column).topLeft().toPoint() + corner
            for row in range(table.grid.shape[0])
            for column in range(table.grid.shape[1])
        }
    expected = {
        CellClass.RIGHT: colours.field,
        CellClass.WRONG: colours.muted,
        CellClass.FIXED: colours.improved,
        CellClass.BROKEN: colours.worse,
    }
    for (row, column), place in places.items():
        kind = CellClass(int(table.classes[row, column]))
        assert image.pixelColor(place.x() + 3, place.y() + 3) == QColor(expected[kind])


def test_the_words_are_those_of_the_page_and_find_room(qapp, stuck_run):
    table = table_of(moment_at(stuck_run, 60))
    with shown("table", stuck_run, at=60, theme="projector", width=640, height=360) as sheet:
        texts = [label.text() for label in sheet.findChildren(QLabel)]
        assert summary_text(table) in texts
        assert scope_text(table) in texts
        assert sheet.legend.height() >= sheet.legend.heightForWidth(sheet.legend.width())
        assert sheet.rect().contains(sheet.legend.geometry())


def test_what_the_samples_decided_is_told(qapp, sampled_run):
    with shown("table", sampled_run, at=30, theme="light", width=1280, height=720) as sheet:
        texts = " ".join(label.text() for label in sheet.findChildren(QLabel))
    assert "This iteration drew 2,000 rows" in texts
