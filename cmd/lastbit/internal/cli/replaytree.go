package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// readTree reads a finding, or a tree in brackets, from a file or from the
// argument itself. The finding has a tree and an arithmetic.
func readTree(arg, dtype string, products bool) (*reveal.Finding, error) {
	s := strings.TrimSpace(arg)
	if !strings.HasPrefix(s, "(") {
		read, err := readText(arg)
		if err != nil {
			return nil, badData(arg, "it cannot be read",
				"give a file that lastbit reveal --json wrote", cause(err))
		}
		s = strings.TrimSpace(read)
	}
	if strings.HasPrefix(s, "{") {
		return findingTree(arg, s, dtype)
	}
	return bracketTree(arg, s, dtype, products)
}

// bracketTree parses a tree in brackets, whose additions are rounded to a
// format.
func bracketTree(name, s, dtype string, products bool) (*reveal.Finding, error) {
	tree, err := sumtree.Parse(s)
	if err != nil {
		return nil, badData(name, "it is neither a finding nor a tree in brackets",
			"write lastbit reveal --json to a file, or a tree such as ((0 1) 2)", err)
	}
	if dtype == "" {
		return nil, badData(name,
			"a tree in brackets names no number format",
			"add --dtype f32, or f64, or another", nil)
	}
	format, err := parseFormat("dtype", dtype)
	if err != nil {
		return nil, err
	}
	arith := sumtree.Plain(format)
	arith.Products = products
	return &reveal.Finding{Tree: tree, Arithmetic: &arith, Traits: reveal.Unknown()}, nil
}

// findingTree returns a finding in JSON that can be replayed.
func findingTree(name, s, dtype string) (*reveal.Finding, error) {
	const again = "make it with lastbit reveal --json"
	var f reveal.Finding
	var bad error
	switch err := json.Unmarshal([]byte(s), &f); {
	case err != nil:
		bad = badData(name, "it is not a finding", again, err)
	case f.Verdict == "":
		bad = badData(name, "it is not a finding: it has no verdict", again, nil)
	case f.Tree == nil:
		bad = badData(name,
			fmt.Sprintf("its verdict is %q, so there is no tree to replay", f.Verdict),
			"only a tree can be replayed", nil)
	case f.Arithmetic == nil || !f.Verified:
		bad = badData(name, "its tree is unverified: replaying it does not give the target's bits",
			"only a verified tree can be replayed", nil)
	case dtype != "":
		bad = badData(name, "a finding has its own arithmetic", "leave --dtype out", nil)
	default:
		return &f, nil
	}
	return nil, bad
}

// checkSpecial refuses values that are not finite where a finding notes that
// the implementation treats them otherwise than a replay. A replay follows IEEE
// 754.
func checkSpecial(name string, values []float64, f *reveal.Finding) error {
	nan, infinity := specialNotes(f)
	for i, v := range values {
		note := ""
		switch {
		case v != v:
			note = nan
		case v-v != 0:
			note = infinity
		}
		if note != "" {
			return badData(name, fmt.Sprintf("its value at %d is %v, and a replay does not give "+
				"what the implementation does there: %s", i, v, note),
				"replace the values that are not finite, or leave their rows out", nil)
		}
	}
	return nil
}

// checkOverflow refuses the result of a row of finite numbers whose sums
// overflow, where a replay does not give what the implementation does with
// infinities.
func checkOverflow(name string, row int, sum float64, f *reveal.Finding) error {
	_, note := specialNotes(f)
	if note == "" || sum-sum == 0 {
		return nil
	}
	return badData(name, fmt.Sprintf("the sum of row %d overflows, and a replay does not give "+
		"what the implementation does there: %s", row, note), "leave the row out", nil)
}

// specialNotes returns what an implementation does with NaN and with infinities
// that a replay does not, or nothing. A replay skips the products that the
// arithmetic skips, and rounds a root or a quotient of a sum as the
// implementation does.
func specialNotes(f *reveal.Finding) (nan, infinity string) {
	if f.Arithmetic.Skips == 0 && f.Arithmetic.After == nil {
		for clause := range strings.SplitSeq(f.Traits.Special, "; ") {
			if nan == "" && strings.Contains(clause, "NaN") {
				nan = clause
			} else if infinity == "" && strings.Contains(strings.ToLower(clause), "inf") {
				infinity = clause
			}
		}
	}
	if f.Traits.NaN == reveal.NaNSkipped {
		nan = "NaN is skipped"
	}
	return nan, infinity
}

// maxText bounds a file with a tree: about a hundred million leaves.
const maxText = 1 << 30

// readText reads a file, and refuses endless and binary ones.
func readText(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	r := bufio.NewReader(io.LimitReader(f, maxText+1))
	if first, err := r.Peek(1); err == nil && first[0] == 0 {
		return "", errors.New("it holds binary data")
	}
	b, err := io.ReadAll(r)
	if err == nil && len(b) > maxText {
		err = fmt.Errorf("it is longer than %d MiB", maxText>>20)
	}
	return string(b), err
}
