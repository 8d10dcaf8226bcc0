"""The context of lastbit.torch: what it lists and refuses, and its callers."""

import os
import signal
import threading
import unittest
import warnings

import torch
from torch.nn import functional as F
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack

import lastbit
import lastbit.torch
from test_torch import Bits, numbers, ordered

X, W = numbers(4, 8), numbers(8, 3, seed=2)


def model(x, w):
    return torch.softmax(F.gelu(x @ w) * 1.7 + 0.3, -1).sum(0)


def silently(call, strict=False):
    """Return the result of a call in the context, and the operators it reports."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with lastbit.torch.ordered(strict) as mode:
            result = call()
    return result, [u.operator.split(".")[1] for u in mode.report()]


class TestReport(Bits):
    def test_listed(self):
        image = X.view(1, 4, 8)
        for call, operators in [
            (lambda: F.conv1d(image, W.view(2, 4, 3)), ["convolution"]),
            (lambda: X.cumsum(0), ["cumsum"]), (lambda: X.std(), ["std"]),
            (lambda: F.dropout(X), ["bernoulli_"]), (lambda: torch.randn(2), ["normal_"]),
            (lambda: X.half() @ W.half(), ["mm"]), (lambda: X.to(torch.complex64) * 2, ["mul"]),
            (lambda: X.to(torch.complex64).abs(), ["abs"]),
            (lambda: torch.bincount(torch.tensor([1, 1]), X[0, :2]), ["bincount"]),
            (lambda: torch.arange(0, 1, 0.3), ["arange"]), (lambda: X // 0.3, ["floor_divide"]),
            (lambda: F.group_norm(X, 2), ["native_group_norm"]),
            (lambda: F.scaled_dot_product_attention(X[None], X[None], X[None], dropout_p=0.5),
             ["bernoulli_"]),
        ]:
            result, found = silently(call)
            self.assertEqual(found, operators)
            with self.assertRaises(lastbit.Error) as caught:
                silently(call, strict=True)
            self.assertEqual(caught.exception.id, "torch-uncovered")
            self.assertIn(operators[0], caught.exception.cause)

    def test_libraries(self):
        """oneDNN computes without an operator, where it is there and the shapes suit it."""
        image, kernel = numbers(2, 8, 16, 16), numbers(8, 8, 3, 3, seed=2).requires_grad_()
        y = F.conv2d(image, kernel).sum()
        for call, operators in [
            (lambda: F.conv2d(image, kernel), ["convolution"]),
            (lambda: F.conv_transpose2d(image.bfloat16(), kernel.bfloat16()), ["convolution"]),
            (lambda: torch.mkldnn_convolution(image, kernel, None, [0, 0], [1, 1], [1, 1], 1),
             ["mkldnn_convolution"]),
            (lambda: y.backward(retain_graph=True), ["convolution_backward"]),
            # Its kernel has a loop of its own.
            (lambda: torch.ldexp(X[0], torch.arange(8, dtype=torch.int32)), ["ldexp"]),
        ]:
            self.assertEqual(silently(call)[1], operators)
            with self.assertRaises(lastbit.Error) as caught:
                silently(call, strict=True)
            self.assertEqual(caught.exception.id, "torch-uncovered")

    def test_not_listed(self):
        def train():
            w = W.clone().requires_grad_()
            for kind in (torch.optim.SGD, torch.optim.Adam):
                optimizer = kind([w], 0.1)
                F.cross_entropy(X @ w, torch.tensor([0, 1, 2, -100])).backward()
                optimizer.step()

        for call in [
            lambda: torch.arange(4).view(2, 2) @ torch.arange(4).view(2, 2),
            lambda: torch.arange(5) // 2 % 3, lambda: torch.arange(0, 8, 2, dtype=torch.float32),
            lambda: torch.empty(2, 3, device="meta") @ torch.empty(3, 2, device="meta"),
            lambda: torch.cat([X, X * 2]).index_select(0, torch.tensor([1, 2])).relu().topk(2),
            lambda: F.dropout(X, training=False), lambda: (X > 0).sum(), lambda: X.half() + 1,
            lambda: F.embedding(torch.tensor([1, 1]), W.clone().requires_grad_()).sum().backward(),
            lambda: X.scatter(0, torch.tensor([[3, 1]]), W), lambda: X.max(0)[0],
            lambda: X.scatter(0, torch.tensor([[3]]), 1.0),
            lambda: X.clone().requires_grad_().max(0)[0].sum().backward(),
            train, lambda: X.clone().t_().unsqueeze_(0).squeeze_(), lambda: X.clone().resize_(2, 2),
            lambda: torch.mm(torch._efficientzerotensor((4, 4)), X), lambda: X.abs().mean().item(),
        ]:
            self.assertEqual(silently(call, strict=True)[1], [])

    def test_encoder(self):
        """The fused layer of PyTorch's encoder is off, and on again."""
        layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()
        before = torch.backends.mha.get_fastpath_enabled()
        with torch.no_grad():
            got, found = silently(lambda: layer(X[None]), strict=True)
        self.assertEqual(found, [])
        torch.testing.assert_close(got, layer(X[None]))
        self.assertEqual(torch.backends.mha.get_fastpath_enabled(), before)

    def test_warning(self):
        with self.assertWarnsRegex(UserWarning, "aten.cumsum.default: 2 calls") as caught:
            with lastbit.torch.ordered():
                X.cumsum(0)
                X.cumsum(1)
        self.assertEqual(os.path.basename(caught.filename), "test_torch_mode.py")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with lastbit.torch.ordered():
                X.sum()
            with self.assertRaises(KeyError):  # and no warning in its place
                with lastbit.torch.ordered():
                    X.cumsum(0)
                    raise KeyError


