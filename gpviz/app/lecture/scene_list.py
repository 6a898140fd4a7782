"""The list of scenes: numbered, two lines each; dragged or moved by keys, renamed in place."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, cast

from PySide6.QtCore import QEvent, QKeyCombination, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFont, QFontMetrics, QKeyEvent, QKeySequence, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gpviz.app.key_text import key_text
from gpviz.app.widgets.tables import Column, TableIndex, TableModel
from gpviz.lecture.lecture import Scene, panel_title
from gpviz.lecture.scene_content import content_kind
from gpviz.page_list import page_info

_SMALL: Final = 0.85
_MARGIN: Final = 4
_SAME_KEYS: Final = {Qt.Key.Key_Return: Qt.Key.Key_Enter, Qt.Key.Key_Backspace: Qt.Key.Key_Delete}


def range_text(scene: Scene) -> str:
    """The iterations of a scene."""
    if scene.first == scene.last:
        return f"iteration {scene.first:,}"
    return f"iterations {scene.first:,}–{scene.last:,}"


def shown_text(scene: Scene) -> str:
    """What a scene shows beside the tree."""
    parts = [] if scene.has_tree else ["no tree"]
    parts += [] if scene.content is None else [content_kind(scene.content)]
    parts += ["text"] if scene.text else []
    parts += [panel_title(name) for name in scene.panels]
    parts += [page_info(scene.page).title.lower()] if scene.page else []
    return ", ".join(parts) or "tree"


def scene_text(scene: Scene, between: str) -> str:
    """The iterations of a scene and what it shows; a scene with a content and no run has no iterations."""
    is_about_run = scene.needs_run or bool(scene.page) or "curves" in scene.panels
    if scene.content is None or is_about_run:
        return f"{range_text(scene)}{between}{shown_text(scene)}"
    return shown_text(scene).removeprefix("no tree, ")


class SceneRow(NamedTuple):
    """A scene with its number, from 1."""

    number: int
    scene: Scene


_KEYS_TIP: Final = key_text(
    "Enter shows it in the window; F2 renames it; Alt+Up and Alt+Down move it; Del removes it."
)
_COLUMN: Final[Column[SceneRow]] = Column(
    "scene",
    lambda row: row.scene.title,
    hint=lambda row: f"{row.scene.title}\n{scene_text(row.scene, '; ')}\n{_KEYS_TIP}",
    spoken=lambda row: f"Scene {row.number}: {row.scene.title}; {scene_text(row.scene, '; ')}",
    edited=lambda row: row.scene.title,
    check=lambda _, title: title.strip(),
)


class SceneModel(TableModel[SceneRow]):
    """The scenes as rows that can be dragged; a drop is a request, and the rows change when the lecture does."""

    move_requested = Signal(int, int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__([_COLUMN], parent=parent)

    def show_scenes(self, scenes: tuple[Scene, ...]) -> None:
        """Show these; where there are as many as before the rows stay, and with them an open editor."""
        rows = [SceneRow(number, scene) for number, scene in enumerate(scenes, start=1)]
        if len(rows) == self.rowCount():
            self.update_rows(rows)
        else:
            self.show_rows(rows)

    def flags(self, index: TableIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsDropEnabled  # between scenes, and below them
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled

    def supportedDropActions(self) -> Qt.DropAction:  # noqa: N802
        return Qt.DropAction.MoveAction

    def moveRows(  # noqa: N802
        self, _parent: TableIndex, row: int, _count: int, _to_parent: TableIndex, gap: int
    ) -> bool:
        """Request that a scene moves into this gap: the number of the scene that it would be before."""
        to = gap - 1 if gap > row else gap
        if to != row:
            self.move_requested.emit(row, to)
        return True


class _SceneDelegate(QStyledItemDelegate):
    """Paints a scene: its number, its title, and below, smaller, what it shows."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: TableIndex) -> QSize:
        font = _any(option).font
        height = QFontMetrics(font).height() + QFontMetrics(_small(font)).height()
        return QSize(120, height + 2 * _MARGIN)

    def initStyleOption(self, option: QStyleOptionViewItem, index: TableIndex) -> None:  # noqa: N802
        super().initStyleOption(option, index)
        _any(option).text = ""  # the style paints the background only

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: TableIndex) -> None:
        super().paint(painter, option, index)
        options, model = _any(option), _any(index.model())
        row: SceneRow = model.row_at(index.row())
        is_chosen = bool(options.state & QStyle.StateFlag.State_Selected)
        roles = QPalette.ColorRole
        colour = options.palette.color(roles.HighlightedText if is_chosen else roles.Text)
        pale = options.palette.color(roles.HighlightedText if is_chosen else roles.PlaceholderText)
        title = self._title_rect(options, model.rowCount())
        number = QRect(options.rect.left(), title.top(), title.left() - options.rect.left(), title.height())
        bold = QFont(options.font)
        bold.setBold(True)
        small = _small(options.font)
        below = title.translated(0, title.height())
        below.setHeight(QFontMetrics(small).height())
        right = Qt.AlignmentFlag.AlignRight
        painter.save()
        for rect, align, font, pen, text in (
            (number.adjusted(0, 0, -2 * _MARGIN, 0), right, bold, pale, str(row.number)),
            (title, Qt.AlignmentFlag.AlignLeft, options.font, colour, row.scene.title),
            (below, Qt.AlignmentFlag.AlignLeft, small, pale, scene_text(row.scene, "  ·  ")),
        ):
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
            painter.setFont(font)
            painter.setPen(pen)
            painter.drawText(rect, align | Qt.AlignmentFlag.AlignVCenter, shown)
        painter.restore()

    def updateEditorGeometry(  # noqa: N802
        self, editor: QWidget, option: QStyleOptionViewItem, index: TableIndex
    ) -> None:
        """As high as the row: the editor has a frame, which would cut through the line below."""
        options = _any(option)
        rect: QRect = options.rect
        rect.setLeft(self._title_rect(options, _any(index.model()).rowCount()).left() - _MARGIN)
        editor.setGeometry(rect)

    def _title_rect(self, options: Any, count: int) -> QRect:
        metrics = QFontMetrics(options.font)
        left = metrics.horizontalAdvance("0" * max(2, len(str(count)))) + 5 * _MARGIN
        rect: QRect = options.rect.adjusted(left, _MARGIN, -_MARGIN, 0)
        rect.setHeight(metrics.height())
        return rect


