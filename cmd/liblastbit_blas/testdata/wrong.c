/* Calls a routine with a wrong argument, after one that is right. */
#include <stdio.h>
#include <stdlib.h>

extern void dgemv_(const char *, const int *, const int *, const double *, const double *, const int *, const double *,
	const int *, const double *, double *, const int *);
extern double ddot_(const int *, const double *, const int *, const double *, const int *);
extern void cblas_dgemv(int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
extern void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double,
	double *, int);

int main(int argc, char **argv) {
	const double a[4] = {1, 2, 3, 4}, factor = 1;
	double y[4] = {0};
	const int two = 2, one = 1, zero = 0;
	printf("%g %g\n", ddot_(&two, a, &zero, a, &one), ddot_(&two, a, &one, a, &two));
	fflush(stdout);
	switch (argc > 1 ? atoi(argv[1]) : 0) {
	case 0:
		dgemv_("N", &two, &two, &factor, a, &two, a, &zero, &factor, y, &one);
		break;
	case 1:
		cblas_dgemv(100, 111, 2, 2, 1, a, 2, a, 1, 1, y, 1);
		break;
	case 2:
		cblas_dgemv(101, 111, 2, -2, 1, a, 2, a, 1, 1, y, 1);
		break;
	case 3:
		cblas_dgemm(102, 111, 110, 2, 2, 2, 1, a, 2, a, 2, 1, y, 2);
		break;
	case 4:
		cblas_dgemm(101, 111, 112, 2, 2, 2, 1, a, 2, a, 1, 1, y, 2);
		break;
	}
	printf("goes on\n");
	return 0;
}
