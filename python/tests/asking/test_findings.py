"""Results of questions about callables, of NumPy and of PyTorch.

A Go test runs this file with several versions of Python, NumPy and PyTorch. The
argument torch adds the tests of PyTorch.
"""

import contextlib
import doctest
import importlib
import os
import threading
import unittest
from unittest import mock

import lastbit
import numpy as np
from asking import FOLDER, Asking, chain, torch
from lastbit import _questions

# Imported before the tests, since polars sets variables of the environment.
LIBRARIES = {}
for library in ("pandas", "polars", "pyarrow"):
    with contextlib.suppress(ImportError):
        LIBRARIES[library] = importlib.import_module(library)


class TestResults(Asking):
    def test_examples(self):
        self.assertEqual(doctest.testmod(_questions).failed, 0)
        page = os.path.join(FOLDER, "..", "..", "..", "docs", "use", "notebooks.md")
        with open(page, encoding="utf-8") as file:
            text = file.read().replace("```", "")  # ends the output before it
        examples = doctest.DocTestParser().get_doctest(text, {}, "notebooks.md", page, 0)
        results = doctest.DocTestRunner().run(examples)
        self.assertEqual((results.failed, results.attempted > 5), (0, True))

    def test_finding(self):
        found = lastbit.reveal(np.sum, n=1000)
        self.assertEqual((found.verdict, found.verified, found.witness), ("tree", True, None))
        self.assertEqual(found.family, "pairwise(block=128, unroll=8)")
        self.assertEqual(str(found).splitlines()[0].partition(":")[0], "tree, verified")
        self.assertIn("<svg", found._repr_html_())
        self.assertIn('"verdict": "tree"', found.to_json())
        x = np.random.default_rng(0).standard_normal((20, 1000)).astype("f4")
        self.assertEqual(lastbit.replay(found, x).tobytes(), np.array([np.sum(r) for r in x]).tobytes())
        self.assertEqual(lastbit.replay(found, x[0]).tobytes(), np.sum(x[0]).tobytes())

    def test_large_tree(self):
        found = lastbit.reveal(np.sum, n=5000)
        self.assertEqual(found.tree.count("("), 4999)

    def test_refusal(self):
        found = lastbit.reveal(lambda x: np.sum(x[1:]), n=20)
        self.assertEqual(found.verdict, "not-a-sum")
        self.assertEqual(len(found.witness.x), 20)
        self.assertIn("not a sum", found._repr_html_())

    def test_witness(self):
        found = lastbit.compare(np.sum, chain, n=100)
        x = np.array(found.witness.x, "f4")
        self.assertEqual(found.witness.names, ("numpy.sum", "asking.chain"))
        self.assertEqual(found.witness.outs, (float(np.sum(x)), float(chain(x))))
        self.assertEqual(found._repr_html_().count("<svg"), 2)

    def test_equal_names(self):
        found = lastbit.compare(lambda x: np.sum(x), lambda x: chain(x), chain, n=20)
        self.assertEqual(found.groups, ((0,), (1, 2)))

    def test_products(self):
        self.assertTrue(lastbit.reveal(np.dot, n=20, op="dot", dtype=np.float64).verified)
        self.assertTrue(lastbit.reveal(lambda a, b: chain(a * b), n=20, op="dot").verified)

    def test_rows(self):
        found = lastbit.invariant(lambda x: np.sum(x, axis=1), m=[1, 2, 5], n=20)
        self.assertEqual((found.invariant, found.classes), (True, ((1, 2, 5),)))
        found = lastbit.invariant(lambda x: np.sum(x, axis=1) if len(x) < 3 else np.add.accumulate(x, axis=1)[:, -1],
                                  m=range(1, 5), n=20)
        self.assertEqual((found.invariant, found.classes), (False, ((1, 2), (3, 4))))
        self.assertEqual(found.witness.names, ("m=2", "m=3"))

    def test_explain(self):
        x = np.random.default_rng(0).standard_normal((40, 500)).astype("f4")
        a, b = x.sum(axis=1), np.array([chain(r) for r in x])
        why = lastbit.explain(a, b, "sum", input=x, axis=1, libraries=False)
        self.assertEqual((why.explained, why.causes, why.a["model"]), (True, ("order",), "pairwise(block=128, unroll=8)"))
        self.assertEqual(why.differing, int((a != b).sum()))
        self.assertIn("Cause: order", str(why))
        self.assertTrue(lastbit.explain(a, a.copy()).same)
        with self.assertRaises(AttributeError):
            why.nothing
        with self.assertRaises(lastbit.Error) as caught:
            lastbit.explain(a, b[1:])
        self.assertEqual(caught.exception.id, "bad-data")
        self.assertEqual(caught.exception.cause, "a: it has 40 rows, and b has 39")
        masked = np.ma.array([1.0, 2.0], mask=[False, True])
        for wrong in (np.arange(3), "text", None, masked, [2**53 + 1], [[1.0], [2.0, 3.0]]):
            with self.assertRaises(lastbit.Error):
                lastbit.explain(wrong, wrong)

    def test_conversions(self):
        """Numbers that would change on their way to the command are refused."""

        class Masked(np.ma.MaskedArray):
            """An array with a mask, of a class of the caller's."""

        large = [2**53 + 1, None]
        refused, taken = [Masked([1.0, 2.0], mask=[False, True])], []
        for name, make in (
            ("pyarrow", lambda m: ([m.array(large), m.array([1.0, None]), m.table({"a": large[:1], "b": [0.5]})],
                                   [m.array([0.5, 1.0]), m.chunked_array([[0.5], [1.0]])])),
            ("polars", lambda m: ([m.Series(large), m.DataFrame({"a": large[:1], "b": [0.5]})],
                                  [m.Series([0.5, 1.0], dtype=m.Float32), m.Series([0.5, float("nan")])])),
            ("pandas", lambda m: ([m.Series(large, dtype="Int64"), m.DataFrame({"a": large[:1], "b": [0.5]})],
                                  [m.Series([0.5, float("nan")]), m.DataFrame({"a": [0.5], "b": [1.0]})])),
        ):
            if name not in LIBRARIES:
                continue
            wrong, right = make(LIBRARIES[name])
            refused += wrong
            taken += right
        for array in refused:
            with self.assertRaises(lastbit.Error) as caught:
                lastbit.explain(array, array)
            self.assertEqual(caught.exception.id, "bad-data", type(array))
        for array in taken:
            self.assertTrue(lastbit.explain(array, array).same, type(array))

    def test_wrong_options(self):
        found = lastbit.reveal(np.sum, n=8.0, timeout=1e4)
        self.assertTrue(found.verified)
        for f, options in (
            (lastbit.reveal, {"n": 2.5}),
            (lastbit.reveal, {"n": "8"}),
            (lastbit.reveal, {"timeout": float("nan")}),
            (lastbit.reveal, {"timeout": None}),
            (lastbit.reveal, {"timeout": 1e300}),
            (lastbit.invariant, {"m": [1.5, 2]}),
            (lastbit.invariant, {"m": ["a"]}),
            (lastbit.invariant, {"m": 5}),
            (lastbit.invariant, {"cols": 2.5}),
        ):
            with self.assertRaises(lastbit.Error) as caught:
                f(np.sum, **options)
            self.assertEqual(caught.exception.id, "bad-usage", options)
        for wrong in (None, "tree", found.to_json()):
            with self.assertRaises(lastbit.Error):
                lastbit.replay(wrong, np.zeros(8, "f4"))
        with self.assertRaises(lastbit.Error) as caught:
            lastbit.replay(found, np.zeros(9, "f4"))
        self.assertEqual(caught.exception.cause, "array: its shape is [9], and the tree takes 8 values")

    def test_objects_with_every_attribute(self):
        self.assertEqual(self.fails(mock.Mock(return_value="x"), "callable-result").id, "callable-result")
        self.assertTrue(lastbit.reveal(mock.Mock(side_effect=np.sum), n=9).verified)


