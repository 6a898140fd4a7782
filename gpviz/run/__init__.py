"""A run as data: its history, branches, files, lectures and the catalogue of runs worth seeing. No Qt."""
