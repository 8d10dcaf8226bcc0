"""Reads the arrays of other libraries where they lie, and makes results.

An array comes by the buffer protocol or by __dlpack__: no element is copied.
"""

import array
import ctypes
import functools
import math
import operator
import struct
import sys
from typing import Any, Optional, Sequence, Tuple, Union

from . import _library as lib
from ._errors import Error

NAMES = {
    "float64": lib.FLOAT64, "float32": lib.FLOAT32, "float16": lib.FLOAT16,
    "bfloat16": lib.BFLOAT16, "int8": lib.INT8, "int16": lib.INT16, "int32": lib.INT32,
    "int64": lib.INT64, "uint8": lib.UINT8, "uint16": lib.UINT16, "uint32": lib.UINT32,
    "uint64": lib.UINT64, "bool": lib.BOOL,
}
FORMATS = {format: name for name, format in NAMES.items()}
SIZES = {
    lib.FLOAT64: 8, lib.FLOAT32: 4, lib.FLOAT16: 2, lib.BFLOAT16: 2, lib.INT8: 1, lib.INT16: 2,
    lib.INT32: 4, lib.INT64: 8, lib.UINT8: 1, lib.UINT16: 2, lib.UINT32: 4, lib.UINT64: 8,
    lib.BOOL: 1,
}
FLOATS = (lib.FLOAT64, lib.FLOAT32, lib.FLOAT16, lib.BFLOAT16)
_ALIASES = {"float": "float64", "double": "float64", "int": "int64", "half": "float16",
            "bool_": "bool", "single": "float32", "f64": "float64", "f32": "float32",
            "f16": "float16", "bf16": "bfloat16", "b1": "bool"}
_ALIASES.update({f"{short}{bits // 8}": f"{kind}{bits}"  # as f4 in NumPy
                 for short, kind in [("f", "float"), ("i", "int"), ("u", "uint")]
                 for bits in (8, 16, 32, 64) if f"{kind}{bits}" in NAMES})
_LETTERS = {
    lib.FLOAT64: "d", lib.FLOAT32: "f", lib.FLOAT16: "e", lib.INT64: "q", lib.UINT64: "Q",
}

# Kinds of elements, by the letters of module struct.
_KINDS = {"d": "float", "f": "float", "e": "float", "?": "bool"}
_KINDS.update({letter: "int" for letter in "bhilqn"})
_KINDS.update({letter: "uint" for letter in "BHILQN"})


def dtype_of(dtype: Any) -> Optional[int]:
    """Return the format that a dtype names: a string, type or dtype object.

    A string has a name of NumPy's, such as float32 or f4, or of the command's, such as f32.
    """
    if dtype is None:
        return None
    name = dtype.__name__ if isinstance(dtype, type) else str(dtype)
    name = name.rpartition(".")[2].lower()
    format = NAMES.get(_ALIASES.get(name, name))
    if format is None:
        raise Error(
            "array-dtype",
            f"lastbit has no dtype {name}",
            "it has " + ", ".join(NAMES),
        )
    return format


class View:
    """An array in somebody else's memory. close ends the use of it."""

    def __init__(self, owner: str, format: int, at: Optional[int], shape: Tuple[int, ...],
                 strides: Tuple[int, ...], keep: Any = None) -> None:
        self.owner = owner  # "numpy", "torch", or "" for Python's own objects
        self.format = format
        self.at = at
        self.shape = shape
        self.strides = strides  # in bytes
        self.keep = keep

    def close(self) -> None:
        keep, self.keep = self.keep, None
        if isinstance(keep, _Buffer):
            _release(ctypes.byref(keep))

    def __enter__(self) -> "View":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def is_dense(self) -> bool:
        """Report whether the elements lie in one piece, in the order of C."""
        return self.strides == contiguous(self.shape, SIZES[self.format])

    def array(self, order: Optional[Sequence[int]] = None) -> lib.Array:
        """Return the form of the library, with the dimensions in an order."""
        shape, strides = self.shape, self.strides
        if order is not None:
            shape = tuple(shape[k] for k in order)
            strides = tuple(strides[k] for k in order)
        n = len(shape)
        numbers = (ctypes.c_int64 * (2 * n or 1))(*shape, *strides)
        at = ctypes.addressof(numbers)
        form = lib.Array(self.at, self.format, n, at, at + 8 * n)
        form.numbers, form.view = numbers, self  # live as long as the form
        return form


_OWNERS = {("numpy", "ndarray"), ("numpy", "generic"), ("torch", "Tensor")}


def _owner(kind: type) -> str:
    """Return "numpy" or "torch" for their arrays, and for classes made of them."""
    for c in kind.__mro__:
        if (c.__module__, c.__name__) in _OWNERS:
            return c.__module__
    return ""


