// Package footer makes a shared library an extension of DuckDB: it appends the
// footer that DuckDB reads before it loads a file.
//
//	b, err := footer.Append(library, "linux", "amd64")
//
// The last 512 bytes of an extension are eight fields of 32 bytes, the last one
// first, and 256 bytes for a signature, which is empty here. So DuckDB loads it
// only where unsigned extensions are allowed.
package footer

import (
	"fmt"

	"github.com/lastbit/lastbit/internal/version"
)

// File is the name of the extension's file. DuckDB derives the name of the
// function that it calls from it.
const File = "lastbit.duckdb_extension"

// APIVersion is the version of DuckDB's C extension API that the extension
// needs. DuckDB refuses a newer one than its own.
const APIVersion = "v1.2.0"

const (
	fieldSize     = 32
	signatureSize = 256
	// formatVersion is the version of the footer.
	formatVersion = "4"
	// stableABI marks an extension for every DuckDB with the API version.
	stableABI = "C_STRUCT"
)

// platforms are DuckDB's names of platforms, by GOOS and GOARCH.
var platforms = map[string]string{
	"linux/amd64":   "linux_amd64",
	"linux/arm64":   "linux_arm64",
	"darwin/amd64":  "osx_amd64",
	"darwin/arm64":  "osx_arm64",
	"windows/amd64": "windows_amd64",
}

// Append returns a library for a GOOS and a GOARCH as an extension.
func Append(library []byte, goos, goarch string) ([]byte, error) {
	platform := platforms[goos+"/"+goarch]
	if platform == "" {
		return nil, fmt.Errorf("DuckDB has no extensions for %s/%s", goos, goarch)
	}
	return append(library, fields(platform, APIVersion)...), nil
}

// fields returns the footer for a platform in DuckDB's words.
func fields(platform, api string) []byte {
	var b []byte
	for _, field := range []string{"", "", "", stableABI, "v" + version.Number, api, platform,
		formatVersion} {
		b = append(b, field...)
		b = append(b, make([]byte, fieldSize-len(field))...)
	}
	return append(b, make([]byte, signatureSize)...)
}
