package f32

import "math"

// function is a function of one argument and its counterparts.
type function struct {
	name     string                // MPFR's
	f        func(float32) float32 // the function of this package
	math     func(float64) float64 // that of package math, or nil
	parity   int                   // 1: even, -1: odd, 0: neither
	typical  [2]float32            // a range of arguments for measurements
	golden16 uint64                // hashes for 2^16 and 2^24 strata
	golden24 uint64
}

var functions = []function{
	{"exp", Exp, math.Exp, 0, [2]float32{-20, 20},
		0xd74e47ccdab0d3b6, 0x345f4dcf2f6e7390},
	{"exp2", Exp2, math.Exp2, 0, [2]float32{-20, 20},
		0x73ef91a1ad71194, 0x55a71320b0ad8737},
	{"exp10", Exp10, mathExp10, 0, [2]float32{-20, 20},
		0xa57c27cc7f3510ed, 0xd8b08a0ec9c4dda8},
	{"expm1", Expm1, math.Expm1, 0, [2]float32{-5, 5},
		0xbdaf037d6a6166d1, 0xf8f0706291374ff6},
	{"log", Log, math.Log, 0, [2]float32{0.001, 100},
		0x5acfaccf3530648d, 0x1bda57208994c401},
	{"log2", Log2, math.Log2, 0, [2]float32{0.001, 100},
		0xfe04e67970ba90c8, 0xdd8d582e0cde173c},
	{"log10", Log10, math.Log10, 0, [2]float32{0.001, 100},
		0xa60c72e88f70e72c, 0x83d311a3a1dae82f},
	{"log1p", Log1p, math.Log1p, 0, [2]float32{-0.9, 10},
		0xcce9ad8736a5a4c5, 0xaf7c8ac97d38e1e9},
	{"sin", Sin, math.Sin, -1, [2]float32{-10, 10},
		0x851d0c28c2a4c8f6, 0xa4ba04999dbc4a87},
	{"cos", Cos, math.Cos, 1, [2]float32{-10, 10},
		0x1cf70823ec1c3982, 0x41f42693de80ef15},
	{"tan", Tan, math.Tan, -1, [2]float32{-10, 10},
		0x48b21f1eb41884d7, 0xf8c216ba380644d7},
	{name: "asin", f: Asin, math: math.Asin, parity: -1, typical: [2]float32{-1, 1},
		golden16: 0xb17515edc9d68c5c, golden24: 0x68e18cba4dfcbd2e},
	{name: "acos", f: Acos, math: math.Acos, typical: [2]float32{-1, 1},
		golden16: 0x5f81b0f0b2951c4d, golden24: 0xce6419fd4c74e96e},
	{"atan", Atan, math.Atan, -1, [2]float32{-10, 10},
		0xcd7ec5a5f660effa, 0x8bdce66ed166f4ce},
	{"sinh", Sinh, math.Sinh, -1, [2]float32{-5, 5},
		0x66ef700475b97727, 0xd12c789ec9f2443a},
	{"cosh", Cosh, math.Cosh, 1, [2]float32{-5, 5},
		0xc3e64c48d82602f6, 0x17a196cc243eda54},
	{"tanh", Tanh, math.Tanh, -1, [2]float32{-3, 3},
		0xe2a3717e7dedfc89, 0x2df96095c88c7f44},
	{"asinh", Asinh, math.Asinh, -1, [2]float32{-10, 10},
		0x7c1997d7e947cfec, 0xb06bd9ff055ec259},
	{"acosh", Acosh, math.Acosh, 0, [2]float32{1, 20},
		0x86ba45af97a06509, 0x29b8293c99084514},
	{"atanh", Atanh, math.Atanh, -1, [2]float32{-1, 1},
		0x5f4f898857889c63, 0x3979571d2901f0e},
	{"cbrt", Cbrt, math.Cbrt, -1, [2]float32{-100, 100},
		0xa78065f5d032ca07, 0xb5d5ad945c41d2d8},
	{name: "exp2m1", f: Exp2m1, typical: [2]float32{-2, 2},
		golden16: 0x59ddde6fbf6a7ec6, golden24: 0x148b2a0fa2496cc9},
	{name: "exp10m1", f: Exp10m1, typical: [2]float32{-2, 2},
		golden16: 0xee3c557761454ee3, golden24: 0xc3a6a9edbda2e7ec},
	{name: "log2p1", f: Log2p1, typical: [2]float32{-0.9, 10},
		golden16: 0xe7840b32faad47e1, golden24: 0xb206cd3cacef4dd},
	{name: "log10p1", f: Log10p1, typical: [2]float32{-0.9, 10},
		golden16: 0x139954010f52d90a, golden24: 0xbc5886db7b4b2620},
	{name: "sinpi", f: Sinpi, parity: -1, typical: [2]float32{-5, 5},
		golden16: 0x2ee235e220395274, golden24: 0xb125ffea1690ce62},
	{name: "cospi", f: Cospi, parity: 1, typical: [2]float32{-5, 5},
		golden16: 0x49d6f917719f2597, golden24: 0x9d3aeea4b046cd67},
	{name: "tanpi", f: Tanpi, parity: -1, typical: [2]float32{-5, 5},
		golden16: 0x4065a4c6bace7a3f, golden24: 0xe245e15c76cff627},
	{name: "asinpi", f: Asinpi, parity: -1, typical: [2]float32{-1, 1},
		golden16: 0xa212937cb37dd142, golden24: 0x18b4895e974c08e},
	{name: "acospi", f: Acospi, typical: [2]float32{-1, 1},
		golden16: 0xb7f882416d85331b, golden24: 0xd88f38871218004e},
	{name: "atanpi", f: Atanpi, parity: -1, typical: [2]float32{-10, 10},
		golden16: 0x2ebbe6c92877f9a3, golden24: 0xdc27ade8b3d45934},
	{name: "rec_sqrt", f: Rsqrt, typical: [2]float32{0.001, 100},
		golden16: 0x9a294638c39e6007, golden24: 0xdd42ff2ba2abd809},
	{name: "erf", f: Erf, parity: -1, typical: [2]float32{-3, 3},
		golden16: 0x7c166d1c5387028c, golden24: 0xb6f45dc437f12f8d},
	{name: "erfc", f: Erfc, typical: [2]float32{-2, 5},
		golden16: 0x4938647d02842a64, golden24: 0xbbe4b816e89078c7},
	{name: "gamma", f: Gamma, typical: [2]float32{0.001, 20},
		golden16: 0x9f52f1681a8e08a9, golden24: 0xb6f280e8bea5844},
	{name: "lgamma", f: lgammaOf, typical: [2]float32{1, 100},
		golden16: 0x5c5ca94a22fadafc, golden24: 0xc024411e591f10c4},
}

// mathExp10 is the nearest function in package math.
func mathExp10(x float64) float64 { return math.Pow(10, x) }
