"""What is drawn of runs side by side, wherever they are compared: their looks, their curves, and how they end."""
