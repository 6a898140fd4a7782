"""Paints the golden pictures anew: ``python -m tests.app.canvas.renew_goldens``, then look at what changed."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from gpviz.app.theme import load_fonts
from tests.app.canvas.goldens import FOLDER, PICTURES, rendered


def main() -> None:
    application = QApplication([])
    load_fonts()
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        path = FOLDER / f"{name}.png"
        rendered(name).save(str(path))
        print(path)
    application.processEvents()


if __name__ == "__main__":
    main()
