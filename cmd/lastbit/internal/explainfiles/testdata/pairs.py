"""Writes pairs of results, their inputs and the cause of their difference.

Usage: pairs.py FOLDER. A line of standard output is a pair: its name, its cause
or "unexplained", and the arguments of lastbit explain. Where results cannot
tell two causes apart, they are "exact|accumulator". A cause with ? is that of a
library, whose code depends on the processor: it may also be unexplained.
"""
import math
import os
import sys

import numpy as np

folder = sys.argv[1]
rng = np.random.default_rng(20261123)


def save(name, array):
    np.save(os.path.join(folder, name), np.asarray(array))
    return name + ".npy"


def pair(name, cause, a, b, *args):
    words = [name, cause, save(name + "_a", a), save(name + "_b", b)]
    for flag, value in zip(args[::2], args[1::2]):
        words.append(flag)
        words.append(save(name + flag.replace("--", "_"), value)
                     if isinstance(value, np.ndarray) else value)
    print(" ".join(words))


def library(name, cause, a, b, *args):
    """A pair, if the code that the library has for this processor makes one."""
    if a.tobytes() != b.tobytes():
        pair(name, cause, a, b, *args)


# Loops over the last axis of sums, vectorised over the others.

def chain(x, acc=None):
    x = x.astype(acc or x.dtype)
    s = x[:, 0].copy()
    for k in range(1, x.shape[1]):
        s = s + x[:, k]
    return s


def backward(x):
    return chain(x[:, ::-1])


def lanes(x, w):
    n = x.shape[1] // w * w
    s = x[:, :w].copy()
    for k in range(w, n, w):
        s = s + x[:, k:k + w]
    while s.shape[1] > 1:
        h = s.shape[1] // 2
        s = s[:, :h] + s[:, h:]
    s = s[:, 0]
    for k in range(n, x.shape[1]):
        s = s + x[:, k]
    return s


