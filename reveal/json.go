package reveal

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"

	"github.com/lastbit/lastbit/sumtree"
)

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

// UnmarshalJSON reads the JSON of MarshalJSON.
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
				return fmt.Errorf("reveal: %q is not a number", r)
			}
		default:
			return fmt.Errorf("reveal: %v is not a number", r)
		}
	}
	return nil
}

// maxInline is the largest n whose tree a finding's JSON holds as text.
const maxInline = 4096

// maxText bounds the text that UnmarshalJSON unpacks. No tree that a finding
// could hold in memory has more.
const maxText = 1 << 32

// findingJSON adds the tree: as text up to maxInline leaves, packed above.
type findingJSON struct {
	alias
	Tree   *sumtree.Tree `json:"tree"`
	Packed []byte        `json:"tree_gzip,omitempty"`
}

type alias Finding

// MarshalJSON returns the finding as one object. The tree of more than 4096
// leaves is null, and its gzipped text is in tree_gzip (base64).
func (f *Finding) MarshalJSON() ([]byte, error) {
	j := findingJSON{alias: alias(*f), Tree: f.Tree}
	if j.Warnings == nil {
		j.Warnings = []string{}
	}
	if f.Tree != nil && f.Tree.Leaves() > maxInline {
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

// UnmarshalJSON reads the JSON of MarshalJSON.
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
