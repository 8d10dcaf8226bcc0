//go:build !js || !wasm

// Command lastbitweb is the program of the page that runs in a browser.
//
//	go run ./cmd/lastbitweb/create -o dist/web
//
// builds the page.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "lastbitweb: it runs in a browser; "+
		"go run ./cmd/lastbitweb/create builds the page")
	os.Exit(2)
}
