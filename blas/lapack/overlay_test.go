package lapack_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	gonum "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"

	ours "github.com/lastbit/lastbit/blas/lapack"
)

// overlayCalls are calls of the routines with overlays that are faster or round
// otherwise, for matrices of order n. At sizes without hashes an overlay may
// have no effect: the routines choose by size.
var overlayCalls = []struct {
	name string
	work int // the argument that is room, or 0
	args func(c caller, n int) []any
}{
	{"Dgetf2", 0, func(c caller, n int) []any {
		return []any{n + 3, n, c.random((n + 3) * n), n, make([]int, n)}
	}},
	{"Dgetri", 4, func(c caller, n int) []any {
		return []any{n, c.dominant(n), n, inOrder(n), make([]float64, n*n), n * n}
	}},
	{"Dhseqr", 11, func(c caller, n int) []any {
		h, room := c.dominant(n), make([]float64, 40*n)
		for i := range n {
			clear(h[i*n:][:max(0, i-1)])
		}
		return []any{lapack.EigenvaluesAndSchur, lapack.SchurHess, n, 0, n - 1, h, n,
			make([]float64, n), make([]float64, n), make([]float64, n*n), n, room, len(room)}
	}},
	{"Dlahqr", 0, func(c caller, n int) []any {
		h := c.dominant(n)
		for i := range n {
			clear(h[i*n:][:max(0, i-1)])
		}
		return []any{true, true, n, 0, n - 1, h, n, make([]float64, n), make([]float64, n),
			0, n - 1, c.random(n * n), n}
	}},
	{"Dlarf", 8, func(c caller, n int) []any {
		return []any{gonum.Left, n, n + 1, c.random(2 * n), 2, c.random(1)[0],
			c.random(n * (n + 1)), n + 1, make([]float64, n+1)}
	}},
	{"Dlarfg", 0, func(c caller, n int) []any {
		return []any{n, c.random(1)[0], c.random(2 * n), 2}
	}},
	{"Dlartg", 0, func(c caller, n int) []any {
		return []any{c.random(1)[0], c.random(1)[0]}
	}},
	{"Dlaset", 0, func(c caller, n int) []any {
		return []any{gonum.All, n, n + 2, c.random(1)[0], c.random(1)[0],
			c.random(n * (n + 3)), n + 3}
	}},
	{"Dlasr", 0, func(c caller, n int) []any {
		return []any{gonum.Right, lapack.Variable, lapack.Backward, n + 1, n,
			c.random(n - 1), c.random(n - 1), c.random((n + 1) * n), n}
	}},
	{"Dlatrd", 0, func(c caller, n int) []any {
		return []any{gonum.Lower, n, (n + 1) / 2, c.random(n * n), n, make([]float64, n-1),
			make([]float64, n-1), make([]float64, n*n), n}
	}},
	{"Dormlq", 10, func(c caller, n int) []any {
		return c.reflections(n, n, 1)
	}},
	{"Dormqr", 10, func(c caller, n int) []any {
		return c.reflections(n, 1, n)
	}},
	{"Dpotf2", 0, func(c caller, n int) []any {
		return []any{gonum.Upper, n, c.dominant(n), n}
	}},
	{"Dsteqr", 6, func(c caller, n int) []any {
		return []any{lapack.EVTridiag, n, c.random(n), c.random(n - 1), make([]float64, n*n), n,
			make([]float64, 2*n)}
	}},
	{"Dsytd2", 0, func(c caller, n int) []any {
		return []any{gonum.Upper, n, c.random(n * n), n, make([]float64, n),
			make([]float64, n-1), make([]float64, n-1)}
	}},
	{"Dsytrd", 7, func(c caller, n int) []any {
		return []any{gonum.Lower, n, c.random(n * n), n, make([]float64, n),
			make([]float64, n-1), make([]float64, n-1), make([]float64, 40*n), 40 * n}
	}},
	{"Dtrti2", 0, func(c caller, n int) []any {
		return []any{gonum.Lower, gonum.NonUnit, n, c.dominant(n), n}
	}},
}

// caller makes the arguments of calls.
type caller struct{ *rand.Rand }

// random returns n numbers between −2 and 2.
func (c caller) random(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Ldexp(float64(int64(c.Uint64())>>11), -52)
	}
	return x
}

// dominant returns a matrix of order n whose diagonal dominates.
func (c caller) dominant(n int) []float64 {
	a := c.random(n * n)
	for i := range n {
		a[i*n+i] = float64(4*n + i)
	}
	return a
}

