"""The package without NumPy: any Python from 3.9 runs this file."""

import array
import ctypes
import math
import sys
import unittest

import lastbit
import lastbit.math


class TestPlain(unittest.TestCase):
    def test_sums(self):
        numbers = [1e300, 1.0, -1e300, 0.1]
        for x in [numbers, tuple(numbers), array.array("d", numbers),
                  memoryview(array.array("d", numbers))]:
            self.assertEqual(lastbit.sum(x), math.fsum(numbers))
        self.assertEqual(lastbit.sum(memoryview(array.array("d", numbers))[::-2]), 1.1)
        self.assertEqual(lastbit.sum([3, 4]), 7)
        self.assertEqual(lastbit.dot([1e300, 1.0], [1.0, 2.0]), 1e300)
        self.assertEqual(lastbit.math.exp(1.0), math.e)

    def test_ctypes(self):
        # Their buffers have no strides.
        x = ((ctypes.c_double * 3) * 2)((1e300, 1.0, 2.0), (-1e300, 3.0, 4.0))
        self.assertEqual(lastbit.sum(x), 10.0)
        self.assertEqual(lastbit.sum(x, axis=0).tolist(), [0.0, 4.0, 6.0])
        self.assertEqual(lastbit.sum((ctypes.c_int16 * 2)(-3, 5)), 2)
        self.assertEqual(lastbit.sum(ctypes.c_double(3)), 3.0)
        out = (ctypes.c_double * 2)()
        lastbit.math.exp((ctypes.c_double * 2)(0.0, 1.0), out=out)
        self.assertEqual(out[:], [1.0, math.e])
        with self.assertRaisesRegex(lastbit.Error, "'<g' are not summed"):
            lastbit.sum((ctypes.c_longdouble * 2)(1, 2))

    def test_degrees(self):
        x = [1.0, 2.0]
        self.assertEqual(lastbit.var(x, ddof=-(2**63)), 2.0**-64)
        self.assertTrue(math.isnan(lastbit.var(x, ddof=2**63 - 1)))
        for ddof, error in [(0.5, TypeError), (None, TypeError), (2**64, OverflowError)]:
            for variance in lastbit.var, lastbit.std:
                with self.assertRaises(error):
                    variance(x, ddof=ddof)

    def test_accumulators(self):
        a, b = lastbit.Accumulator([0.1] * 10), lastbit.Accumulator()
        b.add(array.array("d", [0.1] * 10))
        self.assertEqual((a.value(), a.digest()), (math.fsum([0.1] * 10), b.digest()))
        self.assertEqual(lastbit.Accumulator.from_state(a.state()).count, 10)
        even = lastbit.Accumulator([1.0] * 200).state()
        words = array.array("H", even)  # units of two bytes
        self.assertEqual(lastbit.Accumulator.from_state(words).state(), even)

    def test_values_that_are_no_integers(self):
        for x, words in [([1.5], "sum is 1.5,"), ([math.nan], "is nan,"), ([-1.0], "no uint64")]:
            with self.assertRaisesRegex(lastbit.Error, words) as caught:
                lastbit.Accumulator(x).value("uint64")
            self.assertEqual(caught.exception.id, "integer-overflow")

    def test_names_of_dtypes(self):
        for name, third in [("f4", 0.3333333432674408), ("f32", 0.3333333432674408),
                            ("f8", 1 / 3), ("f2", 0.333251953125), ("bf16", 0.333984375)]:
            self.assertEqual(lastbit.sum([1 / 3], dtype=name), third)
        self.assertEqual(lastbit.sum([1, 2], dtype="i8"), 3)
        for name in ("f1", "i16x", "g", ">f4"):
            with self.assertRaisesRegex(lastbit.Error, "has no dtype"):
                lastbit.sum([1.0], dtype=name)

    def test_words(self):
        with self.assertRaisesRegex(lastbit.Error, "^an int is read if"):
            lastbit.sum(10**400)
        with self.assertRaisesRegex(TypeError, "^a float is not"):
            lastbit.Accumulator().merge(1.0)

    def test_questions(self):
        def plain(x):
            total = 0.0
            for v in x:
                total += v
            return total

        found = lastbit.reveal(plain, n=16, dtype="float64")
        self.assertEqual((found.verdict, found.family, found.verified), ("tree", "chain", True))
        self.assertFalse(lastbit.compare(plain, math.fsum, n=16, dtype="float64").same)

    def test_without_numpy(self):
        self.assertNotIn("numpy", sys.modules)


if __name__ == "__main__":
    unittest.main()
