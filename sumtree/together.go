package sumtree

import "github.com/lastbit/lastbit/fp"

// together is the number of inputs that a pass over the tree adds: memory is
// read once for all, and in larger pieces.
const together = 4

// room is memory that replayers of one tree share. Each part is made when it is
// needed.
type room struct {
	val    []float64 // of all nodes
	single [][together]float32
	double [][together]float64
}

// Sums replays several inputs, each as Sum does. y is nil for sums, or has as
// many entries as x. Ordinary additions take less time than by Sum.
func (r *Replayer) Sums(x, y [][]float64) ([]float64, error) {
	out := make([]float64, len(x))
	for k := 0; k < len(x); k += together {
		end := min(k+together, len(x))
		var second [][]float64
		if y != nil {
			second = y[k:end]
		}
		if err := r.sumSome(x[k:end], second, out[k:end]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// sumSome replays up to together inputs.
func (r *Replayer) sumSome(x, y [][]float64, out []float64) error {
	second := func(j int) []float64 {
		if y == nil {
			return nil
		}
		return y[j]
	}
	var err error
	added := false
	switch {
	case len(x) == 1 || !r.plain || r.a.Nodes.Mode != fp.NearestEven:
	case r.a.Nodes.Acc == fp.Binary64:
		added, err = true, addSome(r, &r.room.double, x, second, out)
	case r.addsSingle():
		added, err = true, addSome(r, &r.room.single, x, second, out)
	}
	for j := 0; j < len(x) && err == nil; j++ {
		if added && out[j] != 0 {
			out[j] = r.finish(r.a.Nodes, out[j], x[j])
		} else { // the sign of a zero may depend on the leaves
			out[j], err = r.Sum(x[j], second(j))
		}
	}
	return err
}

// addSome adds the summands of up to together inputs: see isPlain. T holds all
// sums. Each takes the place of its first operand.
func addSome[T float32 | float64](
	r *Replayer, room *[][together]T, x [][]float64, y func(j int) []float64, out []float64,
) error {
	if *room == nil {
		*room = make([][together]T, r.t.Leaves())
	}
	val := *room
	for j := range x {
		summands, err := r.summands(x[j], y(j))
		if err != nil {
			return err
		}
		for i, v := range summands {
			val[i][j] = T(v)
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
	for j := range out {
		out[j] = float64(val[0][j])
	}
	return nil
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
