"""Pictures of the truth table: the grid as the page has it, and what there is to say of it."""

from PySide6.QtWidgets import QLabel

from gpviz.explain.moment import moment_at
from gpviz.explain.truth_table import scope_text, summary_text, table_of
from tests.app.export.pictures.reading import shown


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
