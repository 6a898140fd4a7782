"""The small parts of lecture mode: keys, sizes, captions, texts, time."""

import re
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QMouseEvent, QTextDocument
from PySide6.QtWidgets import QApplication, QWidget

from gpviz.app.actions import LECTURE, SHOWN_RUN
from gpviz.app.lecture.hall_text import LONGEST_READ, CaptionBar, SceneText, is_readable_in_hall
from gpviz.app.lecture.lecture_keys import LectureCommand, command_for
from gpviz.app.lecture.presenter_window import AudienceThumbnail
from gpviz.app.theme import MOST_TYPE_STEPS, hall_theme, smaller
from gpviz.engine import Verdict
from gpviz.explain.step_text import tell
from gpviz.lecture.stopwatch import time_text
from tests.app.key_sections import key_sections
from tests.app.lecture.lectures import TEXT
from tests.runs.runs import STUCK, recorded

KEY, MODIFIER = Qt.Key, Qt.KeyboardModifier
NONE, ALT, CONTROL = MODIFIER.NoModifier, MODIFIER.AltModifier, MODIFIER.ControlModifier


def pressed(key: Qt.Key, modifiers=NONE, *, is_held: bool = False) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, modifiers, "", is_held)


# --- keys ---


@pytest.mark.parametrize(
    ("key", "modifiers", "command"),
    [
        (KEY.Key_Left, MODIFIER.KeypadModifier, LectureCommand.BACK),
        (KEY.Key_BracketLeft, CONTROL | ALT, LectureCommand.SMALLER_TYPE),
        (KEY.Key_Z, NONE, None),
        (KEY.Key_B, CONTROL, None),
    ],
)
def test_a_key_is_a_command(key, modifiers, command):
    for is_lecture in (True, False):
        assert command_for(pressed(key, modifiers), is_lecture=is_lecture) is command


def test_a_key_held_down_repeats_only_what_may_be_repeated():
    held = {
        key: command_for(pressed(key, is_held=True), is_lecture=True)
        for key in (KEY.Key_PageDown, KEY.Key_PageUp, KEY.Key_B, KEY.Key_Escape, KEY.Key_Plus, KEY.Key_Z)
    }
    assert list(held.values()) == [
        LectureCommand.HELD_NEXT,
        LectureCommand.HELD_BACK,
        None,
        None,
        LectureCommand.LARGER_POINTER,
        None,
    ]


@pytest.mark.parametrize("window", [LECTURE, SHOWN_RUN])
def test_every_key_that_is_listed_does_something(window):
    names = {"Page Down": "PgDown", "Page Up": "PgUp", "−": "-"}
    listed = [
        key for _, rows in key_sections(window) for keys, _ in rows for key in re.split(", | or ", keys)
    ]
    for text in listed:
        if text in ("wheel", "Alt+arrows"):
            continue
        for name, short in names.items():
            text = text.replace(name, short)
        combination = QKeySequence(text)[0]  # type: ignore[index]
        event = pressed(combination.key(), combination.keyboardModifiers())
        assert command_for(event, is_lecture=window == LECTURE) is not None, text


# --- sizes and captions ---


def test_type_grows_with_the_screen_and_by_steps():
    sizes = [
        hall_theme("projector", width, height).font_size
        for width, height in ((640, 480), (1024, 768), (1920, 1080), (3840, 2160))
    ]
    assert sizes == sorted(sizes)
    assert sizes[1] * 96 / 72 >= 23
    usual = hall_theme("projector", 1024, 768)
    assert hall_theme("projector", 1024, 768, 2).font_size > usual.font_size
    assert hall_theme("projector", 1024, 768, -2).font_size < usual.font_size
    assert smaller(usual, 0.5).font_size == usual.font_size / 2
    assert hall_theme("projector", 1920, 1080).line_scale > usual.line_scale


@pytest.fixture
def caption(qtbot):
    bar = CaptionBar()
    bar.set_theme(hall_theme("projector", 1024, 768))
    qtbot.addWidget(bar)
    bar.resize(1012, bar.height())
    return bar


def test_the_captions_of_steps_are_large_and_never_cut_on_a_small_projector(caption):
    for config, start in (STUCK, (STUCK[0].replaced(n=8, limit="inf"), None)):
        _, steps, history = recorded(config, 60, start)
        for iteration in range(61):
            verdict = steps[iteration - 1].verdict if iteration else None
            caption.show_text(tell(history, iteration), f"t = {iteration:,}", verdict)
            assert not caption.is_cut
            assert caption.type_pixels >= 21
    caption.show_text(
        "Insertion at the root: a root-and with x₂. Error 31 → 15: accepted. The tree is larger than before."
    )
    assert caption.type_pixels >= 24


def test_long_captions_get_smaller_before_they_are_cut(caption):
    height = caption.height()
    caption.show_text("word " * 40)
    assert not caption.is_cut
    assert caption.type_pixels < 24
    assert caption.height() == height
    assert caption.accessibleDescription().startswith("word")
    caption.show_text("word " * 200)
    assert caption.is_cut


