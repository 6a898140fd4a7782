"""The curves of a run and its timeline."""
