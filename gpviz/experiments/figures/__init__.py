"""What the charts of an experiment show, without a window, and how they are drawn as SVG."""
