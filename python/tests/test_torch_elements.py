"""Operators of lastbit.torch on zeros, integers and tensors of no elements."""

import unittest

import torch
from torch.nn import functional as F

import lastbit.torch
from test_torch import DTYPES, ordered

ZEROS = torch.tensor([-0.0, -0.0, 0.0, 0.0] * 17)
OTHERS = torch.tensor([-0.0, 0.0, -0.0, 0.0] * 17)


class Zeros(unittest.TestCase):
    """Where zeros meet, -0 is smaller: at every place of a vector."""

    def check(self, call, is_negative):
        for dtype in DTYPES:
            x, y = ZEROS.to(dtype), OTHERS.to(dtype)
            found = ordered(call, x, y)
            self.assertTrue((found == 0).all())
            self.assertEqual(found.dtype, dtype)
            want = is_negative(x.signbit(), y.signbit())
            self.assertTrue(torch.equal(found.signbit(), want), found)

    def test_two(self):
        smallest, largest = torch.logical_or, torch.logical_and
        self.check(torch.maximum, largest)
        self.check(torch.max, largest)
        self.check(torch.fmax, largest)
        self.check(torch.minimum, smallest)
        self.check(torch.min, smallest)
        self.check(torch.fmin, smallest)
        self.check(torch.clamp_min, largest)
        self.check(torch.clamp_max, smallest)
        self.check(lambda x, y: torch.clamp(x, y, y), lambda _, y: y)
        self.check(lambda x, _: x.clamp(0.0, 1.0), lambda x, _: torch.zeros_like(x))
        self.check(lambda x, y: torch.maximum(x, y, out=torch.empty_like(x)), largest)

    def test_rows(self):
        smallest, largest = torch.logical_or, torch.logical_and
        self.check(lambda x, y: torch.stack([x, y]).amax(0), largest)
        self.check(lambda x, y: torch.stack([x, y], 1).amax(1), largest)
        self.check(lambda x, y: torch.stack([x, y]).amin(0), smallest)
        self.check(lambda x, y: torch.stack([x, y]).aminmax(dim=0).min, smallest)
        self.check(lambda x, y: torch.stack([x, y]).aminmax(dim=0).max, largest)
        self.assertTrue(ordered(torch.max, -ZEROS[2:4]).signbit())
        self.assertFalse(ordered(torch.max, -ZEROS).signbit())
        self.assertTrue(ordered(torch.min, ZEROS).signbit())

    def test_softshrink(self):
        self.check(lambda x, _: F.softshrink(x), lambda x, _: x)
        x = torch.tensor([-2.0, -0.5, 0.25, 0.5, 3.0, float("nan"), float("inf")])
        found = ordered(F.softshrink, x)
        self.assertEqual(str(found), str(F.softshrink(x)))

    def test_slope_at_nan(self):
        x = torch.full((37,), float("nan"))
        for call in (F.softshrink, F.hardshrink, F.hardtanh, F.relu6):
            leaf = x.clone().requires_grad_()
            with lastbit.torch.ordered(strict=True):
                call(leaf).backward(torch.ones(37))
            self.assertEqual(leaf.grad.tolist(), [1.0] * 37)
            leaf = torch.tensor([-9.0, -0.25, 0.25, 0.75, 9.0]).requires_grad_()
            want, = torch.autograd.grad(call(leaf), leaf, torch.ones(5))
            with lastbit.torch.ordered(strict=True):
                found, = torch.autograd.grad(call(leaf), leaf, torch.ones(5))
            self.assertEqual(found.tolist(), want.tolist())

    def test_other_numbers(self):
        x = torch.tensor([1.0, -2.0, float("nan"), 3.0, -0.0])
        y = torch.tensor([2.0, float("nan"), 1.0, float("inf"), -1.0])
        for call in (torch.maximum, torch.minimum, torch.fmax, torch.fmin):
            torch.testing.assert_close(ordered(call, x, y), call(x, y), rtol=0, atol=0,
                                       equal_nan=True)
        values, places = ordered(torch.max, y.view(1, 5), 1)
        self.assertTrue(values.isnan().all() and places.tolist() == [1])
        self.assertEqual(ordered(torch.clamp, torch.tensor([-3, 5]), 0, 4).tolist(), [0, 4])
        with self.assertRaises(RuntimeError):
            ordered(torch.clamp, x)


