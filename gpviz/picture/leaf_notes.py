"""What stands below each leaf of a stuck tree."""

from gpviz.explain.tree_state_text import leaf_notes as leaf_note_lines

__all__ = ["leaf_note_lines"]
