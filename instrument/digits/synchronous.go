package digits

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/instrument"
	"github.com/lastbit/lastbit/instrument/perturb"
)

// The kinds of instabilities of three-sample arithmetic (Vignes1993).
const (
	LostDigits      = "cancellation"            // a sum has 4 digits less than its operands
	NoiseBranch     = "unstable branch"         // a comparison of numbers whose difference is noise
	NoiseProduct    = "unstable multiplication" // both factors are noise
	NoiseDivision   = "unstable division"       // the divisor is noise
	NoiseFunction   = "unstable function"       // the argument is noise
	NoiseConversion = "unstable conversion"     // to an integer, of noise or by a branch
)

// An Instability counts the executions of a line that the three-sample type
// warns of, among those that records keep.
type Instability struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Kind  string `json:"kind"`
	Count int    `json:"count"`
	First uint64 `json:"first"` // the number of the execution, from 1
}

// A Synchronous report holds what three samples that go the same way show at
// each operation, and not in the end only.
type Synchronous struct {
	Instabilities []Instability `json:"instabilities"`

	// Apart are lines that three runs execute a different number of times,
	// after a branch that differs: there samples cannot be compared.
	Apart []Place `json:"apart"`
}

// A Place is a line of the source.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// OrderError reports a program whose operations come in another order when it
// runs again with the same roundings.
type OrderError struct{ Place }

func (e *OrderError) Error() string {
	return fmt.Sprintf("digits: %s:%d computes other numbers, or in another order, when the "+
		"program runs again", e.File, e.Line)
}

// samplesOfType is the number of samples of the three-sample type.
const samplesOfType = 3

// synchronous compares the first three runs operation by operation.
func (a *analysis) synchronous(runs [][]perturb.Record) (*Synchronous, error) {
	if len(runs) < samplesOfType {
		return nil, fmt.Errorf("digits: three samples need %d runs, not %d", samplesOfType,
			len(runs))
	}
	s := &Synchronous{Instabilities: []Instability{}, Apart: []Place{}}
	for i, site := range a.program.Sites {
		at := Place{site.File, site.Line}
		if a.unordered[i] {
			return nil, &OrderError{at}
		}
		records := []*perturb.Record{&runs[0][i], &runs[1][i], &runs[2][i]}
		if records[0].Count != records[1].Count || records[0].Count != records[2].Count {
			if !slices.Contains(s.Apart, at) {
				s.Apart = append(s.Apart, at)
			}
			continue
		}
		for k := range records[0].Sample {
			x, y, r, ok := samples(records, k)
			if !ok {
				continue
			}
			if kind := instability(site.Kind, x, y, r); kind != "" {
				s.add(at, kind, records[0].Sample[k].Number)
			}
		}
	}
	slices.SortStableFunc(s.Instabilities, func(x, y Instability) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
	})
	return s, nil
}

// add counts an instability.
func (s *Synchronous) add(at Place, kind string, number uint64) {
	i := slices.IndexFunc(s.Instabilities, func(o Instability) bool {
		return Place{o.File, o.Line} == at && o.Kind == kind
	})
	if i < 0 {
		i = len(s.Instabilities)
		s.Instabilities = append(s.Instabilities, Instability{at.File, at.Line, kind, 0, number})
	}
	s.Instabilities[i].Count++
}

// cancelDigits is the loss of digits that counts as a cancellation, as in
// CADNA.
const cancelDigits = 4

// instability returns the kind of an execution with operands x and y and the
// result r, of three samples each, or "".
func instability(kind instrument.Kind, x, y, r []float64) string {
	switch kind {
	case instrument.Sum:
		if min(confident(x), confident(y))-confident(r) >= cancelDigits {
			return LostDigits
		}
	case instrument.Product:
		if isNoise(x) && isNoise(y) {
			return NoiseProduct
		}
	case instrument.Quotient:
		if isNoise(y) {
			return NoiseDivision
		}
	case instrument.Function:
		if isNoise(x) {
			return NoiseFunction
		}
	case instrument.Comparison:
		if isNoise([]float64{x[0] - y[0], x[1] - y[1], x[2] - y[2]}) {
			return NoiseBranch
		}
	case instrument.ToInteger:
		if isNoise(x) || r[0] != r[1] || r[0] != r[2] {
			return NoiseConversion
		}
	}
	return ""
}

// student is the quantile of Student's distribution with two degrees of freedom
// for 95 % confidence.
const student = 4.303

// confident returns the decimal digits that three samples share with 95 %
// confidence.
func confident(values []float64) float64 {
	mean, deviation := moments(values) // of the mean: a sample's, divided by √3
	switch {
	case deviation == 0 || deviation-deviation != 0 || mean-mean != 0:
		return MaxDigits
	case mean == 0:
		return 0
	}
	return max(0, min(MaxDigits, crmath.Log10(math.Abs(mean)/(student*deviation))))
}

// isNoise reports whether three samples share no digit: a computational zero,
// except 0 itself, which is exact.
func isNoise(values []float64) bool { return confident(values) == 0 }
