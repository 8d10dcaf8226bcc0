package overview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/audit"
	"github.com/lastbit/lastbit/probe"
)

// Show is called at the start of each step of a section, by one goroutine at a
// time, with the steps done and expected.
type Show func(step string, done, expected int)

// Step fills the section of a verb.
type Step struct {
	Verb    string
	Seconds float64 // estimate
	// Absent is the reason why there is nothing to look at, with the cure. Run
	// is not called then.
	Absent string
	// Run fills its part of the report. It leaves what it has where ctx ends.
	Run func(ctx context.Context, r *Report, show Show) error
}

// Make runs steps and returns the report. It never fails: the sections hold the
// faults of their steps, and are marked as interrupted from the one on that ctx
// ended.
func Make(ctx context.Context, steps []Step, show Show) *Report {
	r := &Report{
		Version: Version, Made: time.Now().UTC().Truncate(time.Second),
		Machine: audit.ThisMachine(), Sections: []*Section{}, Answers: []Answer{},
	}
	for i, step := range steps {
		r.Sections = append(r.Sections, r.run(ctx, steps, i, step, show))
	}
	r.Interrupted = ctx.Err() != nil
	r.Answers = answers(r)
	return r
}

// run runs one step and returns its section.
func (r *Report) run(ctx context.Context, steps []Step, i int, step Step, show Show) *Section {
	s := newSection(step.Verb)
	switch {
	case step.Absent != "":
		s.State, s.Why = Absent, step.Absent
		return s
	case ctx.Err() != nil:
		s.State, s.Why = Interrupted, "the report was interrupted before this section began"
		return s
	}
	start := time.Now()
	clock := &clock{steps: steps, at: i, start: start}
	err := step.Run(ctx, r, func(name string, done, expected int) {
		show(clock.name(name, done, expected), done, expected)
	})
	s.Seconds = time.Since(start).Seconds()
	switch {
	case ctx.Err() != nil:
		s.State, s.Why = Interrupted, "the report was interrupted before this section was done"
	case err != nil:
		s.State, s.Error = Failed, FaultOf(step.Verb, err)
		s.Why = reason(s.Error)
	default:
		s.State = Done
	}
	return s
}

// FaultOf returns the fault of an error of a verb.
func FaultOf(verb string, err error) *probe.Fault {
	var f *probe.Fault
	if errors.As(err, &f) {
		return f
	}
	return &probe.Fault{ID: "failed", Thing: "lastbit " + verb, Cause: err.Error()}
}

// clock estimates the time that is left.
type clock struct {
	steps []Step
	at    int
	start time.Time // of the step
}

// minShare is the share of a step after which its own pace estimates its end.
const minShare = 0.2

// name returns the name of a step with its number and an estimate.
func (c *clock) name(step string, done, expected int) string {
	now := c.steps[c.at]
	gone := time.Since(c.start).Seconds()
	left := max(now.Seconds-gone, 1)
	if share := float64(done) / float64(max(expected, 1)); share >= minShare {
		left = gone/share - gone
	}
	at, all := 0, 0 // of the steps that run
	for i, s := range c.steps {
		if s.Absent != "" {
			continue
		}
		all++
		if i == c.at {
			at = all
		} else if i > c.at {
			left += s.Seconds
		}
	}
	return fmt.Sprintf("%d of %d, some %.0f s left: %s: %s", at, all, left, now.Verb, step)
}

// WriteJSON writes a report as one object on one line.
func WriteJSON(w io.Writer, r *Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
