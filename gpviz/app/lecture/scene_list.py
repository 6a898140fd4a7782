"""The list of scenes: numbered, two lines each; dragged or moved by keys, renamed in place."""

from typing import Any, Final, NamedTuple

from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QModelIndex,
    QObject,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QDrag,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gpviz.app.key_text import key_text
from gpviz.app.theme import Theme
from gpviz.app.widgets.table_model import Column, TableIndex, TableModel
from gpviz.app.widgets.themed import Themed
from gpviz.lecture.lecture import Scene
from gpviz.lecture.scene_content import content_kind

_MIME: Final = "application/x-gpviz-scene"
_SMALL: Final = 0.85
_KEYS: Final = {
    Qt.Key.Key_Delete,
    Qt.Key.Key_Backspace,
    Qt.Key.Key_F2,
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
}


def range_text(scene: Scene) -> str:
    """The iterations of a scene in a few words."""
    if scene.first == scene.last:
        return f"iteration {scene.first:,}"
    return f"iterations {scene.first:,}–{scene.last:,}"


def shown_text(scene: Scene) -> str:
    """What a scene shows beside the tree, in small words."""
    words = [] if scene.has_tree else ["no tree"]
    words += [] if scene.content is None else [content_kind(scene.content)]
    words += ["text"] if scene.text else []
    words += list(scene.panels)
    words += [scene.page] if scene.page else []
    return ", ".join(words) or "tree"


def scene_text(scene: Scene, between: str) -> str:
    """What a scene shows, and at which iterations; one that holds something and shows no run has none."""
    is_about_run = scene.needs_run or bool(scene.page) or not {"curves", "timeline"}.isdisjoint(scene.panels)
    if scene.content is None or is_about_run:
        return f"{range_text(scene)}{between}{shown_text(scene)}"
    return shown_text(scene).removeprefix("no tree, ")


class SceneRow(NamedTuple):
    """A scene in the list."""

    number: int
    scene: Scene

    @property
    def description(self) -> str:
        return scene_text(self.scene, "; ")


_KEYS_TIP: Final = key_text(
    "Enter shows it in the window; F2 renames it; Alt+Up and Alt+Down move it; Del removes it."
)
_COLUMN: Final[Column[SceneRow]] = Column(
    "scene",
    lambda row: row.scene.title,
    hint=lambda row: f"{row.scene.title}\n{row.description}\n{_KEYS_TIP}",
    spoken=lambda row: f"Scene {row.number}: {row.scene.title}; {row.description}",
    edited=lambda row: row.scene.title,
    check=lambda _, title: title.strip(),
)


