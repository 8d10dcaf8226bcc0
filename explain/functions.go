package explain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
)

// Function is an implementation of an elementary function.
type Function struct {
	Name  string // of the library, "glibc 2.36"
	Exact bool   // its results are correctly rounded
	// Wide is whether it computes in a longer format and rounds the result,
	// which is then nearly always the correctly rounded one.
	Wide bool
	Slow bool // not called where faster ones explain both results
	// Evaluate sets out[i] to the function of x[i], or of x[i] and y[i].
	Evaluate func(ctx context.Context, out, x, y []float64) error
	// Deviation returns the signed distance of a result from the true one, in
	// any unit. It may be nil, and is used of the correctly rounded function.
	Deviation func(got, x, y float64) float64
}

// variantOfFunction is a way to call an implementation.
type variantOfFunction struct {
	flush    string
	daz, ftz bool
}

var variantsOfFunction = []variantOfFunction{
	{flush: keeps},
	{flushesBoth, true, true},
	{flushesResults, false, true},
	{flushesInputs, true, false},
}

// functionSearch compares implementations of a function with two results.
type functionSearch struct {
	in, out fp.Format
	x, y    []float64
	want    [2][]float64
	right   []float64 // correctly rounded
	// deviation measures the error of a result in ULPs, or is nil.
	deviation func(got, x, y float64) float64
}

// functionModel is an implementation that reproduces a result.
type functionModel struct {
	rank  int
	name  string
	model Model
	slow  bool
}

// ExplainFunction finds the implementations of an elementary function that
// give two results, and the causes of their difference. y is the second
// argument, of no format where the function has one argument. The first of the
// implementations is correctly rounded.
func ExplainFunction(
	ctx context.Context, x, y, a, b Array, functions []Function,
) (*Explanation, error) {
	s := &functionSearch{in: x.Format, out: a.Format, x: x.Values, y: y.Values,
		want: [2][]float64{a.Values, b.Values}}
	for _, other := range []Array{a, b, y} {
		if len(other.Values) != len(x.Values) && (y.Format != 0 || len(other.Shape) > 0) {
			return nil, &Error{
				Cause: fmt.Sprintf("the shapes are %v and %v", x.Shape, other.Shape),
				Cure:  "give arguments and results of one shape",
			}
		}
	}
	var found [2][]functionModel
	var nearest [2]Side
	variants := s.variants()
	rank := 0
	for _, f := range functions {
		if f.Slow && hasLibrary(found[0]) && hasLibrary(found[1]) {
			break
		}
		got, err := s.evaluate(ctx, f, variants)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // a library without this function
		}
		if f.Exact {
			s.right, s.deviation = got[0], f.Deviation
		}
		for i, v := range variants {
			m := functionModel{rank, functionName(f, v), modelOfFunction(f, v), f.Slow}
			rank++
			for k := range nearest {
				n := s.agree(got[i], k)
				if n > nearest[k].Reproduces {
					nearest[k] = Side{Model: m.name, Reproduces: n}
				}
				if n == len(s.x) && !(f.Wide && hasExact(found[k])) {
					found[k] = append(found[k], m)
				}
			}
		}
	}
	result := &Explanation{Causes: []Cause{}, A: &nearest[0], B: &nearest[1]}
	s.choose(result, found)
	s.judge(result)
	return result, ctx.Err()
}

// hasExact reports whether a correctly rounded function is among models.
func hasExact(list []functionModel) bool {
	return slices.ContainsFunc(list, func(m functionModel) bool {
		return m.model[Exact] == correct
	})
}

// hasLibrary reports whether a library's function is among models.
func hasLibrary(list []functionModel) bool {
	return slices.ContainsFunc(list, func(m functionModel) bool {
		return m.model[Exact] != correct
	})
}

// isAmbiguous reports whether models are the correctly rounded function and
// slow libraries, whose results were right here, and nothing else: either may
// have given the result.
func isAmbiguous(list []functionModel) bool {
	return hasExact(list) && hasLibrary(list) &&
		!slices.ContainsFunc(list, func(m functionModel) bool {
			return m.model[Exact] != correct && !m.slow
		})
}

// functionName returns the name of a model.
func functionName(f Function, v variantOfFunction) string {
	name := f.Name
	if f.Exact {
		name = "exact"
	}
	if v.flush != keeps {
		name += ", " + v.flush
	}
	return name
}

// modelOfFunction returns a model.
func modelOfFunction(f Function, v variantOfFunction) Model {
	m := Model{Libm: f.Name, Flush: v.flush, Exact: rounded}
	if f.Exact {
		m[Exact] = correct
	}
	return m
}

