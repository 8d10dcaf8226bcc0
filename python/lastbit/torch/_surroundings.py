"""What a context needs of the process, and changes in it while it lasts."""

import sys
import threading
from typing import Any

import torch

from .. import _library as lib
from .._errors import Error

_OLDEST = (2, 0)


class _Switch:
    """A setting of PyTorch's for the whole process, off while any context lasts."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.contexts = 0
        self.before: Any = None

    def turn_off(self) -> None:
        with self.lock:
            if self.contexts == 0:
                self.before = self.get()
                self.set(False)
            self.contexts += 1

    def turn_back(self) -> None:
        with self.lock:
            self.contexts -= 1
            if self.contexts == 0:
                self.set(self.before)

    def get(self) -> Any:
        return torch.backends.mha.get_fastpath_enabled()

    def set(self, value: Any) -> None:
        torch.backends.mha.set_fastpath_enabled(value)


_fast_path = _Switch()


class Surroundings:
    """One entry into a context. Raises an Error where the promise cannot be kept."""

    def __init__(self) -> None:
        _check_version()
        lib.load()
        _check_arithmetic()
        self.has_switch = hasattr(torch.backends, "mha")
        if self.has_switch:
            _fast_path.turn_off()

    def leave(self) -> None:
        if self.has_switch:
            _fast_path.turn_back()


def _check_version() -> None:
    version = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if version < _OLDEST:
        raise Error(
            "torch-version",
            f"this is PyTorch {torch.__version__}",
            f"use PyTorch {'.'.join(map(str, _OLDEST))} or newer",
        )


def _check_arithmetic() -> None:
    """Refuse a thread that rounds in another direction, or to zero."""
    one, tiny, least = 1.0, 2.0**-60, sys.float_info.min
    is_nearest = one + tiny == one and one - tiny == one and -one - tiny == -one
    if not is_nearest or least / 2 == 0:
        raise Error(
            "torch-arithmetic",
            "this thread rounds in another direction than to nearest, or makes zeros of "
            "subnormal numbers",
            "call torch.set_flush_denormal(False) before, or restore the rounding direction",
        )
