package digits

import (
	"math"
	"slices"
	"strings"
)

// compare returns the tokens of an output with the digits that other runs
// confirm, whose results are rounded up or down at random.
func compare(plain []byte, others [][]byte) []Token { return compareBy(plain, others, typical) }

// compareBy is compare for runs whose errors are typically 1/factor times the
// errors of the plain run.
func compareBy(plain []byte, others [][]byte, factor float64) []Token {
	lines := split(plain)
	runs := make([][][]*token, len(others))
	for k, o := range others {
		runs[k] = counterparts(lines, split(o))
	}
	all := []Token{}
	for i, line := range lines {
		for j, t := range line {
			others := make([]*token, len(runs))
			for k := range runs {
				others[k] = runs[k][i][j]
			}
			found := t.judge(others, factor)
			found.Line, found.Token = i+1, j+1
			all = append(all, found)
		}
	}
	return all
}

// markVarying sets Varies, given the same tokens compared with a run that has
// the same roundings.
func markVarying(tokens, again []Token) {
	for i, t := range again {
		tokens[i].Varies = t.Differs || t.Digits != nil && *t.Digits < t.limit
	}
}

// counterparts returns, for each token of the lines, its counterpart in other
// lines, or nil.
func counterparts(lines, others [][]token) [][]*token {
	match := align(lines, others, shape)
	pairUp(match, len(others))
	all := make([][]*token, len(lines))
	for i, line := range lines {
		all[i] = make([]*token, len(line))
		if match[i] < 0 {
			continue
		}
		other := others[match[i]]
		if shape(line) == shape(other) {
			all[i] = inOrder(line, other)
			continue
		}
		for j, m := range align(line, other, func(t token) string { return shape([]token{t}) }) {
			if m >= 0 {
				all[i][j] = &other[m]
			}
		}
	}
	return all
}

// inOrder returns the counterparts of tokens in a line of the same shape:
// spaces may split that elsewhere, so that they are the tokens with its
// numbers.
func inOrder(line, other []token) []*token {
	var numbers []number
	for _, t := range other {
		numbers = append(numbers, t.numbers...)
	}
	all := make([]*token, len(line))
	for i, t := range line {
		c := token{t.text, slices.Clone(t.numbers)}
		for k := range c.numbers {
			c.numbers[k].text, c.numbers[k].value = numbers[k].text, numbers[k].value
		}
		numbers = numbers[len(c.numbers):]
		all[i] = &c
	}
	return all
}

// pairUp matches lines without a counterpart where as many lines of the other
// output, of n, are left between the same neighbours.
func pairUp(match []int, n int) {
	for i := 0; i < len(match); {
		if match[i] >= 0 {
			i++
			continue
		}
		from, end, low, high := i, i, 0, n
		for end < len(match) && match[end] < 0 {
			end++
		}
		if from > 0 {
			low = match[from-1] + 1
		}
		if end < len(match) {
			high = match[end]
		}
		if i = end; high-low != end-from {
			continue
		}
		for k := from; k < end; k++ {
			match[k] = low + k - from
		}
	}
}

// judge compares a token with its counterparts, nil where a run has none, for
// compareBy.
func (t token) judge(others []*token, factor float64) Token {
	found := Token{Plain: t.text, Shown: t.text}
	for _, o := range others {
		if o == nil || shape([]token{t}) != shape([]token{*o}) {
			found.Differs = true
		}
	}
	var shown strings.Builder
	at := 0
	worst := figure{math.Inf(1), math.Inf(1), false}
	for i, n := range t.numbers {
		d := 0.0
		if n.value-n.value != 0 {
			if found.Differs || !changes(n.value, values(others, i)) {
				continue
			}
			found.changes = true
			worst = worse(worst, figure{d, MaxDigits, true})
			shown.WriteString(t.text[at:n.from] + noise)
			at = n.to
			continue
		}
		if !found.Differs {
			d = estimate(n, values(others, i), factor)
		}
		text := t.text[n.from:n.to]
		right := show(text, n, d, isConstant(n, others, i))
		worst = worse(worst, figure{d, min(MaxDigits, float64(n.printed)), right != text})
		shown.WriteString(t.text[at:n.from] + right)
		at = n.to
	}
	shown.WriteString(t.text[at:])
	found.Shown = shown.String()
	if !math.IsInf(worst.digits, 1) {
		found.Digits, found.limit = &worst.digits, worst.most
	}
	return found
}

// changes reports whether a value that is NaN or infinite is another one in a
// run.
func changes(v float64, samples []float64) bool {
	for _, s := range samples {
		if s != v && (s == s || v == v) {
			return true
		}
	}
	return false
}

// isConstant reports whether all tokens have the text of a number as their
// number i. Texts of more digits than a float64 has may differ, and their
// values be equal.
func isConstant(n number, tokens []*token, i int) bool {
	return !slices.ContainsFunc(tokens, func(t *token) bool {
		return t == nil || i >= len(t.numbers) || t.numbers[i].text != n.text
	})
}

// A figure holds the digits of a number that can be trusted, and those it has.
// A number that is cut has lost some of them, or changes beyond its 16th.
type figure struct {
	digits, most float64
	isCut        bool
}

// rank is higher for a number that lost digits than for one that changes beyond
// its 16th digit, and lowest for one that does not change.
func (f figure) rank() int {
	switch {
	case f.digits < f.most:
		return 2
	case f.isCut:
		return 1
	}
	return 0
}

// worse returns the figure of the worse of two numbers of a token: the one of
// the higher rank, or the one with fewer digits. An exact 2 beside a number
// with 14 right digits is not the worse one.
func worse(a, b figure) figure {
	if a.rank() > b.rank() || a.rank() == b.rank() && a.digits <= b.digits {
		return a
	}
	return b
}

// values returns number i of the tokens.
func values(tokens []*token, i int) []float64 {
	all := make([]float64, len(tokens))
	for k, t := range tokens {
		all[k] = t.numbers[i].value
	}
	return all
}
