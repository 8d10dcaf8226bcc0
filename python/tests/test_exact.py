"""lastbit's reductions against rational numbers, math.fsum and NumPy."""

import array
import itertools
import math
import os
import unittest
from decimal import Decimal
from fractions import Fraction

import numpy
import oracle

import lastbit

FLOATS = ["float64", "float32", "float16"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"]


def drawn(rng, dtype, n):
    """Return n random numbers of a dtype: cancelling, tiny, huge or special."""
    kind = rng.integers(6)
    if dtype in INTEGERS:
        if dtype == "bool":
            return rng.integers(0, 2, n).astype(bool)
        info = numpy.iinfo(dtype)
        low, high = (info.min, info.max) if kind < 2 else (max(info.min, -9), 9)
        x = rng.integers(low, high, n, dtype, endpoint=True)
        return x // 4 * 2 if kind == 1 else x
    info = numpy.finfo(dtype)
    spread = {0: 0, 1: 8, 2: 40}.get(int(kind), info.maxexp - 2)
    e = numpy.clip(rng.integers(-spread, spread + 1, n), info.minexp - info.nmant, None)
    with numpy.errstate(over="ignore"):
        x = numpy.ldexp(rng.uniform(-1, 1, n), e).astype(dtype)
    if n and kind == 4:
        x[n // 2:] = -x[: n - n // 2]
    if n and kind == 5:
        for value in rng.choice([math.nan, math.inf, -math.inf, -0.0], rng.integers(1, 3)):
            x[rng.integers(n)] = value
    if kind == 3:
        x *= 0
    return x


def laid(rng, x):
    """Return an array of the same elements with other strides."""
    way = rng.integers(5)
    if way == 0:
        return x
    if way == 1:
        return x[::-1]
    step = int(rng.integers(2, 5))
    wide = numpy.zeros(len(x) * step + 1, x.dtype)
    if way == 2:
        view = wide[1::step][: len(x)]
    elif way == 3:
        view = wide[::step][: len(x)][::-1]
    else:  # at an odd address
        raw = numpy.zeros(len(x) * x.itemsize + 1, "u1")
        view = raw[1:].view(x.dtype)
    view[...] = x
    return view


def same(a, b):
    """Report whether two numbers are equal, with the sign of zero."""
    a, b = float(a), float(b)
    return a != a and b != b or a == b and math.copysign(1, a) == math.copysign(1, b)


class TestExact(unittest.TestCase):
    def check(self, got, want, what):
        self.assertTrue(same(got, want), f"{what}: {got!r}, want {want!r}")

    def test_fsum(self):
        rng = numpy.random.default_rng(31)
        compared = 0
        cases = int(os.environ.get("LASTBIT_CASES", 3000))
        for case in range(cases):
            dtype = FLOATS[case % 3]
            x = laid(rng, drawn(rng, dtype, int(rng.integers(0, 200))))
            try:
                want = math.fsum(x.tolist())
            except (OverflowError, ValueError):
                continue
            got = lastbit.sum(x, dtype="float64")
            self.assertIs(type(got), numpy.float64)
            if not (got == 0 and want == 0):  # fsum returns +0 for -0
                self.check(got, want, f"case {case}")
            compared += 1
        self.assertGreater(compared, cases * 3 // 4)

    def test_floats(self):
        rng = numpy.random.default_rng(32)
        for case in range(1500):
            dtype, wanted = FLOATS[case % 3], FLOATS[case // 3 % 3]
            x = laid(rng, drawn(rng, dtype, int(rng.integers(0, 40))))
            values = x.tolist()
            ddof = int(rng.integers(0, 2))
            for name, got, want in [
                ("sum", lastbit.sum(x, dtype=wanted), oracle.total(values, wanted)),
                ("mean", lastbit.mean(x, dtype=wanted), oracle.mean(values, wanted)),
                ("var", lastbit.var(x, dtype=wanted, ddof=ddof),
                 oracle.variance(values, wanted, ddof)),
                ("std", lastbit.std(x, dtype=wanted, ddof=ddof),
                 oracle.variance(values, wanted, ddof, root=True)),
                ("norm", lastbit.norm(x, dtype=wanted), oracle.norm(values, wanted)),
            ]:
                self.check(got, want, f"case {case}, {name} of {dtype} in {wanted}")
                self.assertEqual(got.dtype, wanted)

    def test_dot(self):
        rng = numpy.random.default_rng(33)
        for case in range(600):
            dtype = (FLOATS + INTEGERS)[case % 12]
            n = int(rng.integers(0, 40))
            x, y = laid(rng, drawn(rng, dtype, n)), laid(rng, drawn(rng, dtype, n))
            a, b = x.tolist(), y.tolist()
            if dtype in FLOATS:
                if not all(map(math.isfinite, a + b)):
                    continue
                products = (oracle.Fraction(p) * oracle.Fraction(q) for p, q in zip(a, b))
                want = oracle.rounded(sum(products, oracle.Fraction()), dtype)
                self.assertEqual(lastbit.dot(x, y), want, f"case {case}")
            else:
                want = sum(p * q for p, q in zip(a, b))
                self.integers(lambda d: lastbit.dot(x, y, dtype=d), want, x.dtype)

    def integers(self, call, want, dtype):
        """Compare a result with an integer, of which 64 bits may be too few."""
        wanted = "uint64" if dtype.kind == "u" else "int64"
        if numpy.iinfo(wanted).min <= want <= numpy.iinfo(wanted).max:
            got = call(None)
            self.assertEqual((int(got), got.dtype), (want, wanted))
        else:
            with self.assertRaises(lastbit.Error) as caught:
                call(None)
            self.assertEqual(caught.exception.id, "integer-overflow")
        self.check(call("float64"), oracle.rounded(oracle.Fraction(want), "float64"), dtype)

    def test_integers(self):
        rng = numpy.random.default_rng(34)
        for case in range(900):
            x = laid(rng, drawn(rng, INTEGERS[case % 9], int(rng.integers(0, 60))))
            values = [int(v) for v in x.tolist()]
            self.integers(lambda d: lastbit.sum(x, dtype=d), sum(values), x.dtype)
            self.check(lastbit.mean(x), oracle.mean(values, "float64"), f"mean, case {case}")
            self.check(lastbit.var(x), oracle.variance(values, "float64", 0), f"var, {case}")
            self.check(lastbit.norm(x), oracle.norm(values, "float64"), f"norm, case {case}")
            a = lastbit.Accumulator(x)
            self.assertEqual(a.count, len(values))
            self.check(a.value(), oracle.rounded(oracle.Fraction(sum(values)), "float64"), case)

    def test_axes(self):
        rng = numpy.random.default_rng(35)
        for case in range(300):
            dtype = (FLOATS + INTEGERS)[case % 12]
            n = int(rng.integers(1, 5))
            shape = tuple(int(d) for d in rng.integers(0 if case % 5 == 0 else 1, 7, n))
            x = drawn(rng, dtype, math.prod(shape)).reshape(shape)
            x = x.transpose(rng.permutation(n))
            x = x[tuple(slice(None, None, int(rng.choice([1, -1, 2]))) for _ in range(n))]
            for k in range(1, n + 1):
                for axes in itertools.combinations(range(n), k):
                    self.axes(x, axes if k > 1 else axes[0] - n)

    def axes(self, x, axis):
        got = lastbit.sum(x, axis=axis, dtype="float64")
        axes = [a % x.ndim for a in (axis if isinstance(axis, tuple) else (axis,))]
        kept = [k for k in range(x.ndim) if k not in axes]
        rows = x.transpose(kept + axes)
        self.assertEqual(numpy.shape(got), rows.shape[: len(kept)])
        means = lastbit.mean(x, axis=axis, dtype="float64")
        norms = lastbit.norm(x, axis=axis, dtype="float64")
        for place in numpy.ndindex(numpy.shape(got)):
            values = rows[place].ravel().tolist()
            for name, of, want in [
                ("sum", got, oracle.total), ("mean", means, oracle.mean),
                ("norm", norms, oracle.norm),
            ]:
                self.check(of[place], want(values, "float64"), f"{name}, {x.dtype} {axis}")

    def test_long(self):
        """Blocks, columns that advance together, and several threads."""
        rng = numpy.random.default_rng(36)
        for dtype in FLOATS + ["int32", "int64"]:
            x = rng.integers(-1000, 1000, (3000, 70)).astype(dtype)
            for y in [x, x.T, x[::-2, ::3], x[:, :40]]:
                for axis in [0, 1]:
                    want = y.astype("int64").sum(axis=axis).astype("float64")
                    got = lastbit.sum(y, axis=axis, dtype="float64")
                    numpy.testing.assert_array_equal(got, want)
                    squares = (y.astype("int64") ** 2).sum(axis=axis).astype("float64")
                    dots = lastbit.dot(y, y, axis=axis, dtype="float64")
                    numpy.testing.assert_array_equal(dots, squares)
        x = rng.integers(-1000, 1000, 1 << 22).astype("float32")
        self.assertEqual(lastbit.sum(x), x.astype("int64").sum())
        self.assertEqual(lastbit.sum(x[::-1]), x.astype("int64").sum())

    def test_special_values_are_numpys(self):
        rng = numpy.random.default_rng(37)
        values = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan]
        with numpy.errstate(all="ignore"):
            for n in range(1, 4):
                for chosen in itertools.product(values, repeat=n):
                    x = numpy.array(chosen)
                    self.check(lastbit.norm(x), numpy.linalg.norm(x), chosen)
                    if not (x == 0).all():  # NumPy's own zero depends on its version
                        self.check(lastbit.sum(x), x.sum(), chosen)
                        self.check(lastbit.mean(x), x.mean(), chosen)
        x = numpy.array([])
        self.check(lastbit.sum(x), x.sum(), "empty")
        self.check(lastbit.norm(x), numpy.linalg.norm(x), "empty")
        self.assertTrue(math.isnan(lastbit.mean(x)) and math.isnan(lastbit.var(x)))


class Converted:
    """Becomes an array by rounding, as a column with missing integers may."""

    dtype = "Int64"

    def __array__(self, dtype=None, copy=None):
        return numpy.ones(3)


class OnDevice:
    """A tensor in the memory of a CUDA device, as DLPack shows it."""

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **_):
        raise AssertionError("the memory of a device is read")


class Shared:
    """A NumPy array that has no buffer protocol."""

    def __init__(self, x):
        self.x = x

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)


class Masked(numpy.ma.MaskedArray):
    """An array with a mask, of a class of the caller's."""


class TestArguments(unittest.TestCase):
    def test_python(self):
        self.assertEqual(repr(lastbit.sum([1e300, 1, -1e300])), "1.0")
        self.assertEqual(repr(lastbit.sum([2**62, 2**62 - 1])), str(2**63 - 1))
        self.assertEqual(repr(lastbit.sum(2.5)), "2.5")
        self.assertEqual(lastbit.sum([numpy.int64(2**60 + 1), 1]), 2**60 + 2)
        self.assertEqual(lastbit.sum([numpy.float32(0.5), 1, numpy.float16(2)]), 3.5)
        self.assertEqual(repr(lastbit.mean(array.array("f", [1, 2]))), "1.5")
        self.assertEqual(repr(lastbit.sum(())), "0.0")
        self.assertEqual(lastbit.sum(memoryview(b"\x01\x02\xff")), 258)
        rows = memoryview(array.array("d", [1, 2, 3, 4, 5, 6])).cast("B").cast("d", (2, 3))
        sums = lastbit.sum(rows, axis=1)
        self.assertEqual((sums.tolist(), sums.format), ([6.0, 15.0], "d"))

    def test_dlpack(self):
        x = numpy.arange(60.0).reshape(3, 4, 5).transpose(2, 0, 1)[::2, :, 1:]
        self.assertEqual(lastbit.sum(Shared(x)), x.sum())
        self.assertEqual(lastbit.sum(Shared(x), axis=0).tolist(), x.sum(axis=0).tolist())
        self.assertIs(type(lastbit.sum(Shared(x), axis=0)), numpy.ndarray)
        self.assertIs(type(lastbit.sum(Shared(x[0, 0]))), numpy.float64)
        self.assertEqual(lastbit.sum(Shared(numpy.ones((0, 3)))), 0)
        self.assertEqual(lastbit.sum(Shared(numpy.ones(5, "uint16"))), 5)

    def test_numpy(self):
        x = numpy.ones((2, 3), "float32")
        self.assertIs(type(lastbit.sum(x)), numpy.float32)
        self.assertEqual(lastbit.sum(x, axis=(0, 1)).shape, ())
        self.assertEqual(lastbit.sum(x, axis=()).tolist(), x.tolist())
        self.assertEqual(lastbit.sum(x, axis=numpy.int64(-1)).tolist(), [3, 3])
        self.assertEqual(lastbit.sum(numpy.float16(1.5)), 1.5)
        self.assertEqual(lastbit.sum(x, dtype=numpy.float64).dtype, "float64")
        self.assertEqual(lastbit.sum(x, dtype=x.dtype).dtype, "float32")
        self.assertEqual(lastbit.sum(numpy.broadcast_to(numpy.float64(0.5), (7, 9))), 31.5)
        x.flags.writeable = False
        self.assertEqual(lastbit.sum(x), 6)

    def test_refused(self):
        double = numpy.ones(3)
        for id, call in [
            ("array-unsupported", lambda: lastbit.sum("text")),
            ("array-unsupported", lambda: lastbit.sum([1.0, "x"])),
            ("array-unsupported", lambda: lastbit.sum([2**53 + 1, 0.5])),
            ("array-unsupported", lambda: lastbit.sum([10**400])),
            ("array-unsupported", lambda: lastbit.sum({1: 2})),
            ("array-unsupported", lambda: lastbit.sum([Decimal("0.1")])),
            ("array-unsupported", lambda: lastbit.sum([Fraction(1, 3)])),
            ("array-unsupported", lambda: lastbit.sum([numpy.longdouble(1)])),
            ("array-unsupported", lambda: lastbit.sum([numpy.int64(2**53 + 1), 0.5])),
            ("array-unsupported", lambda: lastbit.sum(Converted())),
            ("array-device", lambda: lastbit.sum(OnDevice())),
            ("array-dtype", lambda: lastbit.sum(Shared(numpy.ones(3, "complex64")))),
            ("array-unsupported", lambda: lastbit.sum(numpy.ma.masked_array([1.0], [True]))),
            ("array-unsupported", lambda: lastbit.sum(Masked([1.0, 2.0], [True, False]))),
            ("array-dtype", lambda: lastbit.sum(numpy.array(["2020-01-01"], "M8[D]"))),
            ("array-dtype", lambda: lastbit.sum(numpy.ones(3, "complex128"))),
            ("array-dtype", lambda: lastbit.sum(numpy.ones(3, "longdouble"))),
            ("array-dtype", lambda: lastbit.sum(numpy.ones(3, ">f8"))),
            ("array-dtype", lambda: lastbit.sum(numpy.ones(3, "U1"))),
            ("array-dtype", lambda: lastbit.sum(numpy.array([1, None]))),
            ("array-dtype", lambda: lastbit.sum(double, dtype="int64")),
            ("array-dtype", lambda: lastbit.sum(double, dtype="quad")),
            ("array-dtype", lambda: lastbit.mean(numpy.ones(3, "int8"), dtype="int64")),
            ("array-dtype", lambda: lastbit.dot(double, numpy.ones(3, "float32"))),
            ("array-shape", lambda: lastbit.dot(double, numpy.ones(4))),
            ("array-shape", lambda: lastbit.dot(numpy.ones((2, 2)), numpy.ones((2, 2)))),
            ("array-axis", lambda: lastbit.sum(double, axis=1)),
            ("array-axis", lambda: lastbit.sum(double, axis=(0, -1))),
            ("array-axis", lambda: lastbit.sum(double, axis="x")),
            ("bad-state", lambda: lastbit.Accumulator.from_state(b"lbx")),
        ]:
            with self.assertRaises(lastbit.Error) as caught:
                call()
            self.assertEqual(caught.exception.id, id, str(caught.exception))
            self.assertTrue(caught.exception.cause and caught.exception.cure)

    def test_cures(self):
        for kind, want in ((Unshared, "without the nulls"), (DynamicTracer, "that is traced")):
            with self.assertRaises(lastbit.Error) as caught:
                lastbit.sum(kind())
            self.assertIn("does not share its memory: it has nulls", caught.exception.cause)
            self.assertIn(want, caught.exception.cure)


class Unshared:
    """An array that cannot be shared, as pyarrow's with nulls."""

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self):
        raise BufferError("it has nulls")


