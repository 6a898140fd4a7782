"""A run as data: its history, branches and files, and the presets. No Qt."""
