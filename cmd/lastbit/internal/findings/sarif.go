package findings

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/check"
)

// These are the objects of SARIF 2.1.0 that lastbit writes.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		Results    []sarifResult `json:"results"`
		ColumnKind string        `json:"columnKind"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
		Full  sarifText `json:"fullDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

// SARIF writes a log of SARIF 2.1.0. Paths below the current folder are
// relative, so that a service finds them in a repository. Columns count bytes,
// as the compiler's do.
func SARIF(w io.Writer, r Report) error {
	driver := sarifDriver{Name: "lastbit", Version: r.Version}
	index := map[string]int{}
	for i, a := range r.Analyzers {
		index[a.Name] = i
		driver.Rules = append(driver.Rules, rule(a))
	}
	run := sarifRun{Tool: sarifTool{driver}, Results: []sarifResult{},
		ColumnKind: "unicodeCodePoints"}
	for _, f := range r.Findings {
		run.Results = append(run.Results, sarifResult{
			RuleID: f.Analyzer, RuleIndex: index[f.Analyzer], Level: "warning",
			Message:   sarifText{f.Message},
			Locations: []sarifLocation{{physical(f.At)}},
		})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	})
}

func rule(a *analysis.Analyzer) sarifRule {
	title, _, _ := strings.Cut(a.Doc, "\n")
	return sarifRule{a.Name, sarifText{title}, sarifText{a.Doc}}
}

func physical(p check.Position) sarifPhysical {
	file := relative(p.File)
	uri := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		uri.Scheme = "file"
		if !strings.HasPrefix(uri.Path, "/") {
			uri.Path = "/" + uri.Path
		}
	}
	return sarifPhysical{sarifArtifact{uri.String()}, sarifRegion{p.Line, p.Column}}
}
