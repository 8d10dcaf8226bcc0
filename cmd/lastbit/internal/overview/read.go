package overview

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/lock"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// Read reads the JSON of a report. The error is the *probe.Fault bad-data.
func Read(name string) (*Report, error) {
	bad := func(cause string, err error) error {
		return &probe.Fault{ID: "bad-data", Thing: name, Cause: cause, Err: err,
			Cure: "name a file that lastbit report wrote, such as lastbit.json"}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, bad("it cannot be read", err)
	}
	var head struct {
		Version *int `json:"report"`
	}
	if err := json.Unmarshal(text, &head); err != nil || head.Version == nil {
		return nil, bad("it is not the JSON of a report", err)
	}
	if *head.Version != Version {
		return nil, bad(fmt.Sprintf("it is of version %d, and this lastbit reads version %d",
			*head.Version, Version), nil)
	}
	r := new(Report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, bad("it is not the JSON of a report", err)
	}
	return r, r.check(bad)
}

// check refuses a file that lacks what a report has.
func (r *Report) check(bad func(string, error) error) error {
	for _, s := range r.Sections {
		if s == nil || answerers[s.Verb] == nil {
			return bad("a section of it is unknown", nil)
		}
	}
	if r.Audit == nil {
		return nil
	}
	for _, t := range r.Audit.Tables {
		if t == nil {
			return bad("a table of it is null", nil)
		}
		for _, g := range t.Groups {
			for _, m := range g.Members {
				if m == nil || m.Finding == nil {
					return bad("a target of it has no finding", nil)
				}
			}
		}
	}
	return nil
}

// profile returns the operations that the report revealed, as a profile of a
// lock file.
func (r *Report) profile() (*lockfile.Profile, error) {
	p := &lockfile.Profile{Class: r.Machine.Platform + " " + r.Machine.CPU,
		Settings: r.Machine.Settings}
	if r.Audit == nil {
		return p, nil
	}
	add := func(spec probe.Spec, f *reveal.Finding) error {
		o, err := lock.OperationOf(lockfile.Request{Target: f.Key.Target, Spec: spec}, f)
		if err == nil && p.Operation(o.Name()) == nil {
			p.Operations = append(p.Operations, o)
		}
		return err
	}
	for _, t := range r.Audit.Tables {
		spec := probe.Spec{Op: t.Op, DType: t.DType, N: t.N, M: t.M, Cols: t.Cols, Threads: 1}
		for _, g := range t.Groups {
			for _, m := range g.Members {
				if err := add(spec, m.Finding); err != nil {
					return nil, err
				}
				if m.Shifted != nil {
					shifted := spec
					shifted.Align = m.Shifted.Key.Align
					if err := add(shifted, m.Shifted); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return p, nil
}
