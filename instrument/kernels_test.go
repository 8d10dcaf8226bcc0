package instrument

import (
	"context"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// BenchmarkKernels reports the time of computations in rewritten programs over
// that of the plain program: without perturbation (off), with it (on), and with
// a profile beside it. Each figure is the fastest of the runs.
func BenchmarkKernels(b *testing.B) {
	const folder = "testdata/kernels"
	tool := require.Program(b, "go")
	p, err := Build(context.Background(), Options{Dir: folder, Package: "."}, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	plain := Program{Binary: filepath.Join(b.TempDir(), "plain")}
	build := exec.Command(tool, "build", "-o", plain.Binary, ".")
	build.Dir = folder
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, args := range [][]string{
		{"matmul", "200"}, {"solve", "240"}, {"mandelbrot", "120"}, {"stencil", "64"},
	} {
		b.Run(args[0], func(b *testing.B) {
			fastest := map[string]float64{}
			take := func(name string, p *Program, s Settings) {
				out, err := p.Run(context.Background(), Input{Args: args}, s)
				if err != nil {
					b.Fatal(err)
				}
				ns, err := strconv.ParseFloat(strings.TrimSpace(string(out.Stderr)), 64)
				if err != nil {
					b.Fatal(err)
				}
				if t, ok := fastest[name]; !ok || ns < t {
					fastest[name] = ns
				}
			}
			for range max(5, b.N) {
				take("plain", &plain, Settings{})
				take("off", p, Settings{})
				take("on", p, Settings{Perturb: true, Seed: 1})
				take("profile", p, Settings{Perturb: true, Profile: true, Seed: 1})
			}
			b.ReportMetric(0, "ns/op")
			for _, name := range []string{"off", "on", "profile"} {
				b.ReportMetric(fastest[name]/fastest["plain"], name+"/plain")
			}
		})
	}
}
