"""Exact sums in this process, and the lastbit command.

>>> import lastbit
>>> lastbit.sum([1e300, 1.0, -1e300])
1.0

A sum, dot product, mean, variance, deviation or norm is the real number, rounded
once: it depends on the multiset of the elements only. ``lastbit.math`` has
correctly rounded elementary functions.

``reveal``, ``compare`` and ``invariant`` find out how callables add, and ``explain``
why two arrays differ. ``blas`` and ``run`` give NumPy's linear algebra the same bits
everywhere.
"""

from . import math
from ._accumulator import Accumulator
from ._blas import blas, run
from ._errors import Error
from ._exact import dot, mean, norm, std, sum, var
from ._findings import Comparison, Explanation, Finding, Invariance, PairWitness, Witness
from ._questions import compare, explain, invariant, replay, reveal

__version__ = "0.1.0"

__all__ = [
    "Accumulator",
    "Comparison",
    "Error",
    "Explanation",
    "Finding",
    "Invariance",
    "PairWitness",
    "Witness",
    "blas",
    "compare",
    "dot",
    "explain",
    "invariant",
    "math",
    "mean",
    "norm",
    "replay",
    "reveal",
    "run",
    "std",
    "sum",
    "var",
]
