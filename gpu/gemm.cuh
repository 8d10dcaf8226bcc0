/* gemm.cuh serves matrix products of one kernel by the protocol of docs/reference/wire.md: op=gemm, results in
   f32, one column of them for each call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel multiplies A of m rows and k columns, by rows, and B of k rows and n columns, by columns.
   m, n and k are multiples of the shape that it multiplies at once. */
struct Kernel {
    const char *dtype;     /* of the factors on the wire */
    const char *name;      /* in the finding */
    int rows, cols, step;  /* the shape */
    size_t wire, size;     /* bytes of a factor on the wire, and in memory */
    void (*convert)(void *to, const void *from, size_t count); /* NULL where both are the same */
    void (*launch)(const void *a, const void *b, float *out, int m, int n, int k);
};

static int up(int v, int to) { return (v + to - 1) / to * to; }

static void check(cudaError_t e) {
    if (e == cudaSuccess)
        return;
    printf("error %s\n", cudaGetErrorString(e));
    fflush(stdout);
    exit(1);
}

/* Request is the shape and the format that the hello asks for. */
struct Request {
    int n, m, cols, row, col;
    const struct Kernel *kernel;
};

/* parse reads the words of the hello. It returns 0 after it has answered a word that is not known. */
static int parse(char *words, struct Request *r, const struct Kernel *kernels, int count) {
    size_t lanes;
    for (char *word = strtok(words, " \n"); word; word = strtok(NULL, " \n")) {
        if (sscanf(word, "n=%d", &r->n) == 1 || sscanf(word, "m=%d", &r->m) == 1 ||
            sscanf(word, "cols=%d", &r->cols) == 1 || sscanf(word, "lanes=%zu", &lanes) == 1 ||
            sscanf(word, "out_index=%d,%d", &r->row, &r->col) == 2 || !strcmp(word, "op=gemm") ||
            !strcmp(word, "device=cuda") || !strncmp(word, "shm=", 4))
            continue;
        const struct Kernel *before = r->kernel;
        for (int k = 0; k < count && !strncmp(word, "dtype=", 6); k++)
            if (!strcmp(word + 6, kernels[k].dtype))
                r->kernel = &kernels[k];
        if (r->kernel == before) {
            printf("error this program does not know %s\n", word);
            return 0;
        }
    }
    if (!r->kernel)
        printf("error this program needs a dtype\n");
    return r->kernel != NULL;
}

/* place writes factors into zeros: as many rows, or all the same one, of n factors each. */
static void place(const struct Kernel *k, char *to, int width, const char *from, size_t stride, int rows, int n) {
    for (int r = 0; r < rows; r++) {
        char *line = to + (size_t)r * width * k->size;
        if (k->convert)
            k->convert(line, from + r * stride, n);
        else
            memcpy(line, from + r * stride, n * k->size);
    }
}

/* serve answers until the input ends, and returns the exit status. */
static int serve(const char *library, const struct Kernel *kernels, int count) {
    static char line[65536];
    struct Request r = {0, 0, 1, 0, 0, NULL};
    if (!fgets(line, sizeof line, stdin) || strncmp(line, "lastbit 1 ", 10))
        return 1;
    if (!parse(line + 10, &r, kernels, count))
        return 1;
    const struct Kernel *k = r.kernel;
    int M = up(r.m, k->rows), N = up(r.cols, k->cols), K = up(r.n, k->step);
    size_t sizeA = (size_t)M * K * k->size, sizeB = (size_t)N * K * k->size, sizeOut = (size_t)M * N * sizeof(float);
    char *x = (char *)malloc((size_t)r.m * r.n * k->wire), *y = (char *)malloc((size_t)r.n * k->wire);
    char *a = (char *)calloc(sizeA, 1), *b = (char *)calloc(sizeB, 1);
    float *out = (float *)malloc(sizeOut), *column = (float *)malloc((size_t)r.m * sizeof(float));
    void *da, *db, *dout;
    check(cudaMalloc(&da, sizeA));
    check(cudaMalloc(&db, sizeB));
    check(cudaMalloc(&dout, sizeOut));
    printf("ok library=%s kernel=%s out=f32\n", library, k->name);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) && !strcmp(line, "call\n")) {
        if (fread(x, k->wire, (size_t)r.m * r.n, stdin) != (size_t)r.m * r.n ||
            fread(y, k->wire, r.n, stdin) != (size_t)r.n)
            return 1;
        place(k, a, K, x, r.n * k->wire, r.m, r.n);
        place(k, b, K, y, 0, r.cols, r.n);
        check(cudaMemcpy(da, a, sizeA, cudaMemcpyHostToDevice));
        check(cudaMemcpy(db, b, sizeB, cudaMemcpyHostToDevice));
        k->launch(da, db, (float *)dout, M, N, K);
        check(cudaGetLastError());
        check(cudaMemcpy(out, dout, sizeOut, cudaMemcpyDeviceToHost));
        for (int i = 0; i < r.m; i++)
            column[i] = out[(size_t)i * N + r.col];
        printf("ok\n");
        fwrite(column, sizeof(float), r.m, stdout);
        fflush(stdout);
    }
    return 0;
}
