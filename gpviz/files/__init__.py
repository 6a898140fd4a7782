"""Reads the files of strangers with care, and writes files so that nothing is lost."""
