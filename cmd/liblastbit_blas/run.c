#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "call.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

extern void lastbitCall(lb_call *c);

/* A page that the kernel clears in a forked process, or NULL: then ids are
 * compared. */
static volatile int *unforked;
static pid_t process;

/* The signals of the program, while the Go runtime starts. Its threads inherit
 * that all signals are blocked, except those that Go needs. So signals reach the
 * program's own threads, as without this library: a shell drops one that reaches
 * another thread while it waits in vfork, and a system call of the program has
 * to be interrupted. */
static sigset_t blocked_before;

/* The program's rounding mode and the like, which a library that was loaded
 * before may have set. Go's threads inherit the default. */
static fenv_t arithmetic_before;

/* Before the constructor of the Go runtime. */
__attribute__((constructor(101))) static void begin_go(void) {
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &blocked_before);
	fegetenv(&arithmetic_before);
	fesetenv(FE_DFL_ENV);
}

/* After it: the linker puts it before those of this package's C files. */
__attribute__((constructor)) static void remember_process(void) {
	fesetenv(&arithmetic_before);
	pthread_sigmask(SIG_SETMASK, &blocked_before, NULL);
	process = getpid();
	long page = sysconf(_SC_PAGESIZE);
	void *at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED) return;
	if (madvise(at, page, MADV_WIPEONFORK)) {
		munmap(at, page);
		return;
	}
	unforked = at;
	*unforked = 1;
}

int lb_is_forked(void) { return unforked ? !*unforked : getpid() != process; }

static int64_t calls;

int64_t lb_calls(void) { return calls; }

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
	if (__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) == 0) lb_report_at_exit();
	fegetenv(&own);
	fesetenv(FE_DFL_ENV);
	compute(c);
	int raised = fetestexcept(WARNINGS);
	if (raised) feclearexcept(raised & ~explained_by(c));
	feupdateenv(&own);
}

void lb_complain(const char *format, ...) {
	char text[512];
	va_list list;
	va_start(list, format);
	int n = snprintf(text, sizeof text, "liblastbit_blas: ");
	n += vsnprintf(text + n, sizeof text - n - 1, format, list);
	va_end(list);
	if (n > (int)sizeof text - 2) n = sizeof text - 2;
	text[n] = '\n';
	if (write(STDERR_FILENO, text, n + 1) < 0) return;
}
