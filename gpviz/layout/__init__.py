"""Where the nodes of a tree are drawn, and what differs between two trees. The only place that knows networkx."""
