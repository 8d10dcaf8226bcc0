package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
)

// benchBLASVerb holds the flags of lastbit bench blas.
type benchBLASVerb struct {
	only   []string
	minN   int
	maxN   int
	budget time.Duration
	out    string
	core   bool // this process measures OpenBLAS's kernels of one type
}

func benchBLASCommand(a *app) *cobra.Command {
	var v benchBLASVerb
	cmd := &cobra.Command{
		Use:   "blas",
		Short: "Compare the speed of package blas with OpenBLAS and gonum",
		Long: `Blas measures the routines of package blas beside those of OpenBLAS and gonum,
with one thread and with two, and prints ratios with their goals.

  dgemm      products of square matrices, float64
  sgemm      the same, float32
  dgemv      matrix times vector, with and without transposition
  triangles  dsymv, dtrmv, dtrsv, dger and dsyr
  vectors    ddot, daxpy and dasum, in and out of the caches
  few        vectors and matrices of 1 to 64 rows, beside gonum, on one thread
  lu         LU, Cholesky and QR factorizations, beside gonum's
  solvers    inverses, least squares, eigenvalues and singular values, beside
             gonum's
  exact      products of blas.Exact, correctly rounded: time over OpenBLAS's,
             and over that of blas.Ordered for a matrix times a vector

The libraries take turns in one process. A ratio is the median of those of all rounds.
Before each turn they wait until their threads sleep. A call wakes them, which is not
counted (--json has its ratio, first_ratio); those after it are. On one thread the time
that processors spent on all threads of the process counts, with two the clock.
OpenBLAS runs the kernels that are fastest here: every type of processor that its
OPENBLAS_CORETYPE can name is tried, for products and for the others, unless that
variable is set. What is missing on this machine is named and left out.

A build with -tags noasm,purego compares portable Go with gonum's portable Go.
--out also writes pictures of the ratios.`,
		Example: "  lastbit bench blas --only dgemm,lu --max-n 256 --budget 10ms\n" +
			"  lastbit bench blas --only exact --max-n 64 --out pictures",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd, "only", "out"); err != nil {
				return err
			}
			return a.benchBLAS(cmd.Context(), v)
		},
	}
	fl := cmd.Flags()
	names := bench.BLASExperiments()
	fl.StringSliceVar(&v.only, "only", nil, "experiments: "+text.List(names)+" (default all)")
	fl.IntVar(&v.minN, "min-n", minOrder, "smallest order of a product, as --max-n")
	fl.IntVar(&v.maxN, "max-n", 2048,
		"largest order of a product; dgemv and triangles take twice that, "+
			"vectors 4n^2 elements")
	fl.DurationVar(&v.budget, "budget", time.Second,
		"how long the libraries take turns at each routine")
	fl.StringVar(&v.out, "out", "", "folder to write pictures to, as SVG")
	fl.BoolVar(&v.core, "core", false, "measure one type of OpenBLAS's kernels")
	if err := fl.MarkHidden("core"); err != nil {
		panic(err) // there is no such flag: a mistake in this package
	}
	complete(cmd, "only", names)
	return cmd
}

// The orders of matrices that can be measured.
const (
	minOrder = 16
	maxOrder = 1 << 13
)

// check refuses flags that measure nothing, and a folder that cannot be
// written.
func (v *benchBLASVerb) check() error {
	for _, name := range v.only {
		if err := oneOf("only", name, bench.BLASExperiments()); err != nil {
			return err
		}
	}
	if v.minN < minOrder || v.minN > v.maxN || v.maxN > maxOrder || v.budget <= 0 {
		return &probe.Fault{
			ID:    "bad-usage",
			Thing: fmt.Sprintf("--min-n %d --max-n %d --budget %v", v.minN, v.maxN, v.budget),
			Cause: fmt.Sprintf("orders from %d to %d are measured, in some time",
				minOrder, maxOrder),
			Cure: "leave them out for the defaults",
		}
	}
	return checkPictures(v.out, bench.BLASPictureNames())
}

func (a *app) benchBLAS(ctx context.Context, v benchBLASVerb) error {
	if v.core {
		speed, err := bench.CoreSpeed()
		if err != nil {
			return err
		}
		return a.printJSON(speed)
	}
	if err := v.check(); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	p := a.newProgress()
	defer p.End()
	t, err := bench.BLAS(ctx, bench.BLASOptions{
		Only: v.only, MinN: v.minN, MaxN: v.maxN, Budget: v.budget,
		Child: func(ctx context.Context, flags ...string) *exec.Cmd {
			return exec.CommandContext(ctx, self, append([]string{"bench", "blas"}, flags...)...)
		},
	}, p.Show)
	if err != nil {
		return benchFault("blas", err)
	}
	p.End()
	// an error of the pictures is reported after the table
	undrawn := writePictures(v.out, barPictures(t.Pictures()))
	return cmp.Or(undrawn, a.printBLAS(t))
}

// printBLAS prints the table, as JSON or for people.
func (a *app) printBLAS(t *bench.BLASTable) error {
	if a.json {
		return a.printJSON(struct {
			Machine libm.Machine `json:"machine"`
			*bench.BLASTable
		}{libm.ThisMachine(), t})
	}
	return t.Write(a.stdout)
}
