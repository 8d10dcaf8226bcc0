package digits

import (
	"math"
	"strings"
)

// compare returns the tokens of an output with the digits that other runs
// confirm.
func compare(plain []byte, others [][]byte) []Token {
	lines := split(plain)
	type run struct {
		lines [][]token
		match []int
	}
	runs := make([]run, len(others))
	for i, o := range others {
		runs[i].lines = split(o)
		runs[i].match = align(lines, runs[i].lines)
	}
	all := []Token{}
	for i, line := range lines {
		for j, t := range line {
			counterparts := make([]*token, len(runs))
			for k, r := range runs {
				if m := r.match[i]; m >= 0 && j < len(r.lines[m]) {
					counterparts[k] = &r.lines[m][j]
				}
			}
			found := t.judge(counterparts)
			found.Line, found.Token = i+1, j+1
			all = append(all, found)
		}
	}
	return all
}

// judge compares a token with its counterparts, nil where a run has none.
func (t token) judge(others []*token) Token {
	found := Token{Plain: t.text, Shown: t.text}
	for _, o := range others {
		if o == nil || shape([]token{t}) != shape([]token{*o}) {
			found.Differs = true
		}
	}
	var shown strings.Builder
	at, worst := 0, math.Inf(1)
	for i, n := range t.numbers {
		if n.value-n.value != 0 {
			continue
		}
		d := 0.0
		if !found.Differs {
			d = estimate(n, values(others, i))
		}
		worst = min(worst, d)
		shown.WriteString(t.text[at:n.from])
		shown.WriteString(show(t.text[n.from:n.to], n, d))
		at = n.to
	}
	shown.WriteString(t.text[at:])
	found.Shown = shown.String()
	if !math.IsInf(worst, 1) {
		found.Digits = &worst
	}
	return found
}

// values returns number i of the tokens.
func values(tokens []*token, i int) []float64 {
	all := make([]float64, len(tokens))
	for k, t := range tokens {
		all[k] = t.numbers[i].value
	}
	return all
}
