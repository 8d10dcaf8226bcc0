package lockfile

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/sumtree"
)

// randomTree returns a random binary tree.
func randomTree(rng *rand.Rand, n int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	nodes := rng.Perm(n)
	for len(nodes) > 1 {
		i := rng.IntN(len(nodes) - 1)
		nodes[i] = b.Node(nodes[i], nodes[i+1])
		nodes = append(nodes[:i+1], nodes[i+2:]...)
	}
	return b.MustTree()
}

// operation returns an operation with a verified tree.
func operation(t *testing.T, target string, tree *sumtree.Tree) *Operation {
	t.Helper()
	o := &Operation{
		Target: target, Verdict: "tree", Library: "Library 1.0", Threads: No,
		Spec: probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: tree.Leaves(), Threads: -1},
	}
	family := ""
	if f, ok := sumtree.Recognise(tree); ok {
		family = f.String()
	}
	if err := o.SetTree(tree, family, sumtree.Plain(fp.Binary32), "adds in f32"); err != nil {
		t.Fatal(err)
	}
	return o
}

func encode(t *testing.T, f *File) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func decode(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse("test", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return f
}

// TestRoundTrip writes trees of families and random ones, reads them, and
// replays them: the replays give the bits of the tree itself. What was read is
// written as the same bytes, whatever the order was.
func TestRoundTrip(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	trees := []*sumtree.Tree{
		sumtree.Family{Kind: sumtree.Chain}.Tree(1),
		sumtree.Family{Kind: sumtree.Chain}.Tree(100),
		sumtree.Family{Kind: sumtree.Pairwise, Block: 128, Unroll: 8}.Tree(5000),
		randomTree(rng, 2+rng.IntN(maxBrackets-1)), randomTree(rng, 1000),
	}
	p, q := &Profile{Class: "b"}, &Profile{Class: "a", Settings: []string{"B=2", "A=\"'\x7f\x01"}}
	for i, tree := range trees {
		p.Operations = append(p.Operations, operation(t, fmt.Sprintf("t:%d", i), tree))
	}
	q.Operations = []*Operation{p.Operations[4]}
	q.Libraries = []*Library{{"numpy", "1", "f64", map[string]string{"sin": "22", "exp": "11"},
		map[string]string{"sin": "c3Vtcw=="}},
		{"c", "2", "f32", map[string]string{"sin": "33"}, nil}}
	f := &File{}
	f.Put(p)
	f.Put(q)
	text := encode(t, f)
	if first, _, _ := strings.Cut(text, "\n"); first != "# lastbit.lock v2" {
		t.Errorf("the first line is %q", first)
	}
	got := decode(t, text)
	if again := encode(t, got); again != text {
		t.Errorf("written again:\n%s\nwas:\n%s", again, text)
	}
	rng.Shuffle(len(p.Operations), func(i, j int) {
		p.Operations[i], p.Operations[j] = p.Operations[j], p.Operations[i]
	})
	other := &File{}
	other.Put(q)
	other.Put(p)
	if encode(t, other) != text {
		t.Error("the order of insertion shows in the file")
	}
	for i, o := range got.Profile("b").Operations {
		r, err := o.Replayer()
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, trees[i].Leaves())
		for k := range x {
			x[k] = fp.Binary32.Round(rng.NormFloat64(), fp.NearestEven)
		}
		want, err := trees[i].Replay(sumtree.Plain(fp.Binary32), x, nil)
		if have, bad := r.Sum(x, nil); err != nil || bad != nil || have != want {
			t.Errorf("%s: %v, want %v (%v, %v)", o.Name(), have, want, err, bad)
		}
	}
}

// TestChangedTree changes the family, or the tree, of a lock file by hand.
func TestChangedTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, tree := range []*sumtree.Tree{
		sumtree.Family{Kind: sumtree.Chain}.Tree(10), randomTree(rng, 10), randomTree(rng, 200),
	} {
		o := operation(t, "t:x", tree)
		if o.text == "" {
			o.Family = "reverse-chain"
		} else if o.text, _ = pack(randomTree(rng, tree.Leaves())); o.text == "" {
			t.Fatal("no text")
		}
		if _, err := o.Replayer(); err == nil {
			t.Errorf("a tree of %d leaves with a wrong hash was taken", tree.Leaves())
		}
	}
	unverified := &Operation{Target: "t:x", Verdict: Unverified}
	if _, err := unverified.Replayer(); err == nil {
		t.Error("an operation without a tree was replayed")
	}
}

