package blas

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
)

// Verb is lastbit bench blas.
func Verb() experiment.Verb {
	return experiment.Verb{
		Name:  "blas",
		Short: "Compare the speed of package blas with OpenBLAS and gonum",
		Long:  help,
		Example: "  lastbit bench blas --only dgemm,lu --max-n 256 --budget 10ms\n" +
			"  lastbit bench blas --only exact --max-n 64 --out pictures",
		New: func(experiment.Setup) experiment.Experiment {
			return &measurement{Options: Options{MinN: minOrder, MaxN: 2048, Budget: time.Second}}
		},
	}
}

const help = `Blas measures the routines of package blas beside those of OpenBLAS and gonum,
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

The libraries take turns in one process. A ratio is the median over all rounds. As long
as its goal lies between the bounds that the rounds give it (--json has them, ratio_low
and ratio_high), rounds go on, up to ten times the budget; then the goal is open. Before
each turn the libraries wait until their threads sleep, and all wait equally long. A call
wakes them, which is not counted (--json has its ratio, first_ratio); those after it are.
On one thread the time that processors spent on all threads of the process counts, with
two the clock. OpenBLAS runs the kernels that are fastest here: every type of processor
that its OPENBLAS_CORETYPE can name is tried, for products and for the others, unless that
variable is set. What is missing on this machine is named and left out.

A build with -tags noasm,purego compares portable Go with gonum's portable Go, on AMD64
with GOAMD64=v3: before, compiled code asks for the instruction at every math.FMA.
--out also writes pictures of the ratios.`

// measurement is the experiment with its flags.
type measurement struct {
	Options
	core bool // this process measures OpenBLAS's kernels of one type
}

// The orders of matrices that can be measured.
const (
	minOrder = 16
	maxOrder = 1 << 13
)

func (m *measurement) Flags() []experiment.Flag {
	return []experiment.Flag{
		{Name: "only", Usage: "experiments: " + text.List(parts()) + " (default all)",
			To: &m.Only, Values: parts()},
		{Name: "min-n", Usage: "smallest order of a product, as --max-n", To: &m.MinN},
		{Name: "max-n", Usage: "largest order of a product; dgemv and triangles take twice that, " +
			"vectors 4n^2 elements", To: &m.MaxN},
		{Name: "budget", Usage: "how long the libraries take turns at each routine",
			To: &m.Budget},
		{Name: "core", Usage: "measure one type of OpenBLAS's kernels", To: &m.core, Hidden: true},
	}
}

func (m *measurement) Check() error {
	if m.MinN >= minOrder && m.MinN <= m.MaxN && m.MaxN <= maxOrder && m.Budget > 0 {
		return nil
	}
	return &probe.Fault{
		ID:    "bad-usage",
		Thing: fmt.Sprintf("--min-n %d --max-n %d --budget %v", m.MinN, m.MaxN, m.Budget),
		Cause: fmt.Sprintf("orders from %d to %d are measured, in some time", minOrder, maxOrder),
		Cure:  "leave them out for the defaults",
	}
}

func (m *measurement) PictureNames() []string { return pictureNames() }

func (m *measurement) IsHelper() bool { return m.core }

// Help measures OpenBLAS's kernels of one type.
func (m *measurement) Help(w io.Writer) error {
	speed, err := coreSpeed()
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(speed)
}

func (m *measurement) Measure(ctx context.Context, r experiment.Reporter) (experiment.Results,
	error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	m.Child = func(ctx context.Context, flags ...string) *exec.Cmd {
		return exec.CommandContext(ctx, self, append([]string{"bench", "blas"}, flags...)...)
	}
	t, err := BLAS(ctx, m.Options, r.Progress)
	if err != nil {
		return nil, experiment.Failed("blas", err)
	}
	return t, nil
}

// JSON returns the table with the machine.
func (t *Table) JSON() any {
	return struct {
		Machine libm.Machine `json:"machine"`
		*Table
	}{libm.ThisMachine(), t}
}

// Pictures returns the charts of the table.
func (t *Table) Pictures() []experiment.Picture { return experiment.BarPictures(t.charts()) }
