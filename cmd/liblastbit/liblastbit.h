/* Exact sums, correctly rounded functions, matrix products and operations on
 * rows, of arrays. Every function returns a status. */
#ifndef LIBLASTBIT_H
#define LIBLASTBIT_H

#include <stdint.h>

enum lastbit_status {
	LASTBIT_OK,
	LASTBIT_FORKED,   /* this process was forked: load another copy of the library */
	LASTBIT_OVERFLOW, /* an integer result does not fit its format */
	LASTBIT_UNKNOWN,  /* no such function, operation or format */
	LASTBIT_STATE,    /* the bytes are not a state */
	LASTBIT_FAILED    /* out of memory, or a bug: a message is on stderr */
};

enum lastbit_format {
	LASTBIT_FLOAT64 = 1, LASTBIT_FLOAT32, LASTBIT_FLOAT16, LASTBIT_BFLOAT16,
	LASTBIT_INT8, LASTBIT_INT16, LASTBIT_INT32, LASTBIT_INT64,
	LASTBIT_UINT8, LASTBIT_UINT16, LASTBIT_UINT32, LASTBIT_UINT64, LASTBIT_BOOL
};

enum lastbit_operation {
	LASTBIT_SUM = 1, LASTBIT_DOT, LASTBIT_MEAN, LASTBIT_VAR, LASTBIT_STD, LASTBIT_NORM
};

enum lastbit_row_operation {
	LASTBIT_ROW_SUM = 1, LASTBIT_ROW_DOT, LASTBIT_ROW_SQUARES, LASTBIT_ROW_MEAN,
	LASTBIT_SOFTMAX, LASTBIT_SAFE_SOFTMAX, LASTBIT_LOG_SOFTMAX,
	LASTBIT_SOFTMAX_SLOPE, LASTBIT_LOG_SOFTMAX_SLOPE,
	LASTBIT_LAYER_NORM, LASTBIT_LAYER_NORM_SLOPE
};

/* The integers of a state of an accumulator: see exact.Accumulator.AppendLimbs.
 * All 0 is the empty sum. */
enum { LASTBIT_LIMBS = 139, LASTBIT_MAX_STATE = 1024 };

/* Element (i, j ...) is at at + i*strides[0] + j*strides[1] + ..., in bytes. */
typedef struct {
	void *at;
	int32_t format;
	int32_t dimensions;
	const int64_t *shape;
	const int64_t *strides;
} lastbit_array;

/* Reduces the last inner dimensions of x, and of y for LASTBIT_DOT, which has
 * the shape and the format of x. The results are stored in the order of C. The
 * format of a result is a floating-point format, or LASTBIT_INT64 or
 * LASTBIT_UINT64 for sums and products of integers. */
int lastbit_reduce(int32_t operation, const lastbit_array *x, const lastbit_array *y,
	int32_t inner, int64_t ddof, int32_t result, void *out);

/* Stores a function of x, or of x and y, in out. All have one shape. */
int lastbit_map(const char *function, const lastbit_array *x, const lastbit_array *y,
	const lastbit_array *out);

/* Stores a function of x, or of x and y, in out: n elements of one format, each
 * in one piece. For float64 and float32 there are sigmoid, silu, gelu and
 * gelu_tanh too, and the products of x and their slopes at y: silu_backward,
 * gelu_backward and gelu_tanh_backward. */
int lastbit_flat(const char *function, int32_t format, int64_t n, const void *x, const void *y,
	void *out);

/* A batch of matrix products of float64 or float32: c, m x n each, in the order
 * of C, becomes a times b. Element (i, j) of number p is p*batch + i*row + j*col
 * elements behind at. An element of c is a chain of k fused multiply-adds, in
 * their order, from +0 on. */
typedef struct {
	const void *at;
	int64_t batch, row, col;
} lastbit_matrices;

typedef struct {
	int64_t format, batch, m, n, k;
	lastbit_matrices a, b;
	void *c;
} lastbit_products;

int lastbit_multiply(const lastbit_products *p);

/* An operation on rows of n elements of float64 or float32, each in one piece
 * behind the row before it. A sum stores one number for a row, other operations
 * a row. y is the second argument; weight and bias have n elements, or are null;
 * means and scale have one number for each row, which LASTBIT_LAYER_NORM stores
 * and LASTBIT_LAYER_NORM_SLOPE reads. */
typedef struct {
	int64_t operation, format, rows, n;
	const void *x, *y, *weight, *bias;
	void *out, *means, *scale;
	double epsilon;
} lastbit_rows;

int lastbit_each_row(const lastbit_rows *r);

/* Attention of batch times heads matrices: softmax((q*scale) (k*scale)^T + mask)
 * v. Element (i, j) of head h of number p is p*batch + h*head + i*row + j*col
 * elements behind at. group heads share keys and values. The mask has the format
 * of the others, or is null; out's col is 1. logs gets the logarithm of the sum
 * of exponentials of each row of scores. */
typedef struct {
	const void *at;
	int64_t batch, head, row, col;
} lastbit_heads;

typedef struct {
	int64_t format, batch, heads, group, length, keys, width, value_width, is_causal;
	lastbit_heads q, k, v, mask, out;
	void *logs;
	double q_scale, k_scale;
} lastbit_attention;

int lastbit_attend(const lastbit_attention *a);

/* Makes limbs the sum of the elements of x, or of their products with y's. */
int lastbit_accumulate(const lastbit_array *x, const lastbit_array *y, int64_t *limbs);

/* Adds the summands of limbs b to a, or removes them. */
int lastbit_merge(int64_t *a, const int64_t *b, int32_t removes);

/* Stores the sum, rounded once to a format, in 8 bytes. */
int lastbit_value(const int64_t *limbs, int32_t format, uint64_t *bits);

/* Stores the canonical bytes of a state: at most LASTBIT_MAX_STATE. */
int lastbit_state(const int64_t *limbs, uint8_t *bytes, int64_t *length);

/* Reads them. */
int lastbit_from_state(const uint8_t *bytes, int64_t length, int64_t *limbs);

#endif
