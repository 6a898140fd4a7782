"""The contents that scenes can hold beside the tree, as text."""

from typing import Final

from gpviz.experiments.figures.figure_data import figure_of
from gpviz.lecture.scene_content import SceneChart, SceneContent, ScenePicture, SceneStatement
from gpviz.paper_statements import statement

CONTENT_CHOICES: Final = (
    ("chart", "&Chart of an experiment …", "A chart of an experiment that is saved in a file."),
    ("statement", "&Statement of the paper …", "One of the paper's theorems, lemmas, algorithms or tables."),
    ("picture", "&Picture …", "A picture from a PNG or JPEG file."),
    ("comparison", "&Runs side by side …", "Two to four runs of the lecture, at the same iteration."),
)
"""What a scene can hold: its name, its text in a menu, and its tip."""


def content_name(content: SceneContent) -> str:
    """What it shows, such as the title of a chart."""
    match content:
        case SceneChart():
            return figure_of(content.figure).title
        case SceneStatement():
            return statement(content.name).heading
        case ScenePicture():
            return content.alt
        case _:
            return ", ".join(lane.label for lane in content.lanes)


def content_title(content: SceneContent) -> str:
    """What it is, what it shows, and where it comes from."""
    name = content_name(content)
    match content:
        case SceneChart():
            return f"Chart: {name} (plan {content.plan}, {content.runs:,} runs a cell, seed {content.seed})"
        case SceneStatement():
            return f"Statement: {name}"
        case ScenePicture():
            return f"Picture: {name}"
        case _:
            return f"Comparison: {name}"
