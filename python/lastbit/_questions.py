"""The questions that the command answers about callables and arrays of this process."""

import collections.abc
import contextlib
import inspect
import math
import operator
import os
import re
import sys
import tempfile
from typing import Any, Iterable, Iterator, Optional, Union

from . import _ask, _findings, _npy
from ._errors import Error
from ._findings import Comparison, Explanation, Finding, Invariance


def reveal(
    fn: Any,
    n: int = 1000,
    dtype: Any = "float32",
    op: str = "sum",
    *,
    arrays: Optional[str] = None,
    device: Optional[str] = None,
    timeout: float = 60.0,
) -> Finding:
    """Find the order and the arithmetic in which a callable adds n numbers, and prove them.

    fn takes arrays of shape (n,) and dtype float64, float32, float16 or bfloat16
    (PyTorch and JAX), or int8 or uint8 (NumPy and PyTorch), whose sums have no order
    but overflow, and returns one number: one array for op "sum" or "sumsq", two for
    "dot". For "gemv" and "gemm" it takes and returns matrices. It is called some
    hundred times, in this process and this thread, and leaves its arguments alone.

    The arguments are of the container that fn's first parameter is annotated with or
    that its library has, else the first of NumPy, PyTorch and JAX, as far as they are
    loaded, that it takes without an exception; arrays ("numpy", "torch", "jax",
    "pandas", "polars", "pyarrow", "list") chooses one. device "cuda" makes tensors on
    the GPU. One call takes timeout seconds at most; the first may have to compile.

    The finding speaks of this n, this process and its number of threads.

    Raises lastbit.Error: callable-raised with fn's own exception as its cause,
    callable-result, callable-changes, returns-nan, worker-timeout and others.

    >>> import lastbit
    >>> def odd_and_even(x: list):
    ...     s = t = 0.0
    ...     for v, w in zip(x[0::2], x[1::2]):
    ...         s, t = s + v, t + w
    ...     return s + t
    >>> found = lastbit.reveal(odd_and_even, n=6, dtype="float64")
    >>> found.verdict, found.verified, found.tree
    ('tree', True, '(((0 2) 4) ((1 3) 5))')
    """
    question = _ask.Question(arrays)
    return _findings.finding(question.ask("reveal", question.target(fn), *_spec(n, dtype, op, device, timeout)))


def compare(
    *fns: Any,
    n: int = 1000,
    dtype: Any = "float32",
    op: str = "sum",
    arrays: Optional[str] = None,
    device: Optional[str] = None,
    timeout: float = 60.0,
) -> Comparison:
    """Find out whether callables compute the same bits, and an input on which they do not.

    The callables and the options are as in reveal; a text is an address of the
    command, such as "py:numpy.sum" or "go:naive", which runs in a process of its own.
    "same" means that every tree and arithmetic is verified and equal.

    >>> import lastbit, math
    >>> lastbit.compare(sum, math.fsum, n=100, dtype="float64").conclusion
    'different'
    """
    question = _ask.Question(arrays)
    targets = [question.target(f) for f in fns]
    if len(targets) < 2:
        raise Error("bad-usage", "a comparison needs two callables or more", "give another one")
    return _findings.comparison(question.ask("compare", *targets, *_spec(n, dtype, op, device, timeout)))


def invariant(
    fn: Any,
    m: Union[int, Iterable[int]] = range(1, 65),
    *,
    n: int = 256,
    dtype: Any = "float32",
    op: Optional[str] = None,
    cols: Optional[int] = None,
    arrays: Optional[str] = None,
    device: Optional[str] = None,
    timeout: float = 60.0,
) -> Invariance:
    """Find out whether a row of a result depends on the number of rows, m.

    fn takes a matrix of shape (m, n) and returns its m sums, which may be weighted
    (op "sum"), or takes a matrix of shape (n, cols) as well and returns their product
    of shape (m, cols) (op "gemm"), or a vector of n (op "gemv"). Without op it is "sum"
    for a callable of one parameter and no cols, else "gemm". Other options are as in reveal.

    >>> import lastbit, numpy
    >>> def rows(x):
    ...     return numpy.add.accumulate(x, axis=1)[:, -1]
    >>> lastbit.invariant(rows, m=[1, 2, 7], n=16).invariant
    True
    """
    rows = m if isinstance(m, collections.abc.Iterable) else [m]
    values = ",".join(_whole("m", v) for v in rows)
    question = _ask.Question(arrays)
    target = question.target(fn)

    def ask(op: str) -> Invariance:
        shape = ["--m", values, *(["--axis", "1"] if op == "sum" else [])]
        shape += ["--cols", _whole("cols", cols)] if cols is not None else []
        return _findings.invariance(question.ask("invariant", target, *shape, *_spec(n, dtype, op, device, timeout)))

    operands = _operands(fn) if cols is None else 2  # a sum has no columns
    if op is None and operands is None:
        try:
            return ask("gemm")
        except Error as error:
            if error.id not in ("callable-raised", "callable-result", "unsupported"):
                raise
        return ask("sum")
    return ask(op or ("sum" if operands == 1 else "gemm"))


