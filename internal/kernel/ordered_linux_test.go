package kernel

import (
	"syscall"
	"testing"
	"unsafe"
)

// TestOrderedAtPageEnds puts inputs at the beginning and end of a page between
// protected pages: a kernel that reads beyond them crashes.
func TestOrderedAtPageEnds(t *testing.T) {
	x, y := pages(t), pages(t)
	page := syscall.Getpagesize()
	for _, level := range Levels() {
		for _, op := range orderedOps {
			for n := range 301 {
				atEnds(level, op, unsafe.Slice((*float64)(unsafe.Pointer(&x[0])), page/8),
					unsafe.Slice((*float64)(unsafe.Pointer(&y[0])), page/8), n)
				atEnds(level, op, unsafe.Slice((*float32)(unsafe.Pointer(&x[0])), page/4),
					unsafe.Slice((*float32)(unsafe.Pointer(&y[0])), page/4), n)
			}
		}
	}
}

func atEnds[T float32 | float64](level Level, op OrderedOp, x, y []T, n int) {
	OrderedBlock(level, op, x[:n], y[:n], nil, 0, nil)
	OrderedBlock(level, op, x[len(x)-n:], y[len(y)-n:], nil, 0, nil)
	if 1 <= n && n <= OrderedLanes[T]() {
		NewChain[T](level).AddTerms(op, n, &x[0], &y[0])
		NewChain[T](level).AddTerms(op, n, &x[len(x)-n], &y[len(y)-n])
	}
}

// pages returns a page of zeros between two that must not be touched.
func pages(t *testing.T) []byte { return pagesOf(t, 1) }

// pagesOf returns pages for some bytes, between pages that may not be touched.
func pagesOf(t *testing.T, size int) []byte {
	page := syscall.Getpagesize()
	size = (size + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(all) })
	for _, at := range []int{0, size + page} {
		if err := syscall.Mprotect(all[at:at+page], syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return all[page : size+page]
}
