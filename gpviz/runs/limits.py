"""How much a saved run may hold: what a stranger's file must not exceed, gpviz itself does not write."""

from typing import Final

__all__ = ["MAX_FILE_BYTES", "MAX_ITERATIONS", "MAX_NOTE_LENGTH"]

MAX_ITERATIONS: Final = 10_000_000
MAX_NOTE_LENGTH: Final = 10_000
MAX_FILE_BYTES: Final = 16_000_000
