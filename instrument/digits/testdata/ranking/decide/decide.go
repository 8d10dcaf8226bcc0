// Package decides holds the comparison that decides.
package decide

func Beyond(x, limit float64) bool {
	return x >= limit // decides
}
