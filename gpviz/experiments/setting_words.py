"""The settings of a plan in words: their heads, what they mean, and their values in tables and charts."""

from typing import Any, Final

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function
from gpviz.experiments.plan import Plan
from gpviz.record.telling import number_text

__all__ = ["NONE", "SETTING_HINTS", "SETTING_TITLES", "setting_head", "setting_text", "varied_settings"]

NONE: Final = "–"
"""Where a table has no value."""

SETTING_TITLES: Final = {
    "n": "n",
    "limit": "limit",
    "deletion": "deletion",
    "functions": "functions",
    "fitness": "fitness",
    "rows": "rows",
    "sampler": "sampler",
    "accept_error": "A",
    "empty_tree": "empty tree",
}
SETTING_HINTS: Final = {
    "n": "The number of variables.",
    "limit": "The most leaves that an accepted tree may have; ∞ is no limit.",
    "deletion": "What a deletion takes away: leaves only, or whole subtrees.",
    "functions": "The functions that inner nodes may have.",
    "fitness": "Whether a tree is measured on the complete truth table or on sampled rows.",
    "rows": "How many rows are sampled afresh in every iteration.",
    "sampler": "How rows are sampled: one by one, or only how many of them are wrong.",
    "accept_error": "A, the largest sampled error at which a run is done.",
    "empty_tree": "What plants the first leaf: any operation, or only an insertion.",
}


def varied_settings(plan: Plan) -> tuple[str, ...]:
    """The settings in which the cells of a plan differ."""
    return tuple(name for name, values in plan.grid.items() if len(values) > 1)


def setting_head(name: str) -> str:
    """The name of a setting at the head of a column; signs such as n stay as they are."""
    title = SETTING_TITLES[name]
    return title if len(title) == 1 else title.capitalize()


def setting_text(name: str, config: RunConfig) -> str:
    """The value of a setting, as it stands in a column."""
    value: Any = getattr(config, name)
    if value is None:
        return NONE
    if name == "functions":
        return "∧" if value == (Function.AND,) else "∧ ∨"
    if name == "limit" and value == "inf":
        return "∞"
    return number_text(value) if isinstance(value, int) else str(value)