def _guest(kind: type) -> str:
    """Return the owner of results for arrays of another library, such as JAX."""
    return "numpy" if hasattr(kind, "__dlpack__") and "numpy" in sys.modules else ""


def view(value: Any, writable: bool = False) -> View:
    """Return a view of an array, or raise an Error."""
    kind = type(value)
    if kind.__name__ == "ndarray" and kind.__module__ == "numpy":
        found = _of_ndarray(value, writable)
        if found is not None:
            return found
    owner = _owner(kind)
    if kind.__module__.startswith("ml_dtypes") and not writable:
        value, owner = sys.modules["numpy"].asarray(value), "numpy"  # a number
    if owner == "numpy" and any(c.__module__.startswith("numpy.ma") for c in kind.__mro__):
        raise Error(
            "array-unsupported",
            "a masked array is not read, since its mask would be ignored",
            "pass x.compressed(), or x.filled(0)",
        )
    if owner == "torch":
        # A tensor may hold the negated numbers, and share them as they lie.
        is_negated = value.is_neg()
        if is_negated and writable:
            raise Error(
                "array-unsupported",
                "this tensor holds the negated numbers of another one, as the imag of a "
                "conjugate does",
                "pass another tensor as out",
            )
        return _of_dlpack(value.resolve_neg() if is_negated else value, "torch")
    if kind in (float, int, bool, list, tuple) and not writable:
        return _of_sequence(value)
    try:
        if owner == "numpy" and str(value.dtype) == "bfloat16":
            return _of_bfloat16(value, writable)
        return _of_buffer(value, owner or _guest(kind), writable)
    except (TypeError, BufferError, ValueError) as error:
        if hasattr(value, "__dlpack__") and not writable and owner != "numpy":
            return _of_dlpack(value, _guest(kind))
        if hasattr(value, "__array__") and "numpy" in sys.modules and owner != "numpy":
            return _of_array(value, writable)
        if owner == "numpy" and hasattr(value, "dtype") and not writable:
            raise Error(
                "array-dtype",
                f"elements of {value.dtype} are not read",
                "convert them to float64, float32, float16, bool or integers of up to 64 bits",
            ) from error
        if writable and any(word in str(error) for word in ("read-only", "not writable")):
            raise Error(
                "array-unsupported",
                "the array for the results is read-only",
                "pass another one as out, or leave it out",
            ) from error
        raise Error(
            "array-unsupported",
            f"a {kind.__module__}.{kind.__qualname__} is not an array of numbers that lastbit "
            f"reads: {error}",
            "pass a NumPy array, a torch tensor on the CPU, or anything with the buffer protocol",
        ) from error


@functools.lru_cache(maxsize=None)
def _formats_of_numpy() -> "dict[Any, int]":
    """Return the formats of NumPy's dtypes in the byte order of this machine."""
    numpy = sys.modules["numpy"]
    return {numpy.dtype(name): format for name, format in NAMES.items() if name != "bfloat16"}


def _of_ndarray(value: Any, writable: bool) -> Optional[View]:
    """Return a view of an array of NumPy's own class, or None for what the other
    ways read, or refuse with a reason. They take ten times as long."""
    format = _formats_of_numpy().get(value.dtype)
    if format is None or writable and not value.flags.writeable:
        return None
    at = value.__array_interface__["data"][0]
    return View("numpy", format, at, value.shape, value.strides, value)


def _of_array(value: Any, writable: bool) -> View:
    """Return a view of the array that backs a Series of pandas and the like."""
    numpy = sys.modules["numpy"]
    dtype = getattr(value, "dtype", None)
    if not isinstance(dtype, numpy.dtype) or dtype.hasobject:
        raise Error(
            "array-unsupported",
            f"{with_article(type(value))} becomes an array by a conversion, which may round",
            'convert it, as by x.to_numpy(dtype="float64")'
            if type(value).__module__.startswith("pandas") else "convert it, as by x.to_numpy()",
        )
    converted = numpy.asarray(value)
    if writable and not numpy.may_share_memory(converted, numpy.asarray(value)):
        raise Error(
            "array-unsupported",
            f"{with_article(type(value))} becomes an array by a copy, and would stay as it is",
            "pass a NumPy array as out",
        )
    return view(converted, writable)


def _of_bfloat16(value: Any, writable: bool) -> View:
    """Return a view of NumPy's array of bfloat16, which package ml_dtypes
    defines: the buffer protocol has no such numbers, but their bits."""
    found = _of_buffer(value.view("uint16"), "numpy", writable)
    found.format = lib.BFLOAT16
    return found


class _Buffer(ctypes.Structure):
    """Py_buffer of Python's C API."""

    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.py_object),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
        ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)),
        ("internal", ctypes.c_void_p),
    ]


