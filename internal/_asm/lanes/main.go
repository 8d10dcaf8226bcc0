// Command lanes compiles functions of one or two float64, or float32, to vector kernels,
// operation by operation: every lane computes what the Go function computes.
//
// What is compiled is straight-line code: assignments, arithmetic but for products of integers,
// rows of tables whose index is masked, calls of functions of the package that are such code too,
// functions of package math that are one instruction. Branches are taken by all lanes if one of
// them needs it, where they end in a return. Branches to anything else, the call of an accurate
// path, say, are not: a lane that would go there has no result, and the kernel says so.
//
// A function may have a second result that says whether the first one counts.
//
// In float64, a product that feeds one sum is fused with it (see graph.fused).
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	src := flag.String("src", "", "folder of the package")
	names := flag.String("lanes", "", "functions, separated by commas")
	report := flag.Bool("report", false, "print how large each kernel is")
	flag.Parse()
	s, err := load(*src)
	if err != nil {
		fail(err)
	}
	ConstraintExpr("!purego")
	p := &pool{}
	for _, v := range []vector{avx2, avx512} {
		for name := range strings.SplitSeq(*names, ",") {
			g := newGraph(v.wide)
			l, err := s.compile(name, g)
			if err != nil {
				fail(err)
			}
			if !l.single {
				l.regions = g.fused(l.regions)
			}
			size := kernel(v, l, p)
			if *report {
				fmt.Fprintf(os.Stderr, "%s with %s: %s\n", name, v.name, size)
			}
		}
	}
	p.emit()
	Generate()
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "lanes:", err)
	os.Exit(1)
}
