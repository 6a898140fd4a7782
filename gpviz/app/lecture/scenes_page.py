"""The page of scenes: the scenes of the lecture, the form of the chosen one, and how to begin."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.lecture.editor import LectureEditor
from gpviz.app.lecture.scene_form import SceneForm
from gpviz.app.lecture.scene_list import SceneList, SceneModel
from gpviz.app.pages.page import Page, PageContext
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import sentence
from gpviz.app.widgets.flow_layout import FlowLayout
from gpviz.app.widgets.scroll_area import WrappingScrollArea
from gpviz.engine import GpvizError
from gpviz.engine.errors import InvalidValueError
from gpviz.run.history import History
from gpviz.run.lecture import CapturedView, Lecture, Scene, iterations_of_branch, shipped_lectures

__all__ = ["EmptyScenesView", "ScenesController", "ScenesPage"]

_LINES: Final = (
    "A lecture is a list of scenes that you click through.",
    "Bring the window to what you want to show, and press Capture.",
    "Or open a lecture that comes with gpviz, and make it your own:",
)

_WIDEST_MINIMUM: Final = 600
_TIGHTEST: Final = 5


class EmptyScenesView(QWidget):
    """How to begin, while there are no scenes: three lines, and a button for each lecture of gpviz's own."""

    shipped_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 6, 4, 4)
        layout.setSpacing(5)
        self.lines = [sentence("" if number else "title") for number in range(len(_LINES))]
        for label, text in zip(self.lines, _LINES, strict=True):
            label.setText(text)
            layout.addWidget(label)
        self.buttons: list[_ShippedButton] = []
        self._row = QVBoxLayout()
        self._row.setSpacing(4)
        layout.addLayout(self._row)
        layout.addStretch(1)

    def set_shipped(self, lectures: Sequence[tuple[str, str, Path]]) -> None:
        """Offer these: name, title and path of each."""
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = [_ShippedButton(title, path) for _, title, path in lectures]
        for button in self.buttons:
            button.chosen.connect(self.shipped_requested)
            self._row.addWidget(button)
        self.lines[-1].setVisible(bool(self.buttons))


class _ShippedButton(QPushButton):
    """Opens a lecture that comes with gpviz."""

    chosen = Signal(object)

    def __init__(self, title: str, path: Path) -> None:
        super().__init__(title)
        self._title = title
        self._path = path
        self.setAccessibleName(f"Open the lecture {title}")
        self.setToolTip(
            f"{title}\nOpen this lecture; it stays as it is, and what you change is saved elsewhere."
        )
        # A long title must not widen the page.
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(60)
        self.clicked.connect(self._on_clicked)

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._title) + self._frame_width() + 6
        return QSize(width, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.width() - self._frame_width()
        self.setText(self.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, room))

    def _frame_width(self) -> int:
        return super().sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text())

    @Slot()
    def _on_clicked(self) -> None:
        self.chosen.emit(self._path)


