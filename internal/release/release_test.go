package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/internal/version"
	"github.com/lastbit/lastbit/internal/wheel"
)

// source is the root of the module.
const source = "../.."

// TestBuild builds the static Linux files in two folders, from copies of the
// source. They are the same, and their programs run. With LASTBIT_RELEASE=all
// it builds the files of every platform, and without LASTBIT_REQUIRE=all none.
func TestBuild(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("there is no static program for this platform")
	}
	require.Program(t, "git")
	host := wheel.Platform{OS: "linux", Arch: runtime.GOARCH, Static: true}
	platforms := []wheel.Platform{host}
	if os.Getenv("LASTBIT_RELEASE") == "all" {
		platforms = wheel.Platforms()
	} else {
		require.Long(t, "building a release twice")
	}
	var out [2]string
	for k := range out {
		if k == 1 { // settings of a user, which do not matter
			t.Setenv("GOFLAGS", "-tags=purego")
			t.Setenv("GOAMD64", "v3")
		}
		dir := t.TempDir()
		copySource(t, filepath.Join(dir, "lastbit"))
		out[k] = filepath.Join(dir, "dist")
		r := &Release{Builder: &wheel.Builder{Source: filepath.Join(dir, "lastbit"), Out: out[k],
			Zig: wheel.FindZig(t.Context()), Flags: wheel.Reproducible(), Log: io.Discard}}
		paths, err := r.Build(t.Context(), platforms)
		if err != nil {
			t.Fatal(err)
		}
		if want := 4*len(platforms) + 2; len(paths) < want {
			t.Fatalf("%d files and not %d: %v", len(paths), want, paths)
		}
	}
	checkSame(t, out[0], out[1])
	checkSums(t, out[0])
	checkArchive(t, filepath.Join(out[0], archiveName(host)))
	checkModules(t, filepath.Join(out[0], stem(host)+".cdx.json"))
	checkNPM(t, out[0], host)
}

// copySource copies the files that git knows of the source, as they are.
func copySource(t *testing.T, to string) {
	t.Helper()
	list, err := exec.CommandContext(t.Context(), "git", "-C", source, "ls-files", "-z", "-c", "-o",
		"--exclude-standard").Output()
	if err != nil {
		require.Missing(t, "a checkout of lastbit")
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		content, err := os.ReadFile(filepath.Join(source, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed, and not committed
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// checkSame compares the files of two folders.
func checkSame(t *testing.T, a, b string) {
	t.Helper()
	var names [2][]string
	for k, dir := range []string{a, b} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names[k] = append(names[k], e.Name())
		}
	}
	if !slices.Equal(names[0], names[1]) {
		t.Fatalf("two builds have the files %v and %v", names[0], names[1])
	}
	for _, name := range names[0] {
		first, second := read(t, filepath.Join(a, name)), read(t, filepath.Join(b, name))
		if !bytes.Equal(first, second) {
			t.Errorf("%s differs between two builds", name)
		}
	}
}

// checkSums compares SHA256SUMS with all other files.
func checkSums(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, e := range entries {
		if e.Name() == "SHA256SUMS" {
			continue
		}
		hash, err := hashOf(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		want.WriteString(hash + "  " + e.Name() + "\n")
	}
	if got := string(read(t, filepath.Join(dir, "SHA256SUMS"))); got != want.String() {
		t.Errorf("SHA256SUMS is\n%s\nand not\n%s", got, want.String())
	}
}

// checkArchive unpacks an archive, looks for its files and runs its program.
func checkArchive(t *testing.T, path string) {
	t.Helper()
	dir := t.TempDir()
	unpack(t, path, dir)
	top := filepath.Join(dir, strings.TrimSuffix(filepath.Base(path), ".tar.gz"))
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "man/lastbit.1",
		"man/lastbit-audit.1"} {
		if len(read(t, filepath.Join(top, name))) == 0 {
			t.Errorf("%s is empty", name)
		}
	}
	checkVersion(t, dir, filepath.Join(top, "lastbit"), "version")
}

// checkVersion runs a program in a folder, which prints the version.
func checkVersion(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), version.Number) {
		t.Errorf("%s prints %q: %v", strings.Join(args, " "), out, err)
	}
}

// checkModules looks for modules in a list, each with the version of go.mod.
func checkModules(t *testing.T, path string) {
	t.Helper()
	var list struct {
		BOMFormat  string
		Components []struct{ Name, Version, PURL string }
	}
	if err := json.Unmarshal(read(t, path), &list); err != nil {
		t.Fatal(err)
	}
	required := string(read(t, filepath.Join(source, "go.mod")))
	found := 0
	for _, c := range list.Components[1:] {
		if !strings.Contains(required, c.Name+" "+c.Version) ||
			c.PURL != "pkg:golang/"+c.Name+"@"+c.Version {
			t.Errorf("%+v is not in go.mod", c)
		}
		found++
	}
	if list.BOMFormat != "CycloneDX" || found < 5 ||
		list.Components[0].Version != runtime.Version() {
		t.Errorf("%s lists %+v", path, list)
	}
}

