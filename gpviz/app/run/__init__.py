"""The run on show: its controller, the worker that makes its steps, its branches and its files."""