class TestSums(unittest.TestCase):
    def test_refused(self):
        """The cure is one for the kind of tensor."""
        for x, cure in [
            (torch.eye(2).to_sparse(), "to_dense"), (torch.empty(2, device="meta"), "holds numbers"),
            (torch.ones(2, requires_grad=True), "detach"),
            (torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8), "dequantize"),
        ]:
            with self.assertRaises(lastbit.Error) as caught:
                lastbit.sum(x)
            self.assertEqual(caught.exception.id, "array-unsupported")
            self.assertIn(cure, caught.exception.cure)


class TestForms(Bits):
    def test_outputs(self):
        want = ordered(torch.mm, X, W)
        with lastbit.torch.ordered(strict=True):
            out = torch.empty(4, 3)
            self.assertIs(torch.mm(X, W, out=out), out)
            self.same(out, want)
            self.same(torch.mm(X, W, out=torch.empty(0)), want)
            self.same(torch.sum(X, 1, out=torch.empty(4, dtype=torch.float64)), X.double().sum(1))
            x = X.clone()
            self.same(torch.exp(x, out=x), X.exp())
            self.same(X.clone().sigmoid_().exp_(), X.sigmoid().exp())
            self.same(X.clone().add_(X, alpha=0.3), X.add(X, alpha=0.3))
            self.same(torch.addmm(W[0], X, W, out=out), F.linear(X, W.t(), W[0]))
            self.same(torch.zeros(4, 3).addmm_(X, W), want)
            self.same(torch.arange(3).exp(), torch.arange(3.0).exp())

    def test_empty(self):
        with lastbit.torch.ordered(strict=True):
            self.same(torch.empty(2, 0) @ torch.empty(0, 3), torch.zeros(2, 3))
            self.assertEqual((torch.empty(0, 5) @ torch.empty(5, 3)).shape, (0, 3))
            self.assertEqual(torch.bmm(torch.empty(0, 2, 3), torch.empty(0, 3, 4)).shape, (0, 2, 4))
            self.same(torch.empty(3, 0).sum(1), torch.zeros(3))
            self.assertTrue(torch.empty(0).mean().isnan())
            self.assertEqual(torch.empty(0, 3).softmax(1).shape, (0, 3))
            self.same(torch.tensor(3.0).softmax(0), torch.tensor(1.0))
            self.assertEqual(F.layer_norm(torch.empty(0, 3), (3,)).shape, (0, 3))
            self.assertEqual(torch.empty(0).exp().shape, (0,))
            q = torch.empty(1, 2, 0, 4)
            self.assertEqual(F.scaled_dot_product_attention(q, q, q).shape, q.shape)

    def test_errors(self):
        """Arguments that PyTorch refuses are refused by PyTorch."""
        for call in [lambda: X @ X, lambda: X @ W.double(), lambda: X.softmax(5), lambda: X.sum(5),
                     lambda: X.sum((0, 0)), lambda: torch.mm(X, W, out=torch.empty(4, 3).double()),
                     lambda: torch.addmm(torch.ones(9), X, W), lambda: torch.arange(3).exp_(),
                     lambda: torch.arange(3).mean(), lambda: torch.bmm(X, W),
                     lambda: F.layer_norm(X, (7,)), lambda: F.nll_loss(X, torch.tensor([9] * 4)),
                     lambda: torch.native_layer_norm(X, (8,), W[:, 0][:7], None, 1e-5),
                     lambda: torch.ops.aten._softmax_backward_data(X[:2], X, 1, X.dtype),
                     lambda: torch.ops.aten.silu_backward(X[:, :3], X)]:
            with self.assertRaises((RuntimeError, IndexError, TypeError)):
                ordered(call)

    def test_views(self):
        negated = torch._neg_view(X)
        self.same(ordered(torch.mm, negated, W), -ordered(torch.mm, X, W))
        self.same(ordered(torch.exp, negated), ordered(torch.exp, -X))

        class Subclass(torch.Tensor):
            pass

        self.same(ordered(torch.mm, X.as_subclass(Subclass), W).as_subclass(torch.Tensor),
                  ordered(torch.mm, X, W))

    def test_autocast(self):
        with lastbit.torch.ordered(strict=True):
            with torch.autocast("cpu"):
                got = F.linear(X, W.t())
            self.same(got, X.bfloat16() @ W.bfloat16())

    def test_compiled(self):
        """A compiled function runs as it is written."""
        def backend(graph, inputs):
            """Return a program whose results are wrong."""
            return lambda *args: (torch.zeros(3),)

        want = ordered(model, X, W)
        compiled = torch.compile(model, backend=backend)
        self.same(ordered(compiled, X, W), want)
        torch._dynamo.reset()
        self.same(compiled(X, W), torch.zeros(3))
        self.same(ordered(compiled, X, W), want)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # deprecated
            traced = torch.jit.trace(model, (X, W))
        self.same(ordered(traced, X, W), want)

    def test_transforms(self):
        with lastbit.torch.ordered(strict=True):
            self.same(torch.func.vmap(lambda x: x @ W)(X[:, None]), (X @ W)[:, None])
            torch.func.jvp(lambda x: model(x, W), (X,), (X,))
            torch.func.hessian(lambda x: torch.tanh(x @ W).sum())(X)


