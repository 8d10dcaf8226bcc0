/* The process: whether it was forked, and what it had set before the Go runtime
 * started. */
#define _GNU_SOURCE
#include <fenv.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "call.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

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
