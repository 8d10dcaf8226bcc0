"""Times of lastbit's functions, as ratios to NumPy's: python3 bench.py.

With the argument torch they are times of a transformer in the context of
lastbit.torch, as ratios to PyTorch's own: processor times of one thread. The
contexts of PyTorch cost time in themselves, which one that does nothing shows. Both
are called in turn, and the minima are compared.
"""

import os
import sys
import time

import numpy

import lastbit

REDUCTIONS = {
    "sum": (lastbit.sum, numpy.sum),
    "mean": (lastbit.mean, numpy.mean),
    "var": (lastbit.var, numpy.var),
    "norm": (lastbit.norm, numpy.linalg.norm),
    "dot": (lambda x: lastbit.dot(x, x), lambda x: numpy.dot(x, x)),
}
FUNCTIONS = {
    "exp": "exp", "exp2": "exp2", "expm1": "expm1", "log": "log", "log2": "log2",
    "log10": "log10", "log1p": "log1p", "sin": "sin", "cos": "cos", "tan": "tan",
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "sinh": "sinh", "cosh": "cosh",
    "tanh": "tanh", "asinh": "arcsinh", "atanh": "arctanh", "cbrt": "cbrt",
}


def ratio(ours, theirs, times, clock=time.perf_counter):
    spent = [[], []]
    for _ in range(times):
        for call, found in zip((ours, theirs), spent):
            begin = clock()
            call()
            found.append(clock() - begin)
    return min(spent[0]) / min(spent[1])


def torch_main():
    os.environ["OMP_NUM_THREADS"] = os.environ["GOMAXPROCS"] = "1"
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    import lastbit.torch

    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "tests"))
    from transformer import Transformer

    class Empty(TorchDispatchMode):
        """A context that sees every operator and lets PyTorch compute it."""

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return func(*args, **(kwargs or {}))

    def within(context, call):
        with context:
            return call()

    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        for width, length, batch in [(64, 16, 1), (64, 16, 8), (256, 64, 1), (256, 64, 8),
                                     (512, 128, 4)]:
            model = Transformer(width, width // 32, 4, length, 1000, dtype)
            x = model.inputs(batch).detach()

            def forward():
                with torch.no_grad():
                    return model(x)

            def backward():
                model(x).sum().backward()

            times = 15 if width < 512 else 5
            found = [ratio(lambda: within(context(), call), call, times, time.process_time)
                     for context in (lambda: lastbit.torch.ordered(strict=True), Empty)
                     for call in (forward, backward)]
            print(str(dtype)[6:], f"width {width}, {batch} times {length} words: "
                  "forward {:.2f}, with backward {:.2f}; "
                  "in a context that does nothing {:.2f}, {:.2f}".format(*found), flush=True)


def main():
    rng = numpy.random.default_rng(1)
    for dtype in ["float64", "float32"]:
        for n in [10, 1000, 10**5, 10**7]:
            x = rng.uniform(0.1, 0.9, n).astype(dtype)
            found = [f"{name} {ratio(lambda: ours(x), lambda: theirs(x), 15):.2f}"
                     for name, (ours, theirs) in REDUCTIONS.items()]
            print(dtype, n, *found)
        x = rng.uniform(0.1, 0.9, 10**6).astype(dtype)
        out = numpy.empty_like(x)
        for ours, theirs in FUNCTIONS.items():
            f, g = getattr(lastbit.math, ours), getattr(numpy, theirs)
            print(dtype, ours, f"{ratio(lambda: f(x, out=out), lambda: g(x, out=out), 15):.2f}")


if __name__ == "__main__":
    torch_main() if "torch" in sys.argv[1:] else main()
