package reveal

import (
	"errors"
	"time"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// Bounds of the search for a small input whose result changes. An input is
// asked until it has changed, four times as often as the ones before have
// taken, which misses one of fifty that change as often.
const (
	maxRestlessCalls = 600
	maxRestlessTime  = 10 * time.Second // of targets whose calls are long
	minAttempts      = 12
	maxAttempts      = 48
)

// restless makes an input smaller whose result changes from call to call.
type restless struct {
	c        *ask.Channel
	w        *verdict.Witness
	start    time.Time
	calls    int
	attempts int // calls of one input
	seen     int // changes so far
	spent    int // calls that they have taken
}

// errSpent ends the search for a smaller input.
var errSpent = errors.New("reveal: no more calls for a smaller witness")

// smallerChange makes the witness of a changed result smaller. Inputs of few
// scattered summands are tried before the witness's own parts: they show every
// change that does not depend on neighbouring summands.
func smallerChange(c *ask.Channel, w *verdict.Witness) error {
	r := &restless{c: c, w: w, attempts: maxAttempts, start: time.Now()}
	c.Expect("witness", maxRestlessCalls)
	err := r.search()
	var fault *probe.Fault
	if errors.Is(err, errSpent) || errors.As(err, &fault) && fault.ID == "call-limit" {
		return nil
	}
	return err
}

func (r *restless) search() error {
	if ask.Count(r.w.X) > ask.FewSummands {
		if err := r.scatter(); err != nil {
			return err
		}
	}
	y := r.w.Y
	x, _, err := ddmin(r.w.X, maxRestlessCalls, func(x []float64) (bool, error) {
		return r.changes(x, y)
	})
	r.w.X = x
	return err
}

// scatter replaces the witness by an input of few summands, where one changes.
func (r *restless) scatter() error {
	in := ask.InputsApart(r.c, "scatter")
	for _, count := range []int{ask.FewSummands, ask.FewSummands, 8 * ask.FewSummands} {
		x := make([]float64, r.c.N)
		ask.Scattered(in, count).Fill()(x)
		shown, err := r.changes(x, nil)
		if err != nil {
			return err
		}
		if shown {
			r.w.X, r.w.Y = x, nil
			return nil
		}
	}
	return nil
}

// changes reports whether the result of an input changes, and keeps both
// results then.
func (r *restless) changes(x, y []float64) (bool, error) {
	var first float64
	for k := range r.attempts {
		if r.calls++; r.calls > maxRestlessCalls || time.Since(r.start) > maxRestlessTime {
			return false, errSpent
		}
		if k%2 == 1 { // some threads change after pauses, others in a hurry
			ask.Idle(r.c)
		}
		out, err := ask.Again(r.c, x, y)
		if err != nil {
			return false, err
		}
		if k == 0 {
			first = out
		} else if !ask.SameBits(out, first) {
			r.w.Seen = []float64{first, out}
			r.spent, r.seen = r.spent+k+1, r.seen+1
			r.attempts = max(minAttempts, min(4*r.spent/r.seen, maxAttempts))
			return true, nil
		}
	}
	return false, nil
}
