/* As in liblastbit_blas: signals and the arithmetic of the program stay its own
 * while the Go runtime starts, and a forked process is known. */
#include "../liblastbit_blas/process.c"
