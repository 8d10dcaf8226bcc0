"""Attention, as two products with a softmax between them.

It has the bits of PyTorch's own composition of these, which PyTorch takes where
its fused kernel does not serve, so the choice changes none.
"""

import math
from typing import Optional, Tuple

import torch

from . import _reductions
from ._kernels import Tensor, attend, multiply, wide

# The elements of the scores that are in memory at a time: those of some heads.
_MAX_SCORES = 1 << 22


def _scales(q: Tensor, scale: Optional[float]) -> Tuple[float, float]:
    """Return the factors of q and of k: the root of the scale."""
    scale = 1 / math.sqrt(q.shape[3]) if scale is None else scale
    root = math.sqrt(abs(scale))
    return (root if scale >= 0 else -root), root


def _added(mask: Optional[Tensor], q: Tensor, k: Tensor) -> Optional[Tensor]:
    """Return the mask as numbers that are added, for each head."""
    if mask is None:
        return None
    dtype = wide(q).dtype
    if mask.dtype is torch.bool:
        mask = torch.zeros(mask.shape, dtype=dtype).masked_fill_(~mask, -math.inf)
    return mask.to(dtype).expand(*q.shape[:3], k.shape[2])


def attention(q: Tensor, k: Tensor, v: Tensor, dropout_p: float = 0.0, is_causal: bool = False,
              *, attn_mask: Optional[Tensor] = None, scale: Optional[float] = None,
              ) -> Tuple[Tensor, Tensor]:
    """softmax((q * c) (k * c)^T + mask) v, where c is the root of the scale.

    The second result holds the logarithms of the sums.
    """
    batch, heads, length, _ = q.shape
    wider = wide(q)
    logs = torch.full((batch, heads, length), -math.inf, dtype=wider.dtype)
    # PyTorch's result has the strides of q, too.
    found = torch.empty_like(wider)
    if v.shape[3] != q.shape[3] or found.stride(3) != 1 or k.shape[2] == 0:
        found = torch.zeros((batch, heads, length, v.shape[3]), dtype=wider.dtype)
    attend(wider, wide(k), wide(v), _added(attn_mask, q, k), is_causal, found, logs,
           *_scales(q, scale))
    return found.to(q.dtype), logs


def attention_backward(
        gradient: Optional[Tensor], q: Tensor, k: Tensor, v: Tensor, out: Tensor,
        logsumexp: Tensor, dropout_p: float, is_causal: bool, *,
        attn_mask: Optional[Tensor] = None, scale: Optional[float] = None,
) -> Tuple[Optional[Tensor], Optional[Tensor], Optional[Tensor]]:
    """The gradients of q, k and v: products of the weights, computed again."""
    if gradient is None:
        return None, None, None
    of_q, of_k = _scales(q, scale)
    scaled = [_by_heads(wide(q) * of_q, q), _by_heads(wide(k) * of_k, q), _by_heads(wide(v), q)]
    mask = _added(attn_mask, q, k)
    if is_causal:
        mask = torch.zeros(q.shape[2], k.shape[2], dtype=wide(q).dtype)
        mask = mask.masked_fill_(torch.ones(mask.shape, dtype=torch.bool).triu_(1), -math.inf)
        mask = mask.expand(*q.shape[:3], k.shape[2])
    g = _by_heads(wide(gradient), q)
    found = [torch.empty_like(t) for t in scaled]
    step = max(1, _MAX_SCORES // max(1, q.shape[2] * k.shape[2]))
    for i in range(0, g.shape[0], step):
        part = slice(i, i + step)
        slopes = _slopes(g[part], *(t[part] for t in scaled), _part(mask, part))
        for to, slope in zip(found, slopes):
            to[part] = slope
    found[0].mul_(of_q)
    found[1].mul_(of_k)
    return found[0].view(q.shape).to(q.dtype), _gathered(found[1], k), _gathered(found[2], v)


def _by_heads(x: Tensor, q: Tensor) -> Tensor:
    """Return a matrix for each head of q: groups of heads share keys and values."""
    if x.shape[1] != q.shape[1]:
        x = x.repeat_interleave(q.shape[1] // x.shape[1], 1)
    return x.reshape(x.shape[0] * x.shape[1], *x.shape[2:])


def _part(mask: Optional[Tensor], part: slice) -> Optional[Tensor]:
    """Return the mask of some heads."""
    if mask is None:
        return None
    heads = mask.shape[1]
    places = torch.arange(mask.shape[0] * heads)[part]
    return mask[places // heads, places % heads]


def _slopes(g: Tensor, q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor],
            ) -> Tuple[Tensor, Tensor, Tensor]:
    """Return the gradients of some heads."""
    scores = multiply(q, k.transpose(1, 2))
    if mask is not None:
        scores.add_(mask)
    weights = _reductions.safe_softmax(scores, -1)
    slope = multiply(g, v.transpose(1, 2))
    slope = _reductions.softmax_backward(slope, weights, -1, slope.dtype)
    return (multiply(slope, k), multiply(slope.transpose(1, 2), q),
            multiply(weights.transpose(1, 2), g))


def _gathered(gradient: Tensor, x: Tensor) -> Tensor:
    """Return the gradient of keys or values, summed over a group of heads."""
    batch, heads = x.shape[:2]
    if gradient.shape[0] == batch * heads:
        return gradient.view(x.shape).to(x.dtype)
    return _reductions.sum(gradient.view(batch, heads, -1, *x.shape[2:]), 2).to(x.dtype)
