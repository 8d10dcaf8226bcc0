"""Attention, as two products with a softmax between them.

It has the bits of PyTorch's own composition of these, which PyTorch takes where
its fused kernel does not serve, so the choice changes none.
"""

import math
from typing import Iterator, NamedTuple, Optional, Tuple

import torch

from ._kernels import Tensor, multiply, wide
from ._reductions import logs_of, softmax_rows, softmax_slope, sum

# The elements of the scores that are in memory at a time: those of some heads.
_MAX_SCORES = 1 << 22


class _Heads(NamedTuple):
    """The factors in float32 or float64, by heads, in one piece."""

    q: Tensor  # times the root of the scale
    k: Tensor  # the same
    v: Tensor
    root: float
    mask: Optional[Tensor]  # added to the scores: one for each head, or one for all

    def parts(self) -> Iterator[slice]:
        """Return the heads whose scores are in memory together."""
        heads = self.q.shape[0]
        step = max(1, _MAX_SCORES // max(1, self.q.shape[1] * self.k.shape[1]))
        return (slice(i, min(i + step, heads)) for i in range(0, heads, step))

    def scores(self, part: slice) -> Tensor:
        scores = multiply(self.q[part], self.k[part].transpose(1, 2))
        if self.mask is not None:
            scores.add_(self.mask[part] if self.mask.shape[0] > 1 else self.mask)
        return scores

    def weights(self, part: slice) -> Tuple[Tensor, Tensor]:
        """Return the weights of some heads, and the logarithms of their sums."""
        scores = self.scores(part)
        weights, (sums, largest) = softmax_rows(scores.view(-1, scores.shape[2]), True)
        return weights.view(scores.shape), logs_of(sums, largest).view(scores.shape[:2])


def _heads(q: Tensor, k: Tensor, v: Tensor, is_causal: bool, mask: Optional[Tensor],
           scale: Optional[float]) -> _Heads:
    length, width = q.shape[2:]
    scale = 1 / math.sqrt(width) if scale is None else scale
    root = math.sqrt(abs(scale))
    if is_causal:
        mask = torch.ones(length, k.shape[2], dtype=torch.bool).tril()
    if mask is not None:
        if mask.dtype is torch.bool:
            mask = torch.zeros(mask.shape, dtype=wide(q).dtype).masked_fill_(~mask, -math.inf)
        mask = wide(mask)
        if mask.dim() > 2 and (mask.shape[:-2].numel() > 1):
            mask = mask.expand(*q.shape[:2], length, k.shape[2])
        mask = mask.reshape(-1, *mask.shape[-2:])
    return _Heads(
        _scaled(q, root if scale >= 0 else -root), _scaled(k, root),
        wide(v).reshape(q.shape[0] * q.shape[1], *v.shape[2:]), root, mask)


def _repeated(x: Tensor, q: Tensor) -> Tensor:
    """Return keys or values for each head of q: groups of heads share theirs."""
    heads = x.shape[1]
    return x if heads == q.shape[1] else x.repeat_interleave(q.shape[1] // heads, 1)


def _gathered(gradient: Tensor, x: Tensor) -> Tensor:
    """Return the gradient of keys or values, summed over a group of heads."""
    batch, heads = x.shape[:2]
    if gradient.shape[0] == batch * heads:
        return gradient.view(x.shape).to(x.dtype)
    return sum(gradient.view(batch, heads, -1, *x.shape[2:]), 2).to(x.dtype)


def _scaled(x: Tensor, factor: float) -> Tensor:
    """Return x times a factor, by heads, in one piece."""
    w = wide(x)
    out = torch.empty(x.shape, dtype=w.dtype)
    torch.mul(w, factor, out=out)
    return out.view(x.shape[0] * x.shape[1], *x.shape[2:])


def attention(q: Tensor, k: Tensor, v: Tensor, dropout_p: float = 0.0, is_causal: bool = False,
              *, attn_mask: Optional[Tensor] = None, scale: Optional[float] = None,
              ) -> Tuple[Tensor, Tensor]:
    """softmax((q * c) (k * c)^T + mask) v, where c is the root of the scale.

    The second result holds the logarithms of the sums.
    """
    batch, count, length, _ = q.shape
    heads = _heads(q, _repeated(k, q), _repeated(v, q), is_causal, attn_mask, scale)
    out = torch.empty_like(q)
    logs = torch.empty(batch * count, length, dtype=heads.q.dtype)
    if k.shape[2] == 0 or q.numel() == 0:
        return out.zero_(), logs.fill_(-math.inf).view(batch, count, length)
    found = torch.empty(batch * count, length, v.shape[3], dtype=heads.q.dtype)
    for part in heads.parts():
        weights, logs[part] = heads.weights(part)
        found[part] = multiply(weights, heads.v[part])
    out.copy_(found.view(out.shape))
    return out, logs.view(batch, count, length)


def attention_backward(
        gradient: Optional[Tensor], q: Tensor, k: Tensor, v: Tensor, out: Tensor, logsumexp: Tensor,
        dropout_p: float, is_causal: bool, *, attn_mask: Optional[Tensor] = None,
        scale: Optional[float] = None,
) -> Tuple[Optional[Tensor], Optional[Tensor], Optional[Tensor]]:
    """The gradients of q, k and v: products of the weights, computed again."""
    if gradient is None:
        return None, None, None
    heads = _heads(q, _repeated(k, q), _repeated(v, q), is_causal, attn_mask, scale)
    g = wide(gradient).reshape(heads.q.shape[0], q.shape[2], v.shape[3])
    found = [torch.empty_like(t) for t in (heads.q, heads.k, heads.v)]
    for part in heads.parts():
        weights, _ = heads.weights(part)
        slope = multiply(g[part], heads.v[part].transpose(1, 2))
        rows = (-1, slope.shape[2])
        slope = softmax_slope(slope.view(rows), weights.view(rows)).view(slope.shape)
        found[0][part] = multiply(slope, heads.k[part])
        found[1][part] = multiply(slope.transpose(1, 2), heads.q[part])
        found[2][part] = multiply(weights.transpose(1, 2), g[part])
    root = heads.root
    found[0].mul_(-root if scale is not None and scale < 0 else root)
    found[1].mul_(root)
    return (found[0].view(q.shape).to(q.dtype), _gathered(found[1], k), _gathered(found[2], v))
