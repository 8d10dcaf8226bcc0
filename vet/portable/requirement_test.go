package portable

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/lastbit/lastbit/internal/require"
)

// TestKeepsVersions requires lastbit, whose command requires a newer version of
// a module that this one uses: the packages that rewritten code imports do not.
func TestKeepsVersions(t *testing.T) {
	require.Program(t, "go")
	dir := write(t, txtar.Parse([]byte(`
-- go.mod --
module example.com/m

go 1.26

require golang.org/x/mod v0.1.0

replace golang.org/x/mod => ./mod
-- a.go --
package m

import (
	"math"

	"golang.org/x/mod"
)

var X = math.Exp(mod.Y)
-- mod/go.mod --
module golang.org/x/mod
-- mod/mod.go --
package mod

var Y = 0.5
`)))
	r, err := Rewrite(t.Context(), Options{Dir: dir, Patterns: []string{"."},
		Only: []string{"libm"}, Lastbit: here(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Write(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"golang.org/x/mod v0.1.0\n", "exclude golang.org/x/mod v"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("go.mod lacks %q:\n%s", want, text)
		}
	}
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "so v0.1.0 stays") {
		t.Errorf("notes: %s", notes)
	}
	if _, err := run(t.Context(), dir, "build", "."); err != nil {
		t.Error(err)
	}
}
