"""The order in which the keyboard focus moves through a window: Tab in reading order, F6 from pane to pane.

Both look at the current geometry, so they stay right when a window rearranges its parts; where another order is
better, a window sets it.
"""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFocusEvent, QGuiApplication
from PySide6.QtWidgets import QScrollArea, QTabBar, QWidget

from gpviz.app.widgets.themed import WidgetMixin

_PANE: Final = "pane"
"""The property of a widget that is a pane of its window."""
_RANK: Final = "rank"
"""The property of a widget whose place among its siblings does not follow from where it stands."""
_BY_KEYBOARD: Final = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
_SLACK: Final = 3
"""Parts that overlap by at most so many pixels still count as separate."""


class ReadingOrderFocus(WidgetMixin):
    """Mixin, named before the Qt class, for a window in which Tab follows the reading order."""

    def focusNextPrevChild(self, is_next: bool) -> bool:  # noqa: N802
        order = focus_order(self)
        all_controls = Qt.TabFocusBehavior.TabFocusAllControls
        if not order or QGuiApplication.styleHints().tabFocusBehavior() != all_controls:
            return super().focusNextPrevChild(is_next)
        here = self.focusWidget()
        if here in order:
            target = order[(order.index(here) + (1 if is_next else -1)) % len(order)]
        else:
            target = order[0 if is_next else -1]
        reasons = Qt.FocusReason
        _focus(target, reasons.TabFocusReason if is_next else reasons.BacktabFocusReason)
        return True


class KeyboardFocus(WidgetMixin):
    """Mixin, named before the Qt class, for a widget that shows its focus only where the keyboard brought it."""

    has_focus_ring = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:  # it then is as it was
            self.has_focus_ring = event.reason() in _BY_KEYBOARD
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:
            self.has_focus_ring = False
        self.update()


def set_panes(*widgets: QWidget) -> None:
    """Let F6 go to these parts of a window."""
    for widget in widgets:
        widget.setProperty(_PANE, True)


def set_focus_order(*siblings: QWidget) -> None:
    """Let the keyboard go through these in this order, wherever they stand."""
    for rank, widget in enumerate(siblings):
        widget.setProperty(_RANK, rank)


def panes_of(window: QWidget) -> list[QWidget]:
    """The panes on show that have something for the keyboard, in the order in which one reads them."""
    panes = (_pane_of(widget) for widget in focus_order(window))
    return list(dict.fromkeys(pane for pane in panes if pane is not None))


def go_to_pane(window: QWidget, steps: int) -> None:
    """Give the keyboard to what had it last in the next pane, or in the one before; and round."""
    panes = panes_of(window)
    if not panes:
        return
    pane = _pane_of(window.focusWidget())
    before = -1 if steps > 0 else 0  # of the first, or of the last
    index = panes.index(pane) if pane in panes else before
    focus_into(panes[(index + steps) % len(panes)])


def focus_into(part: QWidget) -> bool:
    """Give the keyboard to what had it last in a part of a window, or to its first control that is no tab."""
    order = focus_order(part)
    last = part.focusWidget()
    controls = [widget for widget in order if not isinstance(widget, QTabBar)] or order
    if controls:
        _focus(last if last in order else controls[0], Qt.FocusReason.ShortcutFocusReason)
    return bool(controls)


def focus_order(root: QWidget) -> list[QWidget]:
    """All that takes the keyboard by Tab, in the order in which one reads it, part by part."""
    groups: list[_Group] = []
    ranked: dict[int, list[QWidget]] = {}
    for child in root.children():
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow():
            group, rank = focus_order(child), child.property(_RANK)
            if group and rank is None:
                groups.append((child.geometry(), group))
            elif group:
                ranked[rank] = group
    inside = [widget for rank in sorted(ranked) for widget in ranked[rank]]
    inside += [widget for _, group in _reading_order(groups) for widget in group]
    return [root, *inside] if _takes_tab(root) else inside


_Group = tuple[QRect, list[QWidget]]


def _reading_order(groups: list[_Group]) -> list[_Group]:
    """Row by row where a line can be drawn between rows, else column by column; else by the corners."""
    if len(groups) < 2:
        return groups
    rows = _cut(groups, lambda box: (box.top(), box.bottom()))
    parts = rows if len(rows) > 1 else _cut(groups, lambda box: (box.left(), box.right()))
    if len(parts) == 1:
        return sorted(groups, key=lambda group: (group[0].top(), group[0].left()))
    return [group for part in parts for group in _reading_order(part)]


def _cut(groups: list[_Group], span_of: Callable[[QRect], tuple[int, int]]) -> list[list[_Group]]:
    """Part the groups wherever none of them reaches across."""
    parts: list[list[_Group]] = []
    reached = 0
    for group in sorted(groups, key=lambda each: span_of(each[0])):
        start, end = span_of(group[0])
        if parts and start + _SLACK < reached:
            parts[-1].append(group)
            reached = max(reached, end)
        else:
            parts.append([group])
            reached = end
    return parts


def _takes_tab(widget: QWidget) -> bool:
    has_policy = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return has_policy and widget.focusProxy() is None and widget.isVisible() and widget.isEnabled()


def _pane_of(widget: QWidget | None) -> QWidget | None:
    """The outermost pane around a widget; None if there is none, or no widget."""
    found = None
    around = widget
    while around is not None:
        if around.property(_PANE):
            found = around
        around = None if around.isWindow() else around.parentWidget()
    return found


def _focus(widget: QWidget, reason: Qt.FocusReason) -> None:
    widget.setFocus(reason)
    around = widget.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(widget)
        around = around.parentWidget()
