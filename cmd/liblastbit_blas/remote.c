/* A call in a new process: for routines that plain.c has not, in a process that
 * was forked. The new process, the worker, is lastbit itself; LASTBIT_RUN names
 * it. It ends when its connection does. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "call.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4
#endif

extern char **environ;

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char *worker; /* the program, as the environment named it at the start */

/* The end of a connection in this process. A program may close any descriptor,
 * and its number may then be that of another file, so it is known by its inode. */
static struct {
	int file;
	dev_t device;
	ino_t inode;
	pid_t process; /* that connected */
} connection = {.file = -1};

static void fail(const char *what) {
	lb_complain("a forked process calls a routine that needs a process of its own, and %s: %s", what,
		strerror(errno));
	abort();
}

static int is_connected(void) {
	struct stat now;
	return connection.file >= 0 && !fstat(connection.file, &now) && now.st_dev == connection.device &&
		now.st_ino == connection.inode;
}

static void disconnect(void) {
	if (is_connected()) close(connection.file);
	connection.file = -1;
}

/* The environment without the variable that loads this library. */
static char **environment(void) {
	size_t n = 0, kept = 0;
	while (environ && environ[n]) n++;
	char **copy = calloc(n + 1, sizeof *copy);
	if (!copy) fail("there is no memory");
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "LD_PRELOAD=", 11)) copy[kept++] = environ[i];
	return copy;
}

/* The start of a worker. */
typedef struct {
	int end; /* of the connection: its standard input and output */
	char **variables;
	int error;
} beginning;

/* Starts a worker, in a process between it and the program's. The worker has no
 * other file of the program, and no signal of its terminal reaches it. */
static int start_worker(void *of) {
	beginning *b = of;
	char *arguments[] = {worker, "blas-worker", NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none;
	pid_t child;
	/* Linux before 5.11 has no such call: then the worker keeps the files. */
	syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
	sigemptyset(&none);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, b->end, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, b->end, STDOUT_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
	b->error = posix_spawn(&child, worker, &files, &attributes, arguments, b->variables);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	return 0;
}

/* Starts a worker that is not a child of this process, so that a program that
 * waits for its children does not meet it. The process between is a child
 * without SIGCHLD: wait finds it by __WCLONE only. */
static void start_detached(beginning *b) {
	static _Alignas(16) char stack[1 << 16];
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid_t between = clone(start_worker, stack + sizeof stack, CLONE_VM | CLONE_VFORK, b);
	if (between < 0) b->error = errno;
	while (between > 0 && waitpid(between, NULL, __WCLONE) < 0 && errno == EINTR)
		;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Leaves the numbers of standard input, output and error, which a program may
 * have closed and yet use. */
static int beyond_standard(int file) {
	if (file > STDERR_FILENO) return file;
	int other = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (other < 0) fail("no connection can be made");
	close(file);
	return other;
}

static void connect_worker(void) {
	disconnect();
	if (!worker) {
		lb_complain("a forked process calls a routine that needs a process of its own: "
			"start the program by lastbit run");
		abort();
	}
	int ends[2];
	struct stat own;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) fail("no connection can be made");
	connection.file = beyond_standard(ends[0]);
	beginning b = {beyond_standard(ends[1]), environment(), 0};
	start_detached(&b);
	close(b.end);
	free(b.variables);
	errno = b.error;
	if (errno || fstat(connection.file, &own)) fail(worker);
	connection.device = own.st_dev;
	connection.inode = own.st_ino;
	connection.process = getpid();
}

static int put(const void *at, size_t n) {
	for (const char *p = at; n > 0;) {
		ssize_t done = is_connected() ? send(connection.file, p, n, MSG_NOSIGNAL) : 0;
		if (done < 0 && errno == EINTR) continue;
		if (done <= 0) return 0;
		p += done;
		n -= done;
	}
	return 1;
}

static int get(void *at, size_t n) {
	for (char *p = at; n > 0;) {
		ssize_t done = is_connected() ? recv(connection.file, p, n, 0) : 0;
		if (done < 0 && errno == EINTR) continue;
		if (done <= 0) return 0;
		p += done;
		n -= done;
	}
	return 1;
}

static size_t bytes_of(const lb_array *a) { return a->count > 0 ? a->count * a->size : 0; }

static int is_result(const lb_array *a) { return a->count > 0 && a->direction & LB_OUT; }

/* The answer to a call. Nothing is stored before all of it is there. */
typedef struct {
	lb_call call;
	char *array[LB_SLOTS];
} reply;

/* Sends a call and receives the answer. Reports whether the connection held. */
static int exchange(const lb_call *c, reply *r) {
	if (!put(c, sizeof *c)) return 0;
	for (int i = 0; i < LB_SLOTS; i++)
		if (!put(c->array[i].at, bytes_of(&c->array[i]))) return 0;
	if (!get(&r->call, sizeof r->call)) return 0;
	for (int i = 0; i < LB_SLOTS; i++)
		if (is_result(&c->array[i]) && !get(r->array[i], bytes_of(&c->array[i]))) return 0;
	return 1;
}

/* Stores the runs of an array. What lies between them may belong to another
 * array of the call. */
static void store_runs(const lb_array *a, const char *from) {
	for (int64_t at = 0; at < a->count; at += a->step) {
		memcpy((char *)a->at + at * a->size, from + at * a->size, a->length * a->size);
		if (a->step <= 0) break;
	}
}

/* In a child of a process that was forked, whose other threads are gone. The
 * connection is the parent's. */
static void in_child(void) {
	pthread_mutex_init(&turn, NULL);
	disconnect();
}

__attribute__((constructor)) static void prepare(void) {
	const char *path = getenv("LASTBIT_RUN");
	if (path && *path) worker = strdup(path);
	pthread_atfork(NULL, NULL, in_child);
}

void lb_remote(lb_call *c) {
	reply r;
	pthread_mutex_lock(&turn);
	for (int i = 0; i < LB_SLOTS; i++) {
		r.array[i] = is_result(&c->array[i]) ? malloc(bytes_of(&c->array[i])) : NULL;
		if (is_result(&c->array[i]) && !r.array[i]) fail("there is no memory");
	}
	if (connection.process != getpid() || !is_connected()) connect_worker();
	if (!exchange(c, &r)) { /* the worker was ended, or the connection closed */
		connect_worker();
		if (!exchange(c, &r)) fail("it does not answer");
	}
	for (int i = 0; i < LB_SLOTS; i++) {
		if (r.array[i]) store_runs(&c->array[i], r.array[i]);
		free(r.array[i]);
	}
	memcpy(c->result, r.call.result, sizeof c->result);
	c->info = r.call.info;
	pthread_mutex_unlock(&turn);
}
