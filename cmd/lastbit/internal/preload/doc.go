// Package preload runs a program with liblastbit_blas in place of the BLAS and
// LAPACK that it was linked to.
//
// The dynamic loader's LD_PRELOAD puts the library before all others, so that
// every call through the symbol table reaches it. Calls inside one library do
// not: those that NumPy's own OpenBLAS makes to itself keep its bits. At the
// end of the program the library lists the symbols that the program's libraries
// import: see [Report].
package preload
