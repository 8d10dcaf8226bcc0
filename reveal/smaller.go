package reveal

import (
	"errors"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// A witness of more than fewSummands is made smaller before it is shown, with
// at most maxSmallerCalls calls.
const (
	fewSummands     = 16
	maxSmallerCalls = 600
)

// smaller makes the witness of a fact smaller, as long as it shows the fact.
func (r *run) smaller(f *verdict.Fact) error {
	w := f.Witness
	if w == nil || ask.Count(w.X) <= fewSummands {
		return nil
	}
	if f.Reason == verdict.Changed {
		return smallerChange(r.c, w)
	}
	holds := stillShows(r.c, f)
	if holds == nil {
		return nil
	}
	r.c.Expect("witness", maxSmallerCalls)
	x, _, err := ddmin(w.X, maxSmallerCalls, holds)
	w.X = x
	var fault *probe.Fault
	if errors.As(err, &fault) && fault.ID == "call-limit" {
		return nil
	}
	return err
}

// stillShows reports whether an input shows a fact that a prediction
// contradicts, and keeps its outputs; nil where there is none.
func stillShows(c *ask.Channel, f *verdict.Fact) func(x []float64) (bool, error) {
	if f.Shows == nil {
		return nil
	}
	w := f.Witness
	return func(x []float64) (bool, error) {
		out, err := c.AskMain(w.Y, ask.Values(x))
		if err != nil {
			return false, err
		}
		want, shown := f.Shows(x, w.Y, out[0])
		if shown {
			w.Seen, w.Want = out, &want
		}
		return shown, nil
	}
}
