// Durations subtracts hours, which are rounded, and prints some that are not.
package main

import (
	"fmt"
	"time"
)

type span struct{ time.Duration }

func main() {
	a, b := 7*time.Hour+13, span{7 * time.Hour}
	fmt.Println((a.Hours() - b.Hours()) * 1e9)
	half := &b
	half.Duration += 30 * time.Minute
	fmt.Println(half.Hours(), (13250 * time.Millisecond).Seconds())
}
