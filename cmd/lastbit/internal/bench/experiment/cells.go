package experiment

import (
	"fmt"
	"strconv"
)

// Decimals writes a number with n digits after the point; nil is "".
func Decimals(v *float64, n int) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%.*f", n, *v)
}

// Times writes a ratio, as 1.5×; nil is "-".
func Times(r *float64) string {
	if r == nil {
		return "-"
	}
	return strconv.FormatFloat(*r, 'f', 1, 64) + "×"
}

// BarValue returns the value of a bar; a negative one means no bar.
func BarValue(v *float64) float64 {
	if v == nil {
		return -1
	}
	return *v
}
