// Results that float32 changes in other places than in numbers of the output.
package main

import (
	"fmt"
	"math"
	"os"
)

func main() {
	third := 1.0 / 3 // shared
	fmt.Println("ready", third)
	switch os.Args[1] {
	case "word":
		if third*0.3 > 0.1+1e-12 { // decides
			fmt.Println("large")
		} else {
			fmt.Println("small")
		}
	case "lines":
		for x := 2.0; x*third < 0.66666667; x += 0.5 { // decides
			fmt.Println("again")
		}
	case "exit":
		if third*0.3 > 0.1+1e-12 { // decides
			os.Exit(3)
		}
	case "file":
		text := fmt.Sprintf("%.12g\n", 1.0986+math.Log(third)) // decides
		if err := os.WriteFile(os.Args[2], []byte(text), 0o666); err != nil {
			panic(err)
		}
	case "infinite":
		fmt.Println(math.Exp(88) * 10) // decides
	case "number":
		fmt.Println(third * third) // keeps six digits
	}
}
