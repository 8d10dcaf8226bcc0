package digits

import (
	"bytes"
	"context"
	_ "embed" // the program
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"

	"github.com/lastbit/lastbit/instrument"
)

// Table holds the cost of instrumented programs beside plain ones.
type Table struct {
	Build float64 `json:"build_seconds"` // to rewrite and build the program
	Rows  []Row   `json:"rows"`
}

// Row is a computation. A ratio divides a time by the time of the plain
// program.
type Row struct {
	Name    string  `json:"name"`
	Plain   float64 `json:"plain_ns"`
	Off     float64 `json:"off_ratio"`     // rewritten, without random rounding
	On      float64 `json:"on_ratio"`      // with it
	Profile float64 `json:"profile_ratio"` // with a record of every operation
}

//go:embed kernels/main.go
var kernelsSource []byte

// kernels are the computations, and the sizes that take some
// milliseconds.
var kernels = []struct{ name, size string }{
	{"matmul", "200"}, {"solve", "240"}, {"mandelbrot", "120"}, {"stencil", "64"},
}

// names returns the names of the computations.
func names() (names []string) {
	for _, k := range kernels {
		names = append(names, k.name)
	}
	return names
}

// run measures computations in a program as it is, and rewritten by package
// instrument. The versions take turns for the budget, three at least; the
// shortest time of each counts. The folder dir is filled.
func (m *measurement) run(ctx context.Context, dir string,
	progress experiment.Progress) (*Table, error) {
	progress("building", 0, len(kernels))
	start := time.Now()
	plain, rewritten, err := buildKernels(ctx, dir)
	if err != nil {
		return nil, err
	}
	t := &Table{Build: time.Since(start).Seconds(), Rows: []Row{}}
	for i, k := range kernels {
		if !experiment.Wants(m.only, k.name) {
			continue
		}
		progress(k.name, i, len(kernels))
		fastest, err := takeTurns(ctx, []version{
			{plain, instrument.Settings{}},
			{rewritten, instrument.Settings{}},
			{rewritten, instrument.Settings{Perturb: true, Seed: 1}},
			{rewritten, instrument.Settings{Perturb: true, Profile: true, Seed: 1}},
		}, []string{k.name, k.size}, m.budget)
		if err != nil {
			return nil, err
		}
		p := fastest[0]
		t.Rows = append(t.Rows, Row{k.name, p, fastest[1] / p, fastest[2] / p,
			fastest[3] / p})
	}
	return t, nil
}

// buildKernels builds the program as it is, and rewritten.
func buildKernels(ctx context.Context, dir string) (plain, rewritten *instrument.Program,
	err error) {
	source, work := filepath.Join(dir, "source"), filepath.Join(dir, "work")
	for _, d := range []string{source, work} {
		if err := os.Mkdir(d, 0o777); err != nil {
			return nil, nil, err
		}
	}
	for name, text := range map[string][]byte{
		"main.go": kernelsSource, "go.mod": []byte("module kernels\n\ngo 1.24\n"),
	} {
		if err := os.WriteFile(filepath.Join(source, name), text, 0o666); err != nil {
			return nil, nil, err
		}
	}
	o := instrument.Options{Dir: source, Package: "."}
	if rewritten, err = instrument.Build(ctx, o, work); err != nil {
		return nil, nil, err
	}
	plain = &instrument.Program{Binary: filepath.Join(dir, "plain")}
	build := exec.CommandContext(ctx, "go", "build", "-o", plain.Binary, ".")
	build.Dir = source
	if out, err := build.CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return plain, rewritten, nil
}

// A version is a program, and how it is run.
type version struct {
	program  *instrument.Program
	settings instrument.Settings
}

// takeTurns returns the shortest time of each version, in nanoseconds, as the
// program measures it. All print the same where nothing is perturbed.
func takeTurns(ctx context.Context, versions []version, args []string, budget time.Duration) (
	[]float64, error) {
	const leastTurns = 3
	fastest := make([]float64, len(versions))
	var want []byte
	for turn, start := 0, time.Now(); turn < leastTurns || time.Since(start) < budget; turn++ {
		for i, v := range versions {
			out, err := v.program.Run(ctx, instrument.Input{Args: args}, v.settings)
			if err != nil {
				return nil, err
			}
			ns, err := strconv.ParseFloat(strings.TrimSpace(string(out.Stderr)), 64)
			if err != nil {
				return nil, fmt.Errorf("%s: exit code %d: %w", args[0], out.Exit, err)
			}
			if want == nil {
				want = out.Stdout
			}
			if !v.settings.Perturb && !bytes.Equal(out.Stdout, want) {
				return nil, fmt.Errorf("%s: without random rounding it computes %s, not %s",
					args[0], bytes.TrimSpace(out.Stdout), bytes.TrimSpace(want))
			}
			if turn == 0 || ns < fastest[i] {
				fastest[i] = ns
			}
		}
	}
	return fastest, nil
}
