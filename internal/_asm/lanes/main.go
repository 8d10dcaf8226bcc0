// Command lanes compiles functions of one or two float64, or float32, from Go
// to vector kernels, operation by operation: every lane of a vector computes
// the Go function. docs/develop/lanes.md describes the language it accepts and
// how it works. The package's table functions.txt names the functions.
//
// # Contract
//
//	func(dst, x [, y] *T, n int) (fails uint64)
//
// A kernel takes n elements, 1 ≤ n ≤ 64, at any alignment. For each i < n it
// either stores in dst[i] the bits that the lane function returns for x[i] (and
// y[i]), or leaves dst[i] unchanged and sets bit i of fails: the lane function
// has no result there, or it takes a path that is not compiled, and the caller
// has to call the function itself. Bits of fails from n on mean nothing. dst
// may be x or y. No other memory is read or written.
//
// A product that feeds one sum is fused with it. See graph.fuse.
//
// With -calls it writes functions for single calls instead:
//
//	func FastF(x [, y] float64) float64
//
// FastF returns the bits of F to nearest. It computes them itself where the
// package's variable fused is true and the function that it is compiled from
// has a result; elsewhere it jumps to nearestF.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	. "github.com/mmcloughlin/avo/build"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

func main() {
	src := flag.String("src", "", "folder of the package")
	names := flag.String("lanes", "", "functions to compile, by commas, instead of functions.txt")
	last := flag.String("last", "", "shapes of functions of functions.txt to write last")
	arch := flag.String("arch", "amd64", "amd64 or arm64")
	calls := flag.Bool("calls", false, "write functions for single calls")
	report := flag.Bool("report", false, "print how large each kernel is")
	flag.Parse()
	s, err := load(*src)
	if err != nil {
		fail(err)
	}
	list := strings.Split(*names, ",")
	if *names == "" {
		if list, err = listed(*src, *calls, strings.Split(*last, ",")); err != nil {
			fail(err)
		}
	}
	switch {
	case *calls:
		writeCalls(s, list)
	case *arch == "arm64":
		writeNEON(s, list)
	default:
		os.Args = spelledOut(*src, list)
		writeAVX(s, list, *report)
	}
}

// spelledOut returns the command line that names the functions. The header of
// the output shows it.
func spelledOut(src string, names []string) []string {
	args := []string{os.Args[0], "-src", src, "-lanes", strings.Join(names, ",")}
	for _, name := range []string{"out", "stubs", "pkg"} {
		args = append(args, "-"+name, flag.Lookup(name).Value.String())
	}
	return args
}

// writeAVX writes the kernels of AVX2 and AVX-512.
func writeAVX(s *source, names []string, report bool) {
	ConstraintExpr("!purego")
	p := &pool{}
	for _, set := range []gen.Set{gen.AVX2, gen.AVX512} {
		for _, name := range names {
			l := s.lane(s.kernelOf(name, set), set.Wide)
			l.name = name
			if set.Wide {
				l.regions = merge(l.regions)
			}
			size := kernel(set, l, p)
			if report {
				fmt.Fprintf(os.Stderr, "%s with %s: %s\n", name, set.Level, size)
			}
		}
	}
	p.emit()
	Generate()
}

// kernelOf returns the function that a kernel is compiled from: for AVX-512 it
// is fooWide in the place of foo or fooLane where the package has one, as for
// tables of 16 words.
func (s *source) kernelOf(name string, set gen.Set) string {
	wide := strings.TrimSuffix(name, "Lane") + "Wide"
	if set.Wide && s.scope.Lookup(wide) != nil {
		return wide
	}
	return name
}

// writeNEON writes the kernels of NEON, to the files that avo's flags name.
func writeNEON(s *source, names []string) {
	p, functions := &pool{}, []gen.ARM64Func{}
	for _, name := range names {
		functions = append(functions, neonKernel(s.lane(name, true), p))
	}
	file := func(name string) string { return flag.Lookup(name).Value.String() }
	gen.WriteTo(file("out"), file("stubs"), file("pkg"), neonData(p), functions)
}

// lane compiles a function for a machine that has an instruction for every
// operation, or not.
func (s *source) lane(name string, complete bool) lane {
	g := newGraph(complete)
	l, err := s.compile(name, g)
	if err != nil {
		fail(err)
	}
	l.regions = g.fuse(l.regions)
	return l
}

// fail ends the program.
func fail(err error) {
	fmt.Fprintln(os.Stderr, "lanes:", err)
	os.Exit(1)
}
