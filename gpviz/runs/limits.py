"""How much a saved run may hold: what a stranger's file must not exceed, gpviz itself does not write."""

from typing import Final

MAX_ITERATIONS: Final = 10_000_000
MAX_NOTE_LENGTH: Final = 10_000
MAX_FILE_BYTES: Final = 16_000_000
