package sums

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/dataset"
)

// keyed are the options for the file of writeKeys.
var keyed = dataset.Options{Columns: []string{"v"}, Key: "k"}

// writeKeys writes x.csv, which has 100 keys, to a new working folder.
func writeKeys(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	var text strings.Builder
	text.WriteString("k,v\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "k%d,%d\n", i%100, i)
	}
	write(t, "x.csv", text.String())
}

// TestBudget sums more keys than the budget allows.
func TestBudget(t *testing.T) {
	writeKeys(t)
	for _, c := range []struct {
		name   string
		op     string
		budget *Budget
		want   string
	}{
		{"as many keys as allowed", "sum", &Budget{maxKeys: 100}, ""},
		{"one more", "sum", &Budget{maxKeys: 99},
			"--by k: there are more than 99 keys, as --max-keys bounds them; "},
		{"as much memory as needed", "sum", &Budget{memory: 100 * (compactBytes + compactSumBytes)},
			""},
		{"a little less", "sum", &Budget{memory: 100*(compactBytes+compactSumBytes) - 1},
			"there are more than 99 keys, and the sums of more do not fit"},
		{"memory for one sum each, and two", "stdev",
			&Budget{memory: 100 * (compactBytes + compactSumBytes)}, "there are more than"},
		{"no bound", "stdev", NewBudget(0, 0), ""},
		{"no budget", "sum", nil, ""},
	} {
		task := task(c.op, keyed, "x.csv")
		task.Budget = c.budget
		p, err := task.Run(t.Context())
		switch {
		case c.want == "" && (err != nil || p.results[0].size() != 100):
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "#too-many-keys")):
			t.Errorf("%s: the error is %v", c.name, err)
		}
	}
	// The bound is one of keys, not of results.
	pair := task("sum", dataset.Options{Columns: []string{"v", "v"}, Key: "k"}, "x.csv")
	pair.Budget = &Budget{maxKeys: 100}
	if _, err := pair.Run(t.Context()); err != nil {
		t.Error(err)
	}
	// A sum without keys needs no budget.
	whole := task("sum", dataset.Options{Columns: []string{"v"}}, "x.csv")
	whole.Budget = &Budget{memory: 1}
	if _, err := whole.Run(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestMergeBudget merges files within a budget.
func TestMergeBudget(t *testing.T) {
	writeKeys(t)
	p, err := task("sum", keyed, "x.csv").Run(t.Context())
	if err == nil {
		err = p.WriteFile(t.Context(), "x.acc")
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile("x.acc", &Budget{maxKeys: 99}); err == nil ||
		!strings.Contains(err.Error(), "#too-many-keys") {
		t.Errorf("of a file of too many keys the error is %v", err)
	}
	// Files with the same keys are merged within the budget of one, and the
	// next.
	need := int64(100 * (groupBytes + sumBytes))
	files := []string{"x.acc", "x.acc", "x.acc", "x.acc"}
	for _, b := range []*Budget{{maxKeys: 100}, {memory: 2 * need}, nil} {
		if _, err := Merge(t.Context(), files, b, func(int) {}); err != nil {
			t.Error(err)
		}
	}
	if _, err := Merge(t.Context(), files, &Budget{memory: 2*need - 1}, func(int) {}); err == nil {
		t.Error("two files are in memory at once, and only one has room")
	}
	// Files with other keys may have too many together.
	write(t, "y.csv", "k,v\nother,1\n")
	if p, err = task("sum", keyed, "y.csv").Run(t.Context()); err == nil {
		err = p.WriteFile(t.Context(), "y.acc")
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = Merge(t.Context(), []string{"y.acc", "x.acc"}, &Budget{maxKeys: 100}, func(int) {})
	if err == nil || !strings.Contains(err.Error(), "more than 100 keys") {
		t.Errorf("of files with 101 keys the error is %v", err)
	}
}
