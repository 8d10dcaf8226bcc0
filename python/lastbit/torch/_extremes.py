"""Largest and smallest elements.

PyTorch takes one zero or the other where +0 and -0 meet, by the place in a
vector. Here -0 is smaller than +0.
"""

from typing import Any, Optional, Tuple, Union

import torch

from ._kernels import Tensor


def maximum(x: Tensor, y: Tensor) -> Tensor:
    return _with_zeros(torch.maximum(x, y), x, y)


def minimum(x: Tensor, y: Tensor) -> Tensor:
    return -_with_zeros(-torch.minimum(x, y), -x, -y)


def fmax(x: Tensor, y: Tensor) -> Tensor:
    return _with_zeros(torch.fmax(x, y), x, y)


def fmin(x: Tensor, y: Tensor) -> Tensor:
    return -_with_zeros(-torch.fmin(x, y), -x, -y)


def _with_zeros(largest: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Return the largest elements; of two zeros that is their sum."""
    if not (largest == 0).any():
        return largest
    return torch.where((x == 0) & (y == 0), x + y, largest)


def amax(x: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    found = torch.amax(x, dim, keepdim)
    is_zero = found == 0
    if not is_zero.any():
        return found
    has_positive = torch.amax((x == 0) & ~x.signbit(), dim, keepdim)
    zero = found.abs()
    return torch.where(is_zero, torch.where(has_positive, zero, -zero), found)


def amin(x: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
    return -amax(-x, dim, keepdim)


def aminmax(x: Tensor, *, dim: Optional[int] = None, keepdim: bool = False,
            ) -> Tuple[Tensor, Tensor]:
    dims = () if dim is None else dim
    return amin(x, dims, keepdim), amax(x, dims, keepdim)


def either(of_two: Any, of_all: Any, along: Any) -> Any:
    """Return max or min, which takes two tensors, one, or one and a dimension."""
    def run(x: Tensor, *others: Any) -> Any:
        if not others:
            return of_all(x)
        if isinstance(others[0], Tensor):
            return of_two(x, others[0])
        return along(x, *others)  # an element at a place, whatever its sign
    return run


Bound = Union[Tensor, float, None]


def clamp(x: Tensor, low: Bound = None, high: Bound = None, **named: Bound) -> Tensor:
    low, high = named.get("min", low), named.get("max", high)
    if low is None and high is None:
        return torch.clamp(x)  # raises PyTorch's error
    if low is not None:
        x = maximum(x, _like(low, x))
    return x if high is None else minimum(x, _like(high, x))


def clamp_max(x: Tensor, high: Bound) -> Tensor:
    return clamp(x, None, high)


def _like(bound: Bound, x: Tensor) -> Tensor:
    if isinstance(bound, Tensor):
        return bound
    return torch.full((), bound, dtype=x.dtype)


def softshrink(x: Tensor, lambd: float = 0.5) -> Tensor:
    """x - l above l, x + l below -l, and 0 with the sign of x between them."""
    between = torch.where(x < -lambd, x + lambd, x * 0)
    return torch.where(x > lambd, x - lambd, between)


def shrink_backward(gradient: Tensor, x: Tensor, lambd: float) -> Tensor:
    """g, or 0 from -l to l. PyTorch's vectors have 0 for NaN, too."""
    return gradient.masked_fill((x >= -lambd) & (x <= lambd), 0)


def hardtanh_backward(gradient: Tensor, x: Tensor, low: float, high: float) -> Tensor:
    """g, or 0 up to the lower bound and from the upper one on."""
    return gradient.masked_fill((x <= low) | (x >= high), 0)
