"""The page of the outlook: how likely the run ends stuck, seen from every iteration."""
