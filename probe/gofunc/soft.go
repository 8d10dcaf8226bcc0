package gofunc

import (
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// soft computes in a format that Go has no type for.
type soft struct{ f fp.Format }

func (a soft) add(x, y float64) float64    { return a.f.Add(x, y, fp.NearestEven) }
func (a soft) mul(x, y float64) float64    { return a.f.Mul(x, y, fp.NearestEven) }
func (a soft) fma(x, y, z float64) float64 { return a.f.FMA(x, y, z, fp.NearestEven) }

// softLoop returns the loop of an address for a format, or nil. It has the
// algorithm of the compiled loop.
func softLoop(address string, op probe.Op, f fp.Format) func(x, y []float64) float64 {
	a := soft{f}
	if op == probe.SumSq {
		return a.squares(address)
	}
	switch address + " " + string(op) {
	case "go:naive sum", "go:naive dot":
		return a.naive
	case "go:pairwise sum":
		return func(x, _ []float64) float64 { return a.pairwise(x) }
	case "go:kahan sum", "go:kahan dot":
		return a.kahan
	case "go:neumaier sum":
		return func(x, _ []float64) float64 { return a.neumaier(x) }
	case "go:fma dot":
		return a.fmaDot
	}
	return nil
}

// squares returns the loop of an address over squares, or nil.
func (a soft) squares(address string) func(x, y []float64) float64 {
	switch address {
	case "go:naive":
		return func(x, _ []float64) float64 { return a.naive(x, x) }
	case "go:kahan":
		return func(x, _ []float64) float64 { return a.kahan(x, x) }
	case "go:fma":
		return func(x, _ []float64) float64 { return a.fmaDot(x, x) }
	case "go:pairwise":
		return func(x, _ []float64) float64 {
			y := make([]float64, len(x))
			for i, v := range x {
				y[i] = a.mul(v, v)
			}
			return a.pairwise(y)
		}
	}
	return nil
}

// summand returns x[i], or the rounded product if there is a second factor.
func (a soft) summand(x, y []float64, i int) float64 {
	if y == nil {
		return x[i]
	}
	return a.mul(x[i], y[i])
}

func (a soft) naive(x, y []float64) float64 {
	s := 0.0
	for i := range x {
		s = a.add(s, a.summand(x, y, i))
	}
	return s
}

func (a soft) fmaDot(x, y []float64) float64 {
	s := 0.0
	for i := range x {
		s = a.fma(x[i], y[i], s)
	}
	return s
}

func (a soft) pairwise(x []float64) float64 {
	if len(x) == 1 {
		return x[0]
	}
	return a.add(a.pairwise(x[:len(x)/2]), a.pairwise(x[len(x)/2:]))
}

func (a soft) kahan(x, y []float64) float64 {
	var s, c float64
	for i := range x {
		v := a.add(a.summand(x, y, i), -c)
		t := a.add(s, v)
		s, c = t, a.add(a.add(t, -s), -v)
	}
	return s
}

func (a soft) neumaier(x []float64) float64 {
	var s, c float64
	for _, v := range x {
		t := a.add(s, v)
		if math.Abs(s) >= math.Abs(v) {
			c = a.add(c, a.add(a.add(s, -t), v))
		} else {
			c = a.add(c, a.add(a.add(v, -t), s))
		}
		s = t
	}
	return a.add(s, c)
}
