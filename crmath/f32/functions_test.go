package f32

import "math"

// function is a function of one argument and its counterparts.
type function struct {
	name     string                // MPFR's
	f        func(float32) float32 // the function of this package
	math     func(float64) float64 // that of package math
	parity   int                   // 1: even, -1: odd, 0: neither
	typical  [2]float32            // a range of arguments for measurements
	list     *[]exception          // arguments that unsure cannot decide
	listName string
	golden16 uint64 // hashes for 2^16 and 2^24 strata
	golden24 uint64
}

var functions = []function{
	{"exp", Exp, math.Exp, 0, [2]float32{-20, 20}, &expExceptions, "expExceptions",
		0xd74e47ccdab0d3b6, 0x345f4dcf2f6e7390},
	{"exp2", Exp2, math.Exp2, 0, [2]float32{-20, 20}, &exp2Exceptions, "exp2Exceptions",
		0x73ef91a1ad71194, 0x55a71320b0ad8737},
	{"exp10", Exp10, exp10, 0, [2]float32{-20, 20}, &exp10Exceptions, "exp10Exceptions",
		0xa57c27cc7f3510ed, 0xd8b08a0ec9c4dda8},
	{"expm1", Expm1, math.Expm1, 0, [2]float32{-5, 5}, &expm1Exceptions, "expm1Exceptions",
		0xbdaf037d6a6166d1, 0xf8f0706291374ff6},
	{"log", Log, math.Log, 0, [2]float32{0.001, 100}, &logExceptions, "logExceptions",
		0x5acfaccf3530648d, 0x1bda57208994c401},
	{"log2", Log2, math.Log2, 0, [2]float32{0.001, 100}, &log2Exceptions, "log2Exceptions",
		0xfe04e67970ba90c8, 0xdd8d582e0cde173c},
	{"log10", Log10, math.Log10, 0, [2]float32{0.001, 100}, &log10Exceptions, "log10Exceptions",
		0xa60c72e88f70e72c, 0x83d311a3a1dae82f},
	{"log1p", Log1p, math.Log1p, 0, [2]float32{-0.9, 10}, &log1pExceptions, "log1pExceptions",
		0xcce9ad8736a5a4c5, 0xaf7c8ac97d38e1e9},
	{"sin", Sin, math.Sin, -1, [2]float32{-10, 10}, &sinExceptions, "sinExceptions",
		0x851d0c28c2a4c8f6, 0xa4ba04999dbc4a87},
	{"cos", Cos, math.Cos, 1, [2]float32{-10, 10}, &cosExceptions, "cosExceptions",
		0x1cf70823ec1c3982, 0x41f42693de80ef15},
	{"tan", Tan, math.Tan, -1, [2]float32{-10, 10}, &tanExceptions, "tanExceptions",
		0x48b21f1eb41884d7, 0xf8c216ba380644d7},
	{"asin", Asin, math.Asin, -1, [2]float32{-1, 1}, &asinExceptions, "asinExceptions",
		0xb17515edc9d68c5c, 0x68e18cba4dfcbd2e},
	{"acos", Acos, math.Acos, 0, [2]float32{-1, 1}, &acosExceptions, "acosExceptions",
		0x5f81b0f0b2951c4d, 0xce6419fd4c74e96e},
	{"atan", Atan, math.Atan, -1, [2]float32{-10, 10}, &atanExceptions, "atanExceptions",
		0xcd7ec5a5f660effa, 0x8bdce66ed166f4ce},
	{"sinh", Sinh, math.Sinh, -1, [2]float32{-5, 5}, &sinhExceptions, "sinhExceptions",
		0x66ef700475b97727, 0xd12c789ec9f2443a},
	{"cosh", Cosh, math.Cosh, 1, [2]float32{-5, 5}, &coshExceptions, "coshExceptions",
		0xc3e64c48d82602f6, 0x17a196cc243eda54},
	{"tanh", Tanh, math.Tanh, -1, [2]float32{-3, 3}, &tanhExceptions, "tanhExceptions",
		0xe2a3717e7dedfc89, 0x2df96095c88c7f44},
	{"asinh", Asinh, math.Asinh, -1, [2]float32{-10, 10}, &asinhExceptions, "asinhExceptions",
		0x7c1997d7e947cfec, 0xb06bd9ff055ec259},
	{"acosh", Acosh, math.Acosh, 0, [2]float32{1, 20}, &acoshExceptions, "acoshExceptions",
		0x86ba45af97a06509, 0x29b8293c99084514},
	{"atanh", Atanh, math.Atanh, -1, [2]float32{-1, 1}, &atanhExceptions, "atanhExceptions",
		0x5f4f898857889c63, 0x3979571d2901f0e},
	{"cbrt", Cbrt, math.Cbrt, -1, [2]float32{-100, 100}, &cbrtExceptions, "cbrtExceptions",
		0xa78065f5d032ca07, 0xb5d5ad945c41d2d8},
}

// exp10 is the nearest function in package math.
func exp10(x float64) float64 { return math.Pow(10, x) }
