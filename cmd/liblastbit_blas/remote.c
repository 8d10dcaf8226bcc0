/* A call in a new process: for routines that plain.c has not, in a process that
 * was forked. The new process is lastbit itself; LASTBIT_RUN names it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "call.h"

extern char **environ;

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int connection = -1;
static pid_t connected; /* the process whose connection it is */

static void fail(const char *what) {
	lb_complain("a forked process calls a routine that needs a process of its own, and %s: %s", what,
		strerror(errno));
	abort();
}

/* The environment without the variable that loads this library. */
static char **environment(void) {
	size_t n = 0, kept = 0;
	while (environ[n]) n++;
	char **copy = calloc(n + 1, sizeof *copy);
	if (!copy) fail("there is no memory");
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "LD_PRELOAD=", 11)) copy[kept++] = environ[i];
	return copy;
}

/* Starts lastbit, with one end of a connection as its standard input and
 * output. */
static void start(void) {
	const char *path = getenv("LASTBIT_RUN");
	if (!path) {
		lb_complain("a forked process calls a routine that needs a process of its own: "
			"start the program by lastbit run");
		abort();
	}
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) fail("no connection can be made");
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	char *arguments[] = {(char *)path, "blas-worker", NULL};
	char **variables = environment();
	pid_t child;
	errno = posix_spawn(&child, path, &actions, NULL, arguments, variables);
	if (errno) fail(path);
	posix_spawn_file_actions_destroy(&actions);
	free(variables);
	close(ends[1]);
	connection = ends[0];
	connected = getpid();
}

static void put(const void *at, size_t n) {
	for (const char *p = at; n > 0;) {
		ssize_t done = send(connection, p, n, MSG_NOSIGNAL);
		if (done < 0 && errno == EINTR) continue;
		if (done <= 0) fail("it does not take the call");
		p += done;
		n -= done;
	}
}

static void get(void *at, size_t n) {
	for (char *p = at; n > 0;) {
		ssize_t done = recv(connection, p, n, 0);
		if (done < 0 && errno == EINTR) continue;
		if (done <= 0) fail("it does not answer");
		p += done;
		n -= done;
	}
}

/* Receives an array and stores its runs. What lies between them may belong to
 * another array of the call. */
static void get_runs(const lb_array *a) {
	size_t bytes = a->count * a->size;
	char *copy = malloc(bytes);
	if (!copy) fail("there is no memory");
	get(copy, bytes);
	for (int64_t at = 0; at < a->count; at += a->step) {
		memcpy((char *)a->at + at * a->size, copy + at * a->size, a->length * a->size);
		if (a->step <= 0) break;
	}
	free(copy);
}

/* In a child of a process that was forked, whose other threads are gone. */
static void unlock(void) { pthread_mutex_init(&turn, NULL); }

static void unlock_in_children(void) { pthread_atfork(NULL, NULL, unlock); }

void lb_remote(lb_call *c) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, unlock_in_children);
	pthread_mutex_lock(&turn);
	if (connected != getpid()) {
		if (connection >= 0) close(connection); /* that of the parent */
		start();
	}
	lb_call answer;
	put(c, sizeof *c);
	for (int i = 0; i < LB_SLOTS; i++)
		if (c->array[i].count > 0) put(c->array[i].at, c->array[i].count * c->array[i].size);
	get(&answer, sizeof answer);
	for (int i = 0; i < LB_SLOTS; i++)
		if (c->array[i].count > 0 && c->array[i].direction & LB_OUT) get_runs(&c->array[i]);
	memcpy(c->result, answer.result, sizeof c->result);
	c->info = answer.info;
	pthread_mutex_unlock(&turn);
}
