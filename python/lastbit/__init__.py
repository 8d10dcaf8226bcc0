"""Exact sums in this process, and the lastbit command.

>>> import lastbit
>>> lastbit.sum([1e300, 1.0, -1e300])
1.0
"""

from ._errors import Error

__version__ = "0.1.0"

__all__ = ["Error"]
