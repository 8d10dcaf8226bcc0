package lockfile

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// maxBrackets is the largest tree that a lock file holds in brackets. Larger
// ones are compressed.
const maxBrackets = 64

// maxText bounds the text that a compressed tree unpacks to.
const maxText = 1 << 30

// Hash returns the name of a tree in lock files: the first 16 hexadecimal
// digits of the SHA-256 of its text.
func Hash(t *sumtree.Tree) (string, error) {
	h := sha256.New()
	if err := t.WriteText(h); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

// SetTree stores a verified tree and its arithmetic, which words describe.
func (o *Operation) SetTree(
	t *sumtree.Tree, family string, a sumtree.Arithmetic, words string,
) error {
	hash, err := Hash(t)
	if err != nil {
		return err
	}
	arithmetic, err := json.Marshal(a)
	if err != nil {
		return err
	}
	o.Tree, o.Family, o.Arithmetic, o.Replay, o.text = hash, family, words, string(arithmetic), ""
	if made, err := o.familyTree(t.Leaves()); err == nil && made.Equal(t) {
		return nil
	}
	o.text, err = pack(t)
	return err
}

// familyTree returns the tree of the operation's family.
func (o *Operation) familyTree(leaves int) (*sumtree.Tree, error) {
	f, err := sumtree.ParseFamily(o.Family)
	if err != nil {
		return nil, err
	}
	return f.Tree(leaves), nil
}

// pack returns the text of a tree in a lock file.
func pack(t *sumtree.Tree) (string, error) {
	var b bytes.Buffer
	if t.Leaves() <= maxBrackets {
		err := t.WriteText(&b)
		return b.String(), err
	}
	z := gzip.NewWriter(&b)
	if err := errors.Join(t.WriteText(z), z.Close()); err != nil {
		return "", err
	}
	const width = 76
	var lines []string
	for s := base64.StdEncoding.EncodeToString(b.Bytes()); s != ""; {
		n := min(width, len(s))
		lines, s = append(lines, s[:n]), s[n:]
	}
	return strings.Join(lines, "\n"), nil
}

// unpack reads the output of pack.
func unpack(text string) (*sumtree.Tree, error) {
	if strings.HasPrefix(text, "(") || len(text) < 3 {
		return sumtree.Parse(text)
	}
	b, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(text, "\n", ""))
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	unpacked, err := io.ReadAll(io.LimitReader(z, maxText))
	if err != nil {
		return nil, err
	}
	return sumtree.Parse(string(unpacked))
}

// Replayer returns a replay of the operation as it was locked. The error is not
// nil where it has no verified tree, or where the file's tree does not have the
// hash.
func (o *Operation) Replayer() (*sumtree.Replayer, error) {
	if !o.Verified() {
		return nil, fmt.Errorf("%s has no verified tree", o.Name())
	}
	var a sumtree.Arithmetic
	if err := json.Unmarshal([]byte(o.Replay), &a); err != nil {
		return nil, fmt.Errorf("the arithmetic of %s: %w", o.Name(), err)
	}
	t, err := o.tree(a)
	if err != nil {
		return nil, fmt.Errorf("the tree of %s: %w", o.Name(), err)
	}
	return sumtree.NewReplayer(t, a)
}

// Out returns the format of the locked operation's results, 0 where it has no
// verified tree.
func (o *Operation) Out() fp.Format {
	var a sumtree.Arithmetic
	if json.Unmarshal([]byte(o.Replay), &a) != nil {
		return 0
	}
	return a.Out
}

// tree returns the locked tree.
func (o *Operation) tree(a sumtree.Arithmetic) (t *sumtree.Tree, err error) {
	if o.text != "" {
		t, err = unpack(o.text)
	} else {
		leaves := o.Spec.N
		if a.Neighbours != 0 {
			leaves--
		}
		t, err = o.familyTree(leaves)
	}
	if err != nil {
		return nil, err
	}
	if hash, err := Hash(t); err != nil || hash != o.Tree {
		return nil, fmt.Errorf("it has the hash %s, and the file names %s", hash, o.Tree)
	}
	return t, nil
}
