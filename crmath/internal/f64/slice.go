package f64

// best holds the fastest kernels that this processor runs, or none.
var best = fastest()

func fastest() (v vectorSet) {
	if all := vectors(); len(all) > 0 {
		return all[len(all)-1]
	}
	return v
}
