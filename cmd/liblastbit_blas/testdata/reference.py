"""Compares the library with the reference BLAS, on calls of every routine.

reference.py LIBRARY REFERENCE RECORDER [SEEDS]

RECORDER is preloaded: it defines xerbla_, and keeps what it is called with. A
third of the calls is of finite numbers, a third has infinities and NaN, and a
third has a wrong argument. Prints a line for each difference that the comment
of package cblas does not allow.
"""
import ctypes
import random
import struct
import sys

import numpy as np

# The arguments: N M K are lengths, T U D S letters, a e factors (r and q real
# ones), x y vectors, A B C matrices, P a packed one, i j increments, l p q
# leading dimensions, L V bandwidths.
BOTH = """
copy N x i y j|swap N x i y j|axpy N a x i y j|scal N a x i|
gemv T M N a A l x i e y j|gbmv T M N L V a A l x i e y j|
trmv U T D N A l x i|trsv U T D N A l x i|tbmv U T D N K A l x i|tbsv U T D N K A l x i|
tpmv U T D N P x i|tpsv U T D N P x i|
gemm T T M N K a A l B l e C l|symm S U M N a A l B l e C l|
syrk U T N K a A l e C l|syr2k U T N K a A l B l e C l|
trmm S U T D M N a A l B l|trsm S U T D M N a A l B l
"""
REAL = """
rot N x i y j c c|rotm N x i y j R|dot:f N x i y j|nrm2:f N x i|asum:f N x i|iamax:i N x i|
symv U N a A l x i e y j|sbmv U N K a A l x i e y j|spmv U N a P x i e y j|
ger M N a x i y j A l|syr U N a x i A l|spr U N a x i P|
syr2 U N a x i y j A l|spr2 U N a x i y j P
"""
COMPLEX = """
rscal N c x i|rrot N x i y j c c|dotu:z N x i y j|dotc:z N x i y j|
rnrm2:f N x i|rasum:f N x i|iamax:i N x i|
hemv U N a A l x i e y j|hbmv U N K a A l x i e y j|hpmv U N a P x i e y j|
geru M N a x i y j A l|gerc M N a x i y j A l|her U N c x i A l|hpr U N c x i P|
her2 U N a x i y j A l|hpr2 U N a x i y j P|
hemm S U M N a A l B l e C l|herk U T N K c A l c C l|her2k U T N K a A l B l c C l
"""
TYPES = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
WIDTH = 6  # the largest length


def table():
    """The symbol, its format, result and arguments, of every routine."""
    for f in "sdcz":
        for line in (BOTH + "|" + (REAL if f in "sd" else COMPLEX)).split("|"):
            if not line.strip():
                continue
            name, *args = line.split()
            name, _, result = name.partition(":")
            real = "s" if f in "sc" else "d"
            symbol = f + name
            if name == "iamax":
                symbol = "i" + f + "amax"
            elif name in ("rscal", "rrot"):
                symbol = f + real + name[1:]
            elif name in ("rnrm2", "rasum"):
                symbol = real + f + name[1:]
            yield symbol + "_", f, result, args


def numbers(r, n, t, special):
    v = r.choice([r.random, lambda: r.uniform(-2, 2)])
    parts = []
    for _ in range(2 * n):
        x = v()
        if special and r.random() < special:
            x = r.choice([0.0, -0.0, np.inf, -np.inf, np.nan, 0.0])
        parts.append(x)
    if np.dtype(t).kind == "c":
        return (np.array(parts[:n]) + 0j).astype(t) + weird(parts[n:], t)
    return np.array(parts[:n], t)


def weird(parts, t):
    """Imaginary parts, without a product with i."""
    z = np.zeros(len(parts), t)
    z.imag = parts
    return z


def scalar(r, t):
    if r.random() < 0.4:
        return np.array([r.choice([0, 1, -1])], t)
    if np.dtype(t).kind == "c" and r.random() < 0.3:
        return np.array([complex(0, r.choice([1, -1]))], t)
    return numbers(r, 1, t, 0)


