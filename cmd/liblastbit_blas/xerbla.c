#define _GNU_SOURCE
#include "xerbla.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lapack.h"

int lb_first(int n, const int *wrong) {
	for (int i = 0; i < n; i++)
		if (wrong[i]) return i + 1;
	return 0;
}

/* The length is Fortran's hidden argument. */
typedef void fortran_handler(const char *name, const void *place, size_t length);

static void *handler(const char *symbol) {
	void *found = dlsym(RTLD_DEFAULT, symbol);
	if (found == (void *)xerbla_) found = dlsym(RTLD_NEXT, symbol);
	return found ? found : lb_find(symbol);
}

/* Reports whether the reference LAPACK, or its BLAS, has some code. */
static int in_reference(const void *code) {
	Dl_info at;
	return dladdr(code, &at) && at.dli_fname && lb_is_reference(at.dli_fname);
}

void xerbla_(const char *name, const void *place, size_t length) {
	fortran_handler *report = (fortran_handler *)handler("xerbla_");
	if (report && !(lb_has_forwarded() && in_reference(__builtin_return_address(0)))) {
		report(name, place, length);
		return;
	}
	while (length && name[length - 1] == ' ') length--;
	fprintf(stderr, " ** On entry to %.*s parameter number %2d had an illegal value\n", (int)length, name,
		*(const int32_t *)place);
}

typedef void c_handler(int64_t place, const char *name, const char *form, ...);

void lb_xerbla(const char *symbol, char format, const char *name, int place) {
	char text[8];
	int length = snprintf(text, sizeof text, "%c%-5s", toupper((unsigned char)format), name);
	fortran_handler *report = (fortran_handler *)handler(symbol);
	const int64_t wide = place;
	const int32_t narrow = place;
	if (report) {
		report(text, strstr(symbol, "64_") ? (const void *)&wide : &narrow, length);
		return;
	}
	while (text[length - 1] == ' ') length--;
	fprintf(stderr, " ** On entry to %.*s parameter number %2d had an illegal value\n", length, text, place);
	exit(1);
}

/* The place in CBLAS's routine of an argument of Fortran's, which has no layout
 * and, for matrices by rows, the factors and the dimensions in the other order. */
static int place_in_c(const char *name, int place, int rows) {
	static const struct {
		const char *name;
		int place, other;
	} swapped[] = {{"GEMV", 3, 4}, {"GEMM", 4, 5}, {"GEMM", 9, 11}};
	place++;
	for (size_t i = 0; rows && i < sizeof swapped / sizeof *swapped; i++) {
		if (strcmp(name, swapped[i].name)) continue;
		if (place == swapped[i].place) return swapped[i].other;
		if (place == swapped[i].other) return swapped[i].place;
	}
	return place;
}

/* Without a CBLAS in the program, whose cblas_xerbla ends it. */
static void stop(int place, const char *name) {
	fprintf(stderr, "Parameter %d to routine %s was incorrect\n", place, name);
	exit(-1);
}

void lb_cblas_xerbla(const char *symbol, char format, const char *name, int place, int rows) {
	char text[16];
	int length = snprintf(text, sizeof text, "cblas_%c%-5s", format, name);
	for (int i = 0; i < length; i++) text[i] = (char)tolower((unsigned char)text[i]);
	c_handler *report = (c_handler *)handler(symbol);
	place = place_in_c(name, place, rows);
	if (!report) stop(place, text);
	report(place, text, "");
}

void lb_constant(const char *symbol, const char *name, int place, const char *what, int value) {
	char form[64];
	snprintf(form, sizeof form, "Illegal %s setting, %%d\n", what);
	c_handler *report = (c_handler *)handler(symbol);
	if (!report) stop(place, name);
	report(place, name, form, value);
}
