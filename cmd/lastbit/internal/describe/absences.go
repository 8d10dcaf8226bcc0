package describe

import (
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
)

// maxReason bounds the reason of an absence, in characters. JSON has all of it.
const maxReason = 90

// Absences returns one row for each library that is not here, with the reason.
func Absences(listings []probe.Listing) (rows [][]string) {
	seen := map[[2]string]bool{}
	for _, l := range listings {
		if l.Absent != "" && !seen[[2]string{l.Library, l.Absent}] {
			seen[[2]string{l.Library, l.Absent}] = true
			rows = append(rows, []string{l.Library, text.Shorten(l.Absent, maxReason)})
		}
	}
	return rows
}