@unittest.skipUnless(torch, "without PyTorch")
class TestTorch(Asking):
    def test_compare(self):
        found = lastbit.compare(np.sum, torch.sum, n=1000)
        self.assertEqual((found.conclusion, found.witness.names), ("different", ("numpy.sum", "torch.sum")))
        self.assertTrue(all(f.verified for f in found.findings))
        x = np.array(found.witness.x, "f4")
        self.assertEqual(found.witness.outs, (float(np.sum(x)), float(torch.sum(torch.from_numpy(x)))))

    def test_containers(self):
        layer = torch.nn.Module()
        layer.forward = lambda x: x.sum()
        for f in (torch.sum, layer, lambda x: torch.sum(x), lambda x: x.double().sum()):
            self.assertTrue(lastbit.reveal(f, n=20).verified)
        self.assertTrue(lastbit.reveal(torch.sum, n=20, dtype=torch.bfloat16).verified)
        error = self.fails(lambda x: torch.sum(x) + x.nothing, "callable-raised")
        self.assertIn("with arrays of PyTorch, AttributeError", error.cause)

    def test_columns_are_of_products(self):
        """A callable that does not tell its parameters is one of two with cols."""
        found = lastbit.invariant(torch.mm, m=[1, 2], n=8, cols=3)
        self.assertEqual(found.findings[0].verdict, "tree")
        with self.assertRaises(lastbit.Error) as caught:
            lastbit.invariant(torch.nn.functional.linear, m=[1, 2], n=8, cols=3)
        self.assertEqual(caught.exception.id, "callable-raised")

    def test_negative_views(self):
        """A tensor may hold its numbers negated."""
        self.assertTrue(lastbit.reveal(lambda x: torch._neg_view(-x.sum()), n=9, arrays="torch").verified)

    def test_no_device(self):
        if not torch.cuda.is_available():
            error = self.fails(torch.sum, "unsupported", device="cuda")
            self.assertIn("a Python whose PyTorch has the device", error.cure)
            self.assertNotIn("LASTBIT_PYTHON", error.cure)

    def test_tensors_to_explain(self):
        x = torch.tensor([2.0, 3.0])
        self.assertTrue(lastbit.explain(torch._neg_view(x), -x).same)
        for wrong in (torch.eye(2).to_sparse(), torch.empty(2, device="meta")):
            with self.assertRaises(lastbit.Error) as caught:
                lastbit.explain(wrong, x)
            self.assertEqual(caught.exception.id, "bad-data")

    def test_modes_of_the_caller(self):
        seen = set()

        def watched(x):
            seen.add((torch.is_grad_enabled(), torch.is_inference_mode_enabled(), threading.get_ident()))
            return x.sum()

        lastbit.reveal(watched, n=9, arrays="torch")
        self.assertEqual(seen, {(True, False, threading.get_ident())})
        seen.clear()
        with torch.inference_mode():
            lastbit.reveal(watched, n=9, arrays="torch")
        self.assertEqual(seen, {(False, True, threading.get_ident())})

    def test_parameters(self):
        weight = torch.nn.Parameter(torch.ones(20))
        self.assertTrue(lastbit.reveal(lambda x: (x * weight).sum(), n=20, arrays="torch").verified)

    def test_explain(self):
        a = torch.tensor([1.0, 2.0], dtype=torch.bfloat16)
        why = lastbit.explain(a, a + torch.tensor([0.0, 0.015625], dtype=torch.bfloat16))
        self.assertEqual((why.dtype, why.differing, why.max_ulps), ("bf16", 1, 1))


if __name__ == "__main__":
    unittest.main()
