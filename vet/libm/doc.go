// Package libm finds elementary functions whose results depend on the
// processor.
//
// Package math has implementations in assembly for some processors (math.Exp on
// amd64, arm64, loong64 and s390x, math.Log on amd64 and s390x, most others on
// s390x), and the compiler fuses operations of the rest on arm64 and others. So
// math.Sin, math.Pow and their like differ in the last bits. Correctly rounded
// functions, as in lastbit's package crmath, have one result everywhere.
//
// Exact functions are not reported: math.Sqrt, math.FMA, math.Floor, math.Mod
// and their like. Functions of math/cmplx are, and rand.NormFloat64,
// rand.ExpFloat64 and rand.NewZipf, which call math.Exp and math.Log. The fix
// is offered where the module requires lastbit.
package libm
