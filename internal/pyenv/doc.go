// Package pyenv keeps, for tests, a Python with current releases of the
// libraries that lastbit reveals.
//
//	python := pyenv.Python(t)
//	target, err := (&python.Driver{Python: python}).Open(ctx, "torch.sum", spec)
//
// The environment is a virtual one, made by "python3 -m venv" and pip from
// requirements.txt, in the user's folder for caches:
// lastbit/python-HASH, where HASH are the first 12 digits of the SHA-256 of
// requirements.txt. Other requirements are another environment; none is ever
// changed. "make deps" makes it, and a test that finds none ends by
// require.Missing.
package pyenv
