"""The form of one scene: its title, iterations and pace, what it shows, its words, and notes for the speaker."""

from collections.abc import Collection
from dataclasses import replace
from itertools import chain
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from gpviz.app.lecture.caption_bar import LONGEST_READ
from gpviz.app.lecture.caption_rows import CaptionRows
from gpviz.app.lecture.content_text import CONTENT_CHOICES, content_title
from gpviz.app.lecture.scene_text import is_readable_in_hall
from gpviz.app.widgets.fields import (
    ChoiceField,
    NumberField,
    TextBox,
    add_spoken_label,
    mark_wrong,
    sentence,
    set_tip,
)
from gpviz.app.widgets.flow_layout import FlowLayout
from gpviz.app.widgets.layouts import row_in
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.engine import GpvizError
from gpviz.engine.errors import InvalidValueError
from gpviz.engine.whole_number import whole_number
from gpviz.escaping import label_text, menu_text
from gpviz.lecture.lecture import MAX_SPEED, PANELS, Scene, SceneCaption
from gpviz.lecture.scene_content import SceneContent
from gpviz.page_list import scene_pages

_CLICK: Final = "click"
_ACCEPTED: Final = "accepted"
_PLAYS: Final = "plays"
_PACES: Final = ((_CLICK, "click by click"), (_ACCEPTED, "accepted steps"), (_PLAYS, "plays by itself"))
_PANEL_TIPS: Final = {
    "caption": "The step in one sentence, or the caption below.",
    "curves": "Error and size, iteration by iteration.",
    "timeline": "All verdicts of the run.",
    "legend": "What the colours and shapes of the tree mean.",
    "theory": "What the paper proves, drawn in the curves.",
}
_USUAL_SPEED: Final = 4.0
_GAP: Final = 8
_NO_CONTENT: Final = "nothing else"
_CONTENT_TIP: Final = "Beside the tree or instead of it: a chart, a statement, a picture or several runs."
_BOX_LINES: Final = 6
_CAPTION_LINES: Final = 3
_BOX_LETTERS: Final = 16
"""So many lines and letters the boxes have at least; for fewer letters text and notes go below the fields."""
_WORDS: Final = {
    "title": "Title",
    "first": "First iteration",
    "last": "Last iteration",
    "speed": "Speed",
    "text": "Text",
    "caption": "Caption",
    "notes": "Notes",
}
_TIPS: Final = {
    "title": "The name of the scene, in the list and for the speaker.",
    "first": "The first iteration of the scene; 0 is the start.",
    "last": "The last iteration of the scene; the same as the first shows a single moment.",
    "speed": "How many iterations a second a scene shows that plays by itself.",
    "text": "Shown large beside the tree, or instead of it; Markdown: # heading, **bold**, - list.",
    "caption": (
        "The sentence below the tree at the last iteration. Without it, and before it, the audience reads "
        "each step in a sentence, or an earlier caption."
    ),
    "notes": "Only the speaker sees these.",
}