def explain(
    a: Any,
    b: Any,
    op: Optional[str] = None,
    *,
    input: Any = None,
    second: Any = None,
    lhs: Any = None,
    rhs: Any = None,
    axis: Optional[int] = None,
    libraries: bool = True,
) -> Explanation:
    """Count where two arrays differ and, with an operation and its inputs, find the cause.

    a and b are arrays or tensors of one shape and one floating-point dtype, on any
    device, or lists of floats. op is "sum" or "mean" of input (over all elements, or
    an axis, from 0, or from -1 for the last), "dot" or "matmul" of lhs and rhs, or a
    function of input (and second) such as "exp". libraries=False asks no library of
    this machine.

    Two NaN are equal; +0 and -0 differ.

    >>> import lastbit
    >>> why = lastbit.explain([0.1 + 0.2, 1.0], [0.3, 1.0])
    >>> why.differing, why.max_ulps, why.first
    (1, 1, [0])
    """
    arguments = ["--no-libraries"] if not libraries and op is not None else []
    if op is not None:
        arguments += ["--op", op]
    if axis is not None:
        arguments += ["--axis", _whole("axis", axis)]
    named = {"a": a, "b": b, "input": input, "second": second, "lhs": lhs, "rhs": rhs}
    with _folder() as folder:
        files = []
        for name, array in named.items():
            if array is None and name not in ("a", "b"):
                continue
            path = os.path.join(folder, name + ".npy")
            _npy.save(array, path)
            files += [path] if name in ("a", "b") else ["--" + name, path]
        return _findings.explanation(_ask.run("explain", *files, *arguments))


def replay(finding: Finding, array: Any, second: Any = None) -> Any:
    """Add numbers in the order and the arithmetic of a finding.

    The promise is "replayed": the bits are those of the implementation that was
    revealed. array has shape (n,) or (rows, n) and the dtype that was revealed; second
    holds the second factors of a product, of shape (n,). The result is a number, or
    one for each row: of NumPy for an array or a tensor, unless it is of bfloat16, else
    a float. NaN and infinities are refused (bad-data) where the finding notes that the
    implementation does not treat them as IEEE 754 does, such as numpy.nansum.

    >>> import lastbit
    >>> found = lastbit.reveal(lambda x: x[0] + (x[1] + x[2]), n=3, dtype="float64", arrays="list")
    >>> lastbit.replay(found, [0.1, 0.2, 0.3]) == 0.1 + (0.2 + 0.3)
    True
    """
    if not isinstance(finding, Finding):
        raise Error("bad-usage", f"{type(finding).__name__} is no finding", "give what lastbit.reveal returned")
    with _folder() as folder:
        paths = [os.path.join(folder, name) for name in ("finding.json", "array.npy", "second.npy")]
        with open(paths[0], "w", encoding="utf-8") as file:
            file.write(finding.to_json())
        _npy.save(array, paths[1])
        if second is not None:
            _npy.save(second, paths[2])
        done = _ask.run("replay", *paths[: 2 if second is None else 3])
    values = [float(r["value"][0]) for r in done["results"]]
    single = len(getattr(array, "shape", ())) < 2 and not (
        isinstance(array, (list, tuple)) and array and hasattr(array[0], "__len__")
    )
    numpy = sys.modules.get("numpy")
    name = {"f64": "float64", "f32": "float32", "f16": "float16"}.get(done["dtype"])
    if numpy is not None and name and hasattr(array, "__array__"):
        rows = numpy.array(values, name)
        return rows[0] if single else rows
    return values[0] if single else values


def _spec(n: int, dtype: Any, op: str, device: Optional[str], timeout: float) -> "list[str]":
    """Return the arguments of the command for a question about a callable."""
    words = ["-n", _whole("n", n), "--dtype", _dtype(dtype), "--op", op, "--timeout", _seconds(timeout)]
    return words + (["--device", device] if device else [])


def _whole(name: str, value: Any) -> str:
    """Return the digits of a whole number: an integer of any library, or a float such as 1e6."""
    try:
        number = int(value) if isinstance(value, float) and value.is_integer() else operator.index(value)
    except TypeError:
        raise Error("bad-usage", f"{name}={value!r} is not a whole number", f"write it as {name}=64") from None
    return str(number)


def _seconds(timeout: Any) -> str:
    """Return a time as the command reads it: up to 30 years, in nanoseconds."""
    try:
        seconds = float(timeout)
    except (TypeError, ValueError):
        seconds = math.nan
    if not 1e-9 <= seconds <= 1e9:
        raise Error("bad-usage", f"timeout={timeout!r} is no time for a call", "give the seconds, such as timeout=60")
    return f"{seconds:.9f}s"


@contextlib.contextmanager
def _folder() -> "Iterator[str]":
    """Return a folder for the files of arrays. Errors name the arrays, not the files."""
    with tempfile.TemporaryDirectory(prefix="lastbit-") as folder:
        try:
            yield folder
        except Error as error:
            named = re.compile(re.escape(folder + os.sep) + r"(\w+)\.\w+")
            cause, cure = (named.sub(r"\1", words) for words in (error.cause, error.cure))
            raise Error(error.id, cause, cure) from None


def _dtype(dtype: Any) -> str:
    """Return the name of a dtype of any library."""
    if isinstance(dtype, str):
        return dtype
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    return str(name).rpartition(".")[2]


def _operands(fn: Any) -> Optional[int]:
    """Return the number of operands that a callable needs, or None if it does not tell."""
    if isinstance(fn, str):
        return 2
    if isinstance(getattr(fn, "nin", None), int):
        return int(fn.nin)
    try:
        parameters = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [p for p in parameters if p.kind in kinds and p.default is p.empty]
    several = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    return None if several or len(needed) not in (1, 2) else len(needed)
