"""Pictures and films of a run to be taken away: painted by the window's own views, which nobody sees meanwhile."""

from gpviz.app.export.curves_picture import curves_image, write_curves_picture
from gpviz.app.export.film import film_frames, write_film
from gpviz.app.export.tree_picture import copy_tree, tree_image, write_tree_picture
from gpviz.app.export.truth_table_picture import table_image, write_table_picture

__all__ = [
    "copy_tree",
    "curves_image",
    "film_frames",
    "table_image",
    "tree_image",
    "write_curves_picture",
    "write_film",
    "write_table_picture",
    "write_tree_picture",
]
