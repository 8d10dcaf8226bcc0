package recording

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/open"
)

func TestMain(m *testing.M) {
	open.ServeIfWorker()
	os.Exit(m.Run())
}

// record records steps, and checks that each has the wanted status.
func record(t *testing.T, want string, steps ...Step) string {
	t.Helper()
	dir := t.TempDir()
	m, err := Record(t.Context(), Config{Dir: dir, Device: "cpu", Steps: steps,
		Log: func(line string) { t.Log(line) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Steps {
		if e.Status != want || (e.Reason == "") != (want == Done) {
			t.Errorf("%s is %s, not %s: %s", e.Name, e.Status, want, e.Reason)
		}
	}
	if len(m.Steps) != len(steps) {
		t.Errorf("the manifest has %d steps of %d", len(m.Steps), len(steps))
	}
	return dir
}

// TestRecord records Go functions, replays them, and changes one bit.
func TestRecord(t *testing.T) {
	sum := probe.Spec{DType: fp.Binary32, N: 100}
	product := probe.Spec{DType: fp.Binary32, N: 33, M: 3, Cols: 2}
	dir := record(t, Done,
		Step{Name: "sum", Op: "sum", Addresses: []string{"go:pairwise"}, Spec: sum},
		Step{Name: "kahan", Op: "sum", Addresses: []string{"go:kahan"}, Spec: sum},
		Step{Name: "gemm", Op: "gemm", Addresses: []string{"gonum:blas32.Gemm"}, Spec: product},
		Step{Name: "rows", Op: "gemm", Addresses: []string{"gonum:blas32.Gemm"}, Spec: product,
			Rows: []int{1, 2, 3}},
		Step{Name: "both", Op: "sum", Addresses: []string{"go:pairwise", "go:naive"}, Spec: sum},
	)
	c, err := Replay(dir)
	if want := (Counts{Steps: 5, Verified: 2, Outputs: 2 * BankSize}); err != nil || c != want {
		t.Fatalf("%+v, %v; want %+v", c, err, want)
	}
	for _, part := range []string{"invariance", "comparison"} {
		if all := readAll(t, dir); !strings.Contains(all, `"`+part+`":{`) {
			t.Errorf("no file has the field %s", part)
		}
	}
	changeBit(t, filepath.Join(dir, "gemm.json"))
	if _, err := Replay(dir); err == nil || !strings.Contains(err.Error(), "the replay gives") {
		t.Errorf("a changed output: %v", err)
	}
}

// readAll returns all files of a folder.
func readAll(t *testing.T, dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(b)
	}
	return all.String()
}

// changeBit changes the last bit of the first output of a file.
func changeBit(t *testing.T, file string) {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(b), `"bank":["`) + len(`"bank":["`) + 7
	digits := "0123456789abcdef"
	b[at] = digits[strings.IndexByte(digits, b[at])^1]
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAbsent records targets that this machine lacks: each is skipped with its
// reason.
func TestAbsent(t *testing.T) {
	s := probe.Spec{DType: fp.Binary32, N: 10}
	dir := record(t, Skipped,
		Step{Name: "function", Op: "sum", Addresses: []string{"go:none"}, Spec: s},
		Step{Name: "op", Op: "no such operation", Addresses: []string{"go:naive"}, Spec: s},
		Step{Name: "program", Op: "gemm", Addresses: []string{"exec:/no/such/program"}, Spec: s},
	)
	if c, err := Replay(dir); err != nil || c.Steps != 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestBudget gives the second step no time.
func TestBudget(t *testing.T) {
	s := Step{Name: "a", Op: "sum", Addresses: []string{"go:naive"},
		Spec: probe.Spec{DType: fp.Binary32, N: 8}}
	ctx, cancel := context.WithCancel(t.Context())
	m, err := Record(ctx, Config{Dir: t.TempDir(), Device: "cpu", Budget: time.Hour,
		Steps: []Step{s, s}, Log: func(string) { cancel() }})
	if err != nil || m.Steps[0].Status != Done || m.Steps[1].Status != Skipped {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestRehearsal records a part of the plan on PyTorch's own CPU code.
func TestRehearsal(t *testing.T) {
	present := false
	drivers := open.Drivers(open.Config{Python: os.Getenv("LASTBIT_PYTHON")})
	for _, l := range drivers.List(t.Context()) {
		present = present || l.Address == "py:torch.mm" && l.Absent == ""
	}
	if !present {
		require.Missing(t, "PyTorch")
	}
	var steps []Step
	for _, s := range Plan("../../../../gpu") {
		switch s.Name {
		case "sum-f32-1000", "sum-rows-bf16-1024", "mm-m16-f32-512", "mean-f32-1000",
			"softmax-bf16-1000":
			steps = append(steps, s)
		case "mm-batch-f32-512":
			s.Rows = []int{1, 2, 8}
			steps = append(steps, s)
		}
	}
	dir := record(t, Done, steps...)
	c, err := Replay(dir)
	if err != nil || c.Steps != 6 || c.Verified < 3 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestOps checks that every step names an operation.
func TestOps(t *testing.T) {
	for _, s := range Plan("gpu") {
		if _, err := probe.ParseOp(s.Op); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

// TestRecordings replays the recordings that are in the repository.
func TestRecordings(t *testing.T) {
	dirs, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			if c, err := Replay(dir); err != nil || c.Verified == 0 {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
}

// TestPlan checks that the names of the steps are names of files, each once,
// and that no step needs a rest of the name of another.
func TestPlan(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Plan("gpu") {
		if seen[s.Name] || strings.ContainsAny(s.Name, "/ .:") || s.Name == "manifest" {
			t.Errorf("the name %q", s.Name)
		}
		seen[s.Name] = true
	}
	if len(seen) < 50 {
		t.Errorf("only %d steps", len(seen))
	}
}

// TestBank checks the contents of the bank.
func TestBank(t *testing.T) {
	for _, f := range []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16} {
		found := map[string]bool{}
		for k, in := range Bank(f, 40, true) {
			again := Bank(f, 40, true)[k]
			for i, v := range in.X {
				if bitsOf(f, v) != bitsOf(f, again.X[i]) {
					t.Fatalf("%s: input %d is not fixed", f, k)
				}
				if f.Round(v, fp.NearestEven) != v && v == v {
					t.Fatalf("%s: input %d is not in the format", f, k)
				}
				for name, is := range map[string]bool{
					"NaN": v != v, "infinity": math.IsInf(v, 0), "-0": v == 0 && math.Signbit(v),
					"subnormal": v != 0 && math.Abs(v) < f.MinNormal(),
				} {
					found[name] = found[name] || is
				}
				if y := math.Abs(in.Y[i]); y < 0.5 || y >= 2 {
					t.Fatalf("%s: a second factor %v", f, y)
				}
			}
		}
		for name, is := range found {
			if !is {
				t.Errorf("%s: the bank has no %s", f, name)
			}
		}
	}
}