_RECORDS_RO, _RECORDS = 0x1C, 0x1D  # with strides and format, perhaps writable
_get = ctypes.pythonapi.PyObject_GetBuffer
_get.argtypes = [ctypes.py_object, ctypes.POINTER(_Buffer), ctypes.c_int]
_release = ctypes.pythonapi.PyBuffer_Release
_release.argtypes = [ctypes.POINTER(_Buffer)]
_release.restype = None


def _of_buffer(value: Any, owner: str, writable: bool) -> View:
    buffer = _Buffer()
    _get(value, ctypes.byref(buffer), _RECORDS if writable else _RECORDS_RO)
    n = buffer.ndim
    shape = tuple(buffer.shape[:n]) if n else ()
    try:
        format = _format_of_buffer((buffer.format or b"B").decode(), buffer.itemsize)
    except Error:
        _release(ctypes.byref(buffer))
        raise
    if n and buffer.strides:
        strides = tuple(buffer.strides[:n])
    else:  # ctypes' arrays have none
        strides = contiguous(shape, buffer.itemsize)
    return View(owner, format, buffer.buf, shape, strides, buffer)


def _format_of_buffer(text: str, size: int) -> int:
    native = "<" if sys.byteorder == "little" else ">"
    letter = text
    if len(text) == 2 and (text[0] in "@=" + native or size == 1):
        letter = text[1]
    kind = _KINDS.get(letter)
    name = kind if kind == "bool" else f"{kind}{8 * size}"
    if kind is None or name not in NAMES:
        cause = f"elements of the format {text!r} are not summed"
        cure = "convert them to float64, float32, float16, bool or integers of up to 64 bits"
        if "Z" in text:
            cure = "take x.real and x.imag, one after the other"
        elif text[0] in "<>!" and text[0] != native:
            cause = f"elements of the format {text!r} are in the other byte order"
            cure = 'convert the array, as by x.astype(x.dtype.newbyteorder("="))'
        raise Error("array-dtype", cause, cure)
    return NAMES[name]


class _Tensor(ctypes.Structure):
    """DLTensor of DLPack, without the version that a newer one begins with."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_CODES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 6: "bool"}
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_pointer.restype = ctypes.c_void_p


def _of_dlpack(value: Any, owner: str) -> View:
    try:
        device, _ = value.__dlpack_device__()
        if device != 1:
            raise Error(
                "array-device",
                f"this array is not in the memory of the CPU (its DLPack device is {int(device)})",
                "pass x.cpu()",
            )
        capsule = value.__dlpack__()
    except (AttributeError, BufferError, RuntimeError, TypeError, ValueError) as error:
        raise Error(
            "array-unsupported",
            f"{with_article(type(value))} does not share its memory: {error}",
            _cure(value, owner),
        ) from error
    tensor = _Tensor.from_address(_pointer(capsule, b"dltensor"))
    name = f"{_CODES.get(tensor.code)}{tensor.bits}"
    if name == "bool8":
        name = "bool"
    if name not in NAMES or tensor.lanes != 1:
        raise Error(
            "array-dtype",
            f"elements of DLPack's type {tensor.code} with {tensor.bits} bits are not summed",
            "convert them to float64, float32, float16, bfloat16, bool or integers",
        )
    format = NAMES[name]
    shape = tuple(tensor.shape[: tensor.ndim]) if tensor.ndim else ()
    if tensor.ndim and tensor.strides:
        strides = tuple(SIZES[format] * s for s in tensor.strides[: tensor.ndim])
    else:
        strides = contiguous(shape, SIZES[format])
    if not tensor.data and math.prod(shape):
        raise Error(
            "array-unsupported",
            f"{with_article(type(value))} holds no numbers: it stands for others while they are "
            "traced",
            "call lastbit outside of the function that is traced",
        )
    at = (tensor.data or 0) + tensor.byte_offset
    return View(owner, format, at, shape, strides, capsule)


def with_article(kind: type) -> str:
    """Return the name of a type with its article."""
    return f"{'an' if kind.__name__[0] in 'AEIOaeio' else 'a'} {kind.__name__}"


def _cure(value: Any, owner: str) -> str:
    """Return what helps where an array does not share its memory."""
    if owner == "torch":
        if value.is_meta:
            return "pass a tensor that holds numbers, on the CPU"
        if value.is_quantized:
            return "pass x.dequantize()"
        if value.is_nested or str(value.layout) != "torch.strided":
            return "pass a dense tensor, as by x.to_dense()"
        return "pass x.detach() of a tensor, x.real and x.imag of a complex one, or a copy"
    if type(value).__name__.endswith("Tracer"):  # JAX's
        return "call lastbit outside of the function that is traced"
    return "pass a NumPy array of its numbers, without the nulls"


def contiguous(shape: Tuple[int, ...], size: int) -> Tuple[int, ...]:
    """Return the strides of an array in the order of C."""
    strides = []
    for n in reversed(shape):
        strides.append(size)
        size *= n
    return tuple(reversed(strides))


def _of_sequence(value: Any) -> View:
    """Return a view of a copy of Python's numbers."""
    numbers = value if isinstance(value, (list, tuple)) else [value]
    shape = (len(numbers),) if numbers is value else ()
    copied: "array.array[Any]"
    try:
        if numbers and all(hasattr(x, "__index__") for x in numbers):
            letter, copied = "q", array.array("q", map(operator.index, numbers))
        else:
            letter, copied = "d", array.array("d", map(_float, numbers))
    except (TypeError, OverflowError) as error:
        raise Error(
            "array-unsupported",
            f"{with_article(type(value))} is read if it holds numbers of 64 bits: {error}",
            "pass an array",
        ) from error
    at, _ = copied.buffer_info()
    format = lib.INT64 if letter == "q" else lib.FLOAT64
    return View("", format, at, shape, (8,) if shape else (), copied)


