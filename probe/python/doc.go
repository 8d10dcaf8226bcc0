// Package python makes targets of Python's own sums, NumPy, PyTorch, JAX and
// other libraries ("py:numpy.sum"), and of any other callable, by its module or
// its file ("py:module:function", "py:/path/file.py:object.method").
//
//	s := probe.Spec{DType: fp.Binary32, N: 1000}
//	target, err := python.Open(ctx, "numpy.sum", s)
//
// docs/use/python.md has the addresses, and the arguments and results of a
// callable.
//
// A function runs in a Python interpreter that is started for a target and
// kept. Its program is part of this package, and nothing is written to disk. If
// LASTBIT_PYTHON is set, it is the only interpreter. Otherwise the package
// takes the first interpreter that has the module, and looks in an active
// virtual environment (VIRTUAL_ENV, CONDA_PREFIX), on PATH, in the system's
// folders, and in pyenv's. The key names the interpreter.
//
// Operands lie in memory as the Spec asks: aligned, strided, transposed, in
// column order. Values reach the function as the bits of its format. Where
// math.fsum raises an exception instead of returning a sum, the result is NaN.
//
// Norms, softmax and attention give one result a row, as docs/reference/wire.md
// defines it for each operation. Attention has one query of zeros, to values of
// 64 columns unless the Spec has another number of rows.
//
// Starting a target costs as long as the library takes to load, seconds for
// PyTorch. A call then costs about 10 µs more than the function itself.
package python