class TestCallers(Bits):
    def test_nested(self):
        want = ordered(model, X, W)
        mode = lastbit.torch.ordered(strict=True)
        with mode, lastbit.torch.ordered(), mode:
            self.same(model(X, W), want)
        self.assertEqual(_get_current_dispatch_mode_stack(), [])

    def test_exceptions(self):
        for error in (ValueError, KeyboardInterrupt):
            with self.assertRaises(error):
                with lastbit.torch.ordered():
                    raise error
            self.assertEqual(_get_current_dispatch_mode_stack(), [])

    def test_threads(self):
        """A context is its thread's, and threads may have one each."""
        want, found = ordered(model, X, W), []
        with lastbit.torch.ordered():
            outside = threading.Thread(
                target=lambda: found.append(len(_get_current_dispatch_mode_stack())))
            outside.start()
            outside.join()
        self.assertEqual(found, [0])
        results = []
        threads = [threading.Thread(target=lambda: results.extend(
            ordered(model, X, W) for _ in range(20))) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.same(results, [want] * 80)
        self.assertTrue(torch.backends.mha.get_fastpath_enabled())

    def test_fork(self):
        x = numbers(300, 400)
        want = ordered(lambda: model(x, x.t()))
        with lastbit.torch.ordered(strict=True):
            model(x, x.t())
            pid = os.fork()
            if pid == 0:
                code = 1
                try:
                    signal.alarm(60)
                    torch.set_num_threads(1)  # PyTorch's threads are gone in a child
                    code = 0 if torch.equal(model(x, x.t()), want) else 2
                finally:
                    os._exit(code)
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)

    def test_arithmetic(self):
        if not torch.set_flush_denormal(True):
            self.skipTest("this processor keeps subnormal numbers")
        try:
            with self.assertRaises(lastbit.Error) as caught:
                ordered(torch.mm, X, W)
        finally:
            torch.set_flush_denormal(False)
        self.assertEqual(caught.exception.id, "torch-arithmetic")


if __name__ == "__main__":
    unittest.main()
