package lockfile

import (
	"reflect"
	"strings"
	"testing"
)

// TestReportContents reads the table report.
func TestReportContents(t *testing.T) {
	c, err := ParseConfig("x", `
[report]
sections = ["audit", "vet"]
n = 100
ops = ["sum"]
dtype = ["f32"]
packages = ["./..."]
targets = ["arm64"]

[[report.invariant]]
target = "py:numpy.matmul"
m = "1..16"
n = 256
env = ["A=1"]

[[report.digits]]
package = "./cmd/model"
args = ["-steps", "10"]
runs = 4

[[report.explain]]
a = "a.npy"
b = "b.npy"
op = "sum"
input = "x.npy"
axis = 0
`)
	if err != nil {
		t.Fatal(err)
	}
	axis := 0
	want := Contents{
		Sections: []string{"audit", "vet"}, N: 100, Ops: []string{"sum"}, DType: []string{"f32"},
		Packages: []string{"./..."}, Targets: []string{"arm64"},
		Invariant: []SweepText{{Target: "py:numpy.matmul", M: "1..16", N: "256",
			Env: []string{"A=1"}}},
		Digits:  []ProgramText{{"./cmd/model", []string{"-steps", "10"}, 4}},
		Explain: []PairText{{A: "a.npy", B: "b.npy", Op: "sum", Input: "x.npy", Axis: &axis}},
	}
	if !reflect.DeepEqual(c.Report, want) {
		t.Errorf("%+v\nwant\n%+v", c.Report, want)
	}
	if c.Locks() {
		t.Error("a file with a report alone locks something")
	}
	if c, err := ParseConfig("x", "libm = []"); err != nil || !c.Locks() {
		t.Errorf("libm = [] locks nothing: %v", err)
	}
}

// TestUnknownKeys checks that an unknown key or value gets the nearest one.
func TestUnknownKeys(t *testing.T) {
	for text, want := range map[string]string{
		"libn = 1":               "it has no key libn; did you mean libm?",
		"[reprot]\nn = 1":        "did you mean report?",
		"[report]\nsection = []": "it has no key report.section; did you mean sections?",

		"[[report.digits]]\npackge = \"x\"":           "did you mean package?",
		"[[operation]]\nout_idx = [1]":                "did you mean out_index?",
		"[[operation]]\nqqqqqqqq = 1":                 "it takes target, op, dtype, n",
		"[report]\nsections = [\"aduit\"]":            "did you mean audit?",
		"[[report.invariant]]\nn = 1":                 "a report.invariant needs a target",
		"[[report.invariant]]\nn = 1.5":               "1.5 is neither a whole number nor a text",
		"[[report.digits]]\nruns = 1":                 "needs a package",
		"[[report.explain]]\na = \"a\"":               "needs a and b",
		"[report]\nn = -1":                            "has to be 1 or more",
		"[[report.digits]]\npackage=\"x\"\nruns = -1": "has to be 1 or more",
	} {
		_, err := ParseConfig("x", text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
