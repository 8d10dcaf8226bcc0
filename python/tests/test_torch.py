"""The operators of lastbit.torch: their formulas, and what their results depend on."""

import math
import unittest

import numpy
import torch
from torch.nn import functional as F

import lastbit
import lastbit.math
import lastbit.torch
from transformer import Generator

DTYPES = [torch.float32, torch.float64, torch.bfloat16]
LANES = {"float32": 128, "float64": 64}


def numbers(*shape, dtype=torch.float32, seed=1, bits=0):
    """Return numbers of many exponents, with the bits of an integer generator."""
    g = Generator(seed)
    x = g.numbers(*shape) * 2.0 ** (g.integers(*shape) % 9 - 4).float() * 2.0**-bits
    return x.to(dtype)


def ordered(call, *args, **kwargs):
    with lastbit.torch.ordered(strict=True):
        return call(*args, **kwargs)


def tree_sum(t):
    """Return the sum of an array by the tree of package ordered."""
    lanes = LANES[t.dtype.name]

    def lane(terms):
        if len(terms) <= 128:
            total = terms[0]
            for v in terms[1:]:
                total = total + v
            return total
        blocks = -(-len(terms) // 128)
        middle = 1 << (blocks - 1).bit_length() - 1
        return lane(terms[:128 * middle]) + lane(terms[128 * middle:])

    sums = [lane(t[i::lanes]) for i in range(min(lanes, len(t)))]
    while lanes > 1:
        lanes //= 2
        for i in range(lanes, len(sums)):
            sums[i - lanes] = sums[i - lanes] + sums[i]
        sums = sums[:lanes]
    return sums[0] if sums else t.dtype.type(0)


def sums(rows):
    return numpy.array([tree_sum(row) for row in rows], rows.dtype)[:, None]


def chain(a, b):
    """Return a·b for float32 vectors by one chain of fused multiply-adds."""
    total = numpy.float32(0)
    for x, y in zip(a.astype("float64"), b.astype("float64")):
        total = lastbit.sum(numpy.array([x * y, total]), dtype="float32")  # x*y is exact
    return total


class Bits(unittest.TestCase):
    def same(self, got, want, message=None):
        """Compare the bits of tensors or arrays."""
        if isinstance(got, (tuple, list)):
            self.assertEqual(len(got), len(want), message)
            for g, w in zip(got, want):
                self.same(g, w, message)
            return
        got, want = torch.as_tensor(got), torch.as_tensor(want)
        self.assertEqual((got.dtype, got.shape), (want.dtype, want.shape), message)
        integers = {2: torch.int16, 4: torch.int32, 8: torch.int64}[got.element_size()]
        different = got.contiguous().view(integers) != want.contiguous().view(integers)
        different &= ~(got.isnan() & want.isnan())
        self.assertEqual(int(different.sum()), 0, message)


class TestFormulas(Bits):
    """The formulas of docs/use/pytorch.md, written with NumPy."""

    def test_products(self):
        a, b = numbers(3, 50), numbers(50, 4, seed=2)
        want = [[chain(row, column) for column in b.numpy().T] for row in a.numpy()]
        self.same(ordered(torch.mm, a, b), numpy.array(want))
        c = numbers(4, seed=3)
        got = ordered(torch.addmm, c, a, b, beta=0.3, alpha=0.7)
        f = numpy.float32
        self.same(got, f(0.3) * c.numpy() + f(0.7) * numpy.array(want))

    def test_short_products(self):
        a, b = numbers(3, 50, dtype=torch.bfloat16), numbers(50, 4, dtype=torch.bfloat16)
        want = ordered(torch.mm, a.float(), b.float()).bfloat16()
        self.same(ordered(torch.mm, a, b), want)

    def test_sums(self):
        for n in [1, 2, 5, 63, 64, 65, 127, 128, 129, 1000, 16384, 16385, 40000]:
            for dtype in [torch.float32, torch.float64]:
                x = numbers(2, n, dtype=dtype, seed=n)
                want = sums(x.numpy())[:, 0]
                self.same(ordered(torch.sum, x, 1), want, n)
                self.same(ordered(torch.sum, x.t().contiguous(), 0), want, n)
                self.same(ordered(torch.mean, x, 1), want / x.numpy().dtype.type(n), n)

    def test_softmax(self):
        x = numbers(5, 300)
        a = x.numpy()
        shifted = a - a.max(1, keepdims=True)
        e = lastbit.math.exp(shifted)
        s = sums(e)
        self.same(ordered(torch.softmax, x, 1), e / s)
        self.same(ordered(torch.log_softmax, x, 1), shifted - lastbit.math.log(s))
        g, y = numbers(5, 300, seed=2).numpy(), e / s
        arguments = torch.tensor(g), torch.tensor(y), 1, torch.float32
        got = ordered(torch.ops.aten._softmax_backward_data, *arguments)
        self.same(got, (g - sums(g * y)) * y)

    def test_layer_norm(self):
        x, w, b, g = (numbers(*s, seed=9) for s in [(6, 200), (200,), (200,), (6, 200)])
        n, f = numpy.float32(200), numpy.float32
        a = x.numpy()
        centred = a - sums(a) / n
        r = lastbit.math.rsqrt(sums(centred * centred) / n + f(1e-5))
        h = centred * r
        self.same(ordered(F.layer_norm, x, (200,), w, b), h * w.numpy() + b.numpy())
        leaves = [t.requires_grad_() for t in (x, w, b)]
        with lastbit.torch.ordered(strict=True):
            F.layer_norm(x, (200,), w, b).backward(g)
        a, gradient = g.numpy() * w.detach().numpy(), g.numpy()
        slope = r * ((a - sums(a) / n) - h * (sums(a * h) / n))
        want = [slope, sums((gradient * h).T.copy())[:, 0], sums(gradient.T.copy())[:, 0]]
        self.same([t.grad for t in leaves], want)

    def test_activations(self):
        x, g = numbers(500), numbers(500, seed=2)
        a, h, f, m = x.numpy(), g.numpy(), numpy.float32, lastbit.math
        one, half = f(1), f(0.5)
        s = one / (one + m.exp(-a))
        normal = m.erfc(a * f(-math.sqrt(0.5)))
        inner = ((a * a) * a * f(0.044715) + a) * f(math.sqrt(2 / math.pi))
        t = m.tanh(inner)
        density = m.exp(a * a * f(-0.5)) * f(1 / math.sqrt(2 * math.pi))
        slope = ((a * a) * f(3 * 0.044715) + one) * f(math.sqrt(2 / math.pi))
        aten = torch.ops.aten
        for call, args, want in [
            (torch.sigmoid, [x], s), (F.silu, [x], a / (one + m.exp(-a))),
            (F.gelu, [x], normal * (a * half)), (torch.tanh, [x], m.tanh(a)),
            (lambda x: F.gelu(x, approximate="tanh"), [x], (t + one) * (a * half)),
            (aten.sigmoid_backward, [g, x], h * ((one - a) * a)),
            (aten.tanh_backward, [g, x], h * (one - a * a)),
            (aten.silu_backward, [g, x], h * (s * (one + a * (one - s)))),
            (aten.gelu_backward, [g, x], h * (normal * half + density * a)),
            (lambda g, x: aten.gelu_backward(g, x, approximate="tanh"), [g, x],
             h * ((t + one) * half + (one - t * t) * slope * (a * half))),
            (lambda x: torch.add(x, g, alpha=0.3), [x], a + h * f(0.3)),
            (lambda x: torch.sub(x, g, alpha=0.3), [x], a - h * f(0.3)),
            (lambda x: torch.rsub(x, g, alpha=0.3), [x], h - a * f(0.3)),
        ]:
            self.same(ordered(call, *args), want)

    def test_functions(self):
        for dtype in DTYPES:
            x = numbers(9, 1000, dtype=dtype).abs()
            for name in ["exp", "log", "sin", "tanh", "erf", "rsqrt"]:
                want = getattr(lastbit.math, name)(x)
                self.same(ordered(getattr(torch, name), x), want, name)
            self.same(ordered(torch.sqrt, x), lastbit.math.pow(x, torch.full_like(x, 0.5)))
            self.same(ordered(torch.pow, x, 1.5), lastbit.math.pow(x, torch.full_like(x, 1.5)))

    def test_special_values(self):
        inf, nan = math.inf, math.nan
        x = torch.tensor([[0.0, -0.0, inf], [1.0, nan, 2.0], [-inf, -inf, -inf], [-inf, 1.0, 2.0]])
        for call in [torch.exp, torch.sigmoid, torch.tanh, lambda x: x.softmax(1), F.silu,
                     lambda x: x.log_softmax(1), lambda x: x.sum(1), lambda x: x.mean(1),
                     torch.sqrt, lambda x: F.layer_norm(x, (3,)), lambda x: x @ torch.ones(3, 2)]:
            torch.testing.assert_close(ordered(call, x), call(x), equal_nan=True)
        self.same(ordered(F.gelu, torch.tensor([inf, nan, -0.0])), torch.tensor([inf, nan, -0.0]))
        self.same(ordered(torch.sum, torch.tensor([-0.0, -0.0])), torch.tensor(-0.0))
        self.same(ordered(torch.sum, torch.empty(0)), torch.tensor(0.0))
        tiny = torch.tensor([[1e-40]])
        self.same(ordered(torch.mm, tiny, torch.ones(1, 1)), tiny)


class TestEquals(Bits):
    """Ways of PyTorch's to compute one thing have one result."""

    def test_linear(self):
        for dtype in DTYPES:
            x, w, b = (numbers(*s, dtype=dtype) for s in [(3, 5, 40), (30, 40), (30,)])
            strided = x.transpose(0, 1).contiguous().transpose(0, 1)
            with lastbit.torch.ordered(strict=True):
                want = x @ w.t() + b
                self.same(F.linear(x, w, b), want)
                self.same(F.linear(strided, w, b), want)
                self.same(torch.einsum("bij,kj->bik", x, w) + b, want)
                self.same(torch.bmm(x, w.t().expand(3, 40, 30)) + b, want)
                self.same(torch.mv(x[1], w[2]) + b[2], want[1, :, 2])
                self.same(torch.dot(x[1, 3], w[2]) + b[2], want[1, 3, 2])
                with torch.inference_mode():
                    self.same(F.linear(x, w, b), want)

    def test_attention(self):
        for dtype in [torch.float32, torch.float64]:
            q, k, v = (numbers(2, 3, 9, 16, dtype=dtype, seed=s, bits=2) for s in (1, 2, 3))
            mask = numbers(9, 9, dtype=dtype, seed=4)
            for arguments in [{}, {"is_causal": True}, {"attn_mask": mask}, {"scale": 0.3},
                              {"attn_mask": mask > 0}, {"attn_mask": mask.expand(2, 1, 9, 9)}]:
                found = []
                for attend in [F.scaled_dot_product_attention, self.composition]:
                    leaves = [t.detach().clone().requires_grad_() for t in (q, k, v)]
                    with lastbit.torch.ordered(strict=True):
                        y = attend(*leaves, **arguments)
                        y.backward(q)
                    found.append([y.detach(), *(t.grad for t in leaves)])
                self.same(*found, arguments)

    def composition(self, *factors, **arguments):
        mask = arguments.get("attn_mask")
        if mask is not None and mask.dtype is torch.bool:
            zeros = torch.zeros(mask.shape, dtype=factors[0].dtype)
            arguments["attn_mask"] = zeros.masked_fill(~mask, -math.inf)
        return torch._scaled_dot_product_attention_math(*factors, **arguments)[0]

    def test_decoding(self):
        """A token attends as in the whole sequence, whether others follow or not."""
        q, k, v = (numbers(1, 2, 40, 16, seed=s, bits=2) for s in (1, 2, 3))
        with lastbit.torch.ordered(strict=True):
            want = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            for t in [1, 2, 7, 33]:
                got = F.scaled_dot_product_attention(q[:, :, t - 1:t], k[:, :, :t], v[:, :, :t])
                self.same(got, want[:, :, t - 1:t], t)

    def test_padding(self):
        """Keys that are masked behind the others change nothing."""
        q = numbers(1, 2, 3, 16, bits=2)
        k, v = (numbers(1, 2, 700, 16, seed=s, bits=2) for s in (2, 3))
        for n in [1, 5, 127, 128, 300, 699]:
            mask = torch.arange(700) < n
            with lastbit.torch.ordered(strict=True):
                want = F.scaled_dot_product_attention(q, k[:, :, :n], v[:, :, :n])
                got = F.scaled_dot_product_attention(q, k, v, attn_mask=mask.expand(1, 1, 3, 700))
            self.same(got, want, n)

    def test_groups(self):
        q, k, v = numbers(2, 6, 5, 8), numbers(2, 2, 5, 8), numbers(2, 2, 5, 8, seed=2)
        try:
            F.scaled_dot_product_attention(q, k, v, enable_gqa=True)
        except TypeError:
            self.skipTest("this PyTorch has no groups of heads")
        with lastbit.torch.ordered(strict=True):
            got = F.scaled_dot_product_attention(q, k, v, enable_gqa=True)
            want = F.scaled_dot_product_attention(q, k.repeat_interleave(3, 1),
                                                  v.repeat_interleave(3, 1))
        self.same(got, want)


class TestRows(Bits):
    """A row depends on itself only."""

    def calls(self, dtype):
        w, b = numbers(30, 40, dtype=dtype), numbers(30, dtype=dtype)
        g = numbers(40, dtype=dtype, seed=5)
        return {
            "linear": lambda x: F.linear(x, w, b), "sum": lambda x: x.sum(-1),
            "mean": lambda x: x.mean(-1), "softmax": lambda x: x.softmax(-1),
            "log_softmax": lambda x: x.log_softmax(-1),
            "layer_norm": lambda x: F.layer_norm(x, (40,), g, g),
            "gelu": F.gelu, "silu": F.silu, "exp": torch.exp,
            "rms_norm": lambda x: x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * g,
            "attention": lambda x: self.attention(x.view(-1, 2, 4, 5)),
        }

    def attention(self, x):
        return F.scaled_dot_product_attention(x, x, x).flatten(1)

    def test_batches_and_strides(self):
        for dtype in DTYPES:
            x = numbers(64, 40, dtype=dtype, bits=2)
            wide = torch.zeros(64, 80, dtype=dtype)
            wide[:, ::2] = x
            for name, call in self.calls(dtype).items():
                whole, grads = self.results(call, x)
                for form in (x.t().contiguous().t(), wide[:, ::2], x.flip(0).contiguous().flip(0)):
                    if name != "attention":
                        self.same(self.results(call, form), (whole, grads), (name, dtype))
                for m in (1, 2, 3, 7, 32):
                    y, gradient = self.results(call, x[:m])
                    self.same((y, gradient), (whole[:m], grads[:m]), (name, dtype, m))

    def results(self, call, x):
        x = x.detach().requires_grad_()
        with lastbit.torch.ordered(strict=True):
            y = call(x)
            y.backward(torch.ones_like(y) / 3)
        return y.detach(), x.grad

    def test_large(self):
        """Sizes that several threads share, and blocks of attention."""
        x, w = numbers(600, 700, bits=3), numbers(800, 700, seed=2, bits=3)
        q = numbers(1, 2, 600, 16, bits=2)
        with lastbit.torch.ordered(strict=True):
            products, softmax = F.linear(x, w), x.softmax(1)
            norms, gelu = F.layer_norm(x, (700,)), F.gelu(x)
            attended = F.scaled_dot_product_attention(q, q, q, is_causal=True)
            for i in [0, 299, 599]:
                self.same(F.linear(x[i:i + 1], w), products[i:i + 1])
                self.same(x[i].softmax(0), softmax[i])
                self.same(F.layer_norm(x[i], (700,)), norms[i])
                self.same(F.gelu(x[i]), gelu[i])
                alone = F.scaled_dot_product_attention(
                    q[:, :, i:i + 1], q[:, :, :i + 1], q[:, :, :i + 1])
                self.same(alone, attended[:, :, i:i + 1])
            columns = x.sum(0)
            for j in [0, 350, 699]:
                self.same(x[:, j].sum(), columns[j])

    def test_expanded(self):
        x = numbers(1, 40)
        for name, call in self.calls(torch.float32).items():
            if name != "attention":
                got, want = ordered(call, x.expand(5, 40)), ordered(call, x)
                self.same(got, want.expand(got.shape), name)


class TestGradients(unittest.TestCase):
    def test_slopes(self):
        """Gradients agree with differences, to the accuracy that gradcheck asks for."""
        x = numbers(3, 4, dtype=torch.float64, bits=1).requires_grad_()
        w = numbers(4, dtype=torch.float64, seed=2).requires_grad_()
        q = numbers(1, 2, 3, 4, dtype=torch.float64, bits=1).requires_grad_()
        target = numbers(3, 4, dtype=torch.float64, seed=3)
        for call, args in [
            (lambda x, w: F.layer_norm(x, (4,), w, w), (x, w)),
            (lambda x: F.softmax(x, 0) + F.log_softmax(x, 1), (x,)), (F.gelu, (x,)),
            (lambda x: F.gelu(x, approximate="tanh"), (x,)), (F.silu, (x,)), (torch.sigmoid, (x,)),
            (torch.tanh, (x,)), (lambda x: x.mean(0) * x.sum() + (x @ x.t()).exp().sum(), (x,)),
            (lambda q: F.scaled_dot_product_attention(q, q * 2, q + 1, is_causal=True), (q,)),
            (lambda x: F.cross_entropy(x, torch.tensor([1, -100, 3]), weight=w.detach()), (x,)),
            (lambda x: F.mse_loss(x, target), (x,)),
        ]:
            with lastbit.torch.ordered():
                self.assertTrue(torch.autograd.gradcheck(call, args))


if __name__ == "__main__":
    unittest.main()
