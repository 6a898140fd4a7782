"""Every export by its writer. Each is loaded when it is wanted, and Qt only for what is painted."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from gpviz.engine.errors import GpvizError, TooComplexError
from gpviz.engine.search import RlsGp
from gpviz.engine.tree_analysis import Analysis, analyse
from gpviz.export.request import ExportRequest, OnProgress, What, format_of, iterations_of
from gpviz.run.bookmarks import Bookmark
from gpviz.run.file_io import shown_path
from gpviz.run.history import Generalisation, History
from gpviz.run.replay import generalisation_of, stuck_since

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

__all__ = ["Subject", "is_painted", "paint", "studied", "write"]

_PAINTED: Final = (What.TREE, What.CURVES, What.TABLE, What.FILM)
_AS_TEXT: Final = ("tex", "csv")
_PATIENCE_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A run, and what is known of it besides its history; ``analysis`` is that of the tree on show."""

    history: History
    generalisation: Generalisation | None = None
    stuck_since: int | None = None
    bookmarks: tuple[Bookmark, ...] = ()
    analysis: Analysis | None = None


def is_painted(request: ExportRequest) -> bool:
    """Whether Qt paints it; then an application has to be there, and the writing is done in its thread."""
    return request.what in _PAINTED and format_of(request.path) not in _AS_TEXT


def studied(
    request: ExportRequest,
    search: RlsGp,
    history: History,
    bookmarks: tuple[Bookmark, ...] = (),
    should_stop: Callable[[], bool] | None = None,
) -> Subject:
    """The run with what this export tells of it, found out now; ``search`` has done it to its end."""
    is_curves = request.what is What.CURVES
    is_marked = request.what is What.PAGE or (is_curves and is_painted(request))
    since = stuck_since(search, should_stop) if is_marked else None
    has_other_error = is_curves and history.config.is_sampled
    known = generalisation_of(search, history, should_stop) if has_other_error else None
    return Subject(history=history, generalisation=known, stuck_since=since, bookmarks=bookmarks)


def write(request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None) -> None:
    """Write the file; raises `GpvizError` with a sentence where that fails, and then nothing is left of it."""
    try:
        _WRITERS[request.what](request, subject, on_progress)
    except ImportError as missing:
        extra = "; pip install 'gpviz[video]' brings what films need" if request.what is What.FILM else ""
        raise GpvizError(f"The {request.what} cannot be written here ({missing}){extra}.") from missing
    except BrokenPipeError:
        raise  # nobody reads how far it is any more
    except OSError as error:
        reason = error.strerror or str(error)
        raise GpvizError(f"{shown_path(request.path)}: it cannot be written; {reason}.") from error
    except MemoryError as error:
        raise GpvizError(
            f"{shown_path(request.path)}: it cannot be written; there is not enough memory for it."
        ) from error


def paint(request: ExportRequest, subject: Subject) -> "QImage":
    """The picture of a tree, curves or a truth table in memory; raises `GpvizError` where that fails."""
    if request.what is What.TREE:
        from gpviz.app.export.pictures import tree_image

        options = {**_look_options(request), "scale": request.scale, "is_bare": request.is_bare}
        return tree_image(subject.history, request.at, **options, analysis=subject.analysis)
    if request.what is What.CURVES:
        from gpviz.app.export.pictures import curves_image

        first, last = request.first, request.last
        options = {**_look_options(request), **_curve(subject)}
        return curves_image(subject.history, first, last, scale=request.scale, **options)
    from gpviz.app.export.pictures import table_image

    return table_image(subject.history, request.at, **_look_options(request), scale=request.scale)


def _look_options(request: ExportRequest) -> dict[str, Any]:
    return {"theme_name": request.theme, "width": request.width, "height": request.height}


def _curve(subject: Subject) -> dict[str, Any]:
    known = subject.generalisation
    pair = (known.iterations, known.shares) if known else None  # one without entries is none
    return {"generalisation": pair, "stuck_since": subject.stuck_since}


def _write_tree(request: ExportRequest, subject: Subject, _: OnProgress | None) -> None:
    path, history, known = request.path, subject.history, subject.analysis
    if not is_painted(request):
        from gpviz.export.tikz import write_tikz

        tree, rules = history.tree_at(request.at), history.rules_after(request.at)
        is_of_another = known is None or not known.is_of(tree, rules)
        if is_of_another and not request.is_bare:
            known = _analysis(history, request.at)
        is_fragment, is_bare = request.is_fragment, request.is_bare
        write_tikz(path, history, request.at, is_fragment=is_fragment, analysis=known, is_bare=is_bare)
        return
    from gpviz.app.export.pictures import write_tree_picture

    options = {**_look_options(request), "scale": request.scale, "is_bare": request.is_bare}
    write_tree_picture(path, history, request.at, **options, analysis=known)


def _analysis(history: History, at: int) -> Analysis | None:
    """What is known of a tree after some seconds; None for one that is too tangled to count."""
    end = monotonic() + _PATIENCE_SECONDS
    try:
        return analyse(history.tree_at(at), history.rules_after(at), lambda: monotonic() > end)
    except TooComplexError:
        return None


def _write_curves(request: ExportRequest, subject: Subject, on_progress: OnProgress | None) -> None:
    path, history, first, last = request.path, subject.history, request.first, request.last
    if not is_painted(request):
        from gpviz.export.curve_table import write_curve_table

        known = subject.generalisation
        write_curve_table(path, history, first, last, generalisation=known, on_progress=on_progress)
        return
    from gpviz.app.export.pictures import write_curves_picture

    options = {**_look_options(request), **_curve(subject)}
    write_curves_picture(path, history, first, last, scale=request.scale, **options)


def _write_table(request: ExportRequest, subject: Subject, _: OnProgress | None) -> None:
    from gpviz.app.export.pictures import write_table_picture

    write_table_picture(
        request.path, subject.history, request.at, **_look_options(request), scale=request.scale
    )


def _write_film(request: ExportRequest, subject: Subject, on_progress: OnProgress | None) -> None:
    from gpviz.app.export.film import write_film

    write_film(
        request.path,
        subject.history,
        iterations_of(subject.history, request.first, request.last, request.every),
        **_look_options(request),
        pace=request.pace,
        on_progress=on_progress,
    )


def _write_slides(request: ExportRequest, subject: Subject, on_progress: OnProgress | None) -> None:
    from gpviz.export.slides import write_slides

    wanted = iterations_of(subject.history, request.first, request.last, request.every)
    write_slides(request.path, subject.history, wanted, title=request.title, on_progress=on_progress)


def _write_page(request: ExportRequest, subject: Subject, on_progress: OnProgress | None) -> None:
    from gpviz.export.web_page import write_page

    write_page(
        request.path,
        subject.history,
        request.first,
        request.last,
        title=request.title,
        bookmarks=subject.bookmarks,
        stuck_since=subject.stuck_since,
        on_progress=on_progress,
    )


def _write_log(request: ExportRequest, subject: Subject, on_progress: OnProgress | None) -> None:
    from gpviz.export.log import write_log

    write_log(request.path, subject.history, request.first, request.last, on_progress=on_progress)


_WRITERS: Final[dict[What, Callable[[ExportRequest, Subject, OnProgress | None], None]]] = {
    What.TREE: _write_tree,
    What.CURVES: _write_curves,
    What.TABLE: _write_table,
    What.FILM: _write_film,
    What.SLIDES: _write_slides,
    What.PAGE: _write_page,
    What.LOG: _write_log,
}
