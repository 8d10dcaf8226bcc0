// Command generate writes the generated files of package crmath into the
// directory it runs in.
package main

import (
	"log"
	"os"

	"github.com/lastbit/lastbit/crmath/internal/tables"
)

func main() {
	files, err := tables.Files()
	if err != nil {
		log.Fatal(err)
	}
	for name, src := range files {
		if err := os.WriteFile(name, src, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}
