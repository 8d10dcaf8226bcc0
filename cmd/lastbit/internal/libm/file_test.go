package libm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
)

// TestCheckRight changes a hash of crmath's results.
func TestCheckRight(t *testing.T) {
	prints, err := Prints(Crmath[float32](), Functions[float32]())
	if err != nil {
		t.Fatal(err)
	}
	if r, err := checkRight(fp.Binary32, prints); err != nil || r.Hash != Golden(fp.Binary32) ||
		r.Functions != len(prints) {
		t.Errorf("%+v, %v", r, err)
	}
	refused := func(format fp.Format) {
		t.Helper()
		var f *probe.Fault
		if _, err := checkRight(format, prints); !errors.As(err, &f) || f.ID != "wrong-bits" ||
			!strings.Contains(f.Cause, Golden(format)[:8]) {
			t.Errorf("%s: %v", format, err)
		}
	}
	refused(fp.Binary64)
	prints[3].Hash = strings.Repeat("0", 64)
	refused(fp.Binary32)
}

// TestWorstWords checks that no wrong result reads as a right one.
func TestWorstWords(t *testing.T) {
	for _, c := range []struct {
		format fp.Format
		worst  ULPs
		want   string
	}{
		{fp.Binary64, 0.5, "0.5000 ULP"}, // a tie that went to the wrong side
		{fp.Binary64, 0.5000000001, "0.5001 ULP"},
		{fp.Binary64, 0.50016, "0.5002 ULP"},
		{fp.Binary64, 0.50049, "0.5005 ULP"},
		{fp.Binary64, 0.5006, "0.501 ULP"},
		{fp.Binary64, 0.7709, "0.771 ULP"},
		{fp.Binary64, 1.55, "1.55 ULP"},
		{fp.Binary64, 55.55, "55.5 ULP"},
		{fp.Binary64, 789100.2, "789100 ULP"},
		{fp.Binary64, 9.6123e12, "9.6e+12 ULP"},
		{fp.Binary64, 1 << 52, "no digit right"},
		{fp.Binary32, 1 << 23, "no digit right"},
		{fp.Binary32, 0, "sign of 0"},
		{fp.Binary32, ULPs(math.NaN()), "NaN"},
	} {
		if got := (&Print{DType: c.format, Count: 2, Wrong: 1,
			Worst: c.worst}).WorstWords(); got != c.want {
			t.Errorf("%v of %s: %q, want %q", float64(c.worst), c.format, got, c.want)
		}
	}
	if got := (&Print{DType: fp.Binary64, Count: 2, Worst: 0.5}).WorstWords(); got != "0.5 ULP" {
		t.Errorf("none is wrong: %q", got)
	}
}

// TestPipeThatNeverEnds cancels the wait for a file that nobody writes to.
func TestPipeThatNeverEnds(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	name := fmt.Sprintf("/dev/fd/%d", r.Fd())
	if _, err := os.Stat(name); err != nil {
		require.Missing(t, "/dev/fd")
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := Read(ctx, name); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestDiffWithFewerFunctions compares with a file of a lastbit that knew fewer
// functions: those that both have are compared, and the others are named.
func TestDiffWithFewerFunctions(t *testing.T) {
	prints, err := Prints(Crmath[float32](), Functions[float32]()[:3])
	if err != nil {
		t.Fatal(err)
	}
	here := &Fingerprint{Version: version, Prints: prints}
	there := &Fingerprint{Version: version, Prints: prints[:2],
		Right: []RightHash{{fp.Binary32, 2, HashOfAll(prints[:2])}}}
	d := here.Diff(there)
	if d.Compared != 2 || len(d.Differ) != 0 || d.Broken || len(d.OnlyOne) != 1 ||
		d.OnlyOne[0].Where != "here" || d.OnlyOne[0].Print != prints[2] {
		t.Errorf("%+v", d)
	}
}

// TestNumbers reads numbers of a file. Those that are accepted can be written
// again.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		text string
		want Number // "" for an error
	}{
		{"1.5", "1.5"}, {"-0", "-0"}, {"5e-324", "5e-324"}, {`"NaN"`, "NaN"},
		{`"+Inf"`, "+Inf"}, {`"-Inf"`, "-Inf"}, {`"infinity"`, "+Inf"},
		{`"0x1p-2"`, ""}, {`"+5"`, ""}, {`".5"`, ""}, {`"5."`, ""}, {`"1.5"`, ""},
		{"1e400", ""}, {`"1e400"`, ""}, {`""`, ""}, {"null", ""}, {"[1]", ""}, {"true", ""},
	} {
		var n Number
		err := json.Unmarshal([]byte(c.text), &n)
		if n != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v", c.text, n, err)
		}
		if err != nil {
			continue
		}
		var again Number
		if b, err := json.Marshal(n); err != nil || json.Unmarshal(b, &again) != nil || again != n {
			t.Errorf("%s becomes %s, %v", c.text, b, err)
		}
	}
}
