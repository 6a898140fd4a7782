"""The presenter's window: what the audience sees, what comes next, notes, scenes, the time, and controls."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QPointF,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    QTime,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QScreen,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.key_text import key_text
from gpviz.app.lecture.hall_text import SceneText
from gpviz.app.lecture.lecture_keys import LectureCommand, SpeakerWindow, command_for
from gpviz.app.lecture.scene_content_view import ContentPreview
from gpviz.app.lecture.scene_player import Upcoming
from gpviz.app.moment_view import CanvasPart, MomentView
from gpviz.app.theme import Theme, hall_theme
from gpviz.app.timers import single_shot
from gpviz.app.widgets.fields import ElidedLabel, PlainLabel, heading, sentence, set_tip
from gpviz.app.widgets.focus_order import ReadingOrderFocus, go_to_pane, set_panes
from gpviz.app.widgets.layouts import column_in, column_of, row_of
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import label_text
from gpviz.lecture.lecture import Scene
from gpviz.lecture.stopwatch import Stopwatch, time_text

_SOON_MS: Final = 100
_LATE_MS: Final = 700
"""Once more after a while, when what is found out in the background has come."""

_TICK_MS: Final = 500
_NOTES_SCALE: Final = 1.6
_CLOCK_SCALE: Final = 2.0
_STEP: Final = 1.12
_MOST_STEPS: Final = 8
_GAP: Final = 12
_TYPE_STEPS: Final = {LectureCommand.LARGER_TYPE: 1, LectureCommand.SMALLER_TYPE: -1}
_OWN_OF_BUTTONS: Final = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_OWN_OF_LISTS: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_BUTTONS: Final = (
    (LectureCommand.BACK, "‹ &Back", "One click back (Page Up)"),
    (LectureCommand.NEXT, "&Next ›", "The next click (Page Down)"),
    (LectureCommand.BLACK, "Blac&k", "Black screen on or off (B)"),
    (LectureCommand.LASER, "&Laser", "Laser dot at the mouse, in either window (L)"),
    (LectureCommand.SPOTLIGHT, "&Spotlight", "Spotlight: darken all but a circle (S)"),
    (LectureCommand.KEYS, "Keys", "All keys (?)"),
    (LectureCommand.LEAVE, "&End", "Leave the lecture (Esc)"),
)


class AudienceThumbnail(Themed, QWidget):
    """Shows a window, some times a second while it changes. The mouse on it points at places in that window."""

    pointed = Signal(QPointF)
    """Where the mouse would be in that window."""

    def __init__(self, source: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._picture = QPixmap()
        self._soon = single_shot(self, self.refresh, _SOON_MS)
        self._late = single_shot(self, self.refresh, _LATE_MS)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 120)
        self.setAccessibleName("What the audience sees")
        self.setToolTip("What the audience sees. While you point, the mouse here points there.")

    @Slot()
    def refresh_soon(self) -> None:
        """The window has changed, or will in this moment."""
        if self.isVisible():
            if not self._soon.isActive():
                self._soon.start()
            self._late.start()

    @Slot()
    def refresh(self) -> None:
        """Take the picture now."""
        if not self.isVisible():
            return
        source, box = self._source, self.picture_box()
        ratio = self.devicePixelRatioF()
        picture = QPixmap((box.size() * ratio).toSize())
        picture.setDevicePixelRatio(ratio)
        picture.fill(QColor(self.theme.colours.window))
        with QPainter(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            scale = box.width() / source.width()
            painter.scale(scale, scale)
            source.render(painter, QPoint())
        self._picture = picture
        self.update()

    def picture_box(self) -> QRectF:
        """Where the picture is: in the middle, in the proportions of the window."""
        size = self._source.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        box = QRectF(QPointF(), size)
        box.moveCenter(QRectF(self.rect()).center())
        return box

    def sizeHint(self) -> QSize:
        return QSize(480, 360)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refresh_soon()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        box = self.picture_box()
        if box.contains(event.position()):
            scale = self._source.width() / box.width()
            self.pointed.emit((event.position() - box.topLeft()) * scale)

    def paintEvent(self, _event: QPaintEvent) -> None:
        box = self.picture_box()
        with QPainter(self) as painter:
            if not self._picture.isNull():
                painter.drawPixmap(box.toRect(), self._picture)
            painter.setPen(QPen(QColor(self.theme.colours.border), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))


class PresenterWindow(ReadingOrderFocus, SpeakerWindow):
    """Keys do here what they do in the audience's window, except where a button or the list needs them."""

    scene_chosen = Signal(int)

    def __init__(self, audience: QWidget, watch: Stopwatch, titles: Sequence[str] = ()) -> None:
        """``titles`` are those of the scenes; without a lecture there are none."""
        super().__init__("Presenter", "Presenter window", is_lecture=bool(titles))
        self._watch = watch
        self._steps = 0
        self.thumbnail = AudienceThumbnail(audience)
        self.next_canvas = TreeCanvas()
        self.next_canvas.set_reduced_motion(True)
        self.next_canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.next_canvas.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.next_canvas.setAccessibleName("What comes next")
        self._next_tree = MomentView(CanvasPart(self.next_canvas))
        self.next_text = _SmallSlide()
        self.next_content = ContentPreview()
        self._next_card = QFrame()
        self.next_title = ElidedLabel()
        self.next_caption = sentence("muted")
        self.next_caption.hide()
        self.place_label = ElidedLabel()
        self.state_label = PlainLabel()
        self.notes = QPlainTextEdit()
        self.scene_list = QListWidget()
        self.scene_list.addItems([f"{number}  {title}" for number, title in enumerate(titles, start=1)])
        self.clock_label = QLabel()
        self.elapsed_label = QLabel()
        self.start_button = QPushButton()
        self.reset_button = QPushButton("&Reset")
        self.buttons: dict[LectureCommand, QPushButton] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self.tick)
        self._build()
        self.follow_theme()
        self.tick()

    # --- what is shown ---

    def show_scene(self, index: int, scene: Scene) -> None:
        """Mark the scene on show, and show its notes."""
        with QSignalBlocker(self.scene_list):
            self.scene_list.setCurrentRow(index)
        self.scene_list.scrollToItem(self.scene_list.item(index), QAbstractItemView.ScrollHint.EnsureVisible)
        self.place_label.setText(f"Scene {index + 1} of {self.scene_list.count()}: {scene.title}")
        self.notes.setPlainText(label_text(scene.notes))

    def show_next(self, upcoming: Upcoming) -> None:
        """What the next click shows."""
        self.next_title.setText(upcoming.title)
        set_tip(self.next_title, upcoming.title)
        caption = f"Caption: {upcoming.caption}" if upcoming.caption else ""
        self.next_caption.setText(caption)
        self.next_caption.setVisible(bool(caption))
        self.next_caption.setAccessibleName(label_text(caption))
        has_tree = upcoming.moment is not None
        self.next_canvas.setVisible(has_tree)
        has_content = upcoming.content is not None and not has_tree
        self._next_card.setVisible(not has_tree and bool(upcoming.text) and not has_content)
        self.next_content.setVisible(has_content)
        self.next_content.show_content(
            upcoming.content if has_content else None, upcoming.lanes, upcoming.iteration
        )
        if upcoming.moment is not None:
            self._next_tree.show(upcoming.moment)
        self.next_text.show_text("" if has_tree else upcoming.text)
        if not self._is_lecture:
            self._give_room(has_tree=has_tree)

    def change_type(self, steps: int) -> None:
        """Larger or smaller notes."""
        self._steps = min(max(self._steps + steps, -_MOST_STEPS), _MOST_STEPS)
        self._set_type()

    def apply_theme(self, theme: Theme) -> None:
        self.next_text.fit_type(theme.name)
        self._set_type()

    def place_on(self, screen: QScreen | None, *, fills: bool) -> None:
        """Show the window on this screen: all over it, or to the right."""
        if screen is not None:
            room = screen.availableGeometry()
            if fills:
                self.setGeometry(room.adjusted(8, 32, -8, -8))
            else:
                self.setGeometry(
                    room.left() + round(0.36 * room.width()),
                    room.top() + round(0.1 * room.height()),
                    round(0.62 * room.width()),
                    round(0.84 * room.height()),
                )
        self.show()
        self.come_to_front()

    def shut_down(self) -> None:
        """End everything that moves; call it before the window goes."""
        self._timer.stop()
        self.next_canvas.shut_down()
        self.next_content.shut_down()
        self.hide()

    @Slot()
    def tick(self) -> None:
        """Show the time."""
        self.clock_label.setText(QTime.currentTime().toString("HH:mm"))
        self.elapsed_label.setText(time_text(self._watch.seconds))
        self.start_button.setText("Pa&use" if self._watch.is_running else "S&tart")

    # --- how it is done ---

    def _build(self) -> None:
        self.scene_list.setAccessibleName("Scenes")
        self.scene_list.setToolTip("Choose a scene to go there")
        self.scene_list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scene_list.setWordWrap(True)
        self.scene_list.currentRowChanged.connect(self.scene_chosen)
        self.notes.setReadOnly(True)
        self.notes.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.notes.setAccessibleName("Notes")
        self.notes.setPlaceholderText("This scene has no notes.")
        set_tip(
            self.notes,
            key_text("Notes for this scene; Up and Down scroll them, Ctrl+] and Ctrl+[ change their size"),
        )
        self.notes.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.next_text.setAccessibleName("Text of the next scene")
        self._next_card.setProperty("role", "card")
        column_in(self._next_card, self.next_text, margins=(1, 1, 1, 1))
        self._next_card.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._next_card.hide()
        self.next_content.hide()
        self.state_label.setProperty("role", "problem")
        for label, name in ((self.clock_label, "Time of day"), (self.elapsed_label, "Time since the start")):
            set_tip(label, name)
        self.setLayout(column_of(self._head(), (self._middle(), 1), self._controls(), spacing=_GAP))
        set_panes(self.start_button, self.scene_list, self.buttons[LectureCommand.NEXT])
        for key, steps in (("F6", 1), ("Shift+F6", -1)):
            QShortcut(QKeySequence(key), self).activated.connect(partial(go_to_pane, self, steps))
        for part in self.findChildren(QWidget):
            if part.focusPolicy() != Qt.FocusPolicy.NoFocus:
                part.installEventFilter(self)

    def _head(self) -> QHBoxLayout:
        for button, name, press in (
            (self.start_button, "Start or pause the stopwatch", self._watch.toggle),
            (self.reset_button, "Set the stopwatch to zero", self._watch.reset),
        ):
            button.setAccessibleName(name)
            button.setToolTip(name)
            button.clicked.connect(press)
            button.clicked.connect(self.tick)
        watch = self.elapsed_label, self.start_button, self.reset_button
        row = row_of((self.place_label, 1), self.state_label, *watch, spacing=_GAP)
        row.addSpacing(_GAP)
        row.addWidget(self.clock_label)
        return row

    def _middle(self) -> QGridLayout:
        grid = self._grid = QGridLayout()
        grid.setHorizontalSpacing(_GAP)
        self.next_canvas.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        grid.addWidget(heading("Now"), 0, 0)
        grid.addWidget(self.thumbnail, 1, 0)
        if not self._is_lecture:
            grid.addWidget(self.next_canvas, 1, 1)
            grid.setRowStretch(1, 1)
            self._give_room(has_tree=True)
            self._keep(self.notes, self.scene_list, self._next_card, self.next_content, self.next_caption)
            return grid
        following = ((part, 1) for part in (self.next_canvas, self._next_card, self.next_content))
        grid.addLayout(column_of(self.next_title, self.next_caption, *following), 2, 0)
        grid.addWidget(heading("Notes"), 0, 1)
        grid.addWidget(self.notes, 1, 1, 2, 1)
        grid.addWidget(heading("Scenes"), 0, 2)
        grid.addWidget(self.scene_list, 1, 2, 2, 1)
        for column, stretch in enumerate((9, 9, 5)):
            grid.setColumnStretch(column, stretch)
        grid.setRowStretch(1, 3)
        grid.setRowStretch(2, 2)
        return grid

    def _give_room(self, *, has_tree: bool) -> None:
        """Without a lecture the next tree stands beside the picture, which has all the room if there is none."""
        if has_tree:
            self._grid.addWidget(self.next_title, 0, 1)
        else:
            self._grid.addWidget(self.next_title, 2, 0, 1, 2)
        self._grid.setColumnStretch(0, 3)
        self._grid.setColumnStretch(1, 2 if has_tree else 0)

    def _keep(self, *unused: QWidget) -> None:
        """What is not shown belongs to the window all the same."""
        for widget in unused:
            widget.setParent(self)
            widget.hide()

    def _controls(self) -> QHBoxLayout:
        row = row_of(spacing=_GAP)
        for command, text, tip in _BUTTONS:
            button = self.buttons[command] = QPushButton(text)
            button.setAccessibleName(text.replace("&", "").strip("‹› "))
            button.setToolTip(tip)
            button.setProperty("command", command.name)
            button.setAutoDefault(False)
            button.clicked.connect(self._on_button_clicked)
            if command is LectureCommand.NEXT:
                button.setProperty("role", "primary")
            if command in (LectureCommand.BLACK, LectureCommand.KEYS):
                row.addStretch(1)
            row.addWidget(button, 2 if command is LectureCommand.NEXT else 0)
        return row

    def _set_type(self) -> None:
        theme = self.theme
        self.notes.setFont(theme.font(_NOTES_SCALE * _STEP**self._steps))
        self.place_label.setFont(theme.font(1.25, is_bold=True))
        self.next_title.setFont(theme.font(1.1, is_bold=True))
        self.next_caption.setFont(theme.font(1.1))
        self.state_label.setFont(theme.font(1.1, is_bold=True))
        self.scene_list.setFont(theme.font(1.05))
        self.clock_label.setFont(theme.font(_CLOCK_SCALE))
        self.elapsed_label.setFont(theme.font(_CLOCK_SCALE, is_bold=True))
        self.buttons[LectureCommand.NEXT].setFont(theme.font(1.25, is_bold=True))
        self.buttons[LectureCommand.BACK].setFont(theme.font(1.25))

    @Slot()
    def _on_button_clicked(self) -> None:
        self.command_given.emit(LectureCommand[self.sender().property("command")])

    # --- events ---

    def give_command(self, event: QKeyEvent) -> bool:
        """The keys that change the size of the type change that of the notes here."""
        command = command_for(event, is_lecture=self._is_lecture)
        if command not in _TYPE_STEPS:
            return super().give_command(event)
        self.change_type(_TYPE_STEPS[command])
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Clickers work wherever the focus is."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            own = _OWN_OF_BUTTONS if isinstance(watched, QAbstractButton) else _OWN_OF_LISTS
            if event.key() not in own and self.give_command(event):
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        notes = self.notes.verticalScrollBar()
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()), 0)
        if event.key() == Qt.Key.Key_Tab:
            QWidget.keyPressEvent(self, event)  # it is no command here
        elif not self.give_command(event):
            notes.setValue(notes.value() + steps * notes.singleStep())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()
        self.thumbnail.refresh_soon()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)


class _SmallSlide(SceneText):
    """The text of a scene as it will look, in type as small as the picture is."""

    def fit_type(self, theme_name: str) -> None:
        """Wear this theme, in type that suits the size of the picture."""
        self.set_theme(hall_theme(theme_name, self.width(), self.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_type(self.theme.name)
