/* Calls a routine in a process that it forks, in its own, and in the program
 * that it becomes. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

double ddot_(const int *n, const double *x, const int *incx, const double *y, const int *incy);

static void call(void) {
	double x[3] = {1, 2, 3};
	int n = 3, one = 1;
	if (ddot_(&n, x, &one, x, &one) == 14) puts("14");
	fflush(stdout);
}

int main(int argc, char **argv) {
	if (argc > 1) {
		call();
		return 0;
	}
	if (fork() == 0) {
		call();
		_exit(0);
	}
	wait(NULL);
	call();
	execl(argv[0], argv[0], "again", (char *)NULL);
	return 1;
}
