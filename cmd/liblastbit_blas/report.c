/* At the end of a program that lastbit run started: which of its libraries call
 * symbols of this one, for lastbit to report.
 *
 * The report is memory that lastbit shares, under a name that ends with lastbit.
 * LASTBIT_RUN_REPORT holds the device and the inode of the memory, and the name:
 * in a container the name may be that of another file. A process maps the memory
 * as it starts. So it can report after it closed all files, changed its user or
 * its root. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "call.h"
#include "lapack.h"

/* The interface between this library and lastbit run. */
const int lastbit_blas_interface = 1;

/* The report: cmd/lastbit/internal/preload reads it. */
typedef struct {
	uint64_t used; /* bytes of text that processes have reserved */
	uint64_t calls;
	char text[];
} sheet;

static int64_t calls; /* of this process, and before it was forked */

static sheet *shared;
static uint64_t room; /* for text */

__attribute__((constructor)) static void attach(void) {
	const char *place = getenv("LASTBIT_RUN_REPORT");
	unsigned long long device, inode;
	int name = 0;
	if (!place || sscanf(place, "%llu:%llu:%n", &device, &inode, &name) != 2 || !name) return;
	int file = open(place + name, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat found;
	if (file < 0) return;
	if (!fstat(file, &found) && found.st_dev == device && found.st_ino == inode &&
		found.st_size > (off_t)sizeof *shared) {
		void *at = mmap(NULL, found.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
		if (at != MAP_FAILED) {
			shared = at;
			room = found.st_size - sizeof *shared;
		}
	}
	close(file);
}

/* Adds a line to the report, or nothing if it is full. */
__attribute__((format(printf, 1, 2))) static void add_line(const char *format, ...) {
	char line[4096];
	va_list list;
	va_start(list, format);
	int n = vsnprintf(line, sizeof line, format, list);
	va_end(list);
	if (n <= 0 || n >= (int)sizeof line) return;
	uint64_t at = __atomic_fetch_add(&shared->used, n, __ATOMIC_RELAXED);
	if (at + n <= room) memcpy(shared->text + at, line, n);
}

/* The address of an entry of the dynamic section, which some loaders keep
 * relative. */
static ElfW(Addr) absolute(const struct dl_phdr_info *object, ElfW(Addr) at) {
	return at < object->dlpi_addr ? at + object->dlpi_addr : at;
}

/* The relocations, symbols and names of a loaded object. */
typedef struct {
	const ElfW(Sym) *symbols;
	const char *names;
	const ElfW(Rela) *table[2];
	size_t bytes[2];
} imports;

static int read_imports(const struct dl_phdr_info *object, imports *of) {
	const ElfW(Dyn) *entry = NULL;
	memset(of, 0, sizeof *of);
	for (int i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
			entry = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
	for (; entry && entry->d_tag != DT_NULL; entry++) {
		const void *at = (const void *)absolute(object, entry->d_un.d_ptr);
		switch (entry->d_tag) {
		case DT_SYMTAB:
			of->symbols = at;
			break;
		case DT_STRTAB:
			of->names = at;
			break;
		case DT_RELA:
			of->table[0] = at;
			break;
		case DT_RELASZ:
			of->bytes[0] = entry->d_un.d_val;
			break;
		case DT_JMPREL:
			of->table[1] = at;
			break;
		case DT_PLTRELSZ:
			of->bytes[1] = entry->d_un.d_val;
			break;
		}
	}
	return of->symbols && of->names;
}

/* Whether a name is one that BLAS and LAPACK libraries use. */
static int is_linear_algebra(const char *name) {
	if (strstr(name, "xerbla")) return 0;
	if (!strncmp(name, "scipy_", 6) || !strncmp(name, "cblas_", 6)) return 1;
	size_t n = strlen(name), letters = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789");
	return n > 4 && n < 14 && strchr("sdcz", name[0]) &&
		(!strcmp(name + letters, "_") || !strcmp(name + letters, "_64_")) && letters >= 4;
}

/* Whether the reference LAPACK, or the program's own, computes a routine. */
static int is_forwarded(const char *name) {
	int complex = strstr(name, "zge") || strstr(name, "cge") || strstr(name, "zhe") || strstr(name, "che");
	return strstr(name, "gelsd") || (complex && (strstr(name, "heevd") || strstr(name, "gesdd") || strstr(name, "geev")));
}

/* The code of forward.S, which some processors have not. */
extern const char lb_forward_begin[] __attribute__((weak)), lb_forward_end[] __attribute__((weak));

static const char *status(ElfW(Addr) own, const char *name) {
	Dl_info at;
	const char *found = dlsym(RTLD_DEFAULT, name);
	if (!found || !dladdr(found, &at) || (ElfW(Addr))at.dli_fbase != own) return "kept";
	if (found >= lb_forward_begin && found < lb_forward_end)
		return lb_has_reference(name + strlen("scipy_")) ? "reference" : "kept";
	if (!is_forwarded(name)) return "ours";
	return lb_reference() ? "reference" : "kept";
}

void lb_report_called(const char *name, int in_reference) {
	if (!shared) return;
	add_line("called\t%s\t%s\n", name, in_reference ? "reference" : "kept");
}

/* Whether another process has reported a library. SciPy's make long reports. */
static int is_listed(const char *path) {
	char end[4096];
	int n = snprintf(end, sizeof end, "\t%s\n", path);
	uint64_t used = __atomic_load_n(&shared->used, __ATOMIC_RELAXED);
	return n < (int)sizeof end && memmem(shared->text, used < room ? used : room, end, n);
}

static int report_object(struct dl_phdr_info *object, size_t size, void *data) {
	(void)size;
	ElfW(Addr) own = *(ElfW(Addr) *)data;
	imports of;
	char program[4096];
	const char *path = object->dlpi_name;
	if (object->dlpi_addr == own || !read_imports(object, &of)) return 0;
	if (!*path) { /* of the program itself */
		ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
		program[n > 0 ? n : 0] = 0;
		path = program;
	}
	if (lb_is_reference(path) || is_listed(path)) return 0;
	for (int t = 0; t < 2; t++)
		for (size_t i = 0; i < of.bytes[t] / sizeof(ElfW(Rela)); i++) {
			const ElfW(Sym) *symbol = &of.symbols[
#if __ELF_NATIVE_CLASS == 64
				ELF64_R_SYM(of.table[t][i].r_info)
#else
				ELF32_R_SYM(of.table[t][i].r_info)
#endif
			];
			const char *name = of.names + symbol->st_name;
			if (symbol->st_shndx == SHN_UNDEF && is_linear_algebra(name))
				add_line("%s\t%s\t%s\n", status(own, name), name, path);
		}
	return 0;
}

static void report(void) {
	Dl_info found;
	if (lb_is_forked() || !dladdr(&lastbit_blas_interface, &found)) return;
	ElfW(Addr) own = (ElfW(Addr))found.dli_fbase;
	add_line("ended\t0\t%s\n", lb_reference() ? lb_reference() : "");
	dl_iterate_phdr(report_object, &own);
}

/* A program that ends without atexit has used the library all the same. */
static void at_first(void) {
	if (!shared) return;
	add_line("used\t0\t-\n");
	if (!lb_is_forked()) atexit(report);
}

/* The first call registers the handler. One of a constructor would run among
 * the destructors, when the loader no longer opens libraries. */
void lb_count_call(void) {
	if (shared) __atomic_fetch_add(&shared->calls, 1, __ATOMIC_RELAXED);
	if (__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) == 0) at_first();
}
