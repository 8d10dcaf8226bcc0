# Calls dgetrs of SciPy's wheel with a negative order, and prints its info.
import ctypes

import scipy.linalg

info, order, one = ctypes.c_int(0), ctypes.c_int(-3), ctypes.c_int(1)
pivots, numbers = (ctypes.c_int * 3)(), (ctypes.c_double * 9)()
at = ctypes.byref
dgetrs = ctypes.CDLL(None).scipy_dgetrs_
dgetrs(b"N", at(order), at(one), numbers, at(one), pivots, numbers, at(one), at(info))
print(info.value)
