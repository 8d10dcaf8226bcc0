package release

import (
	_ "embed"
	"encoding/json"
	"path/filepath"

	"github.com/lastbit/lastbit/internal/version"
	"github.com/lastbit/lastbit/internal/wheel"
)

// There is one npm package for each platform, which holds the program, and a
// small one that depends on all of them, each if its platform is right, and
// starts the program that was installed: the pattern of esbuild.

//go:embed launch.js
var launcher []byte

// scope begins the names of the packages for platforms.
const scope = "@lastbit/"

// manifest is package.json.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Bin         map[string]string `json:"bin,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	LibC        []string          `json:"libc,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
}

// npmName returns the name of the package for a platform, and its fields os,
// cpu and libc.
func npmName(p wheel.Platform) (name string, m manifest) {
	os, cpu := p.OS, p.Arch
	if os == "windows" {
		os = "win32"
	}
	if cpu == "amd64" {
		cpu = "x64"
	}
	m.OS, m.CPU = []string{os}, []string{cpu}
	name = os + "-" + cpu
	if os == "linux" {
		m.LibC = []string{"glibc"}
	}
	if p.Static { // it runs with any libc
		name, m.LibC = name+"-musl", []string{"musl"}
	}
	return name, m
}

// npmOf writes the package for a platform.
func (r *Release) npmOf(p wheel.Platform, program string) (string, error) {
	name, m := npmName(p)
	m.Name, m.Version, m.License = scope+name, version.Number, licenseID
	m.Description = "The program lastbit for " + name
	f := files{}
	if err := f.addManifest(m, r.Source); err != nil {
		return "", err
	}
	if err := f.add("package/bin/"+p.Program("lastbit"), program, true); err != nil {
		return "", err
	}
	f.addText("package/README.md", m.Description+": a part of the package lastbit.\n")
	return r.store("lastbit-"+name+"-"+version.Number+".tgz", f)
}

// npm writes the package that depends on the others.
func (r *Release) npm(platforms []wheel.Platform) (string, error) {
	m := manifest{Name: "lastbit", Version: version.Number, License: licenseID,
		Description: summary, Bin: map[string]string{"lastbit": "bin/lastbit"},
		Engines: map[string]string{"node": ">=18"}, Optional: map[string]string{}}
	for _, p := range platforms {
		name, _ := npmName(p)
		m.Optional[scope+name] = version.Number
	}
	f := files{"package/bin/lastbit": {launcher, true}}
	if err := f.addManifest(m, r.Source); err != nil {
		return "", err
	}
	f.addText("package/README.md", "# lastbit\n\n"+summary+".\n\n    npx lastbit audit\n")
	return r.store("lastbit-"+version.Number+".tgz", f)
}

// addManifest adds package.json and the licence.
func (f files) addManifest(m manifest, source string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	f.addText("package/package.json", string(text)+"\n")
	return f.add("package/LICENSE", filepath.Join(source, "LICENSE"), false)
}
