package open

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
)

func TestMain(m *testing.M) {
	ServeIfWorker()
	os.Exit(m.Run())
}

// TestTable checks the promises of every row of the table.
func TestTable(t *testing.T) {
	table := Drivers(Config{})
	rows := map[string]string{}
	for _, d := range table {
		if d.Summary == "" || d.Open == nil || len(d.Schemes) != len(d.Examples) {
			t.Errorf("%s: the row is not complete", d.Package)
		}
		if _, err := os.Stat(filepath.Join("../..", d.Package)); err != nil {
			t.Errorf("%s: %v", d.Package, err)
		}
		for i, scheme := range d.Schemes {
			if other, taken := rows[scheme]; taken {
				t.Errorf("%s and %s both have the scheme %s", other, d.Package, scheme)
			}
			rows[scheme] = d.Package
			if !strings.HasPrefix(d.Examples[i], scheme+":") {
				t.Errorf("%s: the example of %s is %s", d.Package, scheme, d.Examples[i])
			}
		}
		addresses := slices.Concat(d.Examples, d.Yours)
		if d.Names != nil {
			addresses = append(addresses, d.Names()...)
		}
		for _, address := range addresses {
			if scheme, _, _ := strings.Cut(address, ":"); !slices.Contains(d.Schemes, scheme) {
				t.Errorf("%s: %s is an address of another row", d.Package, address)
			}
		}
	}
}

// TestNamesAreListed opens nothing: every address that a driver lists by a name
// is one of its Names, where it has any.
func TestNamesAreListed(t *testing.T) {
	for _, d := range Drivers(Config{}) {
		if d.Names == nil || d.List == nil {
			continue
		}
		names := d.Names()
		for _, l := range d.List(t.Context()) {
			if !slices.Contains(names, l.Address) && !strings.Contains(l.Address, "/") {
				t.Errorf("%s lists %s, which it does not name", d.Package, l.Address)
			}
		}
	}
}

