/* sum.c adds float32 values from left to right, as lastbit asks it to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float sum(const float *x, size_t n) {
    float s = 0;
    for (size_t i = 0; i < n; i++)
        s += x[i];
    return s;
}

int main(void) {
    char line[65536], *word;
    size_t n = 0, lanes = 0;
    if (!fgets(line, sizeof line, stdin) || strncmp(line, "lastbit 1 ", 10) != 0)
        return 1;
    for (word = strtok(line + 10, " \n"); word; word = strtok(NULL, " \n")) {
        if (sscanf(word, "n=%zu", &n) == 1 || sscanf(word, "lanes=%zu", &lanes) == 1)
            continue;
        if (strcmp(word, "op=sum") == 0 || strcmp(word, "dtype=f32") == 0 || strncmp(word, "shm=", 4) == 0)
            continue;
        printf("error this program does not know %s\n", word);
        return 1;
    }
    float *x = malloc(lanes * n * sizeof *x), *out = malloc(lanes * sizeof *out);
    if (!x || !out)
        return 1;
    printf("ok library=sum.c version=1.0\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) && strcmp(line, "call\n") == 0) {
        if (fread(x, sizeof *x, lanes * n, stdin) != lanes * n)
            return 1;
        for (size_t r = 0; r < lanes; r++)
            out[r] = sum(x + r * n, n);
        printf("ok\n");
        fwrite(out, sizeof *out, lanes, stdout);
        fflush(stdout);
    }
    return 0;
}