@pytest.mark.parametrize("length", [20, 109, 204])
def test_every_step_makes_the_sentence_larger_and_only_the_sentence(caption, length):
    text = ("The limit holds, so subtree deletion removes both leaves at once. " * 4)[:length].strip()
    pixels = []
    for steps in range(MOST_TYPE_STEPS + 1):
        caption.steps = steps
        caption.set_theme(hall_theme("projector", 1024, 768, steps))
        caption.resize(1012, caption.height())
        caption.show_text(text, "t = 1,234", Verdict.WORSE)
        assert not caption.is_cut
        assert caption.height() < 0.4 * 768
        pixels.append(caption.type_pixels)
    assert all(small < large for small, large in pairwise(pixels))
    assert pixels[-1] > 1.8 * pixels[0]


def test_the_longest_caption_that_is_read_well_is_known(caption):
    sentence = (
        "The search drops whole subtrees, and so it finds the conjunction where leaves are all needed. "
    )
    caption.show_text((sentence * 4)[:LONGEST_READ], "t = 1,234", Verdict.WORSE)
    assert (caption.is_cut, caption.type_pixels >= 16) == (False, True)
    caption.show_text((sentence * 9)[: 2 * LONGEST_READ], "t = 1,234", Verdict.WORSE)
    assert caption.is_cut or caption.type_pixels < 16


# --- texts ---


@pytest.fixture
def text(qtbot):
    made = SceneText()
    made.set_theme(hall_theme("projector", 1024, 768))
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    return made


def test_a_text_is_as_large_as_fits(text):
    text.show_text("# Hello\n\nThis is short.")
    large = text.type_pixels
    assert large >= 36
    text.show_text("\n\n".join(["A paragraph of many words, which fills about a line of the slide."] * 14))
    assert 12 < text.type_pixels < large
    assert not text.is_cut


def test_of_thousands_of_lines_no_more_is_set_than_could_be_read(text):
    for line in ("word\n", "| a | b |", "- point"):
        head = "| x | y |\n|---|---|\n" if line.startswith("|") else ""
        text.show_text(head + "\n".join([line] * 3000))
        assert text.is_cut
        assert text.document().blockCount() < 400
    text.show_text("word " * 5000)
    assert text.is_cut
    text.show_text("")
    assert text.toPlainText() == ""


def test_a_text_loads_nothing_and_shows_no_html(text, tmp_path):
    text.show_text(f"![x]({tmp_path}/x.png) <b>bold</b>")
    assert "<b>" in text.toPlainText()
    kind = int(QTextDocument.ResourceType.ImageResource.value)
    assert text.document().resource(kind, f"{tmp_path}/x.png") is None


@pytest.mark.parametrize("has_tree", [True, False])
@pytest.mark.parametrize("length", [20, 200])
def test_a_text_that_is_said_to_be_read_well_is(text, has_tree, length):
    text.resize(447 if has_tree else 1012, 671)
    paragraph = ("The search drops whole subtrees, and so finds what others do not. " * 4)[:length].strip()
    is_read = {}
    for count in range(1, 41, 3):
        markdown = "\n\n".join([paragraph] * count)
        text.show_text(markdown)
        is_read[is_readable_in_hall(markdown, has_tree=has_tree)] = True
        if is_readable_in_hall(markdown, has_tree=has_tree):
            assert not text.is_cut
            assert text.type_pixels >= 16
        elif not is_readable_in_hall("\n\n".join([paragraph] * (count * 2 // 3)), has_tree=has_tree):
            assert text.is_cut or text.type_pixels < 17
    assert set(is_read) == {True, False}
    assert is_readable_in_hall(TEXT, has_tree=False)


# --- time ---


def test_time_is_shown_in_minutes_and_hours():
    assert [time_text(seconds) for seconds in (0, 65.9, 3723)] == ["0:00", "1:05", "1:02:03"]


# --- the mirror ---


def test_the_mirror_shows_a_window_in_its_proportions_and_tells_what_the_mouse_points_at(qtbot):
    source = QWidget()
    source.resize(400, 200)
    source.setStyleSheet("background: black")
    thumbnail = AudienceThumbnail(source)
    for widget in (source, thumbnail):
        qtbot.addWidget(widget)
    thumbnail.resize(300, 300)
    thumbnail.show()
    thumbnail.refresh()
    box = thumbnail.picture_box()
    assert (box.width(), box.height()) == (300, 150)
    picture = thumbnail.grab().toImage()
    assert QColor(picture.pixel(150, 150)).lightness() == 0
    assert QColor(picture.pixel(150, 20)).lightness() > 100
    source.setStyleSheet("background: white")
    thumbnail.refresh_soon()
    qtbot.waitUntil(lambda: QColor(thumbnail.grab().toImage().pixel(150, 150)).lightness() == 255)
    pointed: list[QPointF] = []
    thumbnail.pointed.connect(pointed.append)
    # Sent at once: a moved mouse would be reported again when the platform gets to it.
    for where in (QPointF(150, 150), QPointF(0, 0)):
        nothing = Qt.MouseButton.NoButton
        moved = QMouseEvent(QEvent.Type.MouseMove, where, where, nothing, nothing, NONE)
        QApplication.sendEvent(thumbnail, moved)
    assert pointed == [QPointF(200, 100)]
