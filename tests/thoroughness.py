"""How much is tried: little every day, and everything on request (``HYPOTHESIS_PROFILE=thorough``)."""

import os
from typing import Final, TypeVar

T = TypeVar("T")

IS_THOROUGH: Final = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


def every_day(usual: T, thorough: T) -> T:
    """The usual amount, or the thorough one on request."""
    return thorough if IS_THOROUGH else usual
