package edit_test

import (
	"fmt"

	"github.com/lastbit/lastbit/internal/edit"
)

func ExampleApply() {
	out := edit.Apply([]byte("x*y + z"), []edit.Edit{
		{From: 3, To: 3, Text: ")"},
		{From: 0, To: 0, Text: "float64("},
	})
	fmt.Printf("%s\n", out)
	// Output: float64(x*y) + z
}
