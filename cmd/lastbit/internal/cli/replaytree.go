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
// argument itself.
func readTree(arg, dtype string, products bool) (*sumtree.Tree, sumtree.Arithmetic, error) {
	s := strings.TrimSpace(arg)
	if !strings.HasPrefix(s, "(") {
		read, err := readText(arg)
		if err != nil {
			return nil, sumtree.Arithmetic{}, badData(arg, "it cannot be read",
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
func bracketTree(
	name, s, dtype string, products bool,
) (*sumtree.Tree, sumtree.Arithmetic, error) {
	var none sumtree.Arithmetic
	tree, err := sumtree.Parse(s)
	if err != nil {
		return nil, none, badData(name, "it is neither a finding nor a tree in brackets",
			"write lastbit reveal --json to a file, or a tree such as ((0 1) 2)", err)
	}
	if dtype == "" {
		return nil, none, badData(name,
			"a tree in brackets names no number format",
			"add --dtype f32, or f64, or another", nil)
	}
	format, err := parseFormat("dtype", dtype)
	if err != nil {
		return nil, none, err
	}
	arith := sumtree.Plain(format)
	arith.Products = products
	return tree, arith, nil
}

// findingTree returns the tree and the arithmetic of a finding in JSON.
func findingTree(name, s, dtype string) (*sumtree.Tree, sumtree.Arithmetic, error) {
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
		return f.Tree, *f.Arithmetic, nil
	}
	return nil, sumtree.Arithmetic{}, bad
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
