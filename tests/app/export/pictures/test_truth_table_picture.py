"""Pictures of the truth table: the grid as the page has it, and what there is to say of it."""

from itertools import combinations

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel

from gpviz.app.theme import load_theme
from gpviz.app.widgets.widget_pictures import image_of
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


def test_cells_are_painted_in_the_pixels_of_the_picture(qapp, stuck_run):
    with shown("table", stuck_run, at=60, theme="light", width=640, height=400) as sheet:
        for scale in (1.0, 3.0, 1.0):
            image_of(sheet, scale)
            for painted in (sheet.grid._picture, sheet.grid._sides_picture):
                assert painted is not None
                assert painted.devicePixelRatioF() == scale


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


def test_of_a_table_too_large_to_show_the_picture_says_which_part_it_is(qapp, large_run):
    with shown("table", large_run, at=300, theme="light", width=1280, height=720) as sheet:
        texts = " ".join(label.text() for label in sheet.findChildren(QLabel))
    assert "are taken as 1" in texts


def test_what_the_samples_decided_is_told(qapp, sampled_run):
    with shown("table", sampled_run, at=30, theme="light", width=1280, height=720) as sheet:
        texts = " ".join(label.text() for label in sheet.findChildren(QLabel))
    assert "This iteration drew 2,000 rows" in texts


@pytest.mark.parametrize("theme_name", ["light", "projector"])
@pytest.mark.parametrize("size", [(320, 180), (640, 200), (1280, 720)])
def test_no_words_lie_over_others_where_there_is_little_room(qapp, stuck_run, theme_name, size):
    with shown("table", stuck_run, at=95, theme=theme_name, width=size[0], height=size[1]) as sheet:
        seen = [part for part in sheet._parts if part.isVisible()]
        assert seen
        for part in seen:
            assert part.height() >= part.heightForWidth(part.width())
            assert sheet.rect().contains(part.geometry())
        for one, other in combinations(seen, 2):
            assert not one.geometry().intersects(other.geometry())
        assert size[0] < 1280 or seen == sheet._parts
