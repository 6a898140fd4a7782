"""The report of `gpviz reproduce` as one self-contained web page."""
