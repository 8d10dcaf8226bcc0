/* Calls routines in each rounding mode, and where subnormal numbers are flushed:
 * every result has the bits of the first, and the mode stays. With an argument
 * the process is forked. */
#include <fenv.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

extern double cblas_ddot(int, const double *, int, const double *, int);
extern void cblas_daxpy(int, double, const double *, int, double *, int);
extern void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double,
	double *, int);

enum { N = 120 };
static double a[N * N], b[N * N];

typedef struct {
	double product[N * N], sum[N], dot;
} results;

static results all[5];

static void compute(results *r) {
	memcpy(r->sum, b, sizeof r->sum);
	cblas_dgemm(101, 111, 111, N, N, N, 1, a, N, b, N, 0, r->product, N);
	cblas_daxpy(N, 0.1, a, 1, r->sum, 1);
	r->dot = cblas_ddot(N * N, a, 1, b, 1);
}

static void compare(const char *name, const results *r) {
	if (memcmp(r, all, sizeof *r)) printf("%s changes results\n", name);
}

static int test(void) {
	for (int i = 0; i < N * N; i++) {
		a[i] = (i * 7 % 1009 + 0.1) * 0x1p-530;
		b[i] = (i * 11 % 1013 - 0.3) * (i % 3 ? 0x1p-480 : 0x1p-540);
	}
	const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	for (int m = 0; m < 4; m++) {
		fesetround(modes[m]);
		compute(&all[m]);
		if (fegetround() != modes[m]) printf("mode %d is not restored\n", m);
		fesetround(FE_TONEAREST);
		compare("a rounding mode", &all[m]);
	}
#ifdef __SSE__
	_mm_setcsr(_mm_getcsr() | 0x8040);
	compute(&all[4]);
	if ((_mm_getcsr() & 0x8040) != 0x8040) printf("flushing is not restored\n");
	_mm_setcsr(_mm_getcsr() & ~0x8040);
	compare("flushing", &all[4]);
#endif
	printf("fine\n");
	return fflush(stdout);
}

int main(int argc, char **argv) {
	if (argc > 1) {
		compute(&all[0]);
		if (fork() > 0) return wait(NULL) < 0;
	}
	return test();
}
