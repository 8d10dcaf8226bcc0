package digits

import "errors"

// minimize returns a smallest part of a set that still has a property, in the
// sense that no single element can be left out: algorithm ddmin of
// Zeller2002. The whole set is taken to have it. After a number of trials it
// returns the smallest part so far, and ended.
//
// References:
//   - [Zeller2002] Andreas Zeller and Ralf Hildebrandt. Simplifying and
//     Isolating Failure-Inducing Input. IEEE Transactions on Software
//     Engineering 28(2):183–200, 2002.
func minimize[T any](
	all []T, trials int, has func([]T) (bool, error),
) (least []T, ended bool, err error) {
	try := func(part []T) (bool, error) {
		if trials--; trials < 0 {
			return false, errTrials
		}
		return has(part)
	}
	for parts := 2; len(all) > 1; {
		smaller, found, err := reduce(all, parts, try)
		switch {
		case errors.Is(err, errTrials):
			return all, true, nil
		case err != nil:
			return nil, false, err
		case found && len(smaller)*2 <= len(all)+1: // one part of several
			all, parts = smaller, 2
		case found:
			all, parts = smaller, max(parts-1, 2)
		case parts >= len(all):
			return all, false, nil
		default:
			parts = min(2*parts, len(all))
		}
	}
	return all, false, nil
}

var errTrials = errors.New("digits: no trial is left")

// reduce tries each of some equal parts of a set, and each complement.
func reduce[T any](
	all []T, parts int, has func([]T) (bool, error),
) (smaller []T, found bool, err error) {
	bounds := func(i int) (int, int) { return i * len(all) / parts, (i + 1) * len(all) / parts }
	for i := range parts {
		from, to := bounds(i)
		if ok, err := has(all[from:to]); ok || err != nil {
			return all[from:to], ok, err
		}
	}
	for i := range parts {
		if parts == 2 {
			break // the complements were tried
		}
		from, to := bounds(i)
		rest := append(append([]T{}, all[:from]...), all[to:]...)
		if ok, err := has(rest); ok || err != nil {
			return rest, ok, err
		}
	}
	return nil, false, nil
}
