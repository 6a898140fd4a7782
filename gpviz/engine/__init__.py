"""The engine: RLS-GP on syntax trees, exact and reproducible. Plain Python and numpy, no Qt, no I/O."""