class SceneList(QListView):
    """The view of the scenes, which can be dragged, and its commands by their keys."""

    scene_chosen = Signal(int)

    def __init__(self, model: SceneModel, commands: Mapping[str, QAction]) -> None:
        super().__init__()
        self._commands = commands
        self.setModel(model)
        self.setItemDelegate(_SceneDelegate(self))
        self.setAccessibleName("Scenes")
        self.setAccessibleDescription(
            key_text("The scenes of the lecture in their order. Alt+Up and Alt+Down move the chosen one.")
        )
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)  # but by the command
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)

    @property
    def chosen(self) -> int:
        """The chosen scene, -1 for none."""
        return self.currentIndex().row()

    def choose(self, row: int) -> None:
        """Choose a scene, the last one if there are fewer, and bring it into view."""
        row = min(row, self.model().rowCount() - 1)
        if row >= 0:
            self.setCurrentIndex(self.model().index(row, 0))
            self.scrollTo(self.currentIndex())

    def rename(self) -> None:
        """Let the user type another title in the list."""
        if self.chosen >= 0:
            self.edit(self.currentIndex())

    def event(self, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_override and self._command_for(cast("QKeyEvent", event)) is not None:
            event.accept()  # the window has other uses for some of these keys
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() is QAbstractItemView.State.EditingState:
            event.accept()  # the Return that ends an edit is meant for the editor alone
            return
        command = self._command_for(event)
        if command is None:
            super().keyPressEvent(event)
        else:
            command.trigger()

    def _command_for(self, event: QKeyEvent) -> QAction | None:
        key = Qt.Key(event.key())
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        pressed = QKeySequence(QKeyCombination(modifiers, _SAME_KEYS.get(key, key)))
        return self._commands.get(pressed.toString(QKeySequence.SequenceFormat.PortableText))

    def currentChanged(self, current: TableIndex, previous: TableIndex) -> None:  # noqa: N802
        super().currentChanged(current, previous)
        self.scene_chosen.emit(current.row())


def _small(font: QFont) -> QFont:
    small = QFont(font)
    small.setPointSizeF(_SMALL * font.pointSizeF())
    return small


def _any(value: Any) -> Any:
    """The type hints leave out what the base class has."""
    return value