class SceneForm(QWidget):
    """Shows a scene and lets a person change it; what is wrong is said while they type, and not taken."""

    scene_edited = Signal(object)
    content_asked = Signal(str)
    """The scene is to hold something else: a chart, a statement, a picture or a comparison, or nothing."""
    editing_ended = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene = Scene(title="Scene", has_tree=False)
        self._most = 0
        self._cursor = 0
        self._fields: dict[str, Any] = {
            "title": QLineEdit(),
            "first": NumberField(),
            "last": NumberField(),
            "speed": QLineEdit(),
            "text": TextBox(_BOX_LINES),
            "caption": TextBox(_CAPTION_LINES),
            "notes": TextBox(_BOX_LINES),
        }
        for name, field in self._fields.items():
            field.setAccessibleName(_WORDS[name])
            set_tip(field, _TIPS[name])
        self.title: QLineEdit = self._fields["title"]
        self.first: NumberField = self._fields["first"]
        self.last: NumberField = self._fields["last"]
        self.speed: QLineEdit = self._fields["speed"]
        self.text: TextBox = self._fields["text"]
        self.caption: TextBox = self._fields["caption"]
        self.notes: TextBox = self._fields["notes"]
        self.caption.setPlaceholderText("empty: the step's own sentence")
        self.text.setPlaceholderText("shown large; Markdown")
        self.notes.setPlaceholderText("only you see these")
        self.captions = CaptionRows()
        self.pace = ChoiceField(_PACES)
        self.pace.setAccessibleName("How the scene goes on")
        set_tip(
            self.pace,
            ("Each click shows one iteration or the next accepted step, or the scene plays by itself."),
        )
        self.page = ChoiceField([("", "no page"), *((info.name, info.title) for info in scene_pages())])
        self.page.setAccessibleName("Page beside the tree")
        set_tip(self.page, "The study page beside the tree, or below it on a narrow screen.")
        self.tree = _switch("tree", "The tree; without it the text fills the screen.")
        self.panels = {name: _switch(name, _PANEL_TIPS[name]) for name in PANELS}
        self.content_button = _ContentButton()
        self.content_button.chosen.connect(self.content_asked)
        self.first_here = _small_button("from here", "First iteration from here")
        self.last_here = _small_button("up to here", "Last iteration up to here")
        # The page puts it above the form: within, it could be scrolled out of view.
        self.problem = sentence("problem", self)
        self.problem.setAccessibleDescription("What is wrong with the scene")
        self.problem.hide()
        self.hint = sentence("muted", self)
        self.hint.setAccessibleDescription("What could be better in the scene")
        self.hint.hide()
        self._lay_out()
        self._connect()
        self.show_cursor(0)

    # --- what comes in ---

    def show_scene(self, scene: Scene, most: int, *, is_other: bool = True) -> None:
        """Show a scene of a branch with so many iterations.

        What a person has just typed comes back as the scene it made; then the fields are left alone, also those
        that are half typed.
        """
        if not is_other and (scene, most) == (self._scene, self._most):
            return
        self._scene, self._most = scene, most
        _set_line(self.title, scene.title)
        _set_line(self.first, str(scene.first))
        _set_line(self.last, str(scene.last))
        for name in ("text", "caption", "notes"):
            self._fields[name].set_text(getattr(scene, name))
        self.captions.show_captions(scene.captions)
        pace = _PLAYS if scene.speed else _ACCEPTED if scene.is_by_accepted else _CLICK
        with QSignalBlocker(self.pace), QSignalBlocker(self.page):
            self.pace.set_value(pace)
            self.page.set_value(scene.page)
        if scene.speed and _number(self.speed.text()) != scene.speed:
            _set_line(self.speed, f"{scene.speed:.15g}")
        elif not scene.speed and not _is_speed(self.speed.text()):
            _set_line(self.speed, f"{_USUAL_SPEED:g}")
        with QSignalBlocker(self.tree):
            self.tree.setChecked(scene.has_tree)
        for name, switch in self.panels.items():
            with QSignalBlocker(switch):
                switch.setChecked(name in scene.panels)
        self.content_button.show_content(scene.content)
        self._show_speed()
        self._say({}, ())

    def show_cursor(self, iteration: int) -> None:
        """The cursor of the window is here."""
        self._cursor = iteration
        self.first_here.setToolTip(f"The scene opens where the cursor is: at iteration {iteration:,}.")
        self.last_here.setToolTip(f"The scene ends where the cursor is: at iteration {iteration:,}.")

    def comfortable_width(self) -> int:
        """With which the iterations and the pace find room in one line."""
        groups = sum(group.sizeHint().width() + _GAP for group in self._when)
        return groups + self.fontMetrics().horizontalAdvance("caption") + 40

    # --- what happens ---

    @Slot()
    def _on_edited(self) -> None:
        """Take what is right, and say what is not."""
        self._show_speed()
        values: dict[str, Any] = {}
        problems: dict[str, str] = {}
        self._read_words(values, problems)
        self._read_iterations(values, problems)
        self._read_pace(values, problems)
        wrong = self._read_captions(values, problems)
        chosen = {name for name, switch in self.panels.items() if switch.isChecked()}
        # A panel that is there keeps its place, so that looking at a scene does not change it.
        kept = [name for name in self._scene.panels if name in chosen]
        values["panels"] = (*kept, *(name for name in PANELS if name in chosen and name not in kept))
        values["page"] = self.page.value()
        values["has_tree"] = self.tree.isChecked()
        self._say(problems, wrong)
        scene = replace(self._scene, **values)
        if scene != self._scene:
            self._scene = scene
            self.scene_edited.emit(scene)

    def _read_words(self, values: dict[str, Any], problems: dict[str, str]) -> None:
        for name in ("title", "caption", "text", "notes"):
            field = self._fields[name]
            value = field.text() if isinstance(field, QLineEdit) else field.toPlainText()
            candidate: dict[str, Any] = {name: value}
            try:
                replace(self._scene, **candidate)
            except InvalidValueError as error:
                problems[name] = str(InvalidValueError(_WORDS[name], error.value, error.allowed))
            else:
                values[name] = value

    def _read_iterations(self, values: dict[str, Any], problems: dict[str, str]) -> None:
        """Both together, because one is wrong only beside the other."""
        found = {}
        for name in ("first", "last"):
            try:
                found[name] = whole_number(_WORDS[name], self._fields[name].text(), 0, self._most)
            except GpvizError:
                text, allowed = self._fields[name].text(), f"a whole number from 0 to {self._most}"
                problems[name] = str(InvalidValueError(_WORDS[name], text, allowed))
        if len(found) == 2 and found["first"] > found["last"]:
            allowed = f"at most {found['last']}, the last iteration of the scene"
            problems["first"] = str(InvalidValueError(_WORDS["first"], found["first"], allowed))
        elif len(found) == 2:
            values.update(found)

    def _read_pace(self, values: dict[str, Any], problems: dict[str, str]) -> None:
        pace = self.pace.value()
        values["is_by_accepted"] = pace == _ACCEPTED
        values["speed"] = 0.0
        if pace != _PLAYS:
            return
        if _is_speed(self.speed.text()):
            values["speed"] = _number(self.speed.text())
        else:
            del values["speed"]
            allowed = f"a number above 0, at most {MAX_SPEED:,.0f}"
            problems["speed"] = str(InvalidValueError(_WORDS["speed"], self.speed.text(), allowed))

    def _read_captions(self, values: dict[str, Any], problems: dict[str, str]) -> set[int]:
        """Take the captions that are right, in their order; the places of those that are not."""
        first, last = (values.get(name, getattr(self._scene, name)) for name in ("first", "last"))
        found: dict[int, SceneCaption] = {}
        wrong = set()
        for place, (number, text) in enumerate(self.captions.entries()):
            if not text.strip():
                continue  # it is still to be written
            try:
                if first == last:
                    raise GpvizError(
                        f"Caption at {number}: the scene shows a single moment; use its own caption."
                    )
                iteration = whole_number("Iteration of the caption", number, first, last - 1)
                if iteration in found:
                    raise GpvizError(f"Caption at {iteration}: this iteration already has a caption.")
                found[iteration] = SceneCaption(iteration, text)
            except GpvizError as error:
                wrong.add(place)
                problems[f"caption {place}"] = str(error).replace("text:", f"Caption at {number}:", 1)
        if wrong:  # nothing that was written is lost while something is still to be corrected
            for name in ("first", "last", "captions"):
                values.pop(name, None)
        else:
            values["captions"] = tuple(found[each] for each in sorted(found))
        self.captions.set_possible(first < last)
        return wrong

    @Slot()
    def _on_caption_added(self) -> None:
        """At the cursor where that is in the scene and has no caption yet, else at the first iteration without."""
        taken = {number for number, _ in self.captions.entries()}
        scene = self._scene
        places = chain((self._cursor,), range(scene.first, scene.last))
        free = (each for each in places if scene.first <= each < scene.last and str(each) not in taken)
        self.captions.add_row(next(free, scene.first))

    def _say(self, problems: dict[str, str], wrong_captions: Collection[int]) -> None:
        self.captions.mark(wrong_captions)
        self.captions.set_possible(self._scene.first < self._scene.last)
        for name, field in self._fields.items():
            mark_wrong(field, is_wrong=name in problems)
        self.problem.setText(" ".join(problems.values()))
        self.problem.setVisible(bool(problems))
        self._advise()

    def _advise(self) -> None:
        """Say what is allowed but will be hard to read in a hall."""
        hints = []
        texts = (self.caption.toPlainText(), *(text for _, text in self.captions.entries()))
        length = max(len(text) for text in texts)
        if length > LONGEST_READ:
            hints.append(
                f"Caption: {length} characters are hard to read in a hall; up to {LONGEST_READ} are not."
            )
        is_beside = self.tree.isChecked() or self._scene.content is not None
        if not is_readable_in_hall(self.text.toPlainText(), has_tree=is_beside):
            hints.append(
                "Text: this much is hard to read in a hall; split it into two scenes for larger type."
            )
        self.hint.setText(" ".join(hints))
        self.hint.setVisible(bool(hints))

    def _show_speed(self) -> None:
        self._speed_box.setVisible(self.pace.value() == _PLAYS)

    # --- how it is made ---

    def _connect(self) -> None:
        for field in (self.title, self.first, self.last, self.speed):
            field.textEdited.connect(self._on_edited)
            field.editingFinished.connect(self.editing_ended)
        self.captions.edited.connect(self._on_edited)
        self.captions.editing_ended.connect(self.editing_ended)
        self.captions.added.connect(self._on_caption_added)
        for box in (self.text, self.caption, self.notes):
            box.textChanged.connect(self._on_edited)
            box.left.connect(self.editing_ended)
        for choice in (self.pace, self.page):
            choice.currentIndexChanged.connect(self._on_edited)
        for switch in (self.tree, *self.panels.values()):
            switch.toggled.connect(self._on_edited)

    def _lay_out(self) -> None:
        for field in (self.first, self.last, self.speed):
            # As wide as the largest number there can be, and growing with the type.
            field.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            field.setMinimumWidth(0)
        self._speed_box = _together(_FixedWidthField(self.speed, "0000"), QLabel("steps/s"))
        self._when = (
            _together(_FixedWidthField(self.first, "00000"), self.first_here),
            _together(
                _FieldName("to", self.last, self.title), _FixedWidthField(self.last, "00000"), self.last_here
            ),
            _FixedWidthField(self.pace, "accepted steps MM"),
        )
        when = FlowLayout(gap=_GAP)
        for group in (*self._when, self._speed_box):
            when.add(group)
        shows = FlowLayout(gap=8, line_gap=0)
        for switch in (self.tree, *self.panels.values()):
            shows.add(switch)
        shows.add(_FixedWidthField(self.page, "Neighbours MM"))
        add_spoken_label(self.pace, "How the scene goes on")
        add_spoken_label(self.page, "Page below the tree")
        self._lines = QWidget()
        grid = _grid(self._lines)
        rows: tuple[tuple[str, QWidget, Any], ...] = (
            ("title", self.title, self.title),
            ("from", self.first, when),
            ("shows", self.tree, shows),
            ("holds", self.content_button, self.content_button),
            ("caption", self.caption, self.caption),
            ("before", self.captions.add_button, self.captions),
        )
        for row, (text, buddy, content) in enumerate(rows):
            grid.addWidget(_FieldName(text, buddy, self.title), row, 0, Qt.AlignmentFlag.AlignTop)
            if isinstance(content, QWidget):
                grid.addWidget(content, row, 1)
            else:
                grid.addLayout(content, row, 1)
        grid.setRowStretch(len(rows), 1)
        self._boxes = QWidget()
        self._box_grid = _grid(self._boxes)
        self._text_name = _FieldName("text", self.text, self.title)
        self._notes_name = _FieldName("notes", self.notes, self.title)
        layout = self._halves = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.setSpacing(4)
        layout.addWidget(self._lines)
        layout.addWidget(self._boxes, 1)
        self._place_boxes(is_beside=False)

    def _place_boxes(self, *, is_beside: bool) -> None:
        """Text and notes: one above the other beside the fields, or side by side below them."""
        grid, top = self._box_grid, Qt.AlignmentFlag.AlignTop
        direction = QBoxLayout.Direction
        self._halves.setDirection(direction.LeftToRight if is_beside else direction.TopToBottom)
        self._halves.setSpacing(_GAP if is_beside else 4)
        self._lines.setMinimumWidth(self.comfortable_width() if is_beside else 0)
        for widget in (self._text_name, self.text, self._notes_name, self.notes):
            grid.removeWidget(widget)
        row, column = (1, 0) if is_beside else (0, 2)
        grid.addWidget(self._text_name, 0, 0, top)
        grid.addWidget(self.text, 0, 1)
        grid.addWidget(self._notes_name, row, column, top)
        grid.addWidget(self.notes, row, column + 1)
        grid.setColumnStretch(3, 0 if is_beside else 1)
        # Below the fields the boxes begin where the fields do.
        names = self._lines.findChildren(_FieldName)
        width = 0 if is_beside else max(name.sizeHint().width() for name in names if name.text() != "to")
        grid.setColumnMinimumWidth(0, width)
        grid.setRowStretch(0, 1)
        grid.setRowStretch(1, 1 if is_beside else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.comfortable_width() + self.fontMetrics().horizontalAdvance("m" * _BOX_LETTERS)
        self._place_boxes(is_beside=self.width() >= room)


def _grid(widget: QWidget) -> QGridLayout:
    grid = QGridLayout(widget)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(4)
    grid.setColumnStretch(1, 1)
    return grid


class _ContentButton(QToolButton):
    """Says what the scene holds beside the tree, and opens a menu to choose something else."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._words = ""
        self._menu = MacSafeMenu(self)
        self.actions_by_name: dict[str, QAction] = {}
        for name, text, tip in (
            *CONTENT_CHOICES,
            ("", "&Nothing", "The scene holds nothing beside the tree."),
        ):
            action = self.actions_by_name[name] = self._menu.addAction(text)
            action.setToolTip(tip)
            action.setData(name)
        self._menu.triggered.connect(self._on_triggered)
        self.setMenu(self._menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(60)
        self.show_content(None)

    def show_content(self, content: SceneContent | None) -> None:
        """Say that the scene holds this."""
        self._words = _NO_CONTENT if content is None else label_text(content_title(content))
        self.actions_by_name[""].setEnabled(content is not None)
        self.setAccessibleName(f"What the scene holds: {self._words}")
        set_tip(self, f"{self._words}\n{_CONTENT_TIP}")
        self._elide()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        wide = self.fontMetrics().horizontalAdvance(self._words) + self._frame_width()
        return QSize(wide, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(60, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _frame_width(self) -> int:
        return 2 * self.fontMetrics().height() + 12

    def _elide(self) -> None:
        room = max(self.width() - self._frame_width(), 40)
        text = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, room)
        self.setText(menu_text(text))

    @Slot(QAction)
    def _on_triggered(self, action: QAction) -> None:
        self.chosen.emit(action.data())


class _FixedWidthField(QWidget):
    """Holds a field that is as wide as such a text, in whatever type."""

    def __init__(self, field: QWidget, widest: str) -> None:
        super().__init__()
        self._widest = widest
        self._field = field
        layout = row_in(self)
        layout.addWidget(field)

    def sizeHint(self) -> QSize:
        width = self._field.fontMetrics().horizontalAdvance(self._widest) + 22
        return QSize(width, self._field.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


def _together(*widgets: QWidget) -> QWidget:
    """Widgets that stay beside each other."""
    group = QWidget()
    layout = row_in(group, spacing=5)
    for widget in widgets:
        layout.addWidget(widget)
    return group


def _small_button(text: str, name: str) -> QPushButton:
    button = QPushButton(text)
    button.setAccessibleName(name)
    return button


def _switch(name: str, tip: str) -> QCheckBox:
    switch = QCheckBox(name)
    switch.setAccessibleName(f"Show the {name}")
    set_tip(switch, tip)
    return switch


class _FieldName(QLabel):
    """The name of a field, as high as a line of the form: beside several lines it stands at the first."""

    def __init__(self, text: str, field: QWidget, line: QLineEdit) -> None:
        super().__init__(text)
        self._line = line
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "muted")
        self.setBuddy(field)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._line.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


def _set_line(field: QLineEdit, text: str) -> None:
    if field.text() != text:
        field.setText(text)
        field.setCursorPosition(0)


def _number(text: str) -> float:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return 0.0


def _is_speed(text: str) -> bool:
    return 0 < _number(text) <= MAX_SPEED
