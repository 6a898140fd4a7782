"""The exports there are, each described once: its texts, its formats with their options and limits, its writers.

The dialog, the export buttons, the command line and the guide read this list. It imports none of the writers, so
that reading it costs nothing and needs no screen.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.engine.optional_packages import how_to_get
from gpviz.engine.search import RlsGp
from gpviz.export.request import (
    FLAGS,
    ExportFormat,
    ExportKind,
    ExportRequest,
    OnProgress,
    Subject,
    check_request,
    check_steps,
    ending_of,
    loaded,
    seconds_of_film,
)
from gpviz.files.file_io import write_error
from gpviz.number_text import counted
from gpviz.runs.history import History
from gpviz.runs.replay import generalisation_of, stuck_since
from gpviz.runs.run_file import Bookmark

MOST_ON_A_PAGE: Final = 10_000
"""How many iterations a web page has at most besides the first; with more of them it would take long to open."""
_FEW_ITERATIONS: Final = 200_000
_FEW_LEAVES: Final = 400
_FEW_UNKNOWN_LEAVES: Final = 64
"""What is known of so small a tree is found out at once."""

_PICTURE_WRITER: Final = "gpviz.app.export.pictures:write_picture"
_FILM_WRITER: Final = "gpviz.app.export.film:write_film"
_LOG_WRITER: Final = "gpviz.export.run_tables:write_log"

IsQuick = Callable[[ExportRequest, Subject], bool]


def _pixels(request: ExportRequest, _steps: int) -> str:
    across, down = round(request.width * request.scale), round(request.height * request.scale)
    return f"A picture of {across:,} × {down:,} pixels."


def _drawing(request: ExportRequest, _steps: int) -> str:
    return f"A drawing of {request.width:,} × {request.height:,}, sharp at any size."


def _film(request: ExportRequest, steps: int) -> str:
    seconds = max(round(seconds_of_film(request, steps)), 1)
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    duration = f"{minutes} min {rest} s" if minutes else f"{rest} s"
    duration = f"{hours} h {minutes} min" if hours else duration
    return f"{counted(steps, 'step')}, a film of about {duration}."


def _rows(_request: ExportRequest, steps: int) -> str:
    return f"{counted(steps, 'row')}."


def _is_quick_tree(request: ExportRequest, subject: Subject) -> bool:
    tree = subject.history.tree_at(request.at)
    most = _FEW_LEAVES if subject.has_analysis_at(request.at) else _FEW_UNKNOWN_LEAVES
    return request.is_bare or tree is None or tree.leaves <= most


def _is_quick_curve(request: ExportRequest, subject: Subject) -> bool:
    is_long_work = request.has_theory and subject.history.config.is_sampled
    return request.last - request.first <= _FEW_ITERATIONS and not is_long_work


def _picture_formats(
    *options: str,
    endings: tuple[str, ...] = ("png", "svg", "pdf"),
    is_quick: IsQuick,
    needs: frozenset[str] = frozenset(),
    writer: str = _PICTURE_WRITER,
) -> tuple[ExportFormat, ...]:
    """The formats of what is painted from a widget; only pixels are made sharper by more of them."""
    titles = {"png": "PNG picture", "svg": "SVG drawing", "pdf": "PDF drawing"}
    return tuple(
        ExportFormat(
            ending=ending,
            title=titles[ending],
            writer=writer,
            options=frozenset({*options, "theme", "size", *(["scale"] if ending == "png" else [])}),
            amount=_pixels if ending == "png" else _drawing,
            is_painted=True,
            is_quick=is_quick,
            needs=needs,
        )
        for ending in endings
    )


def _film_format(ending: str, title: str, most_seconds: int, *, has_even_sides: bool) -> ExportFormat:
    return ExportFormat(
        ending=ending,
        title=title,
        writer=_FILM_WRITER,
        options=frozenset({"range", "every", "pace", "theme", "size"}),
        amount=_film,
        is_painted=True,
        has_even_sides=has_even_sides,
        most_seconds=most_seconds,
    )


KINDS: tuple[ExportKind, ...] = (
    ExportKind(
        name="tree",
        title="Tree",
        description="One tree, as a picture or as TikZ for a paper.",
        icon="export-tree",
        usual_for=("png", "svg", "pdf", "tex"),
        picture="gpviz.app.export.pictures:tree_widget",
        formats=(
            *_picture_formats("at", "bare", endings=("png",), is_quick=_is_quick_tree),
            ExportFormat(
                ending="svg",
                title="SVG drawing",
                writer="gpviz.export.svg:write_svg",
                options=frozenset({"at", "bare", "theme", "size"}),
                amount=_drawing,
                is_quick=_is_quick_tree,
            ),
            *_picture_formats("at", "bare", endings=("pdf",), is_quick=_is_quick_tree),
            ExportFormat(
                ending="tex",
                title="LaTeX",
                note="TikZ",
                writer="gpviz.export.tikz:write_tikz",
                options=frozenset({"at", "fragment", "bare"}),
                amount=lambda request, _: (
                    "TikZ to include." if request.is_fragment else "A complete document."
                ),
                is_quick=_is_quick_tree,
            ),
        ),
    ),
    ExportKind(
        name="curves",
        title="Curves",
        description="Error and size, as a picture or as numbers.",
        icon="export-curves",
        picture="gpviz.app.export.pictures:curves_widget",
        formats=(
            *_picture_formats(
                "range",
                "theory",
                is_quick=_is_quick_curve,
                needs=frozenset({"stuck_since", "generalisation"}),
            ),
            ExportFormat(
                ending="csv",
                title="CSV table",
                writer="gpviz.export.run_tables:write_curve_table",
                options=frozenset({"range"}),
                amount=_rows,
                needs=frozenset({"generalisation"}),
            ),
        ),
    ),
    ExportKind(
        name="outlook",
        title="Outlook",
        description="The chance to end stuck along the run.",
        icon="export-outlook",
        picture="gpviz.app.export.pictures:outlook_widget",
        formats=(
            *_picture_formats(
                "at",
                "range",
                is_quick=lambda request, subject: False,
                writer="gpviz.app.export.pictures:write_outlook",
            ),
            ExportFormat(
                ending="csv",
                title="CSV table",
                writer="gpviz.export.run_tables:write_outlook_table",
                options=frozenset({"range"}),
                amount=lambda request, steps: "A row for each change of the tree.",
            ),
        ),
    ),
    ExportKind(
        name="table",
        title="Truth table",
        description="The rows, and where a tree is wrong.",
        icon="export-table",
        picture="gpviz.app.export.pictures:truth_table_widget",
        formats=_picture_formats("at", endings=("png",), is_quick=lambda request, subject: True),
    ),
    ExportKind(
        name="film",
        title="Film",
        description="The run in motion, as the window shows it.",
        icon="export-film",
        usual_for=("mp4", "gif"),
        extra="video",
        formats=(
            _film_format("mp4", "MP4 film", 1800, has_even_sides=True),
            _film_format("gif", "GIF animation", 300, has_even_sides=False),
        ),
    ),
    ExportKind(
        name="slides",
        title="Slides",
        description="LaTeX Beamer, a frame for every step.",
        icon="export-slides",
        usual_for=("tex",),
        formats=(
            ExportFormat(
                ending="tex",
                title="LaTeX",
                writer="gpviz.export.slides:write_slides",
                options=frozenset({"range", "every", "title"}),
                amount=lambda _, steps: f"{counted(steps, 'frame')}.",
                most_steps=500,
            ),
        ),
    ),
    ExportKind(
        name="page",
        title="Web page",
        description="Replays the run in any browser.",
        icon="export-page",
        usual_for=("html",),
        formats=(
            ExportFormat(
                ending="html",
                title="HTML page",
                writer="gpviz.export.web_page:write_page",
                options=frozenset({"range", "every", "title"}),
                amount=lambda _, steps: f"{counted(steps, 'iteration')} to step through.",
                needs=frozenset({"stuck_since"}),
                most_steps=MOST_ON_A_PAGE + 1,
            ),
        ),
    ),
    ExportKind(
        name="log",
        title="Log",
        description="Every iteration as a row of numbers.",
        icon="export-log",
        usual_for=("csv", "jsonl"),
        formats=tuple(
            ExportFormat(
                ending=ending,
                title=title,
                writer=_LOG_WRITER,
                options=frozenset({"range", "formulas"}),
                amount=_rows,
            )
            for ending, title in (("csv", "CSV table"), ("jsonl", "JSON lines"))
        ),
    ),
)


def kind_named(name: str) -> ExportKind:
    """The kind of this name; raises `GpvizError` if there is none."""
    for kind in KINDS:
        if kind.name == name:
            return kind
    raise InvalidValueError("--what", name, f"one of {', '.join(kind.name for kind in KINDS)}")


def kind_for(path: Path, *, is_range: bool = False) -> ExportKind:
    """What a file of this name usually holds; a range of trees in LaTeX is slides."""
    ending = ending_of(path)
    kinds = [kind for kind in KINDS if ending in kind.usual_for]
    if not kinds:
        known = dict.fromkeys(each for kind in KINDS for each in kind.usual_for)
        endings = ", ".join(f".{each}" for each in known)
        raise InvalidValueError(FLAGS["path"], path.name, f"a file that ends in one of {endings}")
    return next((kind for kind in kinds if is_range and "range" in kind.by_ending[ending].options), kinds[0])


def studied(
    request: ExportRequest,
    search: RlsGp,
    history: History,
    bookmarks: tuple[Bookmark, ...] = (),
    should_stop: Callable[[], bool] | None = None,
) -> Subject:
    """The run with what this export shows of it, found out now; ``search`` has done it to its end."""
    needs = request.format.needs
    since = stuck_since(search, should_stop) if "stuck_since" in needs else None
    has_other_error = "generalisation" in needs and history.config.is_sampled
    known = generalisation_of(search, history, should_stop) if has_other_error else None
    return Subject(history=history, generalisation=known, stuck_since=since, bookmarks=bookmarks)


def write(request: ExportRequest, subject: Subject, on_progress: OnProgress | None = None) -> None:
    """Write the file; raises `GpvizError` with a sentence where that fails, and then nothing is left of it."""
    check_request(request, len(subject.history))
    check_steps(request, subject.history)
    kind = request.kind
    try:
        loaded(request.format.writer)(request, subject, on_progress)
    except ImportError as missing:
        advice = f" {how_to_get(kind.extra)}" if kind.extra else ""
        raise GpvizError(f"The {kind} cannot be written here ({missing}).{advice}") from missing
    except BrokenPipeError:
        raise  # nobody reads how far it is any more
    except OSError as error:
        raise write_error(request.path, error) from error
    except MemoryError as error:
        raise write_error(request.path, MemoryError("there is not enough memory for it")) from error
