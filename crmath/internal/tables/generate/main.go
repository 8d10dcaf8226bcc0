// Command generate writes the tables of crmath's packages, below the directory
// it runs in.
package main

import (
	"log"
	"os"
	"path/filepath"

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
	src, err := tables.F32()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("f32", "tables.go"), src, 0o666); err != nil {
		log.Fatal(err)
	}
}
