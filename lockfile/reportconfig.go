package lockfile

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/lastbit/lastbit/internal/suggest"
)

// Sections are the sections of lastbit report, by the verbs that fill them.
var Sections = []string{"audit", "libm", "invariant", "lock", "vet", "digits", "explain"}

// Contents is the table report of a lastbit.toml: what lastbit report holds.
// Nil lists and zeros stand for the defaults of the command.
type Contents struct {
	Sections []string
	N        int // summands of the audit
	Ops      []string
	DType    []string
	Packages []string // that vet reads
	Targets  []string // processors whose fused operations vet asks the compiler for

	Invariant []SweepText
	Digits    []ProgramText
	Explain   []PairText
}

// SweepText is a sweep of lastbit invariant. Every number is text, as on the
// command line: 64, 1..64 or 1,2,4.
type SweepText struct {
	Target, Op, DType          string
	N, M, Cols, Threads, Align span
	Env                        []string
}

// span is a number, or a text with several of them.
type span string

// UnmarshalTOML implements toml.Unmarshaler.
func (s *span) UnmarshalTOML(v any) error {
	switch v := v.(type) {
	case int64:
		*s = span(fmt.Sprint(v))
	case string:
		*s = span(v)
	default:
		return fmt.Errorf("%v is neither a whole number nor a text such as %q", v, "1..16")
	}
	return nil
}

// ProgramText is a program of lastbit digits.
type ProgramText struct {
	Package string
	Args    []string
	Runs    int
}

// PairText is a pair of results of lastbit explain.
type PairText struct {
	A, B, Op, Input, Second, LHS, RHS string
	Axis                              *int
}

// check refuses contents that no report can have.
func (c *Contents) check() error {
	for _, s := range c.Sections {
		if !slices.Contains(Sections, s) {
			return fmt.Errorf("sections has %q%s", s, question(s, Sections))
		}
	}
	if c.N < 0 {
		return fmt.Errorf("report.n = %d, which has to be 1 or more", c.N)
	}
	for _, s := range c.Invariant {
		if s.Target == "" {
			return errors.New("a report.invariant needs a target")
		}
		if err := checkEnv(s.Env); err != nil {
			return err
		}
	}
	for _, p := range c.Digits {
		if p.Package == "" {
			return errors.New("a report.digits needs a package")
		}
		if p.Runs < 0 {
			return fmt.Errorf("%s: runs = %d, which has to be 1 or more", p.Package, p.Runs)
		}
	}
	for _, p := range c.Explain {
		if p.A == "" || p.B == "" {
			return errors.New("a report.explain needs a and b")
		}
	}
	return nil
}

// question suggests words for an unknown one, after a semicolon.
func question(word string, known []string) string {
	if q := suggest.Question(word, known); q != "" {
		return "; " + q
	}
	return "; it takes " + strings.Join(known, ", ")
}

// unknownKey describes a key that a lastbit.toml cannot have, and the nearest
// ones that it can.
func unknownKey(key toml.Key) string {
	s := fmt.Sprintf("it has no key %s", key)
	t := reflect.TypeFor[configText]()
	for _, part := range key {
		for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			break
		}
		f, ok := t.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, part) })
		if !ok {
			return s + question(part, keysOf(t))
		}
		t = f.Type
	}
	return s
}

// keysOf returns the keys of a table.
func keysOf(t reflect.Type) (keys []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name := strings.ToLower(f.Name)
		if tag := f.Tag.Get("toml"); tag != "" {
			name = tag
		}
		keys = append(keys, name)
	}
	return keys
}
