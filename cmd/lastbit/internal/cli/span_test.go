package cli

import (
	"errors"
	"fmt"
	"testing"

	"github.com/lastbit/lastbit/probe"
)

func TestSpan(t *testing.T) {
	for text, want := range map[string]string{
		"64":            "[64]",
		"1..4":          "[1 2 3 4]",
		"1..10:4":       "[1 5 9]",
		"1..10:9":       "[1 10]",
		"4,1,2":         "[4 1 2]",
		"1..3,8,16..18": "[1 2 3 8 16 17 18]",
		"1e3..2e3:500":  "[1000 1500 2000]",
		"-1":            "[-1]",
		"5..5":          "[5]",
		"9223372036854775806..9223372036854775807": "[9223372036854775806 9223372036854775807]",
	} {
		s := newSpan("m", 1)
		if err := s.Set(text); err != nil || fmt.Sprint(s.values) != want || s.String() != text {
			t.Errorf("%s is %v, %v; want %s", text, s.values, err, want)
		}
	}
	long := newSpan("m", 1)
	if err := long.Set("1..4096"); err != nil || len(long.values) != maxSpan {
		t.Errorf("the longest range has %d values, %v", len(long.values), err)
	}
	for _, text := range []string{
		"", ",", "1,", "..", "1..", "..4", "1..4:", "1..4:0", "1..4:-1", "1..4:x", "x", "4..1",
		"1..2..3", "1,1", "1..3,2", "1..4097", "1..4096,5000", "-9e18..9e18", "1.5", "1 ..2",
	} {
		s := newSpan("m", 7)
		err := s.Set(text)
		var f *probe.Fault
		if !errors.As(err, &f) || f.ID != "bad-usage" || f.Cure == "" || s.values[0] != 7 {
			t.Errorf("%q is %v, %v", text, s.values, err)
		}
	}
}
