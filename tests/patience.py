"""How long a test waits for what is sure to come."""

from typing import Final

PATIENCE_SECONDS: Final = 120
"""So long that a slow or busy machine is no reason to fail; only what never comes is noticed that much later."""

PATIENCE_MS: Final = 1000 * PATIENCE_SECONDS
