"""Which node is asked about, by the mouse or by selecting it, and the card that answers."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QRect, QRectF, Signal
from PySide6.QtWidgets import QWidget

from gpviz.app.canvas.card import NodeCard
from gpviz.app.canvas.folding import shown_ancestor
from gpviz.app.canvas.scene import Floats, Frame
from gpviz.app.canvas.wording import node_text, node_title
from gpviz.app.theme import Theme
from gpviz.engine import Node
from gpviz.engine.tree_analysis import Analysis

__all__ = ["Inquiry"]


class Inquiry(QObject):
    """The node under the mouse, or else the selected one, has a card beside it."""

    node_asked = Signal(object)
    """Somebody may know more about this node; None when there is no card any more."""
    node_selected = Signal(object)
    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        canvas: QWidget,
        locate: Callable[[int], QRectF | None],
        cost: Callable[[Floats], Floats],
    ) -> None:
        """``locate`` says where a node is seen, ``cost`` how much cards at some places would cover."""
        super().__init__(canvas)
        self._canvas = canvas
        self._locate = locate
        self._cost = cost
        self._card = NodeCard(theme, canvas)
        self._tree: Node | None = None
        self._analysis: Analysis | None = None
        self._asked: int | None = None
        self._told = self._extra = ""
        self._is_silent = False
        self._tells_selected = True
        self.hovered: int | None = None
        self.selected: int | None = None

    @property
    def text(self) -> str:
        """What the card says, empty when there is none."""
        return "" if self._card.isHidden() else self._card.text

    def geometry(self) -> QRect:
        return self._card.geometry()

    def set_theme(self, theme: Theme) -> None:
        self._card.set_theme(theme)
        self._refresh()

    def set_analysis(self, analysis: Analysis | None) -> None:
        self._analysis = analysis
        self._refresh()

    def set_tree(self, tree: Node | None, frame: Frame, collapsed: frozenset[int]) -> None:
        """Let go of nodes that are no longer shown; the selection moves to what hides them."""
        self._tree = tree
        if self.selected is not None and self.selected not in frame.index:
            self._select(shown_ancestor(tree, self.selected, collapsed))
        if self.hovered is not None and self.hovered not in frame.index:
            self.hovered = None
        # A node that stays may have another subtree, so it is asked about anew.
        self._ask(self._wanted(), is_anew=True)

    def hover(self, uid: int | None) -> None:
        """The mouse is over this node."""
        if uid != self.hovered:
            self.hovered = uid
            self.changed.emit()
        self._ask(self._wanted())

    def select(self, uid: int | None) -> None:
        """Select this node."""
        self._select(uid)
        self._ask(self._wanted())

    def tell(self, uid: int, text: str) -> None:
        """Say more about a node, if the card is still about it."""
        if uid == self._asked:
            self._told = text
            self._refresh()

    def add(self, uid: int, text: str) -> None:
        """One more line about a node, if the card is still about it."""
        if uid == self._asked and text != self._extra:
            self._extra = text
            self._refresh()

    def set_silent(self, is_silent: bool) -> None:
        """Say only what a node is, and nothing of what becomes of it."""
        if is_silent != self._is_silent:
            self._is_silent = is_silent
            self._refresh()

    def set_selected_told(self, is_told: bool) -> None:
        """Whether the selected node has a card too; beside a preview it would cover what is proposed there."""
        if is_told != self._tells_selected:
            self._tells_selected = is_told
            self._ask(self._wanted())

    def place(self) -> None:
        """Bring the card to where its node is now."""
        place = None if self._asked is None else self._locate(self._asked)
        if place is None or not place.intersects(QRectF(self._canvas.rect())):
            self._card.hide()
        else:
            self._card.place_beside(place.toAlignedRect(), self._cost)

    def _wanted(self) -> int | None:
        if self.hovered is not None:
            return self.hovered
        return self.selected if self._tells_selected else None

    def _select(self, uid: int | None) -> None:
        if uid != self.selected:
            self.selected = uid
            self.node_selected.emit(uid)
            self.changed.emit()

    def _ask(self, uid: int | None, *, is_anew: bool = False) -> None:
        if uid == self._asked and not (is_anew and uid is not None):
            return
        self._asked = uid
        self._told = self._extra = ""
        self._refresh()
        self.node_asked.emit(uid)

    def _refresh(self) -> None:
        title = None if self._asked is None else node_title(self._tree, self._asked)
        if title is None or self._asked is None:
            self._card.hide()
            return
        self._card.set_text(title, "" if self._is_silent else self._body(self._asked))
        self.place()

    def _body(self, uid: int) -> str:
        lines = [self._told or node_text(uid, self._analysis), self._extra]
        return "\n".join(line for line in lines if line)
