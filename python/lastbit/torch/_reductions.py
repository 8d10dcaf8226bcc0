"""Sums, and what is made of the sums of rows.

A row has the elements that a result depends on, in the order of their indices.
Its sum has the tree of package ordered, which depends on their number only. In
bfloat16 a row is computed in float32, and rounded at the end.
"""

import math
from typing import Any, List, Optional, Sequence, Tuple

import torch

from .. import _library as lib
from ._kernels import Tensor, each_row, row_numbers, wide

Dims = Any


def _axes(dim: Dims, dimensions: int) -> List[int]:
    if dim is None:
        return list(range(dimensions))
    dims = [dim] if isinstance(dim, int) else list(dim)
    return [d % max(dimensions, 1) for d in dims] or list(range(dimensions))


def _rows(x: Tensor, axes: Sequence[int]) -> Tensor:
    """Return a contiguous matrix whose rows have the elements along some axes."""
    inner = sorted(axes)
    outer = [d for d in range(x.dim()) if d not in inner]
    n = math.prod(x.shape[d] for d in inner)
    rows = math.prod(x.shape[d] for d in outer)
    if inner != list(range(len(outer), x.dim())):
        x = x.permute(*outer, *inner)
    return x.contiguous().view(rows, n)


def sum(x: Tensor, dim: Dims = None, keepdim: bool = False, *,
        dtype: Optional[torch.dtype] = None) -> Tensor:
    """The summands are converted to dtype first."""
    return _sum(x, dim, keepdim, dtype or x.dtype, False)


def mean(x: Tensor, dim: Dims = None, keepdim: bool = False, *,
         dtype: Optional[torch.dtype] = None) -> Tensor:
    """The sum, divided by the number of summands."""
    return _sum(x, dim, keepdim, dtype or x.dtype, True)


def _sum(x: Tensor, dim: Dims, keepdim: bool, dtype: torch.dtype, divides: bool) -> Tensor:
    axes = _axes(dim, x.dim())
    rows = _rows(wide(x.to(dtype)), axes) if x.dim() else wide(x.to(dtype)).reshape(1, 1)
    sums = row_numbers(lib.ROW_MEAN if divides else lib.ROW_SUM, rows)
    if keepdim:
        shape = [1 if d in axes else n for d, n in enumerate(x.shape)]
    else:
        shape = [n for d, n in enumerate(x.shape) if d not in axes]
    return sums.view(shape).to(dtype)


def _last(x: Tensor, dim: int) -> Tensor:
    """Return a contiguous matrix whose rows lie along a dimension."""
    if x.dim() == 0:
        return x.reshape(1, 1)
    x = x.movedim(dim, -1) if dim % x.dim() != x.dim() - 1 else x
    return x.contiguous().view(-1, x.shape[-1])


def _back(rows: Tensor, x: Tensor, dim: int, dtype: torch.dtype) -> Tensor:
    """Return the tensor of the shape of x whose rows lie along a dimension."""
    if x.dim() == 0 or dim % x.dim() == x.dim() - 1:
        return rows.view(x.shape).to(dtype)
    moved = list(x.shape)
    moved.append(moved.pop(dim % x.dim()))
    return rows.view(moved).movedim(-1, dim).to(dtype).contiguous()


def _along(operation: int, x: Tensor, dim: int, dtype: torch.dtype,
           y: Optional[Tensor] = None) -> Tensor:
    """Return an operation on the rows of x, or of x and y, along a dimension."""
    if x.numel() == 0:
        return torch.empty(x.shape, dtype=dtype)
    rows = _last(wide(x), dim)
    out = torch.empty_like(rows)
    each_row(operation, rows, out, None if y is None else _last(wide(y), dim))
    return _back(out, x, dim, dtype)


def softmax(x: Tensor, dim: int, half_to_float: bool = False) -> Tensor:
    """exp(x - m) / s, where m is the largest x and s the sum of the exp(x - m)."""
    return _along(lib.SOFTMAX, x, dim, x.dtype)


def safe_softmax(x: Tensor, dim: int, dtype: Optional[torch.dtype] = None) -> Tensor:
    """softmax, or 0 for a row of -inf only."""
    x = x if dtype is None else x.to(dtype)
    return _along(lib.SAFE_SOFTMAX, x, dim, x.dtype)


def log_softmax(x: Tensor, dim: int, half_to_float: bool = False) -> Tensor:
    """(x - m) - log(s), with m and s as for softmax."""
    return _along(lib.LOG_SOFTMAX, x, dim, x.dtype)


