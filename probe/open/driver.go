package open

import (
	"context"
	"strings"

	"github.com/lastbit/lastbit/probe"
)

// Driver is one row of a Table. It describes a kind of target to the rest of
// lastbit.
type Driver struct {
	// Package is the driver's package, without the module: "probe/sim".
	Package string

	// Summary names the driver's targets in one line: "models of matrix
	// accelerators".
	Summary string

	// Schemes begin the addresses of the driver, without the colon. No other
	// row of a table has them.
	Schemes []string

	// Examples are addresses to show, one for each scheme.
	Examples []string

	// Yours are the forms of addresses for the user's own code, such as
	// "clib:/path/lib.so:symbol"; List cannot list them.
	Yours []string

	// Options are the fields of a Spec that some target of the driver honours,
	// besides Op, DType, N and Timeout. Table.Open refuses the others.
	Options probe.Options

	// Open opens a target. Unlike a driver's own Opener it gets the whole
	// address, with its scheme; see AfterScheme.
	Open func(ctx context.Context, address string, s probe.Spec) (probe.Target, error)

	// List returns the driver's targets on this machine. It may be nil.
	List func(ctx context.Context) []probe.Listing

	// Names returns the addresses that the driver knows by name. It starts no
	// process and takes no longer than a keystroke, so that completion and "did
	// you mean" can call it. Some of the names may be absent from this machine.
	// It may be nil.
	Names func() []string

	// Guess returns the likely address for a word without a scheme, or "". It
	// may be nil.
	Guess func(word string) string

	// ServeIfWorker serves the driver if this process was started for it, and
	// otherwise does nothing. It is nil for drivers that do not start this
	// program again.
	ServeIfWorker func()

	// Unlisted keeps the addresses out of help texts, completion and
	// suggestions: another program writes them.
	Unlisted bool

	// Shifts makes an audit examine each target twice, the second time with
	// data that begins one element past a multiple of 64 bytes.
	Shifts bool

	// Unaudited keeps the targets out of an audit, which compares targets of
	// the same number of summands: this driver's targets cost too much, or
	// their numbers of summands mean something else.
	Unaudited bool
}

// AfterScheme returns an Open for a Driver from an Opener that expects an
// address without its scheme.
func AfterScheme(open probe.Opener) probe.Opener {
	return func(ctx context.Context, address string, s probe.Spec) (probe.Target, error) {
		_, rest, _ := strings.Cut(address, ":")
		return open(ctx, rest, s)
	}
}
