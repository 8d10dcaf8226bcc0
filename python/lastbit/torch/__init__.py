"""PyTorch on the CPU with the same bits for every batch, thread count and machine.

>>> import torch, lastbit.torch
>>> x = (torch.arange(12) / 7).view(3, 4)
>>> with lastbit.torch.ordered():
...     x.softmax(1).sum(1)
tensor([1., 1., 1.])

docs/use/pytorch.md has the operators that are covered, and their formulas.
"""

from ._mode import Ordered, Uncovered

__all__ = ["Ordered", "Uncovered", "ordered"]


def ordered(strict: bool = False) -> Ordered:
    """Return a context that computes tensors on the CPU by published orders.

    In the context this thread's products, sums, norms, softmax, attention,
    activations and elementary functions of float32, float64 and bfloat16 tensors,
    and their backward passes, are lastbit's. A row of a result depends on that row
    and on the weights only: batch, strides, threads and processor change no bit.

    Operators that compute floats and are not covered are PyTorch's own. ``report()``
    of the context lists them, and a warning at its end. With ``strict`` they raise
    ``lastbit.Error``: ``torch-uncovered``.

    Entering raises ``lastbit.Error``: ``torch-version``, ``torch-arithmetic`` where
    the thread flushes subnormal numbers or rounds in another direction, and
    ``library-missing``. Contexts may be nested, and belong to one thread.

    >>> import torch, lastbit.torch
    >>> with lastbit.torch.ordered(strict=True) as mode:
    ...     y = torch.nn.functional.gelu(torch.ones(2))
    >>> y, mode.report()
    (tensor([0.8413, 0.8413]), [])
    """
    return Ordered(strict)
