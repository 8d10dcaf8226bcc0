/* One call of a BLAS or LAPACK routine: the form that every exported symbol
 * brings its arguments into. blas/cblas.Call is the same in Go. */
#ifndef LASTBIT_CALL_H
#define LASTBIT_CALL_H

#include <stdint.h>

/* The routines, in the order of blas/cblas/routine.go. */
enum lb_routine {
	LB_COPY, LB_SWAP, LB_AXPY, LB_SCAL, LB_DOT, LB_DOTC, LB_NRM2, LB_ASUM,
	LB_IAMAX, LB_ROT, LB_ROTM,
	LB_GEMV, LB_GBMV, LB_SYMV, LB_SBMV, LB_SPMV, LB_TRMV, LB_TBMV, LB_TPMV,
	LB_TRSV, LB_TBSV, LB_TPSV, LB_GER, LB_GERC, LB_SYR, LB_SPR, LB_SYR2,
	LB_SPR2,
	LB_GEMM, LB_SYMM, LB_HEMM, LB_SYRK, LB_HERK, LB_SYR2K, LB_HER2K, LB_TRMM,
	LB_TRSM,
	LB_GESV, LB_GETRF, LB_POTRF, LB_GEQRF, LB_ORGQR, LB_SYEVD, LB_GESDD,
	LB_GEEV
};

/* Whether a call reads an array, writes it, or both. */
enum lb_direction { LB_IN = 1, LB_OUT = 2, LB_INOUT = 3 };

/* Vectors x and y are in the places of matrices B and C. */
enum lb_slot { LB_A, LB_B, LB_C, LB_D, LB_E, LB_SLOTS, LB_X = LB_B, LB_Y = LB_C };

/* Runs of length elements that begin step apart: of a vector, its elements. */
typedef struct {
	void *at;
	int64_t count; /* elements from the first to the last */
	int64_t length, step;
	int32_t size;     /* bytes of one */
	int32_t direction;
} lb_array;

typedef struct {
	int32_t routine;
	int32_t format; /* 's', 'd', 'c' or 'z' */
	char layout;    /* 'R'ow or 'C'olumn */
	char side, uplo, trans_a, trans_b, diag, job_u, job_v;
	int64_t m, n, k, kl, ku, lda, ldb, ldc, incx, incy;
	double alpha[2], beta[2];
	lb_array array[LB_SLOTS];
	double result[2];
	int64_t info;
} lb_call;

_Static_assert(sizeof(lb_call) == 16 + 80 + 32 + 40 * LB_SLOTS + 24,
	"blas/cblas.Call has the same fields");

/* Computes a call: in this process, or, in one that was forked from it, without
 * the Go runtime. */
void lb_run(lb_call *c);

/* Reports whether this process was forked from the one that loaded the library. */
int lb_is_forked(void);

/* Counts a call. The program reports at its end, if lastbit run asks for it. */
void lb_count_call(void);

/* Computes a call in C, by the trees of package blas. Reports whether it knows
 * the routine. */
int lb_plain(lb_call *c);

/* Lets a new process compute a call. */
void lb_remote(lb_call *c);

/* A warning or an error, on stderr. */
void lb_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
