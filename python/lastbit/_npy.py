"""Writes arrays of any library to .npy files, for the command to read."""

import ctypes
import sys
from typing import Any

from ._errors import Error

_BYTES = {"float64": "<f8", "float32": "<f4", "float16": "<f2", "bfloat16": "<V2"}


def save(array: Any, path: str) -> None:
    """Write an array, a tensor on any device, or a list of numbers to a file."""
    if any(c.__module__.startswith("numpy.ma") for c in type(array).__mro__):
        raise Error("bad-data", "a masked array is not read, since its mask would be ignored", "give x.compressed(), or x.filled(0)")
    dtype, shape, data = _dense(array)
    if dtype not in _BYTES:
        raise Error("bad-data", f"an array of {dtype} is none of floating-point numbers", "convert it to " + ", ".join(_BYTES))
    descr = _BYTES[dtype] if sys.byteorder == "little" else _BYTES[dtype].replace("<", ">")
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape!r}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + data)


def _dense(array: Any) -> "tuple[str, tuple[int, ...], bytes]":
    """Return the type, the shape and the bytes of an array, row by row."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        try:  # a negative view is its memory, and a bit
            dense = array.detach().cpu().resolve_neg().contiguous()
            data = ctypes.string_at(dense.data_ptr(), dense.numel() * dense.element_size())
        except (RuntimeError, NotImplementedError) as error:  # sparse, nested, without memory
            reason = str(error).strip().partition("\n")[0]
            raise Error("bad-data", f"a tensor has no dense numbers: {reason}", "give a dense one, as by x.to_dense()") from error
        return str(dense.dtype).rpartition(".")[2], tuple(dense.shape), data
    if hasattr(array, "__array__"):
        dense = _converted(array)
        dense = dense.astype(dense.dtype.newbyteorder("="))
        return dense.dtype.name, dense.shape, dense.tobytes()
    return _listed(array)


_FLOATS = {"double", "float", "halffloat", *_BYTES}  # of NumPy, Polars, PyArrow and pandas


def _converted(array: Any) -> Any:
    """Return an array, a column or a table as NumPy's, unless its numbers may change.

    Integers become floats, and are rounded, beside floats and where one is missing. A
    missing number becomes NaN.
    """
    import numpy

    dense = numpy.asarray(array)
    kind = getattr(array, "dtype", getattr(array, "type", None))
    kinds = [kind] if kind is not None else list(
        getattr(array, "dtypes", getattr(getattr(array, "schema", None), "types", ())))
    cause = ""
    for kind in kinds:
        name = str(getattr(kind, "name", kind)).rpartition(".")[2].partition("[")[0].lower()
        if name not in _FLOATS and name != dense.dtype.name:
            cause = f"numbers of {kind} become {dense.dtype}, which may round them"
    if not all(isinstance(kind, numpy.dtype) for kind in kinds) and dense.dtype.kind == "f":
        missing = getattr(array, "null_count", None)
        missing = missing() if callable(missing) else missing
        if not (isinstance(missing, int) and missing == 0) and numpy.isnan(dense).any():
            cause = cause or "a missing number becomes NaN"
    if cause:
        raise Error("bad-data", f"of a {type(array).__name__}, {cause}", "give an array of NumPy, as by x.to_numpy()")
    return dense


def _listed(array: Any) -> "tuple[str, tuple[int, ...], bytes]":
    """Return the same for a buffer, or for lists of Python's numbers."""
    from array import array as packed

    try:
        view = memoryview(array)
    except TypeError:
        rows, shape = array, []
        try:
            while isinstance(rows, (list, tuple)):
                shape.append(len(rows))
                rows = rows[0] if rows else 0.0
            return "float64", tuple(shape), packed("d", _flat(array, shape)).tobytes()
        except (TypeError, ValueError, OverflowError):
            raise Error(
                "bad-data",
                f"a value of type {type(array).__name__} holds no array of numbers",
                "give an array, a tensor or a list of floats",
            ) from None
    kind = {"d": "float64", "f": "float32", "e": "float16"}.get(view.format, f"format {view.format}")
    return kind, tuple(view.shape or ()), view.tobytes()


def _flat(values: Any, shape: "list[int]") -> "list[float]":
    if not shape and isinstance(values, (int, float)):
        if float(values) != values and values == values:
            raise ValueError("a float64 does not hold the integer")
        return [float(values)]
    if not shape or not isinstance(values, (list, tuple)):
        raise TypeError("a value is no number")
    if len(values) != shape[0]:
        raise ValueError("the rows have several lengths")
    return [x for row in values for x in _flat(row, shape[1:])]