// TestBadFiles reads texts that are not lock files of this version.
func TestBadFiles(t *testing.T) {
	const good = "# lastbit.lock v2\n[[profile]]\nclass = \"a\"\n[[profile.operation]]\n" +
		"target = \"go:naive\"\nop = \"sum\"\ndtype = \"f32\"\nn = 3\nverdict = \"exact\"\n"
	decode(t, good)
	decode(t, strings.Replace(good, "v2", "v1", 1))
	decode(t, strings.ReplaceAll(good, "\n", "\r\n"))
	for _, c := range []struct{ name, text, id, want string }{
		{"empty", "", "bad-lock", "first line"},
		{"no head", "[[profile]]\n", "bad-lock", "first line"},
		{"version 0", "# lastbit.lock v0\n", "bad-lock", "first line"},
		{"newer", "# lastbit.lock v3\nanything", "lock-version", "version 3"},
		{"older functions", strings.Replace(good, "v2", "v1", 1) +
			"[[profile.libm]]\nfunctions = [\"sin 0\"]\n", "lock-version", "other arguments"},
		{"conflict", good + "<<<<<<< HEAD\n", "bad-lock", "not TOML"},
		{"unknown key", good + "colour = 1\n", "bad-lock", "profile.operation.colour"},
		{"twice", good + good[strings.Index(good, "[[profile.op"):], "bad-lock", "twice"},
		{"no profile", "# lastbit.lock v2\n", "bad-lock", "no profile"},
		{"answer", good + "depends_on_threads = \"maybe\"\n", "bad-lock", "maybe"},
		{"no class", "# lastbit.lock v2\n[[profile]]\n", "bad-lock", "class"},
		{"no n", strings.Replace(good, "n = 3", "n = 0", 1), "bad-lock", "lacks"},
		{"op", strings.Replace(good, "\"sum\"", "\"product\"", 1), "bad-lock", "product"},
		{"dtype", strings.Replace(good, "f32", "f33", 1), "bad-lock", "f33"},
		{"functions", good + "[[profile.libm]]\nfunctions = [\"sin\"]\n", "bad-lock", "sin"},
	} {
		_, err := Parse("x.lock", c.text)
		var f *probe.Fault
		if !errors.As(err, &f) || f.ID != c.id || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	var f *probe.Fault
	_, err := Read(filepath.Join(t.TempDir(), "none.lock"))
	if !errors.As(err, &f) || f.ID != "lock-missing" {
		t.Errorf("a missing file: %v", err)
	}
	if _, err = Read(t.TempDir()); !errors.As(err, &f) || f.ID != "bad-lock" {
		t.Errorf("a folder: %v", err)
	}
}

// TestCompare changes one property after the other.
func TestCompare(t *testing.T) {
	tree := sumtree.Family{Kind: sumtree.Chain}.Tree(5)
	profile := func(change func(p *Profile)) *Profile {
		p := &Profile{Class: "a", Operations: []*Operation{operation(t, "t:a", tree),
			operation(t, "t:b", tree)},
			Libraries: []*Library{{Name: "c", Version: "1", DType: "f64",
				Functions: map[string]string{"sin": "11", "exp": "22"}}}}
		change(p)
		return p
	}
	old := profile(func(*Profile) {})
	for _, c := range []struct {
		name, want string
		change     func(p *Profile)
	}{
		{"nothing", "", func(*Profile) {}},
		{"no library", "c f64 elementary functions gone 2; ", func(p *Profile) {
			p.Libraries = nil
		}},
		{"version", "moved library Library 1.0 2.0; ", func(p *Profile) {
			p.Operations[0].Library, p.Operations[1].Library = "2.0", "2.0"
		}},
		{"threads", "t:a sum f32 n=5 changed depends on threads no yes; ", func(p *Profile) {
			p.Operations[0].Threads = Yes
		}},
		{"verdict", "t:b sum f32 n=5 changed verdict tree exact; ", func(p *Profile) {
			p.Operations[1].Verdict = "exact"
		}},
		{"gone", "t:a sum f32 n=5 gone; ", func(p *Profile) { p.Operations = p.Operations[1:] }},
		{"new", "t:c sum f32 n=5 not locked; ", func(p *Profile) {
			p.Operations = append(p.Operations, operation(t, "t:c", tree))
		}},
		{"function", "c f64 sin; ", func(p *Profile) { p.Libraries[0].Functions["sin"] = "12" }},
		{"function by a setting", "c f64 sin with GLIBC_TUNABLES  x=y; ", func(p *Profile) {
			p.Libraries[0].Functions["sin"] = "12"
			p.Settings = []string{"GLIBC_TUNABLES=x=y", "NPY_DISABLE_CPU_FEATURES=z"}
		}},
		{"another library of the format", "", func(p *Profile) {
			p.Libraries = append(p.Libraries, &Library{Name: "numpy", DType: "f64"})
		}},
		{"another format", "c f32 elementary functions not locked 1; ", func(p *Profile) {
			p.Libraries = append(p.Libraries, &Library{Name: "c", DType: "f32",
				Functions: map[string]string{"sin": "1"}})
		}},
		{"verdict by another file", "t:b sum f32 n=5 changed verdict tree exact " +
			"with LD_LIBRARY_PATH  /lib; moved LD_LIBRARY_PATH  /lib; ", func(p *Profile) {
			p.Operations[1].Verdict = "exact"
			p.Settings = []string{"LD_LIBRARY_PATH=/lib", "OMP_NUM_THREADS=2"}
		}},
	} {
		missing := map[string]string{"t:a sum f32 n=5": "a reason"}
		got := describe(Compare(old, profile(c.change), missing))
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	now := profile(func(p *Profile) {
		p.Operations[0] = operation(t, "t:a", sumtree.Family{Kind: sumtree.ReverseChain}.Tree(5))
	})
	d := Compare(old, now, nil)
	if len(d.Changes) != 1 || len(d.Changes[0].Parts) != 2 || d.Changes[0].Parts[0].Name != "tree" {
		t.Errorf("another tree: %s", describe(d))
	}
	if allowed := d.Allow([]string{"t:a"}); len(allowed) != 1 || !d.Empty() {
		t.Errorf("allowed %v, left %s", allowed, describe(d))
	}
}

// describe returns a difference as text.
func describe(d *Difference) string {
	s := ""
	for _, c := range d.Changes {
		s += c.Name + " " + string(c.Kind)
		for _, p := range c.Parts {
			s += " " + p.Name + " " + p.Old + " " + p.New
		}
		if c.Functions > 0 {
			s += fmt.Sprint(" ", c.Functions)
		}
		s += describeWith(c.With) + "; "
	}
	for _, f := range d.Functions {
		s += f.Title() + describeWith(f.With) + "; "
	}
	for _, m := range d.Moved {
		s += "moved " + m.Name + " " + m.Old + " " + m.New + "; "
	}
	return s
}

// describeWith returns versions and settings as text.
func describeWith(parts []Part) (s string) {
	for _, p := range parts {
		s += " with " + p.Name + " " + p.Old + " " + p.New
	}
	return s
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"py:numpy.dot", "py:numpy.dot dot f32 n=10", true},
		{"py:numpy.do", "py:numpy.dot dot f32 n=10", false},
		{"py:numpy.dot dot f32 n=10", "py:numpy.dot dot f32 n=10", true},
		{"py:numpy.*", "py:numpy.dot dot f32 n=10", true},
		{"* f32", "py:numpy.dot dot f32 n=10", true},
		{"* f64", "py:numpy.dot dot f32 n=10", false},
		{"*", "anything", true},
		{"", "anything", false},
		{"a*b*c", "aXbYbZc d", true},
	} {
		if got := match(c.pattern, c.name); got != c.want {
			t.Errorf("%q matches %q: %v", c.pattern, c.name, got)
		}
	}
}

