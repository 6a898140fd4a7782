"""How a branch comes about: a search and a history that begin with another history and then go their own way."""

from itertools import pairwise
from typing import Any

from gpviz.engine.config import RunConfig
from gpviz.engine.search import RlsGp
from gpviz.engine.target import target_for
from gpviz.record.codes import Property
from gpviz.record.history import History

__all__ = ["forked", "hand_name", "search_at", "settings_name"]


def search_at(history: History, iteration: int, config: RunConfig | None = None) -> RlsGp:
    """A search that stands after this iteration of a history and goes on under ``config``, or as the history does.

    Raises `GpvizError` where the tree has more leaves than the limit allows.
    """
    wanted = config or history.config
    stop = iteration + 1
    tree = history.tree_at(iteration)
    error = history.error_at(iteration)
    if error is None and tree is not None and not wanted.is_sampled:
        error = target_for(wanted.n).error(tree)  # a start that nobody has counted yet
    return RlsGp.at(
        wanted,
        history.start,
        iteration=iteration,
        tree=tree,
        error=error,
        accepted=history.count_where(Property.ACCEPTED, 1, stop),
        improved=history.count_where(Property.IMPROVED, 1, stop),
        ors_accepted=history.count_where(Property.OR_ACCEPTED, 1, stop),
        settled_since=_settled_since(history, iteration, wanted),
    )


def forked(history: History, iteration: int, config: RunConfig | None = None) -> tuple[RlsGp, History]:
    """The search and the history of a branch that forks after this iteration and has no iterations of its own."""
    wanted = config or history.config
    return search_at(history, iteration, wanted), history.beginning(iteration, wanted)


def hand_name(iteration: int) -> str:
    """What a branch is called whose iteration a person chose."""
    return f"By hand at {iteration:,}"


def settings_name(changes: dict[str, Any], iteration: int) -> str:
    """What a branch is called that goes on otherwise after an iteration, such as ``Seed 5 from 57``."""
    words = {
        "seed": "seed {}",
        "limit": "limit {}",
        "deletion": "{} deletion",
        "functions": "functions {}",
        "accept_error": "stop at error {}",
        "empty_tree": "empty tree {}",
    }
    parts = [words[name].format(_short(value)) for name, value in changes.items()]
    text = ", ".join(parts) or "the same again"
    return f"{text[:1].upper()}{text[1:]} from {iteration:,}"[:70]


def _short(value: object) -> str:
    text = ",".join(value) if isinstance(value, tuple | list) else str(value)
    if text == "inf":
        return "none"
    return text if len(text) <= 20 else f"{text[:8]}…{text[-4:]}"


def _settled_since(history: History, iteration: int, config: RunConfig) -> int:
    """The last iteration that improved, changed the number of leaves, or came before other settings."""
    improved = history.previous_where(Property.IMPROVED, iteration + 1) or 0
    changes = history.changes()
    count = int(changes.iterations.searchsorted(iteration, side="right"))
    leaves = changes.leaves[:count]
    grown = (leaves[1:] != leaves[:-1]).nonzero()[0]
    resized = int(changes.iterations[grown[-1] + 1]) if len(grown) else 0
    configs = [(first, each) for first, each in history.configs if first <= iteration]
    configs.append((iteration + 1, config))
    changed = 0
    for (_, before), (first, after) in pairwise(configs):
        if before.replaced(seed=0) != after.replaced(seed=0):
            changed = first - 1
    return max(improved, resized, changed)
