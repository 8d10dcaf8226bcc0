"""The package without NumPy: any Python from 3.9 runs this file."""

import array
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

    def test_accumulators(self):
        a, b = lastbit.Accumulator([0.1] * 10), lastbit.Accumulator()
        b.add(array.array("d", [0.1] * 10))
        self.assertEqual((a.value(), a.digest()), (math.fsum([0.1] * 10), b.digest()))
        self.assertEqual(lastbit.Accumulator.from_state(a.state()).count, 10)

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