// TestDocuments compares the lists of drivers in the documents with the table.
func TestDocuments(t *testing.T) {
	for _, file := range []string{
		"develop/architecture.md", "reference/errors.md", "develop/recipes/driver.md",
	} {
		text, err := os.ReadFile(filepath.Join("../../docs", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range Drivers(Config{}) {
			for _, scheme := range d.Schemes {
				if !strings.Contains(string(text), scheme+":") {
					t.Errorf("docs/%s does not name %s:", file, scheme)
				}
			}
			if file != "reference/errors.md" && !strings.Contains(string(text), d.Package) {
				t.Errorf("docs/%s does not name %s", file, d.Package)
			}
		}
	}
}

// fault returns the Fault that an address ends in.
func fault(t *testing.T, table Table, address string, s probe.Spec) *probe.Fault {
	t.Helper()
	target, err := table.Open(t.Context(), address, s)
	if err == nil {
		target.Close()
	}
	f := new(probe.Fault)
	if !errors.As(err, &f) {
		t.Fatalf("%s: the error is %v, not a Fault", address, err)
	}
	return f
}

func TestMistypedAddresses(t *testing.T) {
	table := Drivers(Config{})
	library := filepath.Join(t.TempDir(), "libmine.so")
	for _, test := range []struct{ address, id, want string }{
		{"numpy.sum", "bad-address", "did you mean py:numpy.sum?"},
		{"py:numpy.sun", "unknown-function", "did you mean py:numpy.sum?"},
		{"go:niave", "unknown-target", "did you mean go:naive?"},
		{"blas:openblass", "bad-address", "did you mean blas:openblas?"},
		{"nmpy:sum", "bad-address", "did you mean py:numpy.sum?"},
		{"openblas", "bad-address", "did you mean blas:openblas?"},
		{"gonm:floats.Sum", "bad-address", "did you mean gonum:floats.Sum?"},
		{"sim:w100", "unknown-target", "sim:h100"},
		{"mpi:alreduce", "bad-address", "did you mean mpi:allreduce or mpi:reduce?"},
		{"py:pandas.Series.summ", "unknown-function", "did you mean py:pandas.Series.sum?"},
		{"py:torch.nn.functional.liner", "unknown-function",
			"did you mean py:torch.nn.functional.linear?"},
		{"linear", "bad-address", "did you mean py:torch.nn.functional.linear?"},
		{"./lib.so", "bad-address", "did you mean clib:./lib.so:symbol?"},
		{"./libopenblas.so.0", "bad-address", "blas:./libopenblas.so.0"},
		{library + ":sum", "bad-address", "did you mean clib:" + library + ":sum?"},
		{"c:" + library + ":sum", "bad-address", "did you mean clib:" + library + ":sum?"},
		{os.Args[0], "bad-address", "did you mean exec:" + os.Args[0] + "?"},
		{os.Args[0] + " -v", "bad-address", "did you mean 'exec:" + os.Args[0] + " -v'?"},
		{"clib:libc.so.6", "bad-address", "did you mean clib:libc.so.6:symbol?"},
		{"go:sum", "unknown-target", "did you mean gonum:floats.Sum, "},
		{"zzz", "bad-address", "write go:naive, gonum:floats.Sum, "},
		{"", "bad-address", "write go:naive, gonum:floats.Sum, "},
	} {
		f := fault(t, table, test.address, probe.Spec{N: 4, DType: fp.Binary64})
		if f.ID != test.id || !strings.Contains(f.Cure, test.want) {
			t.Errorf("%q: %v, want %s with %q", test.address, f, test.id, test.want)
		}
	}
}

// TestOptionsAreRefused asks every driver for each option that it does not
// state.
func TestOptionsAreRefused(t *testing.T) {
	requests := map[probe.Options]probe.Spec{
		probe.WithAcc:      {Acc: fp.Binary32},
		probe.WithRows:     {M: 2},
		probe.WithCols:     {Cols: 2},
		probe.WithAxis:     {Axis: "0"},
		probe.WithTrans:    {Trans: "a"},
		probe.WithOrder:    {Order: "F"},
		probe.WithStride:   {Stride: 2},
		probe.WithAlign:    {Align: 8},
		probe.WithThreads:  {Threads: 2},
		probe.WithOutIndex: {OutIndex: []int{0}},
		probe.WithDevice:   {Device: "cuda"},
	}
	for _, d := range Drivers(Config{}) {
		for option, s := range requests {
			if d.Options&option != 0 {
				continue
			}
			s.N, s.DType = 4, fp.Binary64
			f := fault(t, Table{d}, d.Examples[0], s)
			if flag := option.Flags()[0]; !strings.HasPrefix(f.Cure, "leave "+flag+" out") {
				t.Errorf("%s with %s: %v", d.Examples[0], flag, f)
			}
		}
	}
}

// mine is a driver of a program's own: one package and one row.
func mine() Driver {
	return Driver{
		Package:  "example/mine",
		Summary:  "a function of mine",
		Schemes:  []string{"mine"},
		Examples: []string{"mine:backwards"},
		Yours:    []string{"mine:/path"},
		Open: AfterScheme(func(_ context.Context, name string, s probe.Spec) (probe.Target, error) {
			if name != "backwards" {
				return nil, &probe.Fault{ID: "unknown-target", Thing: "mine:" + name, Cause: "no",
					Cure: "none"}
			}
			return gofunc.New("mine:backwards", backwards, s.N), nil
		}),
		List: func(context.Context) []probe.Listing {
			return []probe.Listing{{Address: "mine:backwards", Ops: []probe.Op{probe.Sum}}}
		},
		Names: func() []string { return []string{"mine:backwards"} },
	}
}

func backwards(x []float64) float64 {
	sum := 0.0
	for i := len(x) - 1; i >= 0; i-- {
		sum += x[i]
	}
	return sum
}

// TestNewDriver adds a row to the table, and nothing else.
func TestNewDriver(t *testing.T) {
	served := false
	d := mine()
	d.ServeIfWorker = func() { served = true }
	table := append(Drivers(Config{}), d)

	target, err := table.Open(t.Context(), "mine:backwards", probe.Spec{N: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	if k := target.Key(); k.Target != "mine:backwards" || k.N != 3 {
		t.Errorf("its key is %v", k)
	}
	if f := fault(t, table, "mine:backwards",
		probe.Spec{N: 3, Stride: 2}); f.ID != "unsupported-option" {
		t.Errorf("an option that it does not state: %v", f)
	}
	if f := fault(t, table, "mine:backward", probe.Spec{N: 3}); !strings.Contains(f.Cure,
		"mine:backwards?") {
		t.Errorf("a mistyped name: %v", f)
	}
	if f := fault(t, table, "backwards", probe.Spec{N: 3}); !strings.Contains(f.Cure,
		"mine:backwards?") {
		t.Errorf("a name without its scheme: %v", f)
	}
	if all := table[len(table)-1:].List(t.Context()); len(all) != 1 ||
		all[0].Address != "mine:backwards" {
		t.Errorf("it is listed as %v", all)
	}
	if got := table.Complete("mi"); !slices.Equal(got, []string{"mine:", "mine:backwards"}) {
		t.Errorf("it is completed as %q", got)
	}
	if !strings.HasSuffix(table.Examples(), " or mine:backwards") ||
		!slices.Contains(table.Yours(), "mine:/path") {
		t.Errorf("the examples are %s", table.Examples())
	}
	if table.serveIfWorker(); !served {
		t.Error("its ServeIfWorker was not called")
	}
}

func TestComplete(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"libone.so", ".hidden.so"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "lib"), 0o700); err != nil {
		t.Fatal(err)
	}
	slash := string(filepath.Separator)
	within := "clib:" + dir + slash
	for typed, want := range map[string][]string{
		"go:p":         {"go:pairwise"},
		"sim:c":        {"sim:cdna1", "sim:cdna2", "sim:cdna3"},
		"ex":           {"exec:"},
		within:         {within + "lib" + slash, within + "libone.so"},
		within + ".h":  {within + ".hidden.so"},
		within + "no":  nil,
		"clib:/no/dir": nil,
		"py:polars.D":  {"py:polars.DataFrame.group_by.sum"},
		"py:lib":       nil,
		"py:" + dir + slash + "lib": {"py:" + dir + slash + "lib" + slash,
			"py:" + dir + slash + "libone.so"},
		"zzz": nil,
	} {
		if got := Drivers(Config{}).Complete(typed); !slices.Equal(got, want) {
			t.Errorf("Complete(%q) = %q, want %q", typed, got, want)
		}
	}
}
