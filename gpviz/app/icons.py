"""Icons in the colours of a theme, drawn from the shapes in the resources."""

from functools import cache

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from gpviz import assets
from gpviz.app.theme import Theme

_SIZES = (24, 48)


def icon(name: str, theme: Theme, colour: str | None = None, *, chosen: str | None = None) -> QIcon:
    """The icon in the theme's text colour or another, paler where it is disabled; ``chosen`` is for lists."""
    made = QIcon()
    wanted = colour or theme.colours.text
    for size in _SIZES:
        made.addPixmap(_pixmap(name, wanted, size, 1.0), QIcon.Mode.Normal)
        made.addPixmap(_pixmap(name, wanted, size, 0.35), QIcon.Mode.Disabled)
        made.addPixmap(_pixmap(name, chosen or wanted, size, 1.0), QIcon.Mode.Selected)
    return made


def program_icon() -> QIcon:
    """What stands for gpviz on the desktop."""
    return QIcon(str(assets.folder("icons") / "gpviz.svg"))


def _pixmap(name: str, colour: str, size: int, opacity: float) -> QPixmap:
    """Drawn once: every window has the same icons."""
    key = f"icon {name} {colour} {size} {opacity}"
    pixmap = QPixmap()
    if QPixmapCache.find(key, pixmap):
        return pixmap
    shape = _shape(name).replace("currentColor", QColor(colour).name())
    pixmap = QPixmap(QSize(size, size))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setOpacity(opacity)
    QSvgRenderer(QByteArray(shape.encode())).render(painter)
    painter.end()
    QPixmapCache.insert(key, pixmap)
    return pixmap


@cache
def _shape(name: str) -> str:
    return (assets.folder("icons") / f"{name}.svg").read_text(encoding="utf-8")
