package check

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/internal/gocommand"
	"github.com/lastbit/lastbit/vet/fused"
	"github.com/lastbit/lastbit/vet/nankey"
)

// errUnanswered reports that go vet gives no result: a package or one of its
// tests does not compile, or the go command does not know the tool.
var errUnanswered = errors.New("vet: go vet gives no result")

// throughGo runs analyzers as the tool of go vet, which keeps the results of
// packages that have not changed.
func throughGo(ctx context.Context, o Options, analyzers []*analysis.Analyzer) (*Result, error) {
	roots, err := named(ctx, o)
	if err != nil {
		return nil, err
	}
	args := []string{"vet", "-json", "-vettool=" + o.Tool, "-" + rootsFlag + "=" + hash(roots)}
	if len(o.Tags) > 0 {
		args = append(args, "-tags="+strings.Join(o.Tags, ","))
	}
	for _, a := range analyzers {
		args = append(args, "-"+a.Name)
		if a == nankey.Analyzer && o.NaNKeys {
			args = append(args, "-"+a.Name+"."+nankey.Keys)
		}
	}
	cmd := gocommand.New(ctx, o.Dir, append(append(args, "--"), o.Patterns...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	// Older go commands write the findings to standard error.
	err = cmd.Run()
	if err != nil || stdout.Len() == 0 && bytes.ContainsRune(stderr.Bytes(), '{') {
		return nil, errors.Join(errUnanswered, ctx.Err())
	}
	r := &Result{Packages: len(roots)}
	if err := r.decode(&stdout); err != nil {
		return nil, err
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		return !o.Tests && strings.HasSuffix(f.At.File, "_test.go")
	})
	withoutForeignEdits(r.Findings)
	return r, nil
}

// named returns the paths of the packages, sorted.
func named(ctx context.Context, o Options) ([]string, error) {
	args := []string{"list", "-find"}
	if len(o.Tags) > 0 {
		args = append(args, "-tags="+strings.Join(o.Tags, ","))
	}
	cmd := gocommand.New(ctx, o.Dir, append(append(args, "--"), o.Patterns...)...)
	out, err := cmd.Output()
	paths := strings.Fields(string(out))
	if err != nil || len(paths) == 0 {
		return nil, errors.Join(errUnanswered, ctx.Err())
	}
	slices.Sort(paths)
	return paths, nil
}

// rootsFlag is a flag of the tool that changes nothing but the go command's key
// for results. Go 1.26 has one key for a package that was named and for one
// that was only imported, and prints nothing about the latter. Without the
// flag, nothing is found in a package after a run on another one that imports
// it. A hash of the packages that are asked for keeps the results apart.
const rootsFlag = "roots"

func hash(paths []string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.Join(paths, "\n")))
	return strconv.FormatUint(h.Sum64(), 16)
}

// foreign matches what makes the go command or a parser give the positions of
// another file.
var foreign = regexp.MustCompile(`(?m)^\s*(import\s*)?"C"|^//line |/\*line `)

// withoutForeignEdits removes the edits of files whose offsets go vet does not
// have: it reads what cgo makes of them, and obeys line directives.
func withoutForeignEdits(all []Finding) {
	known := map[string]bool{}
	for i := range all {
		for _, e := range all[i].Edits {
			is, ok := known[e.File]
			if !ok {
				text, err := os.ReadFile(e.File)
				is = err != nil || !strings.HasSuffix(e.File, ".go") || foreign.Match(text)
				known[e.File] = is
			}
			if is {
				all[i].Edits = nil
			}
		}
	}
}

// The JSON of go vet: diagnostics by package and by analyzer.
type (
	vetted struct {
		Posn, End, Message string
		Fixes              []vettedFix `json:"suggested_fixes"`
	}
	vettedFix  struct{ Edits []vettedEdit }
	vettedEdit struct {
		Filename   string
		Start, End int
		New        string
	}
)

// decode adds the findings of the JSON that go vet prints, one object for each
// package.
func (r *Result) decode(out io.Reader) error {
	for d := json.NewDecoder(out); ; {
		var packages map[string]map[string][]vetted
		switch err := d.Decode(&packages); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return errUnanswered
		}
		for pkg, analyzers := range packages {
			pkg, _, _ = strings.Cut(pkg, " ") // p [p.test]
			for name, all := range analyzers {
				for _, v := range all {
					f, err := v.finding()
					if err != nil {
						return err
					}
					f.Package, f.Analyzer = pkg, name
					r.Findings = append(r.Findings, f)
				}
			}
		}
	}
}

func (v vetted) finding() (Finding, error) {
	at, ok1 := fused.ParsePosition(v.Posn)
	end, ok2 := fused.ParsePosition(cmp.Or(v.End, v.Posn))
	if !ok1 || !ok2 {
		return Finding{}, errUnanswered
	}
	f := Finding{At: at, End: end, Message: v.Message}
	if len(v.Fixes) > 0 {
		for _, e := range v.Fixes[0].Edits {
			f.Edits = append(f.Edits, Edit{e.Filename, e.Start, e.End, e.New})
		}
	}
	return f, nil
}
