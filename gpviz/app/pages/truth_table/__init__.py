"""The page of the truth table."""
