"""The page of scenes: the scenes of the lecture, the form of the chosen one, and how to begin."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.key_text import key_text
from gpviz.app.lecture.content_text import CONTENT_CHOICES
from gpviz.app.lecture.lecture_editor import LectureEditor
from gpviz.app.lecture.scene_form import SceneForm
from gpviz.app.lecture.scene_list import SceneList, SceneModel
from gpviz.app.pages.page import Page, PageContext
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import sentence, set_tip
from gpviz.app.widgets.flow_layout import FlowLayout
from gpviz.app.widgets.layouts import column_in, row_in
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.app.widgets.scroll_area import WrappingScrollArea
from gpviz.engine import GpvizError
from gpviz.engine.errors import InvalidValueError
from gpviz.escaping import label_text, menu_text
from gpviz.lecture.lecture import CapturedView, Lecture, Scene, iterations_of_branch
from gpviz.lecture.lecture_file import shipped_lectures
from gpviz.lecture.scene_content import SceneComparison, SceneContent, SceneStatement
from gpviz.runs.history import History

if TYPE_CHECKING:
    from gpviz.app.lecture.content_dialogs import ContentDialog

_LINES: Final = (
    "A lecture is a list of scenes that you click through.",
    "Go to what you want to show, and press Capture.",
    "Or open a lecture that comes with gpviz, and make it your own:",
)

_MENU: Final = (
    ("show", "&Show in window", "Enter"),
    ("update", "Re&place by this view", ""),
    ("duplicate", "&Duplicate", "Ctrl+D"),
    ("rename", "Re&name", "F2"),
    ("up", "Move &up", "Alt+Up"),
    ("down", "Move do&wn", "Alt+Down"),
    ("remove", "Re&move", "Del"),
    ("", "", ""),
    ("undo", "Undo", ""),
    ("redo", "R&edo", ""),
    ("", "", ""),
    ("new", "New &lecture", ""),
    ("open", "&Open a lecture …", ""),
    ("save", "Sa&ve", ""),
    ("save_as", "Save &as …", ""),
)
"""Name, text and key of each entry; an empty one is a line between groups."""

_EXPERIMENTS: Final = "Experiments of gpviz (*.gpvizx);;All files (*)"
_PICTURES: Final = "Pictures (*.png *.jpg *.jpeg);;All files (*)"
_WIDEST_MINIMUM: Final = 600
_TIGHTEST: Final = 5


class EmptyScenesView(QWidget):
    """How to begin, while there are no scenes: three lines, and a button for each lecture of gpviz's own."""

    shipped_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = column_in(self, spacing=5, margins=(4, 6, 4, 4))
        self.lines = [sentence("" if number else "title") for number in range(len(_LINES))]
        for label, text in zip(self.lines, _LINES, strict=True):
            label.setText(text)
            layout.addWidget(label)
        self.buttons: list[_ShippedButton] = []
        self._group = QButtonGroup(self)
        self._group.buttonClicked.connect(self._on_button_clicked)
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
            self._group.addButton(button)
            self._row.addWidget(button)
        self.lines[-1].setVisible(bool(self.buttons))

    @Slot(QAbstractButton)
    def _on_button_clicked(self, button: "_ShippedButton") -> None:
        self.shipped_requested.emit(button.path)


class _ShippedButton(QPushButton):
    """Opens a lecture that comes with gpviz."""

    def __init__(self, title: str, path: Path) -> None:
        super().__init__(menu_text(title))
        self._title = title
        self.path = path
        self.setAccessibleName(f"Open the lecture {label_text(title)}")
        set_tip(self, f"{title}\nOpen this lecture; save your changes under another name.")
        # A long title must not widen the page.
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(60)

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._title) + self._frame_width() + 6
        return QSize(width, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.width() - self._frame_width()
        self.setText(menu_text(self.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, room)))

    def _frame_width(self) -> int:
        return super().sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text())


