package libm

import (
	"context"
	"fmt"
	"math"

	"github.com/lastbit/lastbit/fp"
)

// A Witness is a result of a function that another run gave otherwise.
type Witness struct {
	Result string   `json:"result,omitempty"` // of a function with two: sin, cos
	At     []Number `json:"at"`               // the arguments
	AtBits []string `json:"at_bits"`
	// There is the other run's result. It is empty where that is more than
	// maxApart units from the result here and from the right one.
	There     Number `json:"there,omitempty"`
	ThereBits string `json:"there_bits,omitempty"`
	Here      Number `json:"here"`
	HereBits  string `json:"here_bits"`
}

// maxApart bounds the distance of results that are found from their hash, in
// units in the last place.
const maxApart = 4096

// Witnesses calls functions of a library of this machine, and finds for each a
// result that differs from another run's. Of that run it knows the sums only.
// Functions without such a result are left out.
func Witnesses(ctx context.Context, library string, format fp.Format, run Python,
	there map[string]Sums,
) (map[string]*Witness, error) {
	if format == fp.Binary32 {
		return witnesses[float32](ctx, library, run, there)
	}
	return witnesses[float64](ctx, library, run, there)
}

func witnesses[T Float](ctx context.Context, library string, run Python, there map[string]Sums,
) (map[string]*Witness, error) {
	var asked []*Function[T]
	for _, f := range Functions[T]() {
		if there[f.Name] != nil {
			asked = append(asked, f)
		}
	}
	l, err := libraryOf[T](ctx, library, run)
	if err != nil {
		return nil, err
	}
	jobs, err := l.call(asked)
	if err != nil {
		return nil, uncallable(ctx, l.Version, err)
	}
	found := map[string]*Witness{}
	for _, j := range jobs {
		w, err := j.witness(there[j.Function.Name])
		if err != nil {
			return nil, err
		}
		if w != nil {
			found[j.Function.Name] = w
		}
	}
	return found, ctx.Err()
}

// witness returns a result that another run with some sums gave otherwise, nil
// where they lead to none.
func (j *Job[T]) witness(there Sums) (*Witness, error) {
	hash := func(i int) uint64 { return sumHash(i, bitsOf(j.Out[i])) }
	i, other, ok := there.changed(sumsOf(j.Out), len(j.Out), hash)
	if !ok {
		return nil, nil
	}
	x, y, result := j.arguments(i)
	w := &Witness{At: []Number{numberOf(x)}, AtBits: []string{hexOf(x)},
		Here: numberOf(j.Out[i]), HereBits: hexOf(j.Out[i])}
	if j.Y != nil {
		w.At, w.AtBits = append(w.At, numberOf(y)), append(w.AtBits, hexOf(y))
	}
	if j.Function.Results == 2 {
		w.Result = []string{"sin", "cos"}[result]
	}
	right := make([]T, j.Function.Results)
	if err := j.Function.right(right, []T{x}, []T{y}); err != nil {
		return nil, err
	}
	for _, near := range []T{j.Out[i], right[result], 0, T(math.Copysign(0, -1)),
		T(math.Inf(1)), T(math.Inf(-1)), T(math.NaN())} {
		if v, ok := hashed(i, other, near); ok {
			w.There, w.ThereBits = numberOf(v), hexOf(v)
			break
		}
	}
	return w, nil
}

// hashed returns the number with a hash as result i, of those near another one.
func hashed[T Float](i int, hash uint64, near T) (v T, ok bool) {
	for k := range uint64(maxApart) {
		for _, u := range []uint64{bitsOf(near) + k, bitsOf(near) - k} {
			if v := ofBits[T](u); sumHash(i, bitsOf(v)) == hash {
				return v, true
			}
		}
	}
	return 0, false
}

// ofBits returns the number with some bits.
func ofBits[T Float](u uint64) T {
	if FormatOf[T]() == fp.Binary32 {
		return T(math.Float32frombits(uint32(u)))
	}
	return T(math.Float64frombits(u))
}

// hexOf returns the bits of a number in hexadecimal. All NaNs are the same.
func hexOf[T Float](v T) string {
	return fmt.Sprintf("0x%0*x", 2*FormatOf[T]().Bytes(), bitsOf(v))
}
