"""Loads the shared library of lastbit and calls it."""

import ctypes
import os
import sys
import tempfile
import threading
from typing import Any, Optional

from ._errors import Error

FLOAT64, FLOAT32, FLOAT16, BFLOAT16 = 1, 2, 3, 4
INT8, INT16, INT32, INT64 = 5, 6, 7, 8
UINT8, UINT16, UINT32, UINT64, BOOL = 9, 10, 11, 12, 13

SUM, DOT, MEAN, VAR, STD, NORM = 1, 2, 3, 4, 5, 6

ROW_SUM, ROW_DOT, ROW_SQUARES, ROW_MEAN, SOFTMAX, SAFE_SOFTMAX, LOG_SOFTMAX = range(1, 8)
SOFTMAX_SLOPE, LOG_SOFTMAX_SLOPE, LAYER_NORM, LAYER_NORM_SLOPE = range(8, 12)

LIMBS = 139  # of the state of an accumulator
MAX_STATE = 1024

_FORKED, _OVERFLOW, _UNKNOWN, _STATE = 1, 2, 3, 4


class Array(ctypes.Structure):
    """lastbit_array of liblastbit.h."""

    _fields_ = [
        ("at", ctypes.c_void_p),
        ("format", ctypes.c_int32),
        ("dimensions", ctypes.c_int32),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
    ]


_pointer = ctypes.POINTER(Array)
_SIGNATURES = {
    "lastbit_reduce": [
        ctypes.c_int32, _pointer, _pointer, ctypes.c_int32, ctypes.c_int64, ctypes.c_int32,
        ctypes.c_void_p,
    ],
    "lastbit_map": [ctypes.c_char_p, _pointer, _pointer, _pointer],
    "lastbit_flat": [
        ctypes.c_char_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p,
        ctypes.c_void_p,
    ],
    "lastbit_multiply": [ctypes.c_char_p],
    "lastbit_each_row": [ctypes.c_char_p],
    "lastbit_attend": [ctypes.c_char_p],
    "lastbit_accumulate": [_pointer, _pointer, ctypes.c_void_p],
    "lastbit_merge": [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32],
    "lastbit_value": [ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p],
    "lastbit_state": [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p],
    "lastbit_from_state": [ctypes.c_char_p, ctypes.c_int64, ctypes.c_void_p],
}


class _Loader:
    """Holds the library that this process calls.

    The threads of the library's runtime are gone in a forked process, where it
    answers _FORKED. A copy that is loaded there has a runtime of its own. A
    loader knows a file by its name, so each copy has another name.
    """

    def __init__(self) -> None:
        self.calls: Optional[Any] = None
        self.copies = 0
        self.begin()

    def begin(self) -> None:
        """Begin a process: a lock may be held by a thread that it lacks."""
        self.lock = threading.Lock()

    def get(self) -> Any:
        if self.calls is None:
            with self.lock:
                if self.calls is None:
                    self.calls = _open(path())
        return self.calls

    def renew(self, old: Any) -> None:
        with self.lock:
            if self.calls is old:
                self.copies += 1
                self.calls = _open_copy(path(), self.copies)


def path() -> str:
    """Return the path of the library: $LASTBIT_LIBRARY, or in this package."""
    named = os.environ.get("LASTBIT_LIBRARY")
    here = os.path.dirname(os.path.abspath(__file__))
    found = named or os.path.join(here, "lib", "liblastbit.so")
    if os.path.isfile(found):
        return found
    if named:
        raise Error(
            "library-missing",
            f"LASTBIT_LIBRARY is {named}, which is not a file",
            "set it to the path of liblastbit.so, or unset it",
        )
    raise Error(
        "library-missing",
        f"this package of lastbit for {sys.platform} holds no library",
        "use the wheel for Linux with glibc on x86_64 or aarch64; the command works everywhere",
    )


def _open(file: str) -> Any:
    try:
        library = ctypes.CDLL(file)
        for name, arguments in _SIGNATURES.items():
            getattr(library, name).argtypes = arguments
    except (OSError, AttributeError) as error:
        raise Error(
            "library-missing",
            f"the library of lastbit cannot be loaded: {error}",
            "install the wheel of this platform",
        ) from error
    return library


def _open_copy(file: str, number: int) -> Any:
    with open(file, "rb") as original:
        content = original.read()
    try:
        handle = os.memfd_create("liblastbit")
    except OSError:  # a kernel or a sandbox without it
        handle, name = tempfile.mkstemp(suffix=f"-liblastbit-{number}.so")
    else:
        name = "/" * number + f"proc/self/fd/{handle}"
    try:
        with open(handle, "wb", closefd=False) as copy:
            copy.write(content)
        return _open(name)
    finally:
        os.close(handle)
        if not name.startswith("/" * number + "proc"):
            os.unlink(name)


_loader = _Loader()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_loader.begin)


def load() -> None:
    """Load the library, or raise an Error."""
    _loader.get()


def call(function: str, *arguments: Any) -> None:
    """Call a function of the library. A status that is not 0 is an Error."""
    library = _loader.get()
    status = getattr(library, function)(*arguments)
    if status == _FORKED:
        _loader.renew(library)
        status = getattr(_loader.get(), function)(*arguments)
    if status:
        raise _error(status)


def _error(status: int) -> Error:
    if status == _OVERFLOW:
        return Error(
            "integer-overflow",
            "the sum of these integers does not fit the 64 bits of the result",
            'give dtype="float64" for the sum rounded once, or use an Accumulator',
        )
    if status == _STATE:
        return Error(
            "bad-state",
            "these bytes are not the state of an accumulator",
            "give the bytes that state() returned, all of them",
        )
    return Error(
        "library-failed",
        f"the library of lastbit answers {status}",
        "please report this, with what is on standard error",
    )
