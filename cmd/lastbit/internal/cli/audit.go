package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/audit"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// defaultAuditN is large enough for blocks and buffers to show.
const defaultAuditN = 1000

// auditVerb is the command line of lastbit audit.
type auditVerb struct {
	n           int
	dtypes, ops []string
	html        string
	seed        uint64
	exitCode    bool
}

func auditCommand(a *app) *cobra.Command {
	v := &auditVerb{}
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Reveal every target on this machine, and group those that agree",
		Long: `Audit reveals everything on this machine that sums or multiplies matrices: Go,
gonum, Python, NumPy, PyTorch and every BLAS it finds. Targets under one letter
agreed in every bit of every result, and in tree and arithmetic. Rows with the same
words and different letters get a reason. Below each table are the share of inputs
that distinguish the others from the first, and the smallest such input. The first
line reports whether all agree: the same, different, or not told apart, with the
targets that are not verified; the last sentence gives the reasons and a cure.

Means are left out. Go functions also get data that begins one element past a
multiple of 64 bytes.

Exit codes: 0 the report was made; 2 it could not be made. With --exit-code, 1
means that targets differ, or are not told apart.`,
		Example: `  lastbit audit
  lastbit audit --ops sum --dtype f64 -n 100
  lastbit audit --ops gemm --html audit.html
  lastbit audit --ops dot --exit-code`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return v.run(cmd.Context(), a) },
	}
	fl := cmd.Flags()
	countVar(fl, &v.n, "n", "n", defaultAuditN,
		fmt.Sprintf("number of summands (of gemm at most %d)", audit.MaxGemmN))
	fl.StringSliceVar(&v.dtypes, "dtype", []string{"f32", "f64"}, "formats of the inputs")
	fl.StringSliceVar(&v.ops, "ops", []string{"sum", "dot", "gemv", "gemm"}, "operations")
	fl.StringVar(&v.html, "html", "", "write a page with all trees to this file as well")
	fl.Uint64Var(&v.seed, "seed", 0, "seed of the random inputs")
	fl.BoolVar(&v.exitCode, "exit-code", false,
		"exit with 1 when targets differ or are not told apart")
	complete(cmd, "dtype", []string{"f64", "f32", "f16", "bf16"})
	complete(cmd, "ops", []string{"sum", "dot", "gemv", "gemm"})
	return cmd
}

func (v *auditVerb) run(ctx context.Context, a *app) error {
	request, err := v.request()
	if err != nil {
		return err
	}
	if err := checkOutput(v.html); err != nil {
		return err
	}
	progress := a.newProgress()
	defer progress.End()
	progress.Show("looking for targets", 0, 1)
	start := time.Now()
	report, err := audit.Run(ctx, a.drivers, request, func(target string, done, expected int) {
		progress.Show("audit: "+text.Shorten(target, 40), done, expected)
	})
	progress.End()
	if err != nil {
		return err
	}
	if progress != nil {
		fmt.Fprintf(a.stderr,
			"%.1f s, %.1f s of them to start targets and load their libraries\n\n",
			time.Since(start).Seconds(), report.Starts.Seconds())
	}
	if v.exitCode && report.Differs() {
		a.code = other
	}
	if v.html != "" {
		write := func(w io.Writer) error { return audit.WriteHTML(w, report) }
		if err := a.write(v.html, write); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(report)
	}
	return audit.WriteText(a.stdout, report)
}

// request returns the request of the flags.
func (v *auditVerb) request() (audit.Request, error) {
	q := audit.Request{N: v.n, Options: reveal.Options{Seed: v.seed}}
	if err := checkN(v.n); err != nil {
		return q, err
	}
	for _, name := range v.ops {
		op, err := probe.ParseOp(name)
		if err != nil {
			return q, opChoices.refuse("ops", name)
		}
		q.Ops = append(q.Ops, op)
	}
	for _, name := range v.dtypes {
		format, err := parseFormat("dtype", name)
		if err != nil {
			return q, err
		}
		q.DTypes = append(q.DTypes, format)
	}
	return q, nil
}