class SceneModel(TableModel[SceneRow]):
    """The scenes as rows that can be dragged to another place in the list."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__([_COLUMN], parent=parent)
        self._scenes: tuple[Scene, ...] = ()

    def show_scenes(self, scenes: tuple[Scene, ...]) -> None:
        """Show these; where only what is in them is new, the rows stay, and with them an open editor."""
        is_same_length = len(scenes) == len(self._scenes)
        self._scenes = scenes
        if is_same_length:
            self.update_rows(self._scene_rows())
        else:
            self.show_rows(self._scene_rows())

    def _scene_rows(self) -> list[SceneRow]:
        return [SceneRow(number, scene) for number, scene in enumerate(self._scenes, start=1)]

    def flags(self, index: TableIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsDropEnabled  # below the last scene
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled

    def mimeTypes(self) -> list[str]:  # noqa: N802
        return [_MIME]

    def mimeData(self, indexes: Any) -> QMimeData:  # noqa: N802
        data = QMimeData()
        data.setData(_MIME, str(indexes[0].row()).encode())
        return data

    def supportedDropActions(self) -> Qt.DropAction:  # noqa: N802
        return Qt.DropAction.MoveAction


class _Painter(QStyledItemDelegate):
    """Paints a scene: its number, its title, and below, smaller, what it shows."""

    def __init__(self, view: "SceneList") -> None:
        super().__init__(view)
        self._view = view

    def heights(self) -> tuple[int, int]:
        """Of the title, and of the line below."""
        return QFontMetrics(self._view.theme.font()).height(), QFontMetrics(
            self._view.theme.font(_SMALL)
        ).height()

    def number_width(self, count: int) -> int:
        """The room for the numbers."""
        metrics = QFontMetrics(self._view.theme.font(is_bold=True))
        return metrics.horizontalAdvance("0" * max(2, len(str(count)))) + 8

    def sizeHint(self, option: QStyleOptionViewItem, index: TableIndex) -> QSize:
        return QSize(120, sum(self.heights()) + 7)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: TableIndex) -> None:
        colours, options, model = self._view.theme.colours, _any(option), _any(index.model())
        row: SceneRow = model.row_at(index.row())
        is_chosen = bool(options.state & QStyle.StateFlag.State_Selected)
        is_pointed_at = bool(options.state & QStyle.StateFlag.State_MouseOver)
        text = QColor(colours.accent_text if is_chosen else colours.text)
        pale = QColor(colours.accent_text if is_chosen else colours.muted)
        box = options.rect.adjusted(1, 1, -1, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_chosen or is_pointed_at:
            painter.setPen(Qt.PenStyle.NoPen if is_chosen else QPen(QColor(colours.border)))
            painter.setBrush(QColor(colours.accent) if is_chosen else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, 4, 4)
        title, below = self._lines(options.rect, model.rowCount())
        number = QRect(box.left() + 4, title.top(), title.left() - box.left() - 10, title.height())
        painter.setFont(self._view.theme.font(is_bold=True))
        painter.setPen(pale)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(number, right, str(row.number))
        painter.setPen(text)
        painter.setFont(self._view.theme.font())
        _draw(painter, title, row.scene.title)
        painter.setPen(pale)
        painter.setFont(self._view.theme.font(_SMALL))
        _draw(painter, below, scene_text(row.scene, "  ·  "))
        painter.restore()

    def updateEditorGeometry(  # noqa: N802
        self, editor: QWidget, option: QStyleOptionViewItem, index: TableIndex
    ) -> None:
        options = _any(option)
        title, _ = self._lines(options.rect, _any(index.model()).rowCount())
        # As high as the row: it has a frame of its own, and would cut through the line below.
        rect = options.rect
        editor.setGeometry(QRect(title.left() - 6, rect.top(), title.width() + 8, rect.height()))

    def _lines(self, rect: QRect, count: int) -> tuple[QRect, QRect]:
        high, low = self.heights()
        left = rect.left() + self.number_width(count) + 10
        width = rect.right() - left - 4
        return QRect(left, rect.top() + 3, width, high), QRect(left, rect.top() + 3 + high, width, low)


class SceneList(Themed, QListView):
    """The view of the scenes; a drag or Alt+Up and Alt+Down move them, Delete removes, Return shows."""

    scene_chosen = Signal(int)
    show_requested = Signal(int)
    remove_requested = Signal(int)
    move_requested = Signal(int, int)
    duplicate_requested = Signal(int)

    def __init__(self, model: SceneModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._painter = _Painter(self)
        self._gap: int | None = None
        self.setModel(model)
        self.setItemDelegate(self._painter)
        self.setAccessibleName("Scenes")
        self.setAccessibleDescription(
            key_text("The scenes of the lecture in their order. Alt+Up and Alt+Down move the chosen one.")
        )
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDropIndicatorShown(False)  # it has its own
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        self.doubleClicked.connect(self._on_double_clicked)

    @property
    def chosen(self) -> int:
        """The chosen scene, -1 for none."""
        return self.currentIndex().row()

    def choose(self, row: int) -> None:
        """Choose a scene, as far as it is there, and bring it into view."""
        row = min(row, self._model.rowCount() - 1)
        if row >= 0 and row != self.chosen:
            self.setCurrentIndex(self._model.index(row, 0))
        if row >= 0:
            self.scrollTo(self._model.index(row, 0))

    def rename(self) -> None:
        """Let a person type another title in place."""
        if self.chosen >= 0:
            self.edit(self.currentIndex())

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's type and colours."""
        self.verticalScrollBar().setSingleStep(sum(self._painter.heights()) + 7)
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_own(event):
            event.accept()  # the window has other uses for some of these keys
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() is QAbstractItemView.State.EditingState:
            event.accept()  # the Return that ends an edit is meant for the editor alone
            return
        key, row = Qt.Key(event.key()), self.chosen
        change = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(key, 0)
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and change:
            if 0 <= row + change < self._model.rowCount():
                self.move_requested.emit(row, row + change)
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier and key == Qt.Key.Key_D and row >= 0:
            self.duplicate_requested.emit(row)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row >= 0:
            self.show_requested.emit(row)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and row >= 0:
            self.remove_requested.emit(row)
        else:
            super().keyPressEvent(event)

    def startDrag(self, _actions: Qt.DropAction) -> None:  # noqa: N802
        """Without a picture of the scene, which would cover the line that shows where it goes."""
        drag = QDrag(self)
        drag.setMimeData(self._model.mimeData([self.currentIndex()]))
        drag.exec(Qt.DropAction.MoveAction)
        self._show_gap(None)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """A scene can be let go everywhere; a line shows between which two it would be."""
        super().dragMoveEvent(event)  # it scrolls at the edges
        if event.source() is self:
            self._show_gap(self._gap_at(event.position().toPoint().y()))
            event.setDropAction(Qt.DropAction.MoveAction)
            event.accept()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._show_gap(None)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._gap is None or not self._model.rowCount():
            return
        last = self.visualRect(self._model.index(self._model.rowCount() - 1, 0)).bottom()
        top = self.visualRect(self._model.index(self._gap, 0)).top()
        y = min(max(1, top if self._gap < self._model.rowCount() else last), self.viewport().height() - 2)
        with QPainter(self.viewport()) as painter:
            painter.setPen(QPen(QColor(self.theme.colours.text), 3))
            painter.drawLine(4, y, self.viewport().width() - 4, y)

    def dropEvent(self, event: QDropEvent) -> None:
        """The drop is a request; the list changes when the lecture does."""
        self.dragLeaveEvent(QDragLeaveEvent())  # it ends the scrolling
        if event.source() is self and event.mimeData().hasFormat(_MIME):
            row = int(bytes(event.mimeData().data(_MIME).data()).decode())
            self.drop_at(row, event.position().toPoint().y())
        event.setDropAction(Qt.DropAction.IgnoreAction)
        event.accept()

    def _gap_at(self, y: int) -> int:
        """Before which scene one let go at this height would be."""
        for place in range(self._model.rowCount()):
            if y < self.visualRect(self._model.index(place, 0)).center().y():
                return place
        return self._model.rowCount()

    def _show_gap(self, gap: int | None) -> None:
        if gap != self._gap:
            self._gap = gap
            self.viewport().update()

    def drop_at(self, row: int, y: int) -> None:
        """Scene ``row`` is let go at this height."""
        gap = self._gap_at(y)
        to = gap - 1 if gap > row else gap
        if to != row:
            self.move_requested.emit(row, to)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.scene_chosen.emit(current.row())

    @Slot(QModelIndex)
    def _on_double_clicked(self, index: QModelIndex) -> None:
        self.show_requested.emit(index.row())


def _is_own(event: QKeyEvent) -> bool:
    key = Qt.Key(event.key())
    if event.modifiers() & Qt.KeyboardModifier.AltModifier:
        return key in (Qt.Key.Key_Up, Qt.Key.Key_Down)
    if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        return key == Qt.Key.Key_D
    return key in _KEYS


def _draw(painter: QPainter, rect: QRect, text: str) -> None:
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
    painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


def _any(value: Any) -> Any:
    """The type hints leave out what the base class has."""
    return value
