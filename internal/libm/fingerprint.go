package libm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"runtime"

	"github.com/lastbit/lastbit/fp"
)

// A Library has elementary functions.
type Library struct {
	Name    string // go, c, numpy
	Version string
	// Call returns the values of a function, or nil if the library has none of that name.
	Call func(f *Function, x, y []float64) ([]float64, error)
}

// Go returns package math.
func Go() Library {
	return Library{Name: "go", Version: runtime.Version(), Call: func(f *Function, x, y []float64) ([]float64, error) {
		return apply(f.golang, x, y), nil
	}}
}

// A Print says how one function of one library rounds.
type Print struct {
	Library  string    `json:"library"`
	Version  string    `json:"version"`
	Function string    `json:"function"`
	Count    int       `json:"count"` // of arguments
	Wrong    int       `json:"wrong"` // results that are not the correctly rounded ones
	Worst    uint64    `json:"worst"` // most ULPs that a result is off
	At       []float64 `json:"at"`    // argument of the worst; none if none is wrong
	Hash     string    `json:"hash"`  // of all results: SHA-256, in hexadecimal
}

// Fingerprint calls a function of a library with the fixed arguments. It returns nil if
// the library does not have it.
func Fingerprint(l Library, f *Function) (*Print, error) {
	x, y := f.Arguments()
	got, err := l.Call(f, x, y)
	if got == nil || err != nil {
		return nil, err
	}
	p := &Print{Library: l.Name, Version: l.Version, Function: f.Name, Count: len(x)}
	h := sha256.New()
	for i, want := range f.Right(x, y) {
		v := got[i]
		if v != v {
			v = math.NaN() // all are alike
		}
		h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		if math.Float64bits(v) == math.Float64bits(want) || v != v && want != want {
			continue
		}
		p.Wrong++
		if d := distance(v, want); d > p.Worst || p.At == nil {
			p.Worst, p.At = d, x[i:i+1]
			if y != nil {
				p.At = []float64{x[i], y[i]}
			}
		}
	}
	p.Hash = hex.EncodeToString(h.Sum(nil))
	return p, nil
}

// distance is how many ULPs two results are apart: of a NaN and a number the most
// there can be.
func distance(a, b float64) uint64 {
	if a != a || b != b {
		return math.MaxUint64
	}
	return fp.Binary64.Distance(a, b)
}
