package trees

import (
	"math"
	"unsafe"

	"gonum.org/v1/gonum/blas"

	ours "github.com/lastbit/lastbit/blas"
	"github.com/lastbit/lastbit/cmd/liblastbit/internal/array"
	"github.com/lastbit/lastbit/ordered"
)

// Heads are matrices, one for each head of a batch: element (i, j) of head h of
// number p is p·Batch + h·Head + i·Row + j·Col elements behind At.
type Heads struct {
	At                    unsafe.Pointer
	Batch, Head, Row, Col int
}

// Attention is softmax((Q⊗scale)·(K⊗scale)ᵀ ⊕ mask)·V for each head. The
// products are chains.
type Attention struct {
	Format               array.Format // Float32 or Float64
	Batch, Heads         int
	Group                int // heads that share keys and values
	Length, Keys         int // rows of Q, rows of K and V
	Width, ValueWidth    int // columns of Q and K, of V
	IsCausal             bool
	Q, K, V              Heads
	Mask                 Heads // of the format; its address may be nil
	Out                  Heads // Col is 1
	Logs                 unsafe.Pointer
	ScaleOfQ, ScaleOfKey float64
}

// Run stores the results in Out, and at Logs log(s) ⊕ m for each row of each
// head, where s and m are the sum and the largest score of its softmax.
func (a *Attention) Run() error {
	switch a.Format {
	case array.Float32:
		attend(a, ours.Ordered{}.Sgemm)
	case array.Float64:
		attend(a, ours.Ordered{}.Dgemm)
	default:
		return ErrUnknown
	}
	return nil
}

// maxScores bounds the elements of the scores that a goroutine holds: some rows
// of them, and one at least.
const maxScores = 1 << 16

// attention is Attention with what its goroutines need.
type attention[T number] struct {
	*Attention
	functions[T]
	multiply gemm[T]
	rows     int // of the scores at a time
}

// attentionBuffers are the buffers of a goroutine.
type attentionBuffers[T number] struct {
	head                int // whose keys and values they hold, or −1
	q, k, v, scores, to []T
	open                []int // scores of each row that may be above −∞
	largest             []T   // of each row
}

func attend[T number](a *Attention, multiply gemm[T]) {
	if a.Length == 0 || a.Keys == 0 || a.ValueWidth == 0 {
		return
	}
	w := attention[T]{Attention: a, functions: functionsOf[T](), multiply: multiply}
	w.rows = min(a.Length, max(1, maxScores/a.Keys))
	blocks := (a.Length + w.rows - 1) / w.rows
	heads := a.Batch * a.Heads
	work := heads * a.Length * a.Keys * (a.Width + a.ValueWidth + 16)
	n := workers(heads*blocks, work)
	buffers := make([]*attentionBuffers[T], n)
	share(n, heads*blocks, func(worker, part int) {
		if buffers[worker] == nil {
			buffers[worker] = w.buffers()
		}
		w.block(buffers[worker], part/blocks, part%blocks*w.rows)
	})
}

func (w *attention[T]) buffers() *attentionBuffers[T] {
	return &attentionBuffers[T]{
		head: -1,
		q:    make([]T, w.rows*w.Width), k: make([]T, w.Keys*w.Width),
		v: make([]T, w.Keys*w.ValueWidth), scores: make([]T, w.rows*w.Keys),
		to: make([]T, w.rows*w.ValueWidth), open: make([]int, w.rows), largest: make([]T, w.rows),
	}
}

