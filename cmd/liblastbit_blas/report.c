/* At the end of a program that lastbit run started: which of its libraries call
 * symbols of this one, for lastbit to report. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "lapack.h"

/* The interface between this library and lastbit run. */
const int lastbit_blas_interface = 1;

typedef struct {
	FILE *out;
	ElfW(Addr) base; /* of this library */
} reporter;

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

static const char *status(const reporter *r, const char *name) {
	Dl_info at;
	void *found = dlsym(RTLD_DEFAULT, name);
	if (!found || !dladdr(found, &at) || (ElfW(Addr))at.dli_fbase != r->base) return "kept";
	if (!is_forwarded(name)) return "ours";
	return lb_reference() ? "reference" : "kept";
}

static int report_object(struct dl_phdr_info *object, size_t size, void *data) {
	(void)size;
	reporter *r = data;
	imports of;
	if (object->dlpi_addr == r->base || !read_imports(object, &of)) return 0;
	if (lb_reference() && !strcmp(object->dlpi_name, lb_reference())) return 0;
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
				fprintf(r->out, "%s\t%s\t%s\n", status(r, name), name, object->dlpi_name);
		}
	return 0;
}

static void report(void) {
	const char *path = getenv("LASTBIT_RUN_REPORT");
	Dl_info own;
	if (!path || lb_is_forked() || !dladdr(&lastbit_blas_interface, &own)) return;
	reporter r = {fopen(path, "ae"), (ElfW(Addr))own.dli_fbase};
	if (!r.out) return;
	fprintf(r.out, "calls\t%lld\t%s\n", (long long)lb_calls(), lb_reference() ? lb_reference() : "");
	dl_iterate_phdr(report_object, &r);
	fclose(r.out);
}

/* A program that ends without atexit has used the library all the same. */
static void at_first(void) {
	static const char used[] = "used\t0\t-\n";
	const char *path = getenv("LASTBIT_RUN_REPORT");
	int file = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
	if (file >= 0) {
		ssize_t written = write(file, used, sizeof used - 1);
		(void)written; /* the report is incomplete then */
		close(file);
	}
	if (!lb_is_forked()) atexit(report);
}

/* The handler is registered by the first call. One of a constructor would run
 * among the destructors, when the loader no longer opens libraries. */
void lb_report_at_exit(void) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, at_first);
}
