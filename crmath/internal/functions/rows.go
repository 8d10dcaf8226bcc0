package functions

// The texts of generated rows of tests.

const testsDouble = `
package {{.Package}}

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/vector"
)

// unaryRows are the functions of one argument.
var unaryRows = []unaryRow{
{{range .Unaries}}{
	name: "{{.mpfr}}", slice: {{.Name}}Slice, one: nearest{{.Name}}, fast: Fast{{.Name}},
	lane: {{.kernel}}, call: {{.call}},
	kernel: func(v *vectorSet) vector.Kernel[float64] { return v.{{.function}} },
	{{with .math}}theirs: {{.}},
	{{end}}typical: {{between .typical}}, kinds: {{.kinds}},
},
{{end}}}

// pairRows are the functions of two arguments, x first.
var pairRows = []pairRow{
{{range .Pairs}}{
	name: "{{.mpfr}}", lane: {{.kernel}}, call: {{.call}},
	{{if eq .shape "point" -}}
	slice: func(dst, x, y []float64) { {{.Name}}Slice(dst, y, x) },
	one: exchanged(nearest{{.Name}}), fast: exchanged(Fast{{.Name}}),
	{{with .math}}theirs: exchanged({{.}}),{{end}}
	{{- else -}}
	slice: {{.Name}}Slice, one: nearest{{.Name}}, fast: Fast{{.Name}},
	{{with .math}}theirs: {{.}},{{end}}
	{{- end}}
	kernel: func(v *vectorSet) vector.Kernel2[float64] { return v.{{.function}} },
	typical: {{between .typical}}, kinds: {{.kinds}},
},
{{end}}}

// integerRows are the functions of a number and an integer.
var integerRows = []integerRow{
{{range .Integers}}{name: "{{.mpfr}}", slice: {{.Name}}Slice, one: {{.Name}}},
{{end}}}
`

const testsDirected = `
package directed_test

import (
	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/crmath/directed"
	"github.com/lastbit/lastbit/fp"
)

// functions are the functions of one argument.
var functions = []function{
{{range .Unaries}}{{if eq .shape "signed"}}{
	"{{.mpfr}}",
	func(x float64, m fp.Mode) float64 { return unsigned(directed.{{.Name}}(x, m)) },
	func(x float64) float64 { return unsigned(crmath.{{.Name}}(x)) }, {{list .binades}},
},
{{else}}{"{{.mpfr}}", directed.{{.Name}}, crmath.{{.Name}}, {{list .binades}}},
{{end}}{{end}}}
`

const testsShort = `
package {{.Package}}

// functions holds the functions of one argument by MPFR's names.
var functions = map[string]func(uint16) uint16{
{{range .Unaries}}{{if eq .shape "signed" -}}
"{{.mpfr}}": func(x uint16) uint16 { y, _ := {{.Name}}(x); return y },
{{else}}"{{.mpfr}}": {{.Name}},
{{end}}{{end}}}
`

const testsSingle = `
package {{.Package}}

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// functions are the functions of one argument.
var functions = []function{
{{range .Unaries}}{
	name: "{{.mpfr}}", plain: {{.function}}, slice: {{.Name}}Slice,
	kernel: func(v *vectorSet) vector.Kernel[float32] { return v.{{.function}} },
	{{if eq .shape "signed" -}}
	f: func(x float32) float32 { y, _ := {{.Name}}(x); return y },
	double: counterpart{f64.{{.Name}}Slice, func(x float64, m fp.Mode) float64 {
		y, _ := f64.{{.Name}}(x, m)
		return y
	}},
	{{- else -}}
	f: {{.Name}}, double: counterpart{f64.{{.Name}}Slice, f64.{{.Name}}},
	{{- end}}
	{{with .math}}math: {{.}},
	{{end}}{{with .parity}}parity: {{parity .}},
	{{end}}typical: [2]float32{ {{list .typical}} }, golden: [2]uint64{ {{list .golden}} },
},
{{end}}}

// binaries are the functions of two arguments.
var binaries = []binary{
{{range .Pairs}}{
	name: "{{.mpfr}}", f: {{.Name}}, plain: {{.function}}, math: {{.math}},
	{{if eq .shape "point" -}}
	one: exchanged({{.Name}}),
	slice: func(dst, x, y []float32) { {{.Name}}Slice(dst, y, x) },
	{{- else -}}
	one: {{.Name}}, slice: {{.Name}}Slice,
	{{- end}}
	kernel: func(v *vectorSet) vector.Kernel2[float32] { return v.{{.function}} },
	kinds: {{.kinds}}, golden: {{.golden}},
},
{{end}}}

// integerRows are the functions of a number and an integer.
var integerRows = []integerRow{
{{range .Integers}}{name: "{{.mpfr}}", slice: {{.Name}}Slice, one: {{.Name}}},
{{end}}}
`
