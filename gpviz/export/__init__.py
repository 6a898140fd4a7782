"""Taking a run away: as text, as a table."""
