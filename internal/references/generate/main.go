// Generate writes the references of every doc comment of the module in full. It
// runs in internal/references.
package main

import (
	"fmt"
	"os"

	"github.com/lastbit/lastbit/internal/references"
)

func main() {
	changes, err := references.Changes("../..")
	for _, c := range changes {
		if err == nil {
			err = os.WriteFile(c.Path, []byte(c.New), 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "references:", err)
		os.Exit(1)
	}
}
