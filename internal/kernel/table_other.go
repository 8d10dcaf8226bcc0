//go:build purego || !(amd64 || arm64)

package kernel

// table is the dispatch table of a build without assembly.
var table = [levels]*row{Generic: &generic}
