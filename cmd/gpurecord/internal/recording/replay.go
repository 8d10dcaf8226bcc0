package recording

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/sumtree"
)

// Counts is the outcome of Replay.
type Counts struct {
	Steps    int // read
	Verified int // findings replayed
	Outputs  int // that the replays gave
}

// Replay computes the outputs of every verified tree in a recording from the
// finding alone. The error names the first output that differs.
func Replay(dir string) (c Counts, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return c, err
	}
	for _, file := range files {
		if filepath.Base(file) == manifestFile {
			continue
		}
		b, err := os.ReadFile(file)
		if err != nil {
			return c, err
		}
		var r Result
		if err := json.Unmarshal(b, &r); err != nil {
			return c, fmt.Errorf("%s: %w", file, err)
		}
		c.Steps++
		if !r.replays() {
			continue
		}
		n, err := r.replay()
		if err != nil {
			return c, fmt.Errorf("%s: %w", file, err)
		}
		c.Verified++
		c.Outputs += n
	}
	return c, nil
}

// replays reports whether a result holds a verified tree of an operation that
// sumtree replays.
func (r *Result) replays() bool {
	f := r.Finding
	plain := []probe.Op{probe.Sum, probe.Dot, probe.Gemv, probe.Gemm}
	return f != nil && f.Verified && f.Tree != nil && slices.Contains(plain, f.Key.Op)
}

// replay returns the number of outputs that tree and arithmetic give.
func (r *Result) replay() (outputs int, err error) {
	f, k := r.Finding, r.Finding.Key
	replayer, err := sumtree.NewReplayer(f.Tree, *f.Arithmetic)
	if err != nil {
		return 0, err
	}
	bank := Bank(k.DType, k.N, k.Op.Products())
	if len(bank) != len(r.Bank) {
		return 0, fmt.Errorf("it has %d outputs for %d inputs", len(r.Bank), len(bank))
	}
	for i, in := range bank {
		want, err := replayer.Sum(in.X, in.Y)
		if err != nil {
			return outputs, err
		}
		if got := bitsOf(k.Out, want); got != r.Bank[i] {
			return outputs, fmt.Errorf("input %d gave %s, and the replay gives %s", i, r.Bank[i],
				got)
		}
		outputs++
	}
	return outputs, nil
}

// bitsOf returns the bits of a value in a format, "nan" for every NaN.
func bitsOf(f fp.Format, v float64) string {
	if v != v {
		return "nan"
	}
	return fmt.Sprintf("%0*x", 2*f.Bytes(), f.Bits(v))
}
