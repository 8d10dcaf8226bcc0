package sumtree_test

import (
	"fmt"
	"log"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// Two orders of the same summands, in single precision.
func Example() {
	x := []float64{1e8, 1, -1e8, 1}
	for _, text := range []string{"(((0 1) 2) 3)", "((0 2) (1 3))"} {
		t, err := sumtree.Parse(text)
		if err != nil {
			log.Fatal(err)
		}
		sum, err := t.Replay(sumtree.Plain(fp.Binary32), x, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(t, sum)
	}
	// Output:
	// (((0 1) 2) 3) 1
	// ((0 2) (1 3)) 2
}

// Operands commute, so that texts in any order are one tree.
func ExampleParse() {
	a, err := sumtree.Parse("(2 (1 0))")
	if err != nil {
		log.Fatal(err)
	}
	b, err := sumtree.Parse("((0 1) 2)")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a, a.Equal(b))
	// Output: ((0 1) 2) true
}

func ExampleBuilder() {
	b := sumtree.NewBuilder(4)
	left := b.Node(0, 1)
	right := b.Node(2, 3)
	b.Node(left, right)
	t, err := b.Tree()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t, t.Inner(), "additions")
	// Output: ((0 1) (2 3)) 3 additions
}

func ExampleParseFamily() {
	f, err := sumtree.ParseFamily("strided(4)+halving")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Tree(9))
	// Output: ((((0 4) (2 6)) ((1 5) (3 7))) 8)
}

func ExampleRecognise() {
	t, err := sumtree.Parse("((((0 1) (2 3)) ((4 5) (6 7))) 8)")
	if err != nil {
		log.Fatal(err)
	}
	f, ok := sumtree.Recognise(t)
	fmt.Println(f, ok)
	// Output: pairwise(block=128, unroll=8) true
}

// A dot product with fused multiply-adds, and without.
func ExampleTree_Replay() {
	t, err := sumtree.Parse("(0 1)")
	if err != nil {
		log.Fatal(err)
	}
	x := []float64{-(1 + 0x1p-11), 1 + 0x1p-12}
	y := []float64{1, 1 + 0x1p-12}
	for _, rule := range []sumtree.FMA{sumtree.FMANone, sumtree.FMALater} {
		a := sumtree.Plain(fp.Binary32)
		a.Products, a.FMA = true, rule
		dot, err := t.Replay(a, x, y)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(rule, dot)
	}
	// Output:
	// none 0
	// later 5.960464477539063e-08
}

// A Replayer computes many inputs by one tree.
func ExampleReplayer() {
	t, err := sumtree.Parse("((0 1) 2)")
	if err != nil {
		log.Fatal(err)
	}
	r, err := sumtree.NewReplayer(t, sumtree.Plain(fp.Binary16))
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range [][]float64{{0.5, 512, 512.5}, {512.5, 512, 0.5}} {
		sum, err := r.Sum(x, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(x, sum)
	}
	// Output:
	// [0.5 512 512.5] 1025
	// [512.5 512 0.5] 1024
}
