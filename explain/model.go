package explain

import (
	"fmt"
	"strings"
)

// Model describes how results are computed. Each cause has a value, a few
// words. An empty value has no effect on the results: it differs from no other.
type Model map[Cause]string

// Values of a model that need no words.
const (
	noFMA     = "none"
	keeps     = "kept"
	asGiven   = "as given"
	toNearest = "to nearest"
	notFused  = "one by one"
	rounded   = "rounded"
	correct   = "correctly rounded"
)

// Other values that catalogues and revealed arithmetics share.
const (
	kahan           = "Kahan"
	kahanAdded      = "Kahan, last error added"
	flushesBoth     = "inputs and results flushed"
	flushesResults  = "results flushed"
	flushesInputs   = "inputs flushed"
	timesReciprocal = "times 1/n"
)

// plainModel returns the model of sums in an order that round each operation to
// the accumulator.
func plainModel(order, accumulator string) Model {
	return Model{
		Order: order, FMA: noFMA, Accumulator: accumulator, Flush: keeps, Inputs: asGiven,
		Rounding: toNearest, Fused: notFused, Exact: rounded,
	}
}

// with returns a copy with another value.
func (m Model) with(c Cause, value string) Model {
	n := Model{}
	for k, v := range m {
		n[k] = v
	}
	n[c] = value
	return n
}

// difference returns the causes that two models differ in.
func (m Model) difference(n Model) []Cause {
	one := (m[Exact] == correct) != (n[Exact] == correct)
	causes := []Cause{}
	for _, c := range Causes() {
		// Of a correctly rounded result, inputs and flushing alone have an
		// effect.
		moot := one && c != Exact && c != Inputs && c != Flush
		if a, b := m[c], n[c]; a != "" && b != "" && a != b && !moot {
			causes = append(causes, c)
		}
	}
	return causes
}

// name returns the order, or the function, then all that is not usual. usual is
// the accumulator that is not named.
func (m Model) name(usual string) string {
	var parts []string
	switch {
	case m[Exact] == correct:
		parts = append(parts, "exact")
	case m[Fused] != "" && m[Fused] != notFused: // which has no other order than a chain
	case m[Libm] != "":
		parts = append(parts, m[Libm])
	default:
		parts = append(parts, m[Order])
	}
	for _, p := range []struct {
		cause Cause
		usual string
		form  string
	}{
		{Fused, notFused, "%s"}, {FMA, noFMA, "FMA of %s"}, {Accumulator, usual, "%s accumulator"},
		{Rounding, toNearest, "%s"}, {Flush, keeps, "%s"}, {Inputs, asGiven, "inputs in %s"},
	} {
		v := m[p.cause]
		if v == "" || v == p.usual || m[Exact] == correct && p.cause != Inputs {
			continue
		}
		parts = append(parts, fmt.Sprintf(p.form, v))
	}
	return strings.Join(parts, ", ")
}
