package digits

import "strings"

// maxAligned bounds the product of two numbers of lines that are aligned by
// their longest common subsequence.
const maxAligned = 4_000_000

// align returns, for each element of a, the index of its counterpart in b, or
// -1. Lines and tokens correspond if they have one shape: they differ in
// numbers only. Their order is kept.
func align[T any](a, b []T, shape func(T) string) []int {
	match := make([]int, len(a))
	first := 0
	for first < len(a) && first < len(b) && shape(a[first]) == shape(b[first]) {
		match[first] = first
		first++
	}
	i, j := len(a), len(b)
	for i > first && j > first && shape(a[i-1]) == shape(b[j-1]) {
		i--
		j--
		match[i] = j
	}
	for k := first; k < i; k++ {
		match[k] = -1
	}
	if (i-first)*(j-first) <= maxAligned {
		common(shapes(a[first:i], shape), shapes(b[first:j], shape),
			func(k, l int) { match[first+k] = first + l })
	}
	return match
}

// common reports the pairs of a longest common subsequence of shapes.
func common(a, b []string, pair func(i, j int)) {
	length := make([][]int32, len(a)+1)
	for i := range length {
		length[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pair(i, j)
			i++
			j++
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
}

func shapes[T any](elements []T, shape func(T) string) []string {
	all := make([]string, len(elements))
	for i, e := range elements {
		all[i] = shape(e)
	}
	return all
}

// shape returns a line with # for every number, and without spaces: those that
// fill a column give way to digits.
func shape(line []token) string {
	var b strings.Builder
	for _, t := range line {
		at := 0
		for _, n := range t.numbers {
			b.WriteString(t.text[at:n.from])
			b.WriteByte('#')
			at = n.to
		}
		b.WriteString(t.text[at:])
	}
	return b.String()
}
