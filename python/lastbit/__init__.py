"""Exact sums in this process, and the lastbit command.

>>> import lastbit
>>> lastbit.sum([1e300, 1.0, -1e300])
1.0

A sum, dot product, mean, variance, deviation or norm is the real number, rounded
once: it depends on the multiset of the elements only. ``lastbit.math`` has
correctly rounded elementary functions.
"""

from . import math
from ._accumulator import Accumulator
from ._errors import Error
from ._exact import dot, mean, norm, std, sum, var

__version__ = "0.1.0"

__all__ = ["Accumulator", "Error", "dot", "math", "mean", "norm", "std", "sum", "var"]
