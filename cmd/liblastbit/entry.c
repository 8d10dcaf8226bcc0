/* The functions of liblastbit.h: none enters Go in a forked process, where the
 * threads of its runtime are gone, and Go computes in the default floating-point
 * environment. */
#include <fenv.h>

#include "liblastbit.h"

extern int lb_is_forked(void);

extern int goReduce(int32_t, lastbit_array *, lastbit_array *, int32_t, int64_t, int32_t, void *);
extern int goMap(char *, lastbit_array *, lastbit_array *, lastbit_array *);
extern int goFlat(char *, int32_t, int64_t, void *, void *, void *);
extern int goMultiply(lastbit_products *);
extern int goEachRow(lastbit_rows *);
extern int goAttend(lastbit_attention *);
extern int goAccumulate(lastbit_array *, lastbit_array *, int64_t *);
extern int goMerge(int64_t *, int64_t *, int32_t);
extern int goValue(int64_t *, int32_t, uint64_t *);
extern int goState(int64_t *, uint8_t *, int64_t *);
extern int goFromState(uint8_t *, int64_t, int64_t *);

#define IN_GO(call) \
	fenv_t own; \
	if (lb_is_forked()) return LASTBIT_FORKED; \
	fegetenv(&own); \
	fesetenv(FE_DFL_ENV); \
	int status = call; \
	fesetenv(&own); \
	return status

int lastbit_reduce(int32_t operation, const lastbit_array *x, const lastbit_array *y,
	int32_t inner, int64_t ddof, int32_t result, void *out) {
	IN_GO(goReduce(operation, (lastbit_array *)x, (lastbit_array *)y, inner, ddof, result, out));
}

int lastbit_map(const char *function, const lastbit_array *x, const lastbit_array *y,
	const lastbit_array *out) {
	IN_GO(goMap((char *)function, (lastbit_array *)x, (lastbit_array *)y, (lastbit_array *)out));
}

int lastbit_flat(const char *function, int32_t format, int64_t n, const void *x, const void *y,
	void *out) {
	IN_GO(goFlat((char *)function, format, n, (void *)x, (void *)y, out));
}

int lastbit_multiply(const lastbit_products *p) { IN_GO(goMultiply((lastbit_products *)p)); }

int lastbit_each_row(const lastbit_rows *r) { IN_GO(goEachRow((lastbit_rows *)r)); }

int lastbit_attend(const lastbit_attention *a) { IN_GO(goAttend((lastbit_attention *)a)); }

int lastbit_accumulate(const lastbit_array *x, const lastbit_array *y, int64_t *limbs) {
	IN_GO(goAccumulate((lastbit_array *)x, (lastbit_array *)y, limbs));
}

int lastbit_merge(int64_t *a, const int64_t *b, int32_t removes) {
	IN_GO(goMerge(a, (int64_t *)b, removes));
}

int lastbit_value(const int64_t *limbs, int32_t format, uint64_t *bits) {
	IN_GO(goValue((int64_t *)limbs, format, bits));
}

int lastbit_state(const int64_t *limbs, uint8_t *bytes, int64_t *length) {
	IN_GO(goState((int64_t *)limbs, bytes, length));
}

int lastbit_from_state(const uint8_t *bytes, int64_t length, int64_t *limbs) {
	IN_GO(goFromState((uint8_t *)bytes, length, limbs));
}
