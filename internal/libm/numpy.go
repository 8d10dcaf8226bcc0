package libm

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// A Python runs code in an interpreter that has a module, and returns what it printed.
type Python func(ctx context.Context, module, code string, args ...string) ([]byte, error)

// numpyCode reads arguments from a file and writes results to another: its arguments are
// the function's name, how many arrays there are, and the files.
const numpyCode = `
import sys, numpy as np
name, arrays, source, target = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
a = np.fromfile(source, '<f8').reshape(arrays, -1)
with np.errstate(all='ignore'):
    getattr(np, name)(*a).astype('<f8').tofile(target)
print(np.__version__)
`

// NumPy returns NumPy's functions, of an interpreter that run finds. The error says why
// there is none.
func NumPy(ctx context.Context, run Python) (Library, error) {
	out, err := run(ctx, "numpy", "import numpy; print(numpy.__version__)")
	if err != nil {
		return Library{}, err
	}
	return Library{Name: "numpy", Version: "NumPy " + strings.TrimSpace(string(out)), Call: func(f *Function, x, y []float64) ([]float64, error) {
		if f.NumPy == "" {
			return nil, nil
		}
		dir, err := os.MkdirTemp("", "lastbit-libm")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		source, target, arrays := filepath.Join(dir, "x"), filepath.Join(dir, "y"), "1"
		var b []byte
		for _, v := range x {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		for _, v := range y {
			arrays, b = "2", binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		if err := os.WriteFile(source, b, 0o600); err != nil {
			return nil, err
		}
		if _, err := run(ctx, "numpy", numpyCode, f.NumPy, arrays, source, target); err != nil {
			return nil, err
		}
		return results(target, len(x))
	}}, nil
}

// results reads n numbers.
func results(name string, n int) ([]float64, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if len(b) != 8*n {
		return nil, fmt.Errorf("NumPy gave %d bytes for %d numbers", len(b), n)
	}
	out := make([]float64, n)
	return out, binary.Read(bytes.NewReader(b), binary.LittleEndian, out)
}