def arguments(r, f, args, special):
    """The arguments of a call."""
    t = TYPES[f]
    real = np.float32 if f in "sc" else np.float64
    made = []
    for a in args:
        if a in "NMKLV":
            made.append(np.array([r.randint(0, 3 if a in "LV" else WIDTH)], np.int64))
        elif a in "TUDS":
            made.append(np.frombuffer({"T": b"NTC", "U": b"UL", "D": b"UN", "S": b"LR"}[a], np.uint8)
                        [[r.randrange({"T": 3, "U": 2, "D": 2, "S": 2}[a])]].astype(np.int64))
        elif a in "ae":
            made.append(scalar(r, t))
        elif a == "c":
            made.append(scalar(r, real))
        elif a == "R":
            made.append(np.array([r.choice([-2, -1, 0, 1])] + [r.uniform(-2, 2) for _ in range(4)], t))
        elif a in "ij":
            made.append(np.array([r.choice([1, 1, 2, -1, -2, 0])], np.int64))
        elif a == "l":
            made.append(np.array([WIDTH + 1 + r.randint(0, 1)], np.int64))
        else:
            made.append(numbers(r, 100, t, special))
    return made


def spoil(r, args, made):
    """Makes an argument wrong."""
    i = r.choice([i for i, a in enumerate(args) if a in "NMKLVTUDSl" or a in "ij"])
    made[i][0] = {"l": 0, "i": 0, "j": 0}.get(args[i], -1 if args[i] in "NMKLV" else ord("X"))


class Recorder:
    def __init__(self, path):
        self.info = ctypes.c_int.in_dll(ctypes.CDLL(path), "recorded_place")
        self.name = (ctypes.c_char * 32).in_dll(ctypes.CDLL(path), "recorded_name")

    def take(self):
        found = (self.name.value.decode(), self.info.value)
        self.info.value, self.name.value = 0, b""
        return found


def call(library, symbol, result, made):
    """Calls a routine on copies of arguments. Returns them, and the result."""
    f = getattr(library, symbol)
    single = symbol[0] in "sc"
    kind = ctypes.c_float if single else ctypes.c_double
    f.restype = {"f": kind, "i": ctypes.c_int, "": None}.get(result)
    copies = [v.copy() for v in made]
    pointers = [ctypes.c_void_p(v.ctypes.data) for v in copies]
    if result == "z":  # two numbers in registers
        class pair(ctypes.Structure):
            _fields_ = [("re", kind), ("im", kind)]
        f.restype = pair
    value = f(*pointers, *[ctypes.c_size_t(1)] * 4)
    if result == "z":
        value = complex(value.re, value.im)
    return copies, value


def difference(got, want, tolerance):
    """An element that differs by more than rounding. Of a complex one that is
    not finite, the parts may be others."""
    for g, w in zip(got, want):
        for a, b in zip(np.ravel(g), np.ravel(w)):
            alike = a == b or (np.isnan(a) and np.isnan(b))
            if np.iscomplexobj(a):
                alike = not np.isfinite(a) and not np.isfinite(b)
            near = np.isfinite(a) and np.isfinite(b) and abs(a - b) <= tolerance * max(1, abs(b))
            if not alike and not near:
                return "%s, reference %s" % (a, b)
    return ""


def main():
    ours, reference, recorder = ctypes.CDLL(sys.argv[1]), ctypes.CDLL(sys.argv[2]), Recorder(sys.argv[3])
    seeds = int(sys.argv[4]) if len(sys.argv) > 4 else 30
    count = refused = 0
    for symbol, f, result, args in table():
        for seed in range(seeds):
            r = random.Random("%s %d" % (symbol, seed))
            made = arguments(r, f, args, (0, 0.03, 0)[seed % 3])
            if seed % 3 == 2:
                spoil(r, args, made)
            want, value = call(reference, symbol, result, made)
            stopped = recorder.take()
            refused += stopped[1] > 0
            got, own = call(ours, symbol, result, made)
            if recorder.take() != stopped:
                print("%s seed %d: another XERBLA than %s" % (symbol, seed, stopped))
            count += 1
            tolerance = 1e-3 if f in "sc" else 1e-9
            found = difference(got + [own or 0], want + [value or 0], tolerance)
            if found:
                print("%s seed %d: %s" % (symbol, seed, found))
    print("compared %d calls, %d of them wrong" % (count, refused))


np.seterr(all="ignore")
main()