// TestConfig reads lastbit.toml.
func TestConfig(t *testing.T) {
	c, err := ParseConfig("x", `
libm = "f32"

[[operation]]
target = ["go:naive", "go:pairwise"]
dtype = "f64"
n = [10, 20]
threads = 2
env = ["A=1"]

[[operation]]
target = "gonum:blas32.Gemm"
op = "gemm"
dtype = "f32"
n = 64
m = 4
out_index = [1, 2]
`)
	if err != nil {
		t.Fatal(err)
	}
	spec := probe.Spec{DType: fp.Binary64, N: 10, Threads: 2, Env: []string{"A=1"}}
	longer := spec
	longer.N = 20
	want := &Config{Libm: []fp.Format{fp.Binary32}, Requests: []Request{
		{"go:naive", spec}, {"go:naive", longer}, {"go:pairwise", spec}, {"go:pairwise", longer},
		{"gonum:blas32.Gemm", probe.Spec{Op: probe.Gemm, DType: fp.Binary32, N: 64, M: 4,
			Threads: -1, OutIndex: []int{1, 2}}},
	}, locks: true}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("%+v\nwant %+v", c, want)
	}
	o := &Operation{Target: "gonum:blas32.Gemm", Spec: want.Requests[4].Spec}
	o.Spec.Cols = 7
	if !o.Answers(want.Requests[4]) || o.Answers(want.Requests[0]) {
		t.Error("the request of an operation is not found")
	}
	if c, err := ParseConfig("x", "libm = []\n"); err != nil || len(c.Libm) != 0 {
		t.Errorf("no formats: %+v, %v", c, err)
	}
	for _, text := range []string{
		"[[operation]]\ntarget = \"go:naive\"\nn = 3\n",
		"[[operation]]\ntarget = \"go:naive\"\ndtype = \"f32\"\nn = \"3\"\n",
		"[[operation]]\ntarget = \"go:naive\"\ndtype = \"f32\"\nn = 0\n",
		"[[operation]]\ntarget = \"go:naive\"\ndtype = \"f99\"\nn = 3\n",
		"[[operation]]\ntarget = \"go:naive\"\ndtype = \"f32\"\nn = 3\nop = \"mul\"\n",
		"[[operation]]\ntarget = \"go:naive\"\ndtype = \"f32\"\nn = 3\nacc = \"x\"\n",
		"[[operation]]\ntarget = \"go:naive\"\ndtype = \"f32\"\nn = 3\nthreads = 0\n",
		"[[operation]]\ntarget = \"go:naive\"\ndtype = \"f32\"\nn = 3\nthreads = -5\n",
		"[[operation]]\ntarget = \"go:naive\"\ndtype = \"f32\"\nn = 3\nm = [2, -5]\n",
		"[[operation]]\ntarget = \"go:naive\"\ndtype = \"f32\"\nn = 3\nenv = [\"FOO\"]\n",
		"[[operations]]\n", "libm = \"f16\"\n", "not toml",
	} {
		var f *probe.Fault
		if _, err := ParseConfig("x", text); !errors.As(err, &f) || f.ID != "bad-config" {
			t.Errorf("%q: %v", text, err)
		}
	}
	none, err := ReadConfig(filepath.Join(t.TempDir(), "none"))
	if none != nil || err != nil {
		t.Errorf("no file: %v, %v", none, err)
	}
}

// FuzzParse reads any text without a panic, and writes what it took as the same
// file.
func FuzzParse(f *testing.F) {
	f.Add("# lastbit.lock v2\n[[profile]]\nclass = \"a\"\n" +
		"[[tree]]\nhash = \"1\"\ntext = \"(0 1)\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("fuzz", text)
		if err != nil {
			return
		}
		written := encode(t, file)
		if again := encode(t, decode(t, written)); again != written {
			t.Errorf("%q became %q", written, again)
		}
	})
}
