/* An XERBLA that keeps the routine and the place of a wrong argument. */
#include <string.h>

int recorded_place;
char recorded_name[32];

void xerbla_(const char *name, const int *place, size_t length) {
	recorded_place = *place;
	memset(recorded_name, 0, sizeof recorded_name);
	memcpy(recorded_name, name, length < 31 ? length : 31);
	for (size_t i = 31; i-- && (recorded_name[i] == ' ' || !recorded_name[i]);) recorded_name[i] = 0;
}