class DynamicTracer(Unshared):
    """What JAX passes to a function that it traces."""


class Copied:
    """An object whose conversion to an array copies it."""

    dtype = numpy.dtype("float64")

    def __array__(self, dtype=None, copy=None):
        return numpy.ones(3)


class TestBfloat16(unittest.TestCase):
    """NumPy's arrays of bfloat16, by package ml_dtypes."""

    def setUp(self):
        try:
            import ml_dtypes
        except ImportError:
            self.skipTest("ml_dtypes is missing")
        self.bfloat16 = ml_dtypes.bfloat16

    def test_arrays(self):
        rng = numpy.random.default_rng(39)
        for case in range(100):
            x = rng.normal(0, 9, (5, 6, 4)).astype(self.bfloat16)
            x = x.transpose(rng.permutation(3))[::2, ::-1]
            got = lastbit.sum(x, axis=1)
            self.assertEqual(got.dtype, x.dtype)
            self.assertEqual(got.shape, (x.shape[0], x.shape[2]))
            for place in numpy.ndindex(*got.shape):
                values = x[place[0], :, place[1]].astype(float).tolist()
                self.assertTrue(same(got[place], oracle.total(values, "bfloat16")), place)

    def test_results(self):
        x = numpy.full((2, 3), 0.1)
        got = lastbit.sum(x, axis=0, dtype="bfloat16")
        self.assertEqual((got.dtype, got.tolist()), (self.bfloat16, [0.2001953125] * 3))
        self.assertIsInstance(lastbit.sum(self.bfloat16(1.5)), self.bfloat16)
        self.assertEqual(lastbit.Accumulator(got).value(), 0.6005859375)

    def test_functions(self):
        x = numpy.zeros((3, 4), self.bfloat16)[:, ::2]
        self.assertIs(lastbit.math.exp(x, out=x), x)
        self.assertEqual(x.tolist(), [[1.0] * 2] * 3)
        self.assertEqual(lastbit.math.pow(x + x, 3).tolist(), [[8.0] * 2] * 3)
        for out in self.bfloat16(2), Copied():
            argument = numpy.ones(out.shape) if hasattr(out, "shape") else numpy.ones(3)
            with self.assertRaises(lastbit.Error):
                lastbit.math.exp(argument.astype(out.dtype), out=out)


