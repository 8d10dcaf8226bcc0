//go:build race

package exact

// raceEnabled: the race detector makes pools forget at random.
const raceEnabled = true
