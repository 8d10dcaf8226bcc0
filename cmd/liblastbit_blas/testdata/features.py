"""Prints the variable that takes NumPy's vector instructions from it."""
try:
    from numpy._core import _multiarray_umath as umath
except ImportError:
    from numpy.core import _multiarray_umath as umath

features = [f for f in umath.__cpu_dispatch__ if umath.__cpu_features__.get(f)]
print("NPY_DISABLE_CPU_FEATURES=" + " ".join(features))
