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
	repeatsAgain    = 5 // of one input, to see that its result changes
)

// smaller makes the witness of a fact smaller, as long as it shows the fact.
func (r *run) smaller(f *verdict.Fact) error {
	w := f.Witness
	if w == nil || ask.Count(w.X) <= fewSummands {
		return nil
	}
	holds, limit := r.stillShows(f), maxSmallerCalls
	if f.Reason == verdict.Changed {
		holds, limit = r.stillChanges(f), maxSmallerCalls/repeatsAgain
	}
	if holds == nil {
		return nil
	}
	r.c.Expect("witness", limit)
	x, _, err := ddmin(w.X, limit, holds)
	w.X = x
	var fault *probe.Fault
	if errors.As(err, &fault) && fault.ID == "call-limit" {
		return nil
	}
	return err
}

// stillShows reports whether an input shows a fact that a prediction
// contradicts, and keeps its outputs; nil where there is none.
func (r *run) stillShows(f *verdict.Fact) func(x []float64) (bool, error) {
	if f.Shows == nil {
		return nil
	}
	w := f.Witness
	return func(x []float64) (bool, error) {
		out, err := r.c.AskMain(w.Y, ask.Values(x))
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

// stillChanges reports whether the result of an input changes, and keeps both
// results.
func (r *run) stillChanges(f *verdict.Fact) func(x []float64) (bool, error) {
	w := f.Witness
	return func(x []float64) (bool, error) {
		var first float64
		for k := range repeatsAgain {
			out, err := r.c.AskMain(w.Y, ask.Values(x))
			if err != nil {
				return false, err
			}
			if k == 0 {
				first = out[0]
			} else if !ask.SameBits(out[0], first) {
				w.Seen = []float64{first, out[0]}
				return true, nil
			}
		}
		return false, nil
	}
}
