"""Experiments: very many runs of a plan on all cores, what came of them, and the paper beside it."""
