package open

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/prose"
)

// Table is a list of drivers, in the order of help texts and lists. A program
// that has a driver of its own appends it to Drivers().
type Table []Driver

// Driver returns the row of an address. The error is the *probe.Fault
// bad-address, with similar addresses.
func (t Table) Driver(address string) (*Driver, error) {
	scheme, _, ok := strings.Cut(address, ":")
	if ok {
		for i := range t {
			if slices.Contains(t[i].Schemes, scheme) {
				return &t[i], nil
			}
		}
	}
	cause := "it does not begin with a kind of target and a colon"
	if ok {
		cause = fmt.Sprintf("there is no kind of target called %q", scheme)
	}
	cure := ask(t.guesses(address))
	if cure == "" {
		cure = ask(t.nearest(address))
	}
	if cure == "" {
		cure = "write " + t.Examples() + ";"
	}
	thing := fmt.Sprintf("target %q", address)
	return nil, &probe.Fault{ID: "bad-address", Thing: thing, Cause: cause, Cure: cure + listed}
}

// listed points to the names of all targets.
const listed = " lastbit targets lists the targets here"

// Open opens the target of an address, such as "py:numpy.sum". The error is a
// *probe.Fault: bad-address for a scheme that no row has, the Fault of
// probe.Spec.Restrict for an option that no target of the driver honours, or
// the driver's own.
func (t Table) Open(ctx context.Context, address string, s probe.Spec) (probe.Target, error) {
	d, err := t.Driver(address)
	if err != nil {
		return nil, err
	}
	if s, err = s.Restrict(address, d.Options); err != nil {
		return nil, noneHonours(address, err)
	}
	target, err := d.Open(ctx, address, s)
	if err != nil {
		return nil, d.explain(address, err)
	}
	return target, nil
}

// noneHonours rewords the Fault of probe.Spec.Restrict for an option that no
// target of a driver honours. It drops the list of the options honoured, which
// holds for all targets of the driver together: the target of the address may
// honour fewer.
func noneHonours(address string, err error) error {
	var f *probe.Fault
	if !errors.As(err, &f) {
		return err
	}
	scheme, _, _ := strings.Cut(address, ":")
	g := *f
	g.Cure, _, _ = strings.Cut(f.Cure, ";")
	g.Cure += "; no target of " + scheme + ": honours it"
	return &g
}

// explain replaces the cure of an unknown address with similar addresses. An
// address that ends with its scheme is quoted.
func (d *Driver) explain(address string, err error) error {
	var f *probe.Fault
	if !errors.As(err, &f) ||
		!slices.Contains([]string{"unknown-target", "unknown-function", "bad-address"}, f.ID) {
		return err
	}
	meant := *f
	if bare(address) == "" {
		meant.Thing = fmt.Sprintf("target %q", address)
	}
	own := Table{*d}
	question := ask(own.guesses(bare(address)))
	if question == "" {
		question = ask(own.nearest(address))
	}
	if question != "" {
		meant.Cure = question + listed
	}
	return &meant
}

// List returns the targets of every driver on this machine, row by row. The
// drivers look at the same time.
func (t Table) List(ctx context.Context) []probe.Listing {
	parts := make([][]probe.Listing, len(t))
	var wg sync.WaitGroup
	for i, d := range t {
		if d.List != nil {
			wg.Go(func() { parts[i] = d.List(ctx) })
		}
	}
	wg.Wait()
	return slices.Concat(parts...)
}

// Names returns the addresses that the drivers know by name, row by row. It
// starts no process.
func (t Table) Names() []string {
	var names []string
	for _, d := range t {
		if d.Names != nil {
			names = append(names, d.Names()...)
		}
	}
	return names
}

// Examples returns the examples of every row as a phrase: "go:naive,
// gonum:floats.Sum, … or mpi:allreduce".
func (t Table) Examples() string {
	var all []string
	for _, d := range t {
		if !d.Unlisted {
			all = append(all, d.Examples...)
		}
	}
	return prose.List(all, "or")
}

// Yours returns the forms of addresses of the user's own code, row by row.
func (t Table) Yours() []string {
	var all []string
	for _, d := range t {
		all = append(all, d.Yours...)
	}
	return all
}
