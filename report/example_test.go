package report_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/sumtree"
)

// numpy is the order of NumPy's sum of 1024 numbers.
var numpy = sumtree.Family{Kind: sumtree.Pairwise, Block: 128, Unroll: 8}

func ExampleTree() {
	err := report.Tree(os.Stdout, report.Drawing{Tree: numpy.Tree(1024)})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// pairwise of 8: 0–1023
	// ├─ pairwise of 8: 0–127
	// │  ├─ chain of 16: 0, 8, 16 … 120 (stride 8)
	// │  └─ ×7 alike: leaves +1, +2 … +7
	// └─ ×7 alike: leaves +128, +256 … +896
}

func ExampleText() {
	err := report.Text(os.Stdout, report.Drawing{
		Title: "np.sum of 16", Verdict: "tree", Verified: true,
		Traits: []report.Trait{{Name: "accumulator", Value: "float32"}},
		Tree:   numpy.Tree(16),
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// np.sum of 16
	// tree, verified · 16 leaves · height 4
	//   accumulator  float32
	//
	// pairwise of 8: 0–15
	// ├─ 0 + 8
	// └─ ×7 alike: leaves +1, +2 … +7
}

func ExampleSVG() {
	var b strings.Builder
	d := report.Drawing{Title: "np.sum", Tree: numpy.Tree(1 << 20)}
	if err := report.SVG(&b, d); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.HasPrefix(b.String(), "<svg "), b.Len() < 20_000)
	// Output: true true
}

func ExampleDOT() {
	chain := sumtree.Family{Kind: sumtree.Chain}
	var b strings.Builder
	if err := report.DOT(&b, report.Drawing{Tree: chain.Tree(3)}); err != nil {
		fmt.Println(err)
	}
	for line := range strings.Lines(b.String()) {
		if strings.Contains(line, "->") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output:
	// 0 -> s3;
	// 1 -> s3;
	// s3 -> s4;
	// 2 -> s4;
}

func ExampleHTML() {
	var b strings.Builder
	err := report.HTML(&b, report.Page{
		Title:    "Two orders",
		Drawings: []report.Drawing{{Tree: numpy.Tree(32)}, {Tree: numpy.Tree(1000)}},
	})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.Contains(b.String(), "<title>Two orders</title>"),
		strings.Contains(b.String(), "src="))
	// Output: true false
}

func ExampleCellText() {
	err := report.CellText(os.Stdout, report.Cells{
		Rows: 2, Cols: 4,
		Class: []int{0, 0, 0, 1, 0, 0, 0, 1}, Names: []string{"main kernel", "edge kernel"},
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0 AAAB
	// 1 AAAB
	// A  6 cells · main kernel
	// B  2 cells · edge kernel
}

func ExamplePattern() {
	fmt.Println(report.Pattern([]int32{0, 8, 16, 24, 32}))
	fmt.Println(report.Pattern([]int32{3, 2, 1, 0}))
	// Output:
	// 0, 8, 16 … 32 (stride 8)
	// 3–0 (backwards)
}

func ExampleGlossary() {
	for _, t := range report.Glossary() {
		if t.Word == "FMA" {
			fmt.Println(t.Meaning)
		}
	}
	// Output: fused multiply-add: x·y + z, rounded once instead of twice.
}
