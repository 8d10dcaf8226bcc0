/* A dot product in four accumulators of sixteen lanes, each product fused with
   its addition. The accumulators are added pairwise, then their lanes; what is
   left of the arrays follows one by one. */

#include <stddef.h>

typedef float lanes __attribute__((vector_size(64), aligned(4)));

float dot(const float *x, const float *y, size_t n) {
	lanes acc[4] = {{0}, {0}, {0}, {0}};
	size_t i = 0;
	for (; i + 64 <= n; i += 64)
		for (int k = 0; k < 4; k++)
			acc[k] += *(const lanes *)(x + i + 16 * k) * *(const lanes *)(y + i + 16 * k);
	lanes all = (acc[0] + acc[1]) + (acc[2] + acc[3]);
	float lane[16], sum;
	for (int k = 0; k < 16; k++)
		lane[k] = all[k];
	for (int half = 8; half > 0; half /= 2)
		for (int k = 0; k < half; k++)
			lane[k] += lane[k + half];
	sum = lane[0];
	for (; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}