def softmax_backward(gradient: Tensor, y: Tensor, dim: int, input_dtype: torch.dtype) -> Tensor:
    """(g - d) * y for each row, where d is the sum of the products g * y."""
    return _along(lib.SOFTMAX_SLOPE, gradient, dim, input_dtype, y)


def log_softmax_backward(gradient: Tensor, y: Tensor, dim: int,
                         input_dtype: torch.dtype) -> Tensor:
    """g - exp(y) * s, where s is the sum of g."""
    return _along(lib.LOG_SOFTMAX_SLOPE, gradient, dim, input_dtype, y)


def layer_norm(x: Tensor, normalized_shape: Sequence[int], weight: Optional[Tensor],
               bias: Optional[Tensor], eps: float) -> Tuple[Tensor, Tensor, Tensor]:
    """((x - m) * r) * weight + bias, each operation rounded.

    m is the mean of the row, v the mean of the squares of x - m, and r the
    correctly rounded 1 / sqrt(v + eps).
    """
    n = math.prod(normalized_shape)
    rows = wide(x).contiguous().view(-1, n) if x.numel() else wide(x).reshape(0, n)
    out = torch.empty_like(rows)
    means, r = (torch.empty(rows.shape[0], dtype=rows.dtype) for _ in range(2))
    each_row(lib.LAYER_NORM, rows, out, weight=_parameter(weight), bias=_parameter(bias),
             means=means, scale=r, epsilon=eps)
    k = x.dim() - len(normalized_shape)
    shape = list(x.shape[:k]) + [1] * len(normalized_shape)
    return out.view(x.shape).to(x.dtype), means.view(shape), r.view(shape)


def _parameter(x: Optional[Tensor]) -> Optional[Tensor]:
    return None if x is None else wide(x).contiguous()


def layer_norm_backward(
        gradient: Tensor, x: Tensor, normalized_shape: Sequence[int], means: Tensor, r: Tensor,
        weight: Optional[Tensor], bias: Optional[Tensor], wanted: Sequence[bool],
) -> Tuple[Optional[Tensor], Optional[Tensor], Optional[Tensor]]:
    """r * ((a - s) - h * t) with h = (x - m) * r and a = g * weight.

    s is the mean of a, and t the mean of the products a * h. The gradients of
    weight and bias are the sums of g * h and of g over the rows.
    """
    n = math.prod(normalized_shape)
    g, rows = (wide(t).contiguous().view(means.numel(), n) for t in (gradient, x))
    means, r = wide(means).contiguous(), wide(r).contiguous()
    results: List[Optional[Tensor]] = [None, None, None]
    if wanted[0]:
        slope = torch.empty_like(rows)
        each_row(lib.LAYER_NORM_SLOPE, g, slope, rows, weight=_parameter(weight), means=means,
                 scale=r)
        results[0] = slope.view(x.shape).to(x.dtype)
    if wanted[1] and weight is not None:
        h = (rows - means.view(-1, 1)).mul_(r.view(-1, 1)).mul_(g)
        results[1] = _columns(h).view(weight.shape).to(weight.dtype)
    if wanted[2] and bias is not None:
        results[2] = _columns(g).view(bias.shape).to(bias.dtype)
    return results[0], results[1], results[2]


def _columns(x: Tensor) -> Tensor:
    """Return the sum of each column."""
    return row_numbers(lib.ROW_SUM, x.t().contiguous())


def mse_loss(x: Tensor, target: Tensor, reduction: int = 1) -> Tensor:
    """(x - target)**2, or its mean or sum."""
    d = wide(x) - wide(target)
    return _reduced((d * d).to(x.dtype), reduction)


def _reduced(x: Tensor, reduction: int) -> Tensor:
    return x if reduction == 0 else mean(x) if reduction == 1 else sum(x)


def nll_loss(x: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int,
             ignore_index: int) -> Tuple[Tensor, Tensor]:
    """-x[target] * weight[target], or the sum, or that over the sum of the weights."""
    rows, places = (x, target) if x.dim() == 2 else (x.unsqueeze(0), target.reshape(1))
    valid = places != ignore_index
    places = places.where(valid, 0)
    w = torch.ones_like(rows[:, 0]) if weight is None else weight[places]
    w = w.where(valid, 0)
    picked = rows.gather(1, places.unsqueeze(1)).squeeze(1)
    losses = (-(picked * w)).where(valid, 0)
    if reduction == 0:
        return losses if x.dim() == 2 else losses[0], torch.zeros((), dtype=x.dtype)
    total = sum(w)
    return sum(losses) if reduction == 2 else sum(losses) / total, total
