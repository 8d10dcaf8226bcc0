package preload

import (
	"bufio"
	"cmp"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/probe"
)

// BySignal is added to the number of the signal that ended a program, for its
// exit code.
const BySignal = 128

// Report lists the libraries of a program that call BLAS or LAPACK.
type Report struct {
	Calls     int64    `json:"calls"` // of replaced routines, in all processes
	Reference string   `json:"reference_lapack,omitempty"`
	Objects   []Object `json:"objects"`
	Kept      []Kept   `json:"numpy_kept"` // functions of NumPy with its library's own bits
	Called    []Called `json:"called"`     // routines that were called and are not lastbit's
	Used      bool     `json:"used"`       // whether any process called a replaced routine

	// Unlisted counts processes that called a replaced routine, and ended, or
	// became another program, without listing their libraries.
	Unlisted int `json:"unlisted,omitempty"`
}

// Object is a program or library that calls BLAS or LAPACK. Each list is of
// symbols, in order.
type Object struct {
	Path      string   `json:"path"`
	Ours      []string `json:"ours"`      // computed by lastbit
	Reference []string `json:"reference"` // computed by the reference LAPACK, on lastbit's BLAS
	Kept      []string `json:"kept"`      // computed by the program's own library
}

// Kept is a function of NumPy that keeps its library's own bits.
type Kept struct {
	Function string   `json:"function"`
	DTypes   []string `json:"dtypes"`
}

// Called is a routine that the program called and that lastbit passed on.
type Called struct {
	Routine   string   `json:"routine"`   // of LAPACK or BLAS: dsyevr
	Reference bool     `json:"reference"` // of the reference LAPACK, not of the program's own
	Functions []string `json:"functions"` // of SciPy or NumPy that are known to call it
}

// readReport reads the lines that liblastbit_blas wrote, of one process or
// several.
func readReport(text io.Reader) (*Report, error) {
	r := &Report{Objects: []Object{}, Kept: []Kept{}, Called: []Called{}}
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		// A process that was killed before it wrote leaves zeros.
		fields := strings.Split(strings.TrimLeft(lines.Text(), "\x00"), "\t")
		if len(fields) != 3 {
			continue
		}
		r.add(fields[0], fields[1], fields[2])
	}
	for i := range r.Objects {
		o := &r.Objects[i]
		for _, list := range []*[]string{&o.Ours, &o.Reference, &o.Kept} {
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
	}
	r.Kept = keptByNumPy(r.Objects)
	slices.SortFunc(r.Called, func(a, b Called) int { return cmp.Compare(a.Routine, b.Routine) })
	return r, lines.Err()
}

// add adds a line: that a process begins or ends, with the reference LAPACK, or
// what happens to a symbol of an object.
func (r *Report) add(kind, name, path string) {
	switch kind {
	case "used":
		r.Used = true
		r.Unlisted++
		return
	case "ended":
		r.Reference = cmp.Or(path, r.Reference)
		r.Unlisted--
		return
	}
	if kind == "called" {
		r.addCalled(strings.TrimSuffix(name, "_"), path == "reference")
		return
	}
	i := slices.IndexFunc(r.Objects, func(o Object) bool { return o.Path == path })
	if i < 0 {
		i = len(r.Objects)
		r.Objects = append(r.Objects, Object{
			Path: path, Ours: []string{}, Reference: []string{}, Kept: []string{},
		})
	}
	o := &r.Objects[i]
	switch kind {
	case "ours":
		o.Ours = append(o.Ours, name)
	case "reference":
		o.Reference = append(o.Reference, name)
	case "kept":
		o.Kept = append(o.Kept, name)
	}
}

// addCalled adds a routine, once for all processes.
func (r *Report) addCalled(routine string, reference bool) {
	if !slices.ContainsFunc(r.Called, func(c Called) bool { return c.Routine == routine }) {
		r.Called = append(r.Called, Called{routine, reference, functionsOf(routine)})
	}
}

// linalg lists the functions of numpy.linalg that call a routine of LAPACK.
var linalg = []struct{ routine, function string }{
	{"gesv", "solve, inv"},
	{"getrf", "det, slogdet"},
	{"potrf", "cholesky"},
	{"geqrf", "qr"},
	{"gesdd", "svd, pinv, matrix_rank, cond"},
	{"syevd", "eigh, eigvalsh"},
	{"heevd", "eigh, eigvalsh"},
	{"geev", "eig, eigvals"},
	{"gelsd", "lstsq"},
}

var dtypes = map[byte]string{'s': "float32", 'd': "float64", 'c': "complex64", 'z': "complex128"}

// keptByNumPy returns the functions of numpy.linalg whose routine is the
// library's own.
func keptByNumPy(objects []Object) []Kept {
	kept := []Kept{}
	for _, o := range objects {
		if !strings.Contains(filepath.Base(o.Path), "_umath_linalg") {
			continue
		}
		for _, symbol := range o.Kept {
			name := strings.TrimSuffix(strings.TrimPrefix(symbol, "scipy_"), "_")
			name = strings.TrimSuffix(name, "_64")
			for _, l := range linalg {
				if len(name) > 1 && name[1:] == l.routine {
					kept = addKept(kept, l.function, dtypes[name[0]])
				}
			}
		}
	}
	return kept
}

func addKept(kept []Kept, function, dtype string) []Kept {
	i := slices.IndexFunc(kept, func(k Kept) bool { return k.Function == function })
	if i < 0 {
		return append(kept, Kept{function, []string{dtype}})
	}
	if !slices.Contains(kept[i].DTypes, dtype) {
		kept[i].DTypes = append(kept[i].DTypes, dtype)
	}
	return kept
}

// Unused returns the error of a program that called nothing of the library.
func Unused(program string) error {
	return &probe.Fault{
		ID:    "run-unused",
		Thing: cmp.Or(program, "the program"),
		Cause: "it ended without a call of a BLAS or LAPACK routine that " + FileName +
			" replaces, so all of its results are its own",
		Cure: "check that it calls a BLAS through a shared library: PyTorch, and a NumPy " +
			"with MKL, have theirs inside; and that nothing in between clears LD_PRELOAD",
	}
}
