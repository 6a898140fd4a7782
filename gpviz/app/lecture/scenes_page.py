"""The page of scenes: the scenes of the lecture, the form of the chosen one, and how to begin."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from gpviz.app.key_text import key_text
from gpviz.app.lecture.lecture_editor import LectureEditor
from gpviz.app.lecture.scene_form import ContentButton, SceneForm
from gpviz.app.lecture.scene_list import SceneList, SceneModel
from gpviz.app.pages.page import Page, PageContext
from gpviz.app.theme import Theme
from gpviz.app.widgets.fields import sentence, set_tip, show_sentence
from gpviz.app.widgets.layouts import FlowLayout, WrappingScrollArea, column_in, column_of, row_in
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.engine import GpvizError
from gpviz.engine.errors import InvalidValueError
from gpviz.escaping import label_text, menu_text
from gpviz.lecture.lecture import (
    CapturedView,
    Lecture,
    Scene,
    ShippedLecture,
    iterations_of_branch,
    shipped_lectures,
)
from gpviz.lecture.scene_content import SceneComparison, SceneContent, SceneStatement
from gpviz.runs.history import History

if TYPE_CHECKING:
    from gpviz.app.lecture.content_dialogs import ContentDialog

_LINES: Final = (
    "A lecture is a list of scenes that you click through.",
    "Go to what you want to show, and press Capture.",
    "Or open a lecture that comes with gpviz, and make it your own:",
)


class _Command(NamedTuple):
    """Something that can be done on the page.

    ``button`` is the text of its button in the bar, and ``group`` its group in the menu; if one is empty, the
    command is missing there. The menu shows the key, which works only in the list: elsewhere it may do
    something else.
    """

    name: str
    text: str
    tip: str
    button: str = ""
    group: str = ""
    key: str = ""


_COMMANDS: Final = (
    _Command("capture", "Capture this view", "Add the current view as a scene.", "Capture this view"),
    _Command(
        "show",
        "&Show in window",
        "Show the chosen scene in the window (Enter).",
        "Show in window",
        "scene",
        "Enter",
    ),
    _Command("rehearse", "Rehearse", "Rehearse the lecture from the chosen scene.", "Rehearse"),
    _Command("present", "Present", "Give the lecture from its first scene.", "Present"),
    _Command("edit", "Edit scene", "Show the form of the chosen scene.", "Edit scene"),
    _Command("back", "Back to the list", "Back to the list of scenes.", "Back to the list"),
    _Command("update", "Re&place by this view", "Let the chosen scene show the current view.", "", "scene"),
    _Command("duplicate", "&Duplicate", "Copy the chosen scene.", "", "scene", "Ctrl+D"),
    _Command("rename", "Re&name", "Rename the chosen scene.", "", "scene", "F2"),
    _Command("up", "Move &up", "Move the chosen scene up.", "", "scene", "Alt+Up"),
    _Command("down", "Move do&wn", "Move the chosen scene down.", "", "scene", "Alt+Down"),
    _Command("remove", "Re&move", "Remove the chosen scene.", "", "scene", "Del"),
    _Command("undo", "Undo", "Undo the last change to the lecture.", "↶", "undo"),
    _Command("redo", "R&edo", "Redo the change that was undone.", "↷", "undo"),
    _Command("new", "New &lecture", "Begin an empty lecture.", "New", "file"),
    _Command("open", "&Open a lecture …", "Open a lecture from a file.", "Open …", "file"),
    _Command("save", "Sa&ve", "Save the lecture to its file.", "Save", "file"),
    _Command("save_as", "Save &as …", "Save the lecture to another file.", "", "file"),
)
_OF_SCENE: Final = ("show", "rehearse", "edit", "update", "duplicate", "rename", "remove")

_EXPERIMENTS: Final = "Experiments of gpviz (*.gpvizx);;All files (*)"
_PICTURES: Final = "Pictures (*.png *.jpg *.jpeg);;All files (*)"
_NARROWEST_LIST: Final = "00  A title of usual size MM"
_NARROWEST_TITLE: Final = "A title of usual"


class EmptyScenesView(QWidget):
    """How to begin, while there are no scenes: three lines, and a button for each lecture of gpviz's own."""

    shipped_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = [sentence("" if number else "title", text=text) for number, text in enumerate(_LINES)]
        self._column = column_of(spacing=4)
        column_in(self, *self.lines, self._column, None, spacing=5, margins=(4, 6, 4, 4))
        self.lines[-1].hide()

    def offer(self, lectures: Sequence[ShippedLecture]) -> None:
        """Add a button for each of these lectures."""
        for _, title, path in lectures:
            button = QPushButton(menu_text(title))
            button.setAccessibleName(f"Open the lecture {label_text(title)}")
            set_tip(button, f"{title}\nOpen this lecture; save your changes under another name.")
            button.clicked.connect(partial(self.shipped_requested.emit, path))
            self._column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self.lines[-1].setVisible(bool(self._column.count()))


