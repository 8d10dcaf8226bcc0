package libm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// Bounds of a file. A fingerprint of both formats has some 70 000 bytes;
// settings of the environment are the longest names.
const (
	maxFileBytes   = 4 << 20
	maxNameBytes   = 4096
	maxNumberBytes = 32 // -2.2250738585072014e-308 has 24
)

// Save writes a fingerprint to a file.
func (f *Fingerprint) Save(name string) error {
	b, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(b, '\n'), 0o666)
}

// badFile returns the fault of a file that holds no fingerprint.
func badFile(name, cause string, err error) error {
	const cure = "name a file that lastbit libm --save wrote"
	return &probe.Fault{ID: "bad-data", Thing: name, Cause: cause, Cure: cure, Err: err}
}

// Read reads a file of Save.
func Read(ctx context.Context, name string) (*Fingerprint, error) {
	b, err := readAtMost(ctx, name, maxFileBytes)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		var p *fs.PathError
		if errors.As(err, &p) {
			err = p.Err // name is in the fault
		}
		return nil, badFile(name, "it cannot be read", err)
	case len(b) > maxFileBytes:
		cause := fmt.Sprintf("it is longer than %d bytes, and no fingerprint is", maxFileBytes)
		return nil, badFile(name, cause, nil)
	}
	f := new(Fingerprint)
	err = json.Unmarshal(b, f)
	switch {
	case err == nil && f.Version != 0 && f.Version != version:
		return nil, &probe.Fault{
			ID: "bad-data", Thing: name,
			Cause: fmt.Sprintf("it is of version %d, "+
				"and this lastbit makes fingerprints of version %d", f.Version, version),
			Cure: "make both with the same lastbit",
		}
	case err != nil || f.Version == 0 || len(f.Prints) == 0:
		return nil, badFile(name, "it is not a complete fingerprint", err)
	}
	if cause := f.defect(); cause != "" {
		return nil, badFile(name, cause, nil)
	}
	return f, nil
}

// defect returns an impossible part of a fingerprint from a file, or "".
func (f *Fingerprint) defect() string {
	type key struct{ library, function, dtype string }
	seen := map[key]bool{}
	for _, p := range f.Prints {
		if !p.isPossible() {
			return "a function in it is not one that lastbit looks at"
		}
		k := key{p.Library, p.Function, p.DType.String()}
		if seen[k] {
			return fmt.Sprintf("it has %s's %s twice", libraryNames[p.Library],
				text.Visible(p.name()))
		}
		seen[k] = true
		if p.At == nil {
			p.At = []Number{}
		}
	}
	if !f.hasShortNames() {
		return fmt.Sprintf("a name in it is longer than %d bytes", maxNameBytes)
	}
	return ""
}

// hashPattern matches hashes.
var hashPattern = regexp.MustCompile("^[0-9a-f]{64}$")

// isPossible reports whether Prints could have made p.
func (p *Print) isPossible() bool {
	if p == nil || libraryNames[p.Library] == "" || !hashPattern.MatchString(p.Hash) {
		return false
	}
	if p.Count < 1 || p.Wrong < 0 || p.Wrong > p.Count || p.Worst < 0 || len(p.At) > 2 {
		return false
	}
	tooLong := func(n Number) bool { return len(n) > maxNumberBytes }
	if tooLong(p.Gave) || tooLong(p.Right) || slices.ContainsFunc(p.At, tooLong) {
		return false
	}
	return p.DType == fp.Binary64 || p.DType == fp.Binary32
}

// hasShortNames reports whether no name is longer than names can be.
func (f *Fingerprint) hasShortNames() bool {
	names := append([]string{f.Machine.Platform, f.Machine.CPU}, f.Machine.Settings...)
	for _, p := range f.Prints {
		names = append(names, p.Version, p.Function)
	}
	for _, a := range f.Absent {
		names = append(names, a.Library, a.Why)
	}
	return !slices.ContainsFunc(names, func(s string) bool { return len(s) > maxNameBytes })
}

// readAtMost reads a file, but at most one byte more than most. It does not
// wait for a pipe longer than the context.
func readAtMost(ctx context.Context, name string, most int64) ([]byte, error) {
	type outcome struct {
		b   []byte
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		f, err := os.Open(name)
		if err != nil {
			done <- outcome{nil, err}
			return
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, most+1))
		done <- outcome{b, err}
	}()
	select {
	case o := <-done:
		return o.b, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
