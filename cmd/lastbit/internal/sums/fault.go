package sums

import (
	"errors"
	"io/fs"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/probe"
)

// BadUsage returns the fault of flags that have no meaning.
func BadUsage(thing, cause, cure string) error {
	return &probe.Fault{ID: "bad-usage", Thing: thing, Cause: cause, Cure: cure}
}

// limit returns the fault of an algorithm that lacks a feature of exact.
func limit(thing, cause, cure string, err error) error {
	return &probe.Fault{ID: "algorithm-limit", Thing: thing, Cause: cause, Cure: cure, Err: err}
}

// DataFault makes a fault of an error about a file, unless it is one, as of a
// missing Python.
func DataFault(err error) error {
	var fault *probe.Fault
	if errors.As(err, &fault) {
		return fault
	}
	var e *dataset.Error
	if !errors.As(err, &e) {
		return err
	}
	return &probe.Fault{ID: "bad-data", Thing: e.Place(), Cause: e.Cause, Cure: e.Cure,
		Err: withoutPath(e.Err)}
}

// withoutPath returns the error that a file system gave for a path, which the
// fault names already.
func withoutPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
