package libm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/lastbit/lastbit/fp"
)

// A Print describes the rounding of one function of one library.
type Print struct {
	Library  string    `json:"library"`
	Version  string    `json:"version"`
	Function string    `json:"function"`
	DType    fp.Format `json:"dtype"`
	Count    int       `json:"count"`           // of results
	Wrong    int       `json:"wrong"`           // results that are not the correctly rounded ones
	Worst    ULPs      `json:"worst"`           // largest error; 0.5, the bound, if none is wrong
	At       []Number  `json:"at"`              // arguments of the worst, if any is wrong
	Gave     Number    `json:"gave,omitempty"`  // its result
	Right    Number    `json:"right,omitempty"` // the correctly rounded one
	Hash     string    `json:"hash"`            // SHA-256 of all results, NaNs alike
}

// Prints calls functions of a library with their fixed arguments. It leaves out
// functions that the library does not have.
func Prints[T Float](l Library[T], functions []*Function[T]) (prints []*Print, err error) {
	jobs, err := l.call(functions)
	if err != nil {
		return nil, err
	}
	for _, j := range jobs {
		p, err := l.print(j)
		if err != nil {
			return nil, err
		}
		prints = append(prints, p)
	}
	return prints, nil
}

// call calls functions with their fixed arguments. It leaves out functions that
// the library does not have.
func (l *Library[T]) call(functions []*Function[T]) (jobs []Job[T], err error) {
	for _, f := range functions {
		loop, err := l.Find(f)
		if err != nil {
			return nil, err
		}
		if loop == nil {
			continue
		}
		x, y, err := f.Fixed()
		if err != nil {
			return nil, err
		}
		job := Job[T]{f, make([]T, f.Results*len(x)), x, y}
		jobs = append(jobs, job)
		if l.Many == nil {
			if err := loop(job.Out, x, y); err != nil {
				return nil, err
			}
		}
	}
	if l.Many != nil {
		err = l.Many(jobs)
	}
	return jobs, err
}

// Examine calls a function of a library with some arguments. It returns nil if
// the library does not have the function.
func Examine[T Float](l Library[T], f *Function[T], x, y []T) (*Print, error) {
	loop, err := l.Find(f)
	if loop == nil || err != nil {
		return nil, err
	}
	j := Job[T]{f, make([]T, f.Results*len(x)), x, y}
	if err := loop(j.Out, x, y); err != nil {
		return nil, err
	}
	return l.print(j)
}

// print compares results with the right ones.
func (l *Library[T]) print(j Job[T]) (*Print, error) {
	want := make([]T, len(j.Out))
	if err := j.Function.right(want, j.X, j.Y); err != nil {
		return nil, err
	}
	p := &Print{
		Library: l.Name, Version: l.Version, Function: j.Function.Name, DType: FormatOf[T](),
		Count: len(want), Worst: 0.5, At: []Number{}, Hash: hashOf(j.Out),
	}
	wrong := wrongResults(j.Out, want)
	if p.Wrong = len(wrong); p.Wrong == 0 {
		return p, nil
	}
	i, worst := j.worst(wrong)
	x, y, _ := j.arguments(i)
	p.Worst, p.At, p.Gave, p.Right = worst, []Number{numberOf(x)}, numberOf(j.Out[i]),
		numberOf(want[i])
	if j.Y != nil {
		p.At = append(p.At, numberOf(y))
	}
	return p, nil
}

// same reports whether two results have the same bits. All NaNs are the same.
func same[T Float](a, b T) bool {
	return a == b && math.Signbit(float64(a)) == math.Signbit(float64(b)) || a != a && b != b
}

// hashOf returns the hash of the bits of results.
func hashOf[T Float](results []T) string {
	h := sha256.New()
	size := FormatOf[T]().Bytes()
	var b []byte
	for _, v := range results {
		b = binary.LittleEndian.AppendUint64(b[:0], bitsOf(v))
		h.Write(b[:size])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// bitsOf returns the bits of a result. All NaNs are the same.
func bitsOf[T Float](v T) uint64 {
	single := FormatOf[T]() == fp.Binary32
	switch {
	case v != v && single:
		return 0x7fc00000
	case v != v:
		return 0x7ff8000000000000
	case single:
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(float64(v))
}
