"""The form of one scene: title, iterations and pace, what it shows, its captions, and notes for the speaker."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final, TypeVar

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from gpviz.app.lecture.hall_text import LONGEST_READ, is_readable_in_hall
from gpviz.app.widgets.fields import (
    ChoiceField,
    ElidedLabel,
    ShortNumberField,
    TextBox,
    add_spoken_label,
    mark_wrong,
    sentence,
    set_tip,
    show_sentence,
)
from gpviz.app.widgets.layouts import FlowLayout, Part, column_in, row_in
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.engine import GpvizError
from gpviz.engine.errors import InvalidValueError, whole_number
from gpviz.escaping import label_text
from gpviz.lecture.lecture import MAX_CAPTIONS, MAX_SPEED, PANELS, Scene, SceneCaption, panel_title
from gpviz.lecture.scene_content import content_title
from gpviz.page_list import scene_pages

_CLICK: Final = "click"
_ACCEPTED: Final = "accepted"
_PLAYS: Final = "plays"
_PACES: Final = ((_CLICK, "click by click"), (_ACCEPTED, "accepted steps"), (_PLAYS, "plays by itself"))
_PANEL_TIPS: Final = {
    "caption": "The step in one sentence, or the caption below.",
    "curves": "The time strip: the error and the verdict of every iteration.",
    "theory": "What the paper proves, drawn in the time strip.",
}
_CONTENT_CHOICES: Final = (
    ("chart", "&Chart of an experiment …", "A chart of an experiment that is saved in a file."),
    ("statement", "&Statement of the paper …", "One of the paper's theorems, lemmas, algorithms or tables."),
    ("picture", "&Picture …", "A picture from a PNG or JPEG file."),
    ("comparison", "&Runs side by side …", "Two to four runs of the lecture, at the same iteration."),
)
"""What a scene can hold: its name, its text in a menu, and its tip."""
_USUAL_SPEED: Final = 4.0
_GAP: Final = 8
_NARROWEST_BOX: Final = "m" * 16
"""Where text and notes would be narrower than this beside the fields, they go below them."""
_NO_CONTENT: Final = "nothing else"
_CONTENT_TIP: Final = "Beside the tree or instead of it: a chart, a statement, a picture or several runs."
_ADD_CAPTION_TIP: Final = "Add a caption at the start of the scene, or at an iteration you choose."
_SINGLE_MOMENT_TIP: Final = "The scene shows a single moment; its caption is above."

_Control = TypeVar("_Control", bound=QWidget)


class ContentButton(QToolButton):
    """Opens a menu of what scenes can hold beside the tree."""

    chosen = Signal(str)
    """The kind of content, empty for none."""

    def __init__(self, text: str, choices: Iterable[tuple[str, str, str]] = _CONTENT_CHOICES) -> None:
        super().__init__()
        self.setText(text)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.actions_by_name: dict[str, QAction] = {}
        menu = MacSafeMenu(self)
        for name, entry, tip in choices:
            action = self.actions_by_name[name] = menu.addAction(entry)
            action.setToolTip(tip)
            action.setData(name)
        menu.triggered.connect(self._on_triggered)
        self.setMenu(menu)

    @Slot(QAction)
    def _on_triggered(self, action: QAction) -> None:
        self.chosen.emit(action.data())


class CaptionRow(QWidget):
    """An iteration, its caption, and a button to delete both."""

    def __init__(self) -> None:
        super().__init__()
        self.iteration = _described(
            ShortNumberField(),
            "Iteration of the caption",
            "The iteration at which this caption is shown; every click stops there.",
        )
        self.text = _described(
            TextBox(2),
            "Caption at this iteration",
            "The sentence below the tree from this iteration on; a scene that plays by itself keeps it until "
            "the next caption.",
            "what is said at this iteration",
        )
        self.delete_button = _described(
            QPushButton("✕"), "Delete this caption", "Delete this caption and its iteration."
        )
        self.delete_button.setAutoDefault(False)
        row = row_in(self, spacing=5)
        row.addWidget(self.iteration, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.text, 1)
        row.addWidget(self.delete_button, 0, Qt.AlignmentFlag.AlignTop)


class CaptionRows(QWidget):
    """The captions of a scene before its last iteration, as they are typed, right or wrong."""

    edited = Signal()
    editing_ended = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[CaptionRow] = []
        self.add_button = QPushButton("Add a caption at an iteration")
        self.add_button.setAccessibleName("Add a caption at an iteration")
        self.add_button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._column = column_in(self, self.add_button, spacing=4)

    def show_captions(self, captions: Sequence[SceneCaption]) -> None:
        """Show these instead of what was typed."""
        for row in self.rows[len(captions) :]:
            self._drop(row)
        for index, caption in enumerate(captions):
            row = self.rows[index] if index < len(self.rows) else self._append()
            row.iteration.set_value(str(caption.iteration))
            row.text.set_text(caption.text)

    def set_single_moment(self, is_single: bool) -> None:
        """Offer another caption unless the scene has one iteration only, or captions enough."""
        self.add_button.setVisible(len(self.rows) < MAX_CAPTIONS)
        self.add_button.setEnabled(not is_single)
        set_tip(self.add_button, _SINGLE_MOMENT_TIP if is_single else _ADD_CAPTION_TIP)

    def add_row(self, iteration: int) -> None:
        """Add a row, to be written now."""
        row = self._append()
        row.iteration.set_value(str(iteration))
        row.text.setFocus()

    def _append(self) -> CaptionRow:
        row = CaptionRow()
        row.iteration.textEdited.connect(self.edited)
        row.text.textChanged.connect(self.edited)
        row.iteration.editingFinished.connect(self.editing_ended)
        row.text.left.connect(self.editing_ended)
        row.delete_button.clicked.connect(self._on_delete_clicked)
        self._column.insertWidget(len(self.rows), row)
        self.rows.append(row)
        return row

    def _drop(self, row: CaptionRow) -> None:
        self.rows.remove(row)
        row.hide()
        row.deleteLater()

    @Slot()
    def _on_delete_clicked(self) -> None:
        self._drop(next(row for row in self.rows if row.delete_button is self.sender()))
        self.add_button.setFocus()
        self.edited.emit()
        self.editing_ended.emit()


class SceneForm(QWidget):
    """Shows a scene and lets the user change it. What is wrong is explained during typing, and not accepted."""

    scene_edited = Signal(object)
    content_asked = Signal(str)
    """The scene is to hold another content of this kind, or none."""
    editing_ended = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene = Scene(title="Scene", has_tree=False)
        self._most = 0
        self._cursor = 0
        self.title = _described(
            QLineEdit(), "Title", "The name of the scene, in the list and for the speaker."
        )
        self.first = _described(
            ShortNumberField(), "First iteration", "The first iteration of the scene; 0 is the start."
        )
        self.last = _described(
            ShortNumberField(),
            "Last iteration",
            "The last iteration of the scene; the same as the first shows a single moment.",
        )
        self.pace = _described(
            ChoiceField(_PACES),
            "How the scene goes on",
            "Each click shows one iteration or the next accepted step, or the scene plays by itself.",
        )
        self.speed = _described(
            ShortNumberField(), "Speed", "How many iterations a second a scene shows that plays by itself."
        )
        self.tree = _switch("tree", "The tree; without it the text fills the screen.")
        self.panels = {name: _switch(panel_title(name), _PANEL_TIPS[name]) for name in PANELS}
        self.page = _described(
            ChoiceField([("", "no page"), *((info.name, info.title) for info in scene_pages())]),
            "Page beside the tree",
            "The page beside the tree, or below it on a narrow screen.",
        )
        self.content_button = ContentButton(
            "Change", (*_CONTENT_CHOICES, ("", "&Nothing", "The scene holds nothing beside the tree."))
        )
        self.content_label = ElidedLabel()
        self.caption = _described(
            TextBox(3),
            "Caption",
            "The sentence below the tree at the last iteration. Without it, and before it, the audience reads "
            "each step in a sentence, or an earlier caption.",
            "empty: the step's own sentence",
        )
        self.captions = CaptionRows()
        self.text = _described(
            TextBox(6),
            "Text",
            "Shown large beside the tree, or instead of it; Markdown: # heading, **bold**, - list.",
            "shown large; Markdown",
        )
        self.notes = _described(TextBox(6), "Notes", "Only the speaker sees these.", "only you see these")
        self._lines = {"title": self.title, "first": self.first, "last": self.last}
        self._boxes = {"caption": self.caption, "text": self.text, "notes": self.notes}
        self.first_here = QPushButton("from here")
        self.first_here.setAccessibleName("First iteration from here")
        self.last_here = QPushButton("up to here")
        self.last_here.setAccessibleName("Last iteration up to here")
        # The page puts these above the form: within, they could be scrolled out of view.
        self.problem = sentence("problem", self)
        self.problem.setAccessibleDescription("What is wrong with the scene")
        self.hint = sentence("muted", self)
        self.hint.setAccessibleDescription("What could be better in the scene")
        self._lay_out()
        self._connect()
        self._show_problems({})
        self.show_cursor(0)

    # --- what comes in ---

    def show_scene(self, scene: Scene, most: int, *, is_other: bool = True) -> None:
        """Show a scene of a branch with so many iterations.

        What has just been typed comes back as the scene it made; then the fields are left alone, also those that
        are half typed.
        """
        if not is_other and (scene, most) == (self._scene, self._most):
            return
        self._scene, self._most = scene, most
        if self.title.text() != scene.title:
            self.title.setText(scene.title)
            self.title.setCursorPosition(0)
        self.first.set_value(str(scene.first))
        self.last.set_value(str(scene.last))
        for name, box in self._boxes.items():
            box.set_text(getattr(scene, name))
        self.captions.show_captions(scene.captions)
        self.pace.choose(_PLAYS if scene.speed else _ACCEPTED if scene.is_by_accepted else _CLICK)
        self.page.choose(scene.page)
        typed = _speed_of(self.speed.text())
        if typed is None or (scene.speed and typed != scene.speed):
            self.speed.set_value(f"{scene.speed or _USUAL_SPEED:.15g}")
        for name, switch in (("tree", self.tree), *self.panels.items()):
            with QSignalBlocker(switch):
                switch.setChecked(scene.has_tree if name == "tree" else name in scene.panels)
        self._show_content()
        self._speed_group.setVisible(self.pace.value() == _PLAYS)
        self._show_problems({})

    def show_cursor(self, iteration: int) -> None:
        """The cursor of the window is at this iteration."""
        self._cursor = iteration
        self.first_here.setToolTip(f"The scene opens where the cursor is: at iteration {iteration:,}.")
        self.last_here.setToolTip(f"The scene ends where the cursor is: at iteration {iteration:,}.")

    def comfortable_width(self) -> int:
        """The width at which iterations and pace fit on one line."""
        return self._when.sizeHint().width() + self.fontMetrics().horizontalAdvance("caption") + 4 * _GAP

    # --- what happens ---

    @Slot()
    def _on_edited(self) -> None:
        """Accept what is right, and explain what is not."""
        self._speed_group.setVisible(self.pace.value() == _PLAYS)
        problems: dict[QWidget, str] = {}
        chosen = {name for name, switch in self.panels.items() if switch.isChecked()}
        # A panel that is there keeps its position, so that looking at a scene does not change it.
        kept = [name for name in self._scene.panels if name in chosen]
        values: dict[str, Any] = {
            "panels": (*kept, *(name for name in PANELS if name in chosen and name not in kept)),
            "page": self.page.value(),
            "has_tree": self.tree.isChecked(),
            **self._read_texts(problems),
            **self._read_pace(problems),
            **self._read_range(problems),
        }
        before, self._scene = self._scene, replace(self._scene, **values)
        self._show_problems(problems)
        if self._scene != before:
            self.scene_edited.emit(self._scene)

    def _read_texts(self, problems: dict[QWidget, str]) -> dict[str, Any]:
        values: dict[str, Any] = {"title": self.title.text()}
        values |= {name: box.toPlainText() for name, box in self._boxes.items()}
        for name, text in list(values.items()):
            typed: dict[str, Any] = {name: text}
            try:
                replace(self._scene, **typed)
            except InvalidValueError as error:
                field = self._boxes.get(name, self.title)
                problems[field] = str(InvalidValueError(field.accessibleName(), error.value, error.allowed))
                del values[name]
        return values

    def _read_pace(self, problems: dict[QWidget, str]) -> dict[str, Any]:
        pace, speed = self.pace.value(), _speed_of(self.speed.text())
        if pace != _PLAYS:
            return {"is_by_accepted": pace == _ACCEPTED, "speed": 0.0}
        if speed is None:
            allowed = f"a number above 0, at most {MAX_SPEED:,.0f}"
            problems[self.speed] = str(InvalidValueError("Speed", self.speed.text(), allowed))
            return {"is_by_accepted": False}
        return {"is_by_accepted": False, "speed": speed}

    def _read_range(self, problems: dict[QWidget, str]) -> dict[str, Any]:
        """The iterations and the captions within them: all together, or none while something is wrong."""
        bounds = {"first": self._scene.first, "last": self._scene.last}
        typed: dict[str, int] = {}
        for name in bounds:
            field = self._lines[name]
            try:
                typed[name] = whole_number(field.accessibleName(), field.text(), 0, self._most)
            except GpvizError as error:
                problems[field] = str(error)
        if len(typed) == 2 and typed["first"] > typed["last"]:
            allowed = f"at most {typed['last']}, the last iteration of the scene"
            problems[self.first] = str(InvalidValueError("First iteration", typed["first"], allowed))
        elif len(typed) == 2:
            bounds = typed
        wrong: dict[QWidget, str] = {}
        captions = self._read_captions(bounds["first"], bounds["last"], wrong)
        problems.update(wrong)
        return {} if wrong else {"captions": captions, **bounds}

    def _read_captions(self, first: int, last: int, problems: dict[QWidget, str]) -> tuple[SceneCaption, ...]:
        captions: dict[int, SceneCaption] = {}
        for row in self.captions.rows:
            number, text = row.iteration.text(), row.text.toPlainText()
            if not text.strip():
                continue  # it is still to be written
            try:
                if first == last:
                    raise GpvizError(
                        f"Caption at {number}: the scene shows a single moment; use its own caption."
                    )
                iteration = whole_number(row.iteration.accessibleName(), number, first, last - 1)
                if iteration in captions:
                    raise GpvizError(f"Caption at {iteration}: this iteration already has a caption.")
                captions[iteration] = SceneCaption(iteration, text)
            except GpvizError as error:
                problems[row.iteration] = str(error).replace("text:", f"Caption at {number}:", 1)
        return tuple(captions[iteration] for iteration in sorted(captions))

    @Slot()
    def _on_add_clicked(self) -> None:
        """Add a caption at the cursor if that is free and in the scene, else at the first free iteration."""
        taken = {row.iteration.text() for row in self.captions.rows}
        first, last = self._scene.first, self._scene.last
        iterations = chain((self._cursor,), range(first, last))
        free = (each for each in iterations if first <= each < last and str(each) not in taken)
        self.captions.add_row(next(free, first))

    def _show_problems(self, problems: dict[QWidget, str]) -> None:
        fields = (*self._lines.values(), self.speed, *self._boxes.values())
        for field in (*fields, *(row.iteration for row in self.captions.rows)):
            mark_wrong(field, is_wrong=field in problems)
        self.captions.set_single_moment(self._scene.first == self._scene.last)
        show_sentence(self.problem, " ".join(problems.values()))
        show_sentence(self.hint, " ".join(self._hints()))

    def _hints(self) -> list[str]:
        """What is allowed but hard to read in a hall."""
        hints = []
        boxes = (self.caption, *(row.text for row in self.captions.rows))
        length = max(len(box.toPlainText()) for box in boxes)
        if length > LONGEST_READ:
            hints.append(
                f"Caption: {length} characters are hard to read in a hall; up to {LONGEST_READ} are not."
            )
        is_beside = self.tree.isChecked() or self._scene.content is not None
        if not is_readable_in_hall(self.text.toPlainText(), has_tree=is_beside):
            hints.append(
                "Text: this much is hard to read in a hall; split it into two scenes for larger type."
            )
        return hints

    def _show_content(self) -> None:
        content = self._scene.content
        text = _NO_CONTENT if content is None else label_text(content_title(content))
        self.content_label.setText(text)
        self.content_button.actions_by_name[""].setEnabled(content is not None)
        self.content_button.setAccessibleName(f"What the scene holds: {text}")
        for widget in (self.content_button, self.content_label):
            set_tip(widget, f"{text}\n{_CONTENT_TIP}")

    # --- how it is made ---

    def _connect(self) -> None:
        for field in (*self._lines.values(), self.speed):
            field.textEdited.connect(self._on_edited)
            field.editingFinished.connect(self.editing_ended)
        for box in self._boxes.values():
            box.textChanged.connect(self._on_edited)
            box.left.connect(self.editing_ended)
        self.captions.edited.connect(self._on_edited)
        self.captions.editing_ended.connect(self.editing_ended)
        self.captions.add_button.clicked.connect(self._on_add_clicked)
        for choice in (self.pace, self.page):
            choice.value_changed.connect(self._on_edited)
        for switch in (self.tree, *self.panels.values()):
            switch.toggled.connect(self._on_edited)
        self.content_button.chosen.connect(self.content_asked)

    def _lay_out(self) -> None:
        self._speed_group = _group(self.speed, QLabel("steps/s"))
        self._when = FlowLayout(gap=_GAP)
        for widget in (
            _group(self.first, self.first_here),
            _group(QLabel("to"), self.last, self.last_here),
            self.pace,
            self._speed_group,
        ):
            self._when.add(widget)
        shows = FlowLayout(gap=_GAP, line_gap=0)
        for widget in (self.tree, *self.panels.values(), self.page):
            shows.add(widget)
        for choice in (self.pace, self.page):
            choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        fields = _rows(
            ("title", self.title, self.title),
            ("from", self._when, self.first),
            ("shows", shows, self.tree),
            ("holds", _group(self.content_button, (self.content_label, 1)), self.content_button),
            ("caption", self.caption, self.caption),
            ("before", self.captions, self.captions.add_button),
        )
        boxes = _rows(("text", self.text, self.text), ("notes", self.notes, self.notes))
        self._halves = column_in(self, fields, (boxes, 1), spacing=_GAP, margins=(0, 0, 6, 0))
        for choice in (self.pace, self.page):
            add_spoken_label(choice, choice.accessibleName())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put text and notes beside the fields, or below them where it is narrow."""
        super().resizeEvent(event)
        needed = self.comfortable_width() + self.fontMetrics().horizontalAdvance(_NARROWEST_BOX)
        direction = QBoxLayout.Direction
        self._halves.setDirection(direction.LeftToRight if self.width() >= needed else direction.TopToBottom)


def _described(control: _Control, name: str, tip: str, placeholder: str = "") -> _Control:
    control.setAccessibleName(name)
    set_tip(control, tip)
    if isinstance(control, TextBox):
        control.setPlaceholderText(placeholder)
    return control


def _switch(name: str, tip: str) -> QCheckBox:
    return _described(QCheckBox(name), f"Show the {name}", tip)


def _group(*parts: Part) -> QWidget:
    """Widgets that stay beside each other."""
    group = QWidget()
    row_in(group, *parts, spacing=5)
    return group


def _rows(*rows: tuple[str, QWidget | QLayout, QWidget]) -> QFormLayout:
    """A form with these rows: the label, its content, and the control that gets the focus for it."""
    form = QFormLayout()
    form.setContentsMargins(0, 0, 0, 0)
    form.setHorizontalSpacing(_GAP)
    form.setVerticalSpacing(4)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    for text, content, control in rows:
        label = QLabel(text)
        label.setProperty("role", "muted")
        form.addRow(label, content)
        label.setBuddy(control)
    return form


def _speed_of(text: str) -> float | None:
    try:
        speed = float(text.replace(",", "."))
    except ValueError:
        return None
    return speed if 0 < speed <= MAX_SPEED else None
