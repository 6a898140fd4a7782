"""How much a benchmark measures, and what it does not print."""

import sys
from typing import Final

IS_FULL: Final = "--full" in sys.argv[1:]
"""Everything, in as many rounds as make the numbers of BENCHMARKS.md; otherwise what takes a minute or two."""


def ignore_missing_screen() -> None:
    """Leave out what Qt says of every window where there is no screen; all else that it says is printed."""
    from PySide6.QtCore import qInstallMessageHandler

    def tell(_kind: object, _context: object, message: str) -> None:
        if not message.startswith("This plugin does not support"):
            print(message, file=sys.stderr)

    qInstallMessageHandler(tell)
