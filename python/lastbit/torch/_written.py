"""Finds results that an operator computed by itself, while it was seen as made of others.

Its kernel may call a library that no operator stands for, such as oneDNN. The
memory of such a result was taken by no operator, or stored into by none.
"""

import functools
from typing import Any, Iterator, Optional, Set, Tuple

import torch

Tensor = torch.Tensor

# Operators that take memory and leave it as it is, without underscores at the end.
_TAKES = frozenset("""
_resize_output empty empty_like empty_permuted empty_strided new_empty new_empty_strided resize
resize_as set
""".split())

_VIEWS, _TAKES_MEMORY, _STORES = range(3)


class Written:
    """The memory that operators have stored into."""

    def __init__(self) -> None:
        self._places: Set[int] = set()

    def note(self, func: Any, args: Any, kwargs: Any, result: Any) -> None:
        """Note the memory that an operator has stored into."""
        kind, stored = _effect(func)
        if kind == _STORES:
            self._places.update(_places(result))
            if stored:
                self._places.update(_places(_chosen(stored, args, kwargs)))
        elif kind == _TAKES_MEMORY:
            self._places.difference_update(_places(result))

    def has_all(self, func: Any, args: Any, kwargs: Any, result: Any) -> bool:
        """Report whether operators stored all floats of the results of an operator.

        A result that shares the memory of an argument is a view of it.
        """
        kind, stored = _effect(func)
        if kind != _STORES:
            return True
        changed = _chosen(stored, args, kwargs)
        found = {*_places(result, True), *_places(changed, True)} - self._places
        if not found:
            return True
        given = {*_places(args), *_places(kwargs)} - {*_places(changed)}
        return found <= given


@functools.lru_cache(maxsize=None)
def _effect(func: Any) -> Tuple[int, Tuple[Tuple[int, str], ...]]:
    """Return what an operator does to memory, and the arguments that it stores into."""
    schema = getattr(func, "_schema", None)
    if schema is None:
        return _STORES, ()
    if is_view(schema) or torch.Tag.inplace_view in func.tags:
        return _VIEWS, ()
    if schema.name.partition("::")[2].rstrip("_") in _TAKES:
        return _TAKES_MEMORY, ()
    return _STORES, tuple((i, a.name) for i, a in enumerate(schema.arguments)
                          if a.alias_info is not None and a.alias_info.is_write)


def is_view(schema: Any) -> bool:
    """Report whether results share memory with an argument that is not written."""
    shared = [r.alias_info for r in schema.returns if r.alias_info is not None]
    return bool(shared) and not any(info.is_write for info in shared)


def _chosen(places: Tuple[Tuple[int, str], ...], args: Any, kwargs: Any) -> "list[Any]":
    return [args[i] if i < len(args) else kwargs.get(name) for i, name in places]


def _places(value: Any, only_floats: bool = False) -> Iterator[int]:
    """Return the places of the memory of tensors."""
    if isinstance(value, Tensor):
        place = _place(value)
        if place and (not only_floats or value.is_floating_point() or value.is_complex()):
            yield place
    elif isinstance(value, (list, tuple)):
        for v in value:
            yield from _places(v, only_floats)
    elif isinstance(value, dict):
        yield from _places(list(value.values()), only_floats)


def _place(x: Tensor) -> Optional[int]:
    """Return the place of a tensor's memory, or None where it has none."""
    if x.layout is not torch.strided or x.is_meta or not x.numel():
        return None
    try:
        return x.untyped_storage()._cdata
    except (RuntimeError, NotImplementedError):  # a tensor that stands for others
        return None
