"""Small widgets and helpers that any view may use."""
