"""Tooltips of words that may come from a stranger: Qt would take some of them for rich text."""

from html import escape

__all__ = ["plain_tip"]


def plain_tip(text: str) -> str:
    """A tooltip that shows these words as they are, line by line."""
    return "" if not text else f"<p style='white-space: pre-wrap'>{escape(text)}</p>"
