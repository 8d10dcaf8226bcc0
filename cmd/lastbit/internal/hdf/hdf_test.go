package hdf

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
)

// pythonWith returns an interpreter that has modules, or ends the test by
// require.Missing.
func pythonWith(t *testing.T, modules string) string {
	t.Helper()
	for _, p := range []string{os.Getenv("LASTBIT_PYTHON"), "python3", "/usr/bin/python3"} {
		if p != "" && exec.Command(p, "-c", "import "+modules).Run() == nil {
			return p
		}
	}
	require.Missing(t, "a Python with "+modules)
	return ""
}

// only runs code in one interpreter.
func only(python string) Python {
	return func(ctx context.Context, module, code string, args ...string) ([]byte, error) {
		out, err := exec.CommandContext(ctx, python,
			append([]string{"-c", code}, args...)...).Output()
		if err != nil {
			return nil, &probe.Fault{ID: "module-missing", Thing: module}
		}
		return out, nil
	}
}

// sums reads columns, and returns their exact sums and the numbers of values
// that are missing.
func sums(name string, o dataset.Options) (totals []string, missing []int, err error) {
	r, err := dataset.Open(name, o)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	acc := make([]*big.Rat, len(r.Columns()))
	for i := range acc {
		acc[i] = new(big.Rat)
	}
	missing = make([]int, len(acc))
	var b dataset.Block
	for {
		if err := r.Next(&b); err == io.EOF {
			break
		} else if err != nil {
			return nil, nil, err
		}
		for i, c := range b.Columns {
			missing[i] += len(c.Empty)
			for k, v := range c.Values {
				acc[i].Add(acc[i], new(big.Rat).SetFloat64(v))
				if c.Rest != nil {
					acc[i].Add(acc[i], new(big.Rat).SetFloat64(c.Rest[k]))
				}
			}
		}
	}
	for _, a := range acc {
		totals = append(totals, a.String())
	}
	return totals, missing, nil
}

// opener is the type of Options.Foreign.
type opener = func(dataset.ForeignRequest) (*dataset.Foreign, error)

// written is a file that testdata/write.py wrote, and what reading it gives.
type written struct {
	File                       string
	Columns                    []string
	Skip, Keep, Packed, NetCDF bool
	Sums                       []string
	Missing                    []int
	Error                      string
}

func (w *written) check(t *testing.T, dir string, open opener) {
	t.Helper()
	o := dataset.Options{Columns: w.Columns, SkipEmpty: w.Skip, KeepFill: w.Keep, Packed: w.Packed,
		Foreign: open}
	if w.NetCDF {
		o.Format = "netcdf"
	}
	got, missing, err := sums(filepath.Join(dir, w.File), o)
	what := fmt.Sprintf("%s of %.60s, %+v", w.File, strings.Join(w.Columns, ","), *w)
	what = what[:min(len(what), 200)]
	switch {
	case w.Error != "":
		if err == nil || !strings.Contains(err.Error(), w.Error) {
			t.Errorf("%s: %v, %v, want %s", what, got, err, w.Error)
		}
		return
	case err != nil:
		t.Errorf("%s: %v", what, err)
		return
	}
	for i := range w.Sums {
		if got[i] != w.Sums[i] {
			t.Errorf("%s: the sum of column %d is %s, want %s", what, i, got[i], w.Sums[i])
		}
	}
	if w.Missing != nil && !slices.Equal(missing, w.Missing) {
		t.Errorf("%s: missing are %v, want %v", what, missing, w.Missing)
	}
}

// TestFiles reads files of every type, byte order, layout, filter, mask and
// unit by netCDF4 and by h5py.
func TestFiles(t *testing.T) {
	python := pythonWith(t, "h5py, netCDF4")
	dir := t.TempDir()
	out, err := exec.Command(python, filepath.Join("testdata", "write.py"), dir).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("%v: %s", err, exit.Stderr)
	}
	var cases []written
	if err := json.Unmarshal(out, &cases); err != nil || len(cases) < 50 {
		t.Fatal(err, len(cases))
	}
	open := Opener(t.Context(), only(python))
	for _, w := range cases {
		w.check(t, dir, open)
	}
}

