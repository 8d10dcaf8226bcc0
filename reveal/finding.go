// Package reveal finds out in which order an implementation accumulates, and in
// which arithmetic, by calling it: a Finding is a tree with its proof, or a
// refusal with a witness.
//
// There is one file for each algorithm: naive, basic, fprev, scaled (the
// paper's), packed and family; whatever they claim is put to a certificate
// (structure) and to a replay (arithmetic, and everything that masks cannot see).
//
// References: Xie2025
package reveal

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/sumtree"
)

// Verdict is what a revelation ends in.
type Verdict string

// The verdicts.
const (
	TreeVerdict      Verdict = "tree"             // one fixed order
	Exact            Verdict = "exact"            // correctly rounded: order does not matter
	Compensated      Verdict = "compensated"      // rounding errors are carried along
	Nondeterministic Verdict = "nondeterministic" // the same input gave different results
	ValueDependent   Verdict = "value-dependent"  // order or scaling depends on the values
	NotASum          Verdict = "not-a-sum"        // a summand dropped, doubled or scaled
	Unsupported      Verdict = "unsupported"      // range or precision too small to tell
)

// Finding is what was found out about one target.
type Finding struct {
	Verdict    Verdict             `json:"verdict"`
	Verified   bool                `json:"verified"` // certificate and replay both passed, or exactness did
	Tree       *sumtree.Tree       `json:"-"`        // see MarshalJSON
	Family     string              `json:"family"`   // "" when no family is recognised
	Algorithm  string              `json:"algorithm"`
	Calls      int                 `json:"calls"`
	Key        probe.Key           `json:"key"`
	Traits     Traits              `json:"traits"`
	Arithmetic *sumtree.Arithmetic `json:"arithmetic"` // nil when it could not be told
	Evidence   Evidence            `json:"evidence"`
	Witness    *Witness            `json:"witness"`
	Warnings   []string            `json:"warnings"`
}

// Evidence counts what a finding rests on.
type Evidence struct {
	CertificateCalls int `json:"certificate_calls"` // calls whose output the claimed tree foretold
	CertificateTests int `json:"certificate_tests"` // tests in them: one a lane
	ReplayTried      int `json:"replay_tried"`
	ReplayMatched    int `json:"replay_matched"`
	Lanes            int `json:"lanes"` // lanes that share the tree and were probed together
}

// Traits are the arithmetic beside the tree, in words. What could not be told
// is "unknown".
type Traits struct {
	Accumulator string `json:"accumulator"`     // "f32", or "mixed: f32, f64"
	FMA         any    `json:"fma"`             // true, false, "mixed"; "exact" where products need no rounding; "unknown"
	Rounding    string `json:"rounding"`        // rne, rz, ru, rd
	Subnormals  string `json:"subnormals"`      // "kept", "inputs flushed", "results flushed", "flushed"
	Initial     string `json:"initial"`         // "+0" when a sum of −0 is +0, else "-0"
	Width       int    `json:"width,omitempty"` // operands of a fused sum
	Align       int    `json:"align,omitempty"` // fraction bits that a fused sum keeps
}

// Unknown are the traits of an implementation of which nothing is known.
func Unknown() Traits {
	return Traits{Accumulator: "unknown", FMA: "unknown", Rounding: "unknown", Subnormals: "unknown", Initial: "unknown"}
}

// Witness is an input with which anyone can see what a verdict says.
type Witness struct {
	What string   `json:"what"`        // what it shows
	X    Numbers  `json:"x"`           // all n summands, or first factors
	Y    Numbers  `json:"y,omitempty"` // second factors; none for sums, and where all are 1
	Seen Numbers  `json:"seen"`        // outputs of the implementation
	Want *Numbers `json:"want,omitempty"`
}

// Numbers are float64 values that survive JSON: infinities and NaN are strings.
type Numbers []float64

// MarshalJSON writes finite values as numbers and the others as strings.
func (v Numbers) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, x := range v {
		if i > 0 {
			b.WriteByte(',')
		}
		if x-x != 0 {
			fmt.Fprintf(&b, "%q", fmt.Sprint(x))
			continue
		}
		if x == 0 && 1/x < 0 {
			b.WriteString("-0.0")
			continue
		}
		e, err := json.Marshal(x)
		if err != nil {
			return nil, err
		}
		b.Write(e)
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Numbers) UnmarshalJSON(b []byte) error {
	var raw []any
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	*v = make(Numbers, len(raw))
	for i, r := range raw {
		switch r := r.(type) {
		case float64:
			(*v)[i] = r
		case string:
			if _, err := fmt.Sscan(r, &(*v)[i]); err != nil {
				return fmt.Errorf("reveal: %q is no number", r)
			}
		default:
			return fmt.Errorf("reveal: %v is no number", r)
		}
	}
	return nil
}

// Inline is the largest n whose tree a finding's JSON holds as text.
const Inline = 4096

// findingJSON adds the tree: as text up to Inline leaves, packed above.
type findingJSON struct {
	alias
	Tree   *sumtree.Tree `json:"tree"`
	Packed []byte        `json:"tree_gzip,omitempty"`
}

type alias Finding

// MarshalJSON gives the finding as one object. The tree of more than Inline
// leaves is null, and its gzipped text stands in tree_gzip (base64).
func (f *Finding) MarshalJSON() ([]byte, error) {
	j := findingJSON{alias: alias(*f), Tree: f.Tree}
	if j.Warnings == nil {
		j.Warnings = []string{}
	}
	if f.Tree != nil && f.Tree.Leaves() > Inline {
		j.Tree = nil
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if err := f.Tree.WriteText(z); err != nil {
			return nil, err
		}
		if err := z.Close(); err != nil {
			return nil, err
		}
		j.Packed = b.Bytes()
	}
	return json.Marshal(j)
}

// maxText bounds what UnmarshalJSON unpacks: more than any tree of
// sumtree.MaxLeaves that a finding of ours could hold in memory.
const maxText = 1 << 32

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Finding) UnmarshalJSON(b []byte) error {
	var j findingJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	*f = Finding(j.alias)
	f.Tree = j.Tree
	if len(j.Packed) == 0 {
		return nil
	}
	z, err := gzip.NewReader(bytes.NewReader(j.Packed))
	if err != nil {
		return fmt.Errorf("reveal: tree_gzip: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(z, maxText))
	if err != nil {
		return fmt.Errorf("reveal: tree_gzip: %w", err)
	}
	f.Tree, err = sumtree.Parse(string(text))
	return err
}
