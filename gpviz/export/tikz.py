"""The tree of an iteration as TikZ: a document that compiles by itself, or a picture for another one."""

from dataclasses import replace
from typing import Final

from gpviz import assets
from gpviz.engine import GpvizError, Node
from gpviz.escaping import latex_comment
from gpviz.explain.tree_text import position_text
from gpviz.export.request import ExportRequest, OnProgress, Subject
from gpviz.export.tree_picture import tree_picture
from gpviz.files.file_io import write_file
from gpviz.picture.drawing import items_of
from gpviz.picture.fit import natural_size
from gpviz.picture.tikz import tikz_of

MOST_NODES: Final = 2000
"""TeX keeps a whole picture in its memory."""

PAPER: Final = "light"
"""The theme: paper is white."""
_USUAL: Final = (1280.0, 720.0)
_SCALE: Final = 0.8
"""How large the nodes of a tree are drawn for which a picture is made larger than usual."""
_BESIDE: Final = (80.0, 220.0)
"""In pixels: what a picture has beside its tree, and above and below it."""
_LONGEST_SIDE: Final = 5_600.0
"""In pixels, about a metre: TeX knows no length above 575 cm, and no sheet of paper is larger than that."""
_BORDER: Final = "1pt"
"""Half the width of a line is outside of what TikZ takes for the picture."""


def write_tikz(request: ExportRequest, subject: Subject, _on_progress: OnProgress | None = None) -> None:
    """Write the tree of an iteration; an existing file is replaced once the new one is complete."""
    tree = subject.history.tree_at(request.at)
    check_size(0 if tree is None else tree.leaves)
    width, height = _size_for(tree)
    picture = tree_picture(replace(request, theme=PAPER, width=width, height=height), subject)
    drawing = tikz_of(
        items_of(picture), width, height, assets.theme_data(PAPER)["colours"], is_cropped=request.is_bare
    )
    caption = f"gpviz: {position_text(subject.history, request.at)}"
    if request.is_fragment:
        lines = [latex_comment(f"{caption}\nThe preamble needs \\usepackage{{tikz}}"), drawing]
    else:
        lines = [
            latex_comment(caption),
            rf"\documentclass[tikz, border={_BORDER}]{{standalone}}",
            r"\begin{document}",
            drawing,
            r"\end{document}",
        ]
    write_file(request.path, "\n".join([*lines, ""]).encode())


def check_size(leaves: int) -> None:
    """Raise `GpvizError` if a tree with so many leaves is too large for TeX."""
    nodes = max(2 * leaves - 1, 0)
    if nodes > MOST_NODES:
        raise GpvizError(
            f"The tree has {nodes:,} nodes, but TikZ draws at most {MOST_NODES:,}; export it as SVG or "
            "PDF instead."
        )


def _size_for(tree: Node | None) -> tuple[int, int]:
    """As large as usual, and larger for a tree that would be drawn very small."""
    sides = zip(natural_size(tree, _SCALE), _BESIDE, _USUAL, strict=True)
    width, height = (round(min(max(side + beside, least), _LONGEST_SIDE)) for side, beside, least in sides)
    return width, height
