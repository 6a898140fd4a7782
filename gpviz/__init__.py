"""gpviz: watch genetic programming think."""

__all__ = ["__version__"]

__version__ = "1.0.0"
