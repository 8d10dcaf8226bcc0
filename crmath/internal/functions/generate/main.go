// Command generate writes what follows from the tables of crmath's functions,
// below the directory it runs in.
package main

import (
	"log"
	"os"

	"github.com/lastbit/lastbit/crmath/internal/functions"
)

func main() {
	files, err := functions.Files(".")
	if err != nil {
		log.Fatal(err)
	}
	for name, src := range files {
		if err := os.WriteFile(name, src, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}
