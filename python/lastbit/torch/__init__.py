"""PyTorch on the CPU with the same bits for every batch, thread count and machine."""

from ._mode import Ordered, Uncovered

__all__ = ["Ordered", "Uncovered", "ordered"]


def ordered(strict: bool = False) -> Ordered:
    return Ordered(strict)
