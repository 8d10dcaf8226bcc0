package perturb

import (
	"math"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// other is the label of all goroutines but the first one, whose executions have
// an order. It is an empty set of labels of package runtime/pprof, as which
// Go's profilers read it: a goroutine passes its labels on to those that it
// starts, and they cost nothing.
var other = new([4]uintptr)

//go:linkname labels runtime/pprof.runtime_getProfLabel
func labels() unsafe.Pointer

//go:linkname setLabels runtime/pprof.runtime_setProfLabel
func setLabels(unsafe.Pointer)

// isOther reports whether the caller is not the first goroutine.
func isOther() bool { return isForked.Load() && labels() == unsafe.Pointer(other) }

// isForked is set when a second goroutine starts.
var isForked atomic.Bool

// Fork prepares the goroutine that the next go statement starts, and returns
// the labels of this one.
func Fork() unsafe.Pointer {
	if !recording {
		return nil
	}
	began()
	l := labels()
	setLabels(unsafe.Pointer(other))
	return l
}

// Forked ends what Fork began.
func Forked(l unsafe.Pointer) {
	if recording {
		setLabels(l)
		yield(atomic.AddUint64(&header.Forked, 1))
	}
}

// Started returns f for a goroutine that a function of the standard library
// starts.
func Started(f func()) func() {
	if !recording {
		return f
	}
	began()
	return func() {
		setLabels(unsafe.Pointer(other))
		f()
	}
}

func began() {
	if !isForked.Load() {
		atomic.StoreUint64(&header.Forked, 1)
		isForked.Store(true)
	}
}

// yield lets another goroutine run, at times, if Header.Jitter is set.
func yield(n uint64) {
	if header.Jitter != 0 && mix(n+header.Jitter<<32)&1 != 0 {
		runtime.Gosched()
	}
}

// spread keeps an execution of another goroutine than the first: for each
// remainder of a hash of its operands, the execution with the smallest hash.
// Operands count with their leading bits, so that runs whose roundings differ
// keep the same ones, whatever goroutine executes them, and when.
func (rec *Record) spread(a, b, r float64) {
	set(&rec.Shared)
	h := mix(mix(leading(a))+leading(b)) | 1
	at := &rec.Spread[h>>1%Spread]
	if old := atomic.LoadUint64(&at.Number); old != 0 && old < h {
		return
	}
	rec.lock()
	if at.Number == 0 || h < at.Number || h == at.Number && isBefore(a, b, at) {
		atomic.StoreUint64(&at.Number, h)
		at.A, at.B, at.R = a, b, r
	}
	rec.unlock()
}

// leading returns the bits of an operand, rounded to the first 30 of the
// significand: numbers a little below and above a short one are alike.
func leading(x float64) uint64 {
	const trailing = 22
	return (math.Float64bits(x) + 1<<(trailing-1)) >> trailing
}

// isBefore orders executions by their operands.
func isBefore(a, b float64, s *Sample) bool {
	x, y := math.Float64bits(a), math.Float64bits(s.A)
	return x < y || x == y && math.Float64bits(b) < math.Float64bits(s.B)
}

// lock waits for the record: the holder writes a few words.
func (rec *Record) lock() {
	for !atomic.CompareAndSwapUint32(&rec.Lock, 0, 1) {
		runtime.Gosched()
	}
}

func (rec *Record) unlock() { atomic.StoreUint32(&rec.Lock, 0) }
