/* Forks, and calls a routine that the child leaves to a worker while it treats
 * its files and children as daemons and servers do. Reports the first fault. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern void dtrsv_(const char *, const char *, const char *, const int *, const double *, const int *, double *,
	const int *);

static FILE *talk;
static int children; /* signals of them */

static void check(int fine, const char *what) {
	if (fine) return;
	fprintf(talk, "%s\n", what);
	fflush(talk);
	_exit(1);
}

static void solve(const char *what) {
	const double a[4] = {2, 0, 0, 4};
	double x[2] = {1, 1};
	const int n = 2, one = 1;
	dtrsv_("U", "N", "N", &n, a, &n, x, &one);
	check(x[0] == 0.5 && x[1] == 0.25, what);
}

static void count(int s) { children += s == SIGCHLD; }

static void child(void) {
	talk = fdopen(fcntl(STDERR_FILENO, F_DUPFD, 300), "w");
	signal(SIGCHLD, count);
	solve("a first call");
	check(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "the worker is a child of the program");
	check(!children, "the program got SIGCHLD");

	close_range(0, 299, 0);
	char name[] = "/tmp/forkedXXXXXX";
	int file[8];
	file[0] = mkstemp(name);
	unlink(name);
	for (int i = 1; i < 8; i++) file[i] = dup(file[0]);
	solve("a call after all files were closed");
	struct stat s;
	check(!fstat(file[0], &s) && s.st_size == 0, "a file of the program got a call");
	check(file[0] == 0 && fcntl(file[7], F_GETFD) == 0, "a file of the program was closed");

	close_range(0, 299, 0);
	solve("a call without files");
	check(fcntl(STDOUT_FILENO, F_GETFD) < 0, "the connection is standard output");
	pid_t second = fork();
	if (!second) {
		solve("a call of a child's child");
		_exit(0);
	}
	int status;
	check(waitpid(second, &status, 0) == second && status == 0, "a child's child failed");
	solve("a call after a child forked");
	_exit(0);
}

int main(void) {
	talk = stderr;
	prctl(PR_SET_CHILD_SUBREAPER, 1); /* so that workers become its children */
	solve("a call before fork");
	int ends[2], status, workers = 0;
	check(!pipe(ends), "no pipe");
	pid_t first = fork();
	if (!first) child();
	check(waitpid(first, &status, 0) == first && status == 0, "the child failed");
	close(ends[1]);
	char byte;
	check(read(ends[0], &byte, 1) == 0, "the pipe holds something");
	alarm(20); /* workers end with their clients, or this program does */
	while (wait(NULL) > 0) workers++;
	check(workers == 4, "there were not four workers");
	printf("fine\n");
	return 0;
}
