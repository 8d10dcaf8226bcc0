package fma

import (
	"go/token"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/vet/internal/flow"
)

// The processors that Go's compiler fuses for at their lowest level, by the
// form of the sum: p + z or p - z; z - p; and sums with -p for the product p.
// Each fuses all that the ones before it do.
var processors = [...][]string{
	{"ppc64", "ppc64le", "s390x"},
	{"riscv64"},
	{"arm64", "loong64"},
}

// converters lists the processors that fuse the subtraction of a conversion to
// uint64, without and with one of -p for the product p.
var converters = [...][]string{{"loong64", "ppc64", "ppc64le", "riscv64"}, {"loong64"}}

// form returns the index in processors of a sum with a product.
func form(op token.Token, isLeft, negated bool) int {
	switch {
	case negated:
		return 2
	case op == token.SUB && !isLeft:
		return 1
	}
	return 0
}

// processorsOf lists the processors that fuse one of the products of a sum.
func processorsOf(s flow.Sum, products []product) string {
	if s.IsConversion {
		negated := 0
		if products[0].value.Negated {
			negated = 1
		}
		return listed(converters[negated])
	}
	most, onAMD64 := len(processors), false
	for _, p := range products {
		most = min(most, form(s.Op, p.isLeft, p.value.Negated))
		onAMD64 = onAMD64 || s.Op == token.ADD && !p.value.Negated
	}
	where := listed(slices.Sorted(slices.Values(slices.Concat(processors[most:]...))))
	if onAMD64 {
		where += ", and on amd64 with GOAMD64=v3"
	}
	return where
}

// listed joins names as text.
func listed(all []string) string {
	last := len(all) - 1
	if last == 0 {
		return all[0]
	}
	return strings.Join(all[:last], ", ") + " and " + all[last]
}
