package libm

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/fp"
)

// A Python runs code in an interpreter that has a module, and returns its
// output.
type Python func(ctx context.Context, module, code string, args ...string) ([]byte, error)

// numpyCode reads arguments from a file and writes results to another, function
// by function. Its arguments are the type, the files, and for each function its
// name, the number of arrays that it takes, and their length.
const numpyCode = `
import sys, numpy as np
dtype, source, target = sys.argv[1:4]
with open(source, 'rb') as x, open(target, 'wb') as y, np.errstate(all='ignore'):
    for name, arrays, n in zip(*[iter(sys.argv[4:])] * 3):
        a = [np.fromfile(x, dtype, int(n)).astype(dtype[1:]) for _ in range(int(arrays))]
        getattr(np, name)(*a).astype(dtype).tofile(y)
`

// NumPy returns NumPy's functions, of an interpreter that run finds.
func NumPy[T Float](ctx context.Context, run Python) (Library[T], error) {
	out, err := run(ctx, "numpy", "import numpy; print(numpy.__version__)")
	if err != nil {
		return Library[T]{}, err
	}
	many := func(jobs []Job[T]) error { return numpyJobs(ctx, run, jobs) }
	find := func(f *Function[T]) (Loop[T], error) {
		if f.NumPy == "" {
			return nil, nil
		}
		return func(out, x, y []T) error { return many([]Job[T]{{f, out, x, y}}) }, nil
	}
	version := "NumPy " + strings.TrimSpace(string(out))
	return Library[T]{Name: "numpy", Version: version, Many: many, Timed: never[T], Find: find}, nil
}

// numpyJobs runs one interpreter for all jobs, because its start takes longer
// than they do.
func numpyJobs[T Float](ctx context.Context, run Python, jobs []Job[T]) error {
	dir, err := os.MkdirTemp("", "lastbit-libm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	source, target, dtype := filepath.Join(dir, "arguments"), filepath.Join(dir, "results"), "<f8"
	if FormatOf[T]() == fp.Binary32 {
		dtype = "<f4"
	}
	args := []string{dtype, source, target}
	var b bytes.Buffer
	size := 0
	for _, j := range jobs {
		arrays := "1"
		//lastbit:ignore nankey a NaN is passed on as it is
		_ = binary.Write(&b, binary.LittleEndian, j.X) // to memory
		if j.Y != nil {
			arrays = "2"
			//lastbit:ignore nankey a NaN is passed on as it is
			_ = binary.Write(&b, binary.LittleEndian, j.Y)
		}
		args = append(args, j.Function.NumPy, arrays, strconv.Itoa(len(j.X)))
		size += binary.Size(j.Out)
	}
	if err := os.WriteFile(source, b.Bytes(), 0o600); err != nil {
		return err
	}
	if _, err := run(ctx, "numpy", numpyCode, args...); err != nil {
		return err
	}
	results, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	if len(results) != size {
		return fmt.Errorf("NumPy gave %d bytes instead of %d", len(results), size)
	}
	for _, j := range jobs {
		n, err := binary.Decode(results, binary.LittleEndian, j.Out)
		if err != nil {
			return err
		}
		results = results[n:]
	}
	return nil
}
