"""The event strip as a picture: what happened in each of its columns, stacked by how often it happened."""

from typing import Final

import numpy as np
import numpy.typing as npt

from gpviz.engine import Verdict
from gpviz.record.codes import VERDICTS

__all__ = ["LEAST_SHARE", "STACK", "layer_heights", "strip_picture"]

STACK: Final[tuple[tuple[Verdict, ...], ...]] = (
    (Verdict.IMPROVED,),
    (Verdict.NEUTRAL, Verdict.UNCHANGED),
    (Verdict.WORSE,),
    (Verdict.TOO_LARGE,),
)
"""The layers of the strip from its foot upwards."""

LEAST_SHARE: Final = 0.45
"""An improvement is rare and matters: it takes at least this much of its column's height."""

_NARROWEST_CELL: Final = 4.0
"""From this width on, in pixels, neighbouring cells are kept apart by a gap."""


def layer_heights(counts: npt.NDArray[np.int64], height: int) -> npt.NDArray[np.int64]:
    """For each column (a row of counts in the order of `VERDICTS`) where each layer ends, in pixels."""
    layers = np.stack([counts[:, [VERDICTS.index(v) for v in layer]].sum(axis=1) for layer in STACK], axis=1)
    totals = np.maximum(layers.sum(axis=1), 1)
    shares = layers / totals[:, None]
    improved = shares[:, 0]
    raised = np.where(improved > 0, np.maximum(improved, LEAST_SHARE), 0.0)
    others = np.divide(1 - raised, 1 - improved, out=np.zeros_like(raised), where=improved < 1)
    shares[:, 1:] *= others[:, None]
    shares[:, 0] = raised
    return np.rint(np.cumsum(shares, axis=1) * height).astype(np.int64)


def strip_picture(
    counts: npt.NDArray[np.int64],
    height: int,
    colours: npt.NDArray[np.uint32],
    iterations: int,
) -> npt.NDArray[np.uint32]:
    """The strip, its top row first, as 0xAARRGGBB; ``colours`` are those of the layers."""
    columns = len(counts)
    picture = np.zeros((height, columns), dtype=np.uint32)
    if not iterations or not columns:
        return picture
    ends = layer_heights(counts, height)
    rows = np.arange(height - 1, -1, -1)[:, None]
    layer = (rows >= ends[:, 0]).astype(np.intp)
    for below in range(1, len(STACK) - 1):
        layer += rows >= ends[:, below]
    picture[:] = colours[layer]
    if columns / iterations >= _NARROWEST_CELL:
        is_last = np.diff(np.arange(columns + 1) * iterations // columns) > 0
        picture[:, is_last] = 0
    return picture
