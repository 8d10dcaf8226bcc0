#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "call.h"

void lb_complain(const char *format, ...) {
	char text[512];
	va_list list;
	va_start(list, format);
	int n = snprintf(text, sizeof text, "liblastbit_blas: ");
	n += vsnprintf(text + n, sizeof text - n - 1, format, list);
	va_end(list);
	if (n > (int)sizeof text - 2) n = sizeof text - 2;
	text[n] = '\n';
	if (write(STDERR_FILENO, text, n + 1) < 0) return;
}