class TestTorch(unittest.TestCase):
    def setUp(self):
        try:
            import torch
        except ImportError:
            self.skipTest("torch is missing")
        self.torch = torch

    def test_tensors(self):
        torch = self.torch
        rng = numpy.random.default_rng(38)
        for case in range(200):
            name = ["float64", "float32", "float16", "bfloat16", "int64", "bool"][case % 6]
            x = torch.tensor(rng.normal(0, 9, (5, 6, 4))).to(getattr(torch, name))
            x = x.permute(*rng.permutation(3).tolist())[::2, 1:]
            got = lastbit.sum(x, axis=1)
            self.assertEqual(got.dtype, x.dtype if name != "bool" else torch.int64)
            rows = x.movedim(1, -1)
            self.assertEqual(got.shape, rows.shape[:-1])
            for place in numpy.ndindex(*got.shape):
                values = [float(v) for v in rows[place].tolist()]
                want = oracle.total(values, name if name in oracle.FORMATS else "float64")
                self.assertTrue(same(got[place], want), (name, got[place], want))

    def test_negated(self):
        x = self.torch.tensor([1 + 2j, 3 + 4j]).conj().imag
        self.assertTrue(x.is_neg())
        self.assertEqual(lastbit.sum(x).item(), -6)

        class Own(self.torch.Tensor):
            """A tensor of a class of the caller's."""

        own = x.as_subclass(Own)
        self.assertTrue(own.is_neg())
        self.assertEqual(lastbit.sum(own).item(), -6)
        with self.assertRaises(lastbit.Error) as caught:
            lastbit.math.exp(self.torch.ones(2), out=x)
        self.assertEqual(caught.exception.id, "array-unsupported")
        self.assertEqual(x.tolist(), [-2, -4])

    def test_traced(self):
        from torch._subclasses.fake_tensor import FakeTensorMode

        with FakeTensorMode():
            x = self.torch.ones(3)
        for value in (x, x.untyped_storage()):
            with self.assertRaises(lastbit.Error) as caught:
                lastbit.sum(value)
            self.assertEqual(caught.exception.id, "array-unsupported")

    def test_scalar(self):
        x = self.torch.tensor([1.0, 2.0**-9], dtype=self.torch.bfloat16)
        self.assertEqual(lastbit.sum(x).dtype, self.torch.bfloat16)
        self.assertEqual(lastbit.sum(x).shape, ())
        self.assertEqual(lastbit.sum(x, dtype=self.torch.float64).item(), 1 + 2.0**-9)
        a = lastbit.Accumulator(x)
        self.assertEqual((a.value("bfloat16"), a.value("float16")), (1.0, 1 + 2.0**-9))

    def test_refused(self):
        with self.assertRaises(lastbit.Error) as caught:
            lastbit.sum(self.torch.ones(3, requires_grad=True))
        self.assertEqual(caught.exception.id, "array-unsupported")
        with self.assertRaises(lastbit.Error) as caught:
            lastbit.sum(self.torch.ones(3, device="meta"))
        self.assertIn(caught.exception.id, ("array-unsupported", "array-device"))


