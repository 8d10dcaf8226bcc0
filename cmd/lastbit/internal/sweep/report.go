package sweep

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/reveal"
)

// Result is the result of a sweep.
type Result struct {
	Variables []Variable         `json:"variables"`
	Runs      []Run              `json:"combinations"`
	Outcomes  []Outcome          `json:"settings"`
	Classes   *reveal.Invariance `json:"classes"`
	// Conclusion compares the classes. It is Open instead of Same where a
	// setting did not take effect.
	Conclusion reveal.Conclusion `json:"conclusion"`
}

// Conclude fills Conclusion.
func (r *Result) Conclude() {
	r.Conclusion = r.Classes.Conclusion
	if r.Conclusion == reveal.Same && !r.Took() {
		r.Conclusion = reveal.Open
	}
}

// Took reports whether every setting took effect.
func (r *Result) Took() bool { return len(r.idle()) == 0 }

// idle returns the settings that did not take effect.
func (r *Result) idle() (list []Outcome) {
	for _, o := range r.Outcomes {
		if !o.Effect.Took() {
			list = append(list, o)
		}
	}
	return list
}

// WriteText writes a result for people: settings without effect first, then the
// classes.
func WriteText(w io.Writer, r *Result) error {
	b := bufio.NewWriter(w)
	p := text.For(w).To(b)
	idle, replaced := []string{}, []string{}
	for _, o := range r.idle() {
		if o.Effect == Replaced {
			replaced = append(replaced, o.Variable+"="+o.Value)
		} else {
			idle = append(idle, o.Variable+"="+o.Value)
		}
	}
	if len(idle) > 0 {
		p.Line("", p.Bad("no effect")+": "+strings.Join(idle, ", "))
	}
	if len(replaced) > 0 {
		p.Line("", p.Bad("another value in use")+": "+strings.Join(replaced, ", "))
	}
	if err := b.Flush(); err != nil {
		return err
	}
	if err := describe.WriteInvariance(w, r.Classes); err != nil {
		return err
	}
	if len(r.Outcomes) > 0 {
		fmt.Fprintln(p)
		rows := [][]string{{"setting", "took effect", "the library reports"}}
		for _, o := range r.Outcomes {
			rows = append(rows, []string{o.Variable + "=" + o.Value, o.Effect.words(),
				text.Or(o.Report, "nothing")})
		}
		text.Table(p, "  ", rows)
	}
	return b.Flush()
}

// words answers whether a setting took effect.
func (e Effect) words() string {
	return map[Effect]string{
		Confirmed: "yes, as reported",
		Order:     "yes, it changes the order",
		Reported:  "yes, it changes the report",
		Refuted:   "no, another value is in use",
		Replaced:  "no, it chose another value",
		None:      "none was seen",
	}[e]
}
