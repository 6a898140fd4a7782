"""What each setting means, in the words of somebody who explains it to a student."""

from types import MappingProxyType
from typing import Final

__all__ = ["SETUP_HINTS"]

SETUP_HINTS: Final = MappingProxyType(
    {
        "n": "How many variables there are. The search looks for x₁ ∧ x₂ ∧ … ∧ xₙ.",
        "limit": "The most leaves a tree may have. A larger offspring is rejected without a look at its error. "
        "Write a number, or n, n+1, 2n, 1.5n, or none.",
        "deletion": "What DEL takes away. Leaf only: one leaf, as in the original HVL-Prime. "
        "Subtree: any node with everything below it, as in the paper.",
        "functions": "What INS may put into an inner node. With ∧ alone the search can never go astray.",
        "fitness": "On which rows of the truth table an error is counted: on all of them, "
        "or in every iteration on a few drawn at random.",
        "rows": "How many rows are drawn anew in every iteration.",
        "sampler": "Draw rows: real rows of truth values. Draw counts: only on how many rows the trees are wrong, "
        "which takes no longer for many rows. Both follow the same distribution.",
        "accept_error": "The run has reached its goal when the error is at most this number of rows.",
        "empty_tree": "What happens on the empty tree. Any draw plants: whatever is drawn, its variable becomes "
        "the first leaf. Only INS plants: only an insertion does, anything else leaves the tree empty.",
        "start": "The tree to start from, such as (x1 & x2) | x3. Leave it empty for the empty tree.",
        "seed": "The number all random choices follow from: the same settings with the same seed "
        "give the same run, step by step.",
    }
)
"""By the names of the settings in a configuration, and ``start``."""
