"""The stage: the tree, what just happened to it, and what can still become of it."""
