package release

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/lastbit/lastbit/internal/version"
	"github.com/lastbit/lastbit/internal/wheel"
)

// What registries print of lastbit.
const (
	summary   = "Why two results differ in the last bit, and sums that never do"
	licenseID = "BSD-3-Clause"
)

// A Release builds the files of a version.
type Release struct {
	*wheel.Builder // Out is the folder for all files
}

// Build writes the files for some platforms, and returns their paths. The
// formula is left out unless there is an archive for each of its platforms. The
// last file is SHA256SUMS, which sha256sum -c reads.
func (r *Release) Build(ctx context.Context, platforms []wheel.Platform) ([]string, error) {
	if err := os.MkdirAll(r.Out, 0o755); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "lastbit-release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := r.manual(ctx, filepath.Join(dir, "man")); err != nil {
		return nil, err
	}
	var all []string
	for _, p := range platforms {
		some, err := r.platform(ctx, p, dir)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	main, err := r.npm(wheel.Platforms())
	if err != nil {
		return nil, err
	}
	all = append(all, main)
	formula, err := r.formula()
	if err != nil {
		return nil, err
	}
	if formula != "" {
		all = append(all, formula)
	}
	sums, err := r.checksums(all)
	return append(all, sums), err
}

// platform writes the files for one platform: the archive, the list of modules,
// the npm package and the wheel.
func (r *Release) platform(ctx context.Context, p wheel.Platform, dir string) ([]string, error) {
	work := filepath.Join(dir, stem(p))
	program := filepath.Join(work, p.Program("lastbit"))
	if err := r.BuildCommand(ctx, p, program); err != nil {
		return nil, err
	}
	library := filepath.Join(work, "liblastbit_blas.so")
	has, err := r.BuildLibrary(ctx, p, "./cmd/liblastbit_blas", library)
	if err != nil {
		return nil, err
	}
	if !has {
		library = ""
	}
	archive, err := r.archive(p, program, library, filepath.Join(dir, "man"))
	if err != nil {
		return nil, err
	}
	list, err := sbom(program)
	if err != nil {
		return nil, err
	}
	modules := filepath.Join(r.Out, stem(p)+".cdx.json")
	if err := os.WriteFile(modules, list, 0o644); err != nil {
		return nil, err
	}
	npm, err := r.npmOf(p, program)
	if err != nil {
		return nil, err
	}
	w, err := r.Builder.Build(ctx, p)
	return []string{archive, modules, npm, w}, err
}

// stem returns the name of a platform's files, and of the folder in its
// archive: lastbit-0.1.0-linux-amd64.
func stem(p wheel.Platform) string {
	return "lastbit-" + version.Number + "-" + strings.ReplaceAll(p.String(), "/", "-")
}

// archiveName returns the name of a platform's archive.
func archiveName(p wheel.Platform) string {
	if p.OS == "windows" {
		return stem(p) + ".zip"
	}
	return stem(p) + ".tar.gz"
}

// archive writes the archive of a platform: the program, the library of lastbit
// run if there is one, manual pages, licence and changes.
func (r *Release) archive(p wheel.Platform, program, library, manual string) (string, error) {
	f := files{}
	top := stem(p) + "/"
	from := map[string]string{top + p.Program("lastbit"): program}
	if library != "" {
		from[top+filepath.Base(library)] = library
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		from[top+name] = filepath.Join(r.Source, name)
	}
	pages, err := filepath.Glob(filepath.Join(manual, "*.1"))
	if err != nil || len(pages) == 0 {
		return "", fmt.Errorf("there are no manual pages: %v", err)
	}
	for _, page := range pages {
		from[top+"man/"+filepath.Base(page)] = page
	}
	for name, path := range from {
		if err := f.add(name, path, path == program || path == library); err != nil {
			return "", err
		}
	}
	return r.store(archiveName(p), f)
}

// store writes an archive to the folder.
func (r *Release) store(name string, f files) (string, error) {
	path := filepath.Join(r.Out, name)
	return path, f.write(path)
}

// manual writes the manual pages to a folder.
func (r *Release) manual(ctx context.Context, dir string) error {
	args := append(append([]string{"run"}, r.Flags...), "./cmd/lastbit", "man", dir)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = r.Source, wheel.Environ()
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("manual pages: %w\n%s", err, text)
	}
	return nil
}

// checksums writes the SHA-256 hashes of files.
func (r *Release) checksums(paths []string) (string, error) {
	var lines []string
	for _, path := range paths {
		hash, err := hashOf(path)
		if err != nil {
			return "", err
		}
		lines = append(lines, hash+"  "+filepath.Base(path)+"\n")
	}
	slices.SortFunc(lines, func(a, b string) int {
		return strings.Compare(a[2*sha256.Size:], b[2*sha256.Size:])
	})
	path := filepath.Join(r.Out, "SHA256SUMS")
	return path, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644)
}

// hashOf returns the SHA-256 hash of a file in hexadecimal digits.
func hashOf(path string) (string, error) {
	content, err := os.ReadFile(path)
	return fmt.Sprintf("%x", sha256.Sum256(content)), err
}

//go:embed formula.rb
var formulaText string

// An archiveOf is an archive in the formula.
type archiveOf struct{ Processor, Name, SHA256 string }

// A systemOf has the archives of one system in the formula.
type systemOf struct {
	System   string
	Archives []archiveOf
}

// formula writes the Homebrew formula, and returns its path, or "" where an
// archive is missing.
func (r *Release) formula() (string, error) {
	systems := []systemOf{{System: "macos"}, {System: "linux"}}
	for i, system := range []string{"darwin", "linux"} {
		for _, arch := range []string{"arm64", "amd64"} {
			p := wheel.Platform{OS: system, Arch: arch}
			hash, err := hashOf(filepath.Join(r.Out, archiveName(p)))
			if os.IsNotExist(err) {
				return "", nil
			}
			if err != nil {
				return "", err
			}
			a := archiveOf{"arm", archiveName(p), hash}
			if arch == "amd64" {
				a.Processor = "intel"
			}
			systems[i].Archives = append(systems[i].Archives, a)
		}
	}
	var b bytes.Buffer
	err := template.Must(template.New("formula").Parse(formulaText)).Execute(&b, map[string]any{
		"Summary": summary, "Version": version.Number, "License": licenseID, "Systems": systems,
	})
	if err != nil {
		return "", err
	}
	path := filepath.Join(r.Out, "lastbit.rb")
	return path, os.WriteFile(path, b.Bytes(), 0o644)
}
