"""lastbit.math: the bits of single calls in any layout, and NumPy's shapes."""

import math
import re
import unittest
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy
import oracle

import lastbit

ROOT = Path(__file__).resolve().parents[2]
PAIRS = ["pow", "atan2", "hypot"]

# The functions that mpmath has not, or under another name.
REAL = {
    "exp2": lambda x: 2**x,
    "exp10": lambda x: 10**x,
    "exp2m1": lambda x: 2**x - 1,
    "exp10m1": lambda x: 10**x - 1,
    "log2": lambda x: mpmath.log(x) / mpmath.log(2),
    "log10": lambda x: mpmath.log(x) / mpmath.log(10),
    "log2p1": lambda x: mpmath.log1p(x) / mpmath.log(2),
    "log10p1": lambda x: mpmath.log1p(x) / mpmath.log(10),
    "tanpi": lambda x: mpmath.sinpi(x) / mpmath.cospi(x),
    "asinpi": lambda x: mpmath.asin(x) / mpmath.pi,
    "acospi": lambda x: mpmath.acos(x) / mpmath.pi,
    "atanpi": lambda x: mpmath.atan(x) / mpmath.pi,
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "pow": lambda x, y: x**y,
}


def bits(x):
    """Return the bits of an array, NaN as one value."""
    x = numpy.ascontiguousarray(x)
    found = x.view(f"u{x.itemsize}").copy()
    found[numpy.isnan(x)] = 0xFFFF
    return found.tolist()


