package crosscheck

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/internal/overlay"
	"github.com/lastbit/lastbit/vet"
	"github.com/lastbit/lastbit/vet/check"
	"github.com/lastbit/lastbit/vet/fused"
)

// A Cause is a place that makes platforms differ.
type Cause struct {
	Kind string // fma, complex or libm; "" if no place was found
	File string
	Line int
	Name string // the function of package math
	// Alone is set if this place makes the difference by itself; otherwise
	// others have to be as they are.
	Alone      bool
	Candidates []Candidate // if no place was found
}

// A Candidate is a place in the function that lastbit vet finds.
type Candidate struct {
	File    string
	Line    int
	Kind    string
	Message string
}

// A search looks for the site that makes a difference.
type search struct {
	o     *Options
	sites []site
	// agree reports whether the platforms agree where some sites are on.
	agree func(ctx context.Context, on []bool) (bool, error)
	steps int
}

// errElsewhere is the end of a search whose sites do not make the difference.
var errElsewhere = errors.New("crosscheck: no site makes the difference")

// find returns the number of a site that makes the difference when it goes on
// after the sites before it, and whether it does so alone.
func (s *search) find(ctx context.Context) (at int, alone bool, err error) {
	if len(s.sites) == 0 {
		return 0, false, errElsewhere
	}
	low, high := 0, len(s.sites) // they agree at low, and not at high
	for _, end := range []int{low, high} {
		same, err := s.ask(ctx, func(i int) bool { return i < end })
		if err != nil {
			return 0, false, err
		}
		if same != (end == low) {
			return 0, false, errElsewhere
		}
	}
	for high-low > 1 {
		middle := (low + high) / 2
		same, err := s.ask(ctx, func(i int) bool { return i < middle })
		switch {
		case err != nil:
			return 0, false, err
		case same:
			low = middle
		default:
			high = middle
		}
	}
	if high == 1 {
		return 0, true, nil
	}
	same, err := s.ask(ctx, func(i int) bool { return i == high-1 })
	return high - 1, !same, err
}

// ask asks whether the platforms agree where some sites are on.
func (s *search) ask(ctx context.Context, isOn func(int) bool) (bool, error) {
	s.steps++
	s.o.show(fmt.Sprintf("looking for the cause, step %d", s.steps), s.steps, 0)
	on := make([]bool, len(s.sites))
	for i := range on {
		on[i] = isOn(i)
	}
	return s.agree(ctx, on)
}

// cause searches for the cause of a difference between this machine and
// another platform. near are the sites to try first.
func (o *Options) cause(
	ctx context.Context, b *bench, near func(site) int,
) (*Cause, error) {
	if err := b.collect(ctx); err != nil {
		return nil, err
	}
	slices.SortStableFunc(b.sites, func(x, y site) int {
		if d := near(x) - near(y); d != 0 {
			return d
		}
		return compareSites(x, y)
	})
	s := &search{o: o, sites: b.sites, agree: b.agree}
	at, alone, err := s.find(ctx)
	if err != nil {
		return nil, err
	}
	t := s.sites[at]
	return &Cause{Kind: t.kind, File: t.file, Line: t.line, Name: t.name, Alone: alone}, nil
}

// A bench builds a program with some sites on, for this machine and another
// platform, and compares them.
type bench struct {
	o            *Options
	home, other  *prepared
	pkg          string
	verb         []string // of the go command: it builds a program from pkg
	sites        []site
	compare      func(ctx context.Context, home, other program, same string) (bool, error)
	homes        map[string]program // by the calls of package math that are off
	built        int
	withoutFlags bool // this machine fuses nothing
}

// collect lists the sites.
func (b *bench) collect(ctx context.Context) error {
	b.homes = map[string]program{}
	b.sites = b.other.sources.calls()
	reached, err := b.o.reached(ctx, b.other.platform, b.pkg)
	if err != nil {
		return err
	}
	var flags []string
	for _, p := range reached {
		flags = append(flags, "-gcflags="+p+"=-d=fmahash=vy")
	}
	_, out, err := b.build(ctx, b.other, nil, flags)
	if err != nil {
		return err
	}
	matches, err := fused.Matches(out, b.o.Dir)
	if err != nil {
		return err
	}
	b.sites = append(b.sites, b.other.sources.fusions(matches)...)
	arch := b.home.target.Arch
	b.withoutFlags = arch == "amd64" && b.home.target.Level == ""
	return nil
}

// build builds the program of a platform with some calls of package math off.
func (b *bench) build(
	ctx context.Context, q *prepared, off []site, flags []string,
) (program, string, error) {
	c := q.files.clone()
	neutralize(c, off)
	b.built++
	dir := filepath.Join(q.dir, "cause") // the compiler's numbers may depend on it
	if err := os.RemoveAll(dir); err != nil {
		return program{}, "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return program{}, "", err
	}
	files, err := c.texts()
	if err != nil {
		return program{}, "", err
	}
	if err := addRecord(files, b.o.goroot); err != nil {
		return program{}, "", err
	}
	if len(off) > 0 {
		flags = append(flags, neutralFlag)
		if err := addNeutral(files, b.o.goroot); err != nil {
			return program{}, "", err
		}
	}
	flag, err := overlay.Write(dir, files)
	if err != nil {
		return program{}, "", err
	}
	binary := filepath.Join(q.dir, fmt.Sprintf("cause-%d.test", b.built))
	args := slices.Concat(b.verb, []string{"-p=2", "-ldflags=-s -w", "-o", binary, flag},
		b.o.tagFlags(), flags, []string{b.pkg})
	out, err := b.o.goCommand(ctx, q.platform, args...)
	return program{b.pkg, binary, q.sources.folder(b.pkg)}, out, err
}

// agree reports whether the platforms agree where some sites are on.
func (b *bench) agree(ctx context.Context, on []bool) (bool, error) {
	var off []site
	key := ""
	for i, s := range b.sites {
		if s.kind == kindLibm && !on[i] {
			off = append(off, s)
			key += fmt.Sprintf("%s:%d ", s.file, s.from)
		}
	}
	flags := fusionFlags(b.sites, on)
	if !b.withoutFlags {
		key += strings.Join(flags, " ")
	}
	home, ok := b.homes[key]
	if !ok {
		var err error
		homeFlags := flags
		if b.withoutFlags {
			homeFlags = nil
		}
		if home, _, err = b.build(ctx, b.home, off, homeFlags); err != nil {
			return false, err
		}
		b.homes[key] = home
	}
	other, _, err := b.build(ctx, b.other, off, flags)
	if err != nil {
		return false, err
	}
	defer os.Remove(other.binary)
	return b.compare(ctx, home, other, key)
}

// candidates returns what lastbit vet finds in a function.
func (o *Options) candidates(ctx context.Context, q *prepared, f *function) ([]Candidate, error) {
	analyzers := slices.DeleteFunc(vet.Analyzers(), func(a *analysis.Analyzer) bool {
		return a.Name == "ignore" || a.Name == "floattext"
	})
	var targets []fused.Target
	if q.target.Arch != "wasm" {
		targets = []fused.Target{q.target}
	}
	r, err := check.Run(ctx, check.Options{Dir: o.Dir, Patterns: []string{f.pkg}, Tags: o.Tags,
		Analyzers: analyzers, Targets: targets})
	if err != nil {
		return nil, err
	}
	var all []Candidate
	for _, v := range r.Findings {
		if v.At.File == f.file && f.line <= v.At.Line && v.At.Line <= f.last {
			all = append(all, Candidate{v.At.File, v.At.Line, v.Analyzer, v.Message})
		}
	}
	return all, nil
}
