package reveal

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
)

// subject is a target to reveal.
type subject struct {
	name    string
	address string
	spec    probe.Spec
	goal    float64 // seconds
	// prepare makes the address, or the whole target; nil where nothing is to
	// be made.
	prepare func(n int) (address string, t probe.Target, err error)
}

// opened opens the target of a case: its own, or the one at its address.
func (c subject) opened(ctx context.Context, open probe.Opener) (probe.Target, error) {
	address := c.address
	if c.prepare != nil {
		made, t, err := c.prepare(c.spec.N)
		if err != nil || t != nil {
			return t, err
		}
		address = made
	}
	return open(ctx, address, c.spec)
}

// curveSet is curves that share a picture.
type curveSet struct {
	name, title string
	cases       []subject
}

// curves returns the targets of the figures of Xie2025.
func curves() []curveSet {
	of := func(name, address string, op probe.Op) subject {
		return subject{name: name, address: address,
			spec: probe.Spec{Op: op, DType: fp.Binary32}}
	}
	return []curveSet{
		{"sums", "Revealing sums, float32", []subject{
			of("NumPy sum", "py:numpy.sum", probe.Sum),
			of("PyTorch sum", "py:torch.sum", probe.Sum),
			of("JAX sum", "py:jax.numpy.sum", probe.Sum),
		}},
		{"products", "Revealing products, float32", []subject{
			of("NumPy dot", "py:numpy.dot", probe.Dot),
			of("NumPy gemv", "py:numpy.matmul", probe.Gemv),
			of("NumPy gemm", "py:numpy.matmul", probe.Gemm),
		}},
	}
}

// goals returns the targets that have a goal. Programs are built in a folder.
func goals(folder string) []subject {
	sum := func(f fp.Format, n int) probe.Spec { return probe.Spec{Op: probe.Sum, DType: f, N: n} }
	dot := func(f fp.Format, n int) probe.Spec { return probe.Spec{Op: probe.Dot, DType: f, N: n} }
	single, double := fp.Binary32, fp.Binary64
	return []subject{
		{name: "numpy.dot", address: "py:numpy.dot", spec: dot(single, 2048), goal: 0.2},
		{name: "numpy.dot", address: "py:numpy.dot", spec: dot(single, 8192), goal: 0.5},
		{name: "numpy.dot", address: "py:numpy.dot", spec: dot(double, 100_003), goal: 20},
		{name: "numpy.sum", address: "py:numpy.sum", spec: sum(single, 1_000_000), goal: 4},
		{name: "torch.sum", address: "py:torch.sum", spec: sum(single, 8192), goal: 1},
		{name: "torch.sum", address: "py:torch.sum", spec: sum(single, 1<<20), goal: 1},
		{name: "C dot, 4 × 16 lanes", address: "clib:", spec: dot(single, 2000), goal: 0.15,
			prepare: func(int) (string, probe.Target, error) { return buildDot(folder) }},
		{name: "C dot, 4 × 16 lanes", address: "clib:", spec: dot(single, 8200), goal: 0.5,
			prepare: func(int) (string, probe.Target, error) { return buildDot(folder) }},
		{name: "random tree in Go", address: "go:", spec: sum(double, 100_000), goal: 20,
			prepare: func(n int) (string, probe.Target, error) { return "", randomTree(n), nil }},
	}
}

//go:embed c/dot.c
var dotSource []byte

// buildDot builds a dot product and returns its address.
func buildDot(folder string) (address string, t probe.Target, err error) {
	source, library := filepath.Join(folder, "dot.c"), filepath.Join(folder, "dot.so")
	if err := os.WriteFile(source, dotSource, 0o666); err != nil {
		return "", nil, err
	}
	cc := exec.Command("cc", "-O2", "-march=native", "-ffp-contract=fast", "-shared", "-fPIC",
		"-o", library, source)
	if err := cc.Run(); err != nil {
		return "", nil, fmt.Errorf("a C compiler is needed: %w", err)
	}
	return "clib:" + library + ":dot", nil, nil
}

// randomTree returns a function that adds n numbers by a random binary tree:
// two random roots of a forest join, until one is left.
func randomTree(n int) probe.Target {
	rng := rand.New(rand.NewPCG(1, 2))
	roots := make([]int32, n)
	for i := range roots {
		roots[i] = int32(i)
	}
	draw := func() int32 {
		k, last := rng.IntN(len(roots)), len(roots)-1
		root := roots[k]
		roots[k] = roots[last]
		roots = roots[:last]
		return root
	}
	type node struct{ a, b int32 }
	var nodes []node
	for len(roots) > 1 {
		nodes = append(nodes, node{draw(), draw()})
		roots = append(roots, int32(n+len(nodes)-1))
	}
	value := make([]float64, n+len(nodes))
	return gofunc.New("random", func(x []float64) float64 {
		copy(value, x)
		for k, v := range nodes {
			value[n+k] = value[v.a] + value[v.b]
		}
		return value[len(value)-1]
	}, n)
}
