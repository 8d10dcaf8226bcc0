// Command _lapack writes package blas/lapack from the source of
// gonum.org/v1/gonum/lapack/gonum, in the version of go.mod. Where folder
// overlay has a file of the same name it takes that instead: overlay/doc.go
// describes how to change a routine. To the functions of either it does this:
//
//   - A product of float64 is converted to float64 before anything is added to
//     it, so that no compiler fuses the two.
//   - A quotient of complex numbers is pair.Quotient, for the same reason.
//   - Hypot, Log and Pow have the bits of package crmath, the same everywhere.
//   - Max and Min are functions that compilers expand in place.
//   - Copysign and Signbit take a NaN for a positive number: the sign that an
//     operation gives to a NaN depends on the processor.
//   - The BLAS is a field of the implementation, not the global one of package
//     blas64.
//   - The BLAS computes norms, not gonum's assembly.
//   - Comments about work to be done are gone.
//
// A statement whose first line ends with a comment //lapack:keep stays as it
// is.
//
// It also writes the lists of overlays, here and in the comment of package
// lapack, and the declarations that let folder overlay compile.
//
// Usage, in the folder of the package:
//
//	go run ../../internal/_lapack [-out DIR] [-overlay DIR]
//
// # Overlays
//
//   - Faster: Dgetf2, Dlahqr, Dlarf, Dlarfg, Dlartg, Dlaset, Dlasr, Dlatrd,
//     Dpotf2, Dsteqr, Dsytd2.
//   - Faster, rounds otherwise: Dgetri, Dhseqr, Dormlq, Dormqr, Dsytrd, Dtrti2.
//   - Mends gonum: Dgebal, Dgesvd, Dhseqr, Dsterf.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const source = "gonum.org/v1/gonum/lapack/gonum"

// Folders and files below the root of the module.
const (
	target     = "blas/lapack"
	overlays   = "internal/_lapack/overlay"
	mainFile   = "internal/_lapack/main.go"
	docFile    = "blas/lapack/doc.go"
	restFile   = overlays + "/rest.go"
	prefix     = "zgonum_" // of generated files
	testSuffix = "_test.go"
)

func main() {
	log.SetFlags(0)
	out := flag.String("out", "", "write below `DIR` instead of the root of the module")
	overlay := flag.String("overlay", "", "take the overlays of `DIR`")
	flag.Parse()
	if err := generate(*out, *overlay); err != nil {
		log.Fatal("_lapack: ", err)
	}
}

// generate writes all files below a folder, which is the root of the module
// if there is none, from the overlays of another, which are the module's if
// there is none.
func generate(out, overlay string) error {
	root, err := goList("-m", "{{.Dir}}")
	if err != nil {
		return err
	}
	gonum, err := goList(source, "{{.Dir}}\n{{.Module.Version}}\n{{.Module.Dir}}")
	if err != nil {
		return err
	}
	if overlay == "" {
		overlay = filepath.Join(root[0], overlays)
	}
	p, err := load(gonum[0], overlay, filepath.Join(root[0], target))
	if err != nil {
		return err
	}
	files, err := p.output(root[0], gonum[1])
	if err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(gonum[2], "LICENSE"))
	if err != nil {
		return err
	}
	files[target+"/LICENSE"] = license
	if out == "" {
		out = root[0]
	}
	return write(out, files)
}

// goList returns the lines that go list prints in a format.
func goList(what, format string) ([]string, error) {
	args := []string{"list", "-f", format, what}
	if what == "-m" {
		args = []string{"list", "-m", "-f", format}
	}
	cmd := exec.Command("go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", what, err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if n := strings.Count(format, "\n") + 1; len(lines) != n {
		return nil, fmt.Errorf("go list %s: %q", what, out)
	}
	return lines, nil
}

// output returns the files that depend on the source, by their paths below the
// root of the module.
func (p *pkg) output(root, version string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, s := range p.files {
		text, err := p.rewrite(s, version)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		files[target+"/"+prefix+s.name] = text
	}
	all, err := p.overlays()
	if err != nil {
		return nil, err
	}
	for name, body := range map[string]string{docFile: sentences(all), mainFile: names(all)} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		if files[name], err = withSection(text, body); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	files[restFile], err = p.rest()
	return files, err
}

// write writes files below a folder, and removes generated ones that are not
// among them.
func write(dir string, files map[string][]byte) error {
	old, err := filepath.Glob(filepath.Join(dir, target, prefix+"*"))
	if err != nil {
		return err
	}
	for _, name := range old {
		if files[target+"/"+filepath.Base(name)] == nil {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
