package cli

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestParseCount(t *testing.T) {
	for s, want := range map[string]int{
		"0": 0, "7": 7, "-3": -3, "+3": 3, "1000": 1000, "1_000": 1000, "0x10": 16,
		"1e6": 1_000_000, "1E6": 1_000_000, "1e+6": 1_000_000, "2.5e3": 2500,
		"-1e3": -1000, "1.50e1": 15, "1e0": 1, "0e0": 0, "0.0e99": 0, "1.e3": 1000,
	} {
		if got, err := parseCount(s); got != want || err != nil {
			t.Errorf("%q is read as %d, %v, want %d", s, got, err, want)
		}
	}
	for s, want := range map[string]string{
		"": "not an integer", "x": "not an integer", "1.5": "not an integer",
		"1e-3": "not an integer", "1.55e1": "not an integer", "e6": "not an integer",
		"1e": "not an integer", "1e6x": "not an integer", "--1e3": "not an integer",
		"1e++6": "not an integer", "1e1e1": "not an integer", "1..2e6": "not an integer",
		"1e19": "out of range", "1e400": "out of range", "9223372036854775808": "out of range",
		"1e99999999999999999999": "out of range", "-1e19": "out of range",
	} {
		if n, err := parseCount(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is read as %d, %v, want an error about %q", s, n, err, want)
		}
	}
}

func TestCountVar(t *testing.T) {
	var n int
	fl := pflag.NewFlagSet("", pflag.ContinueOnError)
	countVar(fl, &n, "summands", "n", 32, "number of summands")
	if n != 32 || !strings.Contains(fl.FlagUsages(),
		"-n, --summands int   number of summands (default 32)") {
		t.Errorf("n = %d, and the help is %q", n, fl.FlagUsages())
	}
	if err := fl.Parse([]string{"-n", "1e6"}); err != nil || n != 1_000_000 {
		t.Errorf("n = %d, %v", n, err)
	}
	err := fl.Parse([]string{"-n", "many"})
	if err == nil || !strings.Contains(err.Error(), `"many" for "-n, --summands"`) ||
		n != 1_000_000 {
		t.Errorf("n = %d, and the error is %v", n, err)
	}
}
