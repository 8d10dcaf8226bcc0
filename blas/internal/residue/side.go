package residue

import "math"

// Rows holds the rows of a left factor, or the columns of a right one: N of
// Depth neighbouring elements.
type Rows struct {
	Data           []float64
	Offset, Stride int
	N, Depth       int
}

// Row returns row i.
func (r Rows) Row(i int) []float64 {
	at := r.Offset + i*r.Stride
	return r.Data[at : at+r.Depth]
}

// side is a factor with its rows measured, and split into residues.
type side struct {
	Rows
	rows   []measure
	planes []byte
	plane  int // bytes of one modulus

	// What Round takes, for each row, filled up with zeros.
	sums, errors, units []float64
}

// measure holds the Euclidean norm and the sum of the magnitudes of a row, not
// rounded down, and the power of two that scales it. A row with an element that
// is too large or not a number, or with only tiny ones, does not take part: its
// norm is infinite.
type measure struct{ norm, sum, power float64 }

func measureRow(x []float64) measure {
	var sums, squares [4]float64
	largest := uint64(0)
	rest := x
	for len(rest) >= 4 {
		for l := range 4 {
			v := math.Abs(rest[l])
			largest = max(largest, math.Float64bits(v))
			sums[l] += v
			squares[l] += float64(v * v)
		}
		rest = rest[4:]
	}
	for _, v := range rest {
		v = math.Abs(v)
		largest = max(largest, math.Float64bits(v))
		sums[0] += v
		squares[0] += float64(v * v)
	}
	v := math.Float64frombits(largest)
	switch {
	case v == 0:
		return measure{}
	case !(v <= maxMagnitude && v >= 1/maxMagnitude):
		return measure{norm: math.Inf(1), sum: math.Inf(1)}
	}
	norm := math.Sqrt((squares[0] + squares[1]) + (squares[2] + squares[3]))
	sum := (sums[0] + sums[1]) + (sums[2] + sums[3])
	return measure{norm: norm * (1 + 0x1p-20), sum: sum * (1 + 0x1p-20)}
}

// scale sets the powers of two that scale the rows to norms of at most 2^log.
func (s *side) scale(log float64) {
	limit := math.Exp2(log) * (1 - 0x1p-20) //lastbit:ignore libm the plan changes no bits
	for i := range s.rows {
		m := &s.rows[i]
		m.power = 1
		if m.norm == 0 || m.isOut() {
			continue
		}
		_, e := math.Frexp(m.norm) // the norm is below 2^e
		//lastbit:ignore floatconv the plan changes no bits
		m.power = math.Ldexp(1, int(math.Floor(log))-e)
		if 2*m.power*m.norm <= limit {
			m.power *= 2
		}
	}
}

// isOut reports whether the row does not take part.
func (m *measure) isOut() bool { return math.IsInf(m.norm, 1) }

// usable returns elements of the row, or zeros if it does not take part.
func (m *measure) usable(x []float64) []float64 {
	if m.isOut() {
		return make([]float64, len(x))
	}
	return x
}

// record sets what Round takes of row i, whose integers are exact or not.
func (s *side) record(i int, exact bool) {
	m := &s.rows[i]
	s.sums[i], s.errors[i], s.units[i] = m.sum, 0, 1/m.power
	switch {
	case m.isOut():
		s.errors[i] = math.Inf(1)
	case !exact:
		s.errors[i] = s.units[i] / 2
		s.sums[i] += float64(float64(float64(s.Depth)*s.errors[i]) * (1 + 0x1p-20))
	}
}
