package verdict

import (
	"go/ast"
	"go/parser"
	"go/token"
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
		if IsDecided(e) == (row.Proof == Fallback) {
			t.Errorf("row %d, %q: decided %v", at, row.Because, IsDecided(e))
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
		RowsMatter,
		NoRange,
		NotFinite,
		TowardZero,
		UnknownFamily,
		WrongTotal,
		WrongZero,
		WrongAlone,
		ScaledBetween,
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
		ClassesMatter,
		ZerosMatter,
		NoTree,
		Hidden,
		Unresolved,
		SizesMatter,
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
		{[]Reason{NoTree, NotRounded, ScaledBetween}, NotASum},
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

// TestReasonsNameTheirFunctions holds that the comment on every reason names
// the function that looks for it, and that each function named exists.
func TestReasonsNameTheirFunctions(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "fact.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	function := regexp.MustCompile(`\b(ask|order|proof|reveal)\.(?:([A-Z]\w*)\.)?(\w+)`)
	reasons := 0
	ast.Inspect(file, func(n ast.Node) bool {
		reason, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		reasons++
		named := function.FindAllStringSubmatch(reason.Doc.Text(), -1)
		if len(named) == 0 {
			t.Errorf("the comment on %s names no function", reason.Names[0])
		}
		for _, m := range named {
			if folder := folders[m[1]]; !declares(t, folder, m[2], m[3]) {
				t.Errorf("the comment on %s: %s has no function %s", reason.Names[0], folder, m[0])
			}
		}
		return true
	})
	if reasons < 20 {
		t.Errorf("only %d reasons were found", reasons)
	}
}

// folders of the packages that look for reasons.
var folders = map[string]string{
	"ask": "../ask", "order": "../order", "proof": "../proof", "reveal": "../..",
}

// declares reports whether a package has a function, or a method of a receiver
// if that is not "".
func declares(t *testing.T, folder, receiver, name string) bool {
	t.Helper()
	if receiver != "" {
		receiver = `\(\w+ \*?` + receiver + `\) `
	}
	declaration := regexp.MustCompile(`(?m)^func ` + receiver + name + `\(`)
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if declaration.Match(source) {
			return true
		}
	}
	return false
}
