# Prints the hashes of results of scipy.linalg, one line for each function and
# format.
import hashlib
import warnings

import numpy as np
from scipy import linalg as L

warnings.simplefilter("ignore")
n = 90
rng = np.random.default_rng(7)
A0, B0, R0 = rng.standard_normal((n, n)), rng.standard_normal((n, 7)), rng.standard_normal((n, 40))


def digest(x):
    if isinstance(x, (tuple, list)):
        return hashlib.sha1("".join(map(digest, x)).encode()).hexdigest()[:8]
    x = np.ascontiguousarray(x)
    return hashlib.sha1(x.tobytes() + str(x.shape).encode()).hexdigest()[:8]


def banded(A):
    return np.array([np.r_[0, np.diag(A, 1)], np.diag(A) + 9, np.r_[np.diag(A, -1), 0]])


# Of a matrix A, symmetric and definite ones, right sides and a matrix R that is
# not square.
functions = {
    "pinv": lambda A, S, P, B, R: L.pinv(R),
    "pinvh": lambda A, S, P, B, R: L.pinvh(S),
    "eigh evr": lambda A, S, P, B, R: L.eigh(S),
    "eigh evd": lambda A, S, P, B, R: L.eigh(S, driver="evd"),
    "eigh evx": lambda A, S, P, B, R: L.eigh(S, driver="evx", subset_by_index=[0, 9]),
    "eigh ev": lambda A, S, P, B, R: L.eigh(S, driver="ev"),
    "eigh of two": lambda A, S, P, B, R: L.eigh(S, P),
    "eig": lambda A, S, P, B, R: L.eig(A),
    "eig of two": lambda A, S, P, B, R: L.eig(A, P),
    "eigh_tridiagonal": lambda A, S, P, B, R: L.eigh_tridiagonal(np.diag(S).real, np.diag(S, 1).real),
    "eig_banded": lambda A, S, P, B, R: L.eig_banded(banded(A)[:2]),
    "solve": lambda A, S, P, B, R: L.solve(A, B),
    "solve pos": lambda A, S, P, B, R: L.solve(P, B, assume_a="pos"),
    "solve her": lambda A, S, P, B, R: L.solve(S, B, assume_a="her"),
    "solve sym": lambda A, S, P, B, R: L.solve(A + A.T, B, assume_a="sym"),
    "solve_triangular": lambda A, S, P, B, R: L.solve_triangular(A + 20 * np.eye(n, dtype=A.dtype), B),
    "solve_banded": lambda A, S, P, B, R: L.solve_banded((1, 1), banded(A), B),
    "solveh_banded": lambda A, S, P, B, R: L.solveh_banded(banded(A)[:2].real.astype(A.real.dtype), B),
    "lu_solve": lambda A, S, P, B, R: L.lu_solve(L.lu_factor(A), B),
    "lu": lambda A, S, P, B, R: L.lu(A),
    "cho_solve": lambda A, S, P, B, R: L.cho_solve(L.cho_factor(P), B),
    "inv": lambda A, S, P, B, R: L.inv(A),
    "det": lambda A, S, P, B, R: L.det(A),
    "qr": lambda A, S, P, B, R: L.qr(R),
    "qr with pivots": lambda A, S, P, B, R: L.qr(R, pivoting=True),
    "rq": lambda A, S, P, B, R: L.rq(A),
    "svd": lambda A, S, P, B, R: L.svd(R),
    "svd gesvd": lambda A, S, P, B, R: L.svd(R, lapack_driver="gesvd"),
    "lstsq": lambda A, S, P, B, R: L.lstsq(R, B)[0],
    "lstsq gelsy": lambda A, S, P, B, R: L.lstsq(R, B, lapack_driver="gelsy")[0],
    "expm": lambda A, S, P, B, R: L.expm(A / 10),
    "logm": lambda A, S, P, B, R: L.logm(P[:30, :30]),
    "sqrtm": lambda A, S, P, B, R: L.sqrtm(A[:50, :50]),
    "schur": lambda A, S, P, B, R: L.schur(A),
    "hessenberg": lambda A, S, P, B, R: L.hessenberg(A, calc_q=True),
    "qz": lambda A, S, P, B, R: L.qz(A[:40, :40], S[:40, :40]),
    "ldl": lambda A, S, P, B, R: L.ldl(S),
    "polar": lambda A, S, P, B, R: L.polar(A),
    "solve_sylvester": lambda A, S, P, B, R: L.solve_sylvester(A, P, A),
    "cossin": lambda A, S, P, B, R: L.cossin(L.qr(A[:20, :20])[0], p=8, q=9),
    "matrix_balance": lambda A, S, P, B, R: L.matrix_balance(A),
}
for dtype in "fdFD":
    A, B, R = (x.astype(dtype) if dtype in "fd" else (x + 1j * np.roll(x, 1)).astype(dtype) for x in (A0, B0, R0))
    quarters = np.round(A * 4) / 4
    S, P = A + A.conj().T, quarters.conj().T @ quarters + n * np.eye(n, dtype=dtype)
    for name, f in functions.items():
        print(dtype, name, digest(f(A, S, P, B, R)))
