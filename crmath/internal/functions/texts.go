package functions

// The texts of generated files, below their first line.

const kernelSet = `
package {{.Package}}

import (
	"github.com/lastbit/lastbit/crmath/internal/vector"
	{{if eq .Bits 64}}"github.com/lastbit/lastbit/fp"{{end}}
)

// A vectorSet holds the kernels of an instruction set, by their functions.
type vectorSet struct {
	name string

{{range .Kernels}}{{.function}} vector.Kernel{{if .IsPair}}2{{end}}[float{{$.Bits}}]
{{end}}}
`

const kernelsAMD64 = `
//go:build !purego

package {{.Package}}

// kernelsAVX2 returns the kernels with AVX2.
func kernelsAVX2() vectorSet {
	return vectorSet{
		name: "AVX2",
		{{range .Kernels}}{{.function}}: {{.function}}Float{{$.Bits}}AVX2,
		{{end -}}
	}
}

// kernelsAVX512 returns the kernels with AVX-512.
func kernelsAVX512() vectorSet {
	return vectorSet{
		name: "AVX-512",
		{{range .Kernels}}{{.function}}: {{.function}}Float{{$.Bits}}AVX512,
		{{end -}}
	}
}
`

const kernelsARM64 = `
//go:build !purego

package {{.Package}}

// kernelsNEON returns the kernels with NEON.
func kernelsNEON() vectorSet {
	return vectorSet{
		name: "NEON",
		{{range .Kernels}}{{.function}}: {{.function}}Float{{$.Bits}}NEON,
		{{end -}}
	}
}
`

// parameters are the names of a function's parameters.
const parameters = `{{define "names"}}{{if .IsUnary}}x{{else if eq .shape "point"}}y, x` +
	`{{else}}x, y{{end}}{{end}}`

const nearest = parameters + `
// Functions to nearest. FastExp and so on have their bits, and call them where
// they have no result of their own.
{{range .Calls}}
func nearest{{.Name}}({{template "names" .}} float64) float64 {
	{{if eq .shape "signed"}}r, _ := {{.Name}}({{template "names" .}}, fp.NearestEven)
	return r{{else}}return {{.Name}}({{template "names" .}}, fp.NearestEven){{end}}
}
{{end}}`

const callsDouble = parameters + `
//go:build !amd64 || purego

package {{.Package}}

// The functions for single calls, without assembly.
{{range .Calls}}
// Fast{{.Name}} computes {{.Name}}({{template "names" .}}) to nearest.
func Fast{{.Name}}({{template "names" .}} float64) float64 {
	return nearest{{.Name}}({{template "names" .}})
}
{{end}}`

const callsSingle = parameters + `
//go:build !amd64 || purego

package {{.Package}}

// The functions for single calls, without assembly.
{{range .Calls}}
func fast{{.Name}}({{template "names" .}} float32) float32 {
	return {{.function}}({{template "names" .}})
}
{{end}}`
