package reveal

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Conclusion is the answer to whether several targets compute alike.
type Conclusion string

// The conclusions.
const (
	// Same means that all are verified, with one tree and arithmetic.
	Same Conclusion = "same"
	// Different means that a witness shows a difference.
	Different Conclusion = "different"
	// Open means that no difference was found, and that some are not verified.
	Open Conclusion = "open"
)

// Doubt is a reason why targets that agreed on every input are not called the
// same.
type Doubt struct {
	Findings []int  `json:"findings"` // indices
	Why      string `json:"why"`      // one clause, which names the targets
}

// conclude fills Conclusion and Doubts, and counts the inputs.
func conclude(c *comparer) {
	refused := map[int]bool{}
	for at := range c.refused {
		refused[at[1]] = true
	}
	c.Refused = len(refused)
	c.Tried = len(c.inputs) - c.Refused
	if isDifferent(c) {
		c.Conclusion = Different
		return
	}
	c.Doubts = doubts(c)
	if c.Conclusion = Same; len(c.Doubts) > 0 {
		c.Conclusion = Open
	}
}

// isDifferent reports whether a witness shows that two targets differ. If the
// results of a target change from call to call, its witness shows that it
// differs from all others.
func isDifferent(c *comparer) bool {
	changes := func(f *Finding) bool { return f.Verdict == Nondeterministic }
	shown := func(d Difference) bool { return d.Witness != nil }
	return slices.ContainsFunc(c.Differences, shown) ||
		len(c.Findings) > 1 && slices.ContainsFunc(c.Findings, changes)
}

// doubts returns the reasons why targets are not called the same.
func doubts(c *comparer) (all []Doubt) {
	for i, f := range c.Findings {
		if why := f.Unsettled(); why != "" {
			all = append(all, Doubt{[]int{i}, f.Key.Target + " is " + why})
		}
	}
	for i, f := range c.Findings {
		if f.undecided {
			all = append(all, Doubt{[]int{i}, "several arithmetics give all results of " +
				f.Key.Target})
		}
	}
	pair := func(a, b int, why string) {
		all = append(all, Doubt{[]int{a, b},
			fmt.Sprintf(why, c.Findings[a].Key.Target, c.Findings[b].Key.Target)})
	}
	for _, d := range c.Differences {
		pair(d.A, d.B, "the trees of %s and %s differ, and no input shows it")
	}
	noted := map[[2]int]bool{}
	for _, u := range c.Unshown {
		noted[[2]int{u.A, u.B}] = true
		if !slices.Equal(u.DifferIn, []string{"verdict"}) {
			pair(u.A, u.B, "the findings of %s and %s differ in "+strings.Join(u.DifferIn, " and "))
		}
	}
	for b := range c.Findings {
		if !noted[[2]int{0, b}] && findingsDiffer(c, 0, b) {
			pair(0, b, "the findings of %s and %s differ")
		}
		if b > 0 && addressesDiffer(c.Findings[0], c.Findings[b]) {
			pair(0, b, "the orders of %s and %s do not depend alike on the addresses of their data")
		}
	}
	return all
}

// findingsDiffer reports whether two settled findings are not of the same tree,
// arithmetic and special values.
func findingsDiffer(c *comparer, a, b int) bool {
	f, g := c.Findings[a], c.Findings[b]
	if a == b || f.Unsettled() != "" || g.Unsettled() != "" {
		return false
	}
	sameTree := f.Tree == nil && g.Tree == nil ||
		f.Tree != nil && g.Tree != nil && f.Tree.Equal(g.Tree)
	return f.Verdict != g.Verdict || !sameTree || f.Key.Out != g.Key.Out ||
		!reflect.DeepEqual(f.Arithmetic, g.Arithmetic) || f.Traits.NaN != g.Traits.NaN ||
		f.Traits.Special != g.Traits.Special
}

// addressesDiffer reports whether the order of one finding depends on the
// address of its data and the order of the other does not, or in another way.
func addressesDiffer(f, g *Finding) bool {
	depends := func(f *Finding) bool { return f.Addresses != nil && f.Addresses.Depends }
	if !depends(f) || !depends(g) {
		return depends(f) != depends(g)
	}
	a, b := f.Addresses.Other, g.Addresses.Other
	return a == nil || b == nil || a.Tree == nil || b.Tree == nil || !a.Tree.Equal(b.Tree) ||
		!slices.Equal(f.Addresses.Differ, g.Addresses.Differ)
}

// Unsettled returns the reason why a finding does not settle the results of all
// inputs, as in "this is unverified", and "" where it is a verified tree or
// verified to be exact.
func (f *Finding) Unsettled() string {
	switch {
	case f.Verified && (f.Verdict == TreeVerdict || f.Verdict == Exact):
		return ""
	case f.Verdict == TreeVerdict:
		return "unverified: " + f.Meaning()
	case f.Verdict == NotASum:
		return "not a sum: " + f.Meaning()
	}
	return string(f.Verdict) + ": " + f.Meaning()
}

// noteRefusals notes the targets that ended in an error on an input that the
// first of their group gave a result for, or the other way round.
func noteRefusals(c *comparer) {
	for _, members := range c.Groups {
		first := members[0]
		for _, i := range members[1:] {
			for k := range c.inputs {
				if answered(c, first, k) == answered(c, i, k) {
					continue
				}
				refuses, answers := first, i
				if answered(c, first, k) {
					refuses, answers = i, first
				}
				c.Unshown = append(c.Unshown, Unshown{A: first, B: i,
					DifferIn: []string{"errors"}, Why: fmt.Sprintf(whyRefused,
						c.Findings[refuses].Key.Target, c.Findings[answers].Key.Target)})
				break
			}
		}
	}
}
