"""The context: a mode that sees every operator below PyTorch's autograd."""

import collections
import contextlib
import warnings
from dataclasses import dataclass
from typing import Any, Counter, Dict, Iterator, List, Optional, Tuple

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .._errors import Error
from . import _plans, _surroundings
from ._written import Written


@dataclass(frozen=True)
class Uncovered:
    """An operator that PyTorch computed by itself, and how often."""

    operator: str
    reason: str
    calls: int


class Ordered(TorchDispatchMode):
    """The context that ``ordered`` returns."""

    def __init__(self, strict: bool = False) -> None:
        super().__init__()
        self.strict = strict
        self._uncovered: Counter[Tuple[str, str]] = collections.Counter()
        self._surroundings: List[_surroundings.Surroundings] = []
        self._written: Optional[Written] = None  # while an operator is seen as made of others

    def report(self) -> List[Uncovered]:
        """Return the operators so far that lastbit did not cover."""
        return [Uncovered(operator, reason, calls)
                for (operator, reason), calls in sorted(self._uncovered.items())]

    def __enter__(self) -> "Ordered":
        surroundings = _surroundings.Surroundings()
        super().__enter__()
        self._surroundings.append(surroundings)
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        super().__exit__(kind, error, trace)
        self._surroundings.pop().leave()
        if kind is None and not self._surroundings and self._uncovered:
            warnings.warn(_warning(self.report()), stacklevel=2)

    def __torch_dispatch__(self, func: Any, types: Any, args: Tuple[Any, ...] = (),
                           kwargs: Optional[Dict[str, Any]] = None) -> Any:
        result = _plans.plan_of(func)(self, func, args, kwargs or {})
        if self._written is not None:
            self._written.note(func, args, kwargs or {}, result)
        return result

    @contextlib.contextmanager
    def seeing(self) -> Iterator[Written]:
        """See the operators that an operator calls, and the memory that they store into."""
        before, self._written = self._written, Written()
        TorchDispatchMode.__enter__(self)
        try:
            yield self._written
        finally:
            TorchDispatchMode.__exit__(self, None, None, None)
            self._written = before

    def leave_alone(self, func: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any],
                    reason: str) -> Any:
        """Let PyTorch compute an operator, and note it if it computes floats."""
        floats = has_float(args) or has_float(kwargs)
        if floats:
            self.note(func, reason)
        result = func(*args, **kwargs)
        if not floats and has_float(result):
            self.note(func, reason)
        return result

    def expect_error(self, func: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        """Call an operator with arguments that PyTorch refuses."""
        result = func(*args, **kwargs)
        self.note(func, "its arguments are of a kind that lastbit does not know")
        return result

    def note(self, func: Any, reason: str) -> None:
        """Note an operator that PyTorch computes by itself; strict refuses it."""
        if self.strict:
            raise Error(
                "torch-uncovered",
                f"{func} would be computed by PyTorch in an order of its own: {reason}",
                "leave the context for it, or give strict=False and read report()",
            )
        self._uncovered[str(func), reason] += 1


def has_float(value: Any) -> bool:
    """Report whether there is a tensor of floats, which is more than a shape."""
    if isinstance(value, torch.Tensor):
        is_shape = value.is_meta or type(value).__name__ == "FakeTensor"
        return (value.is_floating_point() or value.is_complex()) and not is_shape
    if isinstance(value, (list, tuple)):
        return any(map(has_float, value))
    return isinstance(value, dict) and any(map(has_float, value.values()))


def _warning(found: List[Uncovered]) -> str:
    lines = [f"{u.operator}: {u.calls} {'call' if u.calls == 1 else 'calls'}, {u.reason}" for u in found]
    return ("PyTorch computed these operators by itself, so their bits may depend on threads, "
            "batch and processor:\n  " + "\n  ".join(lines))
