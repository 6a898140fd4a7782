"""Taking a run away from the window: what is asked for, the writer of each, and exports in the background."""
