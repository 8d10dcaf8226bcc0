package sums

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"unicode/utf8"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/fp"
)

// A Line is one result.
type Line struct {
	Op       string  `json:"op"`
	Column   string  `json:"column,omitempty"`
	Key      *string `json:"key,omitempty"`
	KeyBytes string  `json:"key_bytes,omitempty"` // in hexadecimal, unless UTF-8
	// Keys are the keys of several columns, and of one column a NULL. A NULL is
	// nil.
	Keys      []*string    `json:"keys,omitempty"`
	Algorithm string       `json:"algorithm,omitempty"` // unless exact
	Count     int64        `json:"count"`
	Value     number       `json:"value"`
	Bits      string       `json:"bits"`
	Naive     *number      `json:"naive,omitempty"`
	ULPs      *ulpDistance `json:"naive_ulps,omitempty"`
	Digest    string       `json:"digest,omitempty"`
	Promise   string       `json:"promise"`
	// Exact is every digit of an exact sum that is finite, before it is
	// rounded.
	Exact string `json:"exact,omitempty"`
	// Missing is the number of rows that were left out, without a value or, on
	// request, NaN.
	Missing int64 `json:"missing,omitempty"`

	isDecimal bool // rows are decimals
}

// A number of a format is a JSON number, or a string if it is not finite.
type number struct {
	x float64
	f fp.Format
}

func (n number) String() string { return text.Decimal(n.x, n.f) }

// MarshalJSON returns the shortest decimal that is read as the same number of
// the format.
func (n number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(n.x) || math.IsInf(n.x, 0) {
		return json.Marshal(n.String())
	}
	if n.x == 0 && math.Signbit(n.x) {
		return []byte("-0.0"), nil // many readers take -0 for an integer, which has one zero
	}
	return []byte(n.String()), nil
}

// notComparable is the distance of NaN to a number.
const notComparable = math.MaxUint64

// A ulpDistance is a distance in ULPs.
type ulpDistance uint64

// MarshalJSON returns a number, or null for notComparable.
func (u ulpDistance) MarshalJSON() ([]byte, error) {
	if u == notComparable {
		return []byte("null"), nil
	}
	return fmt.Appendf(nil, "%d", uint64(u)), nil
}

func (u ulpDistance) String() string {
	switch u {
	case notComparable:
		return "not comparable"
	case 0:
		return "the same"
	case 1:
		return "1 ULP off"
	}
	return fmt.Sprintf("%d ULPs off", uint64(u))
}

// onlyNaN is printed for every NaN: no algorithm promises which one it returns.
var onlyNaN = math.Float64frombits(0x7ff8 << 48)

// Lines returns all results, in order, with digests or naive results on
// request.
func (p *Partial) Lines(algo *Algorithm, digest, naive bool) ([]Line, error) {
	lines := []Line{}
	for line, err := range p.each(Printing{algo, digest, naive}, true) {
		if err != nil {
			return nil, err
		}
		lines = append(lines, *line)
	}
	return lines, nil
}

// A Printing is how results are printed: with digests or naive results on
// request.
type Printing struct {
	Algorithm     *Algorithm
	Digest, Naive bool
}

// each returns all results, in order. Without digits they have only those
// digits of exact sums that a table shows.
func (p *Partial) each(how Printing, digits bool) iter.Seq2[*Line, error] {
	return func(yield func(*Line, error) bool) {
		for _, s := range p.results {
			for g := range s.sorted() {
				line, err := g.lineOf(how.Algorithm, how.Digest, digits)
				line.Column = s.column
				if p.grouped {
					line.setKey(g.key)
				}
				if how.Naive && err == nil {
					line.setNaive(how.Algorithm, g)
				}
				if !yield(&line, err) {
					return
				}
			}
		}
	}
}

// line returns the result of a group.
func (g *keyGroup) line(algo *Algorithm, digest bool) (Line, error) {
	return g.lineOf(algo, digest, true)
}

func (g *keyGroup) lineOf(algo *Algorithm, digest, digits bool) (Line, error) {
	v, err := g.total.value(algo.out)
	if err != nil {
		return Line{}, err
	}
	if v != v {
		v = onlyNaN
	}
	line := Line{
		Op: algo.op.name, Count: g.count, Missing: g.missing, Promise: algo.promise(),
		Value: number{v, algo.out}, Bits: text.Hex(v, algo.out),
	}
	if !algo.isExact() {
		line.Algorithm = algo.name
		return line, nil
	}
	t := g.total.(*exactTotal)
	if line.isDecimal = len(t.scaled) > 0; digits || line.isDecimal || math.Abs(v) >= minInteger {
		line.Exact = t.decimal()
	}
	if digest {
		line.Digest = fmt.Sprintf("%x", t.digest())
	}
	return line, nil
}

// setKey sets the key of one column.
func (l *Line) setKey(key string) {
	l.Key = &key
	if !utf8.ValidString(key) {
		l.KeyBytes = fmt.Sprintf("%x", key)
	}
}

func (l *Line) setNaive(algo *Algorithm, g *keyGroup) {
	n := algo.op.naive(g.naive, g.count, roundingTo(algo.out))
	d := ulpDistance(algo.out.Distance(l.Value.x, n))
	l.Naive, l.ULPs = &number{n, algo.out}, &d
}
