"""One moment of a run as one picture, and its printers for SVG, TikZ and the terminal."""
