// The aggregates: what C and Go share.

#ifndef LASTBIT_AGGREGATE_H
#define LASTBIT_AGGREGATE_H

#include "capi.h"
#include "sum.h"

// What an aggregate computes.
enum lb_kind {
	LB_SUM,
	LB_AVG,
	LB_DOT,
	LB_NORM,
	LB_DIGEST,
	LB_STATE,
	LB_MERGE,
	LB_VAR_SAMP,
	LB_VAR_POP,
	LB_STDDEV,
	LB_KINDS,
};

// lb_state is the state of an aggregate. Only variances have the second sum,
// of squares.
typedef struct {
	lb_sum sum, squares;
} lb_state;

void lb_get_vector(const lb_sum *s, int64_t *v);
void lb_put_vector(lb_sum *s, const int64_t *v);
void lb_put_null(handle result, idx_t row);
void lb_put_text(handle result, idx_t row, const void *text, idx_t length);

#endif
