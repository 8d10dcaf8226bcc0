"""An exact sum that grows, merges and travels."""

import ctypes
import hashlib
import threading
import os
from typing import Any, Callable, Tuple

from . import _library as lib
from ._arrays import FLOATS, FORMATS, Output, dtype_of, view, with_article
from ._errors import Error


class _Merging:
    """The lock of changes to accumulators: each takes a microsecond."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.lock = threading.Lock()


_merging = _Merging()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_merging.begin)


class Accumulator:
    """An exact sum of numbers and products.

    Its state depends on the multiset of the summands only: accumulators that
    took the same numbers, in any order, split in any way, in any process and on
    any machine, have the same bytes and the same digest. ``lastbit sum`` reads
    and writes them too. It can be pickled, and several threads may add to one.

    >>> import lastbit
    >>> a = lastbit.Accumulator([1e300, 1.0])
    >>> b = lastbit.Accumulator([-1e300])
    >>> a.merge(b)
    >>> a.value(), a.count
    (1.0, 3)
    >>> lastbit.Accumulator.from_state(a.state()).digest() == a.digest()
    True
    """

    __slots__ = ("_limbs",)

    def __init__(self, array: Any = None) -> None:
        self._limbs = (ctypes.c_int64 * lib.LIMBS)()
        if array is not None:
            self.add(array)

    def add(self, array: Any) -> None:
        """Add every element of an array, or a number: see ``lastbit.sum``."""
        with view(array) as x:
            form = x.array()
            self._take("lastbit_accumulate", ctypes.byref(form), None)

    def add_products(self, a: Any, b: Any) -> None:
        """Add the products of the elements of two arrays, unrounded.

        >>> import lastbit
        >>> acc = lastbit.Accumulator()
        >>> acc.add_products([3.0], [5.0])
        >>> acc.value()
        15.0
        """
        with view(a) as x, view(b) as y:
            if x.shape != y.shape or x.format != y.format:
                raise Error(
                    "array-shape",
                    f"products need two arrays of one shape and dtype: {x.shape} of "
                    f"{FORMATS[x.format]} and {y.shape} of {FORMATS[y.format]}",
                    "convert one of them",
                )
            first, second = x.array(), y.array()
            self._take("lastbit_accumulate", ctypes.byref(first), ctypes.byref(second))

    def _take(self, function: str, *arguments: Any) -> None:
        more = (ctypes.c_int64 * lib.LIMBS)()
        lib.call(function, *arguments, more)
        self._change(more, 0)

    def _change(self, other: Any, removes: int) -> None:
        with _merging.lock:
            lib.call("lastbit_merge", self._limbs, other, removes)

    def merge(self, other: "Accumulator") -> None:
        """Add every summand of another accumulator."""
        self._change(_copy(other), 0)

    def sub(self, other: "Accumulator") -> None:
        """Remove every summand of another accumulator: the inverse of merge.

        >>> import lastbit
        >>> a = lastbit.Accumulator([1e300, 1.0])
        >>> a.sub(lastbit.Accumulator([1e300]))
        >>> a.value()
        1.0
        """
        self._change(_copy(other), 1)

    @property
    def count(self) -> int:
        """The number of summands. It is negative if more were removed."""
        return self._limbs[0]

    def value(self, dtype: Any = "float64") -> Any:
        """Return the sum, rounded once: a float, or an int for int64, uint64.

        Raises ``lastbit.Error``: ``integer-overflow`` for a sum that the integer
        dtype does not hold, since it is too large, a fraction or not finite.

        >>> import lastbit
        >>> a = lastbit.Accumulator([1.0, 2.0**-30])
        >>> a.value(), a.value("float32")
        (1.0000000009313226, 1.0)
        """
        format = dtype_of(dtype)
        if format not in (*FLOATS, lib.INT64, lib.UINT64):
            raise Error(
                "array-dtype",
                f"an accumulator has no value of the dtype {dtype}",
                "give float64, float32, float16, bfloat16, int64 or uint64",
            )
        out = Output("", format, ())
        bits = ctypes.c_uint64()
        limbs = _copy(self)
        try:
            lib.call("lastbit_value", limbs, format, ctypes.byref(bits))
        except Error as error:
            if error.id != "integer-overflow":
                raise
            lib.call("lastbit_value", limbs, lib.FLOAT64, ctypes.byref(bits))
            near = ctypes.c_double.from_buffer(bits).value
            raise Error(
                error.id,
                f"the sum is {near!r}, rounded to float64, and no {FORMATS[format]}",
                "give float64, or int64 or uint64 where one holds the sum",
            ) from None
        ctypes.memmove(out.at, ctypes.byref(bits), ctypes.sizeof(bits))
        return out.result()

    def state(self) -> bytes:
        """Return the canonical bytes, of the form of docs/reference/state.md."""
        memory = ctypes.create_string_buffer(lib.MAX_STATE)
        length = ctypes.c_int64()
        lib.call("lastbit_state", _copy(self), memory, ctypes.byref(length))
        return memory.raw[: length.value]

    @classmethod
    def from_state(cls, state: bytes) -> "Accumulator":
        """Return the accumulator whose state it is.

        Raises ``lastbit.Error``: ``bad-state`` for bytes that are not one.
        """
        made = cls()
        content = bytes(state)  # an array's length may be in other units
        lib.call("lastbit_from_state", content, len(content), made._limbs)
        return made

    def digest(self) -> str:
        """Return the SHA-256 hash of the state, in hexadecimal digits."""
        return hashlib.sha256(self.state()).hexdigest()

    def __reduce__(self) -> "Tuple[Callable[[bytes], Accumulator], Tuple[bytes]]":
        return Accumulator.from_state, (self.state(),)

    def __repr__(self) -> str:
        return f"<lastbit.Accumulator of {self.count} summands: {self.value()!r}>"


def _copy(a: Accumulator) -> Any:
    """Return a copy of the limbs, between two changes."""
    if not isinstance(a, Accumulator):
        raise TypeError(f"{with_article(type(a))} is not a lastbit.Accumulator")
    with _merging.lock:
        return type(a._limbs).from_buffer_copy(a._limbs)
