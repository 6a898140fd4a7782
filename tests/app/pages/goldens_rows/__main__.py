"""Paints the golden pictures of the truth table anew."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from gpviz.app.theme import load_fonts
from tests.app.pages.goldens_rows import FOLDER, PICTURES, rendered


def main() -> None:
    application = QApplication([])
    load_fonts()
    for name in PICTURES:
        path = FOLDER / f"{name}.png"
        rendered(name).save(str(path))
        print(path)
    application.processEvents()


if __name__ == "__main__":
    main()