class ScenesPage(Page):
    """Shows the lecture in the making, and does to it what the user asks for."""

    # They come with the window; before, nothing is connected to what uses them.
    _editor: LectureEditor
    _captured_view: Callable[[], CapturedView]

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lecture = Lecture(title="Lecture")
        self._is_editing = False
        self._in_form = -1
        self._model = SceneModel(self)
        self._make_commands()
        self.list = SceneList(
            self._model, {each.key: self.actions_by_name[each.name] for each in _COMMANDS if each.key}
        )
        self.form = SceneForm()
        self.begin = EmptyScenesView()
        self.problem = sentence("problem")
        self.problem.setAccessibleDescription("What is wrong with the lecture")
        self.lecture_title = QLineEdit()
        self.lecture_title.setAccessibleName("Title of the lecture")
        self.lecture_title.setToolTip("The title of the lecture.")
        self.modified = QLabel("●")
        self.modified.setProperty("role", "muted")
        self.modified.setToolTip("The lecture has changes that are not saved.")
        self.add_button = ContentButton("Add")
        self.add_button.setAccessibleName("Add a scene")
        self.add_button.setToolTip("Add a scene with a chart, a statement, a picture or several runs.")
        self.more_button = QToolButton()
        self.more_button.setText("More")
        self.more_button.setAccessibleName("More")
        self.more_button.setToolTip("More commands for the scene and the lecture.")
        self.more_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more_button.setMenu(self._menu)
        self._lay_out()
        self.list.scene_chosen.connect(self._refresh)
        self.list.doubleClicked.connect(self.actions_by_name["show"].trigger)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.list.addActions(self._menu.actions())
        show_sentence(self.problem, "")
        self._refresh()

    # --- what comes in ---

    def connect_to(self, context: PageContext) -> None:
        """Edit the lecture of this window."""
        editor = context.lecture_editor
        assert isinstance(editor, LectureEditor)
        self._editor, self._captured_view = editor, context.captured_view
        self._commands.triggered.connect(self._on_command)
        self.list.scene_chosen.connect(self._on_chosen)
        self._model.move_requested.connect(editor.move)
        self._model.text_typed.connect(self._on_title_typed)
        self.begin.shipped_requested.connect(editor.open)
        self.form.scene_edited.connect(self._on_scene_edited)
        self.form.editing_ended.connect(editor.end_change)
        self.form.first_here.clicked.connect(self._on_first_here)
        self.form.last_here.clicked.connect(self._on_last_here)
        self.form.content_asked.connect(self._on_content_asked)
        self.add_button.chosen.connect(self._on_add)
        self.lecture_title.textEdited.connect(self._on_lecture_title_edited)
        self.lecture_title.editingFinished.connect(editor.end_change)
        try:
            self.begin.offer(shipped_lectures())
        except GpvizError as problem:
            editor.problem_met.emit(str(problem))
        editor.lecture_changed.connect(self._on_lecture_changed)
        self._on_lecture_changed()

    def show_moment(self, history: History, iteration: int) -> None:
        """The cursor is at this iteration; a scene can open or end there."""
        super().show_moment(history, iteration)
        self.form.show_cursor(iteration)

    def apply_theme(self, theme: Theme) -> None:
        """Fit the page to the theme's type."""
        self._fit()

    @property
    def chosen(self) -> int:
        """The chosen scene, -1 for none."""
        return self.list.chosen

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    # --- what happens ---

    @Slot()
    def _refresh(self) -> None:
        """Show what fits the lecture and the chosen scene."""
        index, scenes = self.chosen, self._lecture.scenes
        has_scene = 0 <= index < len(scenes)
        self._stack.setCurrentIndex(0 if scenes else 1)
        if has_scene:
            scene = scenes[index]
            runs = self._lecture.runs
            most = iterations_of_branch(runs[scene.run], scene.branch) if runs else 0
            self.form.show_scene(scene, most, is_other=index != self._in_form)
        self._in_form = index
        for name in _OF_SCENE:
            self.actions_by_name[name].setEnabled(has_scene)
        self.actions_by_name["present"].setEnabled(bool(scenes))
        self.actions_by_name["up"].setEnabled(has_scene and index > 0)
        self.actions_by_name["down"].setEnabled(has_scene and index < len(scenes) - 1)
        self._is_editing = self._is_editing and bool(scenes)
        self._fit()

    @Slot()
    def _on_lecture_changed(self) -> None:
        editor, lecture = self._editor, self._editor.lecture
        self._lecture = lecture
        self._model.show_scenes(lecture.scenes)
        self.list.choose(max(0, editor.index))
        # An empty title cannot be accepted, and is not rewritten during typing.
        is_being_typed = self.lecture_title.hasFocus() and not self.lecture_title.text().strip()
        if self.lecture_title.text() != lecture.title and not is_being_typed:
            self.lecture_title.setText(lecture.title)
            self.lecture_title.setCursorPosition(0)
        self.modified.setVisible(editor.is_modified)
        self.actions_by_name["undo"].setEnabled(editor.undo_stack.canUndo())
        self.actions_by_name["redo"].setEnabled(editor.undo_stack.canRedo())
        show_sentence(self.problem, "")
        self._refresh()

    @Slot(QAction)
    def _on_command(self, action: QAction) -> None:
        editor, index = self._editor, self.chosen
        after = index if self._lecture.scenes else -1
        handlers: dict[str, Callable[[], object]] = {
            "capture": partial(self._use_view, partial(editor.capture, after=after)),
            "update": partial(self._use_view, partial(editor.update_from_view, index)),
            "show": partial(editor.show_in_window, index),
            "rehearse": partial(editor.rehearsal_asked.emit, index),
            "present": editor.presentation_asked.emit,
            "duplicate": partial(editor.duplicate, index),
            "up": partial(editor.move, index, index - 1),
            "down": partial(editor.move, index, index + 1),
            "remove": partial(editor.remove, index),
            "rename": self._rename,
            "edit": partial(self._set_editing, True),
            "back": partial(self._set_editing, False),
            "undo": editor.undo_stack.undo,
            "redo": editor.undo_stack.redo,
            "new": editor.new,
            "open": editor.ask_and_open,
            "save": editor.save,
            "save_as": editor.ask_and_save,
        }
        handlers[action.data()]()

    def _rename(self) -> None:
        self._set_editing(False)
        self.list.setFocus()
        self.list.rename()

    def _set_editing(self, is_editing: bool) -> None:
        """On a narrow page, show the form instead of the list, or the list again."""
        self._is_editing = is_editing
        self._fit()
        if is_editing:
            self.form.title.setFocus()

    @Slot(int)
    def _on_chosen(self, index: int) -> None:
        self._editor.end_change()
        self._editor.choose(index)

    @Slot(int, str)
    def _on_title_typed(self, index: int, title: str) -> None:
        if title == self._lecture.scenes[index].title:
            return
        try:
            scene = replace(self._lecture.scenes[index], title=title)
        except InvalidValueError as error:
            show_sentence(self.problem, str(InvalidValueError("Title", error.value, error.allowed)))
            return
        self._editor.end_change()
        self._editor.change(index, scene)
        self._editor.end_change()

    @Slot(object)
    def _on_scene_edited(self, scene: Scene) -> None:
        self._editor.change(self.chosen, scene)

    @Slot(str)
    def _on_lecture_title_edited(self, title: str) -> None:
        try:
            replace(self._lecture, title=title)
        except GpvizError as error:
            show_sentence(self.problem, str(error).replace("title", "Title of the lecture", 1))
            return
        show_sentence(self.problem, "")
        self._editor.rename(title)

    def _use_view(self, use: Callable[[CapturedView], object]) -> None:
        """Do something with what the window shows; what cannot be captured is a problem."""
        try:
            view = self._captured_view()
        except GpvizError as problem:
            self._editor.problem_met.emit(str(problem))
            return
        use(view)

    @Slot()
    def _on_first_here(self) -> None:
        self._use_view(partial(self._editor.take_bound, self.chosen, is_last=False))

    @Slot()
    def _on_last_here(self) -> None:
        self._use_view(partial(self._editor.take_bound, self.chosen, is_last=True))

    # --- what scenes hold ---

    @Slot(str)
    def _on_add(self, kind: str) -> None:
        """Add a scene with a content behind the chosen one."""
        after = self.chosen if self._lecture.scenes else -1
        self._ask_content(kind, None, partial(self._editor.add_content, after=after))

    @Slot(str)
    def _on_content_asked(self, kind: str) -> None:
        """Let the chosen scene hold another content, or none."""
        index = self.chosen
        self._editor.end_change()
        if kind:
            before = self._lecture.scenes[index].content
            self._ask_content(kind, before, partial(self._editor.set_content, index))
        else:
            self._editor.set_content(index, None)

    def _ask_content(
        self, kind: str, before: SceneContent | None, give: Callable[[SceneContent], object]
    ) -> None:
        """Let the user choose a content."""
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
            else:  # it was asked for another lecture, or its scenes have moved
                self._editor.problem_met.emit("The lecture has changed in the meantime; choose again.")

        dialog.content_given.connect(on_given)
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
                return None if path is None else PictureDialog(read_picture(path), self.window())

    # --- how it is made ---

    def _fit(self) -> None:
        """Show the list and the form side by side, or one at a time on a narrow page."""
        metrics = self.fontMetrics()
        needed = self.form.comfortable_width() + metrics.horizontalAdvance(_NARROWEST_LIST)
        is_narrow, has_scenes = self.width() < needed, bool(self._lecture.scenes)
        self.list.setVisible(not (is_narrow and self._is_editing))
        self._right.setVisible(self._is_editing or not is_narrow)
        self.buttons["edit"].setVisible(has_scenes and is_narrow and not self._is_editing)
        self.buttons["back"].setVisible(has_scenes and is_narrow and self._is_editing)
        for name in ("show", "rehearse", "present"):
            self.buttons[name].setVisible(has_scenes)
        for name in ("undo", "redo", "new", "open", "save"):
            self.buttons[name].setVisible(not is_narrow)  # they are in the menu, too
        self.lecture_title.setMinimumWidth(metrics.horizontalAdvance(_NARROWEST_TITLE))

    def _make_commands(self) -> None:
        """The commands as actions, which the menu and the buttons of the bar share."""
        self._commands = QActionGroup(self)
        self._commands.setExclusionPolicy(QActionGroup.ExclusionPolicy.None_)
        self.actions_by_name: dict[str, QAction] = {}
        self.buttons: dict[str, QToolButton] = {}
        self._menu = MacSafeMenu(self)
        group = "scene"
        for command in _COMMANDS:
            action = self.actions_by_name[command.name] = QAction(self._commands)
            action.setText(f"{command.text}\t{key_text(command.key)}" if command.key else command.text)
            action.setToolTip(command.tip)
            action.setData(command.name)
            action.setMenuRole(QAction.MenuRole.NoRole)
            if command.button:
                action.setIconText(command.button)
                button = self.buttons[command.name] = QToolButton()
                button.setDefaultAction(action)
                button.setAccessibleName(command.text.replace("&", ""))
            if command.group:
                if command.group != group:
                    self._menu.addSeparator()
                group = command.group
                self._menu.addAction(action)
        self.buttons["capture"].setProperty("role", "primary")

    def _lay_out(self) -> None:
        bar = FlowLayout(gap=4)
        for name, button in self.buttons.items():
            bar.add(button)
            if name == "capture":
                bar.add(self.add_button)
        bar.add(self.more_button)
        bar.add(self.modified)
        bar.add(self.lecture_title, stretches=True)
        form_area = WrappingScrollArea(self.form)
        self._right = QWidget()
        column_in(self._right, self.form.problem, self.form.hint, (form_area, 1), spacing=3)
        scenes = QWidget()
        row_in(scenes, (self.list, 2), (self._right, 5), spacing=10)
        empty = WrappingScrollArea(self.begin)
        for area in (self.list, form_area, empty):
            area.setMinimumHeight(36)  # they scroll; the page must not grow beyond the window
        self._stack = QStackedWidget()
        self._stack.addWidget(scenes)
        self._stack.addWidget(empty)
        column_in(self, bar, self.problem, (self._stack, 1), spacing=5, margins=(8, 4, 8, 6))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
