// Package heap lets a command's heap grow to a size below which collecting it
// costs more than it frees.
package heap

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Floor sets the least size that the heap reaches before it is collected.
// Larger heaps are collected as ever: when they have doubled. Programs call it
// once, first thing in main. Where GOGC or the program itself sets another
// growth, by debug.SetGCPercent, that one stays.
func Floor(bytes uint64) { adjust(bytes, ordinary) }

// ordinary is the growth of a heap in percent where nothing is set.
const ordinary = 100

// mark is garbage that the next collection finds.
type mark struct{ _ [16]byte }

// adjust sets the growth until the next collection, after which it runs again.
// It ends where the growth is not the one that it set last.
func adjust(floor uint64, last int) {
	heap, roots := inUse()
	percent := growth(heap, roots, floor)
	if found := debug.SetGCPercent(percent); found != last {
		debug.SetGCPercent(found)
		return
	}
	runtime.SetFinalizer(new(mark), func(*mark) { adjust(floor, percent) })
}

// growth returns how far a heap may grow, in percent of itself and of the roots
// that the runtime scans: to floor, or to twice its size.
func growth(heap, roots, floor uint64) int {
	heap, roots = max(heap, 1<<20), max(roots, 1<<20)
	if 2*heap+roots >= floor {
		return ordinary
	}
	return int(ordinary * (floor - heap) / (heap + roots))
}

// inUse returns the bytes of the heap that the last collection found in use,
// and of stacks and global variables.
func inUse() (heap, roots uint64) {
	all := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/globals:bytes"},
		{Name: "/gc/scan/stack:bytes"}}
	metrics.Read(all)
	var n [3]uint64
	for i, s := range all {
		if s.Value.Kind() == metrics.KindUint64 {
			n[i] = s.Value.Uint64()
		}
	}
	return n[0], n[1] + n[2]
}