// variants returns the ways to call a function that may differ for these
// arguments and results.
func (s *functionSearch) variants() []variantOfFunction {
	subnormal := func(v []float64, f fp.Format) bool {
		return slices.ContainsFunc(v, func(x float64) bool { return isSubnormal(x, f) })
	}
	if subnormal(s.x, s.in) || subnormal(s.y, s.in) || subnormal(s.want[0], s.out) ||
		subnormal(s.want[1], s.out) {
		return variantsOfFunction
	}
	return variantsOfFunction[:1]
}

// evaluate returns the results of an implementation, called in each of the
// ways. It is called once.
func (s *functionSearch) evaluate(
	ctx context.Context, f Function, variants []variantOfFunction,
) ([][]float64, error) {
	n := len(s.x)
	x, y := s.x, s.y
	if len(variants) > 1 {
		x = slices.Concat(x, flushed(x, s.in))
		y = slices.Concat(y, flushed(y, s.in))
	}
	got := make([]float64, len(x))
	if err := f.Evaluate(ctx, got, x, y); err != nil {
		return nil, err
	}
	for i, r := range got {
		got[i] = s.out.Round(r, fp.NearestEven)
	}
	var all [][]float64
	for _, v := range variants {
		one := got[:n]
		if v.daz {
			one = got[n:]
		}
		if v.ftz {
			one = flushed(one, s.out)
		}
		all = append(all, one)
	}
	return all, nil
}

// flushed returns values with zeros in place of subnormals.
func flushed(v []float64, f fp.Format) []float64 {
	out := slices.Clone(v)
	for i, x := range out {
		if isSubnormal(x, f) {
			out[i] = math.Copysign(0, x)
		}
	}
	return out
}

// agree returns the number of elements of a side that are reproduced.
func (s *functionSearch) agree(got []float64, side int) int {
	n := 0
	for i, v := range got {
		if same(v, s.want[side][i]) {
			n++
		}
	}
	return n
}

// choose picks the causes. A result that the correctly rounded function gives,
// and slow libraries that were right here, has no one model.
func (s *functionSearch) choose(x *Explanation, found [2][]functionModel) {
	var lists [2][]*candidate
	for k := range found {
		for _, m := range found[k] {
			lists[k] = append(lists[k], &candidate{rank: m.rank, name: m.name, model: m.model})
		}
		if isAmbiguous(found[k]) {
			x.Reason = appendReason(x.Reason, fmt.Sprintf("several causes fit as well: %s and "+
				"the correctly rounded function give %s", found[k][len(found[k])-1].name,
				sideNames[k]))
		}
	}
	choice{bits: s.bits}.explain(x, lists)
}

// bits returns the evidence in the places and sizes of the errors of a side:
// the entropy of their places among the different arguments, and about log2(2d)
// for an error of d ULPs. It is negative for a side without errors, which is
// known to be right.
func (s *functionSearch) bits(side int) float64 {
	errors, elements, bits := 0, 0, 0.0
	seen := map[[2]uint64]bool{}
	for i, v := range s.want[side] {
		argument := [2]uint64{math.Float64bits(s.x[i])}
		if len(s.y) > 0 {
			argument[1] = math.Float64bits(s.y[i])
		}
		if seen[argument] {
			continue
		}
		seen[argument] = true
		if elements++; same(v, s.right[i]) {
			continue
		}
		errors++
		const most = 10
		if v == v && s.right[i] == s.right[i] {
			//lastbit:ignore libm a measure of evidence
			bits += min(math.Log2(1+2*float64(s.out.Distance(v, s.right[i]))), most)
		}
	}
	if errors == 0 {
		return -1
	}
	n := float64(elements)
	r := float64(errors) / n
	if r < 1 {
		//lastbit:ignore libm a measure of evidence
		bits -= float64(n * (float64(r*math.Log2(r)) + float64((1-r)*math.Log2(1-r))))
	}
	return bits
}

// judge compares the elements that differ with the correctly rounded results.
func (s *functionSearch) judge(x *Explanation) {
	j := judgement{x: x}
	for i, right := range s.right {
		if !same(s.want[0][i], s.want[1][i]) {
			j.compare(s.out, [2]float64{s.want[0][i], s.want[1][i]}, right,
				func() int { return s.nearer(i) })
		}
	}
	j.close()
}

// nearer returns a negative number if the first result of an element is nearer
// to the true one, a positive number if the second is, and 0 for neither.
func (s *functionSearch) nearer(i int) int {
	if s.deviation == nil {
		return 0
	}
	var d [2]float64
	for k := range d {
		y := 0.0
		if len(s.y) > 0 {
			y = s.y[i]
		}
		d[k] = math.Abs(s.deviation(s.want[k][i], s.x[i], y))
	}
	return cmp.Compare(d[0], d[1])
}
