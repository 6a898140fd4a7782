"""gpviz: watch genetic programming think.

What a script or a notebook needs can be had from here, as in ``from gpviz import RlsGp, RunConfig, parse``. It is
loaded when it is first asked for, as every process of gpviz passes by here; `__init__.pyi` tells of it.
"""

from importlib import import_module

__version__ = "1.0.0"

_HOMES = {
    "History": "gpviz.run.history",
    "InteractivePage": "gpviz.notebook",
    "Store": "gpviz.experiments.store",
    "interactive": "gpviz.notebook",
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
