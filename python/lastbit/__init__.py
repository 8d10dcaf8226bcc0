"""Exact sums in this process, and the lastbit command.

>>> import lastbit
>>> lastbit.sum([1e300, 1.0, -1e300])
1.0
"""

from ._errors import Error
from ._findings import Comparison, Explanation, Finding, Invariance, PairWitness, Witness
from ._questions import compare, explain, invariant, replay, reveal

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "Error",
    "Explanation",
    "Finding",
    "Invariance",
    "PairWitness",
    "Witness",
    "compare",
    "explain",
    "invariant",
    "replay",
    "reveal",
]
