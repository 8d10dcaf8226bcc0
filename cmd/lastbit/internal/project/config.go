package project

import (
	"fmt"
	"strings"

	"github.com/lastbit/lastbit/lockfile"
)

// operation is an operation of a lastbit.toml.
type operation struct {
	target, op, dtype string
	n, m, cols        int
}

// operations holds the usual operations of libraries.
var operations = map[string][]operation{
	"numpy": {
		{"py:numpy.sum", "sum", "f64", 1000, 0, 0},
		{"py:numpy.matmul", "gemm", "f64", 256, 16, 64},
	},
	"torch": {
		{"py:torch.sum", "sum", "f32", 1000, 0, 0},
		{"py:torch.matmul", "gemm", "f32", 256, 16, 64},
	},
	"jax": {
		{"py:jax.numpy.sum", "sum", "f32", 1000, 0, 0},
		{"py:jax.numpy.matmul", "gemm", "f32", 256, 16, 64},
	},
	"gonum": {
		{"gonum:floats.Sum", "sum", "f64", 1000, 0, 0},
		{"gonum:blas64.Gemm", "gemm", "f64", 64, 16, 64},
	},
}

// Config returns the text of a lastbit.toml. What it found is active, and the
// rest is in comments.
func (f *Found) Config() string {
	var b strings.Builder
	b.WriteString("# What lastbit locks and reports of this project. " +
		"docs/use/lock.md and\n# docs/use/report.md describe the keys.\n\n")
	f.writeOperations(&b)
	fmt.Fprintf(&b, "# The contents of lastbit report.\n[report]\n"+
		"# sections = [%s]\n# n = 1000                          # summands of the audit\n",
		quoted(lockfile.Sections))
	if f.Module != "" {
		fmt.Fprintf(&b, "packages = [\"./...\"]              # of %s, which vet reads\n", f.Module)
		b.WriteString("# targets = [\"arm64\", \"amd64/v3\"]  " +
			"# ask the compiler what it fuses there\n")
	}
	f.writeSweeps(&b)
	f.writePrograms(&b)
	b.WriteString("\n# Two results, and the operation that gave them.\n# [[report.explain]]\n" +
		"# a = \"a.npy\"\n# b = \"b.npy\"\n# op = \"sum\"\n# input = \"x.npy\"\n")
	return b.String()
}

// quoted lists words in quotes.
func quoted(words []string) string { return `"` + strings.Join(words, `", "`) + `"` }

// groups returns the libraries of the project, with the reason for each.
func (f *Found) groups() (list [][2]string) {
	for _, i := range f.Imports {
		list = append(list, [2]string{i.Module, i.File + " imports " + i.Module})
	}
	if f.Gonum {
		list = append(list, [2]string{"gonum", "go.mod requires gonum"})
	}
	return list
}

// writeOperations writes the operations to lock. Beside a lock file they are
// comments, since they may not be its own.
func (f *Found) writeOperations(b *strings.Builder) {
	mark := ""
	switch {
	case f.Lock:
		mark = "# "
		b.WriteString("# There is a " + lockfile.Name + ". Once this file names operations, " +
			"lastbit check\n# reports those that only one of the two has: run lastbit lock then.\n")
	default:
		b.WriteString("# Formats of the elementary functions to lock: f64, f32, or [] for none.\n")
	}
	b.WriteString(mark + "libm = \"f64\"\n\n")
	groups := f.groups()
	if len(groups) == 0 {
		b.WriteString("# No library with sums was found. Operations are named like these:\n")
		groups, mark = [][2]string{{"numpy", "Sums and matrix products of NumPy"}}, "# "
	}
	for _, g := range groups {
		fmt.Fprintf(b, "# %s.\n", clean(g[1]))
		for _, o := range operations[g[0]] {
			fmt.Fprintf(b, "%s[[operation]]\n%starget = %q\n%sop = %q\n%sdtype = %q\n%sn = %d\n",
				mark, mark, o.target, mark, o.op, mark, o.dtype, mark, o.n)
			if o.m > 0 {
				fmt.Fprintf(b, "%sm = %d\n%scols = %d\n", mark, o.m, mark, o.cols)
			}
			b.WriteString("\n")
		}
	}
}

// clean keeps a comment on its line.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
}

// writeSweeps writes a sweep over the rows of a matrix product for each
// library.
func (f *Found) writeSweeps(b *strings.Builder) {
	b.WriteString("\n# Does a row depend on the number of rows?\n")
	groups, mark := f.groups(), ""
	if len(groups) == 0 {
		groups, mark = [][2]string{{"numpy", ""}}, "# "
	}
	for _, g := range groups {
		for _, o := range operations[g[0]] {
			if o.m > 0 {
				fmt.Fprintf(b, "%s[[report.invariant]]\n%starget = %q\n%sop = %q\n%sdtype = %q\n"+
					"%sn = %d\n%sm = \"1..%d\"\n%scols = %d\n", mark, mark, o.target, mark, o.op,
					mark, o.dtype, mark, o.n, mark, o.m, mark, o.cols)
			}
		}
	}
}

// writePrograms writes the programs, in comments: lastbit does not run a
// program that nobody has named.
func (f *Found) writePrograms(b *strings.Builder) {
	b.WriteString("\n# Programs whose digits are counted. Each is run some ten times: name only " +
		"those\n# that end by themselves and may be run.\n")
	programs := f.Programs
	if len(programs) == 0 {
		programs = []string{"./cmd/model"}
	}
	for _, p := range programs {
		fmt.Fprintf(b, "# [[report.digits]]\n# package = %q\n# args = []\n", p)
	}
}
