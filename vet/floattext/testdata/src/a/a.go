package a

import (
	"fmt"
	"strconv"
)

func compare(x, y float64, s string, n int, m map[string]int) bool {
	if fmt.Sprintf("%.3f", x) == s { // want `compares a number as text`
		return true
	}
	text := strconv.FormatFloat(x, 'g', -1, 64)
	switch fmt.Sprint(y) { // want `fmt.Sprint\(y\) compares a number as text`
	case "0":
	}
	m[fmt.Sprint(x)]++  // want `compares a number as text`
	return text != s || // want `compares a number as text`
		fmt.Sprint(n) == s || fmt.Sprint(s) != "NaN"
}

func lists(x []float64, n []int, s string) bool {
	return fmt.Sprint(n) == s ||
		fmt.Sprint(x) == s // want `compares a number as text`
}
