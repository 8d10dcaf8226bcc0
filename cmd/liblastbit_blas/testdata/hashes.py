"""Prints a hash of the bits of each of NumPy's functions of linear algebra."""
import hashlib
import multiprocessing
import sys

import numpy as np


def digest(*arrays):
    h = hashlib.sha256()
    for a in arrays:
        h.update(np.ascontiguousarray(a).tobytes())
    return h.hexdigest()[:12]


def results(n=70):
    """The function's name, the format and the hash, one after another."""
    r = np.random.RandomState(1)
    for t in (np.float64, np.float32, np.complex128, np.complex64):
        a, b = r.standard_normal((n, n)), r.standard_normal((n, n))
        if np.dtype(t).kind == "c":
            a, b = a + 1j * b, b - 1j * a
        a, b = a.astype(t), b.astype(t)
        spd = np.einsum("ij,kj->ik", a, a.conj()) + 4 * n * np.eye(n, dtype=t)
        spd = ((spd + spd.conj().T) / 2).astype(t)
        x = a[0].copy()
        long = np.tile(x, 300)
        fortran = np.asfortranarray(a)
        for name, f in {
            "dot": lambda: np.dot(long, long[::-1]),
            "vdot": lambda: np.vdot(long, long[::-1]),
            "inner": lambda: np.inner(a, b),
            "A @ B": lambda: a @ b,
            "A.T @ B": lambda: a.T @ b,
            "A @ A.T": lambda: a @ a.T,
            "A @ x": lambda: a @ x,
            "x @ A": lambda: x @ a,
            "Fortran A @ x": lambda: fortran @ x,
            "Fortran A @ B": lambda: fortran @ b,
            "solve": lambda: np.linalg.solve(a, b),
            "inv": lambda: np.linalg.inv(a),
            "det": lambda: np.linalg.slogdet(a)[1],
            "cholesky": lambda: np.linalg.cholesky(spd),
            "qr": lambda: digest(*np.linalg.qr(a)),
            "lstsq": lambda: np.linalg.lstsq(a[:, :50], b, rcond=None)[0],
            "eigh": lambda: digest(*np.linalg.eigh(spd)),
            "eig": lambda: digest(*np.linalg.eig(a)),
            "svd": lambda: digest(*np.linalg.svd(a)),
        }.items():
            v = f()
            yield name, np.dtype(t).name, v if isinstance(v, str) else digest(v)


def lines(_=None):
    return ["%s %s %s" % (h, t, name) for name, t, h in results()]


if __name__ == "__main__":
    here = lines()
    print("\n".join(here))
    if "fork" in sys.argv:
        with multiprocessing.get_context("fork").Pool(2) as pool:
            for there in pool.map(lines, range(2)):
                for a, b in zip(here, there):
                    if a != b:
                        sys.exit("a forked process: %s, not %s" % (b, a))
