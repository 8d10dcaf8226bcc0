"""Functions of each element.

Elementary functions are correctly rounded, in bfloat16 too. Others are made of
them by operations that are rounded one by one; in bfloat16 they compute in
float32, and round at the end.
"""

import math
from typing import Any

import torch

from ._kernels import Tensor, dense, function, function_, wide

# PyTorch's name, where it is not ours.
ELEMENTARY = {
    "acos": "acos", "acosh": "acosh", "asin": "asin", "asinh": "asinh", "atan": "atan",
    "atanh": "atanh", "cos": "cos", "cosh": "cosh", "erf": "erf", "erfc": "erfc", "exp": "exp",
    "exp2": "exp2", "expm1": "expm1", "log": "log", "log10": "log10", "log1p": "log1p",
    "log2": "log2", "rsqrt": "rsqrt", "sin": "sin", "sinh": "sinh", "sqrt": "sqrt",
    "tan": "tan", "tanh": "tanh", "special_erf": "erf", "special_erfc": "erfc",
    "special_exp2": "exp2", "special_expm1": "expm1", "special_log1p": "log1p",
}

_ROOT_HALF = math.sqrt(0.5)
_ROOT_2_PI = math.sqrt(2 / math.pi)
_PDF = 1 / math.sqrt(2 * math.pi)
_KAPPA = 0.044715


def _own(x: Tensor) -> Tensor:
    """Return a tensor in one piece that may be overwritten, equal to x."""
    x, out = dense(x)
    return out.copy_(x)


def elementary(name: str) -> Any:
    """Return the operator of a function."""
    def run(x: Tensor) -> Tensor:
        return function(name, x)
    return run


def power(x: Any, exponent: Any) -> Tensor:
    """x**exponent, correctly rounded."""
    if isinstance(exponent, (int, float)) and isinstance(x, Tensor):
        if exponent == 2:
            return x * x
        if exponent == 1:
            return x.clone()
        exponent = torch.full_like(x, exponent)
    elif not isinstance(x, Tensor):
        x = torch.full_like(exponent, x)
    shape = torch.broadcast_shapes(x.shape, exponent.shape)
    return function("pow", x.expand(shape), exponent.expand(shape))


def two(name: str) -> Any:
    """Return the operator of a function of two arguments."""
    def run(x: Tensor, y: Tensor) -> Tensor:
        x, y = torch.broadcast_tensors(x, y)
        return function(name, x, y)
    return run


def sigmoid_of(x: Tensor) -> Tensor:
    """1 / (1 + exp(-x))."""
    return function_("exp", _own(x).neg_()).add_(1).reciprocal_()


def sigmoid(x: Tensor) -> Tensor:
    return sigmoid_of(wide(x)).to(x.dtype)


def sigmoid_backward(gradient: Tensor, y: Tensor) -> Tensor:
    g, w = wide(gradient), wide(y)
    return (g * ((1 - w) * w)).to(y.dtype)


def tanh_backward(gradient: Tensor, y: Tensor) -> Tensor:
    g, w = wide(gradient), wide(y)
    return (g * (1 - w * w)).to(y.dtype)


def silu(x: Tensor) -> Tensor:
    """x / (1 + exp(-x))."""
    w = wide(x)
    return w.div(function_("exp", _own(w).neg_()).add_(1)).to(x.dtype)


def silu_backward(gradient: Tensor, x: Tensor) -> Tensor:
    g, w = wide(gradient), wide(x)
    s = sigmoid_of(w)
    return (g * (s * (1 + w * (1 - s)))).to(x.dtype)


def _normal(x: Tensor) -> Tensor:
    """erfc(-x / sqrt(2)), twice the normal distribution."""
    return function_("erfc", _own(x).mul_(-_ROOT_HALF))


def gelu(x: Tensor, *, approximate: str = "none") -> Tensor:
    """(x/2) * erfc(-x / sqrt(2)), or (x/2) * (1 + tanh(u)).

    u is (x + 0.044715 * ((x*x) * x)) * sqrt(2 / pi).
    """
    w = wide(x)
    factor = _normal(w) if approximate == "none" else function_("tanh", _inner(w)).add_(1)
    return factor.mul_(w * 0.5).to(x.dtype)


def _inner(x: Tensor) -> Tensor:
    return (_own(x).mul_(x)).mul_(x).mul_(_KAPPA).add_(x).mul_(_ROOT_2_PI)


def gelu_backward(gradient: Tensor, x: Tensor, *, approximate: str = "none") -> Tensor:
    g, w = wide(gradient), wide(x)
    if approximate == "none":
        density = function_("exp", _own(w).mul_(w).mul_(-0.5)).mul_(_PDF)
        slope = _normal(w).mul_(0.5).add_(density.mul_(w))
    else:
        t = function_("tanh", _inner(w))
        inner = (_own(w).mul_(w)).mul_(3 * _KAPPA).add_(1).mul_(_ROOT_2_PI)
        outer = (1 - t * t).mul_(inner).mul_(w * 0.5)
        slope = t.add_(1).mul_(0.5).add_(outer)
    return (g * slope).to(x.dtype)


def add(x: Any, y: Any, alpha: Any = 1) -> Tensor:
    """x + alpha * y, both operations rounded: PyTorch may fuse them."""
    if not isinstance(y, Tensor):
        return torch.add(x, y * alpha)
    dtype = torch.result_type(x, y)
    wider = torch.float32 if dtype is torch.bfloat16 else dtype
    return torch.add(x.to(wider), y.to(wider) * alpha).to(dtype)


def addcmul(x: Tensor, y: Tensor, z: Tensor, *, value: Any = 1) -> Tensor:
    """x + (y * z) * value."""
    return _added(x, wide(y) * wide(z), value)


def addcdiv(x: Tensor, y: Tensor, z: Tensor, *, value: Any = 1) -> Tensor:
    """x + (y / z) * value."""
    return _added(x, wide(y) / wide(z), value)


def _added(x: Tensor, term: Tensor, value: Any) -> Tensor:
    return (wide(x) + (term if value == 1 else term * value)).to(x.dtype)


def lerp(x: Tensor, end: Tensor, weight: Any) -> Tensor:
    """x + weight * (end - x), or end - (end - x) * (1 - weight) from 1/2 on."""
    a, b = wide(x), wide(end)
    d = b - a
    if not isinstance(weight, Tensor):
        near = abs(weight) < 0.5
        return (a + d * weight if near else b - d * (1 - weight)).to(x.dtype)
    w = wide(weight)
    return torch.where(w.abs() < 0.5, a + d * w, b - d * (1 - w)).to(x.dtype)

