"""Calls the elementary functions of the library on arrays."""

import ctypes
import math
from typing import Any, Tuple

from . import _library as lib
from ._arrays import FLOATS, FORMATS, Output, Result, View, view
from ._errors import Error


def mapped(function: str, out: Any, *arguments: Any) -> Result:
    """Return a function of one or two arguments, stored in out if it is given."""
    views = []
    try:
        for argument in arguments:
            views.append(view(argument))
        if out is None:
            return _into_new(function, views, arguments)
        target = view(out, writable=True)
        views.append(target)
        _map(function, views[:-1], arguments, target)
        return out
    finally:
        for v in views:
            v.close()


def _into_new(function: str, views: "list[View]", arguments: "tuple[Any, ...]") -> Result:
    shape = _broadcast([v.shape for v in views])
    owner = next((v.owner for v in views if v.owner), "")
    made = Output(owner, _format(views, arguments), shape)
    _map(function, views, arguments, made.view())
    return made.result()


def _format(views: "list[View]", arguments: "tuple[Any, ...]") -> int:
    """Return the format of a result. Python's numbers adapt."""
    formats = {v.format if v.format in FLOATS else lib.FLOAT64
               for v, a in zip(views, arguments) if not _is_number(a)}
    if len(formats) > 1:
        raise Error(
            "array-dtype",
            "a function of two arrays takes arrays of one dtype: "
            + " and ".join(FORMATS[f] for f in sorted(formats)),
            "convert one of them",
        )
    return formats.pop() if formats else lib.FLOAT64


def _is_number(argument: Any) -> bool:
    return type(argument) in (float, int, bool)


def _map(function: str, views: "list[View]", arguments: "tuple[Any, ...]", out: View) -> None:
    format = _format(views, arguments)
    shape = _broadcast([v.shape for v in views])
    if out.format != format or out.shape != shape:
        raise Error(
            "array-shape" if out.format == format else "array-dtype",
            f"the result has the shape {shape} and the dtype {FORMATS[format]}, and out "
            f"{out.shape} and {FORMATS[out.format]}",
            "give an array of this shape and dtype",
        )
    if all(v.shape == shape and v.format == format and v.is_dense() for v in (*views, out)):
        lib.call("lastbit_flat", function.encode(), format, math.prod(shape), views[0].at,
                 views[1].at if len(views) > 1 else None, out.at)
        return
    forms = []
    for v, argument in zip(views, arguments):
        if _is_number(argument) and format != lib.FLOAT64:
            v = _number(argument, format)
        forms.append(_stretched(v, shape).array())
    second = ctypes.byref(forms[1]) if len(forms) > 1 else None
    target = out.array()
    lib.call("lastbit_map", function.encode(), ctypes.byref(forms[0]), second,
             ctypes.byref(target))


def _number(value: float, format: int) -> View:
    """Return a number of Python's, rounded to a format, as in NumPy 2."""
    output = Output("", format, ())
    with view([float(value)]) as source:
        form = source.array()
        lib.call("lastbit_reduce", lib.SUM, ctypes.byref(form), None, 1, 0, format, output.at)
    return output.view()


def _broadcast(shapes: "list[Tuple[int, ...]]") -> Tuple[int, ...]:
    """Return the shape that all shapes are stretched to, as in NumPy."""
    if all(s == shapes[0] for s in shapes):
        return shapes[0]
    n = max(map(len, shapes))
    padded = [(1,) * (n - len(s)) + s for s in shapes]
    found = []
    for sizes in zip(*padded):
        larger = set(sizes) - {1}
        if len(larger) > 1:
            raise Error(
                "array-shape",
                "these shapes cannot be broadcast: " + " and ".join(map(str, shapes)),
                "give arrays of one shape, or whose sizes are equal or 1",
            )
        found.append(larger.pop() if larger else 1)
    return tuple(found)


def _stretched(v: View, shape: Tuple[int, ...]) -> View:
    """Return a view of a larger shape, whose elements recur."""
    if v.shape == shape:
        return v
    missing = len(shape) - len(v.shape)
    strides = [0] * missing
    strides += [0 if n == 1 else s for n, s in zip(v.shape, v.strides)]
    return View(v.owner, v.format, v.at, shape, tuple(strides), v)