def _float(x: Any) -> float:
    """Return a number that is a float64. No other is rounded."""
    if isinstance(x, float) or type(x).__name__ in ("float32", "float16"):
        return float(x)
    whole = operator.index(x)
    if int(float(whole)) != whole:
        raise OverflowError(f"{whole} is not a float64")
    return float(whole)


Result = Any  # a number or an array of the library that the argument came from


class Output:
    """Memory for the results of an operation."""

    def __init__(self, owner: str, format: int, shape: Tuple[int, ...]) -> None:
        self.owner, self.format, self.shape = owner, format, shape
        if owner == "torch":
            torch = sys.modules["torch"]
            self.made = torch.empty(shape, dtype=getattr(torch, FORMATS[format]))
            self.at = self.made.data_ptr()
        elif owner == "numpy" and shape:
            self.made = sys.modules["numpy"].empty(shape, self.dtype())
            self.at = self.made.__array_interface__["data"][0]
        else:
            n = math.prod(shape) * SIZES[format] or 1
            self.made = (ctypes.c_char * n)() if shape else ctypes.c_uint64()
            self.at = ctypes.addressof(self.made)

    def view(self) -> View:
        strides = contiguous(self.shape, SIZES[self.format])
        return View(self.owner, self.format, self.at, self.shape, strides, self.made)

    def result(self) -> Result:
        if self.owner == "torch" or self.owner == "numpy" and self.shape:
            return self.made
        if self.owner == "numpy" and (self.format != lib.BFLOAT16 or "ml_dtypes" in sys.modules):
            return self.dtype()(self.number())
        return self.memory() if self.shape else self.number()

    def dtype(self) -> Any:
        """Return NumPy's type of the results."""
        module = sys.modules.get("ml_dtypes" if self.format == lib.BFLOAT16 else "numpy")
        if module is None:
            raise Error(
                "array-dtype",
                "NumPy has bfloat16 by package ml_dtypes only, which is not imported",
                'import ml_dtypes, or give dtype="float32"',
            )
        return getattr(module, FORMATS[self.format])

    def number(self) -> Any:
        if self.format == lib.BFLOAT16:  # the upper half of a float32
            return struct.unpack("<f", b"\0\0" + bytes(self.made)[:2])[0]
        return struct.unpack_from(_LETTERS[self.format], self.made)[0]

    def memory(self) -> Any:
        letter = _LETTERS.get(self.format)
        if letter is None or letter == "e" and sys.version_info < (3, 12):
            raise Error(
                "array-dtype",
                f"Python has no array of {FORMATS[self.format]} for the results",
                'give dtype="float32"',
            )
        flat: Any = memoryview(self.made).cast("B")
        if 0 in self.shape:
            return flat[:0].cast(letter)
        return flat.cast(letter, self.shape)


Axis = Union[None, int, Tuple[int, ...]]


def axes_of(axis: Union[int, Tuple[int, ...]], dimensions: int) -> Tuple[int, ...]:
    """Return the axes that are reduced, from 0 on."""
    axes = axis if isinstance(axis, tuple) else (axis,)
    found: "list[int]" = []
    for a in axes:
        k = operator.index(a) if hasattr(a, "__index__") else dimensions
        k += dimensions if k < 0 else 0
        if not 0 <= k < dimensions or k in found:
            raise Error(
                "array-axis",
                f"axis {axis!r} does not name dimensions of an array of {dimensions}",
                "give each axis once, from 0 or from -1 on",
            )
        found.append(k)
    return tuple(found)
