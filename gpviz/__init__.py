"""gpviz: watch genetic programming think.

Scripts and notebooks import what they need from here, as in ``from gpviz import RlsGp, RunConfig, parse``. Each
name is loaded when it is first used, since every process of gpviz imports this module; `__init__.pyi` lists them.
"""

from importlib import import_module

__version__ = "1.0.0"

_HOMES = {
    "History": "gpviz.runs.history",
    "InteractivePage": "gpviz.notebook",
    "Store": "gpviz.experiments.store",
    "exact": "gpviz.analysis",
    "expected_wait": "gpviz.analysis",
    "interactive": "gpviz.notebook",
    "neighbourhood": "gpviz.analysis",
    "outlook": "gpviz.analysis",
}
_ENGINE = "gpviz.engine"

__all__ = [
    "Function",
    "GpvizError",
    "History",
    "InteractivePage",
    "Mutation",
    "Operation",
    "Outcome",
    "Result",
    "RlsGp",
    "RunConfig",
    "Side",
    "State",
    "Step",
    "Store",
    "Verdict",
    "__version__",
    "exact",
    "expected_wait",
    "format_formula",
    "interactive",
    "neighbourhood",
    "outlook",
    "parse",
    "simplified",
    "tree_state",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, _ENGINE)), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
