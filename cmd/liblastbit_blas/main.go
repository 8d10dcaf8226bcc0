//go:build cgo && linux

// Command liblastbit_blas is a BLAS and LAPACK with the same bits on every
// machine, as a shared library under the names that NumPy and SciPy call:
//
//	go build -buildmode=c-shared -o liblastbit_blas.so ./cmd/liblastbit_blas
//	lastbit run -- python3 script.py
//
// The C files bring the arguments of each symbol into one form (call.h), which
// blas/cblas computes (run.c). In a forked process, where the Go runtime does
// not work, plain.c computes the commonest routines by the same trees, and
// remote.c lets a new process compute the others. lapack.c and forward.S pass
// on what blas/cblas has not.
package main

// #cgo CFLAGS: -std=c11 -O2 -Wall
// #cgo LDFLAGS: -lm -ldl -lpthread
// #include "call.h"
import "C"

import (
	"fmt"
	"os"
	"unsafe"

	"github.com/lastbit/lastbit/blas/cblas"
)

//export lastbitCall
func lastbitCall(c *C.lb_call) {
	if err := (*cblas.Call)(unsafe.Pointer(c)).Run(); err != nil {
		fmt.Fprintln(os.Stderr, "liblastbit_blas:", err)
	}
}

func main() {}
