"""Calls of the library on tensors in the memory of the CPU.

Every tensor here is float32 or float64, unless a function says otherwise.
"""

import functools
import struct
from typing import Optional, Tuple

import torch

from .. import _library as lib

Tensor = torch.Tensor

_FORMATS = {
    torch.float64: lib.FLOAT64, torch.float32: lib.FLOAT32, torch.bfloat16: lib.BFLOAT16,
}
_PRODUCTS = struct.Struct("=14q")  # lastbit_products
_ROWS = struct.Struct("=11qd")  # lastbit_rows
_ATTENTION = struct.Struct("=35q2d")  # lastbit_attention

# bfloat16 tensors of so many elements are looked up in a table of all values.
_MIN_TABLE = 1 << 12


def wide(x: Tensor) -> Tensor:
    """Return a bfloat16 tensor in float32, where all its values are, or x."""
    return x.float() if x.dtype is torch.bfloat16 else x


def multiply(a: Tensor, b: Tensor) -> Tensor:
    """Return the matrix product, or a batch of products, in the order of C."""
    if a.dim() == 2:
        (m, k), (_, n) = a.shape, b.shape
        batch, shape = 1, (m, n)
        left, right = (0, *a.stride()), (0, *b.stride())
    else:
        (batch, m, k), n = a.shape, b.shape[2]
        shape = (batch, m, n)
        left, right = a.stride(), b.stride()
    out = torch.empty(shape, dtype=a.dtype)
    lib.call("lastbit_multiply", _PRODUCTS.pack(
        _FORMATS[a.dtype], batch, m, n, k, a.data_ptr(), *left, b.data_ptr(), *right,
        out.data_ptr()))
    return out


def row_numbers(operation: int, x: Tensor, y: Optional[Tensor] = None) -> Tensor:
    """Return a number for each row of contiguous matrices."""
    out = torch.empty(x.shape[0], dtype=x.dtype)
    each_row(operation, x, out, y)
    return out


def each_row(operation: int, x: Tensor, out: Tensor, y: Optional[Tensor] = None, *,
             weight: Optional[Tensor] = None, bias: Optional[Tensor] = None,
             means: Optional[Tensor] = None, scale: Optional[Tensor] = None,
             epsilon: float = 0.0) -> None:
    """Store the results for each row of contiguous matrices of one dtype."""
    rows, n = x.shape
    lib.call("lastbit_each_row", _ROWS.pack(
        operation, _FORMATS[x.dtype], rows, n, x.data_ptr(), _at(y), _at(weight), _at(bias),
        out.data_ptr(), _at(means), _at(scale), epsilon))


def _at(x: Optional[Tensor]) -> int:
    return 0 if x is None else x.data_ptr()


def attend(q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor], is_causal: bool, out: Tensor,
           logs: Tensor, scale_of_q: float, scale_of_k: float) -> None:
    """Store the attention of each head of q, by shape (batch, heads, rows, columns).

    The mask has this shape, or is expanded to it; out's last stride is 1.
    """
    batch, heads, length, width = q.shape
    _, kept, keys, value_width = v.shape
    if mask is None:
        places = (0, 0, 0, 0, 0)
    else:
        places = (mask.data_ptr(), *mask.stride())
    lib.call("lastbit_attend", _ATTENTION.pack(
        _FORMATS[q.dtype], batch, heads, heads // max(kept, 1), length, keys, width, value_width,
        is_causal, q.data_ptr(), *q.stride(), k.data_ptr(), *k.stride(), v.data_ptr(),
        *v.stride(), *places, out.data_ptr(), *out.stride(), logs.data_ptr(), scale_of_q,
        scale_of_k))


def dense(x: Tensor) -> Tuple[Tensor, Tensor]:
    """Return x, or a copy, in one piece, and a new tensor of the same strides."""
    out = torch.empty_like(x)
    if not x.is_contiguous() and out.stride() != x.stride():
        x = torch.empty_like(out).copy_(x)
    return x, out


def function(name: str, x: Tensor, y: Optional[Tensor] = None) -> Tensor:
    """Return a correctly rounded function of x, or of x and y, which are broadcast.

    The format is float32, float64 or bfloat16.
    """
    if y is not None:
        if x.shape != y.shape:
            x, y = torch.broadcast_tensors(x, y)
        x, y = x.contiguous(), y.contiguous()
    elif x.dtype is torch.bfloat16 and x.numel() >= _MIN_TABLE:
        places = x.view(torch.int16).int().bitwise_and_(0xFFFF)
        return _table(name)[places]
    x, out = dense(x)
    _flat(name, x, y, out)
    return out


def _flat(name: str, x: Tensor, y: Optional[Tensor], out: Tensor) -> None:
    lib.call("lastbit_flat", name.encode(), _FORMATS[x.dtype], x.numel(), x.data_ptr(),
             None if y is None else y.data_ptr(), out.data_ptr())


@functools.lru_cache(maxsize=None)
def _table(name: str) -> Tensor:
    """Return a function of all bfloat16."""
    x = torch.arange(1 << 16, dtype=torch.int32).to(torch.int16).view(torch.bfloat16)
    out = torch.empty_like(x)
    _flat(name, x, None, out)
    return out


