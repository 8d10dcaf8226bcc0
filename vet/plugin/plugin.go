// Package plugin makes the analyzers of package vet a module plugin of
// golangci-lint.
//
// golangci-lint custom builds a golangci-lint with it from .custom-gcl.yml:
//
//	version: v2.15.0
//	plugins:
//	  - module: github.com/lastbit/lastbit
//	    import: github.com/lastbit/lastbit/vet/plugin
//	    version: latest
//
// and .golangci.yml enables it:
//
//	version: "2"
//	linters:
//	  enable: [lastbit]
//	  settings:
//	    custom:
//	      lastbit:
//	        type: module
//	        settings:
//	          checks: [fma, maporder]
//
// Without checks all analyzers run. With a baseline, the file that lastbit
// portable --baseline portable.txt --update ./... writes, only the analyzers of
// lastbit portable run, and only new places are reported:
//
//	baseline: portable.txt
//
// The file is looked for where golangci-lint runs, the folder of the module.
package plugin

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet"
	"github.com/lastbit/lastbit/vet/portable"
)

func init() { register.Plugin("lastbit", New) }

// settings are the settings in .golangci.yml.
type settings struct {
	Checks   []string `json:"checks"`   // the analyzers to run; all if it is empty
	Baseline string   `json:"baseline"` // a file with known places
}

// analyzers returns those that the checks are chosen from.
func (s settings) analyzers() ([]*analysis.Analyzer, error) {
	if s.Baseline == "" {
		return vet.Analyzers(), nil
	}
	text, err := os.ReadFile(s.Baseline)
	if err == nil {
		err = portable.CheckBaseline(text)
	}
	if err != nil {
		return nil, fmt.Errorf("lastbit: baseline %s: %w; lastbit portable --baseline FILE "+
			"--update ./... writes one", s.Baseline, err)
	}
	dir, err := os.Getwd()
	return portable.Analyzers(text, dir), err
}

// New returns the plugin with settings.
func New(raw any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[settings](raw)
	if err != nil {
		return nil, err
	}
	all, err := s.analyzers()
	if err != nil {
		return nil, err
	}
	names := vet.Names(all)
	for _, name := range s.Checks {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("lastbit: checks: no analyzer is called %q; there are %s", name,
				strings.Join(names, ", "))
		}
	}
	chosen := slices.DeleteFunc(all, func(a *analysis.Analyzer) bool {
		return len(s.Checks) > 0 && !slices.Contains(s.Checks, a.Name)
	})
	return linter{chosen}, nil
}

// linter is the plugin with its analyzers.
type linter struct{ analyzers []*analysis.Analyzer }

// BuildAnalyzers returns the analyzers.
func (l linter) BuildAnalyzers() ([]*analysis.Analyzer, error) { return l.analyzers, nil }

// GetLoadMode returns the mode of analyzers that need types.
func (l linter) GetLoadMode() string { return register.LoadModeTypesInfo }
