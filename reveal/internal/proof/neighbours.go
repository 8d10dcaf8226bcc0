package proof

import (
	"math"
	"math/bits"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// A function that adds neighbours first, as the trapezoidal rule does, is a sum
// of z[i] = x[i] + x[i+1]. Not every z is reachable, but those with few values
// that are not zero are: alternating ±v from x[i+1] to the end make z[i] = v
// and zeros after it, and so do alternating ones from x[i] down to x[0].

// minNeighbours is the least number of inputs whose sums of neighbours are
// looked for: of two inputs there is one sum.
const minNeighbours = 3

// addedTwice is the number of sums of neighbours that AddsNeighbours compares.
const addedTwice = 4

// AddsNeighbours reports whether the result depends on the sums of neighbours
// only, as far as few questions show it: alternating numbers give 0, and two
// inputs with one sum that is not zero give the same.
func AddsNeighbours(c *ask.Channel) (bool, error) {
	if c.N < minNeighbours {
		return false, nil
	}
	rng := ask.RandApart(c, "neigh")
	draw := func() float64 {
		return c.Key.DType.Round(1+float64(rng.Float64()*0.999), fp.NearestEven)
	}
	alternate := func(from, to int, v float64) ask.Fill {
		return func(row []float64) {
			for i := from; i < to; i++ {
				row[i] = v
				v = -v
			}
		}
	}
	fills := []ask.Fill{alternate(0, c.N, draw())}
	for range addedTwice {
		i, v := rng.IntN(c.N-1), draw()
		before := v // of the alternating numbers that end with v
		if i%2 == 1 {
			before = -v
		}
		fills = append(fills, alternate(0, i+1, before), alternate(i+1, c.N, v))
	}
	out, err := c.AskMain(nil, fills...)
	if err != nil || out[0] != 0 {
		return false, err
	}
	for k := 1; k < len(out); k += 2 {
		if out[k] == 0 || out[k] != out[k+1] {
			return false, nil
		}
	}
	return true, nil
}

// InputsFromNeighbourSums writes inputs x of format f whose sums of neighbours
// are z: x[i] + x[i+1] = z[i], where x is one longer than z. The equations hold
// rounded to float64 if possible, so that wider sums are the same, and
// otherwise rounded to f. It reports whether it found such inputs. z has few
// values that are not zero.
func InputsFromNeighbourSums(f fp.Format, z, x []float64) bool {
	var at []int
	for i, v := range z {
		if v != 0 {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(i, j int) int {
		return cmpSize(z[i], z[j])
	})
	if len(at) == 0 {
		for i := range x {
			x[i] = z[min(i, len(z)-1)]
		}
		return true
	}
	for _, sums := range []fp.Format{fp.Binary64, f} {
		for _, i := range at {
			for _, zero := range []int{i + 1, i} {
				inputsNear(f, zero, z, x)
				if areNeighbourSums(sums, z, x) {
					return true
				}
			}
		}
	}
	return false
}

// cmpSize compares the sizes of a and b.
func cmpSize(a, b float64) int {
	switch a, b = math.Abs(a), math.Abs(b); {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// inputsNear writes inputs whose sums of neighbours are near to z. The one with
// index zero is 0.
func inputsNear(f fp.Format, zero int, z, x []float64) {
	x[zero] = 0
	for i := zero; i < len(z); i++ {
		x[i+1] = add(f, z[i], -x[i])
	}
	for i := zero - 1; i >= 0; i-- {
		x[i] = add(f, z[i], -x[i+1])
	}
}

// areNeighbourSums reports whether the sums of neighbours, rounded to f, are z.
func areNeighbourSums(f fp.Format, z, x []float64) bool {
	for i, v := range z {
		if add(f, x[i], x[i+1]) != v {
			return false
		}
	}
	return true
}

// add returns a + b rounded to nearest even.
func add(f fp.Format, a, b float64) float64 {
	switch f {
	case fp.Binary64:
		return a + b
	case fp.Binary32:
		return float64(float32(a) + float32(b))
	}
	return f.Add(a, b, fp.NearestEven)
}

// spread returns finite inputs whose sums of neighbours are near to z, which is
// made smaller where its size leaves no room for the inputs.
func spread(c *ask.Channel, z []float64) []float64 {
	f := c.Key.DType
	if top := f.MaxExp() - 2 - bits.Len(uint(len(z))); slices.ContainsFunc(z, func(v float64) bool {
		return math.Abs(v) >= math.Ldexp(1, top)
	}) {
		for i := range z {
			z[i] = f.Round(math.Ldexp(z[i], top-f.MaxExp()), fp.NearestEven)
		}
	}
	x := make([]float64, len(z)+1)
	inputsNear(f, c.Rand.IntN(len(x)), z, x)
	return x
}