class ScenesPage(Page):
    """Shows a lecture; in a window it is the one in the making, and what a person asks for is done to it."""

    # They come with the window; before, nothing is connected to what uses them.
    _editor: LectureEditor
    _captured_view: Callable[[], CapturedView]

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lecture = Lecture(title="Lecture")
        self._is_editing = False
        self._in_form = -1
        self._model = SceneModel(self)
        self.list = SceneList(self._model)
        self.form = SceneForm()
        self.problem = sentence("problem")
        self.problem.setAccessibleDescription("What is wrong with the lecture")
        self.problem.hide()
        self.lecture_title = QLineEdit()
        self.lecture_title.setAccessibleName("Title of the lecture")
        self.lecture_title.setToolTip("The title of the lecture.")
        self.modified = QLabel("●")
        self.modified.setProperty("role", "muted")
        self.modified.setToolTip("The lecture has changes that are not saved.")
        self.capture_button = _button("Capture this view", "Capture", "Add the current view as a scene.")
        self.capture_button.setProperty("role", "primary")
        self.add_button = QToolButton()
        self.add_button.setText("Add")
        self.add_button.setAccessibleName("Add a scene")
        self.add_button.setToolTip("Add a scene with a chart, a statement, a picture or several runs.")
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._add_menu = MacSafeMenu(self)
        self.add_actions: dict[str, QAction] = {}
        for name, text, tip in CONTENT_CHOICES:
            action = self.add_actions[name] = self._add_menu.addAction(text)
            action.setToolTip(tip)
            action.setData(name)
        self.add_button.setMenu(self._add_menu)
        self.dialog: ContentDialog | None = None
        """What asks for the content of a scene, while it does."""
        self.show_button = _button("Show in window", "Show", "Show the chosen scene in the window (Enter).")
        self.rehearse_button = _button(
            "Rehearse from here", "Rehearse", "Rehearse the lecture from the chosen scene."
        )
        self.present_button = _button("Present", "Present", "Give the lecture from its first scene.")
        self.new_button = _button("New", "New", "Begin an empty lecture.")
        self.open_button = _button("Open …", "Open …", "Open a lecture from a file.")
        self.save_button = _button("Save", "Save", "Save the lecture to its file.")
        self.undo_button = _button("↶", "↶", "Undo the last change to the lecture.", "Undo")
        self.redo_button = _button("↷", "↷", "Redo the change that was undone.", "Redo")
        self.edit_button = _button("Edit scene", "Edit", "Show the form of the chosen scene.")
        self.back_button = _button("Back to the list", "Back", "Back to the list of scenes.")
        self.more_button = QToolButton()
        self.more_button.setText("More")
        self.more_button.setAccessibleName("More")
        self.more_button.setToolTip("More commands for the scene and the lecture.")
        self.more_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = MacSafeMenu(self)
        self.more_button.setMenu(self._menu)
        self.actions_by_name: dict[str, QAction] = {}
        self.begin = EmptyScenesView()
        self._fill_menu()
        self._lay_out()
        self._connect()
        self.show_lecture(self._lecture, -1)

    # --- what comes in ---

    def connect_to(self, context: PageContext) -> None:
        """The scenes are those of the lecture in the making."""
        editor = context.lecture_editor
        assert isinstance(editor, LectureEditor)
        self._editor, self._captured_view = editor, context.captured_view
        self._connect_controls(editor)
        self._connect_actions(editor)
        self._add_menu.triggered.connect(self._on_add)
        self.form.content_asked.connect(self._on_content_asked)
        try:
            self.set_shipped(shipped_lectures())
        except GpvizError as problem:
            self.set_shipped(())
            editor.problem_met.emit(str(problem))
        editor.lecture_changed.connect(self._on_lecture_changed)
        self._on_lecture_changed()

    def show_lecture(self, lecture: Lecture, place: int | None = None, *, is_modified: bool = False) -> None:
        """Show a lecture, with the scene at a place chosen; None leaves the choice as it is."""
        wanted = self.list.chosen if place is None else place
        self._lecture = lecture
        self._model.show_scenes(lecture.scenes)
        self.list.choose(max(0, wanted))
        if self.lecture_title.text() != lecture.title and not self._is_title_wrong():
            self.lecture_title.setText(lecture.title)
            self.lecture_title.setCursorPosition(0)
        self.modified.setVisible(is_modified)
        self.show_problem("")
        self._refresh()

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

    @Slot()
    def _on_lecture_changed(self) -> None:
        editor = self._editor
        self.show_lecture(editor.lecture, editor.place, is_modified=editor.is_modified)
        for name, button, is_possible in (
            ("undo", self.undo_button, editor.can_undo),
            ("redo", self.redo_button, editor.can_redo),
        ):
            self.actions_by_name[name].setEnabled(is_possible)
            button.setEnabled(is_possible)

    @Slot(int)
    def _on_chosen(self, place: int) -> None:
        self._editor.end_change()
        self._editor.choose(place)

    @Slot(int, str)
    def _on_title_typed(self, place: int, title: str) -> None:
        if title == self._lecture.scenes[place].title:
            return
        try:
            scene = replace(self._lecture.scenes[place], title=title)
        except InvalidValueError as error:
            self.show_problem(str(InvalidValueError("Title", error.value, error.allowed)))
            return
        self._editor.end_change()
        self._editor.change(place, scene)
        self._editor.end_change()

    @Slot(object)
    def _on_scene_edited(self, scene: Scene) -> None:
        self._editor.change(self.chosen, scene)

    @Slot(str)
    def _on_lecture_title_edited(self, title: str) -> None:
        try:
            replace(self._lecture, title=title)
        except GpvizError as error:
            self.show_problem(str(error).replace("title", "Title of the lecture", 1))
            return
        self.show_problem("")
        self._editor.rename(title)

    def _is_title_wrong(self) -> bool:
        """Whether a person is in the middle of typing a title that cannot be taken yet."""
        return self.lecture_title.hasFocus() and not self.lecture_title.text().strip()

    def _view(self) -> CapturedView | None:
        """What the window shows; None, with a sentence, if it cannot be told."""
        try:
            return self._captured_view()
        except GpvizError as problem:
            self._editor.problem_met.emit(str(problem))
            return None

    @Slot()
    def _on_capture(self) -> None:
        view = self._view()
        if view is not None:
            self._editor.capture(view, after=self.chosen if self._lecture.scenes else -1)

    @Slot()
    def _on_update(self) -> None:
        view = self._view()
        if view is not None:
            self._editor.update_from_view(self.chosen, view)

    @Slot()
    def _on_first_here(self) -> None:
        self._take_bound(is_last=False)

    @Slot()
    def _on_last_here(self) -> None:
        self._take_bound(is_last=True)

    def _take_bound(self, *, is_last: bool) -> None:
        view = self._view()
        if view is not None:
            self._editor.take_bound(self.chosen, view, is_last=is_last)

    @Slot()
    def _on_show(self) -> None:
        self._editor.show_in_window(self.chosen)

    @Slot()
    def _on_rehearse(self) -> None:
        self._editor.rehearse(self.chosen)

    @Slot()
    def _on_duplicate(self) -> None:
        self._editor.duplicate(self.chosen)

    @Slot()
    def _on_remove(self) -> None:
        self._editor.remove(self.chosen)

    @Slot()
    def _on_up(self) -> None:
        self._editor.move(self.chosen, self.chosen - 1)

    @Slot()
    def _on_down(self) -> None:
        self._editor.move(self.chosen, self.chosen + 1)

    @Slot()
    def _on_rename(self) -> None:
        self._on_back()
        self.list.setFocus()
        self.list.rename()

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

    # --- what scenes hold ---

    @Slot(QAction)
    def _on_add(self, action: QAction) -> None:
        """A new scene is to hold something, behind the chosen one."""
        after = self.chosen if self._lecture.scenes else -1
        self._ask_content(action.data(), None, partial(self._editor.add_content, after=after))

    @Slot(str)
    def _on_content_asked(self, kind: str) -> None:
        """The chosen scene is to hold something else."""
        place = self.chosen
        self._editor.end_change()
        if kind:
            before = self._lecture.scenes[place].content
            self._ask_content(kind, before, partial(self._editor.set_content, place))
        else:
            self._editor.set_content(place, None)

    def _ask_content(
        self, kind: str, before: SceneContent | None, give: Callable[[SceneContent], object]
    ) -> None:
        """Let a person choose; what cannot be chosen is said."""
        try:
            dialog = self._made_dialog(kind, before)
        except GpvizError as problem:
            self._editor.problem_met.emit(str(problem))
            return
        if dialog is None:
            return
        lecture = self._editor.lecture

        def on_given(content: SceneContent) -> None:
            if self._editor.lecture is lecture:
                give(content)
            else:  # it was asked for another lecture, or its scenes have other places now
                self._editor.problem_met.emit("The lecture has changed in the meantime; choose again.")

        dialog.content_given.connect(on_given)
        dialog.finished.connect(self._on_dialog_finished)
        self.dialog = dialog
        dialog.open()

    def _made_dialog(self, kind: str, before: SceneContent | None) -> "ContentDialog | None":
        from gpviz.app.lecture.content_dialogs import (  # which loads all that is known of experiments
            ChartDialog,
            ComparisonDialog,
            PictureDialog,
            StatementDialog,
            read_picture,
        )

        match kind:
            case "statement":
                return StatementDialog(
                    before.name if isinstance(before, SceneStatement) else "", self.window()
                )
            case "comparison":
                runs = sum(1 + len(run.branches) for run in self._lecture.runs)
                if runs < 2:
                    raise GpvizError(
                        f"The lecture has {'one run' if runs else 'no runs'}, and a comparison needs two: capture "
                        "a scene of each first, or use Add to lecture in the Compare window."
                    )
                chosen = before if isinstance(before, SceneComparison) else None
                return ComparisonDialog(self._lecture, chosen, self.window())
            case "chart":
                path = self._editor.choose_file("Open an experiment", _EXPERIMENTS)
                return None if path is None else ChartDialog(path, self.window())
            case _:
                path = self._editor.choose_file("Open a picture", _PICTURES)
                return None if path is None else PictureDialog(*read_picture(path), "", self.window())

    @Slot()
    def _on_dialog_finished(self) -> None:
        self.dialog = None

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
        for name, text, key in _MENU:
            if not name:
                self._menu.addSeparator()
                continue
            # The key is told here and works in the list: elsewhere it may have another meaning.
            self.actions_by_name[name] = self._menu.addAction(f"{text}\t{key_text(key)}" if key else text)

    def _connect(self) -> None:
        """What the page does by itself."""
        self.list.scene_chosen.connect(self._refresh)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._on_menu_wanted)
        self.actions_by_name["rename"].triggered.connect(self._on_rename)
        self.edit_button.clicked.connect(self._on_edit)
        self.back_button.clicked.connect(self._on_back)

    def _connect_controls(self, editor: LectureEditor) -> None:
        self.list.scene_chosen.connect(self._on_chosen)
        self.list.show_requested.connect(editor.show_in_window)
        self.list.remove_requested.connect(editor.remove)
        self.list.move_requested.connect(editor.move)
        self.list.duplicate_requested.connect(editor.duplicate)
        self._model.text_typed.connect(self._on_title_typed)
        self.begin.shipped_requested.connect(editor.open)
        self.form.scene_edited.connect(self._on_scene_edited)
        self.form.editing_ended.connect(editor.end_change)
        self.form.first_here.clicked.connect(self._on_first_here)
        self.form.last_here.clicked.connect(self._on_last_here)
        self.lecture_title.textEdited.connect(self._on_lecture_title_edited)
        self.lecture_title.editingFinished.connect(editor.end_change)
        self.capture_button.clicked.connect(self._on_capture)
        self.show_button.clicked.connect(self._on_show)
        self.rehearse_button.clicked.connect(self._on_rehearse)
        self.present_button.clicked.connect(editor.present)
        self.new_button.clicked.connect(editor.new)
        self.open_button.clicked.connect(editor.ask_and_open)
        self.save_button.clicked.connect(editor.save)
        self.undo_button.clicked.connect(editor.undo)
        self.redo_button.clicked.connect(editor.redo)

    def _connect_actions(self, editor: LectureEditor) -> None:
        slots: dict[str, Callable[[], object]] = {
            "show": self._on_show,
            "update": self._on_update,
            "duplicate": self._on_duplicate,
            "up": self._on_up,
            "down": self._on_down,
            "remove": self._on_remove,
            "undo": editor.undo,
            "redo": editor.redo,
            "new": editor.new,
            "open": editor.ask_and_open,
            "save": editor.save,
            "save_as": editor.ask_and_save,
        }
        for name, slot in slots.items():
            self.actions_by_name[name].triggered.connect(slot)

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
            if button is self.capture_button:
                self._bar.add(self.add_button)
        self._bar.add(self.more_button)
        self._bar.add(self.modified)
        self._bar.add(self.lecture_title, stretches=True)
        self._form_area = WrappingScrollArea(self.form)
        self._planned = QWidget()
        beside = row_in(self._planned, spacing=10)
        self._right = QWidget()
        right = column_in(self._right, spacing=3)
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
        layout = column_in(self, spacing=5, margins=(8, 4, 8, 6))
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
