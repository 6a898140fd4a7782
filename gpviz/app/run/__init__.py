"""The run on show: its branches, its files, and what is found out about it."""
