package references

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

func TestModuleIsGenerated(t *testing.T) {
	changes, err := Changes(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		t.Errorf(
			"%s: references differ from %s: run go generate ./internal/references",
			c.Path,
			BibliographyFile,
		)
	}
}

func TestRewrite(t *testing.T) {
	bib, err := Parse(`@article{Sperner1928,
  author  = {Emanuel Sperner},
  title   = {Ein Satz {\"u}ber Untermengen einer endlichen Menge},
  journal = {Mathematische Zeitschrift},
  volume  = {27},
  pages   = {544--548},
  year    = {1928}
}

@misc{AB,
  author        = {A and B and C},
  title         = {{MMA-Sim}},
  year          = {2025},
  eprint        = {2511.10909},
  archiveprefix = {arXiv}
}

@misc{Parker1997,
  author = {D},
  title  = {Monte Carlo},
  note   = {Technical Report CSD-970002},
  year   = {1997}
}
`)
	if err != nil {
		t.Fatal(err)
	}
	want := `	// References:
	//   - [Sperner1928] Emanuel Sperner. Ein Satz über Untermengen einer
	//     endlichen Menge. Mathematische Zeitschrift 27:544–548, 1928.
	//   - [AB] A, B and C. MMA-Sim. arXiv:2511.10909, 2025.
	//   - [Parker1997] D. Monte Carlo. Technical Report CSD-970002, 1997.
	func f() {}
`
	for _, source := range []string{
		"\t// References: Sperner1928, AB, Parker1997.\n\tfunc f() {}\n",
		"\t// References:\n\t//   - [Sperner1928] Old.\n\t//     and wrapped\n" +
			"\t//   - [AB]\n\t//   - [Parker1997]\n\tfunc f() {}\n",
		want,
	} {
		got, err := bib.Rewrite(source)
		if err != nil || got != want {
			t.Errorf("%q becomes\n%s, %v\nwant\n%s", source, got, err, want)
		}
	}
	for _, bad := range []string{
		"// References: Nobody1900\n", "// References:\n", "// # References\n//\n// A. Title.\n",
	} {
		if got, err := bib.Rewrite(bad); err == nil {
			t.Errorf("%q becomes %q", bad, got)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	const entry = "@book{A,\n  year = {1997}\n}\n"
	for _, bad := range []string{
		"x\n", "@book{A,\n", "@book{A,\n  year = 1997\n}\n", entry + entry,
	} {
		if b, err := Parse(bad); err == nil {
			t.Errorf("%q is %v", bad, b)
		}
	}
}

// TestEntriesComplete formats every entry: no field that its kind needs may be
// missing, and no TeX may be left.
func TestEntriesComplete(t *testing.T) {
	text, err := os.ReadFile(root + "/" + BibliographyFile)
	if err != nil {
		t.Fatal(err)
	}
	bib, err := Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	odd := regexp.MustCompile(`[\\{}]|^\.|\. \.|\. ,|: ,|\. :|:,|  `)
	for key, entry := range bib {
		if s := entry.String(); odd.MatchString(s) ||
			!strings.HasSuffix(s, entry.Fields["year"]+".") {
			t.Errorf("%s is %q", key, s)
		}
	}
}