// reflections returns arguments of Dormqr and Dormlq, n reflections of n
// elements of three vectors. The elements of a reflection are rowStep apart.
func (c caller) reflections(n, rowStep, columnStep int) []any {
	a := c.random(n*n + n) // gonum's Dlarft takes a slice from behind the last row
	room := make([]float64, 40*n+5000)
	tau := make([]float64, n)
	for i := range tau {
		square := 1.0
		for j := i + 1; j < n; j++ {
			v := a[i*columnStep+j*rowStep]
			square += float64(v * v)
		}
		tau[i] = 2 / square
	}
	return []any{gonum.Left, gonum.Trans, n, 3, n, a, n, tau, c.random(3 * n), 3, room, len(room)}
}

func inOrder(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	return p
}

// overlayHashes returns the hashes of the results of overlayCalls.
func overlayHashes() map[string]uint64 {
	hashes := map[string]uint64{}
	for _, call := range overlayCalls {
		h := fnv.New64a()
		write := func(v reflect.Value) {
			if x, ok := v.Interface().([]float64); ok {
				binary.Write(h, binary.LittleEndian, x)
			} else {
				fmt.Fprintln(h, v.Interface())
			}
		}
		method := reflect.ValueOf(ours.Implementation{}).MethodByName(call.name)
		c := caller{rand.New(rand.NewPCG(5, 29))}
		for _, n := range []int{2, 3, 5, 8, 13, 24, 40, 70, 100} {
			var args []reflect.Value
			for _, a := range call.args(c, n) {
				args = append(args, reflect.ValueOf(a))
			}
			for _, result := range method.Call(args) {
				write(result)
			}
			for i, a := range args {
				if i != call.work || call.work == 0 {
					write(a)
				}
			}
		}
		hashes[call.name] = h.Sum64()
	}
	return hashes
}

// hashFile names the file that TestOverlayHashes writes.
const hashFile = "LASTBIT_OVERLAY_HASHES"

// TestOverlayHashes writes the hashes, for TestTags.
func TestOverlayHashes(t *testing.T) {
	name := os.Getenv(hashFile)
	if name == "" {
		t.Skip("TestTags runs this")
	}
	text, err := json.Marshal(overlayHashes())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestTags holds what the tags of overlays promise. With gonum's routines in
// their place, overlays that are only faster have the same bits; those that
// round otherwise have others.
func TestTags(t *testing.T) {
	here := overlayHashes()
	for tags, keepsBits := range map[string]bool{
		"faster": true, "faster, rounds otherwise": false,
	} {
		t.Run(tags, func(t *testing.T) {
			t.Parallel()
			routines, overlay := withoutOverlays(t, tags)
			file := filepath.Join(t.TempDir(), "hashes")
			cmd := exec.Command("go", "test", "-run", "^TestOverlayHashes$",
				"-overlay", overlay, ".")
			cmd.Env = append(os.Environ(), hashFile+"="+file)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var gonums map[string]uint64
			if err := json.Unmarshal(text, &gonums); err != nil {
				t.Fatal(err)
			}
			for _, name := range routines {
				if _, ok := here[name]; !ok {
					t.Errorf("overlayCalls has no %s", name)
				} else if (here[name] == gonums[name]) != keepsBits {
					t.Errorf("%s is tagged (%s), and its results have equal bits: %v", name, tags,
						here[name] == gonums[name])
				}
			}
		})
	}
}

// withoutOverlays derives the package without the overlays that have some tags.
// It returns their routines, and a file that puts gonum's in their place, as
// option -overlay of the go command takes it.
func withoutOverlays(t *testing.T, tags string) (routines []string, file string) {
	t.Helper()
	rest, out, here := t.TempDir(), t.TempDir(), absolute(t, ".")
	names, err := filepath.Glob(overlays + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(name)
		if base != "doc.go" && strings.Contains(string(text), "\n// Overlay ("+tags+"): ") {
			made := "zgonum_" + base
			routines = append(routines, "D"+strings.TrimSuffix(base[1:], ".go"))
			replace[filepath.Join(here, made)] = filepath.Join(out, "blas/lapack", made)
			continue
		}
		if err := os.WriteFile(filepath.Join(rest, base), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if len(replace) < 3 {
		t.Fatalf("%d overlays (%s)", len(replace), tags)
	}
	cmd := exec.Command("go", "run", generator, "-overlay", rest, "-out", out)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(out, "overlay.json")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return routines, file
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
