// Package sarif writes findings as SARIF 2.1.0, the format that code scanning
// services read.
//
//	log := sarif.Log{Tool: "lastbit", Version: "v1.0.0", Rules: rules, Results: results}
//	err := log.Write(w)
//
// The standard is OASIS's Static Analysis Results Interchange Format, version
// 2.1.0.
package sarif

import (
	"encoding/json"
	"io"
	"net/url"
	"slices"
)

// Log is one run of a tool.
type Log struct {
	Tool, Version string
	Rules         []Rule
	Results       []Result
}

// Rule is a kind of finding.
type Rule struct {
	ID    string
	Short string // one sentence
	Full  string // the documentation, or ""
	Help  string // a URL, or ""
}

// Result is a finding.
type Result struct {
	Rule    string // ID of one of the rules
	Level   string // error, warning or note
	Message string
	File    string // relative to the root of the repository, with slashes
	Line    int    // from 1; 0 for the whole file
	Column  int    // in characters from 1; 0 for the whole line
	// Key is the same for the same finding in another version of the file, so
	// that a service recognises it. It may be "".
	Key string
}

// The JSON of SARIF: the parts that are used here.
type (
	text struct {
		Text string `json:"text"`
	}
	ruleObj struct {
		ID    string `json:"id"`
		Short text   `json:"shortDescription"`
		Full  *text  `json:"fullDescription,omitempty"`
		Help  string `json:"helpUri,omitempty"`
	}
	driver struct {
		Name    string    `json:"name"`
		Version string    `json:"version,omitempty"`
		Rules   []ruleObj `json:"rules"`
	}
	region struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn,omitempty"`
	}
	physical struct {
		Artifact map[string]string `json:"artifactLocation"`
		Region   *region           `json:"region,omitempty"`
	}
	location struct {
		Physical physical `json:"physicalLocation"`
	}
	resultObj struct {
		Rule      string            `json:"ruleId"`
		Index     int               `json:"ruleIndex"`
		Level     string            `json:"level"`
		Message   text              `json:"message"`
		Locations []location        `json:"locations,omitempty"`
		Prints    map[string]string `json:"partialFingerprints,omitempty"`
	}
	tool struct {
		Driver driver `json:"driver"`
	}
	run struct {
		Tool    tool        `json:"tool"`
		Results []resultObj `json:"results"`
		Columns string      `json:"columnKind"`
	}
	root struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}
)

// schema is the address of the format's JSON schema.
const schema = "https://json.schemastore.org/sarif-2.1.0.json"

// Write writes the log. A result whose rule is not in the list has the index
// −1, as the format asks.
func (l Log) Write(w io.Writer) error {
	r := run{
		Tool:    tool{driver{Name: l.Tool, Version: l.Version, Rules: []ruleObj{}}},
		Results: []resultObj{}, Columns: "unicodeCodePoints",
	}
	for _, rule := range l.Rules {
		o := ruleObj{ID: rule.ID, Short: text{rule.Short}, Help: rule.Help}
		if rule.Full != "" {
			o.Full = &text{rule.Full}
		}
		r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, o)
	}
	for _, result := range l.Results {
		r.Results = append(r.Results, l.result(result))
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(root{schema, "2.1.0", []run{r}})
}

func (l Log) result(r Result) resultObj {
	o := resultObj{
		Rule: r.Rule, Level: r.Level, Message: text{r.Message},
		Index: slices.IndexFunc(l.Rules, func(rule Rule) bool { return rule.ID == r.Rule }),
	}
	if r.File != "" {
		at := physical{Artifact: map[string]string{"uri": (&url.URL{Path: r.File}).String()}}
		if r.Line > 0 {
			at.Region = &region{r.Line, r.Column}
		}
		o.Locations = []location{{at}}
	}
	if r.Key != "" {
		o.Prints = map[string]string{"lastbit/v1": r.Key}
	}
	return o
}