// TestSciPy reads files of classic netCDF that SciPy writes, by SciPy.
func TestSciPy(t *testing.T) {
	python := pyenv.Python(t)
	dir := t.TempDir()
	const code = `
import sys
import numpy as np
from scipy.io import netcdf_file
for version in 1, 2:
    f = netcdf_file("%s/v%d.nc" % (sys.argv[1], version), "w", version=version)
    f.createDimension("t", None)
    f.createDimension("x", 3)
    for t in "b", "h", "i", "f", "d":
        v = f.createVariable(t, t, ("t", "x"))
        v[:2] = np.array([[1, 2, 3], [4, 5, 100]], t)
        v.missing_value = np.array(100, v.data.dtype)
    v = f.createVariable("fixed", "f", ("x",))
    v[:] = [1, 2, 9.9692099683868690e+36]
    f.close()
f = netcdf_file(sys.argv[1] + "/single.nc", "w")
f.createDimension("t", None)
f.createVariable("v", "h", ("t",))[:5] = np.arange(5)
f.close()
`
	if out, err := exec.Command(python, "-c", code, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	open := Opener(t.Context(), only(python))
	all := []string{"b", "h", "i", "f", "d"}
	for _, w := range []written{
		{File: "v1.nc", Columns: all, Skip: true, Sums: slices.Repeat([]string{"15/1"}, 5),
			Missing: []int{1, 1, 1, 1, 1}},
		{File: "v2.nc", Columns: all, Skip: true, Sums: slices.Repeat([]string{"15/1"}, 5)},
		{File: "v2.nc", Columns: []string{"f"}, Keep: true, Sums: []string{"115/1"}},
		{File: "v1.nc", Columns: []string{"fixed"}, Error: "netCDF's default fill value"},
		{File: "single.nc", Sums: []string{"10/1"}},
	} {
		w.check(t, dir, open)
	}
}

// TestSlabs reads an array in small blocks of every kind, in C's order.
func TestSlabs(t *testing.T) {
	python := pythonWith(t, "h5py, netCDF4")
	name := filepath.Join(t.TempDir(), "x.h5")
	const code = `
import sys
import h5py, numpy as np
with h5py.File(sys.argv[1], "w") as f:
    for name, chunks in (("plain", None), ("cut", (2, 3, 2)), ("long", (4, 1, 1)),
                         ("wide", (1, 5, 6))):
        x = np.arange(4 * 5 * 6, dtype="f8").reshape(4, 5, 6)
        f.create_dataset(name, data=x, chunks=chunks)
`
	if out, err := exec.Command(python, "-c", code, name).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole := script
	defer func() { script = whole }()
	for _, budget := range []string{"30", "300", "2000"} { // a value, a row, some planes
		script = strings.Replace(whole, "BUDGET = 1 << 25", "BUDGET = "+budget, 1)
		if script == whole {
			t.Fatal("the script has no such line")
		}
		r, err := dataset.Open(name, dataset.Options{Columns: []string{"plain", "cut", "long",
			"wide"}, Foreign: Opener(t.Context(), only(python))})
		if err != nil {
			t.Fatal(err)
		}
		var b dataset.Block
		if err := r.Next(&b); err != nil || b.Rows() != 120 {
			t.Fatal(err, b.Rows())
		}
		for _, c := range b.Columns {
			for i, v := range c.Values {
				if v != float64(i) {
					t.Fatalf("blocks of %s bytes: value %d is %v", budget, i, v)
				}
			}
		}
		r.Close()
	}
}

// TestMissingPackage names the package that reads a file.
func TestMissingPackage(t *testing.T) {
	none := func(context.Context, string, string, ...string) ([]byte, error) {
		return nil, &probe.Fault{ID: "module-missing"}
	}
	for magic, want := range map[string]string{
		"\x89HDF\r\n\x1a\n": "the package h5py or netCDF4; pip install h5py",
		"CDF\x01....":       "the package netCDF4 or scipy; pip install netCDF4",
		"CDF\x05....":       "the package netCDF4; pip install netCDF4",
	} {
		name := filepath.Join(t.TempDir(), "x.h5")
		if err := os.WriteFile(name, []byte(magic), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := dataset.Open(name, dataset.Options{Foreign: Opener(t.Context(), none)})
		var fault *probe.Fault
		if !errors.As(err, &fault) || fault.ID != "module-missing" ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %s", magic, err, want)
		}
	}
}

// TestWideRecords reads a field of records that are large in sum, in little
// memory.
func TestWideRecords(t *testing.T) {
	python := pythonWith(t, "h5py, resource")
	dir := t.TempDir()
	name := filepath.Join(dir, "wide.h5")
	out, err := exec.Command(python, "-c", "import h5py, sys, numpy as np\n"+
		"t = np.dtype([('x', 'f8'), ('rest', 'u1', (1 << 21,))])\n"+
		"with h5py.File(sys.argv[1], 'w') as f:\n"+
		"    f.create_dataset('r', (1000,), t, chunks=(1,))\n", name).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	limit := "import resource\nresource.setrlimit(resource.RLIMIT_AS, (1500 << 20, 1500 << 20))\n"
	err = os.WriteFile(filepath.Join(dir, "sitecustomize.py"), []byte(limit), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PYTHONPATH", dir)
	got, _, err := sums(name, dataset.Options{Columns: []string{"r.x"},
		Foreign: Opener(t.Context(), only(python))})
	if err != nil || got[0] != "0/1" {
		t.Errorf("%v, %v", got, err)
	}
}
