package clib

// functions is the C code of functions as users have them, good and bad.
const functions = `
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double chain(const double *x, size_t n) {
	double s = 0;
	for (size_t i = 0; i < n; i++) s += x[i];
	return s;
}
float chainf(const float *x, size_t n) {
	float s = 0;
	for (size_t i = 0; i < n; i++) s += x[i];
	return s;
}
double dot(const double *x, const double *y, size_t n) {
	double s = 0;
	for (size_t i = 0; i < n; i++) s += x[i] * y[i];
	return s;
}
float dotf(const float *x, const float *y, size_t n) {
	float s = 0;
	for (size_t i = 0; i < n; i++) s += x[i] * y[i];
	return s;
}

float squaresf(const float *x, size_t n) {
	float s = 0;
	for (size_t i = 0; i < n; i++) s += x[i] * x[i];
	return s;
}

/* first gives a float's bits as they are */
float first(const float *x, size_t n) { float f; memcpy(&f, x, 4); return f; }
/* address gives where x starts, modulo 64 */
double address(const double *x, size_t n) { return x[0] + (double)((uintptr_t)x % 64); }
/* talker prints where answers go */
double talker(const double *x, size_t n) { puts("ok"); fflush(stdout); return chain(x, n); }
double threads(const double *x, size_t n) { return x[0] * atoi(getenv("OMP_NUM_THREADS")); }

static float widen(uint16_t h) {
	uint32_t b = (uint32_t)h << 16;
	float f;
	memcpy(&f, &b, 4);
	return f;
}
static uint16_t narrow(float f) {
	uint32_t b;
	memcpy(&b, &f, 4);
	return (uint16_t)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}
uint16_t bf16(const uint16_t *x, size_t n) {
	float s = 0;
	for (size_t i = 0; i < n; i++) s += widen(x[i]);
	return narrow(s);
}
/* half adds integers of binary16 from 0 to 2047 by their bits */
static int value(uint16_t h) { int e = h >> 10; return e == 0 ? 0 : (h & 1023 | 1024) >> (25 - e); }
uint16_t half(const uint16_t *x, size_t n) {
	int s = 0, e = 25;
	for (size_t i = 0; i < n; i++) s += value(x[i]);
	if (s == 0) return 0;
	while (s < 1024) s <<= 1, e--;
	return (uint16_t)(e << 10 | (s & 1023));
}

/* functions that do well until they see x[0] == 13 */
#define UNLUCKY if (x[0] == 13)
double segfault(const double *x, size_t n) { UNLUCKY *(volatile int *)8 = 1; return chain(x, n); }
double aborts(const double *x, size_t n) { UNLUCKY abort(); return chain(x, n); }
double traps(const double *x, size_t n) { UNLUCKY raise(SIGFPE); return chain(x, n); }
double exits(const double *x, size_t n) { UNLUCKY exit(3); return chain(x, n); }
double loops(const double *x, size_t n) {
	UNLUCKY for (;;) ((volatile double *)x)[1] += 1;
	return chain(x, n);
}
static double deep(const double *x, size_t n) {
	volatile char room[65536];
	room[n % 65536] = 1;
	return deep(x, n + 1) + room[3];
}
double recurses(const double *x, size_t n) { UNLUCKY return deep(x, n); return chain(x, n); }

/* functions that write to an operand, and to its bits only */
double scales(double *x, const double *y, size_t n) { UNLUCKY x[0] = 2; return dot(x, y, n); }
double swaps(const double *x, double *y, size_t n) { UNLUCKY y[1] = -y[1]; return dot(x, y, n); }

double nothing(const double *x, size_t n) { return 0.5; }
double nan_always(const double *x, size_t n) { return NAN; }
double dies_at_once(const double *x, size_t n) { abort(); }
double reads_on(const double *x, size_t n) { return chain(x, n + 1); }
double drops(const double *x, size_t n) { return chain(x, n - 1); }
`
