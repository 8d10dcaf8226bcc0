package digits

import (
	"bytes"
	"maps"
	"slices"

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
// together, so that every number of the output keeps some digits, and that the
// words, the exit code and the files that the program writes stay; and lines
// whose errors leave fewer digits. What varies is left out. Each set of lines
// is run. Runs with random rounding gave outputs, and more runs without it gave
// again.
func (a *analysis) advise(
	found *Analysis, outputs, again []*instrument.Output,
) ([]Advice, error) {
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
	parts := a.parts(outputs, again)
	var narrow []unit
	for _, u := range a.units() {
		if a.program.Sites[u.sites[0]].IsStandard() {
			continue
		}
		ok, err := a.keeps(append(narrow, u), parts)
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

// A part is a text that the program writes: its output, or a file.
type part struct {
	of     func(*instrument.Output) []byte
	plain  []byte
	tokens []Token
	words  int // in every run without random rounding, or -1
}

// parts returns the texts that the program writes, with the digits that are
// right in runs with random rounding. Only the words of the standard error
// count: its numbers are often times.
func (a *analysis) parts(outputs, again []*instrument.Output) []part {
	stdout := func(o *instrument.Output) []byte { return o.Stdout }
	all := []part{{of: stdout}, {of: func(o *instrument.Output) []byte {
		return wordsOnly(o.Stderr)
	}}}
	names := make(map[string]bool)
	for _, o := range append(append([]*instrument.Output{a.plain}, outputs...), again...) {
		for name := range o.Files {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		all = append(all, part{of: func(o *instrument.Output) []byte { return o.Files[name] }})
	}
	texts := func(p part, runs []*instrument.Output) (all [][]byte) {
		for _, r := range runs {
			all = append(all, p.of(r))
		}
		return all
	}
	for i, p := range all {
		p.plain = p.of(a.plain)
		p.tokens = compare(p.plain, texts(p, outputs))
		markVarying(p.tokens, compare(p.plain, texts(p, again)))
		p.words = len(bytes.Fields(p.plain))
		for _, text := range texts(p, again) {
			if len(bytes.Fields(text)) != p.words {
				p.words = -1
			}
		}
		all[i] = p
	}
	return all
}

// wordsOnly returns a text with # for every number.
func wordsOnly(text []byte) []byte {
	var out bytes.Buffer
	for _, line := range split(text) {
		for _, t := range line {
			out.WriteString(shape([]token{t}) + " ")
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// keeps reports whether the numbers keep their digits, and everything else
// stays, if some lines round to float32.
func (a *analysis) keeps(units []unit, parts []part) (bool, error) {
	out, err := a.run(instrument.Settings{Narrow: mask(units, len(a.program.Sites))})
	if err != nil || out.Exit != a.plain.Exit {
		return false, err
	}
	for _, p := range parts {
		if !p.keeps(p.of(out), a.options.Advise) {
			return false, nil
		}
	}
	return true, nil
}

// keeps reports whether a text has the words of the plain one, and a number of
// digits of its numbers.
func (p part) keeps(text []byte, digits int) bool {
	if p.words >= 0 && len(bytes.Fields(text)) != p.words {
		return false
	}
	for i, t := range compare(p.plain, [][]byte{text}) {
		before := p.tokens[i].Digits
		switch {
		case p.tokens[i].Varies:
			continue
		case t.Differs, t.changes:
			return false
		case before == nil:
			continue
		}
		// The spread of one run is its difference: no typical size of errors.
		now := *t.Digits
		if now < t.limit {
			now += crmath.Log10(typical)
		}
		need := min(float64(digits), t.limit)
		if *before < p.tokens[i].limit {
			need = min(need, *before)
		}
		if now < need {
			return false
		}
	}
	return true
}
