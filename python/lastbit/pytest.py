"""Assertions about bits for pytest, and a marker for lastbit.lock.

The wheel registers this module with pytest. ``@pytest.mark.lastbit_lock`` runs
``lastbit check`` before a test, once in a session for each lock file:
lastbit.lock in pytest's root folder, or the one that the marker names. The test
fails where an operation changed.
"""

import os
from typing import Any, Iterable, Optional

import pytest

from . import _ask, explain, invariant, reveal

__all__ = ["assert_batch_invariant", "assert_order", "assert_same_bits"]


def assert_same_bits(a: Any, b: Any, op: Optional[str] = None, **inputs: Any) -> None:
    """Fail unless two arrays are equal, bit for bit, with the words of lastbit explain.

    Arrays of other shapes or dtypes are not equal. What lastbit.explain does not read,
    such as an array of integers, is a lastbit.Error.
    op and inputs are as in lastbit.explain; with them the failure names the cause.

    >>> from lastbit.pytest import assert_same_bits
    >>> assert_same_bits([1.0, 2.0], [1.0, 2.0])
    >>> try:
    ...     assert_same_bits([1.0, 2.0], [1.0, 2.0000000000000004])
    ... except AssertionError as error:
    ...     print(str(error).splitlines()[0])
    1 of 2 elements differ, by 1 ULP at most (median 1); first at [1]
    """
    __tracebackhide__ = True
    for name, of in (("shapes", _shape), ("dtypes", _dtype)):
        if None not in (of(a), of(b)) and of(a) != of(b):
            raise AssertionError(f"the {name} differ: {of(a)} and {of(b)}")
    why = explain(a, b, op, **inputs)
    if not why.same:
        raise AssertionError(str(why))


def _shape(array: Any) -> "Optional[tuple[int, ...]]":
    """Return the shape of an array, or None for a list."""
    shape = getattr(array, "shape", None)
    return None if shape is None else tuple(shape)


def _dtype(array: Any) -> Optional[str]:
    """Return the name of the dtype of an array of any library, or None for a list."""
    dtype = getattr(array, "dtype", None)
    return None if dtype is None else str(getattr(dtype, "name", dtype)).rpartition(".")[2]


def assert_order(fn: Any, order: str, **options: Any) -> None:
    """Fail unless a callable adds in an order, and that is verified.

    order is a family, such as "pairwise(block=128, unroll=8)", or a tree in brackets,
    such as "((0 1) 2)". options are those of lastbit.reveal.

    >>> from lastbit.pytest import assert_order
    >>> assert_order(lambda x: x[0] + (x[1] + x[2]), "(0 (1 2))", n=3, arrays="list")
    """
    __tracebackhide__ = True
    if not _plain(order):
        raise ValueError("order is empty: name a family or a tree")
    found = reveal(fn, **options)
    is_tree = order.lstrip().startswith("(")
    seen = found.tree if is_tree else found.family
    if not found.verified or found.verdict != "tree" or _plain(seen) != _plain(order):
        raise AssertionError(f"the order is not {order}\n\n{found}")


def assert_batch_invariant(fn: Any, m: Iterable[int] = range(1, 65), **options: Any) -> None:
    """Fail unless a row of a callable's result is computed alike for every number of rows.

    options are those of lastbit.invariant.
    """
    __tracebackhide__ = True
    found = invariant(fn, m, **options)
    if not found.invariant:
        raise AssertionError(str(found))


def _plain(order: Optional[str]) -> str:
    return "".join((order or "").split())


_CHECKED = pytest.StashKey["dict[str, str]"]()


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line(
        "markers", "lastbit_lock(file): fail if an operation of lastbit.lock, or of this file, changed"
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Check the lock file of a marked test."""
    marker = item.get_closest_marker("lastbit_lock")
    if marker is None:
        return
    root = str(item.config.rootpath)
    file = os.path.join(root, *(marker.args or ("lastbit.lock",)))
    checked = item.config.stash.setdefault(_CHECKED, {})
    if file not in checked:
        arguments = ["check", "--file", file]
        config = os.path.join(os.path.dirname(file), "lastbit.toml")
        if os.path.exists(config):
            arguments += ["--config", config]
        folder = os.path.dirname(file)
        done, words = _ask.exit_code(*arguments, folder=folder if os.path.isdir(folder) else root)
        checked[file] = words if done else ""
    if checked[file]:
        pytest.fail(checked[file], pytrace=False)
