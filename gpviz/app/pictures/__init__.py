"""Pictures and films of a run to be taken away: painted by the window's own views, which nobody sees meanwhile."""

from gpviz.app.pictures.curves import curves_image, write_curves_picture
from gpviz.app.pictures.film import film_frames, write_film
from gpviz.app.pictures.table import table_image, write_table_picture
from gpviz.app.pictures.tree import copy_tree, tree_image, write_tree_picture

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
