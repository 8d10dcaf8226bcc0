// Package python makes targets of what can be reached from Python: its own
// sums, NumPy, PyTorch and JAX, as "py:numpy.sum".
//
//	s := probe.Spec{DType: fp.Binary32, N: 1000}
//	target, err := python.Open(ctx, "numpy.sum", s)
//
// A function runs in a Python interpreter that is started for a target and
// kept. Its program is part of this package, and nothing is written to disk. Of
// several interpreters the first that has the module is taken: that of
// LASTBIT_PYTHON alone if it is set, else that of an active virtual environment
// (VIRTUAL_ENV, CONDA_PREFIX), those on PATH, those of the system, those of
// pyenv. The key names the interpreter that was taken.
//
// Operands lie in memory as the Spec asks: aligned, strided, transposed, in
// column order. Values reach the function as the bits of its format. Where
// math.fsum raises an exception instead of returning a sum, the result is NaN.
//
// Starting a target costs as long as the library takes to load, seconds for
// PyTorch. A call then costs about 10 µs more than the function itself.
package python
