"""What a scene holds beside the tree is seen in the audience's window, and by the speaker before."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFontInfo, QPalette
from PySide6.QtWidgets import QWidget

from gpviz.app.lecture import scene_content_view
from gpviz.app.lecture.audience_window import AudienceWindow
from gpviz.app.lecture.hall_text import SceneText
from gpviz.app.lecture.presenter_window import PresenterWindow
from gpviz.app.lecture.scene_content_view import PictureView, decoded_picture
from gpviz.app.lecture.scene_player import Upcoming
from gpviz.app.plots.chart_view import ChartView
from gpviz.app.tasks import is_any_task_busy
from gpviz.lecture.lecture import Scene
from gpviz.lecture.scene_content import ScenePicture, SceneStatement, content_title
from gpviz.lecture.stopwatch import Stopwatch
from gpviz.paper_statements import load_statements
from tests.app.lecture.contents import STATEMENT, chart, photo
from tests.app.lecture.lectures import TEXT


@pytest.fixture
def window(window):
    window.resize(1280, 720)
    return window


def shown(window: AudienceWindow, content, **scene) -> None:
    window.show_scene(Scene(title="a", has_tree=False, content=content, **scene))


def colour_at(widget, x: float, y: float) -> QColor:
    """The colour at a position, in shares of width and height."""
    picture = widget.grab().toImage()
    return picture.pixelColor(QPoint(round(x * picture.width()), round(y * picture.height())))


def test_a_chart_fills_the_window_in_type_that_the_last_row_reads(window, qtbot):
    size = (1280, 720)
    shown(window, chart())
    view = window.content.view
    assert isinstance(view, ChartView)
    qtbot.waitUntil(lambda: view.width() > 0.97 * size[0] and view.height() > 0.9 * size[1])
    assert view.accessibleName() == "How T grows"
    assert view.accessibleDescription() == "Means of 30 runs."
    assert view.plots.accessibleDescription() == "limit n"
    for part, least in ((view.title, 24), (view.note, 16)):
        assert QFontInfo(part.font()).pixelSize() >= size[1] / 768 * least
    assert view.plots.type_pixels >= size[1] / 768 * 20


def test_the_title_of_a_chart_is_seen_in_every_theme(window):
    shown(window, chart())
    for _ in range(4):
        title = window.content.view.title
        assert title.palette().color(QPalette.ColorRole.WindowText) == QColor(window.theme.colours.text)
        window.choose_next_theme()


def test_a_long_sentence_about_a_chart_is_left_to_the_speaker(window):
    long = chart()
    shown(window, type(long)(figure=long.figure.replace("Means of 30 runs.", "word " * 60), plan="p", chart="c",
                             runs=1, seed=1))  # fmt: skip
    assert not window.content.view.note.text()


def test_every_statement_is_shown_whole_in_large_type(window, qtbot):
    for expected in load_statements():
        shown(window, SceneStatement(expected.id))
        view = window.content.view
        assert isinstance(view, SceneText)
        qtbot.waitUntil(lambda view=view: view.width() > 0.97 * window.width())
        text = view.document().toPlainText()
        for part in (expected.name, expected.title, expected.text, expected.assumptions):
            assert part in text
        for formula in expected.formula.split("  "):  # so that no line ends within it
            assert formula.replace(" ", "\N{NO-BREAK SPACE}") in view.document().toRawText()
        assert not view.is_cut
        assert view.type_pixels >= 0.03 * window.height()
        assert view.accessibleName() == expected.heading


@pytest.mark.parametrize("picture", [photo("png"), photo("jpeg")], ids=["png", "jpeg"])
def test_a_picture_is_as_large_as_the_window_in_its_proportions(window, qtbot, picture):
    shown(window, picture)
    view = window.content.view
    assert isinstance(view, PictureView)
    qtbot.waitUntil(lambda: not is_any_task_busy() and view.height() > 0.9 * window.height())
    assert view.accessibleDescription() == picture.alt
    middle = colour_at(view, 0.5, 0.5)
    assert middle.red() > 240
    assert middle.green() < 20
    assert colour_at(view, 0.5, 0.01) == middle, "it goes from top to bottom"
    assert colour_at(view, 0.05, 0.5) == QColor(window.theme.colours.window), (
        "a wide window leaves space beside it"
    )


def test_a_damaged_picture_says_so(window, qtbot):
    whole = photo("png").content
    shown(window, ScenePicture(format="png", content=whole[:40] + bytes(20), alt="Nothing."))
    view = window.content.view
    qtbot.waitUntil(lambda: bool(view.problem))


@pytest.mark.qt_log_ignore("allocation limit")
def test_a_picture_that_takes_too_much_memory_is_not_shown(monkeypatch):
    monkeypatch.setattr(scene_content_view, "_MOST_MEGABYTES", 1)
    assert decoded_picture(photo(width=1000), lambda: False).isNull()
    assert not decoded_picture(photo(), lambda: False).isNull()


def test_a_content_stands_beside_a_tree_and_below_a_text(window, qtbot):
    window.show_scene(Scene(title="a", content=STATEMENT))
    qtbot.waitUntil(lambda: abs(window.content.width() - window.canvas.width()) < 0.05 * window.width())
    window.show_scene(Scene(title="a", content=STATEMENT, text=TEXT))
    qtbot.waitUntil(lambda: 0 < window.text.geometry().bottom() < window.content.geometry().top())
    window.show_scene(Scene(title="a", content=STATEMENT, text=TEXT, has_tree=False))
    qtbot.waitUntil(lambda: 0 < window.content.geometry().right() < window.text.geometry().left())
    window.show_scene(Scene(title="a"))
    assert not window.content.isVisible()
    assert window.content.content is None


def test_one_content_follows_another(window, qtbot):
    for content in (chart("One"), STATEMENT, photo(), chart("Two"), photo("jpeg")):
        shown(window, content)
        qtbot.waitUntil(lambda: not is_any_task_busy())
        views = window.content.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        assert [view for view in views if view.isVisible()] == [window.content.view]


def test_the_keyboard_reaches_a_content_and_the_keys_stay_the_speakers(window):
    shown(window, chart(), panels=())
    window.go_to_part(1)
    assert window.focusWidget() is window.content.view


@pytest.mark.parametrize("content", [chart(), STATEMENT, photo()], ids=["chart", "statement", "picture"])
def test_the_speaker_sees_a_content_before_the_audience_does(qtbot, content):
    audience = QWidget()
    presenter = PresenterWindow(audience, Stopwatch(), ["Then"])
    qtbot.addWidget(audience)
    qtbot.addWidget(presenter)
    presenter.resize(1280, 720)
    presenter.show()
    presenter.show_next(Upcoming(title="Then", content=content))
    preview = presenter.next_content
    assert preview.isVisible()
    assert preview.accessibleDescription() == content_title(content)

    def colours() -> set[int]:
        picture = preview.grab().toImage()
        return {
            picture.pixel(x, y) for x in range(0, picture.width(), 3) for y in range(0, picture.height(), 3)
        }

    qtbot.waitUntil(lambda: len(colours()) > 2)
    presenter.show_next(Upcoming(title="The end"))
    assert not preview.isVisible()
    presenter.shut_down()


def test_a_content_has_a_short_title():
    assert content_title(chart()) == "Chart: How T grows (plan growth, 30 runs a cell, seed 1)"
    assert content_title(STATEMENT).startswith("Statement: Theorem 1: ")
    assert content_title(photo()) == "Picture: All red."
