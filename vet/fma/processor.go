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
	most, onAMD64 := len(processors), false
	for _, p := range products {
		most = min(most, form(s.Op, p.isLeft, p.value.Negated))
		onAMD64 = onAMD64 || s.Op == token.ADD && !p.value.Negated
	}
	all := slices.Sorted(slices.Values(slices.Concat(processors[most:]...)))
	where := strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
	if onAMD64 {
		where += ", and on amd64 with GOAMD64=v3"
	}
	return where
}