def halves(x):
    n = x.shape[1]
    if n == 1:
        return x[:, 0]
    return halves(x[:, :n // 2]) + halves(x[:, n // 2:])


def kahan(x):
    s = x[:, 0].copy()
    c = np.zeros_like(s)
    for k in range(1, x.shape[1]):
        y = x[:, k] - c
        t = s + y
        c = (t - s) - y
        s = t
    return s


def exact(x):
    return np.array([math.fsum(v) for v in x.astype(np.float64)]).astype(x.dtype)


def towards_zero(x):
    """A chain in float32 whose additions are rounded toward zero."""
    s = x[:, 0].copy()
    for k in range(1, x.shape[1]):
        wide = s.astype(np.float64) + x[:, k]
        t = wide.astype(np.float32)
        away = np.abs(t.astype(np.float64)) > np.abs(wide)
        s = np.where(away, np.nextafter(t, np.float32(0)), t).astype(np.float32)
    return s


def flush(v):
    tiny = np.finfo(v.dtype).tiny
    return np.where(np.abs(v) < tiny, np.copysign(v.dtype.type(0), v), v).astype(v.dtype)


def chain_flushed(x):
    s = flush(x[:, 0])
    for k in range(1, x.shape[1]):
        s = flush(s + flush(x[:, k]))
    return s


# Loops of matrix products.

def product(a, b, acc=None, fma=False):
    acc = acc or a.dtype
    s = np.zeros((a.shape[0], b.shape[1]), acc)
    for k in range(a.shape[1]):
        if fma and a.dtype == np.float32:
            # The product is exact; double rounding is avoided by rounding to odd.
            s = odd_add(s, np.outer(a[:, k].astype(np.float64), b[k].astype(np.float64)))
        else:
            s = (s + np.outer(a[:, k].astype(acc), b[k].astype(acc)).astype(acc)).astype(acc)
    return s.astype(a.dtype) if acc != a.dtype and a.dtype != np.float16 else s


def cause_of_product(matmul):
    """The cause of the difference of a library's products and a loop's.

    Kernels for processors without FMA add chunks of products instead.
    """
    a = rng.standard_normal((24, 128)).astype(np.float32)
    b = rng.standard_normal((128, 32)).astype(np.float32)
    fused = matmul(a, b).tobytes() == product(a, b, fma=True).tobytes()
    return "fma?" if fused else "order|fma|fma+order|order+fma?"


def odd_add(s, p):
    s = s.astype(np.float64)
    t = s + p
    z = t - s
    e = (s - (t - z)) + (p - z)
    even = (t.view(np.int64) & 1) == 0
    up = np.nextafter(t, np.where(e > 0, np.inf, -np.inf))
    return np.where((e != 0) & even, up, t).astype(np.float32)


def product_lanes(a, b, w):
    p = a[:, :, None] * b[None, :, :]          # m, k, n
    m, k, n = p.shape
    return lanes(p.transpose(0, 2, 1).reshape(m * n, k), w).reshape(m, n)


def tf32(x):
    u = x.view(np.uint32).astype(np.uint64)
    u = (u + 0xfff + ((u >> np.uint64(13)) & np.uint64(1))) & ~np.uint64(0x1fff)
    return u.astype(np.uint32).view(np.float32)


def tf32_truncated(x):
    return (x.view(np.uint32) & np.uint32(0xffffe000)).view(np.float32)


def bf16(x):
    u = x.view(np.uint32).astype(np.uint64)
    u = (u + 0x7fff + ((u >> np.uint64(16)) & np.uint64(1))) & ~np.uint64(0xffff)
    return u.astype(np.uint32).view(np.float32)


def tensor_core(a, b, width, bits):
    """Groups of products and the sum so far, aligned, truncated and added."""
    out = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c = 0.0
            for k in range(0, a.shape[1], width):
                terms = [(float(x) * float(y),
                          math.frexp(x)[1] + math.frexp(y)[1] - 2)
                         for x, y in zip(a[i, k:k + width], b[k:k + width, j])]
                terms.append((c, math.frexp(c)[1] - 1 if c else -126))
                e = max(t[1] for t in terms if t[0] != 0 or t is terms[-1])
                total = sum(int(math.ldexp(t, bits - e)) for t, _ in terms)
                sign, mag = (-1, -total) if total < 0 else (1, total)
                drop = max(mag.bit_length() - 24, 0)
                c = sign * math.ldexp(float(mag >> drop << drop), e - bits)
            out[i, j] = c
    return out


def sums():
    for dtype, tag in ((np.float32, "f32"), (np.float64, "f64")):
        x = rng.standard_normal((200, 500)).astype(dtype)
        args = ("--op", "sum", "--axis", "1", "--input", x)
        pair("sum_order_numpy_" + tag, "order", x.sum(axis=1), chain(x), *args)
        pair("sum_order_lanes_" + tag, "order", lanes(x, 8), chain(x), *args)
        pair("sum_order_backward_" + tag, "order", backward(x), chain(x), *args)
        pair("sum_order_halves_" + tag, "order", halves(x), lanes(x, 4), *args)
        pair("sum_exact_numpy_" + tag, "exact" if dtype == np.float64 else "exact|accumulator",
             x.sum(axis=1), exact(x), *args)
        pair("sum_axis0_" + tag, "order", x.sum(axis=0), x.T.copy().sum(axis=1),
             "--op", "sum", "--axis", "0", "--input", x)
        pair("mean_order_" + tag, "order", x.mean(axis=1), chain(x) / dtype(500),
             "--op", "mean", "--axis", "1", "--input", x)
        pair("mean_reciprocal_" + tag, "rounding", chain(x) / dtype(500),
             chain(x) * (dtype(1) / dtype(500)), "--op", "mean", "--axis", "1", "--input", x)
        tiny = (x * np.finfo(dtype).tiny * dtype(4)).astype(dtype)
        pair("sum_flush_" + tag, "flush", chain(tiny), chain_flushed(tiny),
             "--op", "sum", "--axis", "1", "--input", tiny)
    x = rng.standard_normal((300, 400)).astype(np.float32)
    args = ("--op", "sum", "--axis", "1", "--input", x)
    pair("sum_accumulator_numpy", "accumulator|exact", x.sum(axis=1),
         x.sum(axis=1, dtype=np.float64).astype(np.float32), *args)
    pair("sum_rounding", "rounding", chain(x), towards_zero(x), *args)
    pair("sum_kahan", "accumulator", chain(x), kahan(x), *args)
    pair("sum_inputs_bf16", "inputs", chain(x), chain(bf16(x)), *args)
    h = rng.standard_normal((300, 200)).astype(np.float16)
    pair("sum_accumulator_f16", "accumulator", chain(h),
         chain(h, np.float32).astype(np.float16), "--op", "sum", "--axis", "1", "--input", h)
    x = rng.standard_normal((200, 333))
    pair("sum_accumulator_longdouble", "accumulator", chain(x),
         chain(x, np.longdouble).astype(np.float64), "--op", "sum", "--axis", "1", "--input", x)


def products():
    for dtype, tag in ((np.float32, "f32"), (np.float64, "f64")):
        a = rng.standard_normal((24, 200)).astype(dtype)
        b = rng.standard_normal((200, 32)).astype(dtype)
        args = ("--op", "matmul", "--lhs", a, "--rhs", b)
        library("matmul_openblas_" + tag, cause_of_product(np.matmul), a @ b, product(a, b),
                *args)
        pair("matmul_order_" + tag, "order", product_lanes(a, b, 8), product(a, b), *args)
        library("matmul_order_einsum_" + tag, "order?", np.einsum("ik,kj->ij", a, b),
                product_lanes(a, b, 4), *args)
    a = rng.standard_normal((24, 150)).astype(np.float32)
    b = rng.standard_normal((150, 20)).astype(np.float32)
    args = ("--op", "matmul", "--lhs", a, "--rhs", b)
    plain = product(a, b)
    pair("matmul_fma", "fma", product(a, b, fma=True), plain, *args)
    pair("matmul_tf32", "inputs", product(tf32(a), tf32(b)), plain, *args)
    pair("matmul_tf32_truncated", "inputs", product(tf32_truncated(a), tf32_truncated(b)),
         plain, *args)
    pair("matmul_tf32_or_bf16", "inputs", product(tf32(a), tf32(b)),
         product(bf16(a), bf16(b)), *args)
    pair("matmul_bf16", "inputs", product(bf16(a), bf16(b)), plain, *args)
    pair("matmul_accumulator", "accumulator|exact", product(a, b, np.float64), plain, *args)
    pair("matmul_vector", "fma", product(a, b[:, :1], fma=True)[:, 0],
         product(a, b[:, :1])[:, 0], "--op", "matmul", "--lhs", a, "--rhs", b[:, 0].copy())
    small = (a * np.float32(2e-19)).astype(np.float32)
    other = (b * np.float32(2e-19)).astype(np.float32)
    s = np.zeros((24, 20), np.float32)
    for k in range(150):
        s = flush(s + flush(np.outer(small[:, k], other[k])))
    pair("matmul_flush", "flush", s, product(small, other), "--op", "matmul", "--lhs", small,
         "--rhs", other)
    h, g = a[:, :96].astype(np.float16), b[:96].astype(np.float16)
    args = ("--op", "matmul", "--lhs", h, "--rhs", g)
    one = product(h, g, np.float32)
    pair("matmul_h100", "fused", tensor_core(h, g, 16, 25), one, *args)
    pair("matmul_h100_a100", "fused", tensor_core(h, g, 16, 25), tensor_core(h, g, 8, 24), *args)
    pair("matmul_volta", "fused", tensor_core(h, g, 4, 23), one, *args)
    pair("matmul_accumulator_f16", "accumulator", product(h, g, np.float16),
         one.astype(np.float16), *args)
    a = rng.standard_normal((24, 301)).astype(np.float32)
    b = rng.standard_normal((301, 16)).astype(np.float32)
    library("matmul_rows", "order|fma|order+fma?", a @ b, np.stack([row @ b for row in a]),
            "--op", "matmul", "--lhs", a, "--rhs", b)


def functions():
    for name in "exp", "log", "sin", "cos", "tanh":
        x = rng.uniform(0.1, 20, 8000)
        f = getattr(np, name)
        c = np.array([getattr(math, name)(v) for v in x])
        if not (f(x) == c).all():
            pair(name + "_f64", "libm?", f(x), c, "--op", name, "--input", x)
        s = x.astype(np.float32)
        c = np.array([getattr(math, name)(v) for v in s.astype(np.float64)]).astype(np.float32)
        if not (f(s) == c).all():
            pair(name + "_f32", "libm|exact?", f(s), c, "--op", name, "--input", s)
    x = rng.uniform(-103, -80, 4000).astype(np.float32)
    c = np.array([math.exp(v) for v in x.astype(np.float64)]).astype(np.float32)
    pair("exp_flush", "flush", c, flush(c), "--op", "exp", "--input", x)


def torch_results():
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)
    x = rng.standard_normal((100, 1000)).astype(np.float32)
    library("torch_sum", "order?", torch.from_numpy(x).sum(1).numpy(), x.sum(axis=1),
            "--op", "sum", "--axis", "1", "--input", x)
    x = rng.standard_normal((6, 300, 40)).astype(np.float32)
    library("torch_sum_between", "order", torch.from_numpy(x).sum(1).numpy(), x.sum(axis=1),
            "--op", "sum", "--input", x, "--axis", "1")

    def matmul(a, b):
        return (torch.from_numpy(a) @ torch.from_numpy(b)).numpy()
    a = rng.standard_normal((32, 128)).astype(np.float32)
    b = rng.standard_normal((128, 32)).astype(np.float32)
    library("torch_matmul", cause_of_product(matmul), matmul(a, b), product(a, b),
            "--op", "matmul", "--lhs", a, "--rhs", b)
    x = rng.uniform(-20, 20, 8000).astype(np.float32)
    library("torch_exp", "libm?", torch.exp(torch.from_numpy(x)).numpy(), np.exp(x),
            "--op", "exp", "--input", x)


def unexplained():
    x = rng.standard_normal((200, 300)).astype(np.float32)
    args = ("--op", "sum", "--axis", "1", "--input", x)
    plain = chain(x)
    noisy = plain.copy()
    at = rng.choice(200, 20, replace=False)
    noisy[at] = np.nextafter(noisy[at], np.float32(np.inf))
    pair("noise", "unexplained", plain, noisy, *args)
    flipped = plain.copy()
    flipped.view(np.uint32)[7] ^= 4
    pair("one_bit", "unexplained", plain, flipped, *args)
    pair("shuffled", "unexplained", plain, chain(x[:, rng.permutation(300)]), *args)
    pair("sorted", "unexplained", plain, chain(np.sort(x, axis=1)), *args)
    pair("by_magnitude", "unexplained", plain,
         chain(np.take_along_axis(x, np.argsort(np.abs(x), axis=1), axis=1)), *args)
    pair("one_missing", "unexplained", plain, chain(x[:, :-1]), *args)
    pair("other_inputs", "unexplained", plain,
         chain(rng.standard_normal((200, 300)).astype(np.float32)), *args)
    stochastic = x[:, 0].copy()
    for k in range(1, 300):
        w = stochastic.astype(np.float64) + x[:, k]
        t = w.astype(np.float32)
        o = np.nextafter(t, np.where(w > t, np.inf, -np.inf).astype(np.float32))
        p = np.abs(w - t) / np.maximum(np.abs(o.astype(np.float64) - t), 1e-300)
        stochastic = np.where(rng.uniform(size=200) < p, o, t)
    pair("stochastic", "unexplained", plain, stochastic, *args)
    tree = x.copy()
    parts = [tree[:, k] for k in range(300)]
    while len(parts) > 1:
        i, j = sorted(rng.choice(len(parts), 2, replace=False))
        q = parts.pop(j)
        parts[i] = parts[i] + q
    pair("random_tree", "unexplained", plain, parts[0], *args)
    pair("scaled", "unexplained", plain, chain(x * np.float32(3)) / np.float32(3), *args)
    pair("tiny_array", "unexplained", plain[:1], x.sum(axis=1)[:1],
         "--op", "sum", "--axis", "1", "--input", x[:1].copy())
    a = rng.standard_normal((16, 64)).astype(np.float32)
    b = rng.standard_normal((64, 16)).astype(np.float32)
    h = 8
    m = [(a[:h, :32] + a[h:, 32:], b[:32, :h] + b[32:, h:]),
         (a[h:, :32] + a[h:, 32:], b[:32, :h]), (a[:h, :32], b[:32, h:] - b[32:, h:]),
         (a[h:, 32:], b[32:, :h] - b[:32, :h]), (a[:h, :32] + a[:h, 32:], b[32:, h:]),
         (a[h:, :32] - a[:h, :32], b[:32, :h] + b[:32, h:]),
         (a[:h, 32:] - a[h:, 32:], b[32:, :h] + b[32:, h:])]
    m = [product(p, q) for p, q in m]
    strassen = np.block([[m[0] + m[3] - m[4] + m[6], m[2] + m[4]],
                         [m[1] + m[3], m[0] - m[1] + m[2] + m[5]]])
    pair("strassen", "unexplained", strassen, product(a, b), "--op", "matmul", "--lhs", a,
         "--rhs", b)
    e = rng.uniform(-5, 5, 3000)
    series = np.ones_like(e)
    term = np.ones_like(e)
    for k in range(1, 60):
        term = term * e / k
        series = series + term
    pair("exp_series", "unexplained", series, np.exp(e), "--op", "exp", "--input", e)


sums()
products()
functions()
torch_results()
unexplained()