class TestAccumulator(unittest.TestCase):
    def test_any_split(self):
        rng = numpy.random.default_rng(39)
        for case in range(100):
            x = drawn(rng, "float64", 300)
            whole = lastbit.Accumulator(x)
            parts = lastbit.Accumulator()
            shuffled = rng.permutation(x)
            for part in numpy.array_split(shuffled, int(rng.integers(1, 9))):
                parts.merge(lastbit.Accumulator(part))
            self.assertEqual(whole.state(), parts.state())
            self.assertEqual(whole.digest(), parts.digest())
            self.assertTrue(same(whole.value(), lastbit.sum(x)))
            parts.sub(lastbit.Accumulator(x[:100]))
            self.assertEqual(parts.digest(), lastbit.Accumulator(x[100:]).digest())

    def test_travels(self):
        import copy
        import pickle

        a = lastbit.Accumulator([0.1, 2.0**-1074])
        a.add_products([0.1], [0.3])
        self.assertEqual(pickle.loads(pickle.dumps(a)).state(), a.state())
        b = copy.copy(a)
        b.add(1.0)
        self.assertEqual((a.count, b.count), (3, 4))
        b.merge(b)
        self.assertEqual(b.count, 8)
        self.assertEqual(lastbit.Accumulator([2**63 - 1, 1]).value("uint64"), 2**63)
        with self.assertRaises(lastbit.Error):
            lastbit.Accumulator([2**63 - 1, 1]).value("int64")


if __name__ == "__main__":
    unittest.main()
