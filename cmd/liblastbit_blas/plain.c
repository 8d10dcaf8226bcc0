/* The routines that NumPy calls most, in plain C, by the trees of package blas:
 * for processes that were forked, where the Go runtime does not work. A matrix
 * by columns is its transpose by rows, as in blas/cblas. */
/* Products are rounded before they are added. gcc keeps to that by -std=c11. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"

/* A matrix: element (i, j) is number i·row + j·col. */
typedef struct {
	const void *at;
	int64_t row, col;
	int conj;
} view;

/* The product of two matrices in the terms of rows: see blas/cblas. */
typedef struct {
	view a, b;
	int64_t m, n, k;
	int upper, lower; /* the elements of C that are computed */
} product;

static int is(char c, char letter) { return c == letter; }

static int64_t first(int64_t n, int64_t inc) { return inc < 0 ? (1 - n) * inc : 0; }

static view factor(const void *at, int64_t ld, char trans) {
	view v = {at, ld, 1, is(trans, 'C')};
	if (!is(trans, 'N')) {
		v.row = 1;
		v.col = ld;
	}
	return v;
}

static view transposed(view v) {
	int64_t row = v.row;
	v.row = v.col;
	v.col = row;
	return v;
}

static product product_of(const lb_call *c) {
	product p = {.m = c->m, .n = c->n, .k = c->k, .upper = 1, .lower = 1};
	p.a = factor(c->array[LB_A].at, c->lda, c->trans_a);
	p.b = factor(c->array[LB_B].at, c->ldb, c->trans_b);
	if (c->layout == 'C') {
		product t = p;
		p.a = factor(c->array[LB_B].at, c->ldb, c->trans_b);
		p.b = factor(c->array[LB_A].at, c->lda, c->trans_a);
		p.m = t.n;
		p.n = t.m;
	}
	return p;
}

/* A·Aᵀ, or Aᵀ·A, in one triangle. */
static product square_of(const lb_call *c) {
	product p = {.m = c->n, .n = c->n, .k = c->k};
	int rows = c->layout == 'R';
	p.upper = is(c->uplo, 'U') == rows;
	p.lower = !p.upper;
	p.a = factor(c->array[LB_A].at, c->lda, is(c->trans_a, 'N') == rows ? 'N' : 'T');
	p.b = transposed(p.a);
	return p;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

#define REAL double
#define FMA fma
#define NAME(n) n##_d
#define LANES 8
#define SUM_LANES 64
#include "plain.inc"
#undef REAL
#undef FMA
#undef NAME
#undef LANES
#undef SUM_LANES

#define REAL float
#define FMA fmaf
#define NAME(n) n##_s
#define LANES 16
#define SUM_LANES 128
#include "plain.inc"
#undef REAL
#undef FMA
#undef NAME
#undef LANES
#undef SUM_LANES

int lb_plain(lb_call *c) {
	switch (c->format) {
	case 'd':
		return run_d(c);
	case 's':
		return run_s(c);
	case 'z':
		return run_complex_d(c);
	case 'c':
		return run_complex_s(c);
	}
	return 0;
}