// block computes some rows of a head.
func (w *attention[T]) block(b *attentionBuffers[T], head, row int) {
	p, h := head/w.Heads, head%w.Heads
	rows := min(w.rows, w.Length-row)
	if b.head != head {
		b.head = head
		w.copyScaled(b.k, &w.K, p, h/w.Group, 0, w.Keys, w.Width, T(w.ScaleOfKey))
		w.copyScaled(b.v, &w.V, p, h/w.Group, 0, w.Keys, w.ValueWidth, 1)
	}
	w.copyScaled(b.q, &w.Q, p, h, row, rows, w.Width, T(w.ScaleOfQ))
	if w.Width == 0 {
		clear(b.scores)
	} else {
		w.multiply(blas.NoTrans, blas.Trans, rows, w.Keys, w.Width, 1, b.q, w.Width,
			b.k, w.Width, 0, b.scores, w.Keys)
	}
	for i := range rows {
		b.open[i] = w.mask(b.scores[i*w.Keys:(i+1)*w.Keys], p, h, row+i)
	}
	logs := elements[T](w.Logs, w.Batch*w.Heads*w.Length)[head*w.Length+row:]
	w.weights(b, rows, logs[:rows])
	w.multiply(blas.NoTrans, blas.NoTrans, rows, w.ValueWidth, w.Keys, 1, b.scores, w.Keys,
		b.v, w.ValueWidth, 0, b.to, w.ValueWidth)
	for i := range rows {
		copy(elements[T](w.Out.place(p, h, row+i, unsafe.Sizeof(T(0))), w.ValueWidth),
			b.to[i*w.ValueWidth:])
	}
}

// place returns the address of a row of a head.
func (h *Heads) place(p, head, row int, size uintptr) unsafe.Pointer {
	return unsafe.Add(h.At, (p*h.Batch+head*h.Head+row*h.Row)*int(size))
}

// copyScaled copies some rows of a head, multiplied by a factor.
func (w *attention[T]) copyScaled(dst []T, from *Heads, p, head, row, rows, cols int, factor T) {
	size := unsafe.Sizeof(T(0))
	for i := range rows {
		at, to := from.place(p, head, row+i, size), dst[i*cols:(i+1)*cols]
		if from.Col == 1 {
			for j, v := range elements[T](at, cols) {
				to[j] = v * factor
			}
			continue
		}
		for j := range to {
			to[j] = *(*T)(unsafe.Add(at, j*from.Col*int(size))) * factor
		}
	}
}

// mask adds the mask to a row of scores, and returns how many of them may be
// above −∞.
func (w *attention[T]) mask(scores []T, p, head, row int) (open int) {
	if w.Mask.At != nil {
		at := w.Mask.place(p, head, row, unsafe.Sizeof(T(0)))
		for j := range scores {
			scores[j] += *(*T)(unsafe.Add(at, j*w.Mask.Col*int(unsafe.Sizeof(T(0)))))
		}
	}
	if !w.IsCausal || row+1 >= len(scores) {
		return len(scores)
	}
	for j := row + 1; j < len(scores); j++ {
		scores[j] += T(math.Inf(-1))
	}
	return row + 1
}

// weights replaces some rows of scores by their safe softmax, and stores log(s)
// ⊕ m for each. The scores of a row from open on are −∞, or one of all is NaN.
// Short rows take less time in calls for all of them.
func (w *attention[T]) weights(b *attentionBuffers[T], rows int, logs []T) {
	lowest := T(math.Inf(-1))
	for i := range rows {
		scores := b.scores[i*w.Keys : (i+1)*w.Keys]
		if largest(scores[b.open[i]:]) != lowest {
			b.open[i] = w.Keys
		}
		m := largest(scores[:b.open[i]])
		if b.largest[i] = m; m == lowest {
			b.open[i] = 0
		}
		for j := range scores[:b.open[i]] {
			scores[j] -= m
		}
		clear(scores[b.open[i]:])
	}
	all := b.scores[:rows*w.Keys]
	w.exp(all, all)
	for i := range rows {
		scores := b.scores[i*w.Keys : (i+1)*w.Keys]
		clear(scores[b.open[i]:]) // they would add +0 to the sum, at its end
		logs[i] = 1
		if n := b.open[i]; n > 0 {
			logs[i] = ordered.Sum(scores[:n])
			w.kernels.Divide(n, logs[i], &scores[0])
		}
	}
	w.log(logs, logs)
	for i, m := range b.largest[:rows] {
		logs[i] += m
	}
}
