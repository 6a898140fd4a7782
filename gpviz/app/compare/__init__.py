"""Two to four runs side by side: the same iteration of each, and their curves in one plot."""
