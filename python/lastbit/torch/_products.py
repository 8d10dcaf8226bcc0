"""Matrix products: each element is one chain of fused multiply-adds.

The chain of element (i, j) adds a[i, p] * b[p, j] to +0 for p = 0, 1, ... in
turn. In bfloat16 the chain is one of float32, and is rounded at its end.
"""

from typing import Any

import torch

from ._functions import gelu
from ._kernels import Tensor, multiply, wide


def matrix_product(a: Tensor, b: Tensor) -> Tensor:
    return multiply(wide(a), wide(b)).to(a.dtype)


def mm(a: Tensor, b: Tensor) -> Tensor:
    return matrix_product(a, b)


def mv(a: Tensor, x: Tensor) -> Tensor:
    return matrix_product(a, x.unsqueeze(1)).squeeze(1)


def dot(x: Tensor, y: Tensor) -> Tensor:
    return matrix_product(x.unsqueeze(0), y.unsqueeze(1)).view(())


def added(c: Tensor, product: Tensor, beta: Any, alpha: Any) -> Tensor:
    """Return beta*c + alpha*product, each operation rounded."""
    c = c.expand(product.shape)
    if alpha != 1:
        product = product * alpha
    if beta == 0:
        return product
    return torch.add(c if beta == 1 else c * beta, product)


def addmm(c: Tensor, a: Tensor, b: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    return added(c, matrix_product(a, b), beta, alpha)


def addmm_activation(c: Tensor, a: Tensor, b: Tensor, *, beta: Any = 1, alpha: Any = 1,
                     use_gelu: bool = False) -> Tensor:
    sums = addmm(c, a, b, beta=beta, alpha=alpha)
    return gelu(sums) if use_gelu else sums.relu_()


def addmv(c: Tensor, a: Tensor, x: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    return added(c, mv(a, x), beta, alpha)


def addr(c: Tensor, x: Tensor, y: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    return added(c, x.unsqueeze(1) * y, beta, alpha)


def addbmm(c: Tensor, a: Tensor, b: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """The chains of a batch follow each other."""
    a = a.transpose(0, 1).reshape(a.shape[1], -1)
    return addmm(c, a, b.reshape(a.shape[1], -1), beta=beta, alpha=alpha)


def fit(name: str, *tensors: Tensor) -> bool:
    """Report whether PyTorch would multiply these; otherwise it raises its error."""
    if len({t.dtype for t in tensors}) > 1:
        return False
    a, b = tensors[-2:]
    dims = (a.dim(), b.dim())
    if name in ("mm", "addmm", "_addmm_activation"):
        return dims == (2, 2) and a.shape[1] == b.shape[0]
    if name in ("mv", "addmv"):
        return dims == (2, 1) and a.shape[1] == b.shape[0]
    if name in ("dot", "vdot"):
        return dims == (1, 1) and a.shape == b.shape
    if name == "addr":
        return dims == (1, 1)
    return dims == (3, 3) and a.shape[0] == b.shape[0] and a.shape[2] == b.shape[1]
