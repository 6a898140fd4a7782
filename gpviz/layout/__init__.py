"""Where the nodes of a tree are drawn. Nothing else in gpviz knows networkx."""
