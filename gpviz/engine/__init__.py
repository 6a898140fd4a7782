"""The engine: RLS-GP on syntax trees, exact and reproducible. Plain Python and numpy, no Qt, no I/O.

config = RunConfig(n=8, limit="n+1", deletion="leaf", seed=254)
search = RlsGp(config)
step = search.step()
result = search.run(max_iterations=20_000, stop_when_stuck=True)

What `gpviz.analysis` finds out about trees can be imported from here as well. That package builds on this one, so
its names are looked up when somebody asks for them.
"""

from importlib import import_module

from gpviz.engine.config import Rules, RunConfig
from gpviz.engine.enums import Function, Operation, Outcome, Side, State, Verdict
from gpviz.engine.errors import FormulaError, GpvizError, InvalidValueError, TooComplexError
from gpviz.engine.formula import ASCII, LATEX, UNICODE, format_formula, parse, simplified
from gpviz.engine.mutation import Mutation, apply, describe
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Result, Step
from gpviz.engine.stuck import TreeState, tree_state
from gpviz.engine.tree import Inner, Leaf, Node

__all__ = [
    "ASCII",
    "LATEX",
    "UNICODE",
    "ExactCell",
    "ExpectedWait",
    "FormulaError",
    "Function",
    "GpvizError",
    "Inner",
    "InvalidValueError",
    "Leaf",
    "Mutation",
    "Neighbour",
    "Neighbourhood",
    "Node",
    "Operation",
    "Outcome",
    "Outlook",
    "Redundancy",
    "Result",
    "RlsGp",
    "Rules",
    "RunConfig",
    "Side",
    "State",
    "Step",
    "TooComplexError",
    "TreeState",
    "Verdict",
    "apply",
    "describe",
    "exact",
    "expected_wait",
    "format_formula",
    "neighbourhood",
    "outlook",
    "parse",
    "redundancy",
    "simplified",
    "tree_state",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("gpviz.analysis"), name)
