"""Times of lastbit's functions, as ratios to NumPy's: python3 bench.py.

Both are called in turn, and the minima are compared.
"""

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
    "exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin",
    "atan": "arctan", "tanh": "tanh", "cbrt": "cbrt", "expm1": "expm1", "log1p": "log1p",
}


def ratio(ours, theirs, times):
    spent = [[], []]
    for _ in range(times):
        for call, found in zip((ours, theirs), spent):
            begin = time.perf_counter()
            call()
            found.append(time.perf_counter() - begin)
    return min(spent[0]) / min(spent[1])


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
    main()
