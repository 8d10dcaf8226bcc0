package fused

import (
	"slices"
	"testing"
)

// TestMatches reads the compiler's output for one package and its tests.
func TestMatches(t *testing.T) {
	got, err := Matches(`# example.com/p
./p.go:7:9 [bisect-match 0xfedcba9876543210]
fmahash triggered ./p.go:7:9 010000
# example.com/p_test [example.com/p.test]
/m/p_test.go:3:4; /m/p.go:7:9 [bisect-match 0x0000000000000005]
fmahash triggered /m/p_test.go:3:4; /m/p.go:7:9 101
./p.go:9:1: another line
`, "/m")
	if err != nil {
		t.Fatal(err)
	}
	want := []Match{
		{"example.com/p", Position{"/m/p.go", 7, 9}, 0xfedcba9876543210},
		{"example.com/p_test", Position{"/m/p.go", 7, 9}, 5},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