class Interpolation(unittest.TestCase):
    def test_weight(self):
        """A number is the weight that it is in a tensor."""
        x, y = ZEROS + torch.arange(68) / 7, torch.arange(68) / 3
        for weight in (0.9, 0.3, -0.7, 0.5 - 1e-12):
            found = ordered(torch.lerp, x, y, weight)
            want = ordered(torch.lerp, x, y, torch.tensor(weight))
            self.assertEqual(found.tolist(), want.tolist(), weight)


class Integers(unittest.TestCase):
    """Integers among floats are what they are for PyTorch."""

    def check(self, call, *args):
        want, found = call(*args), ordered(call, *args)
        self.assertEqual(found.dtype, want.dtype)
        self.assertEqual(found.tolist(), want.tolist())

    def test_promoted(self):
        x, y = torch.tensor([1.0, 2.0]), torch.tensor([1.5, 2.75])
        small = torch.tensor([100, 120], dtype=torch.int8)
        self.check(torch.addcmul, x, small, small)
        self.check(torch.addcmul, small, x, y)
        self.check(torch.addcdiv, small, x, torch.tensor([2.0, 4.0]))
        self.check(torch.maximum, small, y)
        self.check(torch.clamp, small, 2.5, 110.25)
        self.check(torch.clamp, small, 101, 110)
        self.check(torch.maximum, x, torch.tensor(1.5, dtype=torch.float64))
        for reduction in ("none", "mean", "sum"):
            self.check(lambda a, b: F.mse_loss(a, b, reduction=reduction), small, y)
            self.check(lambda a, b: F.mse_loss(a, b, reduction=reduction), y, small)
        self.check(F.nll_loss, y.expand(2, 2), torch.tensor([0, 1], dtype=torch.uint8))
        self.check(lambda a: torch.rsub(a, 2.0, alpha=3), x)

    def test_refused(self):
        x, whole = torch.tensor([1.0, 2.0]), torch.tensor([1, 2])
        for call in (
                lambda: torch.addcdiv(x, whole, whole), lambda: torch.lerp(x, whole, 0.5),
                lambda: F.gelu(whole), lambda: torch.hypot(whole, whole), lambda: whole.softmax(0),
                lambda: (whole > 1).log_softmax(0), lambda: F.layer_norm(whole, (2,)),
                lambda: F.layer_norm(whole, (2,), whole), lambda: x.clone().to(torch.int8).addcmul_(x, x),
                lambda: F.nll_loss(x.expand(2, 2), whole.int() - 1)):
            for context in (call, lambda: ordered(call)):
                with self.assertRaises((RuntimeError, NotImplementedError)):
                    context()


class Nothing(unittest.TestCase):
    """Tensors without elements."""

    def test_products(self):
        for b, m, k, n in [(0, 2, 3, 2), (4, 2, 0, 2), (4, 0, 3, 2), (4, 2, 3, 0)]:
            c = torch.ones(m, n)
            found = ordered(torch.addbmm, c, torch.ones(b, m, k), torch.ones(b, k, n))
            self.assertEqual(found.tolist(), c.tolist())

    def test_norms(self):
        for rows, n in [(3, 0), (0, 3), (0, 0)]:
            x = torch.zeros(rows, n, requires_grad=True)
            w = torch.ones(n, requires_grad=True)
            with lastbit.torch.ordered(strict=True):
                y = F.layer_norm(x, (n,), w, w)
                y.sum().backward()
            self.assertEqual(y.shape, (rows, n))
            self.assertEqual(w.grad.tolist(), [0.0] * n)


if __name__ == "__main__":
    unittest.main()
