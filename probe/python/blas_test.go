package python

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/probe"
)

// kernelOf returns the kernel in the key of an address in an interpreter.
func kernelOf(t *testing.T, python, address string, s probe.Spec) string {
	t.Helper()
	target, err := (&Driver{Python: python}).Open(t.Context(), address, s)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	return target.Key().Kernel
}

// PyTorch's own build from Python's package index contains MKL and imports
// NumPy, whose BLAS is another. Each key names the BLAS of its library.
func TestEachLibraryHasItsBLAS(t *testing.T) {
	python := pyenv.Python(t)
	gemm := probe.Spec{Op: probe.Gemm, DType: fp.Binary32, N: 8}
	const show = "import torch; print(torch.__config__.show())"
	config, err := exec.CommandContext(t.Context(), python, "-c", show).Output()
	if err != nil {
		t.Fatal(err)
	}
	got := kernelOf(t, python, "torch.mm", gemm)
	version, isMKL := strings.CutPrefix(got, "MKL ")
	if !isMKL || !strings.Contains(string(config), "Math Kernel Library Version "+version+"-") {
		t.Errorf("PyTorch computes by %q, its configuration is\n%s", got, config)
	}
	if got := kernelOf(t, python, "numpy.matmul", gemm); !strings.HasPrefix(got, "OpenBLAS ") {
		t.Errorf("NumPy computes by %q, want OpenBLAS", got)
	}
	if got := kernelOf(t, python, "jax.numpy.matmul", gemm); got != "" {
		t.Errorf("JAX computes by %q, but it has no BLAS", got)
	}
}

// Debian's PyTorch and NumPy both call the libblas.so.3 that the machine has
// chosen.
func TestSharedBLAS(t *testing.T) {
	gemm := probe.Spec{Op: probe.Gemm, DType: fp.Binary64, N: 8}
	python := interpreterWith(t, "torch")
	const linked = "import torch, sys; sys.exit('USE_MKL=ON' in torch.__config__.show())"
	if exec.CommandContext(t.Context(), python, "-c", linked).Run() != nil {
		t.Skip("this PyTorch has a BLAS of its own")
	}
	torch := kernelOf(t, python, "torch.mm", gemm)
	if numpy := kernelOf(t, python, "numpy.matmul", gemm); torch == "" || torch != numpy {
		t.Errorf("PyTorch computes by %q, NumPy by %q", torch, numpy)
	}
}
