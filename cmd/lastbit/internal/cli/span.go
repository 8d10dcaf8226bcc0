package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/probe"
)

// maxSpan bounds the values of a sweep.
const maxSpan = 4096

// A span is the value of a flag that takes one number or many: 64, 1..64,
// 1..64:8 (a step), 1,2,4, or ranges in a list. It prints as it was given.
type span struct {
	name   string
	text   string
	values []int
}

// newSpan returns the span of a flag with its default.
func newSpan(name string, value int) *span {
	return &span{name: name, text: strconv.Itoa(value), values: []int{value}}
}

// Set implements pflag.Value.
func (s *span) Set(text string) error {
	var values []int
	for part := range strings.SplitSeq(text, ",") {
		more, err := s.parsePart(text, part)
		if err != nil {
			return err
		}
		if values = append(values, more...); len(values) > maxSpan {
			return s.tooLong(text)
		}
	}
	sorted := slices.Sorted(slices.Values(values))
	for i := range len(sorted) - 1 {
		if sorted[i] == sorted[i+1] {
			return s.refuse(text, fmt.Sprintf("%d comes twice", sorted[i]), "name each value once")
		}
	}
	s.text, s.values = text, values
	return nil
}

// parsePart reads one element of the list.
func (s *span) parsePart(text, part string) ([]int, error) {
	const cure = "write 64, 1..64, 1..64:8 or 1,2,4"
	from, to, isRange := strings.Cut(part, "..")
	lo, err := parseCount(from)
	if err != nil {
		return nil, s.refuse(text, fmt.Sprintf("%q is not a whole number", from), cure)
	}
	if !isRange {
		return []int{lo}, nil
	}
	to, by, hasStep := strings.Cut(to, ":")
	hi, err := parseCount(to)
	if err != nil {
		return nil, s.refuse(text, fmt.Sprintf("%q is not a whole number", to), cure)
	}
	step := 1
	if hasStep {
		if step, err = parseCount(by); err != nil || step < 1 {
			return nil, s.refuse(text, fmt.Sprintf("%q is not a step of at least 1", by), cure)
		}
	}
	switch {
	case hi < lo:
		return nil, s.refuse(text, fmt.Sprintf("the range from %d to %d is empty", lo, hi),
			fmt.Sprintf("write %d..%d", hi, lo))
	case uint64(hi-lo)/uint64(step) >= maxSpan:
		return nil, s.tooLong(text)
	}
	var values []int
	for v := lo; v <= hi && v >= lo; v += step {
		values = append(values, v)
	}
	return values, nil
}

// tooLong is the fault of more values than a sweep takes.
func (s *span) tooLong(text string) error {
	return s.refuse(text, fmt.Sprintf("it has more than %d values", maxSpan),
		"take a larger step, such as 1..100000:100, or a shorter range")
}

func (s *span) refuse(text, cause, cure string) error {
	flag := text
	if s.name != "" {
		flag = dashed(s.name) + " " + text
	}
	return &probe.Fault{ID: "bad-usage", Thing: flag, Cause: cause, Cure: cure}
}

// String implements pflag.Value.
func (s *span) String() string { return s.text }

// Type implements pflag.Value.
func (s *span) Type() string { return "range" }
