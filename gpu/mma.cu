/* mma.cu multiplies matrices by NVIDIA's matrix unit alone, without a library: one warp per tile of
   16 by 16 results, a chain of wmma's 16 by 16 by 16 products along n. It takes f16 and bf16.

       nvcc -O2 -arch=native -o mma mma.cu
       lastbit reveal exec:./mma --op gemm --dtype f16 -n 64 --m 16 --cols 16 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "gemm.cuh"

using namespace nvcuda;

template <typename T>
__global__ void product(const T *a, const T *b, float *out, int n, int k) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    int row = 16 * blockIdx.x, col = 16 * blockIdx.y;
    for (int at = 0; at < k; at += 16) {
        wmma::load_matrix_sync(fa, a + (size_t)row * k + at, k);
        wmma::load_matrix_sync(fb, b + (size_t)col * k + at, k);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::store_matrix_sync(out + (size_t)row * n + col, sum, n, wmma::mem_row_major);
}

template <typename T>
static void launch(const void *a, const void *b, float *out, int m, int n, int k) {
    product<<<dim3(m / 16, n / 16), 32>>>((const T *)a, (const T *)b, out, n, k);
}

int main() {
    static const Kernel kernels[] = {
        {"f16", "m16n16k16", 16, 16, 16, 2, 2, NULL, launch<__half>},
        {"bf16", "m16n16k16", 16, 16, 16, 2, 2, NULL, launch<__nv_bfloat16>},
    };
    return serve("wmma", kernels, 2);
}
