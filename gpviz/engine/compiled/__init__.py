"""The compiled loop: runs from one tree, as fast as numba makes them."""
