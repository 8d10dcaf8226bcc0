package accel

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/mma"
)

// Target is a matrix unit to ask: sums of N products of values of the format
// In, in binary32.
type Target struct {
	In    fp.Format
	N     int
	Lanes int // rows of one call
	Terms int // products of a group; 0 where it is not known
	// Regular gives up where lost summands do not show groups of one size.
	Regular bool
	// Ask returns the sums of the products of each row with y.
	Ask func(x [][]float64, y []float64) ([]float64, error)
}

// Sample is a question and its answer.
type Sample struct {
	X, Y []float64
	Out  float64
	Tiny bool // the sum lies near the subnormal numbers

	x, y mma.Factors
}

const (
	openingCalls   = 6   // of many lanes
	fewLanes       = 48  // questions that are asked where a call has one lane
	rounds         = 12  // of inputs that several candidates differ on
	searched       = 400 // inputs that are searched for one
	replays        = 200
	sampledRivals  = 60 // candidates that are compared while inputs are searched
	maxTermsAsked  = 64
	minLostGap     = maxBits + 4 // a product so far below another is lost in its group
	termsName      = "terms"     // in JSON
	questionsAtOne = 3           // of a round, where a call has one lane
)

// state is an inference under way.
type state struct {
	Target
	*maker
	left    []mma.Arithmetic
	samples []Sample
}

// Infer asks the target, and returns what its results allow: nil where no
// arithmetic that the package knows gives them. It returns the questions of the
// inference too.
func Infer(t Target, rng *rand.Rand) (*Model, []Sample, error) {
	s := &state{Target: t, maker: newMaker(rng, t.In, t.N)}
	if t.N < 2 {
		return nil, nil, nil
	}
	terms, err := s.groups()
	if err != nil {
		return nil, nil, err
	}
	if t.Regular && len(terms) > 2 {
		return nil, s.samples, nil
	}
	first := s.samples
	s.samples = nil
	if err := s.open(); err != nil {
		return nil, nil, err
	}
	s.samples = append(s.samples, first...) // these refute least
	s.left = candidates(t.In, terms)
	s.sift(s.samples)
	if err := s.separate(s.second, s.row); err != nil {
		return nil, nil, err
	}
	if err := s.separate(s.powers, s.ties); err != nil {
		return nil, nil, err
	}
	if len(s.left) == 0 {
		return nil, s.samples, nil
	}
	countsZero, err := s.zero()
	if err != nil || len(s.left) == 0 {
		return nil, s.samples, err
	}
	m := new(Model)
	if m.Subnormals, err = s.subnormals(); err != nil {
		return nil, nil, err
	}
	m.Arithmetic, m.Known = s.left[0], known(t.In, t.N, s.left, countsZero)
	// A row of the table comes before arithmetics that nobody has built.
	if len(m.Known) > 0 {
		u, _ := mma.Find(m.Known[0], t.In)
		m.Arithmetic = u.Arithmetic
	}
	if len(s.left) > 1 {
		m.Undetermined = differing(s.left)
	}
	if m.Arithmetic.Terms >= t.N && !slices.Contains(m.Undetermined, termsName) {
		m.Undetermined = append(m.Undetermined, termsName)
	}
	return m, s.samples, s.replay(m)
}

// ask asks rows that share y, in as many calls as that takes.
func (s *state) ask(rows [][]float64, y []float64) ([]Sample, error) {
	var all []Sample
	for part := range slices.Chunk(rows, max(s.Lanes, 1)) {
		out, err := s.Ask(part, y)
		if err != nil {
			return nil, err
		}
		factors := mma.Decode(y, s.In)
		for i, x := range part {
			all = append(all, Sample{X: x, Y: y, Out: out[i], x: mma.Decode(x, s.In), y: factors})
		}
	}
	return all, nil
}

// groups returns the possible numbers of products of a group: one if lost
// summands show it, else all.
func (s *state) groups() ([]int, error) {
	if s.Terms > 0 && s.Terms <= maxTermsAsked {
		return []int{s.Terms}, nil
	}
	last := min(s.N, maxTermsAsked+1)
	all := make([]int, min(s.N, maxTermsAsked))
	for i := range all {
		all[i] = i + 1
	}
	high := s.in.MaxExp() - 1
	if s.top-s.low < minLostGap || last < 3 {
		return all, nil
	}
	y := make([]float64, s.N)
	var rows [][]float64
	large, small := min(high, 60), max(s.in.MinExp(), -60)
	for place := 2; place < last; place++ {
		x := make([]float64, s.N)
		x[0], x[1], x[place] = math.Ldexp(1, large), -math.Ldexp(1, large), math.Ldexp(1, small)
		rows = append(rows, x)
	}
	for i := range y {
		y[i] = math.Ldexp(1, small)
	}
	y[0], y[1] = math.Ldexp(1, large), math.Ldexp(1, large)
	if s.Lanes == 1 { // too many calls: the candidates tell
		return all, nil
	}
	answers, err := s.ask(rows, y)
	if err != nil {
		return nil, err
	}
	s.samples = append(s.samples, answers...)
	unit := math.Ldexp(1, 2*small)
	lost := 0
	for lost < len(answers) && answers[lost].Out == 0 {
		lost++
	}
	for _, a := range answers[lost:] {
		if a.Out != unit {
			return all, nil
		}
	}
	if lost == len(answers) { // one group, as far as can be seen
		return all[len(all)-1:], nil
	}
	if lost == 0 {
		return []int{1, 2}, nil
	}
	return []int{lost + 2}, nil
}