class TestMath(unittest.TestCase):
    def arguments(self, dtype, n):
        rng = numpy.random.default_rng(41)
        x = numpy.exp2(rng.uniform(-8, 6, n)) * rng.choice([1, -1], n)
        x[: n // 4] = rng.uniform(-1, 1, n // 4)
        x[-6:] = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0]
        return x.astype(dtype)

    def test_layouts(self):
        """Slices, strides, blocks, single calls and several threads agree."""
        for dtype in ["float64", "float32", "float16"]:
            x = self.arguments(dtype, 100)
            for name in lastbit.math.__all__:
                function = getattr(lastbit.math, name)
                args = (x, x[::-1]) if name in PAIRS else (x,)
                want = function(*args)
                self.assertEqual((want.dtype, want.shape), (x.dtype, x.shape))
                apart = [numpy.repeat(a, 3)[::3] for a in args]
                self.assertEqual(bits(function(*apart)), bits(want), name)
                single = [function(*one) for one in zip(*args)]
                self.assertEqual(bits(numpy.array(single, dtype)), bits(want), name)
                out = numpy.zeros((100, 2), dtype)[:, 1]
                self.assertIs(function(*args, out=out), out)
                self.assertEqual(bits(out), bits(want), name)

    def test_threads(self):
        x = self.arguments("float64", 100_000)
        parts = [lastbit.math.exp(p) for p in numpy.array_split(x, 99)]
        self.assertEqual(bits(lastbit.math.exp(x)), bits(numpy.concatenate(parts)))

    def test_near_numpy(self):
        """Within 4 ULP of NumPy's functions: no name leads to another function."""
        x = numpy.linspace(1.01, 1.9, 50)
        for name in lastbit.math.__all__:
            own = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh",
                   "acosh": "arccosh", "atanh": "arctanh", "pow": "power",
                   "atan2": "arctan2"}.get(name, name)
            if not hasattr(numpy, own):
                continue
            args = (x, x[::-1]) if name in PAIRS else (x - 1 if "a" == name[0] else x,)
            with numpy.errstate(all="ignore"):
                want = getattr(numpy, own)(*args)
            got = getattr(lastbit.math, name)(*args)
            if numpy.isnan(want).any():
                numpy.testing.assert_array_equal(numpy.isnan(got), numpy.isnan(want))
            else:
                numpy.testing.assert_array_max_ulp(got, want, 4)

    def test_correctly_rounded(self):
        """mpmath, which nobody here wrote, computes the same with 300 bits."""
        rng = numpy.random.default_rng(42)
        with mpmath.workprec(300):
            for name in lastbit.math.__all__:
                for dtype in ["float64", "float32", "float16"]:
                    self.compare(rng, name, dtype, 40)

    def compare(self, rng, name, dtype, n):
        arguments = [rng.uniform(0.05, 0.95, n).astype(dtype) for _ in range(1 + (name in PAIRS))]
        if name == "acosh":
            arguments[0] += numpy.ones(1, dtype)
        for place, got in enumerate(getattr(lastbit.math, name)(*arguments).tolist()):
            x = [mpmath.mpf(float(a[place])) for a in arguments]
            real = REAL[name](*x) if name in REAL else getattr(mpmath, name)(*x)
            sign, significand, e, _ = real._mpf_
            exact = Fraction(int(significand)) * Fraction(2) ** e * (-1) ** sign
            self.assertEqual(got, oracle.rounded(exact, dtype), f"{name}({x}) in {dtype}")

    def test_in_place_and_overlapping(self):
        x = self.arguments("float64", 1000)
        want = lastbit.math.sin(x)
        y = x.copy()
        lastbit.math.sin(y, out=y)
        self.assertEqual(bits(y), bits(want))
        y = numpy.concatenate([x, [0.0]])
        lastbit.math.sin(y[:-1], out=y[1:])
        self.assertEqual(bits(y[1:]), bits(want))
        y = x.copy()
        lastbit.math.sin(y, out=y[::-1])
        self.assertEqual(bits(y[::-1]), bits(want))

    def test_shapes(self):
        column, row = numpy.arange(1.0, 4).reshape(3, 1), numpy.arange(1.0, 5)
        got = lastbit.math.hypot(column, row)
        numpy.testing.assert_array_max_ulp(got, numpy.hypot(column, row), 1)
        self.assertEqual(lastbit.math.pow(2.0, row).tolist(), [2, 4, 8, 16])
        half = lastbit.math.pow(row.astype("float32"), 0.1)
        tenth = numpy.full(4, 0.1, "float32")
        self.assertEqual(bits(half), bits(lastbit.math.pow(row.astype("float32"), tenth)))
        for dtype in ["float32", "float16"]:  # a number is kept until the call
            short = row.astype(dtype)
            for name in PAIRS:
                function, three = getattr(lastbit.math, name), numpy.full(4, 3, dtype)
                self.assertEqual(bits(function(3, short)), bits(function(three, short)))
                self.assertEqual(bits(function(short, 3.0)), bits(function(short, three)))
        self.assertEqual(lastbit.math.exp(numpy.zeros((2, 0))).shape, (2, 0))
        self.assertEqual(lastbit.math.exp(numpy.zeros(3, "int8")).tolist(), [1, 1, 1])
        self.assertIs(type(lastbit.math.exp(numpy.float32(0))), numpy.float32)

    def test_refused(self):
        x = numpy.ones(3)
        frozen = numpy.ones(3)
        frozen.flags.writeable = False
        for id, call in [
            ("array-shape", lambda: lastbit.math.exp(x, out=numpy.ones(4))),
            ("array-shape", lambda: lastbit.math.hypot(x, numpy.ones(4))),
            ("array-dtype", lambda: lastbit.math.exp(x, out=numpy.ones(3, "float32"))),
            ("array-dtype", lambda: lastbit.math.hypot(x, numpy.ones(3, "float32"))),
            ("array-unsupported", lambda: lastbit.math.exp(x, out=[1.0, 2.0, 3.0])),
            ("array-unsupported", lambda: lastbit.math.exp(x, out=frozen)),
        ]:
            with self.assertRaises(lastbit.Error) as caught:
                call()
            self.assertEqual(caught.exception.id, id, str(caught.exception))
        for out in (frozen, memoryview(bytes(24)).cast("d")):
            with self.assertRaisesRegex(lastbit.Error, "is read-only"):
                lastbit.math.exp(x, out=out)

    def test_all_functions(self):
        """Package crmath has no function of one or two arguments besides these."""
        path = ROOT / "crmath" / "internal" / "f64" / "functions.txt"
        if not path.exists():
            self.skipTest("the sources are missing")
        rows = re.findall(r"^(\w+) +(unary|pair|point) ", path.read_text(), re.M)
        self.assertEqual(sorted(name for name, _ in rows), sorted(lastbit.math.__all__))

    def test_torch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("torch is missing")
        x = torch.tensor([[0.5, 1.0], [2.0, 3.0]], dtype=torch.bfloat16)
        y = lastbit.math.exp(x.T)
        self.assertEqual((y.dtype, y.shape), (x.dtype, x.T.shape))
        self.assertEqual(y.tolist(), x.double().exp().bfloat16().T.tolist())
        out = torch.zeros_like(x)
        self.assertIs(lastbit.math.exp(x, out=out), out)
        self.assertEqual(out.tolist(), y.T.tolist())


if __name__ == "__main__":
    unittest.main()
