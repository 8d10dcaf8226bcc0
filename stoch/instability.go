package stoch

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// A Kind is a kind of instability.
type Kind uint8

// The kinds of instabilities.
const (
	// SelfValidation: both factors of a product, or a divisor, are noise. The
	// estimates of digits that depend on the result cannot be relied on.
	SelfValidation Kind = iota

	// Mathematical: an argument of a function is noise.
	Mathematical

	// Branching: the difference of two compared numbers is noise, or samples
	// are rounded to different integers.
	Branching

	// Cancellation: a sum has 4 digits fewer than its operands.
	Cancellation

	kinds int = iota
)

var kindNames = [kinds]string{"self-validation", "mathematical", "branching", "cancellation"}

// String returns the name of the kind.
func (k Kind) String() string {
	if int(k) >= kinds {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// MarshalText returns the name of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the name of a kind.
func (k *Kind) UnmarshalText(b []byte) error {
	i := slices.Index(kindNames[:], string(b))
	if i < 0 {
		return fmt.Errorf("stoch: %q is no kind of instability: use one of %s", b,
			strings.Join(kindNames[:], ", "))
	}
	*k = Kind(i)
	return nil
}

// An Instability counts one kind of instability on one line.
type Instability struct {
	Kind     Kind   `json:"kind"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
	Count    uint64 `json:"count"`
}

// log counts instabilities.
type log struct {
	mu     sync.Mutex
	counts map[place]uint64
}

func newLog() *log { return &log{counts: map[place]uint64{}} }

// place is a kind of instability and the innermost calls that led there.
type place struct {
	kind  Kind
	calls [maxDepth]uintptr
}

// maxDepth bounds the calls that are recorded: more than this package nests.
const maxDepth = 8

// note counts an instability of the operation that is running.
func (a *Arithmetic[T]) note(k Kind) {
	if a.detect[k] {
		a.found.add(k, 1)
	}
}

// add counts instabilities.
func (l *log) add(k Kind, n uint64) {
	p := place{kind: k}
	runtime.Callers(2, p.calls[:])
	l.mu.Lock()
	l.counts[p] += n
	l.mu.Unlock()
}

// inside begins the names of this package's functions.
const inside = "github.com/lastbit/lastbit/stoch."

// caller returns the innermost call of a function outside this package.
func (p place) caller() runtime.Frame {
	frames := runtime.CallersFrames(p.calls[:])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, inside) || !more {
			return f
		}
	}
}

// A Report lists the instabilities of a computation.
type Report struct {
	Instabilities []Instability `json:"instabilities"` // by kind, file and line
}

// Report returns the instabilities detected so far.
func (a *Arithmetic[T]) Report() Report {
	l := a.found
	l.mu.Lock()
	defer l.mu.Unlock()
	sums := map[Instability]uint64{}
	for p, n := range l.counts {
		f := p.caller()
		sums[Instability{Kind: p.kind, File: f.File, Line: f.Line, Function: f.Function}] += n
	}
	r := Report{Instabilities: make([]Instability, 0, len(sums))}
	for i, n := range sums {
		i.Count = n
		r.Instabilities = append(r.Instabilities, i)
	}
	slices.SortFunc(r.Instabilities, func(a, b Instability) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Function, b.Function))
	})
	return r
}

// Reset forgets the instabilities detected so far.
func (a *Arithmetic[T]) Reset() {
	a.found.mu.Lock()
	defer a.found.mu.Unlock()
	clear(a.found.counts)
}

// Count returns the number of instabilities of a kind.
func (r Report) Count(k Kind) (n uint64) {
	for _, i := range r.Instabilities {
		if i.Kind == k {
			n += i.Count
		}
	}
	return n
}

// IsReliable reports whether the estimates of digits can be relied on: no
// product of noise and no division by noise was found.
func (r Report) IsReliable() bool { return r.Count(SelfValidation) == 0 }

// String returns the report in lines of text. The first line is the verdict.
func (r Report) String() string {
	var b strings.Builder
	switch {
	case len(r.Instabilities) == 0:
		return "No instability detected.\n"
	case r.IsReliable():
		b.WriteString("Instabilities detected. The estimates of digits are valid.\n")
	default:
		b.WriteString("The estimates of digits are not reliable: self-validation failed.\n")
	}
	for _, i := range r.Instabilities {
		where := "unknown"
		if i.File != "" {
			folder, file := filepath.Split(filepath.FromSlash(i.File))
			file = filepath.ToSlash(filepath.Join(filepath.Base(folder), file))
			where = fmt.Sprintf("%s:%d", file, i.Line)
		}
		fmt.Fprintf(&b, "%8d  %-15s  %s\n", i.Count, i.Kind, where)
	}
	return b.String()
}

// cancelledDigits is the loss of digits that is a cancellation (CADNA's
// default).
const cancelledDigits = 4

// checkCancellation notes a cancellation if the sum s of x and y has
// cancelledDigits digits fewer than both. Digits are whole, by the cheap
// logarithm.
func (a *Arithmetic[T]) checkCancellation(x, y, s Number[T]) {
	if a.hasCancelled(x, y, s) {
		a.note(Cancellation)
	}
}

func (a *Arithmetic[T]) hasCancelled(x, y, s Number[T]) bool {
	return a.detect[Cancellation] && s.isFinite() &&
		min(x.wholeDigits(), y.wholeDigits())-s.wholeDigits() >= cancelledDigits
}
