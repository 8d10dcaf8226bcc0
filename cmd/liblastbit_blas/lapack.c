#define _GNU_SOURCE
#include "lapack.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"

static void *reference;
static const char *reference_path;
static char companion[256]; /* the reference BLAS beside it */
static void *in_reference(const char *name);

static pthread_once_t reference_once = PTHREAD_ONCE_INIT;

/* Where Debian, Fedora and others keep the reference LAPACK. The plain name may
 * be OpenBLAS's. */
static const char *const candidates[] = {
	"/usr/lib/x86_64-linux-gnu/lapack/liblapack.so.3",
	"/usr/lib/aarch64-linux-gnu/lapack/liblapack.so.3",
	"/usr/lib64/liblapack.so.3",
	"/usr/lib/liblapack.so.3",
	"liblapack.so.3",
};

/* Reports whether two symbols that a library offers are in one file. */
static int together(void *handle, const char *a, const char *b) {
	Dl_info first, second;
	void *at = dlsym(handle, a), *other = dlsym(handle, b);
	return at && other && dladdr(at, &first) && dladdr(other, &second) && first.dli_fbase == second.dli_fbase;
}

/* Opens the reference BLAS before a LAPACK that needs a libblas.so.3. What the
 * LAPACK does not find in this library is then the reference's, too, and no other
 * BLAS starts its threads. */
static void open_companion(const char *lapack) {
	const char *folder = strstr(lapack, "/lapack/");
	if (!folder) return;
	snprintf(companion, sizeof companion, "%.*s/blas/libblas.so.3", (int)(folder - lapack), lapack);
	dlopen(companion, RTLD_LAZY | RTLD_LOCAL);
}

int lb_is_reference(const char *path) {
	if (!lb_reference()) return 0;
	return !strcmp(path, reference_path) || (*companion && !strcmp(path, companion));
}

int lb_has_reference(const char *name) { return in_reference(name) != NULL; }

/* Opens the first library that is a reference LAPACK: it has a factorization of
 * its own, and no matrix product. */
static void find_reference(void) {
	const char *named = getenv("LASTBIT_LAPACK");
	size_t count = sizeof candidates / sizeof *candidates;
	for (size_t i = 0; i <= count; i++) {
		const char *path = i ? candidates[i - 1] : named;
		if (!path || !*path || (strchr(path, '/') && access(path, R_OK))) continue;
		open_companion(path);
		void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
		if (!handle) continue;
		Dl_info at;
		void *routine = dlsym(handle, "dgelsd_");
		if (routine && dladdr(routine, &at) && together(handle, "dgelsd_", "dgetrf_") &&
			!together(handle, "dgelsd_", "dgemm_")) {
			reference = handle;
			reference_path = strdup(at.dli_fname);
			return;
		}
		dlclose(handle);
	}
}

const char *lb_reference(void) {
	pthread_once(&reference_once, find_reference);
	return reference_path;
}

typedef struct {
	const char *symbol;
	void *found;
} search;

/* Looks for a symbol in a loaded library other than this. */
static int look(struct dl_phdr_info *info, size_t size, void *data) {
	(void)size;
	search *s = data;
	Dl_info own, at;
	if (!info->dlpi_name || !*info->dlpi_name) return 0;
	void *handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
	if (!handle) return 0;
	void *found = dlsym(handle, s->symbol);
	dlclose(handle);
	if (!found || !dladdr(found, &at) || !dladdr((void *)look, &own) || at.dli_fbase == own.dli_fbase) return 0;
	s->found = found;
	return 1;
}

void *lb_find(const char *symbol) {
	search s = {symbol, NULL};
	dl_iterate_phdr(look, &s);
	return s.found;
}

typedef void routine();

/* Calls a routine of Fortran. */
static void apply(void *f, void **a, size_t n) {
	routine *call = (routine *)f;
	switch (n) {
	case 13:
		call(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12]);
		break;
	case 14:
		call(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13]);
		break;
	case 15:
		call(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14]);
		break;
	}
}

enum { MAX_ARGUMENTS = 15 };

/* Calls the reference with integers of its own width. */
static void narrow(void *f, void **a, const char *signature) {
	void *passed[MAX_ARGUMENTS];
	int32_t integers[MAX_ARGUMENTS];
	size_t n = strlen(signature);
	for (size_t i = 0; i < n; i++) {
		passed[i] = a[i];
		if (signature[i] == 'i') integers[i] = (int32_t) * (int64_t *)a[i];
		if (signature[i] == '<') integers[i] = 0;
		if (signature[i] == 'i' || signature[i] == '<') passed[i] = &integers[i];
	}
	apply(f, passed, n);
	int question = 0; /* for the length of a workspace */
	for (size_t i = 0; i < n; i++) {
		if (signature[i] == '<') *(int64_t *)a[i] = integers[i];
		if (signature[i] == 'i' && integers[i] == -1) question = 1;
	}
	for (size_t i = 0; i < n && question; i++) {
		int32_t length;
		if (signature[i] != 'l') continue;
		memcpy(&length, a[i], sizeof length);
		*(int64_t *)a[i] = length;
	}
}

/* A routine that the program called, and that is not ours. */
typedef struct forwarded {
	const char *name;
	int in_reference;
	struct forwarded *next;
} forwarded;

static forwarded *first_forwarded;

/* Reports a routine, once. */
static void note(const char *name, int in_reference) {
	forwarded *first = __atomic_load_n(&first_forwarded, __ATOMIC_ACQUIRE);
	for (forwarded *f = first; f; f = f->next)
		if (!strcmp(f->name, name)) return;
	forwarded *f = malloc(sizeof *f);
	if (!f) return;
	*f = (forwarded){name, in_reference, first};
	while (!__atomic_compare_exchange_n(&first_forwarded, &f->next, f, 0, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {}
	lb_report_called(name, in_reference);
}

int lb_has_forwarded(void) { return __atomic_load_n(&first_forwarded, __ATOMIC_ACQUIRE) != NULL; }

/* The address of a routine in the reference LAPACK, or in the BLAS that it came
 * with, or NULL. */
static void *in_reference(const char *name) {
	return lb_reference() ? dlsym(reference, name) : NULL;
}

/* The address of the routine that the program would have called. */
static void *find_theirs(const char *symbol) {
	void *theirs = lb_find(symbol);
	if (theirs) return theirs;
	lb_complain("%s: no reference LAPACK here, and no library has it: install liblapack3", symbol);
	abort();
}

void lb_forward(const char *name, const char *symbol, size_t integer, const char *signature, ...) {
	void *arguments[MAX_ARGUMENTS];
	size_t n = strlen(signature);
	va_list list;
	va_start(list, signature);
	for (size_t i = 0; i < n; i++) arguments[i] = va_arg(list, void *);
	va_end(list);

	void *ours = in_reference(name);
	note(name, ours != NULL);
	if (ours && integer == sizeof(int32_t)) {
		apply(ours, arguments, n);
		return;
	}
	if (ours) {
		narrow(ours, arguments, signature);
		return;
	}
	apply(find_theirs(symbol), arguments, n);
}

void *lb_resolve(const char *name, void **slot) {
	char symbol[64];
	snprintf(symbol, sizeof symbol, "scipy_%s", name);
	void *found = in_reference(name);
	note(name, found != NULL);
	lb_count_call();
	if (!found) found = find_theirs(symbol);
	__atomic_store_n(slot, found, __ATOMIC_RELEASE);
	return found;
}
