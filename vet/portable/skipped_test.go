package portable

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/lastbit/lastbit/internal/require"
)

// leftOut has a file for each reason why the build leaves one out.
const leftOut = `
-- go.mod --
module example.com/m

go 1.26
-- a.go --
package m

func F(x float64) float64 { return x }
-- a_plan9.go --
package m

import "math"

func G(x float64) float64 { return math.Sin(x) }
-- calls_plan9.go --
package m

func call(n int) int { return n + 1 }
-- tag.go --
//go:build special

package m

var v = 2.5
-- assembly.go --
//go:build !special

package m

func H(x float64) float64 { return -x }
-- program.go --
// +build ignore

package main

func main() { println(1.5) }
-- other/o_plan9.go --
package other

func Dot(a, b [2]N) N { return a[0]*b[0] + a[1]*b[1] }
-- other/o_plan9_test.go --
package other

var x = 1.5
-- other/testdata/t_plan9.go --
package t

var x = 1.5
-- nested/go.mod --
module example.com/nested
-- nested/n_plan9.go --
package nested

var x = 1.5
`

// TestSkipped lists the files that the build leaves out.
func TestSkipped(t *testing.T) {
	require.Program(t, "go")
	dir := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(write(t, txtar.Parse([]byte(leftOut))), dir); err != nil {
		require.Missing(t, "symbolic links ("+err.Error()+")")
	}
	t.Chdir(dir)
	for _, c := range []struct {
		tags, want []string
	}{
		{nil, []string{"a_plan9.go", "other/o_plan9.go", "tag.go"}},
		{[]string{"special"}, []string{"a_plan9.go", "assembly.go", "other/o_plan9.go"}},
	} {
		r, err := Examine(t.Context(), Options{Patterns: []string{"./..."},
			Tags: c.tags, Only: []string{"libm"}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range r.Skipped {
			rel, err := filepath.Rel(dir, name)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, filepath.ToSlash(rel))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("tags %v: %v, want %v", c.tags, got, c.want)
		}
	}
}
