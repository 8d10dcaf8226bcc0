#include <fenv.h>
#include <math.h>

#include "call.h"

extern void lastbitCall(lb_call *c);

static void compute(lb_call *c) {
	if (!lb_is_forked()) {
		lastbitCall(c);
	} else if (!lb_plain(c)) {
		lb_remote(c);
	}
}

/* The exceptions that a program may warn of. */
enum { WARNINGS = FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO };

/* The exceptions that a result accounts for: none if it is finite. */
static int explained(double v) {
	return isnan(v) ? FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO : isinf(v) ? FE_OVERFLOW | FE_DIVBYZERO : 0;
}

/* The places of run number r of an array that a routine may have written: one
 * triangle of a symmetric result. */
static void written(const lb_call *c, int slot, int64_t r, int64_t *from, int64_t *to) {
	*from = 0;
	*to = c->array[slot].length;
	int triangle = (c->routine >= LB_SYRK && c->routine <= LB_HER2K) || (c->routine >= LB_SYR && c->routine <= LB_SPR2);
	if (!triangle || *to == 1) return;
	if ((c->uplo == 'U') == (c->layout == 'C')) {
		*to = r + 1 < *to ? r + 1 : *to;
	} else {
		*from = r;
	}
}

/* The exceptions that an array of results accounts for. */
static int explained_by_array(const lb_call *c, int slot, int parts, int single) {
	const lb_array *a = &c->array[slot];
	int found = 0;
	for (int64_t r = 0, at = 0; at < a->count && a->step > 0; r++, at += a->step) {
		int64_t from, to;
		written(c, slot, r, &from, &to);
		for (int64_t k = (at + from) * parts; k < (at + to) * parts; k++)
			found |= explained(single ? ((const float *)a->at)[k] : ((const double *)a->at)[k]);
	}
	return found;
}

/* The exceptions that the results of a call account for. */
static int explained_by(const lb_call *c) {
	int found = explained(c->result[0]) | explained(c->result[1]);
	int single = c->format == 's' || c->format == 'c';
	int parts = c->format == 'c' || c->format == 'z' ? 2 : 1;
	int size = parts * (single ? sizeof(float) : sizeof(double));
	for (int i = 0; i < LB_SLOTS; i++)
		if (c->array[i].direction & LB_OUT && c->array[i].size == size)
			found |= explained_by_array(c, i, parts, single);
	return found;
}

/* A program may round in another direction, flush subnormal numbers or trap:
 * none of that reaches a result.
 *
 * Kernels compute on more elements than a routine has, so they raise exceptions
 * of no meaning. One that no result accounts for is withdrawn. */
void lb_run(lb_call *c) {
	fenv_t own;
	lb_count_call();
	fegetenv(&own);
	fesetenv(FE_DFL_ENV);
	compute(c);
	int raised = fetestexcept(WARNINGS);
	if (raised) feclearexcept(raised & ~explained_by(c));
	feupdateenv(&own);
}
