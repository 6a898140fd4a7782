"""One picture on its way into a file: it is painted at once, and packed in the background."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QImage

from gpviz.app.background import Background, ShouldStop
from gpviz.engine.errors import GpvizError
from gpviz.record.files import replacing, shown_path

__all__ = ["PictureJob"]


class PictureJob(QObject):
    """Writes a picture as PNG, which takes ten times as long as to paint it. It ends with one of its signals."""

    written = Signal(object)
    failed = Signal(object, str)

    def __init__(self, path: Path, picture: QImage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self._picture = picture
        picture.setText("Software", "gpviz")
        self._background = Background("gpviz picture", self)
        self._background.finished.connect(self._on_finished)
        self._background.failed.connect(self._on_failed)

    def start(self) -> None:
        """Begin."""
        self._background.ask(self._write)

    def close(self) -> None:
        """Wait for the end, without a word; there is no half picture."""
        self._background.close()

    def _write(self, _: ShouldStop) -> None:
        with replacing(self.path) as draft:
            if not self._picture.save(str(draft), "PNG"):  # type: ignore[call-overload]  # PySide takes a text
                draft.open("ab").close()  # says why, if the system knows
                raise OSError("the disk may be full")

    @Slot(object)
    def _on_finished(self, _: object) -> None:
        self._background.close()
        self.written.emit(self)

    @Slot(object)
    def _on_failed(self, problem: Exception) -> None:
        self._background.close()
        if not isinstance(problem, GpvizError):
            raise problem
        self.failed.emit(self, str(problem).replace(str(self.path), shown_path(self.path)))
