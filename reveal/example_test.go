package reveal_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/reveal"
)

// openGo opens a function of package gofunc as a sum of eight float32 numbers.
func openGo(address string) probe.Target {
	spec := probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 8}
	t, err := gofunc.Open(context.Background(), address, spec)
	if err != nil {
		log.Fatal(err)
	}
	return t
}

func Example() {
	target := openGo("go:pairwise")
	defer target.Close()
	f, err := reveal.Reveal(context.Background(), target, reveal.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Verdict, f.Verified)
	fmt.Println(f.Tree)
	fmt.Println(f.Traits)
	// Output:
	// tree true
	// (((0 1) (2 3)) ((4 5) (6 7)))
	// accumulator f32, FMA false, rounding rne, subnormals kept, initial -0
}

// An implementation that is not one fixed tree is refused, with an input that
// shows why.
func ExampleReveal() {
	target := openGo("go:kahan")
	defer target.Close()
	f, err := reveal.Reveal(context.Background(), target, reveal.Options{})
	if err != nil {
		log.Fatal(err)
	}
	why, _, _ := strings.Cut(f.Witness.What, ":")
	fmt.Println(f.Verdict, f.Verified)
	fmt.Println(why)
	// Output:
	// compensated false
	// rounding errors are carried along
}

// The paper's Algorithm 4 takes n−1 questions for a chain, and auto guesses it.
// Both prove the tree found.
func ExampleOptions() {
	for _, algorithm := range []string{"fprev", "auto"} {
		target := openGo("go:naive")
		f, err := reveal.Reveal(context.Background(), target, reveal.Options{Algorithm: algorithm})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f.Algorithm, f.Family, f.Evidence.CertificateTests, f.Evidence.ReplayMatched)
		target.Close()
	}
	// Output:
	// fprev chain 7 64
	// family chain 7 64
}

func ExampleAlgorithms() {
	fmt.Println(reveal.Algorithms())
	// Output:
	// [auto naive basic fprev-binary fprev scaled packed triples family]
}

func ExampleCompare() {
	targets := []probe.Target{openGo("go:naive"), openGo("go:pairwise"), openGo("go:naive")}
	c, err := reveal.Compare(context.Background(), targets, reveal.Options{})
	if err != nil {
		log.Fatal(err)
	}
	w := c.Differences[0].Witness
	fmt.Println(c.Groups)
	fmt.Println("they differ on", w.Summands, "summands by", w.ULPs, "ULP")
	// Output:
	// [[0 2] [1]]
	// they differ on 4 summands by 1 ULP
}

// The cells of a matrix product may be computed by different trees.
func ExampleCells() {
	spec := probe.Spec{Op: probe.Gemm, DType: fp.Binary32, N: 16, M: 6, Cols: 6}
	target, err := gofunc.Open(context.Background(), "gonum:blas32.Gemm", spec)
	if err != nil {
		log.Fatal(err)
	}
	defer target.Close()
	m, err := reveal.Cells(context.Background(), target.(probe.CellTarget), reveal.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Rows, "rows,", m.Cols, "columns,", len(m.Representative), "class")
	// Output: 6 rows, 6 columns, 1 class
}

// The leaves of a trapezoidal rule are sums of neighbouring inputs.
func ExampleReveal_trapezoid() {
	area := func(y []float64) float64 {
		var s float64
		for i := range y[1:] {
			s += (y[i] + y[i+1]) / 2
		}
		return s
	}
	target := gofunc.New("area", area, 5)
	defer target.Close()
	f, err := reveal.Reveal(context.Background(), target, reveal.Options{})
	if err != nil {
		log.Fatal(err)
	}
	meaning, _, _ := strings.Cut(f.Meaning(), ", and")
	fmt.Println(meaning)
	fmt.Println(f.Tree)
	fmt.Println(f.Traits.Summands)
	fmt.Println(f.Traits.Weights)
	// Output:
	// one fixed order of the sums of neighbours, x[i] + x[i+1]
	// (((0 1) 2) 3)
	// x[i] + x[i+1] in f64
	// 0.5 for the summands 0-3
}
