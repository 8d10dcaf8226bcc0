"""Functions of each element.

Elementary functions are correctly rounded, in bfloat16 too. Others are made of
them by operations that are rounded one by one; in bfloat16 they compute in
float32, and round at the end.
"""

from typing import Any

import torch

from ._kernels import Tensor, function, wide

# PyTorch's name, where it is not ours.
ELEMENTARY = {
    "acos": "acos", "acosh": "acosh", "asin": "asin", "asinh": "asinh", "atan": "atan",
    "atanh": "atanh", "cos": "cos", "cosh": "cosh", "erf": "erf", "erfc": "erfc", "exp": "exp",
    "exp2": "exp2", "expm1": "expm1", "log": "log", "log10": "log10", "log1p": "log1p",
    "log2": "log2", "rsqrt": "rsqrt", "sin": "sin", "sinh": "sinh", "sqrt": "sqrt",
    "tan": "tan", "tanh": "tanh", "special_erf": "erf", "special_erfc": "erfc",
    "special_exp2": "exp2", "special_expm1": "expm1", "special_log1p": "log1p",
}

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
    return function("pow", x, exponent)


def two(name: str) -> Any:
    """Return the operator of a function of two arguments."""
    def run(x: Tensor, y: Tensor) -> Tensor:
        return function(name, x, y)
    return run


def sigmoid(x: Tensor) -> Tensor:
    """1 / (1 + exp(-x))."""
    return function("sigmoid", wide(x)).to(x.dtype)


def sigmoid_backward(gradient: Tensor, y: Tensor) -> Tensor:
    g, w = wide(gradient), wide(y)
    return (g * ((1 - w) * w)).to(y.dtype)


def tanh_backward(gradient: Tensor, y: Tensor) -> Tensor:
    g, w = wide(gradient), wide(y)
    return (g * (1 - w * w)).to(y.dtype)


def silu(x: Tensor) -> Tensor:
    """x / (1 + exp(-x))."""
    return function("silu", wide(x)).to(x.dtype)


def silu_backward(gradient: Tensor, x: Tensor) -> Tensor:
    """g * (s * (1 + x * (1 - s))), where s is sigmoid."""
    return function("silu_backward", wide(gradient), wide(x)).to(x.dtype)


def gelu(x: Tensor, *, approximate: str = "none") -> Tensor:
    """(x/2) * erfc(-x / sqrt(2)), or (x/2) * (1 + tanh(u)).

    u is (x + 0.044715 * ((x*x) * x)) * sqrt(2 / pi).
    """
    return function(_gelu(approximate), wide(x)).to(x.dtype)


def gelu_backward(gradient: Tensor, x: Tensor, *, approximate: str = "none") -> Tensor:
    """g times the derivative of gelu: see docs/use/pytorch.md."""
    return function(_gelu(approximate) + "_backward", wide(gradient), wide(x)).to(x.dtype)


def _gelu(approximate: str) -> str:
    return "gelu" if approximate == "none" else "gelu_tanh"


def add(x: Any, y: Any, alpha: Any = 1) -> Tensor:
    """x + alpha * y, both operations rounded: PyTorch may fuse them."""
    if not isinstance(y, Tensor):
        return torch.add(x, y * alpha)
    dtype = torch.result_type(x, y)
    wider = torch.float32 if dtype is torch.bfloat16 else dtype
    term = y.to(wider) * alpha
    return torch.add(x.to(wider) if isinstance(x, Tensor) else x, term).to(dtype)


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
        weight = torch.tensor(weight, dtype=a.dtype, device="cpu").item()  # as a tensor has it
        near = abs(weight) < 0.5
        return (a + d * weight if near else b - d * (1 - weight)).to(x.dtype)
    w = wide(weight)
    return torch.where(w.abs() < 0.5, a + d * w, b - d * (1 - w)).to(x.dtype)

