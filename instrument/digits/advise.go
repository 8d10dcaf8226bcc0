package digits

import (
	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/instrument"
)

// Advice is the precision that a line needs for a number of digits.
type Advice struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Precision string `json:"precision"`
}

// The precisions of advice.
const (
	FloatIsEnough = "float32"           // enough, together with the other lines
	MoreThanFloat = "more than float64" // the line's errors cost too many digits
)

// advise returns lines whose results may be rounded to float32, all of them
// together, so that every number of the output keeps some digits; and lines
// whose errors leave fewer digits. Numbers that vary are left out. Each set of
// lines is run.
func (a *analysis) advise(found *Analysis) ([]Advice, error) {
	all := []Advice{}
	keep := float64(a.options.Advise)
	for _, t := range found.Tokens {
		if t.Digits == nil || t.Varies || *t.Digits >= min(keep, t.limit) {
			continue
		}
		b := *a
		b.options.BlameLine, b.options.BlameToken, b.options.Criterion = t.Line, t.Token, nil
		guilty, err := b.blame(found)
		if err != nil {
			return nil, err
		}
		for _, g := range guilty {
			if g.Role == Source {
				all = append(all, Advice{g.File, g.Line, MoreThanFloat})
			}
		}
		break
	}
	var narrow []unit
	for _, u := range a.units() {
		ok, err := a.keeps(append(narrow, u), found.Tokens)
		if err != nil {
			return nil, err
		}
		if ok {
			narrow = append(narrow, u)
			all = append(all, Advice{u.file, u.line, FloatIsEnough})
		}
	}
	return all, nil
}

// keeps reports whether the numbers keep their digits if some lines round to
// float32.
func (a *analysis) keeps(units []unit, tokens []Token) (bool, error) {
	out, err := a.run(instrument.Settings{Narrow: mask(units, len(a.program.Sites))})
	if err != nil {
		return false, err
	}
	if out.Exit != a.plain.Exit {
		return false, nil
	}
	for i, t := range compare(a.plain.Stdout, [][]byte{out.Stdout}) {
		before := tokens[i].Digits
		if tokens[i].Varies || before == nil {
			continue
		}
		// The spread of one run is its difference: no typical size of errors.
		now := *t.Digits
		if now < t.limit {
			now += crmath.Log10(typical)
		}
		need := min(float64(a.options.Advise), t.limit)
		if *before < tokens[i].limit {
			need = min(need, *before)
		}
		if now < need {
			return false, nil
		}
	}
	return true, nil
}
