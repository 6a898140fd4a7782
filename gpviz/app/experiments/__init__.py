"""The experiments window: plans made and run, distributions that grow, and a run opened in the main window."""
