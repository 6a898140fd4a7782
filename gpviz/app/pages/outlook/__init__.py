"""The page of the outlook: how likely the run is to end stuck, seen from every iteration."""
