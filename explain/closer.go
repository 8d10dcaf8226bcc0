package explain

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
)

// mostJudged bounds the elements that are compared with the true result.
const mostJudged = 1 << 16

// judge compares the elements that differ with the true results.
func (s *search) judge(ctx context.Context, x *Explanation) {
	var differ []int
	for e := range s.want[0] {
		if !same(s.want[0][e], s.want[1][e]) {
			differ = append(differ, e)
		}
	}
	most := max(min(mostJudged, affordable(s.p.N)), mostProbes)
	t := truth{p: s.p, out: s.out}
	j := judgement{x: x, allowed: true}
	for _, e := range spread(differ, most) {
		if ctx.Err() != nil {
			return
		}
		j.take(s, &t, e)
	}
	j.close()
}

// judgement compares two results with the true one, element by element.
type judgement struct {
	x          *Explanation
	nearer     [2]int
	errors     [2][]uint64
	conditions []float64
	allowed    bool
}

// take judges one element.
func (j *judgement) take(s *search, t *truth, e int) {
	right := t.correct(e)
	got := [2]float64{s.want[0][e], s.want[1][e]}
	j.compare(s.out, got, right, func() int { return t.nearer(e, got) })
	if right-right != 0 || s.p.Op == Mean {
		return
	}
	size := t.magnitude(e)
	if right != 0 {
		j.conditions = append(j.conditions, size/math.Abs(right))
	}
	// Each of n summands passes through at most n roundings, of itself and of
	// the sums that it is in (Higham1993, §3).
	u := math.Ldexp(1, -s.out.Precision())
	bound := float64(float64(s.p.N+1)*u*size*1.01) + float64(s.out.Smallest()*float64(s.p.N))
	for k := range s.want {
		if diff := math.Abs(s.want[k][e] - right); !(diff <= bound) {
			j.allowed = false
		}
	}
}

// compare compares two results with the correctly rounded one. Where that is
// between them, it calls between: it returns a negative number if the first is
// nearer to the true result, and a positive one if the second is.
func (j *judgement) compare(f fp.Format, got [2]float64, right float64, between func() int) {
	var d [2]uint64
	for k := range d {
		d[k] = f.Distance(got[k], right)
		j.errors[k] = append(j.errors[k], d[k])
	}
	order := cmp.Compare(d[0], d[1])
	if got[0] < right && right < got[1] || got[1] < right && right < got[0] {
		order = between()
	}
	switch {
	case order < 0:
		j.nearer[0]++
	case order > 0:
		j.nearer[1]++
	}
}

// close fills in the verdict.
func (j *judgement) close() {
	x := j.x
	switch {
	case j.nearer[0] > j.nearer[1]:
		x.Closer = "a"
	case j.nearer[1] > j.nearer[0]:
		x.Closer = "b"
	}
	for k, side := range []**Side{&x.A, &x.B} {
		if *side == nil {
			*side = &Side{}
		}
		slices.Sort(j.errors[k])
		n := len(j.errors[k])
		(*side).MaxError = j.errors[k][n-1]
		(*side).MedianError = (float64(j.errors[k][(n-1)/2]) + float64(j.errors[k][n/2])) / 2
	}
	if n := len(j.conditions); n > 0 {
		slices.Sort(j.conditions)
		x.Condition = j.conditions[n/2]
		x.Allowed = j.allowed
	}
}
