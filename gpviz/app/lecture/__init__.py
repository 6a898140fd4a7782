"""Lecture mode: what the audience sees, what the speaker sees, and the way through the scenes."""
