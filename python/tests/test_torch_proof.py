"""One hash for every batch size, number of threads and instruction set.

LASTBIT_TORCH=all tries every batch size from 1 to 64.
"""

import json
import os
import subprocess
import sys
import unittest

import torch

import lastbit
import lastbit.torch

IS_FULL = os.environ.get("LASTBIT_TORCH") == "all"
BATCHES = range(1, 65) if IS_FULL else [1, 2, 5, 64]

ONE_THREAD = {"OMP_NUM_THREADS": "1", "GOMAXPROCS": "1"}
AVX2 = {
    "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2", "GODEBUG": "cpu.avx512f=off",
}
NO_AVX = {
    "ATEN_CPU_CAPABILITY": "default", "ONEDNN_MAX_CPU_ISA": "SSE41",
    "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
    "GODEBUG": "cpu.avx512f=off,cpu.avx2=off,cpu.fma=off,cpu.avx=off",
}
SETTINGS = {
    "as it is": {}, "one thread, AVX2": {**ONE_THREAD, **AVX2}, "no AVX": NO_AVX,
}
if IS_FULL:
    SETTINGS.update({
        "one thread": ONE_THREAD, "AVX2": AVX2, "one thread, no AVX": {**ONE_THREAD, **NO_AVX},
    })

# The hashes of PyTorch 2.15 on every machine: the logits and the gradient of the
# first row of a batch, and the gradients of the weights for a batch of 64.
GOLDEN = {
    "ordered float32": {
        "logits": "48008e313a1e58eb", "input": "cca89386aca313a0", "weights": "431397138b80a9db",
    },
    "ordered bfloat16": {
        "logits": "df120ac9688e7a48", "input": "611b44d3ca45dd7f", "weights": "3607399b0f8817de",
    },
    "ordered float32, two words": {
        "logits": "3e1ec7ca71eb5dae", "input": "d3f527a6547c9fd7", "weights": "83d9a2df8550466e",
    },
}


class TestProof(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "transformer.py")
        cls.found = {}
        for name, setting in SETTINGS.items():
            command = [sys.executable, program, *map(str, BATCHES)]
            # Threads that wait should not take the time of tests beside this one.
            env = {**os.environ, "OMP_WAIT_POLICY": "passive", **setting}
            out = subprocess.check_output(command, env=env, text=True)
            cls.found[name] = json.loads(out)

    def hashes(self, model):
        """Return the different hashes of each kind."""
        kinds = {"logits": set(), "input": set(), "weights": set()}
        for results in self.found.values():
            for kind, hashes in results[model].items():
                kinds[kind].update([hashes] if isinstance(hashes, str) else hashes)
        return {kind: sorted(hashes) for kind, hashes in kinds.items()}

    def test_ordered(self):
        for model in self.found["as it is"]:
            if model.startswith("ordered"):
                found = self.hashes(model)
                self.assertEqual([len(h) for h in found.values()], [1, 1, 1], (model, found))
                if torch.__version__.startswith("2.15."):
                    self.assertEqual({k: h[0] for k, h in found.items()}, GOLDEN[model], model)

    def test_operators(self):
        """What PyTorch computes by itself in the context has the same bits everywhere."""
        for name, found in self.found.items():
            self.assertEqual(found["operators"], self.found["as it is"]["operators"], name)

    def test_plain(self):
        """PyTorch alone has several, where this processor shows it."""
        counts = {m: [len(h) for h in self.hashes(m).values()]
                  for m in self.found["as it is"] if m.startswith("plain")}
        if all(n == 1 for found in counts.values() for n in found):
            self.skipTest("PyTorch's own results do not differ on this machine")
        self.assertGreater(max(map(max, counts.values())), 1, counts)


class TestTrees(unittest.TestCase):
    """lastbit's command finds the published trees in the context."""

    def test_families(self):
        for call, op, dtype, family in [
            (torch.sum, "sum", "float32", "interleaved(128, block=16384)"),
            (torch.sum, "sum", "float64", "interleaved(64, block=8192)"),
            (torch.sum, "sum", "bfloat16", "interleaved(128, block=16384)"),
            (torch.mean, "sum", "float32", "interleaved(128, block=16384)"),
            (torch.mm, "gemm", "float32", "chain"), (torch.mm, "gemm", "bfloat16", "chain"),
            (torch.dot, "dot", "float64", "chain"),
        ]:
            n = 100 if family == "chain" else 1000
            with lastbit.torch.ordered(strict=True):
                found = lastbit.reveal(call, n=n, op=op, dtype=dtype, arrays="torch")
            self.assertTrue(found.verified, (call, dtype))
            self.assertEqual(found.family, family, (call, dtype))

    def test_rows(self):
        for call, shape in [(torch.mm, {"n": 64}), (lambda x: x.sum(1), {"n": 300})]:
            with lastbit.torch.ordered(strict=True):
                found = lastbit.invariant(call, [1, 2, 64], arrays="torch", **shape)
            self.assertTrue(found.invariant, call)


if __name__ == "__main__":
    unittest.main()
