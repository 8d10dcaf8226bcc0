package ask

import (
	"slices"

	"github.com/lastbit/lastbit/probe"
)

// maxRemembered bounds the values that a Memory holds.
const maxRemembered = 1 << 21

// Memory holds the first questions that the main lane of a target was asked,
// with the answers, over every channel that was opened with it.
type Memory struct {
	samples []Sample
	values  int
	zero    int // calls that the main lane's row was zero in
	full    int // questions that there was no room for
}

// Left returns the number of questions that are not remembered. Where calls
// have many lanes, those to other lanes are among them.
func (m *Memory) Left(lanes int) int {
	if lanes > 1 {
		return m.full + m.zero
	}
	return m.full
}

// Samples returns the questions and answers.
func (m *Memory) Samples() []Sample {
	if m == nil {
		return nil
	}
	return m.samples
}

// Keep remembers the question that a call asked the main lane of a target.
func (m *Memory) Keep(t probe.Target, b *probe.Batch) {
	main, n := mainLane(t), t.Key().N
	m.keep(b.X[main*n:(main+1)*n], b.Y, b.Out[main])
}

// Forget takes its memory from a channel, so that the questions and answers
// take no room for as long as the channel is kept.
func Forget(c *Channel) { c.opt.Memory = nil }

// keep remembers a question, unless the row is zero: the call then asked other
// lanes.
func (m *Memory) keep(x, y []float64, out float64) {
	switch {
	case m == nil:
		return
	case !slices.ContainsFunc(x, func(v float64) bool { return v != 0 }):
		m.zero++
		return
	case m.values+2*len(x) > maxRemembered:
		m.full++
		return
	}
	s := Sample{X: slices.Clone(x), Out: out}
	m.values += len(x)
	if len(y) > 0 {
		s.Y = slices.Clone(y)
		m.values += len(y)
	}
	m.samples = append(m.samples, s)
}
