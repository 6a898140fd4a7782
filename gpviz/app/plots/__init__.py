"""The curves of a run and its time strip."""
