package gofunc

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// The models compute every row of a matrix as kernels of accelerators do, in a
// split that the end of the address gives: "go:rmsnorm:256" has 256 threads. In
// each, T rounds every operation; for rows of 16-bit numbers T is float32, and
// results are rounded in the end.
//
//   - go:rmsnorm:B is x/√(Σx²/n + 1e-6) by B threads. Thread t adds the squares
//     of elements t, t+B, t+2B, …; the sums of threads i and i+B/2 meet, then
//     the sums of i and i+B/4, and so on. go:rmsnorm:vllm has 1024 threads for
//     fewer than 256 rows and 256 otherwise, as vLLM's kernel had.
//   - go:softmax:B adds exp(x−max x) in chains of B, and their sums in a chain.
//   - go:attention:B is one query of zeros over keys in blocks of B, with
//     online rescaling: o·exp(m−m') + Σ exp(0−m')·v for each block, o/l at the
//     end.
//
// Without an end there is one thread, or one block.
func modelEntries() []entry {
	formats := []fp.Format{fp.Binary32, fp.Binary64, fp.Binary16, fp.BFloat16}
	one := func(op probe.Op) entry {
		return entry{address: "go:" + string(op), ops: []probe.Op{op}, dtypes: formats, split: true,
			open: openModel}
	}
	return []entry{one(probe.RMSNorm), one(probe.Softmax), one(probe.Attention)}
}

// vllm is the split of vLLM's RMSNorm: threads by the number of rows.
const vllm = "vllm"

// splitOf returns the entry of an address that ends in a split.
func (e entry) splitOf(address string) (entry, bool) {
	head, end, ok := cutLast(address)
	if !e.split || !ok || !strings.EqualFold(e.address, head) {
		return e, false
	}
	b, err := strconv.Atoi(end)
	if (err != nil || b < 1) && !(strings.EqualFold(end, vllm) && e.ops[0] == probe.RMSNorm) {
		return e, false
	}
	e.address, e.block = e.address+":"+strings.ToLower(end), b
	return e, true
}

// cutLast splits an address at its last colon.
func cutLast(address string) (head, end string, ok bool) {
	at := strings.LastIndexByte(address, ':')
	if at < 0 {
		return address, "", false
	}
	return address[:at], address[at+1:], true
}

// openModel opens a model.
func openModel(e entry, s probe.Spec) (computer, error) {
	block := e.block
	if strings.HasSuffix(e.address, ":"+vllm) {
		block = 256
		if s.M < 256 {
			block = 1024
		}
	}
	if s.DType == fp.Binary64 {
		return newRows(s, model[float64](s.Op, block)), nil
	}
	return newRows(s, model[float32](s.Op, block)), nil
}

// model returns the function of a row; a block of 0 is the whole of it.
func model[T float](op probe.Op, block int) func(x []T) T {
	switch op {
	case probe.RMSNorm:
		return func(x []T) T { return rmsNorm(x, max(block, 1)) }
	case probe.Softmax:
		return func(x []T) T { return softmax(x, blockOf(block, len(x))) }
	}
	return func(x []T) T { return attention(x, blockOf(block, len(x))) }
}

func blockOf(block, n int) int {
	if block == 0 {
		return n
	}
	return block
}

// rmsNorm returns the output at the element of largest magnitude.
func rmsNorm[T float](x []T, threads int) T {
	sums := make([]T, min(threads, len(x))) // the other threads add +0
	for rest := x; len(rest) > 0; rest = rest[min(threads, len(rest)):] {
		for t, v := range rest[:min(threads, len(rest))] {
			sums[t] += T(v * v)
		}
	}
	for width := threads; width > 1; {
		half := (width + 1) / 2
		for i := half; i < min(width, len(sums)); i++ {
			sums[i-half] += sums[i]
		}
		width = half
	}
	const eps = 1e-6
	mean := sums[0]/T(len(x)) + eps
	top := x[0]
	for _, v := range x[1:] {
		if v > top && v > -top || v < top && v < -top {
			top = v
		}
	}
	return top * (1 / squareRoot(mean))
}

func squareRoot[T float](v T) T { return T(math.Sqrt(float64(v))) }

//lastbit:ignore libm the function of the model
func exponential[T float](v T) T { return T(math.Exp(float64(v))) }

// softmax returns the output at the smallest element above −∞.
func softmax[T float](x []T, block int) T {
	top, least := T(math.Inf(-1)), T(math.Inf(1))
	for _, v := range x {
		top = max(top, v)
		if v < least && !math.IsInf(float64(v), -1) {
			least = v
		}
	}
	var sum T
	for at := 0; at < len(x); at += block {
		var part T
		for _, v := range x[at:min(at+block, len(x))] {
			part += exponential(v - top)
		}
		sum += part
	}
	return exponential(least-top) / sum
}

// attention returns the output for the values x, all keys having score 0.
func attention[T float](x []T, block int) T {
	m, l, o := T(math.Inf(-1)), T(0), T(0)
	for at := 0; at < len(x); at += block {
		const score = 0
		now := max(m, score)
		scale := exponential(m - now)
		weight := exponential(score - now)
		var weights, values T
		for _, v := range x[at:min(at+block, len(x))] {
			weights += weight
			values += T(weight * v)
		}
		l = T(l*scale) + weights
		o = T(o*scale) + values
		m = now
	}
	return o / l
}

// rows computes a function of every row of a matrix.
type rows[T float] struct {
	x    operand[T]
	n, m int
	out  []T
	f    func(x []T) T
	to   fp.Format    // of results
	last *probe.Batch // of the last call
	todo []int        // rows to compute
}

func newRows[T float](s probe.Spec, f func(x []T) T) *rows[T] {
	m := max(s.M, 1)
	return &rows[T]{x: aligned[T](m*s.N, s.Align), n: s.N, m: m, out: make([]T, m), f: f,
		to: s.DType}
}

func (r *rows[T]) lanes() int { return r.m }

// load takes the inputs of a batch. Rows without a changed element keep their
// results.
func (r *rows[T]) load(b *probe.Batch) {
	known := b.Changed != nil && b == r.last
	r.last, r.todo = b, r.todo[:0]
	if !known {
		narrow(r.x.v, 1, b.X)
		for k := range r.m {
			r.todo = append(r.todo, k)
		}
		return
	}
	from, to := 0, 0 // of the row that changed last
	for _, i := range b.Changed {
		r.x.v[i] = T(b.X[i])
		if i < from || i >= to {
			k := i / r.n
			from, to = k*r.n, (k+1)*r.n
			r.todo = append(r.todo, k)
		}
	}
}

func (r *rows[T]) compute() {
	for _, k := range r.todo {
		r.out[k] = r.f(r.x.v[k*r.n : (k+1)*r.n])
	}
}

func (r *rows[T]) reach() probe.Placement { return probe.Placement{X: reach} }

func (r *rows[T]) move(at probe.Placement) {
	r.x.move(at.X)
	r.last = nil
}

func (r *rows[T]) store(out []float64) {
	for k, v := range r.out {
		out[k] = r.to.Round(float64(v), fp.NearestEven)
	}
}

// unknown returns the fault of an address that no entry has.
func unknown(address string) error {
	return &probe.Fault{ID: "unknown-target", Thing: address,
		Cause: "no Go function has this address",
		Cure: fmt.Sprintf("there are %s; go:rmsnorm, go:softmax and go:attention may end in a "+
			"split, such as go:rmsnorm:256", strings.Join(Names(), ", "))}
}
