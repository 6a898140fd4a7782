"""The words of the export dialog: what there is to take away, in which formats, and how much it will be."""

from collections.abc import Mapping
from typing import Final

from gpviz.export.request import Every, ExportRequest, What, format_of, options_for, seconds_of_film

__all__ = [
    "EVERY",
    "FIELDS",
    "FORMAT_NAMES",
    "KINDS",
    "PACES",
    "SCALES",
    "SIZES",
    "amount_text",
    "written_text",
]

KINDS: Final[Mapping[What, tuple[str, str]]] = {
    What.TREE: ("Tree", "One tree, as a picture or as TikZ for a paper."),
    What.CURVES: ("Curves", "Error and size, as a picture or as numbers."),
    What.TABLE: ("Truth table", "The rows, and where a tree is wrong."),
    What.FILM: ("Film", "The canvas in motion, with captions."),
    What.SLIDES: ("Slides", "LaTeX Beamer, a frame for every step."),
    What.PAGE: ("Web page", "Replays the run in any browser."),
    What.LOG: ("Log", "Every iteration as a row of numbers."),
}
"""What can be chosen, and what it is."""

FORMAT_NAMES: Final = {
    "png": "PNG picture",
    "svg": "SVG drawing",
    "pdf": "PDF drawing",
    "tex": "LaTeX",
    "csv": "CSV table",
    "mp4": "MP4 film",
    "gif": "GIF animation",
    "html": "HTML page",
    "jsonl": "JSON lines",
}

EVERY: Final = {
    Every.ALL: "Every step",
    Every.ACCEPTED: "Accepted steps only",
    Every.IMPROVED: "Improvements only",
}

SIZES: Final = (
    ("Slide", 1280, 720),
    ("Large slide", 1920, 1080),
    ("Paper", 1200, 900),
    ("4K screen", 3840, 2160),
)

SCALES: Final = {"1": "As it is", "2": "Twice as sharp", "3": "Three times", "4": "Four times"}

PACES: Final = {
    "0.5": "A step in two seconds",
    "1": "A step a second",
    "2": "2 steps a second",
    "5": "5 steps a second",
    "10": "10 steps a second",
    "20": "20 steps a second",
}

FIELDS: Final[Mapping[str, str]] = {
    "what": "What",
    "path": "File",
    "at": "Iteration",
    "range": "Iterations",
    "every": "Steps",
    "theme": "Theme",
    "size": "Size",
    "scale": "Sharpness",
    "pace": "Pace",
    "fragment": "Fragment",
    "bare": "Bare",
    "title": "Title",
}
"""How the parts of a request are called in the dialog."""


def amount_text(request: ExportRequest, steps: int) -> str:
    """How much is going to be written; ``steps`` is how many iterations are wanted."""
    used = options_for(request.what, format_of(request.path))
    if request.what is What.FILM:
        return f"{_count(steps, 'step')}, a film of about {_duration(seconds_of_film(request, steps))}."
    if request.what is What.SLIDES:
        return f"{_count(steps, 'frame')}."
    if request.what is What.PAGE:
        return f"{_count(steps, 'iteration')} to step through."
    if "size" in used and format_of(request.path) == "png":
        across, down = round(request.width * request.scale), round(request.height * request.scale)
        return f"A picture of {across:,} × {down:,} pixels."
    if "size" in used:
        return f"A drawing of {request.width:,} × {request.height:,}, sharp at any size."
    if "fragment" in used:
        return "TikZ to be included." if request.is_fragment else "A document of its own."
    return f"{_count(steps, 'row')}."


def written_text(request: ExportRequest) -> str:
    """What the thing is called in a sentence about it."""
    return {What.TABLE: "truth table", What.PAGE: "web page"}.get(request.what, request.what.value)


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _duration(seconds: float) -> str:
    whole = max(round(seconds), 1)
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
