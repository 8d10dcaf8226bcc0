package lock

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
)

// fakeNumPy is a NumPy whose functions return usual, altered.
func fakeNumPy(alter func(function string, i int, v float64) float64) libm.Python {
	return func(_ context.Context, _, _ string, args ...string) ([]byte, error) {
		if len(args) == 0 {
			return []byte("9.9\n"), nil
		}
		source, err := os.ReadFile(args[1])
		if err != nil || args[0] != "<f8" {
			return nil, errors.Join(err, errors.New(args[0]))
		}
		var results []byte
		for jobs := args[3:]; len(jobs) > 0; jobs = jobs[3:] {
			arrays, errA := strconv.Atoi(jobs[1])
			n, errN := strconv.Atoi(jobs[2])
			x := make([]float64, n)
			_, err := binary.Decode(source, binary.LittleEndian, x)
			if err := errors.Join(errA, errN, err); err != nil {
				return nil, err
			}
			source = source[8*n*arrays:]
			for i, v := range x {
				x[i] = alter(jobs[0], i, usual(jobs[0], v))
			}
			results, err = binary.Append(results, binary.LittleEndian, x)
			if err != nil {
				return nil, err
			}
		}
		return nil, os.WriteFile(args[2], results, 0o600)
	}
}

// usual returns a multiple of x, another one for each function.
func usual(function string, x float64) float64 {
	sum := 0
	for _, c := range []byte(function) {
		sum += int(c)
	}
	return float64(sum) * x
}

// unaltered is a function for fakeNumPy.
func unaltered(_ string, _ int, v float64) float64 { return v }

// functionsOf returns a survey of the elementary functions alone, and a lock
// file with them.
func functionsOf(t *testing.T) (*Survey, *lockfile.File) {
	t.Helper()
	s := surveyOf(func(probe.Spec) probe.Target { return nil })
	s.Python = fakeNumPy(unaltered)
	p, err := s.Profile(t.Context(), nil, []fp.Format{fp.Binary64})
	if err != nil || len(p.Libraries)+len(p.Absent) != 2 || len(p.Missing) != 0 {
		t.Fatalf("%+v, %v", p, err)
	}
	f := &lockfile.File{}
	f.Put(p.Profile)
	return s, reread(t, f)
}

// reread writes a lock file, and reads it.
func reread(t *testing.T, f *lockfile.File) *lockfile.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), lockfile.Name)
	w, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Write(w), w.Close()); err != nil {
		t.Fatal(err)
	}
	read, err := lockfile.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// TestFunctionWitness changes one, two, 1000 and all results of functions, and
// finds one of those with the result before and after.
func TestFunctionWitness(t *testing.T) {
	s, f := functionsOf(t)
	numpy := f.Profiles[0].Libraries[len(f.Profiles[0].Libraries)-1]
	delete(numpy.Sums, "log10") // as in a file of an earlier lastbit
	every := map[string]int{"exp": 65536, "log": 32768, "sin": 65, "cos": 1, "log10": 1}
	alter := func(function string, i int, v float64) float64 {
		if step := every[function]; step != 0 && i%step == step/2 {
			return math.Nextafter(v, math.Inf(1))
		}
		return v
	}
	s.Python = fakeNumPy(alter)
	r, err := s.Check(t.Context(), reread(t, f), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Functions) != len(every) || len(r.FunctionWitnesses) != len(every)-1 {
		t.Errorf("%v of %v", r.FunctionWitnesses, r.Functions)
	}
	for title, w := range r.FunctionWitnesses {
		x, _ := strconv.ParseFloat(string(w.At[0]), 64)
		v := usual(title[len("numpy f64 "):], x)
		if w.ThereBits != fmt.Sprintf("0x%016x", math.Float64bits(v)) ||
			w.HereBits != fmt.Sprintf("0x%016x", math.Float64bits(math.Nextafter(v, math.Inf(1)))) {
			t.Errorf("%s: %+v", title, w)
		}
	}
	var b strings.Builder
	if err := WriteText(&b, r); err != nil {
		t.Fatal(err)
	}
	w := r.FunctionWitnesses["numpy f64 exp"]
	for _, want := range []string{"5 of ", " elementary functions changed\n",
		"\nnumpy f64: other results of cos, exp, log, log10, sin\n", "as locked  ",
		"\n  exp(" + string(w.At[0]) + ") ", w.ThereBits, w.HereBits, "has no sums"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q lacks %q", b.String(), want)
		}
	}
	for _, write := range []func() error{
		func() error { return WriteSARIF(&b, r, "f", "v") },
		func() error { return WriteGitHub(&b, r, "f") },
	} {
		b.Reset()
		if err := write(); err != nil || !strings.Contains(b.String(), ") gave "+w.ThereBits) {
			t.Errorf("%s, %v", b.String(), err)
		}
	}
	numpy.Sums["exp"] = "damaged"
	var fault *probe.Fault
	_, err = s.Check(t.Context(), reread(t, f), nil, nil)
	if !errors.As(err, &fault) || fault.ID != "bad-lock" {
		t.Errorf("damaged sums: %v", err)
	}
}

// TestFormatsOfFunctions checks a project that asks for other formats than the
// lock file has, and a machine without one of the libraries.
func TestFormatsOfFunctions(t *testing.T) {
	s, f := functionsOf(t)
	for _, c := range []struct {
		formats []fp.Format
		want    string
	}{
		{[]fp.Format{fp.Binary64}, "nothing changed"},
		{nil, "numpy f64 elementary functions: cannot be probed any more: lastbit.toml does not "},
	} {
		b := check(t, s, f, &lockfile.Config{Libm: c.formats})
		if !strings.Contains(b, c.want) {
			t.Errorf("%v: %q lacks %q", c.formats, b, c.want)
		}
	}
	none := reread(t, f)
	none.Profiles[0].Libraries = nil
	const added = "numpy f64 elementary functions: not in the lock file"
	b := check(t, s, none, &lockfile.Config{Libm: []fp.Format{fp.Binary64}})
	if !strings.Contains(b, added) {
		t.Errorf("%q lacks %q", b, added)
	}
	s.Python = func(context.Context, string, string, ...string) ([]byte, error) {
		return nil, &probe.Fault{ID: "module-missing", Thing: "numpy", Cause: "it is not here"}
	}
	r, err := s.Check(t.Context(), f, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const gone = "numpy f64 elementary functions"
	if r.Missing[gone] == nil || len(r.Changes) != 1 || !strings.Contains(Summary(r.Changes[0]),
		gone+": cannot be probed any more: it is not here") {
		t.Errorf("%+v, %+v", r.Missing, r.Changes)
	}
	functions := len(f.Profiles[0].Libraries[len(f.Profiles[0].Libraries)-1].Functions)
	if want := fmt.Sprintf("%d of ", functions); !strings.HasPrefix(r.Verdict(), want) {
		t.Errorf("%q, want %q", r.Verdict(), want)
	}
}

// check returns the text of a check.
func check(t *testing.T, s *Survey, f *lockfile.File, config *lockfile.Config) string {
	t.Helper()
	r, err := s.Check(t.Context(), f, config, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Missing) > 0 {
		t.Errorf("%v could not be probed", r.Missing)
	}
	var b strings.Builder
	if err := WriteText(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
