"""The page of neighbours: everything the next iteration can do to the tree."""