// checkNPM installs the npm packages from their files, and runs the command.
func checkNPM(t *testing.T, dist string, p wheel.Platform) {
	t.Helper()
	node := require.Program(t, "node")
	dir := t.TempDir()
	name, _ := npmName(p)
	packs := map[string]string{
		"lastbit":    "lastbit-" + version.Number + ".tgz",
		scope + name: "lastbit-" + name + "-" + version.Number + ".tgz",
	}
	for to, pack := range packs { // as npm unpacks them
		unpacked := t.TempDir()
		unpack(t, filepath.Join(dist, pack), unpacked)
		into := filepath.Join(dir, "node_modules", to)
		if err := os.MkdirAll(filepath.Dir(into), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(into, os.DirFS(filepath.Join(unpacked, "package"))); err != nil {
			t.Fatal(err)
		}
	}
	launch := filepath.Join(dir, "node_modules", "lastbit", "bin", "lastbit")
	checkVersion(t, dir, node, launch, "version")
	bad := exec.CommandContext(t.Context(), node, launch, "nothing")
	if err := bad.Run(); bad.ProcessState == nil || bad.ProcessState.ExitCode() != 2 {
		t.Errorf("a wrong verb ends with %v and not 2", err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "node_modules", "@lastbit")); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), node, launch, "version").CombinedOutput()
	if err == nil || !strings.HasPrefix(string(out), "lastbit: there is no package @lastbit/") {
		t.Errorf("without the program it prints %q: %v", out, err)
	}
	if npm, err := exec.LookPath("npm"); err == nil {
		checkInstall(t, npm, dist, packs)
	}
}

// checkInstall installs packs by npm itself, without a registry.
func checkInstall(t *testing.T, npm, dist string, packs map[string]string) {
	t.Helper()
	dir := t.TempDir()
	args := []string{"install", "--offline", "--force", "--omit=optional", "--no-audit",
		"--no-fund", "--cache", t.TempDir()}
	for _, pack := range packs {
		path, err := filepath.Abs(filepath.Join(dist, pack))
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	cmd := exec.CommandContext(t.Context(), npm, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	checkVersion(t, dir, filepath.Join(dir, "node_modules", ".bin", "lastbit"), "version")
}

// TestFormula holds that the formula names all four archives with their hashes,
// and that there is none without one of them.
func TestFormula(t *testing.T) {
	r := &Release{Builder: &wheel.Builder{Source: source, Out: t.TempDir()}}
	var hashes []string
	for _, p := range wheel.Platforms() {
		if p.Static || p.OS == "windows" {
			continue
		}
		if path, err := r.formula(); path != "" || err != nil {
			t.Errorf("a formula with %d archives: %q, %v", len(hashes), path, err)
		}
		path, err := r.store(archiveName(p), files{"name": {content: []byte(p.String())}})
		if err != nil {
			t.Fatal(err)
		}
		hash, err := hashOf(path)
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, archiveName(p)+"\"\n      sha256 \""+hash)
	}
	path, err := r.formula()
	if err != nil {
		t.Fatal(err)
	}
	text := string(read(t, path))
	for _, h := range hashes {
		if strings.Count(text, h) != 1 {
			t.Errorf("the formula lacks %q:\n%s", h, text)
		}
	}
	if ruby, err := exec.LookPath("ruby"); err == nil {
		cmd := exec.CommandContext(t.Context(), ruby, "-c", path)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
}

// TestZip holds that a zip archive has its files, with their modes.
func TestZip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.zip")
	f := files{"top/a.exe": {[]byte("program"), true}, "top/b": {content: []byte("text")}}
	if err := f.write(path); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for i, want := range []struct {
		name string
		mode fs.FileMode
	}{{"top/a.exe", 0o755}, {"top/b", 0o644}} {
		if got := z.File[i]; got.Name != want.name || got.Mode() != want.mode {
			t.Errorf("%s has the mode %v, want %s and %v", got.Name, got.Mode(), want.name,
				want.mode)
		}
	}
}

// TestNPM holds that every platform has a package of its own, for one system.
func TestNPM(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range wheel.Platforms() {
		name, m := npmName(p)
		if seen[name] || len(m.OS) != 1 || len(m.CPU) != 1 ||
			(len(m.LibC) == 1) != (p.OS == "linux") {
			t.Errorf("%v: %s %+v", p, name, m)
		}
		seen[name] = true
	}
	if !seen["linux-x64"] || !seen["linux-arm64-musl"] || !seen["win32-arm64"] ||
		!seen["darwin-x64"] {
		t.Error("packages are", seen)
	}
}

// TestDockerfile holds that the image is built with the Go release of go.mod.
func TestDockerfile(t *testing.T) {
	_, after, _ := strings.Cut(string(read(t, filepath.Join(source, "go.mod"))), "\ngo ")
	minor := strings.Join(strings.Split(strings.Fields(after)[0], ".")[:2], ".")
	image := string(read(t, filepath.Join(source, "Dockerfile")))
	if !strings.Contains(image, "\nFROM golang:"+minor+" AS build\n") {
		t.Errorf("the image is not built with Go %s", minor)
	}
	for _, flag := range wheel.Reproducible() {
		name, value, _ := strings.Cut(flag, "=")
		quoted := name + "='" + value + "'"
		if !strings.Contains(image, flag) && !strings.Contains(image, quoted) {
			t.Errorf("the image is built without %s", flag)
		}
	}
}

// unpack unpacks a tar archive compressed by gzip.
func unpack(t *testing.T, path, dir string) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	for a := tar.NewReader(z); ; {
		h, err := a.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(a)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, h.Name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, content, fs.FileMode(h.Mode)); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
