"""Whether a tree fits a configuration: what every question about the two has to ask first."""

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.engine.tree import Node, variables_of

__all__ = ["check_tree"]


def check_tree(tree: Node | None, config: RunConfig) -> None:
    """Refuse a tree that no run of this configuration could hold."""
    if tree is None:
        return
    largest = variables_of(tree).bit_length()
    if largest > config.n:
        raise GpvizError(
            f"tree: it uses x{largest}, but with n = {config.n} the variables go from x1 to x{config.n}."
        )
    if config.max_leaves is not None and tree.leaves > config.max_leaves:
        raise InvalidValueError(
            "limit", config.limit, f"at least {tree.leaves}, the number of leaves of the tree"
        )
