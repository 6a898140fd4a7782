"""Taking a run away from the window: the dialog, the jobs, and the pictures and films that Qt paints."""
