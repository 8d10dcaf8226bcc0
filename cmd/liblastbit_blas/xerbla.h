/* Wrong arguments, as the reference BLAS treats them. */
#ifndef LASTBIT_XERBLA_H
#define LASTBIT_XERBLA_H

#include <stddef.h>

/* The callers of a routine: those of CBLAS have matrices by columns or by rows. */
enum lb_caller { LB_FORTRAN, LB_COLUMNS, LB_ROWS };

/* Returns the place of the first condition that holds, counted from 1, or 0. */
int lb_first(int n, const int *wrong);

/* Reports that an argument of a routine is wrong, to the XERBLA that the program
 * would have called as symbol: its own, or that of its BLAS. Without one, the
 * message is the reference's, and the program stops. format is the routine's
 * first letter. */
void lb_xerbla(const char *symbol, char format, const char *name, int place);

/* The XERBLA of libraries that follow the reference. Of a routine that was
 * forwarded to the reference LAPACK it only reports: those of SciPy's wheels go
 * on, and the reference's own stops the program. */
void xerbla_(const char *name, const void *place, size_t length);

/* The same as lb_xerbla for a routine that CBLAS calls, for matrices by columns or by rows. */
void lb_cblas_xerbla(const char *symbol, char format, const char *name, int place, int rows);

/* The same for a constant of CBLAS. */
void lb_constant(const char *symbol, const char *name, int place, const char *what, int value);

#endif
