package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/internal/libm"
	"github.com/lastbit/lastbit/probe"
)

func (a *app) libmCommand() *cobra.Command {
	var save, diff string
	cmd := &cobra.Command{
		Use:   "libm",
		Short: "Fingerprint this machine's elementary functions: exp, log, sin …",
		Long: `Libm calls the elementary functions of Go, of the C library and of NumPy with a fixed
set of arguments and compares with the correctly rounded results, which are the same
everywhere (package crmath). For each function it prints how many results are wrong,
how far the worst is off, in ULPs, with its argument, and the beginning of a hash of all
results: where two machines have the same hash, they gave the same bits.

--save keeps the fingerprint; --diff compares with one that was kept, on another
machine say. Exit codes: 0 no difference, or none asked for; 1 they differ.`,
		Example: "  lastbit libm --save here.json\n  lastbit libm --diff here.json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.libm(cmd.Context(), save, diff) },
	}
	cmd.Flags().StringVar(&save, "save", "", "write the fingerprint to this file")
	cmd.Flags().StringVar(&diff, "diff", "", "compare with the fingerprint in this file")
	return cmd
}

// fingerprint is what lastbit libm --save keeps.
type fingerprint struct {
	Machine string         `json:"machine"`
	Prints  []*libm.Print  `json:"functions"`
	Absent  [][2]string    `json:"absent"` // libraries that are not here, and why
	Differ  []printsDiffer `json:"differ,omitempty"`
}

// printsDiffer is a function of a library that gave other results on another machine.
type printsDiffer struct {
	Library  string      `json:"library"`
	Function string      `json:"function"`
	Here     *libm.Print `json:"here"`
	There    *libm.Print `json:"there"`
}

func (a *app) libm(ctx context.Context, save, diff string) error {
	var there *fingerprint
	if diff != "" {
		var err error
		if there, err = readFingerprint(diff); err != nil {
			return err
		}
	}
	here, err := a.fingerprint(ctx)
	if err != nil {
		return err
	}
	if save != "" {
		b, err := json.MarshalIndent(here, "", " ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(save, append(b, '\n'), 0o666); err != nil {
			return unwritable(save, err)
		}
	}
	if there != nil {
		here.Differ = here.against(there)
		if len(here.Differ) > 0 {
			a.code = other
		}
	}
	if a.json {
		return a.printJSON(here)
	}
	if there != nil {
		a.writeDiffer(here, there)
		return nil
	}
	a.writeFingerprint(here)
	return nil
}

// fingerprint calls all functions of all libraries.
func (a *app) fingerprint(ctx context.Context) (*fingerprint, error) {
	f := &fingerprint{Machine: runtime.GOOS + "/" + runtime.GOARCH, Prints: []*libm.Print{}, Absent: [][2]string{}}
	libraries := []libm.Library{libm.Go()}
	if c, err := libm.C(); err == nil {
		libraries = append(libraries, c)
	} else {
		f.Absent = append(f.Absent, [2]string{"c", err.Error()})
	}
	if n, err := libm.NumPy(ctx, a.python.Script); err == nil {
		libraries = append(libraries, n)
	} else {
		f.Absent = append(f.Absent, [2]string{"numpy", err.Error()})
	}
	p := a.newProgress()
	defer p.end()
	for _, l := range libraries {
		for i, function := range libm.Functions() {
			p.show(l.Version, i, len(libm.Functions()))
			print, err := libm.Fingerprint(l, function)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				return nil, &probe.Fault{ID: "failed", Thing: l.Version + " " + function.Name, Cause: "it cannot be called", Cure: "report it", Err: err}
			}
			if print != nil {
				f.Prints = append(f.Prints, print)
			}
		}
	}
	return f, nil
}

// readFingerprint reads what --save wrote.
func readFingerprint(name string) (*fingerprint, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, badData(name, "it cannot be read", "name a file that lastbit libm --save wrote", err)
	}
	f := new(fingerprint)
	if err := json.Unmarshal(b, f); err != nil || len(f.Prints) == 0 {
		return nil, badData(name, "it is no fingerprint", "name a file that lastbit libm --save wrote", err)
	}
	return f, nil
}

// against returns what differs, of what both have.
func (f *fingerprint) against(o *fingerprint) (differ []printsDiffer) {
	for _, here := range f.Prints {
		for _, there := range o.Prints {
			if here.Library == there.Library && here.Function == there.Function && (here.Hash != there.Hash || here.Count != there.Count) {
				differ = append(differ, printsDiffer{here.Library, here.Function, here, there})
			}
		}
	}
	return differ
}

func (a *app) writeFingerprint(f *fingerprint) {
	rows := [][]string{{"function", "library", "wrong", "worst", "at", "hash"}}
	for _, p := range f.Prints {
		rows = append(rows, append([]string{p.Function, p.Version}, cells(p)...))
	}
	table(a.stdout, "", rows, nil)
	for _, absent := range f.Absent {
		fmt.Fprintf(a.stdout, "\nnot here: %s (%s)\n", absent[0], shortened(absent[1], 90))
	}
}

// cells are a print's columns.
func cells(p *libm.Print) []string {
	at := make([]string, len(p.At))
	for i, x := range p.At {
		at[i] = fmt.Sprint(x)
	}
	worst := ""
	switch {
	case p.Wrong > 0 && p.Worst > 1e15:
		worst = "no digit right"
	case p.Wrong > 0:
		worst = fmt.Sprintf("%d ULP", p.Worst)
	}
	return []string{fmt.Sprintf("%.2f %%", 100*float64(p.Wrong)/float64(p.Count)), worst, strings.Join(at, ", "), p.Hash[:min(8, len(p.Hash))]}
}

func (a *app) writeDiffer(here, there *fingerprint) {
	if len(here.Differ) == 0 {
		fmt.Fprintf(a.stdout, "the same: %s and %s gave the same bits\n", here.Machine, there.Machine)
		return
	}
	fmt.Fprintf(a.stdout, "%d functions differ\n", len(here.Differ))
	rows := [][]string{{"function", "where", "library", "wrong", "worst", "at", "hash"}}
	for _, d := range here.Differ {
		rows = append(rows, append([]string{d.Function, "here", d.Here.Version}, cells(d.Here)...), append([]string{"", "there", d.There.Version}, cells(d.There)...))
	}
	table(a.stdout, "", rows, nil)
}
