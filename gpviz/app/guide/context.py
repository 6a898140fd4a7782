"""Which page of the guide is about what has the keyboard."""

from typing import Final

from PySide6.QtWidgets import QWidget

__all__ = ["set_guide_page", "topic_of"]

_PROPERTY: Final = "guide_page"


def set_guide_page(widget: QWidget, topic: str) -> None:
    """Say which page is about this widget, as ``page`` or ``page#heading``."""
    widget.setProperty(_PROPERTY, topic)


def topic_of(widget: QWidget | None) -> tuple[str, str]:
    """The page about a widget, or about the nearest one around it, and the heading; both may be empty."""
    while widget is not None:
        topic = widget.property(_PROPERTY)
        if isinstance(topic, str) and topic:
            name, _, slug = topic.partition("#")
            return name, slug
        widget = widget.parentWidget()
    return "", ""
