package sumtree

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// String returns the canonical text: a leaf is its number, a node its children
// in parentheses. A chain of four is "(((0 1) 2) 3)".
func (t *Tree) String() string {
	var b strings.Builder
	t.WriteText(&b)
	return b.String()
}

// WriteText streams the canonical text, without a newline.
func (t *Tree) WriteText(w io.Writer) error {
	bw := bufio.NewWriter(w)
	type frame struct {
		id   int
		next int
	}
	var num [12]byte
	stack := []frame{{id: t.Root()}}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if t.IsLeaf(f.id) {
			bw.Write(strconv.AppendInt(num[:0], int64(f.id), 10))
			stack = stack[:len(stack)-1]
			continue
		}
		kids := t.Children(f.id)
		switch f.next {
		case 0:
			bw.WriteByte('(')
		case len(kids):
			bw.WriteByte(')')
			stack = stack[:len(stack)-1]
			continue
		default:
			bw.WriteByte(' ')
		}
		f.next++
		stack = append(stack, frame{id: int(kids[f.next-1])})
	}
	return bw.Flush()
}

// Parse reads a tree from its text. Children may be in any order; white space
// separates numbers. The leaves must be 0 … n−1, each once. The error gives the
// offset of the fault.
func Parse(s string) (*Tree, error) {
	p := parser{s: s}
	return p.parse()
}

type parser struct {
	s   string
	pos int
}

func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("sumtree: at offset %d: %s", p.pos, fmt.Sprintf(format, args...))
}

func (p *parser) parse() (*Tree, error) {
	n := 0
	for inNumber, i := false, 0; i < len(p.s); i++ {
		digit := p.s[i] >= '0' && p.s[i] <= '9'
		if digit && !inNumber {
			n++
		}
		inNumber = digit
	}
	if n == 0 {
		return nil, p.errorf("a tree has at least one leaf")
	}
	if n > MaxLeaves {
		return nil, p.errorf("%d leaves are more than %d", n, MaxLeaves)
	}
	b := NewBuilder(n)
	var kids, open []int // operands of the nodes that are open; where each begins
	done := false
	for p.pos < len(p.s) {
		c := p.s[p.pos]
		switch {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			p.pos++
			continue
		case done:
			return nil, p.errorf("%q after the end of the tree", p.s[p.pos])
		case c == '(':
			open = append(open, len(kids))
			p.pos++
			continue
		case c == ')':
			if len(open) == 0 {
				return nil, p.errorf("')' without '('")
			}
			from := open[len(open)-1]
			open = open[:len(open)-1]
			if len(kids)-from < 2 {
				return nil, p.errorf("a node needs at least two operands")
			}
			id := b.Node(kids[from:]...)
			kids = append(kids[:from], id)
			p.pos++
		case c >= '0' && c <= '9':
			end := p.pos
			for end < len(p.s) && p.s[end] >= '0' && p.s[end] <= '9' {
				end++
			}
			leaf, err := strconv.Atoi(p.s[p.pos:end])
			if err != nil || leaf >= n {
				return nil, p.errorf("leaf %s in a tree of %d leaves, which are numbered from 0",
					p.s[p.pos:end], n)
			}
			kids = append(kids, leaf)
			p.pos = end
		default:
			return nil, p.errorf("%q is neither a leaf number nor a parenthesis", c)
		}
		done = len(open) == 0
	}
	if !done {
		return nil, p.errorf("the tree ends in the middle: ')' missing")
	}
	return b.Tree()
}

// MarshalText returns the canonical text, so that a Tree is a string in JSON.
func (t *Tree) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText is Parse.
func (t *Tree) UnmarshalText(b []byte) error {
	u, err := Parse(string(b))
	if err == nil {
		*t = *u
	}
	return err
}