// open asks the first questions.
func (s *state) open() error {
	calls, lanes := openingCalls, s.Lanes
	if lanes < 8 {
		calls, lanes = fewLanes/max(lanes, 1), max(lanes, 1)
	}
	for range calls {
		y := s.second()
		rows := make([][]float64, lanes)
		for i := range rows {
			rows[i] = s.row(y)
		}
		answers, err := s.ask(rows, y)
		if err != nil {
			return err
		}
		s.samples = append(s.samples, answers...)
	}
	return nil
}

// computes reports whether an arithmetic gives the bits of the samples.
func computes(a *mma.Arithmetic, samples []Sample) bool {
	for i := range samples {
		if q := &samples[i]; !sameBits(a.Sum(q.x, q.y, 0), q.Out) {
			return false
		}
	}
	return true
}

// sameBits reports whether a and b are the same number, or both NaN. Zeros of
// both signs are the same: some units make either.
func sameBits(a, b float64) bool { return a == b || a != a && b != b }

// sift drops candidates that do not give the samples.
func (s *state) sift(samples []Sample) {
	s.left = slices.DeleteFunc(s.left, func(a mma.Arithmetic) bool {
		return !computes(&a, samples)
	})
}

// separate asks inputs that candidates differ on, until one candidate is left
// or no such input is found.
func (s *state) separate(second func() []float64, row func([]float64) []float64) error {
	for range rounds {
		if len(s.left) < 2 {
			return nil
		}
		y := second()
		rows := s.distinguishing(y, row)
		if len(rows) == 0 {
			continue
		}
		answers, err := s.ask(rows, y)
		if err != nil {
			return err
		}
		s.samples = append(s.samples, answers...)
		s.sift(answers)
	}
	return nil
}

// distinguishing returns first factors on which candidates differ.
func (s *state) distinguishing(y []float64, row func([]float64) []float64) [][]float64 {
	most := s.Lanes
	if most < 8 {
		most = questionsAtOne * max(most, 1)
	}
	rivals := s.left
	if len(rivals) > sampledRivals {
		rivals = rivals[:sampledRivals]
	}
	var rows [][]float64
	factors := mma.Decode(y, s.In)
	for range searched {
		x := row(y)
		decoded := mma.Decode(x, s.In)
		first := rivals[0].Sum(decoded, factors, 0)
		if slices.ContainsFunc(rivals[1:], func(a mma.Arithmetic) bool {
			return !sameBits(a.Sum(decoded, factors, 0), first)
		}) {
			rows = append(rows, x)
		}
		if len(rows) == most {
			break
		}
	}
	return rows
}

// zero finds the exponent of a term of zero, where products can be so small
// that it counts, and reports whether they can.
func (s *state) zero() (bool, error) {
	if 2*s.in.MinExp() > firstZero {
		return false, nil
	}
	var all []mma.Arithmetic
	for _, a := range s.left {
		if a.Zero == noZero || isScalar(a) {
			all = append(all, a)
			continue
		}
		for a.Zero = firstZero; a.Zero > firstZero-zeroRange; a.Zero-- {
			all = append(all, a)
		}
	}
	s.left = all
	y := s.small()
	lanes := s.Lanes
	if lanes < 8 {
		lanes = questionsAtOne
	}
	rows := make([][]float64, lanes)
	for i := range rows {
		rows[i] = s.tiny(y)
	}
	answers, err := s.ask(rows, y)
	if err != nil {
		return true, err
	}
	from := len(s.samples)
	s.samples = append(s.samples, answers...)
	s.sift(answers)
	err = s.separate(s.small, s.tiny)
	for i := range s.samples[from:] {
		s.samples[from+i].Tiny = true
	}
	return true, err
}

// subnormals asks what becomes of subnormal factors.
func (s *state) subnormals() (Subnormal, error) {
	y := s.second()
	for i := range y { // so that subnormal factors count
		y[i] = s.number(min(s.in.MaxExp()-1, 40))
	}
	rows := make([][]float64, max(min(s.Lanes, 32), 4))
	for i := range rows {
		rows[i] = make([]float64, s.N)
		s.subnormal(rows[i])
	}
	answers, err := s.ask(rows, y)
	if err != nil {
		return Unknown, err
	}
	s.samples = append(s.samples, answers...)
	before := slices.Clone(s.left)
	s.sift(answers)
	flushed := !slices.ContainsFunc(answers, func(q Sample) bool { return q.Out != 0 })
	switch {
	case flushed:
		s.left = before
		return Flushed, nil
	case len(s.left) == 0:
		s.left = before
		return Unknown, nil
	}
	return Kept, nil
}

// replay computes random products of ordinary and of wide sizes.
func (s *state) replay(m *Model) error {
	lanes := max(s.Lanes, 1)
	if lanes > replays/2 {
		lanes = replays / 4 // several vectors y
	}
	for m.Replayed < replays {
		y := make([]float64, s.N)
		for i := range y {
			y[i] = s.ordinary()
		}
		if m.Replayed/lanes%2 == 1 {
			y = s.second()
		}
		rows := make([][]float64, min(lanes, replays-m.Replayed))
		for r := range rows {
			x := make([]float64, s.N)
			for i := range x {
				x[i] = s.ordinary()
			}
			if r%2 == 1 {
				x = s.row(y)
			}
			rows[r] = x
		}
		for _, list := range append(rows, y) {
			normal(list, s.in)
		}
		answers, err := s.ask(rows, y)
		if err != nil {
			return err
		}
		s.samples = append(s.samples, answers...)
		for _, q := range answers {
			m.Replayed++
			if sameBits(m.Arithmetic.Sum(q.x, q.y, 0), q.Out) {
				m.Matched++
			}
		}
	}
	return nil
}

// normal makes zeros of subnormal numbers.
func normal(x []float64, f fp.Format) {
	for i, v := range x {
		if math.Abs(v) < f.MinNormal() {
			x[i] = 0
		}
	}
}
