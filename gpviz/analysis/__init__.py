"""What is true of a tree under the rules of a run: neighbours, waiting time, outlook, redundant leaves, bounds."""

from gpviz.analysis.exact_statistics import ExactCell, exact
from gpviz.analysis.neighbourhood import Neighbour, Neighbourhood, neighbourhood
from gpviz.analysis.outlook import Outlook, outlook
from gpviz.analysis.redundant_leaves import Redundancy, redundancy
from gpviz.analysis.waiting_time import ExpectedWait, expected_wait

__all__ = [
    "ExactCell",
    "ExpectedWait",
    "Neighbour",
    "Neighbourhood",
    "Outlook",
    "Redundancy",
    "exact",
    "expected_wait",
    "neighbourhood",
    "outlook",
    "redundancy",
]
