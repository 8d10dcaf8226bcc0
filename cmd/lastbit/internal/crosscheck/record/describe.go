package record

import (
	"reflect"
	"strconv"
	"strings"
)

// Bounds of a description.
const (
	maxItems = 16   // of a list
	maxText  = 2000 // bytes of a value
)

// describe returns a line for each value: the role, and the text and the bits
// of the value, quoted.
func describe(role string, values []any) string {
	var b strings.Builder
	for _, v := range values {
		var d describer
		if err, isError := v.(error); isError {
			d.text.WriteString(reflect.TypeOf(err).String())
		} else {
			d.value(reflect.ValueOf(v), maxPointers)
		}
		b.WriteString(role + " " + strconv.Quote(d.text.String()) + " " +
			strconv.Quote(strings.Join(d.bits, " ")) + "\n")
	}
	return b.String()
}

// describer writes values for people.
type describer struct {
	text strings.Builder
	bits []string // of the numbers, in hexadecimal
}

func (d *describer) float(x float64, size int) {
	d.text.WriteString(strconv.FormatFloat(x, 'g', -1, size))
	if size == 32 {
		d.bits = append(d.bits, hexadecimal(uint64(bits32(float32(x))), 8))
	} else {
		d.bits = append(d.bits, hexadecimal(bits64(x), 16))
	}
}

func hexadecimal(w uint64, digits int) string {
	s := strconv.FormatUint(w, 16)
	return "0x" + strings.Repeat("0", digits-len(s)) + s
}

// value writes a value.
func (d *describer) value(v reflect.Value, pointers int) {
	if d.text.Len() > maxText {
		return
	}
	switch v.Kind() {
	case reflect.Float64:
		d.float(v.Float(), 64)
	case reflect.Float32:
		d.float(v.Float(), 32)
	case reflect.Complex64, reflect.Complex128:
		size := v.Type().Bits() / 2
		d.float(real(v.Complex()), size)
		d.text.WriteString(" + ")
		d.float(imag(v.Complex()), size)
		d.text.WriteString("i")
	case reflect.Bool:
		d.text.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.text.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		d.text.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.String:
		d.text.WriteString(strconv.Quote(v.String()))
	case reflect.Slice, reflect.Array:
		d.list(v, pointers)
	case reflect.Struct:
		d.fields(v, pointers)
	case reflect.Pointer, reflect.Interface:
		d.target(v, pointers)
	case reflect.Invalid:
		d.text.WriteString("nil")
	default:
		d.text.WriteString(v.Type().String())
	}
}

func (d *describer) list(v reflect.Value, pointers int) {
	d.text.WriteString("[")
	for i := range min(v.Len(), maxItems) {
		if i > 0 {
			d.text.WriteString(" ")
		}
		d.value(v.Index(i), pointers)
	}
	if v.Len() > maxItems {
		d.text.WriteString(" … " + strconv.Itoa(v.Len()) + " in all")
	}
	d.text.WriteString("]")
}

func (d *describer) fields(v reflect.Value, pointers int) {
	d.text.WriteString("{")
	for i := range v.NumField() {
		if i > 0 {
			d.text.WriteString(" ")
		}
		d.text.WriteString(v.Type().Field(i).Name + ":")
		d.value(v.Field(i), pointers)
	}
	d.text.WriteString("}")
}

func (d *describer) target(v reflect.Value, pointers int) {
	switch {
	case v.IsNil():
		d.text.WriteString("nil")
	case pointers == 0 || v.Type() == reflect.TypeFor[error]():
		d.text.WriteString(v.Type().String())
	default:
		if v.Kind() == reflect.Pointer {
			d.text.WriteString("&")
		}
		d.value(v.Elem(), pointers-1)
	}
}
