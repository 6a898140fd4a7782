"""One export as a value: which kind of thing, of which iterations, how it is to look, and where it goes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from gpviz.analysis.redundant_leaves import Analysis, analyse
from gpviz.engine.errors import TooComplexError
from gpviz.engine.interruption import Deadline
from gpviz.engine.optional_packages import ExtraName
from gpviz.explain.outlook_picture import OutlookPicture
from gpviz.runs.history import Generalisation, History
from gpviz.runs.run_file import Bookmark
from gpviz.runs.step_encoding import Property, has_property

OnProgress = Callable[[int, int], object]
"""Called with how much is done, and of how much; if it returns True the export ends with `Cancelled`."""

LAST_STEP_S: Final = 2.0
"""How much longer the last step of a film stays than the others."""

_PATIENCE_S: Final = 10.0


class Every(StrEnum):
    """Which iterations of a range. An accepted offspring may equal its parent; then the tree does not change."""

    ALL = "all"
    ACCEPTED = "accepted"
    CHANGED = "changed"
    IMPROVED = "improved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A run, and what is known of it besides its history.

    ``analysis`` is that of the tree on show, and ``outlook`` is the picture on show.
    """

    history: History
    generalisation: Generalisation | None = None
    stuck_since: int | None = None
    bookmarks: tuple[Bookmark, ...] = ()
    analysis: Analysis | None = None
    outlook: OutlookPicture | None = None

    def has_analysis_at(self, iteration: int) -> bool:
        """Whether what is known is known of the tree of this iteration, under its rules."""
        history = self.history
        known = self.analysis
        return known is not None and known.is_of(history.tree_at(iteration), history.rules_after(iteration))

    def analysis_at(self, iteration: int, patience_s: float = _PATIENCE_S) -> Analysis | None:
        """What is known of a tree, or found out in about this time; None for one too tangled to count."""
        if self.has_analysis_at(iteration):
            return self.analysis
        tree, rules = self.history.tree_at(iteration), self.history.rules_after(iteration)
        try:
            return analyse(tree, rules, Deadline(patience_s))
        except TooComplexError:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormat:
    """One way to write a kind of export.

    ``ending`` is that of its files, without a dot, and ``title`` what the dialog calls it. ``writer`` is a
    function ``write(request, subject, on_progress)`` as ``module:function``; it is loaded when it is wanted, and
    finds a request that was checked. ``options`` are the parts of a request that it looks at, by their names in
    `gpviz.export.options.OPTIONS`. ``amount`` says how much is going to be written, from the request and the
    number of iterations that are wanted.
    """

    ending: str
    title: str
    writer: str
    options: frozenset[str]
    amount: Callable[["ExportRequest", int], str]
    note: str = ""
    """What it is more exactly, said after its ending or its title."""
    is_painted: bool = False
    """Whether Qt paints it; then an application has to be there, and it is written in its thread."""
    is_quick: Callable[["ExportRequest", Subject], bool] = lambda request, subject: False
    """Whether it is done before a person has looked away, so that the window does it itself and at once."""
    needs: frozenset[str] = frozenset()
    """What is to be found out of a run before: ``stuck_since`` and ``generalisation``, as in `Subject`."""
    has_even_sides: bool = False
    most_steps: int | None = None
    most_seconds: int | None = None
    """Of a film. More would fill a disk, or take a day; who asks for more has most likely not meant it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExportKind:
    """A thing that can be taken away of a run.

    ``name`` is what the command line, the settings and proposed files call it, ``title`` what the dialog and the
    buttons do. ``description`` is a sentence for the dialog, ``summary`` a short one for the command line, and
    ``icon`` a file in ``resources/icons``. The usual one of the ``formats`` comes first.
    """

    name: str
    title: str
    description: str
    summary: str
    icon: str
    formats: tuple[ExportFormat, ...]
    usual_for: tuple[str, ...] = ()
    """The endings that mean this kind where nobody says which."""
    picture: str = ""
    """Of what can be copied and saved as it is on show: what makes the widget of it, as ``module:function``.

    It is a context manager, called with the request and the subject, and the formats are written from its widget.
    """
    extra: ExtraName | None = None
    """The extra of the package that it needs."""

    def __str__(self) -> str:
        return self.name

    @property
    def by_ending(self) -> Mapping[str, ExportFormat]:
        """The formats by the endings of their files."""
        return {each.ending: each for each in self.formats}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """One export. ``at`` is the iteration of a picture, ``first`` and ``last`` are those of everything else.

    A picture of a range may point out one of its iterations: of ``at``, or of the one in the range next to it.

    ``width`` and ``height`` are pixels before ``scale``; ``pace`` is how many steps a film shows in a second. A
    bare tree is one without marks and texts. A log may have a column with the formulas of the trees,
    and curves what the paper proves.
    """

    kind: ExportKind
    path: Path
    at: int
    first: int
    last: int
    every: Every = Every.ALL
    theme: str = "light"
    width: int = 1280
    height: int = 720
    scale: float = 1.0
    pace: float = 1.0
    is_fragment: bool = False
    is_bare: bool = False
    has_formulas: bool = False
    has_theory: bool = False
    title: str = ""

    @property
    def format(self) -> ExportFormat:
        """How it is written; raises `KeyError` for an ending that this kind does not have."""
        return self.kind.by_ending[ending_of(self.path)]


def ending_of(path: Path) -> str:
    """The ending of the file, without its dot."""
    return path.suffix.removeprefix(".").lower()


def loaded(reference: str) -> Any:
    """What ``module:name`` is; its module is imported now."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


def seconds_of_film(request: ExportRequest, steps: int) -> float:
    """How long a film of so many steps is."""
    return steps / request.pace + LAST_STEP_S


def iterations_of(request: ExportRequest, history: History) -> list[int]:
    """The iterations of its range that are wanted, the first of it always among them."""
    first, last = request.first, request.last
    wanted = _wanted(request)
    if wanted is None:
        return list(range(first, last + 1))
    found = has_property(history.codes(first + 1, last + 1), wanted).nonzero()[0]
    return [first, *(found + first + 1).tolist()]


def number_of_iterations(request: ExportRequest, history: History) -> int:
    """How many `iterations_of` gives, without making them."""
    wanted = _wanted(request)
    if wanted is None:
        return request.last - request.first + 1
    return 1 + int(has_property(history.codes(request.first + 1, request.last + 1), wanted).sum())


def _wanted(request: ExportRequest) -> Property | None:
    """What the iterations have that are taken; None if all are."""
    if "every" not in request.format.options or request.every is Every.ALL:
        return None
    return Property(request.every.value)
