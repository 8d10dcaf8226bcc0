package exact_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeVectors writes the files of vectors.
func writeVectors(t *testing.T) {
	files := map[string]vectors{"invalid": {Invalid: invalidVectors()}}
	for _, v := range chosenVectors() {
		v.describe(v.build())
		f := files[v.Kind]
		f.Valid = append(f.Valid, v)
		files[v.Kind] = f
	}
	for name, f := range files {
		writeFile(t, filepath.Join(vectorsDir, name+".json"), f)
	}
}

func writeFile(t *testing.T, name string, v vectors) {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(name), 0o755)
	}
	if err == nil {
		err = os.WriteFile(name, append(b, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// sets are numbers that a reader or a writer may get wrong.
var sets = []struct {
	name string
	x    []float64
}{
	{"empty", nil},
	{"one", []float64{1}},
	{"negative zeros", []float64{math.Copysign(0, -1), math.Copysign(0, -1)}},
	{"zeros of both signs", []float64{math.Copysign(0, -1), 0}},
	{"cancellation to +0", []float64{1.5, -1.5}},
	{"cancellation", []float64{1e300, 1, -1e300}},
	{"halfway, to even", []float64{1, 0x1p-53}},
	{"halfway, and a little", []float64{1, 0x1p-53, 0x1p-1074}},
	{"halfway, less a little", []float64{1 + 0x1p-52, 0x1p-53, -0x1p-1074}},
	{"halfway in float32 only", []float64{1 + 0x1p-23, 0x1p-24, 0x1p-60}},
	{"smallest numbers", []float64{0x1p-1074, 0x1p-1074, -0x1p-1073, 0x1p-1074}},
	{"subnormal in float32", []float64{0x1p-149, 0x1p-150, 0x1p-170}},
	{"largest numbers", []float64{math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64}},
	{"overflow", []float64{-math.MaxFloat64, -0x1p970}},
	{"just no overflow", []float64{math.MaxFloat64, 0x1.fffffffffffffp969}},
	{"wide", []float64{0x1p-1074, 1, 0x1p1023, -3, 0x1p-500}},
	{"NaN", []float64{math.NaN(), 1}},
	{"positive infinity", []float64{math.Inf(1), -1e308, 3}},
	{"negative infinity", []float64{math.Inf(-1), 2, 2}},
	{"both infinities", []float64{math.Inf(-1), 2, math.Inf(1)}},
	{"digits with zeros between", []float64{0x1p200, 0x1p-200}},
	{"negative, several digits", []float64{-0x1p32, -1, -0x1p-40}},
	{"tenths", []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}},
	{"equal numbers", []float64{0.1, 0.1, 0.1, 0.1, 0.1}},
}

// chosenVectors returns the vectors of all kinds, with their inputs only.
func chosenVectors() (list []vector) {
	rng := rand.New(rand.NewPCG(71, 72))
	random := make([]float64, 40)
	for i := range random {
		random[i] = math.Ldexp(rng.Float64()*2-1, rng.IntN(80)-40)
	}
	all := append(sets[:len(sets):len(sets)], struct {
		name string
		x    []float64
	}{"forty", random})
	for _, kind := range []string{"sum", "moments", "pairs", "extrema", "weightedmean",
		"weightedmoments", "histogram"} {
		for i, set := range all {
			v := vector{Name: set.name, Kind: kind, Inputs: [][]string{}}
			other := all[(i+7)%len(all)].x
			for j, x := range set.x {
				row := patterns(x)
				if len(kind) > 7 && kind != "histogram" || kind == "pairs" {
					y := 2.5
					if len(other) > 0 {
						y = other[j%len(other)]
					}
					row = patterns(x, y)
				}
				v.Inputs = append(v.Inputs, row)
			}
			if kind == "histogram" {
				v.Edges = patterns(-2, 0, 0.25, 1, 3)
			}
			list = append(list, v)
		}
		if kind != "extrema" {
			v := list[len(list)-1]
			v.Name, v.Removed = "fewer than none", list[len(list)-2].Inputs
			v.Inputs = v.Inputs[:3]
			list = append(list, v)
		}
	}
	for i, set := range all {
		v := vector{Name: "products, " + set.name, Kind: "sum", Inputs: [][]string{}}
		other := all[(i+5)%len(all)].x
		for j, x := range set.x {
			if len(other) > 0 {
				v.Inputs = append(v.Inputs, patterns(x, other[j%len(other)]))
			}
		}
		list = append(list, v)
	}
	// The variance is negative and rounds to −0. Its root is NaN.
	tiny := patterns(0x1p-1074)
	for _, kind := range []string{"moments", "weightedmoments"} {
		v := vector{Name: "the root of a tiny negative number", Kind: kind}
		v.Inputs, v.Removed = [][]string{patterns(0)}, [][]string{tiny, tiny}
		if kind == "weightedmoments" {
			one := patterns(1)[0]
			v.Inputs = [][]string{append(tiny, one), append(tiny, one), append(patterns(0), one)}
			v.Removed = [][]string{append(patterns(0x1p-1073), one)}
		}
		list = append(list, v)
	}
	return list
}

// invalidVectors returns bytes that a reader has to refuse.
func invalidVectors() (list []invalidVector) {
	add := func(name, reason, b string) {
		list = append(list, invalidVector{name, hex.EncodeToString([]byte(b)), reason})
	}
	const empty = "lbxa\x01\x00\x00\x00\x00\x00"
	const one = "lbxa\x01\x02\x00\x00\x00\x00\x01\x43\x01\x10\x00\x00\x00"
	add("no bytes", "short", "")
	add("only the magic", "short", "lbxa")
	add("another magic", "magic", "lbya\x01\x00\x00\x00\x00\x00\x00")
	add("an unknown kind", "kind", "lbxz\x01\x00\x00\x00\x00\x00\x00")
	add("a later version", "version", "lbxa\x02\x00\x00\x00\x00\x00\x00")
	add("version 0", "version", "lbxa\x00\x00\x00\x00\x00\x00\x00")
	for n := 5; n < len(one); n++ {
		add(fmt.Sprintf("cut off after %d bytes", n), "short", one[:n])
	}
	add("a byte more", "long", one+"\x00")
	add("a count in two bytes", "varint", "lbxa\x01\x80\x00\x00\x00\x00\x00\x00")
	add("a count of 65 bits", "varint",
		"lbxa\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x00")
	add("a count of eleven bytes", "varint",
		"lbxa\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00\x00\x00\x00")
	add("a sign of 3", "sign", empty+"\x03\x00\x01\x01\x00\x00\x00")
	add("a sum without digits", "range", empty+"\x01\x00\x00")
	add("a first digit beyond the last place", "range", empty+"\x01\x86\x01\x01\x01\x00\x00\x00")
	add("more digits than places", "range", empty+"\x01\x85\x01\x02"+strings.Repeat("\x01", 8))
	add("2^64 − 1 digits", "range", empty+"\x01\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
	add("a number beyond 2^63 products", "range", empty+"\x01\x85\x01\x01\x00\x00\x01\x00")
	add("the lowest digit is 0", "digits", empty+"\x01\x00\x02\x00\x00\x00\x00\x01\x00\x00\x00")
	add("the highest digit is 0", "digits", empty+"\x01\x00\x02\x01\x00\x00\x00\x00\x00\x00\x00")
	add("the place of a digit in two bytes", "varint", empty+"\x01\x80\x00\x01\x01\x00\x00\x00")
	add("moments: Σ x is no multiple of 2^-1074", "multiple",
		"lbxm\x01\x02\x00\x00\x00\x00\x01\x00\x01\x01\x00\x00\x00\x00\x00\x00")
	add("pairs: Σ y is no multiple of 2^-1074", "multiple",
		"lbxc\x01"+strings.Repeat("\x00", 9)+"\x00\x01\x00\x01\x01\x00\x00\x00\x00\x00\x00")
	add("pairs with eight counts", "short", "lbxc\x01"+strings.Repeat("\x00", 13))
	half, two := "\x00\x00\x00\x00\x00\x00\xe0\x3f", "\x00\x00\x00\x00\x00\x00\x00\x40"
	nan, negZero := "\x00\x00\x00\x00\x00\x00\xf8\x7f", "\x00\x00\x00\x00\x00\x00\x00\x80"
	add("extrema in the other order", "extrema", "lbxe\x01\x04\x00"+two+half)
	add("extrema: +0 below −0", "extrema", "lbxe\x01\x04\x00"+strings.Repeat("\x00", 8)+negZero)
	add("extrema of one number that differ", "extrema", "lbxe\x01\x02\x00"+half+two)
	add("extrema: NaN", "extrema", "lbxe\x01\x04\x00"+half+nan)
	add("extrema of −1 numbers", "count", "lbxe\x01\x01\x00")
	add("extrema of more than 2^63 − 1 numbers", "count",
		"lbxe\x01\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02"+half+two)
	add("extrema of no numbers with ends", "long", "lbxe\x01\x00\x02"+half+two)
	histogram := "lbxh\x01\x00\x00\x00\x00\x00"
	add("a histogram of one edge", "edges", histogram+"\x01"+half)
	add("edges in the other order", "edges", histogram+"\x02"+two+half+"\x00\x00\x00")
	add("equal edges", "edges", histogram+"\x02"+half+half+"\x00\x00\x00")
	add("an edge of −0", "edges", histogram+"\x02"+negZero+half+"\x00\x00\x00")
	add("an edge of NaN", "edges", histogram+"\x02"+half+nan+"\x00\x00\x00")
	add("more edges than bytes", "short", histogram+"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
	add("a histogram without its bin", "short", histogram+"\x02"+half+two)
	add("a bin whose sum is no multiple of 2^-1074", "multiple",
		histogram+"\x02"+half+two+"\x02\x00\x01\x00\x01\x01\x00\x00\x00")
	return list
}
