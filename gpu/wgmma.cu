/* wgmma.cu multiplies matrices by the warpgroup instruction of Hopper (compute capability 9.0), which
   no other device has: 128 threads per tile of 64 by 8 results, a chain of wgmma along n. It takes f16
   and bf16 (16 products at once), f32 as TF32 (8 products: the unit ignores the last 13 bits), and,
   with the argument e4m3, bf16 rounded to E4M3 (32 products; what is too large becomes NaN).

       nvcc -O2 -gencode arch=compute_90a,code=sm_90a -o wgmma wgmma.cu
       lastbit reveal exec:./wgmma --op gemm --dtype f16 -n 64 --m 64 --cols 8

   References:
     - NVIDIA. Parallel Thread Execution ISA, "Asynchronous Warpgroup Level Matrix Instructions". */
#include <cuda_fp8.h>
#include <stdint.h>

#include "gemm.cuh"

enum Unit { F16, BF16, TF32, E4M3 };

/* In shared memory a core matrix is 8 rows of 16 bytes, one after the other. Two of them side by side
   along k are 32 bytes of a row, all that one instruction multiplies; then come the next 8 rows. */
const int rowBytes = 32, coreBytes = 128;

/* describe returns the descriptor of a matrix without swizzling: its address, the distance of core
   matrices along k, and along the rows, all in units of 16 bytes. */
__device__ uint64_t describe(const void *matrix) {
    uint64_t address = __cvta_generic_to_shared(matrix);
    return (address & 0x3ffff) >> 4 | (uint64_t)(coreBytes >> 4) << 16 | (uint64_t)(2 * coreBytes >> 4) << 32;
}

/* load copies 16 bytes of a row to its core matrix. */
__device__ void load(uint8_t *to, const uint8_t *from, size_t width, int row, int half) {
    *(uint4 *)(to + row / 8 * 2 * coreBytes + half * coreBytes + row % 8 * 16) =
        *(const uint4 *)(from + row * width + half * 16);
}

#define WGMMA(shape, flags)                                                               \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, 1, 0;\n"                                 \
                 "wgmma.mma_async.sync.aligned." shape " {%0, %1, %2, %3}, %4, %5, p, " flags "; }\n" \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                         \
                 : "l"(a), "l"(b))

/* multiply adds the product of one tile to d. */
template <Unit unit>
__device__ void multiply(float d[4], uint64_t a, uint64_t b) {
    if (unit == F16)
        WGMMA("m64n8k16.f32.f16.f16", "1, 1, 0, 0");
    else if (unit == BF16)
        WGMMA("m64n8k16.f32.bf16.bf16", "1, 1, 0, 0");
    else if (unit == TF32)
        WGMMA("m64n8k8.f32.tf32.tf32", "1, 1");
    else
        WGMMA("m64n8k32.f32.e4m3.e4m3", "1, 1");
}

/* width is the bytes of a row of A, and of a column of B. */
template <Unit unit>
__global__ void product(const uint8_t *a, const uint8_t *b, float *out, int n, size_t width) {
    __shared__ __align__(128) uint8_t ta[64 * rowBytes], tb[8 * rowBytes];
    int t = threadIdx.x, row = 64 * blockIdx.x, col = 8 * blockIdx.y;
    float d[4] = {0, 0, 0, 0};
    for (size_t at = 0; at < width; at += rowBytes) {
        load(ta, a + row * width + at, width, t / 2, t % 2);
        if (t < 16)
            load(tb, b + col * width + at, width, t / 2, t % 2);
        /* The instruction reads shared memory by another path than threads write it. */
        asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
        __syncthreads();
        asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
        multiply<unit>(d, describe(ta), describe(tb));
        asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;\n" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        out[(size_t)(row + t / 32 * 16 + t % 32 / 4 + i / 2 * 8) * n + col + t % 4 * 2 + i % 2] = d[i];
}

template <Unit unit, int size>
static void launch(const void *a, const void *b, float *out, int m, int n, int k) {
    product<unit><<<dim3(m / 64, n / 8), 128>>>((const uint8_t *)a, (const uint8_t *)b, out, n, (size_t)k * size);
}

/* toE4M3 rounds bfloat16 numbers. */
static void toE4M3(void *to, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = (uint32_t)((const uint16_t *)from)[i] << 16;
        float value;
        memcpy(&value, &bits, sizeof value);
        ((uint8_t *)to)[i] = __nv_cvt_float_to_fp8(value, __NV_NOSAT, __NV_E4M3);
    }
}

int main(int argc, char **argv) {
    static const Kernel kernels[] = {
        {"f16", "m64n8k16", 64, 8, 16, 2, 2, NULL, launch<F16, 2>},
        {"bf16", "m64n8k16", 64, 8, 16, 2, 2, NULL, launch<BF16, 2>},
        {"f32", "m64n8k8", 64, 8, 8, 4, 4, NULL, launch<TF32, 4>},
    };
    static const Kernel narrow[] = {{"bf16", "m64n8k32", 64, 8, 32, 2, 1, toE4M3, launch<E4M3, 1>}};
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    if (device.major != 9 || device.minor != 0) {
        printf("error wgmma needs a device of compute capability 9.0, not %d.%d\n", device.major, device.minor);
        return 1;
    }
    if (argc > 1 && !strcmp(argv[1], "e4m3"))
        return serve("wgmma-e4m3", narrow, 1);
    return serve("wgmma", kernels, 3);
}
