/* The exported symbols: every routine under the names that programs use, with
 * integers of their width. variant.inc has the routines. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "lapack.h"
#include "xerbla.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O1") /* hundreds of short functions: a third of the time */
#endif

#define PASTE3_(a, b, c) a##b##c
#define PASTE3(a, b, c) PASTE3_(a, b, c)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

static char upper(const char *c) { return (char)toupper((unsigned char)*c); }

static int is_trans(char t) { return t == 'N' || t == 'T' || t == 'C'; }
static int is_uplo(char u) { return u == 'U' || u == 'L'; }
static int is_diag(char d) { return d == 'U' || d == 'N'; }
static int is_side(char s) { return s == 'L' || s == 'R'; }

static int64_t one(int64_t n) { return n > 1 ? n : 1; }

/* The least workspace of LAPACK 3.10's dgesdd, for each of its paths. */
static int64_t gesdd_workspace(char job, int64_t m, int64_t n) {
	int64_t larger = m > n ? m : n, smaller = m > n ? n : m;
	int64_t bidiagonal = job == 'N' ? 7 * smaller : (3 * smaller + 4) * smaller;
	int tall = larger >= smaller * 11 / 6;
	if (!tall) return 3 * smaller + (larger > bidiagonal ? larger : bidiagonal);
	if (job == 'N') return bidiagonal + smaller;
	if (job == 'S') return bidiagonal + (2 * smaller + 3) * smaller;
	int64_t a = 3 * smaller + bidiagonal, b = smaller + larger;
	return smaller * smaller + (a > b ? a : b);
}

static lb_call begin(enum lb_routine routine, char format) {
	lb_call c;
	memset(&c, 0, sizeof c);
	c.routine = routine;
	c.format = format;
	c.layout = 'C';
	c.incx = c.incy = 1;
	return c;
}

/* Adds a vector of n elements to a call. It returns the increment.
 *
 * NumPy divides a negative stride by an unsigned size: the increment it passes
 * as 64 bits is huge, and the address of element i, at + i·inc·size, wraps
 * around to the right one. With the negative increment the vector is the same
 * if it begins at the lowest address. */
static int64_t vector(lb_call *c, int slot, const void *at, int64_t n, int64_t inc, size_t size, int direction) {
	if (inc > INT64_MAX / 16) {
		inc = (int64_t)((uint64_t)inc * size) / (int64_t)size;
		if (inc < 0 && n > 0) at = (const char *)at + (n - 1) * inc * (int64_t)size;
	}
	int64_t step = inc < 0 ? -inc : inc;
	lb_array *a = &c->array[slot];
	a->at = (void *)at;
	a->count = n > 0 ? 1 + (n - 1) * step : 0;
	a->length = 1;
	a->step = step;
	a->size = (int32_t)size;
	a->direction = direction;
	return inc;
}

/* Adds a matrix to a call: runs of length elements, ld apart. */
static void matrix(lb_call *c, int slot, const void *at, int64_t runs, int64_t length, int64_t ld, size_t size,
	int direction) {
	lb_array *a = &c->array[slot];
	a->at = (void *)at;
	a->count = runs > 0 && length > 0 ? (runs - 1) * ld + length : 0;
	a->length = length;
	a->step = ld;
	a->size = (int32_t)size;
	a->direction = direction;
}

/* The letters of CBLAS's constants. */
static char layout_of(int order) { return order == 101 ? 'R' : order == 102 ? 'C' : '?'; }
static char trans_of(int t) { return t == 111 ? 'N' : t == 112 ? 'T' : t == 113 ? 'C' : '?'; }
static char uplo_of(int u) { return u == 121 ? 'U' : u == 122 ? 'L' : '?'; }

static enum lb_caller caller_of(int order) { return order == 101 ? LB_ROWS : LB_COLUMNS; }

/* Debian's libraries, and others that follow the reference: dgemm_, cblas_dgemm. */
#define INT int32_t
#define FORTRAN(letter, name) PASTE3(letter, name, _)
#define CBLAS(letter, name) PASTE3(cblas_, letter, name)
#include "variant.inc"
#undef INT
#undef FORTRAN
#undef CBLAS

/* SciPy's wheels: scipy_dgemm_, scipy_cblas_dgemm. */
#define INT int32_t
#define FORTRAN(letter, name) PASTE3(PASTE3(scipy_, letter, ), name, _)
#define CBLAS(letter, name) PASTE3(scipy_cblas_, letter, name)
#include "variant.inc"
#undef INT
#undef FORTRAN
#undef CBLAS

/* NumPy's wheels: scipy_dgemm_64_, scipy_cblas_dgemm64_. */
#define INT int64_t
#define FORTRAN(letter, name) PASTE3(PASTE3(scipy_, letter, ), name, _64_)
#define CBLAS(letter, name) PASTE3(PASTE3(scipy_cblas_, letter, ), name, 64_)
#include "variant.inc"
#undef INT
#undef FORTRAN
#undef CBLAS

/* Older wheels of NumPy, and Julia: dgemm_64_, cblas_dgemm64_. */
#define INT int64_t
#define FORTRAN(letter, name) PASTE3(letter, name, _64_)
#define CBLAS(letter, name) PASTE3(PASTE3(cblas_, letter, ), name, 64_)
#include "variant.inc"
