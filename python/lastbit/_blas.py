"""NumPy's products and linear algebra by lastbit's BLAS and LAPACK."""

import ctypes
import os
import subprocess
import sys
import threading
from typing import Any, Sequence

from . import _binary
from ._errors import Error

_FILE = "liblastbit_blas.so"
_lock = threading.Lock()  # of the first entry


def library() -> str:
    """Return the path of the BLAS: $LASTBIT_BLAS, or in this package."""
    if not sys.platform.startswith("linux"):
        raise Error(
            "run-platform",
            f"it needs the dynamic loader of Linux, and this is {sys.platform}",
            "run it on Linux",
        )
    named = os.environ.get("LASTBIT_BLAS")
    found = named or os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib", _FILE)
    if os.path.isfile(found):
        return os.path.abspath(found)
    raise Error(
        "run-library",
        f"{found} is not a file",
        "use the wheel for Linux with glibc, or build the library by make lib and name it "
        "by LASTBIT_BLAS",
    )


class blas:
    """Load NumPy with lastbit's BLAS and LAPACK in this process.

    Use it before anything imports NumPy; it imports NumPy itself, and makes sure
    that products are computed by lastbit::

        import lastbit

        with lastbit.blas():
            import numpy as np
            x = np.linalg.solve(a, b)

    ``@``, ``dot`` and ``linalg`` give the same bits on every processor and for
    every number of threads; docs/use/blas.md lists the routines. A library cannot
    be taken back: after the block NumPy goes on computing by it.

    Raises Error ``blas-late`` where NumPy is loaded already: start the program by
    ``lastbit run`` then. Linux only.
    """

    _loaded: Any = None  # the library of this process

    def __enter__(self) -> "blas":
        with _lock:
            if blas._loaded is None:
                blas._loaded = _load()
        return self

    def __exit__(self, *_: object) -> None:
        return None


def _load() -> Any:
    late = [name for name in ("numpy", "scipy") if name in sys.modules]
    if late:
        raise Error(
            "blas-late",
            f"{late[0]} is loaded already, with a BLAS of its own",
            "enter lastbit.blas() before the first import of NumPy, or start the program by "
            "lastbit run -- python3 script.py",
        )
    path = library()
    before = os.environ.get("LASTBIT_RUN")
    if before is None:
        os.environ["LASTBIT_RUN"] = _binary.find()  # computes in forked processes
    try:
        ctypes.CDLL(path).cblas_ddot  # before its names replace others
        loaded = ctypes.CDLL(path, mode=os.RTLD_GLOBAL | os.RTLD_NOW)
    except (OSError, AttributeError) as error:
        if before is None:
            del os.environ["LASTBIT_RUN"]
        raise Error(
            "run-library", f"{path} cannot be loaded: {error}", "build it again by make lib"
        ) from error
    _check(loaded)
    return loaded


def _check(loaded: Any) -> None:
    """Compare a dot product of NumPy with the library's."""
    import numpy

    ddot = loaded.cblas_ddot
    ddot.restype = ctypes.c_double
    n = 4099
    x = numpy.sin(numpy.arange(n) * 0.7)
    y = numpy.cos(numpy.arange(n) * 1.3) + 0.1
    want = ddot(
        ctypes.c_int(n), x.ctypes.data_as(ctypes.c_void_p), ctypes.c_int(1),
        y.ctypes.data_as(ctypes.c_void_p), ctypes.c_int(1),
    )
    if float(numpy.dot(x, y)).hex() != want.hex():
        raise Error(
            "blas-late",
            f"NumPy {numpy.__version__} does not take its products from the library that was "
            "loaded before",
            "start the program by lastbit run -- python3 script.py",
        )


def run(
    command: Sequence[str], *, quiet: bool = True, **options: Any
) -> "subprocess.CompletedProcess[Any]":
    """Run a command with lastbit's BLAS and LAPACK in place of its own.

    It is ``lastbit run``: ``lastbit.run([sys.executable, "script.py"])``. With
    quiet=False it reports which calls were replaced. The other options are those of
    subprocess.run, which returns the result.
    """
    if isinstance(command, (str, bytes)):
        raise Error(
            "bad-usage",
            f"the command is {command!r}, one text",
            'give a list of words, such as ["python3", "script.py"]',
        )
    words = [_binary.find(), "run", "--lib", library()]
    if quiet:
        words.append("--quiet")
    return subprocess.run([*words, "--", *command], **options)
