/* mma.cu multiplies matrices by NVIDIA's matrix unit alone, without a library: one warp per tile of
   16 by 16 results, a chain of wmma's 16 by 16 by 16 products along n. It speaks the protocol of
   docs/wire.md: op=gemm, dtype f16 or bf16, results in f32.

       nvcc -O2 -arch=native -o mma mma.cu
       lastbit reveal exec:./mma --op gemm --dtype f16 -n 64 --m 16 --cols 16 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace nvcuda;

/* Out = A B: A of m rows and k columns by rows, B of k rows and n columns by columns; m, n and k are
   multiples of 16. */
template <typename T>
__global__ void product(const T *a, const T *b, float *out, int m, int n, int k) {
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

static int up(int v) { return (v + 15) / 16 * 16; }

static void check(cudaError_t e) {
    if (e == cudaSuccess)
        return;
    printf("error %s\n", cudaGetErrorString(e));
    fflush(stdout);
    exit(1);
}

int main() {
    static char line[65536];
    int n = 0, m = 0, cols = 1, bf16 = 0, col = 0, row = 0;
    size_t lanes = 0;
    if (!fgets(line, sizeof line, stdin) || strncmp(line, "lastbit 1 ", 10))
        return 1;
    for (char *word = strtok(line + 10, " \n"); word; word = strtok(NULL, " \n")) {
        if (sscanf(word, "n=%d", &n) == 1 || sscanf(word, "m=%d", &m) == 1 ||
            sscanf(word, "cols=%d", &cols) == 1 || sscanf(word, "lanes=%zu", &lanes) == 1 ||
            sscanf(word, "out_index=%d,%d", &row, &col) == 2)
            continue;
        if (!strcmp(word, "dtype=bf16"))
            bf16 = 1;
        else if (strcmp(word, "dtype=f16") && strcmp(word, "op=gemm") && strcmp(word, "device=cuda") &&
                 strncmp(word, "shm=", 4)) {
            printf("error this program does not know %s\n", word);
            return 1;
        }
    }
    int M = up(m), N = up(cols), K = up(n);
    unsigned short *x = (unsigned short *)malloc((size_t)m * n * 2), *y = (unsigned short *)malloc((size_t)n * 2);
    unsigned short *a = (unsigned short *)calloc((size_t)M * K, 2), *b = (unsigned short *)calloc((size_t)N * K, 2);
    float *out = (float *)malloc((size_t)M * N * 4), *column = (float *)malloc((size_t)m * 4);
    void *da, *db;
    float *dout;
    check(cudaMalloc(&da, (size_t)M * K * 2));
    check(cudaMalloc(&db, (size_t)N * K * 2));
    check(cudaMalloc(&dout, (size_t)M * N * 4));
    printf("ok library=wmma kernel=m16n16k16 out=f32\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) && !strcmp(line, "call\n")) {
        if (fread(x, 2, (size_t)m * n, stdin) != (size_t)m * n || fread(y, 2, n, stdin) != (size_t)n)
            return 1;
        for (int r = 0; r < m; r++)
            memcpy(a + (size_t)r * K, x + (size_t)r * n, (size_t)n * 2);
        for (int c = 0; c < cols; c++)
            memcpy(b + (size_t)c * K, y, (size_t)n * 2);
        check(cudaMemcpy(da, a, (size_t)M * K * 2, cudaMemcpyHostToDevice));
        check(cudaMemcpy(db, b, (size_t)N * K * 2, cudaMemcpyHostToDevice));
        dim3 tiles(M / 16, N / 16);
        if (bf16)
            product<<<tiles, 32>>>((const __nv_bfloat16 *)da, (const __nv_bfloat16 *)db, dout, M, N, K);
        else
            product<<<tiles, 32>>>((const __half *)da, (const __half *)db, dout, M, N, K);
        check(cudaGetLastError());
        check(cudaMemcpy(out, dout, (size_t)M * N * 4, cudaMemcpyDeviceToHost));
        for (int r = 0; r < m; r++)
            column[r] = out[(size_t)r * N + col];
        printf("ok\n");
        fwrite(column, 4, m, stdout);
        fflush(stdout);
    }
    return 0;
}
