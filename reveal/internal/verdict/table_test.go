package verdict

import (
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryRowDecides gives the table just the facts that a row names, and
// demands that row.
func TestEveryRowDecides(t *testing.T) {
	for at, row := range Table() {
		var e Evidence
		for _, c := range row.When {
			least := Reason(1) << bits.TrailingZeros32(uint32(c))
			e = append(e, Fact{Reason: least, Witness: &Witness{What: row.Because}})
		}
		d := Decide(e)
		if d.Verdict != row.Verdict || d.Because != row.Because {
			t.Errorf("row %d, %q: %s, %q", at, row.Because, d.Verdict, d.Because)
		}
		if shown := d.Witness != nil; shown == (row.Proof == Verified) {
			t.Errorf("row %d, %q: witness %v", at, row.Because, d.Witness)
		}
		if Settled(e) == (row.Proof == Fallback) {
			t.Errorf("row %d, %q: settled %v", at, row.Because, Settled(e))
		}
	}
}

// TestEveryReasonDecides holds that no reason is without a row, and that
// sentences end as sentences do.
func TestEveryReasonDecides(t *testing.T) {
	var used Reason
	for _, row := range Table() {
		for _, c := range row.When {
			used |= c
		}
		if !strings.HasSuffix(row.Because, ".") {
			t.Errorf("%q does not end as a sentence", row.Because)
		}
	}
	all := []Reason{
		Changed,
		NoRange,
		NotFinite,
		TowardZero,
		UnknownFamily,
		WrongTotal,
		WrongZero,
		WrongAlone,
		NothingLost,
		NearlyRight,
		AllRounded,
		NotRounded,
		NotRoundedShort,
		NotRoundedWide,
		Indistinct,
		KahanFits,
		Certified,
		Replayed,
		NotReplayed,
		SignsMatter,
		HugeHides,
		AnotherOrder,
		ZerosMatter,
		NoTree,
	}
	var union Reason
	for _, r := range all {
		if bits.OnesCount32(uint32(r)) != 1 || union&r != 0 {
			t.Errorf("reason %#x is not a bit of its own", uint32(r))
		}
		union |= r
		if used&r == 0 {
			t.Errorf("no row names the reason %#x", uint32(r))
		}
	}
	if used != union {
		t.Errorf("rows name reasons %#x that the list has not", uint32(used&^union))
	}
}

// TestPriority holds which facts win: a changed result over everything, a
// refuted tree over an unverified one.
func TestPriority(t *testing.T) {
	for _, c := range []struct {
		facts []Reason
		want  Name
	}{
		{[]Reason{Certified, NotReplayed}, Tree},
		{[]Reason{Certified, KahanFits, NotReplayed}, Compensated},
		{[]Reason{Certified, ZerosMatter, NotReplayed}, ValueDependent},
		{[]Reason{NoTree}, ValueDependent},
		{[]Reason{NoTree, NotRounded}, ValueDependent},
		{[]Reason{NoTree, NotRounded, NearlyRight}, Compensated},
		{[]Reason{NoTree, NotRounded, WrongAlone}, NotASum},
		{[]Reason{NothingLost, NotRounded}, Compensated},
		{[]Reason{NothingLost, NotRoundedWide}, Unsupported},
		{[]Reason{NothingLost, AllRounded}, Exact},
		{[]Reason{NoTree, Changed}, Nondeterministic},
		{[]Reason{Certified, Replayed, Changed}, Nondeterministic},
	} {
		var e Evidence
		for _, r := range c.facts {
			e = append(e, Fact{Reason: r})
		}
		if d := Decide(e); d.Verdict != c.want {
			t.Errorf("%#x: %s, want %s", c.facts, d.Verdict, c.want)
		}
	}
}

// TestWitnessOfAnotherFact holds that a refusal without a witness of its own
// shows the latest one there is.
func TestWitnessOfAnotherFact(t *testing.T) {
	w := &Witness{What: "shown"}
	d := Decide(Evidence{{Reason: NoTree, Warning: "warned"}, {Reason: NotRounded, Witness: w}})
	if d.Witness != w || len(d.Warnings) != 1 || d.Warnings[0] != "warned" {
		t.Errorf("%+v", d)
	}
}

// TestReasonsNameTheirFunctions holds that every function that a comment names
// exists, so that a reader finds what looks for a reason.
func TestReasonsNameTheirFunctions(t *testing.T) {
	text, err := os.ReadFile("fact.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\b(ask|proof)\.([A-Z]\w+)`).FindAllStringSubmatch(string(text), -1)
	if len(named) < 20 {
		t.Errorf("only %d functions are named", len(named))
	}
	for _, m := range named {
		files, err := filepath.Glob(filepath.Join("..", m[1], "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		declared := regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + m[2] + `\(`)
		found := false
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || declared.Match(source)
		}
		if !found {
			t.Errorf("package %s has no function %s", m[1], m[2])
		}
	}
}
