package probe_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// allOptions has one option for each field that a driver may refuse.
const allOptions = probe.AllOptions | probe.WithRanks | probe.WithIntegers

// full has a value other than the default in every field.
func full() probe.Spec {
	return probe.Spec{
		Op: probe.Gemm, DType: fp.Binary32, Integers: probe.Int8, Acc: fp.Binary64,
		N: 3, M: 4, Cols: 5, Axis: "1", Trans: "ab", Order: "F", Stride: 2, Align: 8,
		Threads: 7, Ranks: 6,
		OutIndex: []int{1, 2}, Device: "cuda", Env: []string{"A=1"}, Timeout: 1,
	}
}

// TestSharedFields compares the fields of Spec and Key: fields of one name have
// one type, every field of a Spec is one of a Key, and Spec.Key copies it.
func TestSharedFields(t *testing.T) {
	s := full()
	spec, key := reflect.ValueOf(s), reflect.ValueOf(s.Key("here"))
	for i := range spec.NumField() {
		name := spec.Type().Field(i).Name
		if spec.Field(i).IsZero() {
			t.Errorf("this test does not set %s", name)
		}
		if name == "Timeout" {
			continue
		}
		field := key.FieldByName(name)
		if !field.IsValid() || !reflect.DeepEqual(field.Interface(), spec.Field(i).Interface()) {
			t.Errorf("the key has %v for %s", field, name)
		}
	}
	k := s.Key("here")
	if k.Target != "here" || k.Out != fp.Binary32 {
		t.Errorf("the key is %+v", k)
	}
	if k.OutIndex[0] = 9; s.OutIndex[0] == 9 {
		t.Error("the key shares the output position of its Spec")
	}
	if k := (probe.Spec{Stride: 1}).Key(""); k.Stride != 0 || k.Threads != 1 {
		t.Errorf("the defaults are %+v", k)
	}
}

// TestRestrict takes one option after the other away from a target.
func TestRestrict(t *testing.T) {
	s := full()
	if got, err := s.Restrict("all", allOptions); err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("%+v, %v", got, err)
	}
	ids := map[probe.Options]string{
		probe.WithRows: "bad-shape", probe.WithCols: "bad-shape",
		probe.WithOutIndex: "bad-out-index", probe.WithIntegers: "unsupported-dtype",
	}
	for o := probe.Options(1); o <= allOptions; o <<= 1 {
		if o&allOptions == 0 {
			continue
		}
		_, err := s.Restrict("thing", allOptions&^o)
		want := ids[o]
		if want == "" {
			want = "unsupported-option"
		}
		var f *probe.Fault
		if !errors.As(err, &f) || f.ID != want || f.Thing != "thing" || f.Cause == "" ||
			f.Cure == "" {
			t.Errorf("without %v: %v", o.Flags(), err)
		}
	}
	// Without Op, DType, Integers, N and Timeout.
	fields := reflect.TypeFor[probe.Spec]().NumField() - 5
	if flags := allOptions.Flags(); len(flags) != fields || slices.Contains(flags, "") {
		t.Errorf("the flags of all options are %q", flags)
	}
}

// TestRestrictClears checks that Restrict clears values that mean the same as
// leaving a field out.
func TestRestrictClears(t *testing.T) {
	s := probe.Spec{
		Op: probe.Sum, DType: fp.Binary32, Acc: fp.Binary32, N: 3, M: 1, Cols: 1,
		Order: "c", Stride: 1, Threads: -1, OutIndex: []int{}, Device: "cpu",
	}
	want := probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 3}
	if got, err := s.Restrict("none", 0); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, s := range []probe.Spec{{M: -1}, {Cols: -1}, {Stride: -1}, {Align: -1}, {Threads: -2}} {
		if _, err := s.Restrict("none", 0); err == nil {
			t.Errorf("%+v was not refused", s)
		}
	}
}

// TestParseInteger reads the names of types, and their ranges.
func TestParseInteger(t *testing.T) {
	for name, want := range map[string]probe.Integer{
		"i8": probe.Int8, "int8": probe.Int8, "U8": probe.Uint8, "UINT8": probe.Uint8,
	} {
		if got, ok := probe.ParseInteger(name); !ok || got != want {
			t.Errorf("%s is %q, %v", name, got, ok)
		}
	}
	for _, name := range []string{"", "i16", "int32", "8", "int", "iint8", "f32", "uint8_t"} {
		if got, ok := probe.ParseInteger(name); ok {
			t.Errorf("%q is %q", name, got)
		}
	}
	for of, want := range map[probe.Integer][2]int64{
		probe.Int8: {-128, 127}, probe.Uint8: {0, 255}, probe.Int16: {-32768, 32767},
		probe.Uint32: {0, math.MaxUint32}, probe.Int64: {math.MinInt64, math.MaxInt64},
		probe.Uint64: {0, math.MaxInt64},
	} {
		if least, most := of.Range(); least != want[0] || most != want[1] {
			t.Errorf("%s has the range %d … %d", of, least, most)
		}
	}
}

// TestRestrictFormats asks for every format of a driver that knows the usual
// ones, and of one that knows all.
func TestRestrictFormats(t *testing.T) {
	for _, f := range fp.Formats() {
		usual := slices.Contains([]fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16}, f)
		for _, tt := range []struct {
			s        probe.Spec
			honoured probe.Options
			taken    bool
		}{
			{probe.Spec{DType: f}, probe.AllOptions, usual},
			{probe.Spec{DType: f}, probe.ShortFormats, true},
			{probe.Spec{DType: fp.Binary32, Acc: f}, probe.AllOptions, usual},
			{probe.Spec{DType: fp.Binary32, Acc: f}, probe.AllOptions | probe.ShortFormats, usual},
			{probe.Spec{DType: f, Acc: f}, probe.AllOptions | probe.ShortFormats, usual},
		} {
			_, err := tt.s.Restrict("thing", tt.honoured)
			var fault *probe.Fault
			if tt.taken != (err == nil) || err != nil && (!errors.As(err, &fault) ||
				fault.ID != "unsupported-dtype") {
				t.Errorf("%v as %+v: %v", f, tt.s, err)
			}
		}
	}
}
