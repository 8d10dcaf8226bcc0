package reveal

import "math"

// ddmin makes an input smaller. It replaces summands by zeros, half of them, a
// quarter, and so on, as long as holds reports true for the rest. It asks at
// most limit times, and returns the input and the number of summands that are
// not +0. An error of holds ends it.
//
// References:
//   - [Zeller2002] Andreas Zeller and Ralf Hildebrandt. Simplifying and
//     Isolating Failure-Inducing Input. IEEE Transactions on Software
//     Engineering 28(2):183–200, 2002.
func ddmin(
	x []float64, limit int, holds func(x []float64) (bool, error),
) (smaller []float64, summands int, err error) {
	x = append([]float64(nil), x...)
	var live []int
	for i, v := range x {
		if v != 0 || math.Signbit(v) {
			live = append(live, i)
		}
	}
	asked := 0
	for chunk := (len(live) + 1) / 2; chunk >= 1; {
		removed := false
		for at := 0; at < len(live) && asked < limit; {
			end := min(at+chunk, len(live))
			try := append([]float64(nil), x...)
			for _, i := range live[at:end] {
				try[i] = 0
			}
			still, err := holds(try)
			if err != nil {
				return x, len(live), err
			}
			asked++
			if still {
				x, removed = try, true
				live = append(append([]int(nil), live[:at]...), live[end:]...)
			} else {
				at = end
			}
		}
		if chunk == 1 && !removed || asked >= limit {
			break
		}
		chunk = max(1, min(chunk, len(live))/2)
	}
	return x, len(live), nil
}
