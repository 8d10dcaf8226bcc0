package release

import (
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/lastbit/lastbit/internal/version"
)

// component is a part of a program, in CycloneDX 1.5.
type component struct {
	Type     string    `json:"type"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	PURL     string    `json:"purl"`
	Licenses []license `json:"licenses,omitempty"`
}

type license struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

// sbom returns the modules that a program was built from, and the Go release:
// a software bill of materials in the form CycloneDX 1.5. It has neither a time
// nor a serial number, which are optional.
func sbom(program string) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	self := component{Type: "application", Name: "lastbit", Version: version.Number,
		PURL: purl(info.Main.Path, "v"+version.Number)}
	self.Licenses = make([]license, 1)
	self.Licenses[0].License.ID = "BSD-3-Clause"
	parts := []component{{Type: "platform", Name: "Go", Version: info.GoVersion,
		PURL: purl("std", info.GoVersion)}}
	for _, m := range info.Deps {
		m = cmp.Or(m.Replace, m)
		parts = append(parts, component{Type: "library", Name: m.Path, Version: m.Version,
			PURL: purl(m.Path, m.Version)})
	}
	slices.SortFunc(parts[1:], func(a, b component) int { return cmp.Compare(a.Name, b.Name) })
	text, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata": map[string]any{"component": self}, "components": parts,
	}, "", "  ")
	return append(text, '\n'), err
}

// purl returns the package URL of a module.
func purl(path, version string) string {
	return fmt.Sprintf("pkg:golang/%s@%s", path, version)
}
