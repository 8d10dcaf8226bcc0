/* LAPACK's routines that are not ours. */
#ifndef LASTBIT_LAPACK_H
#define LASTBIT_LAPACK_H

#include <stddef.h>

/* Calls the reference LAPACK's routine name, or, where no reference LAPACK is
 * on the machine, the one that the program would have called as symbol.
 *
 * The arguments are pointers; signature has a letter for each: '.' an argument
 * that is passed on, 'i' an integer that is read, '<' one that is written, and
 * 'l' a workspace of integers whose first is a length where its length is asked
 * for. integer is the size of the program's integers; the reference has those
 * of int32_t. */
void lb_forward(const char *name, const char *symbol, size_t integer, const char *signature, ...);

/* Finds the routine that forward.S jumps to for a name of Fortran's: the
 * reference's, or the one that the program would have called under the name of
 * SciPy's wheels. It stores the address in slot, and returns it. */
void *lb_resolve(const char *name, void **slot);

/* Adds a routine that the program called and that is not ours to the report, and
 * whether the reference's was called. */
void lb_report_called(const char *name, int in_reference);

/* Reports whether the program called such a routine. */
int lb_has_forwarded(void);

/* Reports whether the reference has a routine. */
int lb_has_reference(const char *name);

/* The address of a symbol in the first loaded library, except this, that has
 * it, or NULL. */
void *lb_find(const char *symbol);

/* The file of the reference LAPACK, or NULL. */
const char *lb_reference(void);

/* Reports whether a file is the reference LAPACK, or the BLAS that it came with. */
int lb_is_reference(const char *path);

#endif
