"""The guide and the paper as windows: pages to read, with a list and a search."""
