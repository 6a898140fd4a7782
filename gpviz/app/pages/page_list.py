"""The pages of the workbench: what they are called and for; their code is loaded when they are made."""

from importlib import import_module
from typing import Final

from PySide6.QtWidgets import QWidget

from gpviz.app.pages.workbench import PageSpec

__all__ = ["CURVES", "STUDY_PAGES", "page_specs"]

CURVES: Final = "curves"

STUDY_PAGES: Final = {
    "inside": ("Inside", "One iteration, phase by phase, in the two algorithms", "phases", "PhasesPage"),
    "neighbours": (
        "Neighbours",
        "Everything the next iteration can do, with exact chances",
        "neighbours.neighbours_page",
        "NeighboursPage",
    ),
    "proof": ("Proof", "Why the tree is stuck, or the way on", "proof", "ProofPage"),
    "rows": (
        "Rows",
        "The truth table: which rows are right, wrong, fixed and broken",
        "truth_table.truth_table_page",
        "TruthTablePage",
    ),
    "function": (
        "Function",
        "What parent and offspring compute, and what is different",
        "function",
        "FunctionPage",
    ),
    "hand": ("By hand", "Choose the mutation yourself", "manual_mutation", "ManualMutationPage"),
    "branches": ("Branches", "Other ways the run could have gone", "branches", "BranchesPage"),
    "find": ("Find", "Look for iterations, or run until there is one", "find", "FindPage"),
    "scenes": ("Scenes", "Plan a lecture, scene by scene", "gpviz.app.lecture.scenes_page", "ScenesPage"),
}
"""For each page its title, its tip, its module (below this package, or a whole path), and its class."""


def page_specs(curves: QWidget) -> tuple[PageSpec, ...]:
    """All pages, the curves first."""
    pages = [PageSpec(CURVES, "Curves", "Error and size, iteration by iteration", _Holding(curves))]
    for name, (title, tip, module, kind) in STUDY_PAGES.items():
        pages.append(PageSpec(name, title, tip, _Loading(module, kind)))
    return tuple(pages)


class _Holding:
    """Gives a page that is there already."""

    def __init__(self, page: QWidget) -> None:
        self._page = page

    def __call__(self) -> QWidget:
        return self._page


class _Loading:
    """Loads a page's module and makes the page."""

    def __init__(self, module: str, kind: str) -> None:
        self._module = module
        self._kind = kind

    def __call__(self) -> QWidget:
        name = self._module if self._module.startswith("gpviz.") else f"gpviz.app.pages.{self._module}"
        page: QWidget = getattr(import_module(name), self._kind)()
        return page