class ScenesPage(Page):
    """Shows the lecture it is given, and says what a person would like to do with it."""

    capture_requested = Signal(int)
    """After which scene, -1 for the beginning."""
    update_requested = Signal(int)
    show_requested = Signal(int)
    rehearsal_requested = Signal(int)
    presentation_requested = Signal()
    new_requested = Signal()
    open_requested = Signal()
    shipped_requested = Signal(object)
    save_requested = Signal()
    save_as_requested = Signal()
    lecture_renamed = Signal(str)
    scene_chosen = Signal(int)
    scene_changed = Signal(int, object)
    editing_ended = Signal()
    duplicate_requested = Signal(int)
    remove_requested = Signal(int)
    move_requested = Signal(int, int)
    first_here_requested = Signal(int)
    last_here_requested = Signal(int)
    undo_requested = Signal()
    redo_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lecture = Lecture(title="Lecture")
        self._is_editing = False
        self._in_form = -1
        self._model = SceneModel(self)
        self.list = SceneList(self._model)
        self.form = SceneForm()
        self.problem = sentence("problem")
        self.problem.setAccessibleName("What is wrong with the lecture")
        self.problem.hide()
        self.lecture_title = QLineEdit()
        self.lecture_title.setAccessibleName("Title of the lecture")
        self.lecture_title.setToolTip("The title of the lecture.")
        self.modified = QLabel("●")
        self.modified.setProperty("role", "muted")
        self.modified.setAccessibleName("The lecture is not saved")
        self.modified.setToolTip("The lecture has changes that are not saved.")
        self.capture_button = _button(
            "Capture this view", "Capture", "A new scene that shows what the window shows now."
        )
        self.capture_button.setProperty("role", "primary")
        self.show_button = _button("Show in window", "Show", "Bring the window to the chosen scene (Enter).")
        self.rehearse_button = _button(
            "Rehearse from here", "Rehearse", "Go through the lecture from the chosen scene."
        )
        self.present_button = _button("Present", "Present", "Give the lecture from its first scene.")
        self.new_button = _button("New", "New", "Begin an empty lecture.")
        self.open_button = _button("Open …", "Open …", "Open a lecture from a file.")
        self.save_button = _button("Save", "Save", "Save the lecture to its file.")
        self.undo_button = _button("↶", "↶", "Take back what was done last to the lecture.", "Undo")
        self.redo_button = _button("↷", "↷", "Do again what was undone.", "Redo")
        self.edit_button = _button("Edit scene", "Edit", "Show the form of the chosen scene.")
        self.back_button = _button("Back to the list", "Back", "Back to the list of scenes.")
        self.more_button = QToolButton()
        self.more_button.setText("More")
        self.more_button.setAccessibleName("More")
        self.more_button.setToolTip("More that can be done with the scene and the lecture.")
        self.more_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self)
        self.more_button.setMenu(self._menu)
        self.actions_by_name: dict[str, QAction] = {}
        self.begin = EmptyScenesView()
        self._fill_menu()
        self._lay_out()
        self._connect()
        self.set_undo(can_undo=False, can_redo=False)
        self.show_lecture(self._lecture, -1)

    # --- what comes in ---

    def connect_to(self, context: PageContext) -> None:
        """The scenes are those of the lecture in the making."""
        editor = context.lecture_editor
        assert isinstance(editor, LectureEditor)
        ScenesController(self, editor, context.captured_view)

    def show_lecture(self, lecture: Lecture, place: int | None = None, *, is_modified: bool = False) -> None:
        """Show a lecture, with the scene at a place chosen; None leaves the choice as it is."""
        wanted = self.list.chosen if place is None else place
        if lecture.scenes != self._lecture.scenes:
            self._model.set_times(())
        self._lecture = lecture
        self._model.show_scenes(lecture.scenes)
        self.list.choose(max(0, wanted))
        if self.lecture_title.text() != lecture.title and not self._is_title_wrong():
            self.lecture_title.setText(lecture.title)
            self.lecture_title.setCursorPosition(0)
        self.modified.setVisible(is_modified)
        self.show_problem("")
        self._refresh()

    def set_undo(self, *, can_undo: bool, can_redo: bool) -> None:
        """Whether there is something to undo and to redo."""
        for name, is_possible in (("undo", can_undo), ("redo", can_redo)):
            self.actions_by_name[name].setEnabled(is_possible)
        self.undo_button.setEnabled(can_undo)
        self.redo_button.setEnabled(can_redo)

    def set_times(self, times: Sequence[float | None]) -> None:
        """How long each scene took at a rehearsal, in seconds; it is shown until the scenes change."""
        self._model.set_times(times)

    def set_shipped(self, lectures: Sequence[tuple[str, str, Path]]) -> None:
        """The lectures that come with gpviz: name, title and path of each."""
        self.begin.set_shipped(lectures)

    def show_problem(self, text: str) -> None:
        """Say what is wrong; nothing hides it."""
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def show_moment(self, history: History, iteration: int) -> None:
        """The cursor is here; a scene can open or end here."""
        self.form.show_cursor(iteration)

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's type and colours."""
        self._fit()

    @property
    def chosen(self) -> int:
        """The chosen scene, -1 for none."""
        return self.list.chosen

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Narrower than this the list and the form are shown one at a time."""
        return QSize(min(super().minimumSizeHint().width(), _WIDEST_MINIMUM), 120)

    # --- what happens ---

    @Slot()
    def _refresh(self) -> None:
        """Show what fits the lecture and the chosen scene."""
        place, scenes = self.chosen, self._lecture.scenes
        has_scene = 0 <= place < len(scenes)
        self._stack.setCurrentWidget(self._planned if scenes else self._empty)
        if has_scene:
            scene = scenes[place]
            runs = self._lecture.runs
            most = iterations_of_branch(runs[scene.run], scene.branch) if runs else 0
            self.form.show_scene(scene, most, is_other=place != self._in_form)
        self._in_form = place
        for button in (self.show_button, self.rehearse_button, self.edit_button):
            button.setEnabled(has_scene)
        self.present_button.setEnabled(bool(scenes))
        for name in ("show", "update", "duplicate", "rename", "remove"):
            self.actions_by_name[name].setEnabled(has_scene)
        self.actions_by_name["up"].setEnabled(has_scene and place > 0)
        self.actions_by_name["down"].setEnabled(has_scene and place < len(scenes) - 1)
        if not scenes:
            self._is_editing = False
        self._fit()

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        self.editing_ended.emit()
        self._refresh()
        self.scene_chosen.emit(place)

    @Slot(int, str)
    def _on_title_typed(self, place: int, title: str) -> None:
        if title == self._lecture.scenes[place].title:
            return
        try:
            scene = replace(self._lecture.scenes[place], title=title)
        except InvalidValueError as error:
            self.show_problem(str(InvalidValueError("Title", error.value, error.allowed)))
            return
        self.editing_ended.emit()
        self.scene_changed.emit(place, scene)
        self.editing_ended.emit()

    @Slot(object)
    def _on_scene_edited(self, scene: object) -> None:
        self.scene_changed.emit(self.chosen, scene)

    @Slot(str)
    def _on_lecture_title_edited(self, title: str) -> None:
        try:
            replace(self._lecture, title=title)
        except GpvizError as error:
            self.show_problem(str(error).replace("title", "Title of the lecture", 1))
            return
        self.show_problem("")
        self.lecture_renamed.emit(title)

    def _is_title_wrong(self) -> bool:
        """Whether a person is in the middle of typing a title that cannot be taken yet."""
        return self.lecture_title.hasFocus() and not self.lecture_title.text().strip()

    @Slot()
    def _on_capture(self) -> None:
        self.capture_requested.emit(self.chosen if self._lecture.scenes else -1)

    @Slot()
    def _on_show(self) -> None:
        self.show_requested.emit(self.chosen)

    @Slot()
    def _on_rehearse(self) -> None:
        self.rehearsal_requested.emit(self.chosen)

    @Slot()
    def _on_update(self) -> None:
        self.update_requested.emit(self.chosen)

    @Slot()
    def _on_duplicate(self) -> None:
        self.duplicate_requested.emit(self.chosen)

    @Slot()
    def _on_remove(self) -> None:
        self.remove_requested.emit(self.chosen)

    @Slot()
    def _on_up(self) -> None:
        self.move_requested.emit(self.chosen, self.chosen - 1)

    @Slot()
    def _on_down(self) -> None:
        self.move_requested.emit(self.chosen, self.chosen + 1)

    @Slot()
    def _on_rename(self) -> None:
        self._on_back()
        self.list.setFocus()
        self.list.rename()

    @Slot()
    def _on_first_here(self) -> None:
        self.first_here_requested.emit(self.chosen)

    @Slot()
    def _on_last_here(self) -> None:
        self.last_here_requested.emit(self.chosen)

    @Slot()
    def _on_edit(self) -> None:
        self._is_editing = True
        self._fit()
        self.form.title.setFocus()

    @Slot()
    def _on_back(self) -> None:
        self._is_editing = False
        self._fit()

    @Slot(QPoint)
    def _on_menu_wanted(self, place: QPoint) -> None:
        self._menu.popup(self.list.viewport().mapToGlobal(place))

    # --- how it is made ---

    def _fit(self) -> None:
        """Shorter words where the long ones find no room; where list and form find none, one of them is shown."""
        room = self.width() - 16
        wanted = self.form.comfortable_width()
        is_narrow = room < wanted + self._least_list() + 10
        self._right.setMinimumWidth(0 if is_narrow else wanted)
        has_scenes = bool(self._lecture.scenes)
        self.edit_button.setVisible(has_scenes and is_narrow and not self._is_editing)
        self.back_button.setVisible(has_scenes and is_narrow and self._is_editing)
        self.list.setVisible(not (is_narrow and self._is_editing))
        self._right.setVisible(self._is_editing or not is_narrow)
        for tightness in range(_TIGHTEST + 1):
            self._tighten(tightness)
            if self._bar.sizeHint().width() <= room:
                break
        self._top.setFixedHeight(self._bar.heightForWidth(max(1, room)))

    def _tighten(self, tightness: int) -> None:
        """With less room: shorter words, first of all but the main button; then less than the menu has."""
        for button in self._buttons:
            is_short = tightness >= (2 if button is self.capture_button else 1)
            button.setText(button.short_text if is_short else button.long_text)
        for button in (self.new_button, self.open_button):
            button.setVisible(tightness < 3)
        for button in (self.undo_button, self.redo_button):
            button.setVisible(tightness < 4)
        has_scenes = bool(self._lecture.scenes)
        self.save_button.setVisible(tightness < 5)
        self.show_button.setVisible(has_scenes and tightness < 5)
        for button in (self.rehearse_button, self.present_button):
            button.setVisible(has_scenes)
        self.lecture_title.setMinimumWidth(self.fontMetrics().horizontalAdvance("A title of usual"))

    def _least_list(self) -> int:
        return self.fontMetrics().horizontalAdvance("00  A title of usual size") + 30

    def _fill_menu(self) -> None:
        entries: tuple[tuple[str, str, str, Any], ...] = (
            ("show", "&Show in window", "Enter", self._on_show),
            ("update", "Re&place by this view", "", self._on_update),
            ("duplicate", "&Duplicate", "Ctrl+D", self._on_duplicate),
            ("rename", "Re&name", "F2", self._on_rename),
            ("up", "Move &up", "Alt+Up", self._on_up),
            ("down", "Move do&wn", "Alt+Down", self._on_down),
            ("remove", "Re&move", "Del", self._on_remove),
            ("", "", "", None),
            ("undo", "Und&o", "", self.undo_requested),
            ("redo", "R&edo", "", self.redo_requested),
            ("", "", "", None),
            ("new", "&New lecture", "", self.new_requested),
            ("open", "&Open a lecture …", "", self.open_requested),
            ("save", "Sa&ve", "", self.save_requested),
            ("save_as", "Save &as …", "", self.save_as_requested),
        )
        for name, text, key, slot in entries:
            if not name:
                self._menu.addSeparator()
                continue
            # The key is told here and works in the list: elsewhere it may have another meaning.
            action = self._menu.addAction(f"{text}\t{key}" if key else text)
            action.triggered.connect(slot)
            self.actions_by_name[name] = action

    def _connect(self) -> None:
        self.list.scene_chosen.connect(self._on_chosen)
        self.list.show_requested.connect(self.show_requested)
        self.list.remove_requested.connect(self.remove_requested)
        self.list.move_requested.connect(self.move_requested)
        self.list.duplicate_requested.connect(self.duplicate_requested)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._on_menu_wanted)
        self._model.text_typed.connect(self._on_title_typed)
        self.begin.shipped_requested.connect(self.shipped_requested)
        self.form.scene_edited.connect(self._on_scene_edited)
        self.form.editing_ended.connect(self.editing_ended)
        self.form.first_here_requested.connect(self._on_first_here)
        self.form.last_here_requested.connect(self._on_last_here)
        self.lecture_title.textEdited.connect(self._on_lecture_title_edited)
        self.lecture_title.editingFinished.connect(self.editing_ended)
        self.capture_button.clicked.connect(self._on_capture)
        self.show_button.clicked.connect(self._on_show)
        self.rehearse_button.clicked.connect(self._on_rehearse)
        self.present_button.clicked.connect(self.presentation_requested)
        self.new_button.clicked.connect(self.new_requested)
        self.open_button.clicked.connect(self.open_requested)
        self.save_button.clicked.connect(self.save_requested)
        self.undo_button.clicked.connect(self.undo_requested)
        self.redo_button.clicked.connect(self.redo_requested)
        self.edit_button.clicked.connect(self._on_edit)
        self.back_button.clicked.connect(self._on_back)

    def _lay_out(self) -> None:
        self._buttons = (
            self.capture_button,
            self.show_button,
            self.rehearse_button,
            self.present_button,
            self.edit_button,
            self.back_button,
            self.undo_button,
            self.redo_button,
            self.new_button,
            self.open_button,
            self.save_button,
        )
        self._top = QWidget()
        self._bar = FlowLayout(gap=4, parent=self._top)
        for button in self._buttons:
            self._bar.add(button)
        self._bar.add(self.more_button)
        self._bar.add(self.modified)
        self._bar.add(self.lecture_title, stretches=True)
        self._form_area = WrappingScrollArea(self.form)
        self._planned = QWidget()
        beside = QHBoxLayout(self._planned)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(10)
        self._right = QWidget()
        right = QVBoxLayout(self._right)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(3)
        right.addWidget(self.form.problem)
        right.addWidget(self.form.hint)
        right.addWidget(self._form_area, 1)
        beside.addWidget(self.list, 2)
        beside.addWidget(self._right, 5)
        self._empty = WrappingScrollArea(self.begin)
        for area in (self.list, self._form_area, self._empty):
            area.setMinimumHeight(36)  # they scroll; the page must not grow beyond its place
        self._stack = QStackedWidget()
        self._stack.addWidget(self._planned)
        self._stack.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 6)
        layout.setSpacing(5)
        layout.addWidget(self._top)
        layout.addWidget(self.problem)
        layout.addWidget(self._stack, 1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)


class _Button(QPushButton):
    """A button with longer and shorter words."""

    long_text = ""
    short_text = ""


def _button(text: str, short: str, tip: str, name: str = "") -> _Button:
    button = _Button(text)
    button.long_text, button.short_text = text, short
    button.setToolTip(tip)
    button.setAccessibleName(name or text)
    return button


class ScenesController(QObject):
    """Keeps page and editor in step; ``view_of`` tells what the window shows when a person wants it captured."""

    def __init__(self, page: ScenesPage, editor: LectureEditor, view_of: Callable[[], CapturedView]) -> None:
        super().__init__(page)
        self._page = page
        self._editor = editor
        self._view_of = view_of
        editor.lecture_changed.connect(self._on_lecture_changed)
        page.capture_requested.connect(self._on_capture)
        page.update_requested.connect(self._on_update)
        page.first_here_requested.connect(self._on_first_here)
        page.last_here_requested.connect(self._on_last_here)
        page.shipped_requested.connect(self._on_shipped)
        page.new_requested.connect(self._on_new)
        page.open_requested.connect(self._on_open)
        page.save_requested.connect(self._on_save)
        page.save_as_requested.connect(self._on_save_as)
        page.scene_chosen.connect(editor.choose)
        page.scene_changed.connect(self._on_scene_changed)
        page.lecture_renamed.connect(self._on_lecture_renamed)
        page.duplicate_requested.connect(self._on_duplicate)
        page.remove_requested.connect(self._on_remove)
        page.move_requested.connect(self._on_move)
        page.show_requested.connect(self._on_show)
        page.rehearsal_requested.connect(self._on_rehearse)
        page.presentation_requested.connect(editor.present)
        page.editing_ended.connect(editor.end_change)
        page.undo_requested.connect(editor.undo)
        page.redo_requested.connect(editor.redo)
        try:
            page.set_shipped(shipped_lectures())
        except GpvizError as problem:
            page.set_shipped(())
            editor.problem_met.emit(str(problem))
        self._on_lecture_changed()

    @Slot()
    def _on_lecture_changed(self) -> None:
        editor = self._editor
        self._page.show_lecture(editor.lecture, editor.place, is_modified=editor.is_modified)
        self._page.set_undo(can_undo=editor.can_undo, can_redo=editor.can_redo)

    def _view(self) -> CapturedView | None:
        """What the window shows; None, with a sentence, if it cannot be told."""
        try:
            return self._view_of()
        except GpvizError as problem:
            self._editor.problem_met.emit(str(problem))
            return None

    @Slot(int)
    def _on_capture(self, after: int) -> None:
        view = self._view()
        if view is not None:
            self._editor.capture(view, after=after)

    @Slot(int)
    def _on_update(self, place: int) -> None:
        view = self._view()
        if view is not None:
            self._editor.update_from_view(place, view)

    @Slot(int)
    def _on_first_here(self, place: int) -> None:
        self._take_bound(place, is_last=False)

    @Slot(int)
    def _on_last_here(self, place: int) -> None:
        self._take_bound(place, is_last=True)

    def _take_bound(self, place: int, *, is_last: bool) -> None:
        view = self._view()
        if view is not None:
            self._editor.take_bound(place, view, is_last=is_last)

    @Slot(object)
    def _on_shipped(self, path: Path) -> None:
        self._editor.open(path)

    @Slot()
    def _on_new(self) -> None:
        self._editor.new()

    @Slot()
    def _on_open(self) -> None:
        self._editor.ask_and_open()

    @Slot()
    def _on_save(self) -> None:
        self._editor.save()

    @Slot()
    def _on_save_as(self) -> None:
        self._editor.ask_and_save()

    @Slot(int, object)
    def _on_scene_changed(self, place: int, scene: Scene) -> None:
        self._editor.change(place, scene)

    @Slot(str)
    def _on_lecture_renamed(self, title: str) -> None:
        self._editor.rename(title)

    @Slot(int)
    def _on_duplicate(self, place: int) -> None:
        self._editor.duplicate(place)

    @Slot(int)
    def _on_remove(self, place: int) -> None:
        self._editor.remove(place)

    @Slot(int, int)
    def _on_move(self, place: int, to: int) -> None:
        self._editor.move(place, to)

    @Slot(int)
    def _on_show(self, place: int) -> None:
        self._editor.show_in_window(place)

    @Slot(int)
    def _on_rehearse(self, place: int) -> None:
        self._editor.rehearse(place)
