package cli

// variable is an environment variable that the command reads.
type variable struct{ name, use string }

// environment lists the environment variables that the command reads, for help
// and manual pages.
var environment = []variable{
	{"LASTBIT_PYTHON", "the Python interpreter to use, and no other, for py: and libm"},
	{"LASTBIT_MPI_LIBRARY", "the MPI library to load, for mpi: and sum --mpi"},
	{"VIRTUAL_ENV", "the virtual environment whose Python is tried first"},
	{"CONDA_PREFIX", "the Conda environment whose Python and libraries are tried next"},
	{"PYENV_ROOT", "the folder of pyenv, whose Pythons are tried last"},
	{"PATH", "where python3, mpirun and the programs of exec: are"},
	{"LASTBIT_BLAS", "the library of run, where it is not beside lastbit"},
	{"LD_PRELOAD", "libraries that run keeps behind its own"},
	{"OPENBLAS_CORETYPE", "the kernels of OpenBLAS for bench blas, which tries all without it"},
	{"LASTBIT_CORE_MATH", "the sources of CORE-MATH, for bench math to compare with"},
	{"LD_LIBRARY_PATH", "where a BLAS is looked for first"},
	{"DYLD_LIBRARY_PATH", "the same, on macOS"},
	{"NO_COLOR", "unless it is empty, no colours (see --color)"},
	{"TERM", "dumb means no colours and no progress"},
}
