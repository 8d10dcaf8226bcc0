package sumtree

import (
	"math/big"
	"slices"

	"github.com/lastbit/lastbit/fp"
)

// together is the number of inputs that a pass over the tree adds: memory is
// read once for all, and in larger pieces.
const together = 4

// room is memory that replayers of one tree share. Each part is made when it is
// needed.
type room struct {
	val     []float64    // of all nodes
	up      []int32      // their parents
	flushed [2][]float64 // inputs
	paths   paths
	single  [][together]float32
	double  [][together]float64
	wide    []big.Float // of all nodes
}

// Sums replays several inputs, each as Sum does. y is nil for sums, or has as
// many entries as x. Ordinary additions take less time than by Sum.
func (r *Replayer) Sums(x, y [][]float64) ([]float64, error) {
	out := make([]float64, len(x))
	var dense []int
	for j := range x {
		s, ok, err := r.sumSparse(x[j], second(y, j))
		if err != nil {
			return nil, err
		}
		if out[j] = s; !ok {
			dense = append(dense, j)
		}
	}
	for some := range slices.Chunk(dense, together) {
		if err := r.sumSome(some, x, y, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// second returns the second factors of input j, nil for sums.
func second(y [][]float64, j int) []float64 {
	if y == nil {
		return nil
	}
	return y[j]
}

// sumSome replays up to together inputs, those numbered some.
func (r *Replayer) sumSome(some []int, x, y [][]float64, out []float64) error {
	var err error
	added := true
	switch {
	case len(some) == 1:
		added = false
	case r.plain && r.a.Nodes.Mode == fp.NearestEven && r.a.Nodes.Acc == fp.Binary64:
		err = addSome(r, &r.room.double, some, x, y, out)
	case r.plain && r.a.Nodes.Mode == fp.NearestEven && r.addsSingle():
		err = addSome(r, &r.room.single, some, x, y, out)
	case r.takesQuick():
		return r.addQuick(some, x, y, out)
	default:
		added = false
	}
	for _, j := range some {
		if err != nil {
			break
		}
		if added && out[j] != 0 {
			out[j] = r.finish(r.rootArith(), out[j], x[j])
		} else { // the sign of a zero may depend on the leaves
			out[j], err = r.sumAll(x[j], second(y, j))
		}
	}
	return err
}

// addSome adds the summands of up to together inputs: see isPlain. T holds all
// sums. Each takes the place of its first operand.
func addSome[T float32 | float64](
	r *Replayer, room *[][together]T, some []int, x, y [][]float64, out []float64,
) error {
	if *room == nil {
		*room = make([][together]T, r.t.Leaves())
	}
	val := *room
	for k, j := range some {
		summands, err := r.summands(x[j], second(y, j))
		if err != nil {
			return err
		}
		for i, v := range summands {
			val[i][k] = T(v)
		}
	}
	slots := r.t.slots()
	for k := 0; k+1 < len(slots); k += 2 {
		a, b := &val[slots[k]], &val[slots[k+1]]
		a[0] += b[0]
		a[1] += b[1]
		a[2] += b[2]
		a[3] += b[3]
	}
	for k, j := range some {
		out[j] = float64(val[0][k])
	}
	return nil
}

// takesQuick reports whether addQuick takes the arithmetic: see isQuick. An
// addition that is not quick is computed from the values of its operands.
func (r *Replayer) takesQuick() bool {
	return r.isQuick() && r.quick[0] == quickSingle && r.centre == nil && r.a.Significand == 0 &&
		(r.fused == nil || r.a.Tiny == TinyStored)
}

// addQuick replays up to together inputs, where takesQuick.
func (r *Replayer) addQuick(some []int, x, y [][]float64, out []float64) error {
	if r.room.double == nil {
		r.room.double = make([][together]float64, r.t.Leaves())
	}
	val := r.room.double
	var onlyZeros [together]bool
	for k, j := range some {
		if err := r.take(x[j], second(y, j)); err != nil {
			return err
		}
		onlyZeros[k] = r.onlyZeros()
		for i, v := range r.val[:len(val)] {
			val[i][k] = v
		}
	}
	slots := r.t.slots()
	for k := 0; k+1 < len(slots); k += 2 {
		a, b := &val[slots[k]], &val[slots[k+1]]
		for j := range some {
			s, ok := quickSingle.sum(a[j], b[j])
			if !ok {
				s = r.innerOf(k/2, a[j], b[j])
			}
			a[j] = s
		}
	}
	for k, j := range some {
		out[j] = r.finishOf(r.rootArith(), val[0][k], x[j], onlyZeros[k])
	}
	return nil
}

// innerOf returns the sum of inner node k of two operands with the values a and
// b.
func (r *Replayer) innerOf(k int, a, b float64) float64 {
	kids := r.t.kids[2*k : 2*k+2]
	r.val[kids[0]], r.val[kids[1]] = a, b
	return r.inner(k)
}

// summands returns the values of the leaves, which the next call may change.
func (r *Replayer) summands(x, y []float64) ([]float64, error) {
	if r.takesInputs() {
		err := r.prepare(x, y)
		return r.x, err
	}
	if err := r.take(x, y); err != nil {
		return nil, err
	}
	return r.val[:r.t.Leaves()], nil
}

// takesInputs reports whether the values of the leaves are the inputs, or what
// prepare makes of them.
func (r *Replayer) takesInputs() bool {
	return !r.a.Products && r.a.Weights == nil && r.a.Rescale == 0 && r.a.Starts == nil
}
