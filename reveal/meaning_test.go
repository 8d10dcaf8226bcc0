package reveal

import "testing"

// TestMeaning checks that every verdict has a meaning, and an unverified tree
// one of its own.
func TestMeaning(t *testing.T) {
	seen := map[string]Verdict{}
	verdicts := []Verdict{TreeVerdict, Exact, Compensated, Nondeterministic,
		ValueDependent, NotASum, Unsupported}
	for _, v := range verdicts {
		for _, verified := range []bool{true, false} {
			s := (&Finding{Verdict: v, Verified: verified}).Meaning()
			if was, ok := seen[s]; s == "" || ok && was != v {
				t.Errorf("the meaning of %s, %q, is empty or that of %s", v, s, was)
			}
			seen[s] = v
		}
	}
	if len(seen) != len(verdicts)+1 || len(meanings) != len(verdicts) {
		t.Errorf("%d meanings of %d verdicts", len(seen), len(verdicts))
	}
}
